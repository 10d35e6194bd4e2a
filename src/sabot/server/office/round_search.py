"""The search for rounds: by code, time, table, player, amount and outcome, sorted and in pages (OFF-04).

The code of a round begins with the time at which it was opened, so the order of codes is that of time.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Literal

import sqlalchemy
from msgspec import Meta, Struct
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Connection, Select

from sabot.errors import Refusal
from sabot.protocol.fields import Form, GameName, Millis, Name, PageSize, whole
from sabot.rounds.queries import stakes_of
from sabot.store import schema
from sabot.store.kinds import Currency
from sabot.store.register import VoidedBy, voidings

Outcome = Literal["open", "settled", "voided", "won", "lost"]
#: The beginning of a code, or the whole.
CodePart = Annotated[str, Meta(pattern=whole("[0-9A-Z-]{1,18}", "the beginning of a code, as 260829-10"))]
Place = Annotated[str, Meta(pattern=whole("[0-9]{1,19}/[0-9A-Z-]{18}", "the `next` of the page before"))]
Amount = Annotated[int, Meta(ge=0, le=10**14)]
#: Up to so many rounds with an amount, they are looked up by it; else rounds are looked through by their codes.
_FEW = 2_000
_UNSETTLED: ColumnElement[bool] = sqlalchemy.text(f"rounds.{schema.UNSETTLED}")  # type: ignore[assignment]

#: The moments between which codes of rounds are made: the years 2000 and 2100.
_FIRST_CODE, _LAST_CODE = (int(datetime(year, 1, 1, tzinfo=UTC).timestamp() * 1000) for year in (2000, 2100))


class RoundsQuery(Form, frozen=True, kw_only=True):
    """Which rounds, in which order; what is not given takes all. `won` and `lost` are the players' side."""

    code: CodePart | None = None
    since: Millis | None = None
    until: Millis | None = None
    table: Name | None = None
    game: GameName | None = None
    currency: Currency | None = None
    player: Annotated[int, Meta(ge=1, le=2**53 - 1)] | None = None
    least_staked: Amount | None = None
    least_paid: Amount | None = None
    most_staked: Amount | None = None
    most_paid: Amount | None = None
    outcome: Outcome | None = None
    sort: Literal["time", "staked", "paid"] = "time"
    order: Literal["down", "up"] = "down"
    after: Place | None = None
    limit: PageSize = 50


class FoundRound(Struct, frozen=True):
    """A round that was found, with what all its players staked and were paid.

    For an open or voided round `staked` comes from the ledger; sorting and searching by amount treat it as 0.
    """

    code: str
    table: str
    game: str
    currency: Currency
    state: Literal["open", "settled", "voided"]
    opened_at: int
    closed_at: int | None
    players: int
    staked: int
    paid: int
    #: Which operator voided it, and why.
    voided: VoidedBy | None = None


class RoundsPage(Struct, frozen=True):
    """Rounds in the order that was asked for; `next` is the `after` of the next page."""

    rounds: tuple[FoundRound, ...]
    next: Place | None


def search_rounds(connection: Connection, query: RoundsQuery) -> RoundsPage:
    """A page of rounds."""
    rounds, streams = schema.rounds.c, schema.streams.c
    key = {"time": None, "staked": rounds.staked, "paid": rounds.paid}[query.sort]
    found = (
        sqlalchemy.select(
            rounds.code,
            streams.name,
            *(rounds[name] for name in FoundRound.__struct_fields__[2:-1]),
        )
        .join_from(schema.rounds, schema.streams, rounds.stream == streams.id)
        .where(*_conditions(connection, query))
    )
    if query.after is not None:
        found = _after(found, key, query)
    columns = (rounds.code,) if key is None else (key, rounds.code)
    ordered = found.order_by(*(column.desc() if query.order == "down" else column for column in columns))
    rows = [FoundRound(*row) for row in connection.execute(ordered.limit(query.limit + 1))]
    more = len(rows) > query.limit
    found_rounds = tuple(_with_stakes(connection, rows[: query.limit]))
    return RoundsPage(found_rounds, _place(rows[query.limit - 1], query) if more else None)


def _with_stakes(connection: Connection, found: list[FoundRound]) -> Iterator[FoundRound]:
    """Rounds with the stakes of those that are open or voided, and who voided them."""
    stakes = stakes_of(connection, {each.code: each.state for each in found if each.state != "settled"})
    ends = {each.code: each.closed_at or 0 for each in found if each.state == "voided"}
    orders = voidings(connection, ends)
    for each in found:
        if each.code not in stakes:
            yield each
            continue
        staked = stakes[each.code]
        players = max(each.players, len(staked))
        yield replace(each, players=players, staked=sum(staked.values()), voided=orders.get(each.code))


def _conditions(connection: Connection, query: RoundsQuery) -> list[ColumnElement[bool]]:
    rounds, played, wanted = schema.rounds.c, schema.played.c, list[ColumnElement[bool]]()
    if query.code is not None:
        wanted += (rounds.code >= query.code, rounds.code < query.code + "\x7f")
    if query.since is not None:
        wanted.append(rounds.code >= _code_time(query.since))
    if query.until is not None:
        wanted.append(rounds.code < _code_time(query.until))
    if query.table is not None:
        streams = schema.streams.c
        known = connection.execute(sqlalchemy.select(streams.id).where(streams.name == query.table)).scalar()
        wanted.append(rounds.stream == (-1 if known is None else known))
    if query.player is not None:
        codes = sqlalchemy.select(played.code).where(played.player == query.player)
        wanted.append(rounds.code.in_(codes))
    for column, value in ((rounds.game, query.game), (rounds.currency, query.currency)):
        if value is not None:
            wanted.append(column == value)
    for name, least in (("staked", query.least_staked), ("paid", query.least_paid)):
        if least is not None:
            wanted.append(_at_least(connection, name, least, query.sort))
    for column, most in ((rounds.staked, query.most_staked), (rounds.paid, query.most_paid)):
        if most is not None:
            # Most rounds have small amounts: an index is of use only where they are sorted by it.
            wanted.append((column if query.sort == column.name else column + 0) <= most)
    match query.outcome:
        case "open" | "voided" as state:
            wanted += (_UNSETTLED, rounds.state == state)
        case "settled":
            wanted.append(rounds.state == "settled")
        case "won":
            wanted += (rounds.state == "settled", rounds.paid > rounds.staked)
        case "lost":
            wanted += (rounds.state == "settled", rounds.paid < rounds.staked)
    return wanted


def _at_least(connection: Connection, name: str, least: int, sort: str) -> ColumnElement[bool]:
    """A least amount; where many rounds have it, in a form in which no index is used for it."""
    column = schema.rounds.c[name]
    if sort == name:
        return column >= least
    few = sqlalchemy.select(column).where(column >= least).limit(_FEW + 1).subquery()
    count = connection.execute(sqlalchemy.select(sqlalchemy.func.count()).select_from(few)).scalar_one()
    if count > _FEW:
        return column + 0 >= least
    with_it = schema.rounds.alias()
    return schema.rounds.c.code.in_(sqlalchemy.select(with_it.c.code).where(with_it.c[name] >= least))


def _after(found: Select[Any], key: ColumnElement[int] | None, query: RoundsQuery) -> Select[Any]:
    assert query.after is not None
    amount, code = query.after.split("/")
    if int(amount) >= 2**63:
        raise Refusal("history/no-place", cursor=query.after)
    rounds = schema.rounds.c
    if key is None:
        return found.where(rounds.code < code if query.order == "down" else rounds.code > code)
    here, there = sqlalchemy.tuple_(key, rounds.code), sqlalchemy.tuple_(int(amount), code)
    return found.where(here < there if query.order == "down" else here > there)


def _place(last: FoundRound, query: RoundsQuery) -> str:
    return f"{0 if query.sort == 'time' else getattr(last, query.sort)}/{last.code}"


def _code_time(ms: int) -> str:
    """How the codes of a moment begin, whose years have two digits; other centuries come before or after all codes."""
    if ms < _FIRST_CODE:
        return ""
    return f"{datetime.fromtimestamp(ms / 1000, UTC):%y%m%d-%H%M%S}" if ms < _LAST_CODE else "\x7f"
