"""Live tables of the real server, `sabot serve` in a process of its own, and players on real sockets at them."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random

import aiohttp
from sqlalchemy import Connection

from sabot.client import PlayerClient, RequestError, TableState, demo_token
from sabot.client.connection import CLOSED
from sabot.engine import Bet
from sabot.protocol import messages
from sabot.store.database import Database
from tests.faults.simulated.house import PASSING
from tests.faults.simulated.invariants import open_rounds
from tests.support.clock import PATIENCE
from tests.support.site import RATES

#: Refusals that only say that the table has moved on, or is being read back.
_LATE = PASSING | {
    "action/not-legal",
    "bet/final",
    "bet/late",
    "bet/seat-taken",
    "command/stale",
    "offer/none",
    "offer/one-answer",
    "player/unknown",
    "round/over",
    "sitting/closed",
    "table/not-now",
    "table/not-open",
    "table/paused",
    "turn/not-yours",
    "vote/final",
    "vote/none",
    "vote/no-stake",
}
BROUGHT, STAKE = 50_000, 1_000
#: Settings of a server where rates stop nobody.
FREE_RATES = "".join(f"{rate} = [1000000, 0.0]\n" for rate in RATES)
#: Seconds that phases last: a round takes a few.
_SPEEDY = {
    "shuffle": 0.3,
    "betting": 1.2,
    "closing": 0.2,
    "pace": 0.05,
    "insurance": 0.8,
    "decision": 0.5,
    "vote": 0.5,
    "payout": 0.4,
}


def furnish(folder: Path, tables: dict[str, str], *, bots: float = 0, **timers: float) -> None:
    """Write the settings of a house with these live tables, by name and game, where rates stop nobody."""
    (folder / "sabot.toml").write_text(f"[server]\n{FREE_RATES}{sections(tables, timers, bots=bots)}")


def sections(tables: Mapping[str, str], timers: Mapping[str, float], *, bots: float = 0) -> str:
    """The sections of these live tables in the settings."""
    lines = []
    times = ", ".join(f"{name} = {seconds}" for name, seconds in {**_SPEEDY, **timers}.items())
    for name, game in tables.items():
        lines += ["[[table]]", f'name = "{name}"', f'game = "{game}"', 'currency = "FUN"']
        lines += ["options = { cut = 60 }", f"bots = {bots:.0f}", f"timers = {{ {times} }}"]
    return "\n".join(lines) + "\n"


class Punter:
    """A player at a live table, who comes back to it after every break and checks what is there."""

    def __init__(self, token: str, table: str, spot: int, seed: int | str, *, brought: int = BROUGHT) -> None:
        """`spot` is a seat, or the box that is betted on."""
        self._brought = brought
        self.token = token
        self.table = table
        self.spot = spot
        self._rng = Random(f"punter/{table}/{spot}/{seed}")
        self.client: PlayerClient | None = None
        #: What the page showed when its connection broke.
        self.before: messages.Snapshot | None = None
        self.rounds: set[str] = set()
        #: The stakes that the house has acknowledged, by round.
        self.acknowledged: dict[str, int] = {}
        self.came_back = 0
        #: Why the last request was refused.
        self.refused = ""

    @property
    def state(self) -> TableState | None:
        """The table as it is shown, if it is."""
        return None if self.client is None or self.client.closed else self.client.tables.get(self.table)

    async def run(self, address: str, played: Callable[[Punter], None] | None = None) -> None:
        """Come and play until the connection breaks; `played` hears of everything that is seen."""
        try:
            async with PlayerClient(address, self.token) as client:
                self.client = client
                if played is not None:
                    client.on_message = lambda _: played(self)
                await self._come(client)
                while True:
                    await client.wait_for(lambda: self._wish(client) is not None)
                    wish = self._wish(client)
                    if wish is not None:
                        await self._try(wish)
        except (aiohttp.ClientError, ConnectionError):
            pass
        except RequestError as error:
            if error.code != CLOSED:
                raise
        finally:
            known = None if self.client is None else self.client.tables.get(self.table)
            self.before = self.before if known is None else known.picture()

    async def _come(self, client: PlayerClient) -> None:
        """What was seen before the break is still there (ASR-12, ASR-21)."""
        if self.before is not None:
            client.tables[self.table] = TableState.of(self.before)
            await client.resume(self.table)
            self.came_back += 1
            check_return(self.before, client.tables[self.table].picture())
        else:
            await client.enter(self.table)

    async def _try(self, wish: Callable[[], Awaitable[None]]) -> None:
        """Do it; a table that has moved on is no failure."""
        try:
            await wish()
        except RequestError as error:
            if error.code == CLOSED or error.code not in _LATE:
                raise
            self.refused = error.code
            await asyncio.sleep(0.05)

    def _wish(self, client: PlayerClient) -> Callable[[], Awaitable[None]] | None:
        """What there is to do now."""
        state, table = client.tables.get(self.table), self.table
        if state is None or state.me is None or state.me.live is None or state.paused:
            return None
        own, boxes = state.me.live, state.snapshot.game.startswith("majority")
        if state.me.balance is None:
            return lambda: client.sit(table, self._brought, None if boxes else self.spot)
        if own.consent is None:
            return lambda: client.consent(table, True, True)
        if state.phase == "betting" and not own.bets:
            return lambda: self._bet(client, state.round)
        if own.bets:
            self.rounds.add(state.round)
        if state.phase == "insurance" and state.me.part is not None and state.me.part.offers:
            return lambda: client.insure(table, self._rng.random() < 0.5)
        if state.phase != "decisions" or state.view is None or state.view.turn is None:
            return None
        legal = [option.action for option in state.options if option.unavailable is None]
        spot = state.view.turn[0]
        if not boxes:
            action = self._rng.choice(legal)
            return (lambda: client.decide(table, action)) if spot == self.spot else None
        found = state.spot(spot)
        votes = found is not None and found.mode == "vote" and own.vote is None and spot == self.spot
        return (lambda: client.vote(table, self._rng.choice(legal))) if votes else None

    async def _bet(self, client: PlayerClient, code: str) -> None:
        await client.bet(self.table, [Bet(self.spot, "main", STAKE)])
        self.acknowledged[code] = STAKE

    async def go_home(self, address: str) -> None:
        """Leave with what is left, when the round is over."""
        async with PlayerClient(address, self.token) as client:
            await client.enter(self.table)
            state = client.tables[self.table]
            while state.me is None or state.me.balance is not None:
                with suppress(RequestError):
                    await client.leave(self.table)
                with suppress(TimeoutError):
                    await client.wait_for(lambda: state.me is not None and state.me.balance is None, 1.0)


def check_return(before: messages.Snapshot, now: messages.Snapshot) -> None:
    """A page that comes back finds a later moment of the same table: no turn and no card that was shown is gone."""
    assert now.epoch > before.epoch or (now.epoch == before.epoch and now.seq >= before.seq)
    if not before.round or now.round != before.round or before.view is None or now.view is None:
        return
    assert now.turn >= before.turn, f"turn {before.turn} was shown, the house is at {now.turn}"
    lost = _cards(before) - _cards(now)
    assert not lost, f"{lost} were shown in {before.round} and are gone"


def _cards(table: messages.Snapshot) -> Counter[int]:
    assert table.view is not None
    hands = [hand for spot in table.view.spots for hand in spot.hands]
    return Counter(card for hand in (table.view.dealer, *hands) for card in hand.cards)


async def punters(
    address: str, tables: Sequence[str], each: int, seed: int | str, boxes: Callable[[str], bool]
) -> list[Punter]:
    """New players, so many for each table: at seats of their own, or all on the two boxes."""
    async with aiohttp.ClientSession() as session:
        return [
            Punter(await demo_token(session, address), table, i % 2 if boxes(table) else i, seed)
            for table in tables
            for i in range(each)
        ]


@asynccontextmanager
async def playing(
    address: str, players: Sequence[Punter], played: Callable[[Punter], None] | None = None
) -> AsyncIterator[None]:
    """Everyone plays until the end of the block, or until the house is gone; what fails there is told."""
    tasks = [asyncio.create_task(player.run(address, played)) for player in players]
    try:
        yield
    finally:
        for task in tasks:
            if not task.done():
                task.cancel()
        for found in await asyncio.gather(*tasks, return_exceptions=True):
            if isinstance(found, Exception):
                raise found


# The books


async def check_balances(url: str, players: Sequence[Punter], seconds: float = PATIENCE) -> None:
    """What the pages show that players have at a table is what the ledger has; it is looked at until both stand still."""
    tables = {player.table for player in players}
    shown: dict[str, list[int]] = {}
    held: dict[str, list[int]] = {}
    database = Database(url)
    try:
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            shown = {table: sorted(_balances(players, table)) for table in tables}
            held = {table: await asyncio.to_thread(_ledger, database, table) for table in tables}
            if shown == held and all(shown.values()):
                return
            await asyncio.sleep(0.05)
        raise AssertionError(f"the pages show {shown}, the ledger has {held}")
    finally:
        database.close()


def _balances(players: Sequence[Punter], table: str) -> list[int]:
    states = [player.state for player in players if player.table == table]
    own = [state.me for state in states if state is not None]
    return [me.balance for me in own if me is not None and me.balance is not None]


def _ledger(database: Database, table: str) -> list[int]:
    query = """SELECT a.balance FROM sittings s JOIN accounts a ON a.id = s.account JOIN streams t ON t.id = s.stream
        WHERE s.closed_at IS NULL AND t.name = '{}' ORDER BY a.balance"""
    with database.reading() as connection:
        return [int(row[0]) for row in connection.exec_driver_sql(query.format(table)).all()]


async def rest(url: str, seconds: float = PATIENCE) -> None:
    """Wait until no round is being played any more: at a table where nobody is, none is begun."""
    database = Database(url)
    try:
        async with asyncio.timeout(seconds):
            while await asyncio.to_thread(open_rounds, database):
                await asyncio.sleep(0.1)
    finally:
        database.close()


def ended(url: str, codes: set[str]) -> dict[str, int]:
    """How these rounds stand in the books."""
    database = Database(url)
    with database.reading() as connection:
        states = dict(_states(connection))
    database.close()
    missing = codes - set(states)
    assert not missing, f"rounds {missing} were played and are not there"
    return Counter(states[code] for code in codes)


def _states(connection: Connection) -> list[tuple[str, str]]:
    return [(row[0], row[1]) for row in connection.exec_driver_sql("SELECT code, state FROM rounds").all()]
