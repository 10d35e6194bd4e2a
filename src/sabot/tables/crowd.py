"""A live table: many players, one shoe for many rounds.

A shoe is committed to, the players' seeds are mixed in, and then it serves round after round until its cut card is
out; its seed is revealed when it is replaced (ASR-02). Where there is a shuffling table the next shoe waits there,
committed to, while this one is dealt, and the two are exchanged (FRB-30).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.engine.commands import Join, Player
from sabot.engine.parts import Chance
from sabot.errors import Refusal
from sabot.fairness.live import seeds_digest
from sabot.fairness.vault import VaultError
from sabot.rounds.marks import shoes_now, why_paused
from sabot.rounds.queries import ToldRow, cards_dealt, seats_of, shoe_by_id, told_lately
from sabot.rounds.shoes import KeptShoe
from sabot.rounds.stored import Opening, StoredRound, opening_of
from sabot.store.entry import Body, LogEntry, RequestKey
from sabot.store.facts import (
    AnyFact,
    GoldenMoved,
    SeatLeft,
    SeatTaken,
    ShoeRevealed,
    ShoeSeeded,
)
from sabot.store.stream import Stream
from sabot.tables.table import Step, Table, TableConfig, Tools


class Seat(NamedTuple):
    """A seat that is taken."""

    id: int
    player: Player


class CrowdTable(Table):
    """A table of a live game."""

    #: The shoe in use; it can be dealt from once the players' seeds are mixed in.
    shoe: KeptShoe | None = None
    seeded = False
    #: Cards of the shoe that are dealt.
    dealt = 0
    #: The shoe at the shuffling table: committed to, and in the order of no seeds yet (FRB-30).
    waiting: KeptShoe | None = None
    #: Why the table is paused; empty while it is not (PLT-33).
    paused = ""

    def __init__(self, config: TableConfig, tools: Tools, stream: Stream, escrow: int) -> None:
        super().__init__(config, tools, stream, escrow)
        #: Who has taken which seat (FRB-20).
        self.seats: dict[int, Seat] = {}
        self._next_seat = 0
        #: What players were told here before the table was opened, and what of it they have seen (PLT-49).
        self.told_before: list[ToldRow] = []

    def shuffle(self, at: int) -> LogEntry:
        """Replace the shoe: the old one is revealed, the new one is committed to."""
        if self.in_round:
            raise Refusal("round/open")
        facts, secrets = self._replace_shoe()
        return self.stream.unit(at, "shoe-committed", Body(facts=facts), secrets=secrets)

    def seed_shoe(self, seeds: Sequence[str], at: int) -> LogEntry:
        """Mix the players' seeds in, in the order they came; from now on the order of the cards is fixed."""
        if self.shoe is None or self.seeded:
            raise Refusal("shoe/none")
        self.shoe, fact = self._mix(self.shoe, seeds)
        self.seeded = True
        return self.stream.unit(at, "shoe-seeded", Body(facts=(fact,)))

    def commit_next(self, at: int) -> LogEntry:
        """Commit to the shoe that waits at the shuffling table while this one is dealt (FRB-30)."""
        if not self.seeded or self.waiting is not None:
            raise Refusal("shoe/none")
        self._prepare_shoe()
        return self._next_with(self.stream.unit(at, "shoe-committed", Body()))

    def exchange(self, seeds: Sequence[str], at: int) -> LogEntry:
        """Go on with the shoe that waited, the players' seeds in it; the old one is revealed (FRB-30).

        If it does not open (`VaultError`), nothing has changed. The row is one of those that fix the order of the cards.
        """
        if self.in_round:
            raise Refusal("round/open")
        if self.waiting is None:
            raise Refusal("shoe/none")
        self._prepare_shoe()
        shoe, seeded = self._mix(self.waiting, seeds)
        facts: tuple[AnyFact, ...] = (*self._revealed(self.shoe), seeded)
        self.shoe, self.waiting = shoe, None
        self.seeded, self.dealt = True, 0
        return self.stream.unit(at, "shoe-seeded", Body(facts=facts))

    def exchange_and_commit(self, seeds: Sequence[str], at: int) -> LogEntry:
        """The same, and in the same row commit to the shoe that waits from now on."""
        return self._next_with(self.exchange(seeds, at))

    def open_round(
        self,
        at: int,
        *,
        behind_closed: Sequence[int] = (),
        consents: Mapping[Player, tuple[bool, bool]] | None = None,
    ) -> LogEntry:
        """Open betting for everyone who sits at the table."""
        if self.in_round:
            raise Refusal("round/open")
        if self.shoe is None or not self.seeded:
            raise Refusal("shoe/none")
        opening = opening_of(
            self.rules,
            self.options,
            {player: sitting.balance for player, sitting in self.sittings.items()},
            self._accounts(self.sittings),
            self.shoe.id,
            start=self.dealt,
            golden={player: sitting.golden for player, sitting in self.sittings.items() if sitting.golden},
            behind_closed=behind_closed,
            consents=consents,
        )
        chance = self._chance(opening)
        code = self.tools.codes(at)
        self.current = StoredRound(code, opening, chance, self.tools.price)
        return self.stream.unit(at, "round-opened", self._opened(opening, Body()), round=code)

    def join(self, player: Player, at: int) -> Step:
        """A player who sat down while bets are open comes into the round."""
        current, sitting = self.current, self._sitting(player)
        if current is None or current.round.over:
            raise Refusal("round/not-dealt")
        events, body = current.join(Join(player, sitting.balance, dict(sitting.golden)), sitting.account)
        return Step(events, (self.stream.unit(at, "join", body, round=current.code),))

    # Pauses

    def pause(self, reason: str, at: int) -> LogEntry:
        """Everything waits; after a crash too."""
        self.paused = reason
        return self.note("pause", {"reason": reason}, at)

    def resume(self, at: int) -> LogEntry:
        """The table goes on."""
        self.paused = ""
        return self.note("resume", {}, at)

    # Seats

    def prepare(self) -> None:
        """Have the numbers at hand that a question of several rows needs: asking for one can fail."""
        self._prepare_shoe()
        self._next_seat = self._next_seat or self.tools.store.ids.take("seat")

    def take_seat(self, spot: int, player: Player, at: int, request: RequestKey | None = None) -> LogEntry:
        """A player takes a free seat (FRB-20)."""
        fact = self._seat(spot, player)
        return self.stream.unit(at, "take-seat", Body(facts=(fact,)), request=request)

    def take_seat_with(self, unit: LogEntry, spot: int, player: Player) -> LogEntry:
        """The row that brings a player's money, with a free seat taken in it."""
        facts = (*unit.body.facts, self._seat(spot, player))
        return replace(unit, body=replace(unit.body, facts=facts))

    def _seat(self, spot: int, player: Player) -> SeatTaken:
        sitting = self._sitting(player)
        if spot in self.seats:
            raise Refusal("seat/taken", spot=spot)
        self.prepare()
        seat, self._next_seat = Seat(self._next_seat, player), 0
        self.seats[spot] = seat
        return SeatTaken(seat.id, spot, sitting.player)

    def leave_seat(self, spot: int, at: int, request: RequestKey | None = None) -> LogEntry:
        """A seat is free again."""
        if spot not in self.seats:
            raise Refusal("seat/free", spot=spot)
        facts = (SeatLeft(self.seats.pop(spot).id),)
        return self.stream.unit(at, "leave-seat", Body(facts=facts), request=request)

    # The shoe

    def _chance(self, opening: Opening) -> Chance:
        if self.shoe is None or self.shoe.id != opening.shoe:
            raise Refusal("shoe/none")
        return self.tools.shoes.open(self.rules, self.shoe, opening.start)

    def _load_shoe(self, connection: Connection) -> None:
        for id, spot, player in seats_of(connection, self.stream.id):
            self.seats[spot] = Seat(id, str(player))
        self.told_before = told_lately(connection, self.stream.id)
        self.paused = why_paused(connection, self.stream.id)
        in_use, waiting = shoes_now(connection, self.stream.id)
        if in_use is not None:
            self.shoe = shoe_by_id(connection, in_use)
            self.seeded = bool(self.shoe.client_seed)
            self.dealt = cards_dealt(connection, self.stream.id) if self.seeded else 0
        if waiting is not None:
            self.waiting = shoe_by_id(connection, waiting)

    def _ready(self, at: int) -> None:
        """Nothing is missing: the presenter shuffles when the table begins."""

    def _round_ended(self, current: StoredRound) -> tuple[tuple[AnyFact, ...], dict[int, object]]:
        """The next round goes on in the same shoe; golden chips that were played are gone."""
        self.dealt = current.round.shoe.dealt
        facts: list[AnyFact] = []
        for player, before in current.golden.items():
            sitting = self.sittings.get(player)
            if sitting is None or sitting.account != current.sessions[player]:
                continue  # left before a bet, with all of them
            after = current.round.book.purses[player].golden
            changed = {value: after.get(value, 0) - count for value, count in before.items()}
            facts += (GoldenMoved(sitting.account, value, by) for value, by in changed.items() if by)
            held = {value: count + changed.get(value, 0) for value, count in sitting.golden.items()}
            sitting.golden = {value: count for value, count in held.items() if count}
        return tuple(facts), {}

    def _replace_shoe(self) -> tuple[tuple[AnyFact, ...], dict[int, object]]:
        """Take a new shoe, in the place of one that waited too: nothing was dealt from that."""
        facts = (*self._revealed(self.shoe), *self._revealed(self.waiting))
        self.shoe, committed = self._commit_shoe()
        self.waiting = None
        self.seeded, self.dealt = False, 0
        return (*facts, committed), {self.shoe.id: self.shoe.sealed}

    def _revealed(self, shoe: KeptShoe | None) -> Iterator[ShoeRevealed]:
        """A shoe's seed; one that does not open any more stays unrevealed, and the audit says so."""
        if shoe is not None:
            with suppress(VaultError):
                yield ShoeRevealed(shoe.id, self.tools.shoes.reveal(shoe).hex())

    def _mix(self, shoe: KeptShoe, seeds: Sequence[str]) -> tuple[KeptShoe, ShoeSeeded]:
        """A shoe with the players' seeds in it, and what is promised of it."""
        mixed = shoe._replace(client_seed=seeds_digest(seeds), seeds=tuple(seeds))
        root = self.tools.shoes.root(self.rules, mixed)
        return mixed, ShoeSeeded(mixed.id, mixed.client_seed, mixed.seeds, root)

    def _next_with(self, unit: LogEntry) -> LogEntry:
        """A row, with the commitment to the next shoe in it."""
        self.waiting, committed = self._commit_shoe()
        facts = (*unit.body.facts, replace(committed, waiting=True))
        secrets = {**unit.secrets, self.waiting.id: self.waiting.sealed}
        return replace(unit, body=replace(unit.body, facts=facts), secrets=secrets)
