"""A kept house: its files, and how the release of today opens it."""

from __future__ import annotations

import base64
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import msgspec
import sqlalchemy
from alembic import command
from alembic.config import Config as AlembicConfig
from sqlalchemy import ColumnClause, LargeBinary

from sabot.client import PlayerClient
from sabot.fairness.vault import Vault
from sabot.odds.price import price
from sabot.rounds.shoes import SecureShoes
from sabot.server.app import create_app
from sabot.server.config_sources import load_config
from sabot.server.house import House
from sabot.server.run import SystemClock, open_port, open_vault
from sabot.store.backup import Header, TableLine
from sabot.store.database import Database
from tests.support.site import PASSWORD, Caller

FOLDER = Path(__file__).parent
#: A backup that is not compressed, and what the house was served with.
BACKUP, SETTINGS, KEY, CODES = "house.jsonl", "sabot.toml", "sabot.key", "codes.toml"
#: The games that each player plays alone.
SOLO = ("surrender", "cashback", "link")
SEATS, BOXES, STUDIO = "live/seats", "live/boxes", "live/evening"


class Person(Caller):
    """Someone who is logged in."""

    player: int


class Place:
    """A house that is served, for those who call it."""

    def __init__(self, url: str, http: aiohttp.ClientSession) -> None:
        self.url, self.http = url, http

    async def come(self, name: str, path: str = "/login", **more: str) -> Person:
        """Someone who logs in, or registers."""
        body = {"name": name, "password": PASSWORD, "bearer": True, **more}
        answer = await Caller(self).post(path, body)
        assert answer.status == 200, answer.text
        person = Person(self, answer.body["token"])
        person.player = answer.body["player"]
        return person

    def client(self, caller: Caller) -> PlayerClient:
        """A socket of someone who is logged in."""
        return PlayerClient(self.url, caller.token, self.http)


def kept_houses() -> list[Path]:
    """The folder of each release of which a house is kept."""
    return sorted(file.parent for file in FOLDER.glob(f"*/{BACKUP}"))


def fill(database: Database, kept: Path) -> None:
    """Make the schema of the release that kept a house, in an empty database, and write the rows of the house."""
    lines = iter((kept / BACKUP).read_bytes().splitlines())
    header = msgspec.json.decode(next(lines), type=Header)
    config = AlembicConfig()
    config.set_main_option("script_location", "sabot.store:migrations")
    with database.writing() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, header.revision)
        there = sqlalchemy.inspect(connection)
        for _ in header.tables:
            section = msgspec.json.decode(next(lines), type=TableLine)
            types = {column["name"]: column["type"] for column in there.get_columns(section.table)}
            columns = [sqlalchemy.column(name, types[name]) for name in section.columns]
            rows = [_row(columns, next(lines)) for _ in range(header.tables[section.table])]
            if rows:
                connection.execute(sqlalchemy.insert(sqlalchemy.table(section.table, *columns)), rows)


def _row(columns: list[ColumnClause[Any]], line: bytes) -> dict[str, object]:
    """The cells of a row by column; bytes are in base64."""
    return {
        column.name: base64.b64decode(value)
        if isinstance(column.type, LargeBinary) and value is not None
        else value
        for column, value in zip(columns, msgspec.json.decode(line), strict=True)
    }


class _LaterClock(SystemClock):
    """The machine's clock, put back to the moment at which a house was left."""

    def __init__(self, left_at: int) -> None:
        self._behind = super().wall_ms() - left_at

    def wall_ms(self) -> int:
        """Now, in milliseconds of UTC, as if the house had been left when the clock was made."""
        return super().wall_ms() - self._behind


def vault_of(kept: Path) -> Vault:
    """The vault of a kept house."""
    return open_vault(kept / KEY)


def last_row(database: Database) -> int:
    """The time of the last row of the log."""
    with database.reading() as connection:
        return int(connection.exec_driver_sql("SELECT max(at) FROM log").scalar_one())


@asynccontextmanager
async def opened(database: Database, kept: Path) -> AsyncIterator[Place]:
    """Serve a kept house from its settings, at the moment at which it was left."""
    config = load_config(kept / SETTINGS, {}, {}).config
    vault, clock = vault_of(kept), _LaterClock(last_row(database))
    house = House(config, database, SecureShoes(vault), clock, price, vault=vault)
    runner = await open_port(create_app(house), config.server.host, 0)
    try:
        async with aiohttp.ClientSession() as http:
            yield Place(f"http://127.0.0.1:{runner.addresses[0][1]}", http)
    finally:
        await runner.cleanup()
