"""What a figure of a report is the sum of: rounds, or movements of money, in pages (OFF-22)."""

from __future__ import annotations

from typing import Any, Literal, NamedTuple

import sqlalchemy
from msgspec import Raw, Struct
from sqlalchemy import ColumnElement, CompoundSelect, Connection, FromClause

from sabot.errors import Refusal
from sabot.reports.performance import ALL
from sabot.reports.report import Interval
from sabot.rounds.sums import bots_among
from sabot.rounds.tally import CUT, bet_lines, paying_events, place_of, rules_of
from sabot.store import schema
from sabot.store.entry import Body, decode_body
from sabot.store.facts import RoundClosed

#: Rounds looked through for a page, so that a rare bet does not hold the database; a page may be short.
_LOOKED_THROUGH = 500
_AT_ONCE = 250

#: Accounts that a report of money sums up, and the ways of payments: one that was undone goes the way that it went before.
Held = Literal["player", "session", "escrow"]
Way = Literal["in", "out"]


class RoundsOf(NamedTuple):
    """A figure of rounds: people's bets in a currency, of a game or a player or all, all bets or one, by rules or any."""

    interval: Interval
    currency: str
    game: str | None = None
    player: int | None = None
    bet: str = ALL
    #: The beginning of the rule set's SHA-256.
    rules: str = ""


class RoundLine(Struct, frozen=True):
    """What a round adds to a figure."""

    code: str
    closed_at: int
    table: str
    state: str
    players: int
    bets: int
    staked: int
    paid: int


class RoundLines(Struct, frozen=True):
    """Rounds in the order in which they ended; `next` is the `after` of the next page, which may be short."""

    lines: tuple[RoundLine, ...]
    next: str | None


class MovesOf(NamedTuple):
    """A figure of money: accounts of a kind in a currency, or people's payments in and out alone.

    Payments may be a player's, and of one way. Open money, of a game or all, is that of the rounds that are open at the
    end of the interval: what came for any other round has left again.
    """

    interval: Interval
    currency: str
    held: Held
    payments: bool = False
    player: int | None = None
    game: str | None = None
    way: Way | None = None


class MoneyMove(Struct, frozen=True):
    """A movement: above zero it came to an account of the kind, below zero it left."""

    at: int
    cause: str
    round: str | None
    player: int | None
    key: str
    amount: int


class MoneyMoves(Struct, frozen=True):
    """Movements in the order of time; `next` is the `after` of the next page."""

    lines: tuple[MoneyMove, ...]
    next: str | None


def rounds_of(connection: Connection, figure: RoundsOf, after: str | None, limit: int) -> RoundLines:
    """A page of the rounds that a figure is the sum of."""
    found: list[RoundLine] = []
    looked = 0
    place = _numbers(after, 1, text=True)
    while looked < _LOOKED_THROUGH and len(found) < limit:
        heads = _heads(connection, figure, place, min(_AT_ONCE, limit))
        if not heads:
            return RoundLines(tuple(found), None)
        looked += len(heads)
        bodies = _bodies(connection, [head.code for head in heads])
        for head in heads:
            place = (head.closed_at, head.code)
            line = _line(connection, figure, head, bodies[head.code])
            if line is not None:
                found.append(line)
                if len(found) == limit:
                    break
    assert place is not None
    return RoundLines(tuple(found), f"{place[0]}-{place[1]}")


def _heads(connection: Connection, figure: RoundsOf, after: Any, most: int) -> list[Any]:
    """The next rounds in the order of time, of a player in that of the player's own: there is an index for each."""
    rounds, streams, played = schema.rounds.c, schema.streams.c, schema.played.c
    place = (rounds.closed_at, rounds.code) if figure.player is None else (played.at, played.code)
    first, end = figure.interval.moments
    query = (
        sqlalchemy.select(rounds.code, rounds.closed_at, rounds.state, streams.name)
        .join_from(schema.rounds, schema.streams, rounds.stream == streams.id)
        .where(rounds.currency == figure.currency, place[0] >= first, place[0] < end)
        .order_by(*place)
        .limit(most)
    )
    if figure.game is not None:
        query = query.where(rounds.game == figure.game)
    if figure.player is not None:
        query = query.join(schema.played, played.code == rounds.code).where(played.player == figure.player)
    if after is not None:
        query = query.where(sqlalchemy.tuple_(*place) > sqlalchemy.tuple_(*after))
    return list(connection.execute(query))


def _bodies(connection: Connection, codes: list[str]) -> dict[str, list[Body]]:
    log = schema.log.c
    query = sqlalchemy.select(log.round, log.body).where(log.round.in_(codes)).order_by(log.n)
    found: dict[str, list[Body]] = {code: [] for code in codes}
    for code, body in connection.execute(query):
        found[code].append(decode_body(body))
    return found


def _line(connection: Connection, figure: RoundsOf, head: Any, bodies: list[Body]) -> RoundLine | None:
    """What a round adds to the figure; None if it adds nothing."""
    if not rules_of(bodies[0]).rules.startswith(figure.rules):
        return None
    table = place_of(head.name)
    if head.state == "voided":
        whole = RoundLine(head.code, head.closed_at, table, head.state, 0, 0, 0, 0)
        is_counted = figure.bet == ALL and figure.player is None and _is_of_people(connection, bodies)
        return whole if is_counted else None
    if not _may_have(bodies, figure.bet):
        return None
    lines = bet_lines(paying_events(bodies))
    bots = bots_among(connection, {line.player for line in lines}) if figure.currency == "FUN" else ()
    own = [
        line
        for line in lines
        if line.player not in bots and figure.bet in (ALL, line.bet) and figure.player in (None, line.player)
    ]
    if not own:
        return None
    return RoundLine(
        head.code,
        head.closed_at,
        table,
        head.state,
        len({line.player for line in own}),
        sum(line.lines for line in own),
        sum(line.staked for line in own),
        sum(line.paid for line in own),
    )


def _is_of_people(connection: Connection, bodies: list[Body]) -> bool:
    """Whether people had bets in a round that was voided, or nobody had."""
    closed = next(fact for body in reversed(bodies) for fact in body.facts if isinstance(fact, RoundClosed))
    players = {played.player for played in closed.played}
    return not players or players > bots_among(connection, players)


def _may_have(bodies: list[Body], bet: str) -> bool:
    """Whether a round may have a bet: most of those without a rare one need not be decoded."""
    if bet in (ALL, "main", CUT):
        return True
    named = f'"why":"{bet}"'.encode()
    return any(named in bytes(body.events) for body in bodies if isinstance(body.events, Raw))


def moves_of(connection: Connection, figure: MovesOf, after: str | None, limit: int) -> MoneyMoves:
    """A page of the movements that a figure is the sum of."""
    last = _numbers(after, 4)
    moved = _moved(figure, int(last[0]) if last is not None else 0)
    debit, credit = schema.accounts.alias("debit"), schema.accounts.alias("credit")
    place = (moved.c.at, moved.c.stream, moved.c.n, moved.c.i)
    query = (
        sqlalchemy.select(
            *place,
            moved.c.kind,
            moved.c.round,
            moved.c.key,
            moved.c.amount,
            debit.c.kind.label("from_kind"),
            debit.c.player.label("from_player"),
            credit.c.kind.label("to_kind"),
            credit.c.player.label("to_player"),
        )
        .join_from(moved, debit, debit.c.id == moved.c.debit)
        .join(credit, credit.c.id == moved.c.credit)
        .where(debit.c.currency == figure.currency)
        .where(sqlalchemy.or_(debit.c.kind == figure.held, credit.c.kind == figure.held))
        .where(debit.c.kind != credit.c.kind)
        .order_by(*place)
        .limit(limit + 1)
    )
    if figure.payments:
        query = query.where(_of_people(debit, credit))
    if figure.way is not None:
        undone = moved.c.kind == "rollback"
        came = sqlalchemy.case((undone, debit.c.kind), else_=credit.c.kind) == figure.held
        query = query.where(came if figure.way == "in" else sqlalchemy.not_(came))
    if last is not None:
        query = query.where(sqlalchemy.tuple_(*place) > sqlalchemy.tuple_(*last))
    rows = connection.execute(query).all()
    lines = tuple(_money_move(figure, row) for row in rows[:limit])
    following = "-".join(map(str, rows[limit - 1][:4])) if len(rows) > limit else None
    return MoneyMoves(lines, following)


def _moved(figure: MovesOf, earliest: int) -> FromClause:
    """What rows of the interval moved, at a moment or later.

    PostgreSQL finds payments first, which are few, and then their accounts.
    """
    log, transfers, (first, end) = schema.log.c, schema.transfers.c, figure.interval.moments
    query = (
        sqlalchemy.select(
            log.at,
            log.stream,
            log.n,
            log.kind,
            log.round,
            transfers.i,
            transfers.key,
            transfers.amount,
            transfers.debit,
            transfers.credit,
        )
        .join_from(
            schema.log,
            schema.transfers,
            sqlalchemy.and_(transfers.stream == log.stream, transfers.n == log.n),
        )
        .where(log.at >= max(first, earliest), log.at < end)
    )
    if figure.payments:
        payments = query.where(sqlalchemy.text(f"log.{schema.IS_PAYMENT}"))
        if figure.player is not None:
            payments = payments.where(log.player == figure.player)
        return payments.cte("moved").prefix_with("MATERIALIZED", dialect="postgresql")
    if figure.held == "escrow" and figure.interval.first is None:
        query = query.where(log.round.in_(_open_at(end, figure.currency, figure.game)))
    return query.subquery("moved")


def _open_at(moment: int, currency: str, game: str | None) -> CompoundSelect[tuple[str]]:
    """The rounds that were open at a moment: those that still are, that ended soon after it, or that lasted long."""
    rounds = schema.rounds.c
    soon = rounds.closed_at.between(moment, moment + schema.LONG_MS)
    long = sqlalchemy.and_(sqlalchemy.text(schema.IS_LONG), rounds.closed_at >= moment)
    still = sqlalchemy.and_(sqlalchemy.text(schema.UNSETTLED), rounds.state == "open")
    query = sqlalchemy.select(rounds.code).where(rounds.currency == currency, rounds.opened_at < moment)
    if game is not None:
        query = query.where(rounds.game == game)
    return sqlalchemy.union(*(query.where(when) for when in (still, soon, long)))


def _of_people(*accounts: Any) -> ColumnElement[bool]:
    profiles = schema.profiles.c
    bots = sqlalchemy.select(profiles.player).where(profiles.bot)
    return sqlalchemy.and_(
        *(sqlalchemy.or_(account.c.player.is_(None), account.c.player.not_in(bots)) for account in accounts)
    )


def _money_move(figure: MovesOf, row: Any) -> MoneyMove:
    came = row.to_kind == figure.held
    player = (row.to_player if came else row.from_player) or row.from_player or row.to_player
    return MoneyMove(row.at, row.kind, row.round, player, row.key, row.amount if came else -row.amount)


def _numbers(cursor: str | None, count: int, *, text: bool = False) -> tuple[int | str, ...] | None:
    """The numbers of a cursor; with `text` what follows them, too."""
    if cursor is None:
        return None
    parts = cursor.split("-", count if text else -1)
    try:
        numbers = tuple(int(part) for part in parts[:count])
    except ValueError:
        raise Refusal("history/no-place", cursor=cursor) from None
    if len(parts) != count + text or not all(0 <= number < 2**63 for number in numbers):
        raise Refusal("history/no-place", cursor=cursor)
    return (*numbers, *parts[count:])
