"""`sabot day-close`: the stakes and payments of a day by game, and the row that closes the day."""

from __future__ import annotations

from datetime import UTC, date, datetime
from time import time
from typing import TYPE_CHECKING, Annotated

import typer

from sabot.cli.commands.house import ConfigFile, DatabaseUrl, load_settings, open_database
from sabot.cli.shared import Language, Output, argument, flag

if TYPE_CHECKING:
    from sabot.rounds.day_close import DayChangedError


def day_close(
    day: Annotated[
        str | None, argument("DAY", "A day of UTC, like 2026-08-29; else the last one that is over.")
    ] = None,
    close: Annotated[bool, flag("--close", "Close the day: its sums go into the log for good.")] = False,
    database: DatabaseUrl = None,
    config: ConfigFile = None,
    as_json: Annotated[bool, flag("--json", "Print JSON: cents, and fractions.")] = False,
    lang: Language = None,
) -> None:
    """Show stakes, payments and hold of a day, per game and currency. Nothing is written without --close."""
    from sabot.cli.render.day_view import day_json, day_text
    from sabot.errors import Refusal
    from sabot.rounds.day_close import DayChangedError, check_day, close_day, day_before, day_sums

    out = Output(lang)
    now = int(time() * 1000)
    wanted = day_before(now) if day is None else _day(out, day)
    try:
        with open_database(load_settings(out, config, database), out) as opened:
            if close:
                close_day(opened, wanted, now)
            with opened.reading() as connection:
                lines, closed = day_sums(connection, wanted), check_day(connection, wanted)
    except DayChangedError as error:
        typer.echo(_changes(out, error), err=True)
        raise typer.Exit(1) from None
    except Refusal as error:
        if error.code != "day/not-over":
            raise
        out.refuse("day.not-over", day=wanted)
    if as_json:
        out.json(day_json(wanted, lines, closed))
        return
    over = wanted < datetime.fromtimestamp(now / 1000, UTC).date()
    typer.echo(day_text(out.catalogue, wanted, lines, closed, over=over))


def _day(out: Output, text: str) -> date:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        out.refuse("day.no-day", text=text)


def _changes(out: Output, error: DayChangedError) -> str:
    say = out.catalogue.text
    lines = [say("day.changed", day=error.day)]
    for was, now in error.changes:
        line = was or now
        assert line is not None
        parts = [
            say("day.none")
            if found is None
            else say(
                "day.sums",
                rounds=found.rounds,
                voided=found.voided,
                staked=out.catalogue.money(found.staked, line.currency),
                paid=out.catalogue.money(found.paid, line.currency),
            )
            for found in (was, now)
        ]
        lines.append(say("day.change", game=line.game, currency=line.currency, was=parts[0], now=parts[1]))
    return "\n".join(lines)
