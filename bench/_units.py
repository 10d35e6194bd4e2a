"""What the measurements of the store and of the house share: units of one kind, and a loop's way to the writer."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

from msgspec import Raw

from sabot.store.cashier import account_name
from sabot.store.commit import Committed, Outcome
from sabot.store.database import Database
from sabot.store.entry import Body, LogEntry, Movement, RequestKey, Stream
from sabot.store.facts import AccountOpened
from sabot.store.store import Store
from sabot.store.writer import GroupWriter

#: Units of one measurement, and how many may wait for the writer.
UNITS = 6_000
CAPACITY = 20_000
COMMAND = Raw(b'{"type":"hit","spot":0,"hand":0}')
EVENTS = Raw(
    b'[{"type":"card-dealt","spot":0,"hand":0,"card":17,"total":15,"soft":false},'
    b'{"type":"turn-started","spot":0,"hand":0,"options":[{"action":"hit"},{"action":"stand"}]}]'
)


class Desk:
    """A loop's way to the writer: hand in units, await their commit."""

    def __init__(self, database: Database) -> None:
        self.loop = asyncio.get_running_loop()
        self.groups = 0
        self._writer = GroupWriter(database, post=self._post, capacity=CAPACITY)

    def _post(self, answer: Callable[[], None]) -> None:
        self.groups += 1
        self.loop.call_soon_threadsafe(answer)

    async def store(self, *units: LogEntry) -> None:
        """Store units; an error if one is refused."""
        outcomes: list[Outcome] = []
        over: asyncio.Future[None] = self.loop.create_future()

        def done(outcome: Outcome) -> None:
            outcomes.append(outcome)
            if len(outcomes) == len(units):
                over.set_result(None)

        for unit in units:
            self._writer.submit(unit, done)
        await over
        assert all(isinstance(outcome, Committed) for outcome in outcomes), outcomes

    async def close(self) -> None:
        """Stop the writer."""
        await asyncio.to_thread(self._writer.close)


class Accounts(NamedTuple):
    """Players with money, by their number, and a bank."""

    store: Store
    bank: int
    players: dict[int, int]


def new_accounts(database: Database, players: int) -> Accounts:
    """So many players, in a database that has none."""
    store = Store(database)
    ids = store.ids
    bank, house = ids.take("account"), ids.take("account")
    accounts = Accounts(store, bank, {player: ids.take("account") for player in range(1, players + 1)})
    facts = [
        AccountOpened(bank, "cashier/FUN", "cashier", "FUN"),
        AccountOpened(house, "house/FUN", "house", "FUN"),
    ]
    facts += [
        AccountOpened(id, account_name(player, "FUN"), "player", "FUN", player)
        for player, id in accounts.players.items()
    ]
    movements = [Movement(f"first/{id}", bank, id, 10**9) for id in accounts.players.values()]
    body = Body(movements=tuple(movements), facts=tuple(facts))
    store.store(store.take("cashier", at=1).entry(1, "opened", body))
    return accounts


def house_accounts(database: Database, players: Sequence[int]) -> Accounts:
    """Players of a house that is there."""
    store = Store(database)
    own = {player: store.account(account_name(player, "FUN")) for player in players}
    return Accounts(store, store.account("cashier/FUN"), own)


async def grouped(database: Database, accounts: Accounts, run: int) -> tuple[float, list[float], float]:
    """Units a second through the writer, one of each player waiting; their latencies, and how many were in a group."""
    desk, numbers, latencies = Desk(database), iter(range(UNITS)), list[float]()

    async def one(stream: Stream, player: int) -> None:
        for i in numbers:
            movement = Movement(f"{run}/{i}", accounts.players[player], accounts.bank, 1)
            body = Body(command=COMMAND, events=EVENTS, movements=(movement,))
            request = RequestKey(player, f"{run}/{i}", bytes(32))
            start = time.perf_counter()
            await desk.store(stream.entry(5, "hit", body, round="r", request=request))
            latencies.append(time.perf_counter() - start)

    streams = {player: accounts.store.take(f"table {player}", at=1) for player in accounts.players}
    start = time.perf_counter()
    await asyncio.gather(*(one(stream, player) for player, stream in streams.items()))
    rate = UNITS / (time.perf_counter() - start)
    await desk.close()
    return rate, latencies, UNITS / desk.groups
