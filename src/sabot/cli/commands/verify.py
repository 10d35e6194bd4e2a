"""`sabot verify`: replays recorded rounds, from files or from the log of the house."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sabot.cli.commands.house import DEFAULT_DATABASE, DatabaseUrl, KeyFile, open_database, open_vault
from sabot.cli.shared import Language, catalogue_of, refuse
from sabot.games import find
from sabot.texts import Catalogue

if TYPE_CHECKING:
    from sabot.fairness.vault import Vault
    from sabot.record import OwnRecord, Record
    from sabot.store.database import Database

_CODE = re.compile(r"[0-9]{6}-[0-9]{6}-[A-Z2-7]{4}")


def verify(
    rounds: Annotated[
        list[str],
        typer.Argument(
            metavar="CODE|FILE", help="A game code of the house, or the file of a record; or several."
        ),
    ],
    database: DatabaseUrl = DEFAULT_DATABASE,
    key: KeyFile = None,
    lang: Language = None,
) -> None:
    """Replay recorded rounds: every card, decision and cent."""
    catalogue = catalogue_of(lang)
    books = _Books(catalogue, database, key)
    differing = 0
    for name in rounds:
        if _CODE.fullmatch(name.upper()):
            differing += not books.verify(name.upper())
        else:
            differing += not _verify_file(catalogue, Path(name))
    books.close()
    if differing:
        raise typer.Exit(1)


def _verify_file(catalogue: Catalogue, path: Path) -> bool:
    from sabot.cli.play.records import verify_file
    from sabot.record import RecordError

    try:
        record = verify_file(path)
    except OSError as error:
        refuse(catalogue.text("cli.file", path=path, reason=error.strerror))
    except (RecordError, UnicodeDecodeError) as error:
        typer.echo(catalogue.text("cli.differs", path=path, reason=error))
        return False
    _tell(catalogue, record)
    return True


def _tell(catalogue: Catalogue, record: Record | OwnRecord) -> None:
    """Say what the replay proves."""
    from sabot.record import OwnRecord

    form = "own" if isinstance(record, OwnRecord) else "verified"
    key = f"cli.{form}-seed" if record.shoe.seed else f"cli.{form}-cards"
    title = find(record.round.game).title
    typer.echo(catalogue.text(key, code=record.round.code, game=title, paid=len(record.paid)))


class _Books:
    """Rounds in the database, which is opened for the first code."""

    def __init__(self, catalogue: Catalogue, url: str, key: Path | None) -> None:
        self._catalogue = catalogue
        self._url = url
        self._key = key
        self._opened: tuple[Database, Vault | None] | None = None

    def _open(self) -> tuple[Database, Vault | None]:
        if self._opened is None:
            vault = open_vault(self._key, self._catalogue)
            self._opened = open_database(self._url, self._catalogue), vault
        return self._opened

    def close(self) -> None:
        if self._opened is not None:
            self._opened[0].close()

    def verify(self, code: str) -> bool:
        """Replay a round from the log, and say whether it is the same."""
        from sabot.errors import Refusal
        from sabot.odds.price import price
        from sabot.record import RecordError, replay
        from sabot.rounds.history import round_record
        from sabot.rounds.recovery import ReplayError

        say = self._catalogue.text
        database, vault = self._open()
        try:
            with database.reading() as connection:
                record = round_record(connection, code, vault=vault)
            replay(record, price=price)
        except Refusal as error:
            if error.code != "round/refunded":
                refuse(say(f"verify.{error.code.removeprefix('round/')}", code=code))
            typer.echo(say("verify.refunded", code=code))
            return True
        except (ReplayError, RecordError) as error:
            typer.echo(say("cli.differs", path=code, reason=error))
            return False
        _tell(self._catalogue, record)
        return True
