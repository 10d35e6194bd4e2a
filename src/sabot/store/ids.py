"""Numbers for new players, accounts and the like: small, never given twice, skipped at most."""

from __future__ import annotations

import sqlite3
import threading

import psycopg
import sqlalchemy
from sqlalchemy import bindparam
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from sabot.store import schema
from sabot.store.database import Database
from sabot.store.errors import StoreError

#: How many numbers a process takes from the database at a time: who asks for the first of a block waits for it.
BLOCK = 500


class Ids:
    """Takes numbers from the database in blocks."""

    def __init__(self, database: Database, block: int = BLOCK) -> None:
        self._database = database
        self._block = block
        self._left: dict[str, range] = {}
        self._lock = threading.Lock()

    def take(self, kind: str) -> int:
        """A number no other of the kind has; `house/down` if the database does not answer."""
        with self._lock:
            left = self._left.get(kind, range(0))
            if not left:
                end = self._reserve(kind)
                left = range(end - self._block, end)
            self._left[kind] = left[1:]
            return left[0]

    def _reserve(self, kind: str) -> int:
        """The end of a fresh block; numbers begin at 1."""
        table = schema.counters
        start = (sqlite if self._database.is_sqlite else postgresql).insert(table).on_conflict_do_nothing()
        more = (
            sqlalchemy.update(table)
            .where(table.c.name == bindparam("kind"))
            .values(next=table.c.next + self._block)
            .returning(table.c.next)
        )
        try:
            with self._database.writing() as connection:
                connection.execute(start, {"name": kind, "next": 1})
                return int(connection.execute(more, {"kind": kind}).scalar_one())
        except (SQLAlchemyError, sqlite3.Error, psycopg.Error):
            raise StoreError("house/down") from None
