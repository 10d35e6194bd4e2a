"""`sabot self-check`: this installation and its settings against the release that a house has recorded (OFF-12)."""

from __future__ import annotations

from pathlib import Path
from time import time
from typing import TYPE_CHECKING, Annotated

import typer

from sabot.cli.commands.house import ConfigFile, DatabaseUrl, load_settings, open_database
from sabot.cli.shared import AsJson, Language, Output, option

if TYPE_CHECKING:
    from sabot.server.office.self_check import CheckDifference
    from sabot.store.database import Database

_DIFFERS = 1
#: The number of the console, in place of an operator.
_CONSOLE = 0


def self_check(
    database: DatabaseUrl = None,
    config: ConfigFile = None,
    accept: Annotated[
        str | None, option("REASON", "Record what differs as it is now; the log keeps the reason.")
    ] = None,
    as_json: AsJson = False,
    lang: Language = None,
) -> None:
    """Compare rules, program and settings with the recorded release; exit code 1 if something differs."""
    out = Output(lang)
    settings = load_settings(out, config, database)
    from sabot.server.office.release import installed_program
    from sabot.server.office.self_check import differences, find_parts, recorded_parts

    program = installed_program()
    parts = find_parts(program, settings.config)
    with open_database(settings, out) as opened:
        with opened.reading() as connection:
            recorded = recorded_parts(connection, program.version)
        found, accepted = differences(parts, parts.first | recorded), 0
        if settings.file is None and any(one.kind == "configuration" for one in found):
            out.refuse("self-check.no-settings", folder=Path.cwd())
        if accept is not None and found:
            _accept(out, opened, program.version, found, accept)
            found, accepted = (), len(found)
    if as_json:
        out.json(
            {
                "version": program.version,
                "in_development": program.in_development,
                "recorded": bool(recorded),
                "passed": not found,
                "accepted": accepted,
                "differences": found,
            }
        )
    else:
        _tell(out, program.version, program.in_development, bool(recorded), found)
        if accepted:
            out.say("self-check.accepted", parts=accepted)
    if found:
        raise typer.Exit(_DIFFERS)


def _tell(
    out: Output, version: str, in_development: bool, recorded: bool, found: tuple[CheckDifference, ...]
) -> None:
    if in_development:
        out.say("self-check.development", version=version)
    if not recorded:
        out.say("self-check.unrecorded", version=version)
    for one in found:
        out.say(f"self-check.{one.kind}", subject=one.subject, recorded=one.recorded, found=one.found)
        for file in one.files:
            out.say("self-check.file", path=file)
    if not found:
        out.say("self-check.passed", version=version)


def _accept(
    out: Output, database: Database, version: str, found: tuple[CheckDifference, ...], reason: str
) -> None:
    """Log the reason, then record what was found."""
    import msgspec

    from sabot.cli.commands.role import check_reason
    from sabot.server.office.release import PartKey
    from sabot.server.office.self_check import record_parts
    from sabot.store.register import Register
    from sabot.store.store import Store

    check_reason(reason, out)
    at = int(time() * 1000)
    told = msgspec.to_builtins(found)
    register = Register.at_console(Store(database), at)
    register.order("release-accepted", _CONSOLE, reason, at, version=version, differences=told)
    accepted = {PartKey(one.kind, one.subject): one.found for one in found}
    with database.writing() as connection:
        record_parts(connection, version, accepted, at, _CONSOLE, reason)
