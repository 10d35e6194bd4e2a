"""A house with one live table, for browsers: chosen cards, and a clock that a test puts on by ending a phase.

The timers are long, so that nothing ends by itself unless a test gives short ones; the dealer's pace is short.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal, TypeVar

import sqlalchemy
from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.cards import decks, format_card
from sabot.engine import Bet
from sabot.engine.commands import Double, Hit, Split, Stand
from sabot.errors import Refusal
from sabot.games.rules import Action
from sabot.protocol import requests
from sabot.server.accounts.lock_out import MOST_FAILURES, Source
from sabot.server.accounts.logins import Device, Login
from sabot.server.accounts.players import Players
from sabot.server.config import OfficeConfig, StudioConfig, TableSection
from sabot.server.http.services import SERVICES
from sabot.server.tables.adapter import Context
from sabot.server.tables.registry import LiveRuntime
from sabot.server.tables.subscribers import Arrival
from sabot.store import schema
from sabot.store.cashier import Cashier
from sabot.store.kinds import Role
from sabot.tables.config import Dealing
from sabot.tables.live.studio import Studio
from sabot.tables.live.table import LiveTable
from sabot.tables.live.timers import Phase, Timers
from tests.browser.support.serve import OPEN_OFFICE, ServedHouse
from tests.support.clock import PATIENCE

T = TypeVar("T")
#: Decisions of players at seats.
Decision = Hit | Stand | Double | Split

TABLE = "one"
#: Seconds: windows that no test waits for, however slow the machine, and a dealer who is quick.
LONG = Timers(
    shuffle=0.1,
    betting=600,
    closing=0.05,
    pace=0.02,
    insurance=600,
    decision=600,
    vote=600,
    payout=600,
    absence=3600,
)


def code_of(card: str) -> str:
    """What a scanner reads on a card, written as `10h`, or on the `cut` card of a studio table."""
    return "x" + sha256(card.encode()).hexdigest()[:7]


class LiveHouse(ServedHouse):
    """A house with a table of one game."""

    def __init__(
        self,
        folder: Path,
        *cards: str,
        game: str = "freebet",
        currency: Literal["EUR", "FUN"] = "FUN",
        options: dict[str, Any] | None = None,
        timers: Timers = LONG,
        title: str = "",
        port: int = 0,
        pages: Path | None = None,
        sitting: int = 10_000,
        dealing: Dealing = "house",
        office: OfficeConfig = OPEN_OFFICE,
        cap: int | None = None,
    ) -> None:
        super().__init__(folder, *cards, port=port, pages=pages, sitting=sitting, office=office)
        table = TableSection(
            name=TABLE,
            game=game,
            currency=currency,
            title=title,
            options=options or {},
            timers=timers,
            dealing=dealing,
            cap=cap,
        )
        self._config = replace(self._config, table=(table,))
        if dealing == "studio":
            codes = folder / "codes.toml"
            codes.write_text(
                "".join(f'{code_of(card)} = "{card}"\n' for card in (*map(format_card, decks(1)), "cut"))
            )
            self._config = replace(self._config, studio=StudioConfig(codes=str(codes)))

    @property
    def desk(self) -> LiveRuntime:
        """The owner of the table."""
        return self._runner.app[SERVICES].registry.live[f"live/{TABLE}"]

    @property
    def live(self) -> LiveTable:
        """The table itself; another thread's, to be looked at only."""
        return self.desk.table

    @property
    def studio(self) -> Studio:
        """The studio of the table."""
        assert self.live.studio is not None
        return self.live.studio

    @property
    def people(self) -> Players:
        """The players."""
        return self._runner.app[SERVICES].players

    def run(self, act: Awaitable[T]) -> T:
        """Do something in the house's own thread."""

        async def acting() -> T:
            return await act

        return asyncio.run_coroutine_threadsafe(acting(), self._loop).result(2 * PATIENCE)

    # The clock

    def until(self, phase: Phase) -> None:
        """Wait until the table is in a phase."""
        self.run(self._until(phase))

    async def _until(self, phase: Phase) -> None:
        async with asyncio.timeout(PATIENCE):
            while self.live.phases.phase != phase or self.desk.busy:
                await asyncio.sleep(0.003)

    def when(self, ready: Callable[[LiveTable], bool]) -> None:
        """Wait until something is so at the table."""

        async def act() -> None:
            async with asyncio.timeout(PATIENCE):
                while not ready(self.live) or self.desk.busy:
                    await asyncio.sleep(0.003)

        self.run(act())

    def end(self, phase: Phase) -> None:
        """The time of a phase is over: as if it had passed."""

        async def act() -> None:
            await self._until(phase)
            phases = self.live.phases  # the table may be gone after it
            before, phases.due = phases.until, phases.steady
            self.desk.wake()
            async with asyncio.timeout(PATIENCE):
                while phases.until == before and phases.phase == phase:
                    await asyncio.sleep(0.003)

        self.run(act())

    def make_late(self) -> None:
        """A card that is due at a studio table has been waited for too long."""

        async def act() -> None:
            self.live.phases.due = self.live.phases.steady
            self.desk.wake()

        self.run(act())
        self.when(lambda live: self.studio.late)

    # Operators

    def give_role(self, name: str, role: Role) -> None:
        """Make someone an operator."""

        async def act() -> None:
            player = await self.people.named(name)
            await self.people.house.register(
                lambda register, at: register.give_role(None, player, role, "for a test", at)
            )

        self.run(act())

    def lock_out(self, name: str) -> None:
        """Let a stranger fail at a password until the account does not open from there."""
        stranger = Source("address 192.0.2.7", False, "192.0.2.7")

        async def act() -> None:
            for _ in range(MOST_FAILURES):
                with suppress(Refusal):
                    await self.people.log_in(name, "a wrong password", Device(), stranger)

        self.run(act())

    def let_idle(self, minutes: int) -> None:
        """Let every operator have been idle for so long."""
        seen = schema.logins.c.office_at
        earlier = sqlalchemy.update(schema.logins).values(office_at=seen - minutes * 60_000)
        self.run(self.people.house.write(lambda connection: connection.execute(earlier)))

    @property
    def now(self) -> int:
        """The house's time, in milliseconds."""
        return self.people.house.clock.wall_ms()

    def grant(self, player: int, value: int, count: int) -> None:
        """Golden chips for one who has not sat down yet."""

        async def act() -> None:
            await self.people.house.register(
                lambda register, at: register.grant_golden(None, player, "FUN", value, count, "a gift", at)
            )

        self.run(act())

    def order(self, act: Callable[[LiveTable], None]) -> None:
        """An operator does something to the table."""
        self.run(self.desk.order(act))

    def logged(self, kind: str) -> int:
        """How many rows of a kind the log has."""

        async def act() -> int:
            def count(connection: Connection) -> int:
                query = sqlalchemy.select(sqlalchemy.func.count()).where(schema.log.c.kind == kind)
                return int(connection.execute(query.select_from(schema.log)).scalar_one())

            return await self.desk.house.read(count)

        return self.run(act())

    def drop(self, player: int) -> None:
        """Break every socket of one player, as a network does."""

        async def act() -> None:
            for guest in list(self._runner.app[SERVICES].registry.connections):
                if guest.login.player == player:
                    guest._transport.abort()

        self.run(act())

    # A crowd

    def crowd(self, count: int, names: str = "bot-{:016x}") -> list[str]:
        """Players without a page: they come, sit down with money, agree to everything. Gives their numbers."""
        return self.run(self._crowd(count, names))

    async def _crowd(self, count: int, names: str) -> list[str]:
        house, players = self.desk.house, []
        for number in range(count):
            name = names.format(number)
            player = str(await house.cashier(partial(_register, name)))
            self.desk.subscribers.subscribe(Arrival(_Deaf(Login(int(player), name, bot=True)), 100_000))
            players.append(player)
        for player in players:
            self.request(player, requests.Sit(f"sit-{player}", self.desk.name, 50_000))
            self.request(
                player, requests.ConsentRequest(f"consent-{player}", self.desk.name, double=True, split=True)
            )
        async with asyncio.timeout(PATIENCE):
            while not set(players) <= set(self.live.table.sittings):
                await asyncio.sleep(0.01)
        return players

    def seat(self, *spots: int, **names: str) -> dict[int, str]:
        """A crowd of whom each takes one of these seats. Gives who sits where."""
        players = dict(zip(spots, self.crowd(len(spots), **names), strict=True))

        async def act() -> None:
            for spot, player in players.items():
                self.request(player, requests.Sit(f"seat-{player}", self.desk.name, 0, spot))

        self.run(act())
        self.when(lambda live: set(spots) <= set(live.table.seats))
        return players

    def decide(self, player: str, command: Decision) -> None:
        """One of the crowd decides, when it is the turn of that hand: what a page has sent may still be on its way."""

        async def act() -> None:
            play = self.live.play
            id = f"act-{play.code}-{play.turn}"
            self.request(player, requests.Act(id, self.desk.name, play.code, play.turn, command))

        self.when(lambda live: _in_turn(live) == (command.spot, command.hand))
        turn = self.live.play.turn
        self.run(act())
        self.when(lambda live: live.play.turn != turn)

    def request(self, player: str, request: requests.AnyRequest) -> None:
        """A request of one of the crowd, in the house's thread."""
        now = self.desk.house.clock.monotonic()
        self.desk.requests.handle(request, _Deaf(Login(int(player), player)), Context(now))

    def place(self, player: str, *bets: Bet) -> None:
        """One of the crowd has these bets."""

        async def act() -> None:
            id = f"bet-{self.live.play.code}-{player}"
            self.request(player, requests.PlaceBetsRequest(id, self.desk.name, self.live.play.code, bets))

        self.run(act())
        self.when(lambda live: bool(live.play.bets_of(player)))

    def everyone_bets(self, players: list[str], *bets: Bet) -> None:
        """The crowd bets, each in turn on the next of these bets."""

        async def act() -> None:
            for index, player in enumerate(players):
                bet = bets[index % len(bets)]
                request = requests.PlaceBetsRequest(
                    f"bet-{self.live.play.code}-{player}", self.desk.name, self.live.play.code, (bet,)
                )
                self.request(player, request)
                await asyncio.sleep(0)
            async with asyncio.timeout(PATIENCE):
                while not all(self.live.play.bets_of(player) for player in players):
                    await asyncio.sleep(0.01)

        self.run(act())

    def everyone_votes(self, players: list[str], *actions: Action) -> None:
        """The crowd votes on the hand whose turn it is, each in turn the next of these actions."""

        async def act() -> None:
            live = self.live
            assert live.play.round is not None
            assert live.play.round.turn is not None
            (spot, hand), moment = live.play.round.turn, live.play.turn
            for index, player in enumerate(players):
                action = actions[index % len(actions)]
                id = f"vote-{live.play.code}-{moment}-{player}"
                self.request(
                    player,
                    requests.VoteRequest(id, self.desk.name, live.play.code, moment, spot, action, hand),
                )
                await asyncio.sleep(0)

        self.run(act())


def _register(name: str, cashier: Cashier) -> int:
    """A program with play money."""
    player = cashier.register(name, 1, demo=True, bot=True)
    cashier.deposit(player, "FUN", 100_000, "first", 1)
    return player


class _Deaf:
    """A connection of one of the crowd: nobody looks at what is sent to it."""

    def __init__(self, login: Login) -> None:
        self.login = login

    def send(self, packed: bytes) -> None:
        """Nothing."""

    def tell(self, table: str, packed: bytes) -> None:
        """Nothing."""

    def show(self, table: str, epoch: int, seq: int, since: int | None, packed: bytes) -> None:
        """Nothing."""

    def respond(self, id: str, error: Refusal | None = None) -> None:
        """Nothing."""

    def count_vain(self, frames: int) -> None:
        """Nothing."""

    def close_for_logout(self) -> None:
        """Nothing."""

    def relay(self, table: str) -> None:
        """It is here."""


def _in_turn(live: LiveTable) -> tuple[int, int] | None:
    """The seat or box and the hand whose turn it is."""
    return live.play.round.turn if live.play.round else None
