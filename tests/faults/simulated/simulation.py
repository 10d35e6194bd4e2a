"""A run of the simulator: clients go through their stories while the house dies and comes back, again and again."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NamedTuple, Protocol

from sabot.store.database import Database
from sabot.store.entry import LogEntry
from sabot.tables.config import TableConfig
from tests.faults.client import Client, Story
from tests.faults.simulated.crash import Commits, CrashError, Faults
from tests.faults.simulated.house import House, Memory, haunt
from tests.faults.simulated.invariants import (
    check_audit,
    check_house,
    check_over,
    money_of,
    moved_by_cashier,
    requests_of,
    result_of,
    rows_of,
)
from tests.faults.simulated.loop import VirtualLoop
from tests.faults.simulated.presenter import Presenter
from tests.faults.simulated.shoes import DrawnShoes, Wish
from tests.support.databases import sqlite_url
from tests.support.table import fixed_price

#: Lives of the process before a run counts as stuck.
LIVES = 400


@dataclass(frozen=True)
class Scenario:
    """Players with their stories, and live tables with the rounds they are to play."""

    name: str
    stories: dict[str, Story]
    live: tuple[tuple[TableConfig, int], ...] = ()
    #: What the shoes are to bring, in turn.
    wishes: tuple[Wish, ...] = ()
    #: How often a table is opened by a release with another engine.
    other_engines: float = 0.0
    #: Kinds of rows that a run must write, or the scenario does not show what it is for.
    shows: frozenset[str] = frozenset()
    #: A seed under which it does.
    seed: int = 1


class Run(NamedTuple):
    """What a run came to."""

    commits: int
    lives: int
    faults: int
    rows: int


def simulate(scenario: Scenario, url: str, seed: int | str, faults: Faults, *, audit: bool = True) -> Run:
    """Run a scenario to its end; an `AssertionError` says what was not as it must be."""
    commits = Commits(faults)
    shoes = DrawnShoes(f"{scenario.name}/{seed}", scenario.wishes)
    memory = Memory(url, seed, commits, shoes, fixed_price(900_000_000))
    memory.other_engines = scenario.other_engines
    clients = [Client(name, seed, story) for name, story in scenario.stories.items()]
    inspector = Database(url, durable=False)
    try:
        while not _live(scenario, memory, clients):
            assert memory.lives < LIVES, "the house comes back and back and the stories do not end"
            check_house(inspector)
            _check_shown(memory, inspector)
        check_house(inspector)
        _check_shown(memory, inspector)
        _check_end(clients, inspector)
        if audit:
            check_audit(inspector)
        rows = rows_of(inspector)
    finally:
        inspector.close()
    return Run(commits.count, memory.lives, len(commits.happened), len(rows))


def _live(scenario: Scenario, memory: Memory, clients: Sequence[Client]) -> bool:
    """One life of the process; says whether every story came to its end."""
    return one_life(memory, lambda memory, loop: _Stories(scenario, House(memory, loop), clients))


class _Stories:
    """The stories, as they go on in one life of the process."""

    def __init__(self, scenario: Scenario, house: House, clients: Sequence[Client]) -> None:
        self._scenario = scenario
        self._house = house
        self._clients = clients
        self.database = house.database

    @property
    def left(self) -> list[LogEntry]:
        """What the house had not written."""
        return self._house.writer.left

    async def run(self) -> None:
        """Tell them all."""
        house = self._house
        presenters = [Presenter(house, config, rounds).run() for config, rounds in self._scenario.live]
        clients = [client.run(house) for client in self._clients]
        await asyncio.gather(haunt(house.database, house.memory.ghosts), *presenters, *clients)

    def end(self) -> None:
        """Nothing is on its way to the clients."""


class Life(Protocol):
    """What a process does from its beginning to its death."""

    @property
    def database(self) -> Database: ...

    @property
    def left(self) -> list[LogEntry]:
        """What it had not written when it died."""
        ...

    async def run(self) -> None:
        """Do everything there is to do."""
        ...

    def end(self) -> None:
        """It is over, or it is dead."""
        ...


def one_life(memory: Memory, begin: Callable[[Memory, VirtualLoop], Life]) -> bool:
    """One life of a process on a loop of its own; says whether it did everything there was to do."""
    memory.lives += 1
    loop = VirtualLoop(f"{memory.seed}/{memory.lives}", memory.now)
    life = begin(memory, loop)
    try:
        loop.run_until_complete(life.run())
    except CrashError:
        return False
    finally:
        memory.now = loop.time()
        memory.ghosts = life.left
        try:
            life.end()
        finally:
            loop.abandon()
            life.database.close()
    return True


def _check_shown(memory: Memory, database: Database) -> None:
    """What was shown is stored, row for row."""
    rows = rows_of(database)
    for shown in memory.shown:
        assert rows.get((shown.stream, shown.n)) == shown.hash, f"{shown} was shown and is not there"


def _check_end(clients: Sequence[Client], database: Database) -> None:
    """Nobody is stuck, and everyone has what was brought and what was won (ASR-12)."""
    check_over(database)
    for client in clients:
        check_player(database, client.player, client.brought, client.answered, client.asked)


def check_player(database: Database, player: int, brought: int, answered: Set[str], asked: Set[str]) -> None:
    """A player has what was brought and what was won; what was answered is there, and nothing that was not asked."""
    moved = moved_by_cashier(database, player)
    assert moved == brought, f"player {player} brought {brought}, the house has {moved}"
    requests = requests_of(database, player)
    assert answered <= requests, f"player {player}: {answered - requests} are not there"
    assert requests <= asked, f"player {player}: {requests - asked} were never asked"
    assert money_of(database, player) == brought + result_of(database, player), f"player {player}"


# Databases


def fresh_file(path: Path) -> str:
    """The address of a fresh, migrated SQLite file."""
    for suffix in ("", "-wal", "-shm"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return sqlite_url(path)


def drawn(seed: int | str) -> Random:
    """Chance of a run that is not of any part of it."""
    return Random(f"run/{seed}")
