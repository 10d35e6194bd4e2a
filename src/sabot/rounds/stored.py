"""A round on the store: every command becomes a log entry of its table, with the money it moved.

Stakes go from the session to the escrow and payments come back from it; the house fills the escrow and takes the rest.
After a round its escrow is empty.
"""

from collections.abc import Iterable, Sequence

import msgspec
from msgspec import Raw, Struct

from sabot.cards import Card
from sabot.engine import AnyCommand, AnyEvent, Price, Round
from sabot.engine.commands import Consent, Deal, Join, Player, Void
from sabot.engine.events import BetSettled, MoneyAdded, PlayerPaid, Private, RoundVoided, WinCapped
from sabot.engine.inputs import ENGINE, Chance, is_known
from sabot.games import find
from sabot.games.options import TableOptions
from sabot.games.rules import Rules
from sabot.record.record import end_of
from sabot.rounds.face_down import FaceDown
from sabot.rounds.studio import StudioState
from sabot.store.entry import Body, Movement
from sabot.store.facts import AnyFact, Played, RoundClosed


class Accounts(Struct, frozen=True, forbid_unknown_fields=True):
    """The accounts that a round moves money between; a player who sits down again has a new session."""

    escrow: int
    house: int
    sessions: dict[Player, int]


class Opening(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """How a round was opened; a replay needs this, the seeds of the shoe and the commands."""

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
    #: The studio, where a person deals (STU-02).
    studio: StudioState | None = None


class Joined(Struct, frozen=True, forbid_unknown_fields=True):
    """The session account of a player who joins, stored beside the command."""

    account: int


class StoredRound:
    """A round with its code and its accounts; it has one owner and is rebuilt from the log."""

    def __init__(self, code: str, opening: Opening, chance: Chance, price: Price | None) -> None:
        """`OtherEngineError` if this engine cannot continue the round."""
        rules = find(opening.game).rules
        if not is_known(opening.engine):
            raise OtherEngineError(f"the round was opened by engine {opening.engine}, this one is {ENGINE}")
        if opening.rules_sha256 != rules.sha256:
            raise OtherEngineError(f"the rules of {rules.name} have changed since the round was opened")
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
            most=opening.most,
        )
        #: The golden chips that players brought to the round.
        self.golden: dict[Player, dict[int, int]] = dict(opening.golden)
        #: The session account of everyone in the round, and its balance after the last command.
        self.sessions = dict(opening.accounts.sessions)
        self._held = {player: self.round.balance(player) for player in self.sessions}
        self._won = self.round.book.house
        #: Session accounts of those who joined, in order.
        self.joined: list[int] = []
        #: Where a person deals: the row of each card by its place among the commands; cards that lay face down by their
        #: rows, and which of these were hole cards; and a number that grows with each card taken back or corrected.
        self.scans: dict[int, int] = {}
        self.down: dict[int, FaceDown] = {}
        self.holes: list[int] = []
        self.changes = 0

    def join(self, command: Join, account: int) -> tuple[tuple[AnyEvent, ...], Body]:
        """Let a player in while bets are open, with the money of a session account."""
        self.round.verify(command)
        self.sessions[command.player] = account
        self._held[command.player] = command.money
        self.golden[command.player] = command.golden
        self.joined.append(account)
        events, body = self.apply(command)
        return events, msgspec.structs.replace(body, detail=Raw(msgspec.json.encode(Joined(account))))

    def apply(
        self, command: AnyCommand, movements: tuple[Movement, ...] = (), facts: tuple[AnyFact, ...] = ()
    ) -> tuple[tuple[AnyEvent, ...], Body]:
        """Apply a command: its events, and the body of its row; `Refusal` if the rules refuse it.

        Movements and facts from outside the round come before its own.
        """
        round = self.round
        events = round.apply(command)
        moved = self._movements(command, events)
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

    def _movements(self, command: AnyCommand, events: Sequence[AnyEvent]) -> tuple[Movement, ...]:
        """The movements of a command; a stake and a payment are two."""
        round, step = self.round, len(self.round.commands)
        escrow, house = self.opening.accounts.escrow, self.opening.accounts.house
        paid, added, touched, voided = _money_in(events)
        if voided:
            paid = {}  # a win of the same command was taken back before it was paid (LNK-36)
        everyone = voided or isinstance(command, Deal | Void)
        held, sessions, purses = self._held, self.sessions, round.book.purses
        holds: list[Movement] = []
        pays: list[Movement] = []
        for player in sessions if everyone else touched:
            now, gets = purses[player].money, paid.get(player, 0)
            hold = held[player] + added.get(player, 0) + gets - now
            held[player] = now
            if hold > 0:
                key = f"{self.code}/{player}/{step}/stake"
                holds.append(Movement(key, sessions[player], escrow, hold))
            elif hold < 0:
                pays.append(Movement(f"{self.code}/{player}/{step}/back", escrow, sessions[player], -hold))
            if gets:
                pays.append(Movement(f"{self.code}/{player}/{step}/paid", escrow, sessions[player], gets))
        won = round.book.house - self._won
        self._won = round.book.house
        key = f"{self.code}/house/{step}"
        if won < 0:
            return (*holds, Movement(key, house, escrow, -won), *pays)
        if won > 0:
            return (*holds, *pays, Movement(key, escrow, house, won))
        return (*holds, *pays)

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
    """An open round that this engine cannot continue; it is voided (contract, Record)."""


def recorded_prices(recorded: Sequence[int], price: Price | None) -> Price:
    """Prices that were shown before, then new ones."""
    left = iter(recorded)

    def next_price(
        rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int:
        shown = next(left, None)
        if shown is not None:
            return shown
        if price is None:
            raise RuntimeError("a price more is needed than was recorded")
        return price(rules, cards, split=split, up=up, seen=seen)

    return next_price


def _money_in(
    events: Iterable[AnyEvent],
) -> tuple[dict[Player, int], dict[Player, int], dict[Player, None], bool]:
    """Money in events: paid and brought by player, players touched in order, whether all is void."""
    paid: dict[Player, int] = {}
    added: dict[Player, int] = {}
    touched: dict[Player, None] = {}
    voided = False
    for event in events:
        if isinstance(event, Private):
            touched[event.player] = None
            if isinstance(event, BetSettled):
                if event.paid:
                    paid[event.player] = paid.get(event.player, 0) + event.paid
            elif isinstance(event, WinCapped):
                paid[event.player] -= event.amount
            elif isinstance(event, MoneyAdded):
                added[event.player] = added.get(event.player, 0) + event.amount
        elif isinstance(event, RoundVoided):
            voided = True
    return paid, added, touched, voided
