"""Amounts that are reserved for players' rounds (ASR-41): in memory, or in the database of a house of several nodes."""

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Protocol, TypeVar

import sqlalchemy
from sqlalchemy import Connection
from sqlalchemy.dialects.postgresql import insert

from sabot.store import schema

T = TypeVar("T")


class Use(Protocol):
    """Reads from the database, or writes to it."""

    def __call__(self, act: Callable[[Connection], T], /) -> Awaitable[T]: ...


class Reserves(Protocol):
    """Amounts by player and round, used under the player's lock."""

    async def of(self, player: int) -> Mapping[str, int]:
        """What is reserved for each round of a player."""

    async def put(self, player: int, round: str, most: int) -> None:
        """Reserve an amount for a round."""

    async def drop(self, player: int, rounds: Collection[str]) -> None:
        """Reserve nothing for rounds that are over."""

    def remember(self, player: int, round: str, most: int) -> None:
        """A table was read back from the log; this is reserved for its round."""


class MemoryReserves:
    """The reserves of a house of one process."""

    def __init__(self) -> None:
        self._aside: dict[int, dict[str, int]] = {}

    async def of(self, player: int) -> Mapping[str, int]:
        return dict(self._aside.get(player, {}))

    async def put(self, player: int, round: str, most: int) -> None:
        self.remember(player, round, most)

    async def drop(self, player: int, rounds: Collection[str]) -> None:
        kept = {round: most for round, most in self._aside.pop(player, {}).items() if round not in rounds}
        if kept:
            self._aside[player] = kept

    def remember(self, player: int, round: str, most: int) -> None:
        self._aside.setdefault(player, {})[round] = most


class StoredReserves:
    """The reserves of a house of several nodes, as rows that each of them reads (CLU-10)."""

    def __init__(self, read: Use, write: Use) -> None:
        self._read = read
        self._write = write

    async def of(self, player: int) -> Mapping[str, int]:
        rows = schema.set_aside.c
        query = sqlalchemy.select(rows.round, rows.most).where(rows.player == player)
        return await self._read(lambda connection: {row[0]: row[1] for row in connection.execute(query)})

    async def put(self, player: int, round: str, most: int) -> None:
        row = insert(schema.set_aside).values(player=player, round=round, most=most)
        put = row.on_conflict_do_update(index_elements=("player", "round"), set_={"most": most})
        await self._write(lambda connection: connection.execute(put))

    async def drop(self, player: int, rounds: Collection[str]) -> None:
        rows = schema.set_aside.c
        drop = sqlalchemy.delete(schema.set_aside).where(rows.player == player, rows.round.in_(rounds))
        await self._write(lambda connection: connection.execute(drop))

    def remember(self, player: int, round: str, most: int) -> None:
        """Nothing: the row is there."""
