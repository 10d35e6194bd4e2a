"""A PostgreSQL of our own, from the wheel, for as long as it is needed."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
from sqlalchemy.engine import make_url

from tests.support.store.postgres import start_server


@contextmanager
def own_server(folder: str) -> Iterator[str]:
    """A server that writes into a folder, as it is set up by default: a commit waits for the disk."""
    with start_server(folder) as server:
        address: str = server.get_uri()
        yield address


class Outage:
    """Takes one database of a server away and gives it back: every connection is cut and no new one is let in."""

    def __init__(self, url: str) -> None:
        parsed = make_url(url)
        self._name = str(parsed.database)
        self._server = parsed.set(database="postgres").render_as_string(hide_password=False)

    def begin(self) -> None:
        """The database is gone."""
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS false")
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", (self._name,)
            )

    def end(self) -> None:
        """It is back."""
        with psycopg.connect(self._server, autocommit=True) as connection:
            connection.execute(f"ALTER DATABASE {self._name} ALLOW_CONNECTIONS true")
