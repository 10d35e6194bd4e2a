"""The sums of a day, as text and as JSON."""

from collections.abc import Sequence
from datetime import date
from itertools import groupby

from msgspec.structs import asdict

from sabot.cli.shared import utc_time
from sabot.rounds.day_close import ClosedDay, DayLine
from sabot.texts import Catalogue

_COLUMNS = ("game", "rounds", "voided", "staked", "paid", "hold", "held", "published")


def day_json(day: date, lines: Sequence[DayLine], closed: ClosedDay | None) -> dict[str, object]:
    """Money in cents, shares as fractions."""
    return {
        "day": day.isoformat(),
        "closed": None if closed is None else utc_time(closed.at),
        "anchors": None if closed is None else len(closed.closing.anchors),
        "games": [
            asdict(line) | {"hold": line.hold, "hold_share": line.held, "published_return": line.published}
            for line in lines
        ],
    }


def day_text(
    catalogue: Catalogue, day: date, lines: Sequence[DayLine], closed: ClosedDay | None, *, over: bool
) -> str:
    """A table for each currency, never cut to the width of a terminal, and whether the day is closed."""
    say = catalogue.text
    parts = [say("day.title", day=day)]
    if not lines:
        parts.append(say("day.nothing"))
    for currency, of_currency in groupby(lines, key=lambda line: line.currency):
        parts += ["", *_table(catalogue, currency, list(of_currency))]
    if closed is not None:
        state = say("day.closed", at=utc_time(closed.at), anchors=len(closed.closing.anchors))
    else:
        state = say("day.open", day=day) if over else say("day.running")
    return "\n".join([*parts, "", say("day.foot"), state])


def _table(catalogue: Catalogue, currency: str, lines: list[DayLine]) -> list[str]:
    """The games of one currency, with their sum."""
    say = catalogue.text
    rows = [tuple(say(f"day.{column}") for column in _COLUMNS)]
    rows += [_row(catalogue, line) for line in lines]
    if len(lines) > 1:
        rows.append(_row(catalogue, _sum(say("day.all"), lines)))
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [currency] + [
        "  ".join(
            cell.rjust(width) if at else cell.ljust(width)
            for at, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    ]


def _sum(name: str, lines: Sequence[DayLine]) -> DayLine:
    columns = zip(*((line.rounds, line.voided, line.staked, line.paid) for line in lines), strict=True)
    return DayLine(name, lines[0].currency, *map(sum, columns))


def _row(catalogue: Catalogue, line: DayLine) -> tuple[str, ...]:
    counts = (catalogue.number(f"{count:,}") for count in (line.rounds, line.voided))
    amounts = (catalogue.amount(cents) for cents in (line.staked, line.paid, line.hold))
    shares = (catalogue.percent(share, 2) for share in (line.held, line.published))
    return (line.game, *counts, *amounts, *shares)
