"""Connections to PostgreSQL with a deadline, because a frozen server still accepts what it is sent.

The writer has a deadline for each transaction; readers wait until the writer finds the database unreachable. A
connection that gives up is closed; the server may still carry out what it was sent.
"""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

import psycopg
from psycopg.abc import PQGen
from sqlalchemy import Connection
from sqlalchemy.engine import URL

from sabot.store.errors import NoAnswerError

T = TypeVar("T")

#: Timeouts of connections, so that a cut line is noticed after some seconds.
_OPTIONS = {
    "connect_timeout": 2,
    "keepalives_idle": 2,
    "keepalives_interval": 1,
    "keepalives_count": 3,
    "tcp_user_timeout": 3000,
}
#: The same on the side of PostgreSQL: without them the sessions of a process that is cut off stay, with their locks, until
#: no more are let in.
_SERVER_OPTIONS = {
    "tcp_keepalives_idle": 2,
    "tcp_keepalives_interval": 1,
    "tcp_keepalives_count": 3,
    "tcp_user_timeout": 5000,
}
#: Timeouts on the side of PostgreSQL, in milliseconds. A process that is frozen while it holds a lock is cut off before
#: long, so that another can take its tables (CLU-03).
READER = {"lock_timeout": 2500, "idle_in_transaction_session_timeout": 10_000}
WRITER = {"lock_timeout": 1500, "idle_in_transaction_session_timeout": 2_000}
#: The longest transaction of a writer, in milliseconds; one that is frozen in the middle of a statement is not idle.
#: PostgreSQL 17 and later know it.
_LONGEST, _LONGEST_SINCE = 8_000, 170_000


class DeadlineConnection(psycopg.Connection[Any]):
    """Checks ten times a second whether to give up."""

    gives_up: Callable[[], bool]

    def wait(self, gen: PQGen[T], interval: float = 0.1, timeout: float | None = None) -> T:
        """Run a command; `NoAnswerError` when the caller gives up."""
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
    """Open a connection, unless the caller has given up."""
    if gives_up():
        raise NoAnswerError("the server does not answer")
    connection = DeadlineConnection.connect(*args, **options)
    connection.gives_up = gives_up
    return connection


def limit_transactions(connection: DeadlineConnection) -> None:
    """Let PostgreSQL end transactions of this connection that take too long."""
    if connection.info.server_version >= _LONGEST_SINCE:
        connection.execute(f"SET transaction_timeout = {_LONGEST}")
        connection.commit()


def lift_limits(connection: Connection) -> None:
    """Let this transaction take as long as it needs."""
    names = [*WRITER]
    if (connection.dialect.server_version_info or (0,)) >= (_LONGEST_SINCE // 10_000,):
        names.append("transaction_timeout")
    for name in names:
        connection.exec_driver_sql(f"SET LOCAL {name} = 0")


def options_of(url: URL, timeouts: Mapping[str, int]) -> dict[str, Any]:
    """Connection options for an address, its own taking precedence."""
    settings = " ".join(f"-c {name}={value}" for name, value in {**_SERVER_OPTIONS, **timeouts}.items())
    own = url.query.get("options", "")
    chosen = {name: value for name, value in _OPTIONS.items() if name not in url.query}
    return chosen | {"options": f"{settings} {own if isinstance(own, str) else ' '.join(own)}".strip()}
