"""Options for the database and vault key of a house, and how commands open them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import quote

import typer

from sabot.cli.shared import Output

if TYPE_CHECKING:
    from sabot.fairness.vault import Vault
    from sabot.store.database import Database

DEFAULT_DATABASE = "sqlite:///sabot.db"

DatabaseUrl = Annotated[
    str,
    typer.Option(
        "--database",
        metavar="URL",
        envvar="SABOT_DATABASE_URL",
        help="The house's database: sqlite:///FILE or postgresql://USER@HOST/NAME.",
    ),
]
KeyFile = Annotated[
    Path | None,
    typer.Option(
        "--key",
        metavar="FILE",
        envvar="SABOT_HOUSE_KEY",
        help="The house's keys, to open the seeds of shoes that are not revealed.",
    ),
]


@contextmanager
def open_database(
    url: str, out: Output, must_exist: bool = True, *, deadline: float | None = None
) -> Iterator[Database]:
    """The database at an address, closed at the end; refused if its revision is another.

    Without `must_exist` it may be missing or have no tables yet. With a `deadline` a server that does not answer is
    given up after seconds.
    """
    from sabot.store.database import Database, DatabaseError, hide_password

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


def open_vault(key: Path | None, out: Output) -> Vault | None:
    """The vault of a key file, if one was named."""
    if key is None:
        return None
    from sabot.fairness.vault import Vault, VaultError, parse_keys

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
