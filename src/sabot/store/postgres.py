"""A connection to PostgreSQL that does not wait for ever: a server that is frozen still accepts what it is sent.

The house's writer has a deadline for each of its transactions and so finds out; everyone else waits on, until they hear
of it. Whoever gives up closes the connection: what had been sent may be carried out once the server goes on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from sqlalchemy.engine import URL

from sabot.store.errors import NoAnswerError

T = TypeVar("T")

#: How connections are opened and kept alive: a line that is cut is noticed after some seconds.
_OPTIONS = {
    "connect_timeout": 2,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 3000,
}
#: What PostgreSQL itself puts an end to, in milliseconds: waiting for a lock, and a client that is gone.
_SETTINGS = {"lock_timeout": 2500, "idle_in_transaction_session_timeout": 10_000}


class DeadlineConnection(psycopg.Connection[Any]):
    """Asks ten times a second whether to wait on."""

    gives_up: Callable[[], bool]

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Carry out what was sent; `NoAnswerError` when whoever waits gives up."""
        return super().wait(self._waiting(gen), interval, timeout)

    def _waiting(self, gen: PQGen[T]) -> PQGen[T]:
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if not ready and self.gives_up():
                    self.pgconn.finish()
                    raise NoAnswerError("the server does not answer")
                wanted = gen.send(ready)
        except StopIteration as end:
            found: T = end.value
            return found


def connect(
    gives_up: Callable[[], bool], args: tuple[Any, ...], options: dict[str, Any]
) -> DeadlineConnection:
    """Open a connection; not one that nobody waits for any more."""
    if gives_up():
        raise NoAnswerError("the server does not answer")
    connection = DeadlineConnection.connect(*args, **options)
    connection.gives_up = gives_up
    return connection


def options_of(url: URL) -> dict[str, Any]:
    """The options of connections to an address that does not say otherwise."""
    settings = " ".join(f"-c {name}={value}" for name, value in _SETTINGS.items())
    own = url.query.get("options", "")
    chosen = {name: value for name, value in _OPTIONS.items() if name not in url.query}
    return chosen | {"options": f"{settings} {own if isinstance(own, str) else ' '.join(own)}".strip()}
