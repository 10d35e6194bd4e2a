"""A watch over the database: whatever uses it in the event loop's own thread is noted, and refused."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from unittest.mock import patch

from sqlalchemy import Connection

from sabot.store.database import Database


@contextmanager
def off_the_loop(database: Database) -> Iterator[None]:
    """For the time of a block this thread, the loop's, must not use the database."""
    loop, found = threading.get_ident(), list[str]()
    reading, writing = database.reading, database.writing

    def check() -> None:
        if threading.get_ident() != loop:
            return
        frames = [frame for frame in traceback.extract_stack() if "/src/sabot/" in frame.filename]
        if any("/sabot/server/" in frame.filename for frame in frames):  # not the test itself
            found.append(" > ".join(f"{frame.name}:{frame.lineno}" for frame in frames[-8:]))
            raise AssertionError("the database was used on the event loop")

    def watched_reading() -> AbstractContextManager[Connection]:
        check()
        return reading()

    def watched_writing() -> AbstractContextManager[Connection]:
        check()
        return writing()

    with (
        patch.object(database, "reading", watched_reading),
        patch.object(database, "writing", watched_writing),
    ):
        yield
    assert not found, f"the database was used on the event loop: {found}"
