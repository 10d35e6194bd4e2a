"""A live table: many players, one shoe for many rounds.

A shoe is committed to, the players' seeds are mixed in, and then it serves round after round until its cut card is
out; its seed is revealed when it is replaced (ASR-02).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.engine import RuleError
from sabot.engine.commands import Join, Player
from sabot.fairness.live import seeds_digest
from sabot.fairness.vault import VaultError
from sabot.rounds.loading import cards_dealt, last_shoe, seats_of
from sabot.rounds.marks import why_paused
from sabot.rounds.shoes import Chance, KeptShoe
from sabot.rounds.stored import Opening, StoredRound, opening_of
from sabot.rounds.table import Step, Table, TableConfig, Tools
from sabot.store.errors import StoreError
from sabot.store.facts import AnyFact, GoldenMoved, SeatLeft, SeatTaken, ShoeRevealed, ShoeSeeded
from sabot.store.stream import Stream
from sabot.store.unit import Body, Request, Unit


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
    #: Why the table is paused; empty while it is not (PLT-33).
    paused = ""

    def __init__(self, config: TableConfig, tools: Tools, stream: Stream, escrow: int) -> None:
        super().__init__(config, tools, stream, escrow)
        #: Who has taken which seat (FRB-20).
        self.seats: dict[int, Seat] = {}
        self._next_seat = 0

    def shuffle(self, at: int) -> Unit:
        """Replace the shoe: the old one is revealed, the new one is committed to."""
        if self.in_round:
            raise StoreError("round/open")
        facts, secrets = self._replace_shoe()
        return self.stream.unit(at, "shoe-committed", Body(facts=facts), secrets=secrets)

    def seed_shoe(self, seeds: Sequence[str], at: int) -> Unit:
        """Mix the players' seeds in, in the order they came; from now on the order of the cards is fixed."""
        if self.shoe is None or self.seeded:
            raise StoreError("shoe/none")
        self.shoe = self.shoe._replace(client_seed=seeds_digest(seeds), seeds=tuple(seeds))
        self.seeded = True
        root = self.tools.shoes.root(self.rules, self.shoe)
        fact = ShoeSeeded(self.shoe.id, self.shoe.client_seed, self.shoe.seeds, root)
        return self.stream.unit(at, "shoe-seeded", Body(facts=(fact,)))

    def open_round(
        self,
        at: int,
        *,
        behind_closed: Sequence[int] = (),
        consents: Mapping[Player, tuple[bool, bool]] | None = None,
    ) -> Unit:
        """Open betting for everyone who sits at the table."""
        if self.in_round:
            raise StoreError("round/open")
        if self.shoe is None or not self.seeded:
            raise StoreError("shoe/none")
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
            raise RuleError("round/not-dealt")
        events, body = current.join(Join(player, sitting.balance, dict(sitting.golden)), sitting.account)
        return Step(events, (self.stream.unit(at, "join", body, round=current.code),))

    # Pauses

    def pause(self, reason: str, at: int) -> Unit:
        """Everything waits; after a crash too."""
        self.paused = reason
        return self.note("pause", {"reason": reason}, at)

    def resume(self, at: int) -> Unit:
        """The table goes on."""
        self.paused = ""
        return self.note("resume", {}, at)

    # Seats

    def prepare(self) -> None:
        """Have the numbers at hand that a question of several rows needs: asking for one can fail."""
        self._prepare_shoe()
        self._next_seat = self._next_seat or self.tools.store.ids.take("seat")

    def take_seat(self, spot: int, player: Player, at: int, request: Request | None = None) -> Unit:
        """A player takes a free seat (FRB-20)."""
        fact = self._seat(spot, player)
        return self.stream.unit(at, "take-seat", Body(facts=(fact,)), request=request)

    def take_seat_with(self, unit: Unit, spot: int, player: Player) -> Unit:
        """The row that brings a player's money, with a free seat taken in it."""
        facts = (*unit.body.facts, self._seat(spot, player))
        return replace(unit, body=replace(unit.body, facts=facts))

    def _seat(self, spot: int, player: Player) -> SeatTaken:
        sitting = self._sitting(player)
        if spot in self.seats:
            raise StoreError("seat/taken", spot=spot)
        self.prepare()
        seat, self._next_seat = Seat(self._next_seat, player), 0
        self.seats[spot] = seat
        return SeatTaken(seat.id, spot, sitting.player)

    def leave_seat(self, spot: int, at: int, request: Request | None = None) -> Unit:
        """A seat is free again."""
        if spot not in self.seats:
            raise StoreError("seat/free", spot=spot)
        facts = (SeatLeft(self.seats.pop(spot).id),)
        return self.stream.unit(at, "leave-seat", Body(facts=facts), request=request)

    # The shoe

    def _chance(self, opening: Opening) -> Chance:
        if self.shoe is None or self.shoe.id != opening.shoe:
            raise StoreError("shoe/none")
        return self.tools.shoes.open(self.rules, self.shoe, opening.start)

    def _load_shoe(self, connection: Connection) -> None:
        for id, spot, player in seats_of(connection, self.stream.id):
            self.seats[spot] = Seat(id, str(player))
        self.paused = why_paused(connection, self.stream.id)
        found = last_shoe(connection, self.stream.id)
        if found is not None:
            self.shoe, self.seeded = found
            self.dealt = cards_dealt(connection, self.stream.id) if self.seeded else 0

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
        """Take a new shoe; one that does not open any more stays unrevealed, and the audit says so."""
        facts: list[AnyFact] = []
        if self.shoe is not None:
            with suppress(VaultError):
                facts.append(ShoeRevealed(self.shoe.id, self.tools.shoes.reveal(self.shoe).hex()))
        self.shoe, committed = self._commit_shoe()
        self.seeded, self.dealt = False, 0
        return (*facts, committed), {self.shoe.id: self.shoe.sealed}
