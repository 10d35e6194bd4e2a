"""`sabot report`: a report of the house for an interval, as text, CSV, XLSX or JSON (OFF-20)."""

from __future__ import annotations

from datetime import date, datetime
from pathlib import Path
from time import time
from typing import Annotated, get_args

import msgspec
import typer

from sabot.cli.commands.house import ConfigFile, DatabaseUrl, load_settings, open_database
from sabot.cli.shared import Language, Output, argument, option

_FORMATS = ("text", "csv", "xlsx", "json")


#: An option with a name that is no word of Python.
_From = Annotated[
    str | None, typer.Option("--from", metavar="DAY", help="The first day (UTC); else since the beginning.")
]
_To = Annotated[str | None, typer.Option("--to", metavar="DAY", help="The last day; else today.")]


def report(
    name: Annotated[
        str, argument("NAME", "A report, such as performance; another name lists them.", show_default=False)
    ],
    first: _From = None,
    last: _To = None,
    by: Annotated[str, option("total|day|month|year", "The periods of the figures.")] = "total",
    format: Annotated[str, option("text|csv|xlsx|json", "How it is written.")] = "text",
    file: Annotated[Path | None, option("FILE", "Write it into a file.", show_default=False)] = None,
    database: DatabaseUrl = None,
    config: ConfigFile = None,
    lang: Language = None,
) -> None:
    """Make a report of the house. The same interval that is over gives the same bytes, whenever it is made."""
    from sabot.errors import Refusal
    from sabot.reports import catalogue, render
    from sabot.reports.figures import EVERYTHING
    from sabot.reports.report import By, Interval, today
    from sabot.reports.signals import Thresholds
    from sabot.server.office.settings import office_at

    out = Output(lang)
    if name not in get_args(catalogue.ReportName):
        out.refuse("report.unknown", name=name, known=", ".join(get_args(catalogue.ReportName)))
    for text, known in ((by, get_args(By)), (format, _FORMATS)):
        if text not in known:
            out.refuse("report.choice", text=text, known=", ".join(known))
    now = int(time() * 1000)
    end = today(now) if last is None else min(_day(out, last), today(now))
    begin = None if first is None else _day(out, first)
    if begin is not None and begin > end:
        out.refuse("report.backwards", begin=begin, end=end)
    interval, loaded = Interval(begin, end), load_settings(out, config, database)
    settings = loaded.config
    with open_database(loaded, out) as opened, opened.reading() as connection:
        office = office_at(connection, settings, interval.made_at(now))
        thresholds = (office.large_win, Thresholds.of(office))
        asked = catalogue.ReportRequest(name, interval, by, *thresholds)  # type: ignore[arg-type]  # checked above
        try:
            made = catalogue.make(connection, settings.house.name, asked, now, most=EVERYTHING)
        except Refusal as error:
            out.fail(out.catalogue.error(error))
    written = {
        "text": lambda: render.as_text(made, out.catalogue).encode() + b"\n",
        "json": lambda: msgspec.json.format(msgspec.json.encode(made), indent=2) + b"\n",
        "csv": lambda: render.as_csv(made, out.catalogue),
        "xlsx": lambda: render.as_xlsx(made, out.catalogue),
    }[format]()
    if file is None:
        typer.echo(written, nl=False)
        return
    with out.file("cli.file", file):
        file.write_bytes(written)


def _day(out: Output, text: str) -> date:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date()
    except ValueError:
        out.refuse("day.no-day", text=text)
