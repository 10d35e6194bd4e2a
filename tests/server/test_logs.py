"""What the house writes about itself: one short line for each kind of failure, and nobody waits for it (ASR-03)."""

from __future__ import annotations

import io
import re
import sqlite3
import threading
from pathlib import Path
from typing import Any

import psycopg
import pytest
import sqlalchemy.exc
import structlog
from structlog.testing import capture_logs

import sabot
from sabot.errors import Refusal
from sabot.server.logs import EVERY, LogWriter, RepeatFilter, failed
from sabot.store.errors import UnreachableError
from tests.support.clock import PATIENCE

SECRET = "hunter2"


def fail(error: Exception) -> Any:
    """The line of an error that is raised beside a secret."""
    beside = SECRET
    with capture_logs() as lines:
        try:
            assert beside
            raise error
        except Exception as caught:
            failed("it failed", caught, table="one")
    (line,) = lines
    assert SECRET not in str(line)
    return line


@pytest.mark.rule("ASR-03")
@pytest.mark.parametrize(
    "error",
    [
        RuntimeError(SECRET),
        KeyError(SECRET),
        ExceptionGroup(SECRET, [ValueError(SECRET)]),
        sqlalchemy.exc.IntegrityError(SECRET, (SECRET,), sqlite3.IntegrityError(SECRET)),
        psycopg.errors.UniqueViolation(SECRET),
    ],
)
def test_what_nobody_expected_is_told_with_its_places(error: Exception) -> None:
    line = fail(error)
    assert line["log_level"] == "error"
    assert any("test_logs.py" in place for place in line["where"])


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (sqlite3.OperationalError(SECRET), {"error": "OperationalError"}),
        (psycopg.OperationalError(SECRET), {"error": "OperationalError"}),
        (psycopg.errors.DiskFull(SECRET), {"error": "DiskFull", "code": "53100"}),
        (
            sqlalchemy.exc.OperationalError(SECRET, (SECRET,), psycopg.errors.AdminShutdown(SECRET)),
            {"error": "OperationalError", "cause": "AdminShutdown", "code": "57P01"},
        ),
        (sqlalchemy.exc.TimeoutError(SECRET), {"error": "TimeoutError"}),
        (UnreachableError(SECRET), {"error": "UnreachableError"}),
        (Refusal("unit/lost"), {"error": "Refusal", "code": "unit/lost"}),
    ],
)
def test_a_database_that_is_away_is_told_in_a_few_words(error: Exception, told: dict[str, str]) -> None:
    assert fail(error) == {"event": "it failed", "log_level": "warning", "table": "one", **told}


def test_the_same_failure_is_told_once_in_a_while() -> None:
    now = 0.0
    limit = RepeatFilter(lambda: now)
    line = {"event": "it failed", "error": "OperationalError"}
    assert [limit.passes({**line, "player": n}) for n in range(100)] == [True] + 99 * [False]
    assert limit.passes({"event": "something else"})
    assert limit.passes({**line, "error": "KeyError"})
    now = EVERY - 0.1
    assert list(limit.due()) == []
    now = EVERY
    assert list(limit.due()) == [{**line, "player": 99, "times": 99}]
    assert not limit.passes(line)
    now = 2 * EVERY
    assert [told["times"] for told in limit.due()] == [1]
    now = 3 * EVERY
    assert list(limit.due()) == []
    assert limit.passes(line)


class Stuck(io.StringIO):
    """A stream that nobody reads for a while."""

    def __init__(self) -> None:
        super().__init__()
        self.begun, self.is_read = threading.Event(), threading.Event()

    def write(self, text: str) -> int:
        self.begun.set()
        assert self.is_read.wait(PATIENCE)
        return super().write(text)


def say(writer: LogWriter, event: str) -> None:
    with pytest.raises(structlog.DropEvent):
        writer(None, "info", {"event": event})


@pytest.mark.rule("ASR-32")
def test_nobody_waits_for_a_log_that_is_not_read() -> None:
    stream = Stuck()
    writer = LogWriter(stream, most=10)
    say(writer, "first")
    assert stream.begun.wait(PATIENCE)
    for number in range(25):
        say(writer, f"line {number}")
    stream.is_read.set()
    writer.close()
    written = stream.getvalue().splitlines()
    assert [line.partition("event=")[2] for line in written if "dropped" not in line] == [
        "first",
        *(f'"line {number}"' for number in range(10)),
    ]
    (dropped,) = (line for line in written if "dropped" in line)
    assert dropped.endswith("times=15")


def test_a_line_is_one_line() -> None:
    stream = io.StringIO()
    writer = LogWriter(stream)
    say(writer, 'two\nlines "quoted"')
    writer.close()
    assert re.fullmatch(r'at=\S+Z level=info event="two\\nlines \\"quoted\\""\n', stream.getvalue())


def test_every_failure_is_told_in_the_one_way() -> None:
    """`failed` knows what may be said: nobody logs the message or the traceback of an error."""
    forbidden = re.compile(r"_log\.(exception|critical)|exc_info|print_exc|format_exc|why=(str|repr)\(")
    for path in Path(sabot.__file__).parent.rglob("*.py"):
        if path.name != "logs.py":
            assert forbidden.search(path.read_text("utf-8")) is None, path
