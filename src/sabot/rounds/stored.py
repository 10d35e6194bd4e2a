"""A round on the store: every command becomes a log entry of its table, with the money it moved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw, Struct

from sabot.cards import Card
from sabot.engine import AnyCommand, AnyEvent, Price, Round
from sabot.engine.commands import Consent, Join, Player
from sabot.engine.edition import ENGINE, is_known
from sabot.engine.events import PlayerPaid
from sabot.engine.parts import Chance
from sabot.games import find
from sabot.games.options import TableOptions
from sabot.games.rules import Rules
from sabot.record.record import end_of
from sabot.rounds.till import Accounts, Till
from sabot.store.entry import Body, Movement
from sabot.store.facts import AnyFact, Played, RoundClosed


class Opening(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a round was opened: with the seeds of its shoe and its commands, all that a replay needs."""

    game: str
    rules_sha256: str
    engine: int
    shoe: int
    start: int
    options: TableOptions
    purses: dict[Player, int]
    accounts: Accounts
    golden: dict[Player, dict[int, int]] = {}
    behind_closed: tuple[int, ...] = ()
    #: What players had agreed to before the round: to double, to split (MAJ-12).
    consents: dict[Player, tuple[bool, bool]] = {}
    #: The most that players may stake in the round, by their loss limits (ASR-41).
    most: dict[Player, int] = {}


class Joined(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player who joins brings beside the command: the session account of the money."""

    account: int


class StoredRound:
    """A round, its code and its till; it has one owner and is rebuilt from the log."""

    def __init__(self, code: str, opening: Opening, chance: Chance, price: Price | None) -> None:
        rules = self.check(opening)
        self.code = code
        self.opening = opening
        self._prices = 0
        self.round = Round(
            rules,
            chance.shoe,
            purses=opening.purses,
            golden=opening.golden,
            options=opening.options,
            price=price if rules.cashback else None,
            draw=chance.draw,
            behind_closed=frozenset(opening.behind_closed),
            consents={player: Consent(player, *agreed) for player, agreed in opening.consents.items()},
            engine=opening.engine,
            most=opening.most,
        )
        #: The golden chips that players brought to the round.
        self.golden: dict[Player, dict[int, int]] = dict(opening.golden)
        self._till = Till(code, opening.accounts, self.round)

    @staticmethod
    def check(opening: Opening) -> Rules:
        """The rules of an opened round, if this engine and these rules can go on with it."""
        rules = find(opening.game).rules
        if not is_known(opening.engine):
            raise OtherEngineError(f"the round was opened by engine {opening.engine}, this one is {ENGINE}")
        if opening.rules_sha256 != rules.sha256:
            raise OtherEngineError(f"the rules of {rules.name} have changed since the round was opened")
        return rules

    @property
    def sessions(self) -> Mapping[Player, int]:
        """The session account of everyone in the round."""
        return self._till.sessions

    def join(self, command: Join, account: int) -> tuple[tuple[AnyEvent, ...], Body]:
        """A player comes while bets are open, with what is in a session account."""
        self.round.verify(command)
        self._till.admit(command.player, account, command.money)
        self.golden[command.player] = command.golden
        events, body = self.apply(command)
        return events, msgspec.structs.replace(body, detail=Raw(msgspec.json.encode(Joined(account))))

    def apply(
        self, command: AnyCommand, movements: tuple[Movement, ...] = (), facts: tuple[AnyFact, ...] = ()
    ) -> tuple[tuple[AnyEvent, ...], Body]:
        """Carry a command out: what happened, and the body of its row. `Refusal` if the rules refuse it.

        Movements and facts that go with the command from outside stand before the round's own.
        """
        round = self.round
        events = round.apply(command)
        moved = self._till.movements(len(round.commands), round, command, events)
        prices = tuple(round.tape.prices[self._prices :])
        self._prices += len(prices)
        if round.over:
            facts = (*facts, self._closed(events))
        body = Body(
            command=Raw(msgspec.json.encode(command)),
            events=Raw(msgspec.json.encode(events)),
            prices=prices,
            movements=(*movements, *moved),
            facts=facts,
        )
        return events, body

    def _closed(self, events: Sequence[AnyEvent]) -> RoundClosed:
        """How the round ended, and a line for everyone who had a bet in it."""
        dealt = self.round.shoe.dealt
        if end_of(self.round) == "settled":
            lines = tuple(
                Played(int(event.player), event.staked, event.paid, event.golden)
                for event in events
                if isinstance(event, PlayerPaid)
            )
            return RoundClosed("settled", lines, dealt)
        lines = tuple(Played(int(player), 0, 0) for player in self.round.book.bets)
        return RoundClosed("voided", lines, dealt)


class OtherEngineError(Exception):
    """An open round that this engine cannot go on with: it is voided (contract, Record)."""


class RecordedPrices:
    """Prices that were shown before, then new ones."""

    def __init__(self, recorded: Sequence[int], price: Price | None) -> None:
        self._recorded = list(recorded)
        self._price = price

    def __call__(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int:
        if self._recorded:
            return self._recorded.pop(0)
        if self._price is None:
            raise RuntimeError("a price more is needed than was recorded")
        return self._price(rules, cards, split=split, up=up, seen=seen)
