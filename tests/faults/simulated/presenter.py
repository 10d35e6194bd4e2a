"""Who leads a live table in the simulation: shuffles, opens and closes betting, decides when the time is over."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from sabot.engine.commands import DECISIONS, AnyCommand, CloseOffers, Deal, Stand
from sabot.engine.round import Round
from sabot.errors import Refusal
from sabot.store.entry import LogEntry
from sabot.tables.config import TableConfig
from sabot.tables.table import Table
from tests.faults.simulated.house import DATABASE_ERRORS, House, TryAgainError


class Presenter:
    """Leads a table until it has played its rounds; knows nothing but what the table shows."""

    def __init__(self, house: House, config: TableConfig, rounds: int) -> None:
        self._house = house
        self._config = config
        self._rounds = rounds

    async def run(self) -> None:
        """Lead the table."""
        while True:
            try:
                table = self._house.table(self._config)
                if not table.in_round and played_at(self._house, table) >= self._rounds:
                    return
                await self._lead(table)
            except (TryAgainError, Refusal):
                await asyncio.sleep(0.5)

    async def _lead(self, table: Table) -> None:
        if not table.in_round:
            await self._open(table)
            await asyncio.sleep(2)
        elif table.current is not None:
            await self._go_on(table.current.round)

    async def _open(self, table: Table) -> None:
        at, house = self._house.clock.wall_ms, self._house
        if table.shoes.shoe is None or (
            table.shoes.seeded and (table.shoes.dealt >= table.options.cut or house.rng.random() < 0.3)
        ):
            await self._do(lambda table: table.shoes.shuffle(at()))
        elif not table.shoes.seeded:
            seeds = [f"{name} {house.rng.random()}" for name in table.sittings]
            await self._do(lambda table: table.shoes.seed_shoe(seeds, at()))
        elif table.sittings:
            await self._do(lambda table: table.open_round(at()))

    async def _go_on(self, round: Round) -> None:
        """Wait a while for the players, then go on without them."""
        if round.phase == "betting":
            if round.betting.staked():
                await self._apply(Deal())
            else:
                await asyncio.sleep(1)
        elif round.phase == "offers":
            await asyncio.sleep(1)
            await self._apply(CloseOffers())
        elif round.turn is not None:
            turn = round.turn
            await asyncio.sleep(1)
            if round.turn == turn:
                winner = round.ballot.winner()
                kind = DECISIONS[winner] if winner is not None and winner in DECISIONS else Stand
                await self._apply(kind(*turn))

    async def _apply(self, command: AnyCommand) -> None:
        await self._house.ask(self._config, lambda table: table.apply(command, self._house.clock.wall_ms()))

    async def _do(self, act: Callable[[Table], LogEntry]) -> None:
        await self._house.ask(self._config, act)


def played_at(house: House, table: Table) -> int:
    """Rounds of a table that are over."""
    query = f"SELECT count(*) FROM rounds WHERE stream = {table.stream.id:d} AND state <> 'open'"
    try:
        with house.database.reading() as connection:
            return int(connection.exec_driver_sql(query).scalar_one())
    except DATABASE_ERRORS as error:
        raise TryAgainError(str(error)) from None
