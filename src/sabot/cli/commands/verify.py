"""`sabot verify`: replays recorded rounds, from files or from the log of the house."""

from __future__ import annotations

import re
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from sabot.cli.commands.house import (
    ConfigFile,
    DatabaseUrl,
    KeyFile,
    load_settings,
    open_database,
    open_vault,
)
from sabot.cli.shared import Language, Output, argument
from sabot.games import find

if TYPE_CHECKING:
    from sabot.fairness.vault import Vault
    from sabot.record import OwnRecord, Record
    from sabot.store.database import Database

_CODE = re.compile(r"[0-9]{6}-[0-9]{6}-[A-Z2-7]{4}")


def verify(
    rounds: Annotated[
        list[str], argument("CODE|FILE", "A game code of the house, or the file of a record; or several.")
    ],
    database: DatabaseUrl = None,
    config: ConfigFile = None,
    key: KeyFile = None,
    lang: Language = None,
) -> None:
    """Replay recorded rounds: every card, decision and cent."""
    out = Output(lang)
    with ExitStack() as stack:

        @cache
        def house() -> tuple[Database, Vault | None]:
            """The house, opened for the first code."""
            settings = load_settings(out, config, database, key)
            vault = open_vault(settings, out)
            return stack.enter_context(open_database(settings, out)), vault

        same = [
            _verify_stored(out, *house(), name.upper())
            if _CODE.fullmatch(name.upper())
            else _verify_file(out, Path(name))
            for name in rounds
        ]
    if not all(same):
        raise typer.Exit(1)


def _verify_file(out: Output, path: Path) -> bool:
    """Replay the record of a file; a player's own record of a live round is checked as far as it goes."""
    from sabot.odds.price import price
    from sabot.record import OwnRecord, RecordError, check_own, is_own, loads, read, replay

    record: Record | OwnRecord
    try:
        with out.file("cli.file", path):
            text = path.read_text(encoding="utf-8")
        if is_own(text):
            record = read(text, OwnRecord)
            check_own(record)
        else:
            record = loads(text)
            replay(record, price=price)
    except (RecordError, UnicodeDecodeError) as error:
        out.say("cli.differs", path=path, reason=error)
        return False
    _echo_proof(out, record)
    return True


def _verify_stored(out: Output, database: Database, vault: Vault | None, code: str) -> bool:
    """Replay a round from the log."""
    from sabot.errors import Refusal
    from sabot.odds.price import price
    from sabot.record import RecordError, replay
    from sabot.rounds.history import round_record
    from sabot.rounds.recovery import ReplayError

    say = out.catalogue.text
    try:
        with database.reading() as connection:
            record = round_record(connection, code, vault=vault)
        replay(record, price=price)
    except Refusal as error:
        if error.code != "round/refunded":
            out.fail(say(f"verify.{error.code.removeprefix('round/')}", code=code))
        typer.echo(say("verify.refunded", code=code))
        return True
    except (ReplayError, RecordError) as error:
        typer.echo(say("cli.differs", path=code, reason=error))
        return False
    _echo_proof(out, record)
    return True


def _echo_proof(out: Output, record: Record | OwnRecord) -> None:
    """Print the result of a replay that agrees."""
    from sabot.record import OwnRecord

    form = "own" if isinstance(record, OwnRecord) else "verified"
    title, studio = find(record.round.game).title, _corrections_of(record)
    about = {"code": record.round.code, "game": title, "paid": len(record.paid)}
    if studio is not None:
        out.say(f"cli.{form}-studio", **about, corrections=len(studio))
    elif record.shoe is not None and record.shoe.seed:
        out.say(f"cli.{form}-seed", **about)
    else:
        out.say(f"cli.{form}-cards", **about)


def _corrections_of(record: Record | OwnRecord) -> tuple[str, ...] | None:
    """The corrections of a round that a person dealt; None if the house did."""
    from sabot.record import OwnRecord

    if isinstance(record, OwnRecord):
        return None if record.studio is None else record.studio.corrections
    return record.shoe.corrections if record.shoe.dealing == "studio" else None
