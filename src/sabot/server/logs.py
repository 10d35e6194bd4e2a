"""The log of the house: plain lines on standard error, without secrets, written off the event loop.

A failure is one line: what failed, the class of its error, and where in the code. Messages and variables are never
written: they may hold secrets (ASR-03). While the database is away, which is expected, the places are left out too. The
same failure is written again only after some seconds, with a count.
"""

import asyncio
import atexit
import logging
import queue
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from traceback import walk_tb
from typing import Any, NamedTuple, TextIO

import structlog
from aiohttp.http_exceptions import HttpProcessingError
from prometheus_client import Counter
from structlog.processors import LogfmtRenderer
from structlog.typing import EventDict

from sabot.errors import Refusal
from sabot.store.errors import driver_error, is_unavailable

#: Lines that may wait to be written; others are counted and dropped.
MOST_WAITING = 1_000
#: Seconds between two lines about the same failure.
EVERY = 10.0
#: Places of the code in a line, the innermost last.
_PLACES = 6
#: Kinds of failures that are remembered.
_MOST_KINDS = 1_000
#: Seconds for the last lines at the end.
_LAST_LINES = 2.0

DROPPED = Counter("sabot_log_lines_dropped", "Lines of the log that were not written because too many waited")

_log = structlog.get_logger()
_render = LogfmtRenderer(key_order=["at", "level", "event"], drop_missing=True)


def failed(event: str, error: BaseException, **details: object) -> None:
    """Log that something failed."""
    where = places(error)
    error = _first(error)
    cause = driver_error(error)
    line: dict[str, object] = {**details, "error": type(error).__name__}
    if cause is not error:
        line["cause"] = type(cause).__name__
    code = getattr(cause, "code" if isinstance(cause, Refusal) else "sqlite_errorname", None)
    if code or getattr(cause, "sqlstate", None):
        line["code"] = code or getattr(cause, "sqlstate", None)
    if (isinstance(error, Refusal) and error.status == 503) or is_unavailable(error):
        _log.warning(event, **line)
    else:
        _log.error(event, **line, where=places(error) or where)


def places(error: BaseException) -> list[str]:
    """The places of the code that an error passed, without reading source files."""
    walked = [(frame.f_code, number) for frame, number in walk_tb(error.__traceback__)]
    return [f"{Path(code.co_filename).name}:{number} {code.co_name}" for code, number in walked[-_PLACES:]]


def _first(error: BaseException) -> BaseException:
    """An error, or the first of a group."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    return error


class _Kind(NamedTuple):
    """A failure that was written: when, its last line, and how many were held back since."""

    written: float
    line: EventDict
    held: int = 0


class RepeatFilter:
    """Holds back failures like one that was just written, and counts them."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._kinds: dict[tuple[str, ...], _Kind] = {}
        self._lock = threading.Lock()

    def passes(self, line: EventDict) -> bool:
        """Whether a line is to be written now; a line without an error always is."""
        if "error" not in line:
            return True
        key = tuple(str(line.get(name, "")) for name in ("event", "error", "cause", "code", "where"))
        with self._lock:
            kind = self._kinds.get(key)
            if kind is None and len(self._kinds) < _MOST_KINDS:
                self._kinds[key] = _Kind(self._clock(), line)
                return True
            if kind is not None:
                self._kinds[key] = kind._replace(line=line, held=kind.held + 1)
            return False

    def due(self, everything: bool = False) -> Iterator[EventDict]:
        """The last line of each kind that was held back for long enough, with the count."""
        now = self._clock()
        with self._lock:
            over = [key for key, kind in self._kinds.items() if everything or now - kind.written >= EVERY]
            ended = [(key, self._kinds.pop(key)) for key in over]
            for key, kind in ended:
                if kind.held:
                    self._kinds[key] = _Kind(now, kind.line)
        for _, kind in ended:
            if kind.held:
                yield {**kind.line, "times": kind.held}


class LogWriter:
    """Writes lines in a thread; logging never waits."""

    def __init__(self, stream: TextIO, most: int = MOST_WAITING) -> None:
        self._stream = stream
        self._repeats = RepeatFilter()
        self._queue: queue.Queue[EventDict | None] = queue.Queue(most)
        self._dropped = 0
        self._thread = threading.Thread(target=self._run, name="sabot-log", daemon=True)
        self._thread.start()

    def __call__(self, _logger: Any, level: str, line: EventDict) -> EventDict:
        """Queue a line; this is structlog's last processor."""
        line = {"at": time.strftime("%FT%TZ", time.gmtime()), "level": level, **line}
        if self._repeats.passes(line):
            try:
                self._queue.put_nowait(line)
            except queue.Full:
                self._dropped += 1
                DROPPED.inc()
        raise structlog.DropEvent

    def close(self) -> None:
        """Write the queued lines, for some seconds at most: the stream may be stuck."""
        try:
            self._queue.put(None, timeout=_LAST_LINES)
        except queue.Full:
            return
        self._thread.join(_LAST_LINES)

    # In the thread

    def _run(self) -> None:
        over = False
        while not over:
            try:
                line = self._queue.get(timeout=1.0)
                over = line is None
                if line is not None:
                    self._write(line)
            except queue.Empty:
                pass
            if self._dropped:
                dropped, self._dropped = self._dropped, 0
                self._write({"level": "warning", "event": "lines were dropped", "times": dropped})
            for line in self._repeats.due(over):
                self._write(line)

    def _write(self, line: EventDict) -> None:
        if "where" in line:
            line = {**line, "where": ", ".join(line["where"])}
        try:
            self._stream.write(f"{_render(None, '', line)}\n")
            self._stream.flush()
        except (OSError, ValueError):  # the stream is closed, or a key cannot be rendered
            DROPPED.inc()


class _Others(logging.Handler):
    """Logs what libraries log, without the values in their messages, which may be secret."""

    def emit(self, record: logging.LogRecord) -> None:
        """Log a record."""
        text = str(record.msg).partition("\n")[0] if record.args else ""
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, HttpProcessingError):  # bytes that are no request were refused: no failure
            return
        if error is not None:
            failed("a library failed", error, library=record.name, text=text)
        else:
            _log.warning("a library warns", library=record.name, text=text, error=record.levelname)


def configure(stream: TextIO | None = None) -> LogWriter:
    """Send all logging to standard error: the house's, the libraries', and uncaught errors."""
    writer = LogWriter(stream or sys.stderr)
    structlog.configure(
        processors=[writer],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        cache_logger_on_first_use=False,
    )
    logging.basicConfig(handlers=[_Others()], level=logging.WARNING, force=True)
    threading.excepthook = lambda args: _uncaught("a thread failed", args.exc_value)
    sys.unraisablehook = lambda args: _uncaught("something could not be cleared away", args.exc_value)
    sys.excepthook = lambda _kind, error, _trace: _uncaught("sabot failed", error)
    atexit.register(writer.close)
    return writer


def watch_loop(loop: asyncio.AbstractEventLoop) -> None:
    """Log uncaught errors of the loop's tasks and callbacks."""
    loop.set_exception_handler(lambda _, context: _uncaught("a task failed", context.get("exception")))


def _uncaught(event: str, error: BaseException | None) -> None:
    failed(event, error if error is not None else RuntimeError())
