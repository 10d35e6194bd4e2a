"""A report as CSV, as XLSX and as text, in a language; the same figures give the same bytes (OFF-22)."""

import csv
from collections.abc import Iterator
from datetime import UTC, datetime
from io import BytesIO, StringIO

from sabot.games import CATALOGUE
from sabot.reports.performance import ALL
from sabot.reports.report import Cell, Column, Report
from sabot.texts import Catalogue

#: What a cell may begin with that a spreadsheet would take for a formula.
_FORMULAS = ("=", "+", "-", "@", "\t", "\r")
#: Columns of text whose words have names, and the heading of those; web/src/office/reports/words.ts has the same.
_NAMED = {
    "severity": "office.severity",
    "event": "office.event",
    "change": "office.change",
    "exclusion": "office.exclusion",
    "signal": "office.signal",
}
_FORMATS = {"money": "#,##0.00", "share": "0.00%", "count": "#,##0", "moment": "yyyy-mm-dd hh:mm:ss"}


def head_of(report: Report, texts: Catalogue) -> list[tuple[str, str]]:
    """Title, house, interval and time made, each with its name."""
    say = texts.text
    first = report.first or say("report.beginning")
    head = [
        (say("report.report"), say(f"office.report.{report.name}")),
        (say("report.house"), report.house),
        (say("report.interval"), f"{first} - {report.last} (UTC)"),
        (say("report.made"), _moment(report.made_at)),
    ]
    for threshold in report.thresholds:
        value = _amount(threshold.value) if threshold.kind == "money" else str(threshold.value)
        head.append((say(f"office.setting.{threshold.name}"), value))
    return head


def as_csv(report: Report, texts: Catalogue) -> bytes:
    """UTF-8 with a mark at its beginning, so that spreadsheets read it as such; lines end with CR LF."""
    file = StringIO()
    writer = csv.writer(file)
    writer.writerows([name, safe_cell(value)] for name, value in head_of(report, texts))
    writer.writerow([])
    if not report.rows:
        writer.writerow([texts.text("office.reports.none")])
    else:
        writer.writerow([_title(column, texts) for column in report.columns])
        writer.writerows([safe_cell(cell) for cell in cells] for cells in _written(report, texts))
    return b"\xef\xbb\xbf" + file.getvalue().encode()


def as_xlsx(report: Report, texts: Catalogue) -> bytes:
    """One sheet; numbers are numbers. Written row by row, in constant memory."""
    from xlsxwriter import Workbook  # type: ignore[import-untyped]  # it ships no types

    file = BytesIO()
    made = datetime.fromtimestamp(report.made_at / 1000, UTC).replace(tzinfo=None)
    with Workbook(
        file, {"constant_memory": True, "strings_to_formulas": False, "strings_to_urls": False}
    ) as book:
        book.set_properties({"title": texts.text(f"office.report.{report.name}"), "created": made})
        sheet = book.add_worksheet(texts.text(f"office.report.{report.name}")[:31])
        formats = {kind: book.add_format({"num_format": text}) for kind, text in _FORMATS.items()}
        bold = book.add_format({"bold": True})
        sheet.set_column(0, len(report.columns) - 1, 16)
        for row, pair in enumerate(head_of(report, texts)):
            sheet.write_row(row, 0, pair, bold if row == 0 else None)
        row += 2
        if not report.rows:
            sheet.write_string(row, 0, texts.text("office.reports.none"))
        else:
            sheet.write_row(row, 0, [_title(column, texts) for column in report.columns], bold)
            for at, cells in enumerate(report.rows, row + 1):
                for x, (column, cell) in enumerate(zip(report.columns, cells, strict=True)):
                    if cell is not None:
                        sheet.write(at, x, _number(column, cell, texts), formats.get(column.kind))
    return file.getvalue()


def as_text(report: Report, texts: Catalogue) -> str:
    """A table for a terminal, never cut to its width."""
    parts = [f"{name}: {value}" for name, value in head_of(report, texts)]
    if not report.rows:
        return "\n".join([*parts, "", texts.text("office.reports.none")])
    rows = [[_title(column, texts) for column in report.columns], *_written(report, texts)]
    widths = [max(map(len, cells)) for cells in zip(*rows, strict=True)]
    left = [column.kind in ("text", "round") for column in report.columns]
    lines = [
        "  ".join(
            cell.ljust(width) if is_left else cell.rjust(width)
            for cell, width, is_left in zip(row, widths, left, strict=True)
        ).rstrip()
        for row in rows
    ]
    return "\n".join([*parts, "", *lines])


def _title(column: Column, texts: Catalogue) -> str:
    return texts.text(f"office.column.{column.name}")


def _written(report: Report, texts: Catalogue) -> Iterator[list[str]]:
    for cells in report.rows:
        yield [_text(column, cell, texts) for column, cell in zip(report.columns, cells, strict=True)]


def _text(column: Column, cell: Cell, texts: Catalogue) -> str:
    if cell is None:
        return ""
    if column.name in _NAMED:
        return texts.named(_NAMED[column.name], str(cell))
    if column.name == "game":
        return CATALOGUE[str(cell)].title if cell in CATALOGUE else str(cell)
    if column.name == "bet":
        key = "office.reports.all-bets" if cell == ALL else f"kind.{cell}"
        return texts.text(key) if key in texts else str(cell)
    if column.kind == "money" and isinstance(cell, int):
        return _amount(cell)
    if column.kind == "moment" and isinstance(cell, int):
        return _moment(cell)
    if column.kind == "share" and isinstance(cell, float):
        return f"{cell:.6f}"
    return str(cell)


def _number(column: Column, cell: Cell, texts: Catalogue) -> object:
    """A cell as a spreadsheet has it."""
    if column.kind == "text":
        return _text(column, cell, texts)
    if column.kind == "money" and isinstance(cell, int):
        return cell / 100
    if column.kind == "moment" and isinstance(cell, int):
        return datetime.fromtimestamp(cell / 1000, UTC).replace(tzinfo=None)
    return cell


def safe_cell(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula; numbers stay as they are."""
    if not cell.startswith(_FORMULAS):
        return cell
    try:
        float(cell)
    except ValueError:
        return f"'{cell}"
    return cell


def _amount(cents: int) -> str:
    sign, whole = "-" * (cents < 0), abs(cents)
    return f"{sign}{whole // 100}.{whole % 100:02d}"


def _moment(ms: int) -> str:
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%Y-%m-%d %H:%M:%S}"
