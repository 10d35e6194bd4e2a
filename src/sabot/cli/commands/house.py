"""The settings, the database and the keys of a house, as all commands find them (OPS-03)."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from sabot.cli.shared import Output

if TYPE_CHECKING:
    from sabot.fairness.vault import Vault
    from sabot.server.config_sources import Loaded
    from sabot.store.database import Database

_FILE = "sabot.toml"

ConfigFile = Annotated[
    Path | None,
    typer.Option(
        "--config",
        metavar="FILE",
        envvar="SABOT_CONFIG",
        help=f"The settings; else {_FILE} of the working directory, if it is there.",
    ),
]
DatabaseUrl = Annotated[
    str | None,
    typer.Option(
        "--database",
        metavar="URL",
        help="sqlite:///FILE or postgresql://USER@HOST/NAME; else that of the settings.",
    ),
]
KeyFile = Annotated[
    str | None,
    typer.Option(
        "--key",
        metavar="FILE",
        help="The keys that open the seeds of shoes that are not revealed; else those of the settings.",
    ),
]


def load_settings(
    out: Output,
    file: Path | None,
    database: str | None,
    key: str | None = None,
    *,
    host: str | None = None,
    port: int | None = None,
) -> Loaded:
    """Return the settings of the file, the environment and the flags; refuse the command if they are wrong."""
    from sabot.server.config_sources import ConfigError, load_config

    usual = Path(_FILE)
    found = file or (usual if usual.is_file() else None)
    flags = {"server.host": host, "server.port": port, "database.url": database, "house.key": key}
    try:
        return load_config(found, os.environ, flags)
    except ConfigError as error:
        out.refuse("serve.config", reason=error)


@contextmanager
def open_database(
    settings: Loaded, out: Output, must_exist: bool = True, *, deadline: float | None = None
) -> Iterator[Database]:
    """The database of a house, closed at the end; refused if its revision is another.

    Without `must_exist` it may be missing or have no tables yet. With a `deadline` a server that does not answer is
    given up after seconds.
    """
    from sabot.store.database import Database, DatabaseError, hide_password

    url = settings.config.database.url
    try:
        database = Database(url, deadline=deadline)
    except DatabaseError:
        out.refuse("house.url", url=hide_password(url))
    try:
        _check(database, out, must_exist)
        yield database
    finally:
        database.close()


def _check(database: Database, out: Output, must_exist: bool) -> None:
    from sabot.store.database import REVISION

    name = shown_url(database)
    if database.is_sqlite and not _file(database).is_file():
        folder = _file(database).parent
        if must_exist:
            out.refuse("house.missing", url=name)
        if not folder.is_dir():
            out.refuse("house.no-folder", folder=folder)
        return
    found = _revision(database, out, name)
    if found is None and must_exist:
        out.refuse("house.empty", url=name)
    if found is not None and found != REVISION:
        key = "house.newer" if found > REVISION else "house.older"
        out.refuse(key, url=name, found=found, known=REVISION)


def open_vault(settings: Loaded, out: Output) -> Vault | None:
    """The vault of the house's keys. None if no file is named and the usual one is not there, or may be another house's."""
    from sabot.fairness.vault import Vault, VaultError, parse_keys

    key = Path(settings.config.house.key)
    another = settings.source("database.url") == "--database"
    if settings.source("house.key") == "default" and (another or not key.is_file()):
        return None
    try:
        with out.file("cli.file", key):
            return Vault(*parse_keys(key.read_text("utf-8")))
    except (VaultError, UnicodeDecodeError) as error:
        out.refuse("house.key", path=key, reason=error)


def shown_url(database: Database) -> str:
    """The address of a database without its password."""
    from sabot.store.database import hide_password

    url = database.url.set(drivername=database.url.get_backend_name())
    return hide_password(url.render_as_string(hide_password=False))


def _file(database: Database) -> Path:
    return Path(database.url.database or ":memory:")


def _revision(database: Database, out: Output, name: str) -> str | None:
    """The revision of the schema; an SQLite file is opened read-only."""
    import sqlite3

    import sqlalchemy

    from sabot.store.database import revision
    from sabot.store.errors import DATABASE_ERRORS, reason_of

    try:
        if not database.is_sqlite:
            with database.reading() as connection:
                return revision(connection)
        address = f"file:{quote(str(_file(database).absolute()))}?mode=ro"
        engine = sqlalchemy.create_engine("sqlite://", creator=lambda: sqlite3.connect(address, uri=True))
        with engine.connect() as connection:
            found = revision(connection)
        engine.dispose()
        return found
    except DATABASE_ERRORS as error:
        out.refuse("house.unreachable", url=name, reason=reason_of(error))
