"""A table on the store: the players with their money, and the round being played.

A table has one owner and never waits: each method changes it in memory and
gives the log entries that say so, to be stored in order. If one is refused or lost, the owner throws the table away and
opens it again from the log. What a method refuses has changed nothing.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Raw
from msgspec.structs import replace

from sabot.engine import AnyCommand, AnyEvent, Bet, commands
from sabot.engine.commands import Player
from sabot.engine.inputs import ENGINE, Chance
from sabot.errors import Refusal
from sabot.games.options import TableOptions
from sabot.rounds.by_hand import hand_chance
from sabot.rounds.queries import NoticeRow
from sabot.rounds.stored import Accounts, Opening, StoredRound
from sabot.store.cashier import account_name
from sabot.store.entry import Body, LogEntry, Movement, RequestKey, Stream
from sabot.store.facts import (
    AccountOpened,
    AnyFact,
    MoneyBrought,
    RoundOpenedFact,
    ShoeSeededFact,
    SittingClosed,
    SittingOpened,
)
from sabot.tables.by_hand import HandDealing
from sabot.tables.config import TableConfig, Tools
from sabot.tables.shoes import TableShoes
from sabot.tables.sitting import Sitting, check_amount, golden_facts, golden_played

#: Commands that name the player who gives them.
_BY_PLAYER = (commands.PlaceBets, commands.Consent, commands.Insure, commands.Vote, commands.BoundLoss)


class Seat(NamedTuple):
    """A seat that is taken."""

    id: int
    player: Player


class Step(NamedTuple):
    """The events of a command, to be shown once its entries are stored."""

    events: tuple[AnyEvent, ...]
    entries: tuple[LogEntry, ...]


class Table:
    """A table of any game."""

    def __init__(self, config: TableConfig, tools: Tools, stream: Stream, escrow: int) -> None:
        self.config = config
        self.rules = config.game.rules
        self.tools = tools
        self.stream = stream
        self.escrow = escrow
        self.sittings: dict[Player, Sitting] = {}
        self.current: StoredRound | None = None
        #: Seats that are taken (FRB-20), and why a table is paused (PLT-33): of live tables.
        self.seats: dict[int, Seat] = {}
        self.paused = ""
        #: Notices from before the table was opened, and which of them were seen (PLT-49).
        self.past_notices: list[NoticeRow] = []
        self.shoes = TableShoes(tools, stream, self.rules, lambda: self.in_round)
        #: The cards of a table where a person deals (STU-01).
        self.by_hand = HandDealing(stream, self.rules, tools) if config.dealing == "studio" else None

    @property
    def options(self) -> TableOptions:
        """The options of the next round."""
        return self.config.options or self.config.game.options

    @property
    def code(self) -> str:
        """The code of the round being played, or of the one before; empty before the first."""
        return self.current.code if self.current else ""

    @property
    def in_round(self) -> bool:
        """Whether a round is being played."""
        return self.current is not None and not self.current.round.over

    def plays(self, player: Player) -> bool:
        """Whether the player is in the round being played."""
        return self._round_of(player) is not None

    def balance(self, player: Player) -> int:
        """The player's money at the table that is not staked."""
        current = self._round_of(player)
        return self._sitting(player).balance if current is None else current.round.balance(player)

    def seats_of(self, player: Player) -> list[int]:
        """The seats a player holds."""
        return sorted(spot for spot, seat in self.seats.items() if seat.player == player)

    def keep_options(self) -> None:
        """A round that was left open keeps the options it began with, also where others are set now (OFF-14)."""
        if self.current is not None and self.in_round:
            self.config = replace(self.config, options=self.current.round.options)

    # Sitting

    def sit(
        self,
        player: int,
        amount: int,
        at: int,
        request: RequestKey | None = None,
        golden: Mapping[int, int] | None = None,
    ) -> LogEntry:
        """Sit down with money and golden chips (PLT-04, MAJ-50)."""
        if str(player) in self.sittings:
            raise Refusal("sitting/open")
        check_amount(self.config, amount, 0)
        ids = self.tools.store.ids
        chips = dict(golden or {})
        sitting = Sitting(ids.take("sitting"), player, ids.take("account"), amount, amount, chips)
        own = self.own_account(player)
        facts: tuple[AnyFact, ...] = (
            AccountOpened(sitting.account, f"session/{sitting.id}", "session", self.config.currency, player),
            SittingOpened(sitting.id, player, sitting.account),
            MoneyBrought(sitting.id, amount),
            *golden_facts(own, sitting.account, chips),
        )
        self.sittings[str(player)] = sitting
        movement = Movement(f"sitting/{sitting.id}/0", own, sitting.account, amount)
        return self.stream.entry(at, "sit", Body(movements=(movement,), facts=facts), request=request)

    def add_money(self, player: Player, amount: int, at: int, request: RequestKey | None = None) -> Step:
        """AGGIUNGI DENARO: bring more, during a round too, up to the cap of the sitting (PLT-04, LNK-09)."""
        sitting = self._sitting(player)
        check_amount(self.config, amount, sitting.brought)
        own = self.own_account(sitting.player)
        movement = Movement(f"sitting/{sitting.id}/{sitting.brought}", own, sitting.account, amount)
        fact = MoneyBrought(sitting.id, amount)
        if self._round_of(player) is not None:
            step = self._apply(commands.AddMoney(player, amount), at, request, (movement,), (fact,))
        else:
            sitting.balance += amount
            body = Body(movements=(movement,), facts=(fact,))
            step = Step((), (self.stream.entry(at, "add-money", body, request=request),))
        sitting.brought += amount
        return step

    def bring_golden(self, player: Player, chips: Mapping[int, int], at: int) -> LogEntry:
        """Bring golden chips, for the next round (MAJ-50)."""
        sitting = self._sitting(player)
        facts = golden_facts(self.own_account(sitting.player), sitting.account, chips)
        for value, count in chips.items():
            sitting.golden[value] = sitting.golden.get(value, 0) + count
        return self.stream.entry(at, "bring-golden", Body(facts=facts))

    def leave(self, player: Player, at: int, request: RequestKey | None = None) -> LogEntry:
        """Leave with the rest of the money, after a round with own bets (PLT-04)."""
        sitting, current, left = self._sitting(player), self._round_of(player), self.balance(player)
        if current is not None and current.round.book.bets.get(player):
            raise Refusal("sitting/in-round")
        own = self.own_account(sitting.player)
        del self.sittings[player]
        movements: tuple[Movement, ...] = ()
        if left:
            movements = (Movement(f"sitting/{sitting.id}/left", sitting.account, own, left),)
        facts: tuple[AnyFact, ...] = (
            SittingClosed(sitting.id, left),
            *golden_facts(sitting.account, own, sitting.golden),
        )
        return self.stream.entry(at, "leave", Body(movements=movements, facts=facts), request=request)

    # Rounds

    def deal(
        self,
        player: int,
        bets: tuple[Bet, ...],
        client_seed: str,
        at: int,
        request: RequestKey | None = None,
        *,
        insurance: bool = True,
        most: int | None = None,
    ) -> Step:
        """Stake and deal a solo round. What the rules refuse leaves the table as it was.

        `most` is what the player's own loss limit lets be staked in it, doubles, splits and insurance included (ASR-41).
        """
        if self.in_round:
            raise Refusal("round/open")
        self.shoes.reserve()
        name, shoe = str(player), self.shoes.shoe
        assert shoe is not None, "a solo table is opened with a shoe"
        opening = replace(
            self._opening(shoe.id, self.shoes.dealt, [name]), most={} if most is None else {name: most}
        )
        seeded = shoe._replace(client_seed=client_seed)
        chance = self.tools.shoes.open(self.rules, seeded, 0)
        current = StoredRound(self.tools.codes(at), opening, chance, self.tools.price)
        placed, first = current.apply(
            commands.PlaceBets(name, bets), facts=(ShoeSeededFact(shoe.id, client_seed),)
        )
        dealt, second = current.apply(commands.Deal(insurance=insurance))
        self.current, self.shoes.shoe = current, seeded
        body = self._opened(opening, first)
        opened = self.stream.entry(at, "place-bets", body, round=current.code, guard=request)
        return Step(placed + dealt, (opened, self._entry(current, "deal", second, at, request)))

    def open_round(
        self,
        at: int,
        *,
        behind_closed: Sequence[int] = (),
        consents: Mapping[Player, tuple[bool, bool]] | None = None,
    ) -> LogEntry:
        """Open betting for everyone at the table."""
        if self.in_round:
            raise Refusal("round/open")
        by_hand, shoe = self.by_hand, self.shoes.shoe
        if by_hand is not None:
            in_use = by_hand.shoe
            first = self._opening(in_use.id, in_use.dealt, self.sittings)
            first = replace(first, studio=by_hand.state)
        elif shoe is not None and self.shoes.seeded:
            first = self._opening(shoe.id, self.shoes.dealt, self.sittings)
        else:
            raise Refusal("shoe/none")
        opening = replace(
            first,
            golden={
                player: dict(sitting.golden) for player, sitting in self.sittings.items() if sitting.golden
            },
            behind_closed=tuple(behind_closed),
            consents=dict(consents or {}),
        )
        chance, code = self.chance(opening), self.tools.codes(at)
        self.current = StoredRound(code, opening, chance, self.tools.price)
        return self.stream.entry(at, "round-opened", self._opened(opening, Body()), round=code)

    def join(self, player: Player, at: int) -> Step:
        """Admit a player to the round while bets are open."""
        current, sitting = self.current, self._sitting(player)
        if current is None or current.round.over:
            raise Refusal("round/not-dealt")
        events, body = current.join(
            commands.Join(player, sitting.balance, dict(sitting.golden)), sitting.account
        )
        return Step(events, (self.stream.entry(at, "join", body, round=current.code),))

    def apply(self, command: AnyCommand, at: int, request: RequestKey | None = None) -> Step:
        """Apply a command to the round being played."""
        if isinstance(command, commands.AddMoney):
            return self.add_money(command.player, command.amount, at, request)
        if isinstance(command, _BY_PLAYER) and self._round_of(command.player) is None:
            self._sitting(command.player)
            raise Refusal("player/unknown", player=command.player)
        return self._apply(command, at, request)

    def void(self, reason: str, at: int) -> Step:
        """Void the round: stakes go back, wins are undone (PLT-32)."""
        return self._apply(commands.Void(reason), at, None)

    def note(self, kind: str, detail: object, at: int, request: RequestKey | None = None) -> LogEntry:
        """An entry that moves nothing, for the record."""
        return self.stream.entry(at, kind, Body(detail=Raw(msgspec.json.encode(detail))), request=request)

    def pause(self, reason: str, at: int) -> LogEntry:
        """Pause the table, also across a crash."""
        self.paused = reason
        return self.note("pause", {"reason": reason}, at)

    def resume(self, at: int) -> LogEntry:
        """Resume the table."""
        self.paused = ""
        return self.note("resume", {}, at)

    def _opening(self, shoe: int, start: int, players: Iterable[Player]) -> Opening:
        """The opening of a round from a shoe of which so many cards are dealt."""
        sittings = {player: self._sitting(player) for player in players}
        house = self.tools.store.account(f"house/{self.config.currency}")
        sessions = {player: sitting.account for player, sitting in sittings.items()}
        return Opening(
            self.rules.name,
            self.rules.sha256,
            ENGINE,
            shoe,
            start,
            self.options,
            {player: sitting.balance for player, sitting in sittings.items()},
            Accounts(self.escrow, house, sessions),
        )

    def _opened(self, opening: Opening, body: Body) -> Body:
        """The first row of a round."""
        fact = RoundOpenedFact(opening.game, self.config.currency, opening.engine)
        return replace(body, detail=Raw(msgspec.json.encode(opening)), facts=(fact, *body.facts))

    def _apply(
        self,
        command: AnyCommand,
        at: int,
        request: RequestKey | None,
        movements: tuple[Movement, ...] = (),
        facts: tuple[AnyFact, ...] = (),
    ) -> Step:
        current = self.current
        if current is None or current.round.over:
            raise Refusal("round/not-dealt")
        if not self.shoes.reserved:
            self.shoes.reserve()
        events, body = current.apply(command, movements, facts)
        kind = str(type(command).__struct_config__.tag)
        return Step(events, (self._entry(current, kind, body, at, request),))

    def _entry(
        self, current: StoredRound, kind: str, body: Body, at: int, request: RequestKey | None
    ) -> LogEntry:
        """The row of a command; at the end of a round the balances are the sittings' again."""
        secrets: dict[int, object] = {}
        if current.round.over:
            sessions = current.sessions
            for player, sitting in self.sittings.items():
                if sessions.get(player) == sitting.account:
                    sitting.balance = current.round.balance(player)
            ended, secrets = self.shoes.round_ended(current.round.shoe.dealt)
            body = replace(body, facts=(*body.facts, *golden_played(current, self.sittings), *ended))
            if self.by_hand is not None:
                body = replace(body, detail=self.by_hand.round_ended(current))
        return self.stream.entry(at, kind, body, round=current.code, request=request, secrets=secrets)

    def chance(self, opening: Opening) -> Chance:
        """The cards and draws of a round."""
        if (opening.studio is not None) != (self.by_hand is not None):
            raise LookupError("the round was dealt in another way than the table is now")
        if opening.studio is not None:
            return hand_chance(opening)
        shoe = self.shoes.shoe
        if shoe is None or shoe.id != opening.shoe:
            raise LookupError(f"the table has no shoe {opening.shoe}")
        return self.tools.shoes.open(self.rules, shoe, opening.start)

    # Inside

    def _round_of(self, player: Player) -> StoredRound | None:
        """The round being played, if the player is in it."""
        current, sitting = self.current, self.sittings.get(player)
        if current is None or current.round.over or sitting is None:
            return None
        return current if current.sessions.get(player) == sitting.account else None

    def _sitting(self, player: Player) -> Sitting:
        try:
            return self.sittings[player]
        except KeyError:
            raise Refusal("sitting/closed") from None

    def own_account(self, player: int) -> int:
        """The account of a player outside the table."""
        own = self.tools.store.find_account(account_name(player, self.config.currency))
        if own is None:
            raise Refusal("player/none", player=player)
        return own
