"""Reports as pages and files, and what their figures are the sums of (OFF-20, OFF-21, OFF-22)."""

from datetime import date
from typing import Annotated, Literal

from msgspec import Meta
from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.protocol.fields import Form, GameName, Language, PageSize, whole
from sabot.reports import drill, render
from sabot.reports.catalogue import ReportName, ReportRequest, make
from sabot.reports.report import By, Interval, Report, today
from sabot.reports.signals import Thresholds
from sabot.server.http.dispatch import Call, Download
from sabot.server.office.players import PlayerNumber
from sabot.server.office.settings import office_at
from sabot.store.kinds import Currency
from sabot.texts import Catalogue

#: Rows of a report in a page; the file has all.
_ROWS = 1_000
#: The place after which a page begins.
Cursor = Annotated[str, Meta(pattern=whole("[0-9A-Z-]{1,80}", "the `next` of the page before"))]
BetName = Annotated[str, Meta(pattern=whole("[a-z0-9+-]{1,32}", "the name of a bet, or all"))]
RulesHash = Annotated[str, Meta(pattern=whole("[0-9a-f]{0,64}", "the beginning of a rule set's SHA-256"))]

_TYPES = {
    "csv": "text/csv",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


class IntervalQuery(Form, frozen=True, kw_only=True):
    """Days of UTC, both included; without a first one since the beginning, without a last one until today."""

    first: date | None = None
    last: date | None = None


class ReportQuery(IntervalQuery, frozen=True, kw_only=True):
    """An interval, and by which periods its figures are given."""

    by: By = "total"


class FileQuery(ReportQuery, frozen=True, kw_only=True):
    """A report as a file."""

    format: Literal["csv", "xlsx"]
    lang: Language = "it"


class RoundsOfQuery(IntervalQuery, frozen=True, kw_only=True):
    """A figure of the report on games, or of a player's activity."""

    currency: Currency
    game: GameName | None = None
    player: PlayerNumber | None = None
    bet: BetName = "all"
    rules: RulesHash = ""
    after: Cursor | None = None
    limit: PageSize = 50


class MovesOfQuery(IntervalQuery, frozen=True, kw_only=True):
    """A figure of money: a kind of account, or payments alone.

    Payments may be a player's, and of one way; open money may be a game's.
    """

    currency: Currency
    held: drill.Held = "player"
    payments: bool = False
    player: PlayerNumber | None = None
    game: GameName | None = None
    way: drill.Way | None = None
    after: Cursor | None = None
    limit: PageSize = 50

    def __post_init__(self) -> None:
        if self.player is not None and not self.payments:
            raise ValueError("of a player there are payments: send payments=true")
        if self.way is not None and not self.payments:
            raise ValueError("payments have a way: send payments=true")
        if self.game is not None and (self.held != "escrow" or self.payments or self.first is not None):
            raise ValueError("of a game there is open money: send held=escrow, and no first day")


async def report(call: Call, name: ReportName, query: ReportQuery) -> Report:
    """A report; a page has its first thousand rows, the file has all."""
    made = await _make(call, name, query)
    return replace(made, rows=made.rows[:_ROWS], more=len(made.rows) > _ROWS)


async def report_file(call: Call, name: ReportName, query: FileQuery) -> Download:
    """A report as CSV or XLSX; of an interval that is over always the same bytes (OFF-22)."""
    made = await _make(call, name, query)
    write = render.as_csv if query.format == "csv" else render.as_xlsx
    content = await call.house.work(lambda: write(made, Catalogue(query.lang)))
    file = f"{name}-{made.first or 'all'}-{made.last}.{query.format}"
    return Download(file, _TYPES[query.format], content)


async def rounds_of(call: Call, query: RoundsOfQuery) -> drill.RoundLines:
    """The rounds that a figure of a report is the sum of (OFF-22). A look at a player's is logged."""
    await call.operators.look_at_list(call.login, (query.player,), "figure-rounds")
    interval = _interval(call, query)
    figure = drill.RoundsOf(interval, query.currency, query.game, query.player, query.bet, query.rules)
    return await call.house.read(lambda c: drill.rounds_of(c, figure, query.after, query.limit))


async def moves_of(call: Call, query: MovesOfQuery) -> drill.MoneyMoves:
    """The movements that a figure of a report is the sum of (OFF-22). A look at a player's is logged."""
    await call.operators.look_at_list(call.login, (query.player,), "figure-movements")
    whose = query.player, query.game, query.way
    figure = drill.MovesOf(_interval(call, query), query.currency, query.held, query.payments, *whose)
    return await call.house.read(lambda c: drill.moves_of(c, figure, query.after, query.limit))


async def _make(call: Call, name: ReportName, query: ReportQuery) -> Report:
    house, interval, file = call.house, _interval(call, query), call.settings.file
    now = house.clock.wall_ms()

    def read(connection: Connection) -> Report:
        office = office_at(connection, file, interval.made_at(now))
        asked = ReportRequest(name, interval, query.by, office.large_win, Thresholds.of(office))
        return make(connection, file.house.name, asked, now)

    return await house.read(read)


def _interval(call: Call, query: IntervalQuery) -> Interval:
    now = today(call.house.clock.wall_ms())
    last = min(query.last or now, now)  # nothing happens on days to come
    if query.first is not None and query.first > last:
        raise Refusal("report/backwards", begin=query.first.isoformat(), end=last.isoformat())
    return Interval(query.first, last)
