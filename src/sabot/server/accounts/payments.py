"""Payments: the provider's interface, limits of one payment and of a day, and the list of movements (PLT-02)."""

from collections.abc import Sequence
from typing import Annotated, Any, Literal, Protocol, get_args

import sqlalchemy
from msgspec import Meta, Struct
from sqlalchemy import ColumnElement, Connection, Select

from sabot.errors import Refusal
from sabot.protocol.fields import Form, ListQuery, RequestId, whole
from sabot.rounds.history import Filter
from sabot.server.accounts.limits import day_start
from sabot.server.accounts.queries import TRANSFERS_OF_ROW, pending_at
from sabot.server.config import CashierConfig
from sabot.store import schema
from sabot.store.cashier import rollback_id
from sabot.store.kinds import AccountChange, Currency

#: Into the account, or out of it.
Way = Literal["deposit", "withdraw"]
#: Kinds of log rows that move money into or out of an account; a rollback is a withdrawal that came back.
_KINDS: dict[Way, tuple[str, ...]] = {"deposit": ("deposit",), "withdraw": ("withdraw", "rollback")}
_ALL_KINDS = tuple(kind for kinds in _KINDS.values() for kind in kinds)


class Payment(Form, frozen=True):
    """A deposit or withdrawal; the same id moves nothing again (ASR-11)."""

    id: RequestId
    currency: Currency
    amount: Annotated[int, Meta(ge=1, le=10**10)]


class MovementLine(Struct, frozen=True):
    """A payment, or what an operator did to the account (PLT-73); a rollback is a withdrawal that came back.

    The amount is in cents, above 0 into the account; of golden chips it is what each is worth, and `count` is how many;
    of a VIP level it is the level. `why` is the operator's public reason.
    """

    at: int
    kind: Literal["deposit", "withdraw", "rollback"] | AccountChange
    currency: Currency
    amount: int
    count: int = 0
    why: str = ""


class MovementsQuery(ListQuery, frozen=True):
    """A page of movements, of one way or of all, before a cursor."""

    before: Annotated[str, Meta(pattern=whole("[0-9]{1,15}-[0-9]{1,15}", "the cursor of a page"))] | None = (
        None
    )
    way: Way | Literal["operator"] | None = None


class Moved(Struct, frozen=True):
    """How many movements there were, and sums of those of money, in a currency, in cents; withdrawals that came back are not counted as withdrawn."""

    currency: Currency
    movements: int
    deposited: int
    withdrawn: int
    adjusted: int


class Movements(Struct, frozen=True):
    """Movements, newest first; `next` is the `before` of the next page. The first page has the sums of all that match."""

    lines: tuple[MovementLine, ...]
    next: str | None
    totals: tuple[Moved, ...] | None = None


class PaymentError(Exception):
    """The provider refuses; the text is shown to the player."""


class Provider(Protocol):
    """A payment provider. To repeat a player's request id must move nothing again, also while the first is under way.

    What was refused under an id stays refused.
    """

    async def pay_in(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Take a deposit from the player, or raise `PaymentError`."""

    async def pay_out(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Pay a withdrawal to the player, or raise `PaymentError`."""


class PlayMoney:
    """The provider that ships: it agrees to everything, for demonstration in euros too."""

    async def pay_in(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Agree."""

    async def pay_out(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Agree."""


def check_payment(
    connection: Connection,
    limits: CashierConfig,
    way: Way,
    player: int,
    form: Payment,
    balance: int,
    at: int,
) -> None:
    """Refuse a payment outside the cashier's limits. A whole balance can always be withdrawn."""
    least, most, day = limits.of(way)
    if way == "withdraw":
        least = min(least, balance)
    if not least <= form.amount <= most:
        raise Refusal("cashier/amount", amount=form.amount, least=least, most=most)
    left = max(0, day - _moved_on(connection, way, player, form.currency, at))
    if form.amount > left:
        raise Refusal("cashier/day", amount=form.amount, most=day, left=left)


def movements(connection: Connection, player: int, wanted: MovementsQuery) -> Movements:
    """Movements of a player, newest first; on the first page, what all of them came to."""
    limit = wanted.limit
    filter = Filter(currency=wanted.currency, since=wanted.since, until=wanted.until)
    sources = [_changes(player)] if wanted.way in (None, "operator") else []
    if wanted.way != "operator":
        sources.append(_payments(player, _ALL_KINDS if wanted.way is None else _KINDS[wanted.way]))
    found = sqlalchemy.union_all(*sources).subquery()
    rows = found.c
    matching = sqlalchemy.select(found).where(*filter.matches(rows.currency, rows.at))
    query = matching.order_by(rows.at.desc(), rows.n.desc()).limit(limit + 1)
    if wanted.before is not None:
        at, n = map(int, wanted.before.split("-"))
        query = query.where(sqlalchemy.tuple_(rows.at, rows.n) < sqlalchemy.tuple_(at, n))
    page = connection.execute(query).all()
    lines = tuple(
        MovementLine(row.at, row.kind, row.currency, row.amount, row.chips, row.why) for row in page[:limit]
    )
    last = page[limit - 1] if len(page) > limit else None
    totals = _totals(connection, matching) if wanted.before is None else None
    return Movements(lines, None if last is None else f"{last.at}-{last.n}", totals)


def _payments(player: int, kinds: Sequence[str]) -> Select[Any]:
    """Payments as movements."""
    rows = _rows(player, kinds).subquery().c
    signed = sqlalchemy.case((rows.came, rows.amount), else_=-rows.amount)
    nothing = sqlalchemy.literal(0, sqlalchemy.BigInteger)
    return sqlalchemy.select(
        rows.at,
        rows.n,
        rows.kind,
        rows.currency,
        signed.label("amount"),
        nothing.label("chips"),
        sqlalchemy.literal("", sqlalchemy.Text).label("why"),
    )


def _changes(player: int) -> Select[Any]:
    """What operators did to the account, as movements; the row of a grant holds how many chips there were."""
    told, golden = schema.notices.c, schema.golden.c
    granted = (golden.stream == told.stream) & (golden.n == told.n)
    return (
        sqlalchemy.select(
            told.at,
            told.n,
            told.what.label("kind"),
            told.currency,
            told.amount,
            sqlalchemy.func.coalesce(golden.count, 0).label("chips"),
            told.detail.label("why"),
        )
        .join_from(schema.notices, schema.golden, granted, isouter=True)
        .where(told.player == player, told.what.in_(get_args(AccountChange)))
    )


def _totals(connection: Connection, movements: Select[Any]) -> tuple[Moved, ...]:
    """How many movements there were, and what those of money came to, by currency."""
    rows = movements.subquery().c

    def total(**factors: int) -> ColumnElement[int]:
        """The sum over these kinds, each with its factor."""
        amount = sqlalchemy.case(
            *((rows.kind == kind, factor * rows.amount) for kind, factor in factors.items()), else_=0
        )
        return sqlalchemy.func.sum(amount)

    query = (
        sqlalchemy.select(
            rows.currency,
            sqlalchemy.func.count(),
            total(deposit=1),
            total(withdraw=-1, rollback=-1),
            total(adjusted=1),
        )
        .group_by(rows.currency)
        .order_by(rows.currency)
    )
    return tuple(Moved(row[0], *map(int, row[1:])) for row in connection.execute(query))


def _moved_on(connection: Connection, way: Way, player: int, currency: Currency, at: int) -> int:
    """What a player has paid in or out on the day (UTC) of a time, or is paying in, without what was rolled back."""
    rows = connection.execute(_rows(player, _KINDS[way]).where(schema.log.c.at >= day_start(at))).all()
    came_back = {row.request for row in rows if row.kind == "rollback"}
    moved = sum(
        int(row.amount)
        for row in rows
        if row.kind == way and row.currency == currency and rollback_id(row.request) not in came_back
    )
    return moved + (pending_at(connection, player, currency, at) if way == "deposit" else 0)


def _rows(player: int, kinds: Sequence[str]) -> Select[Any]:
    """The player's payments of these kinds; each is one transfer."""
    log, transfers, accounts = schema.log.c, schema.transfers.c, schema.accounts.c
    own = sqlalchemy.or_(transfers.credit == accounts.id, transfers.debit == accounts.id)
    return (
        sqlalchemy.select(
            log.at,
            log.n,
            log.kind,
            log.request,
            accounts.currency,
            transfers.amount,
            (transfers.credit == accounts.id).label("came"),
        )
        .join_from(schema.log, schema.transfers, TRANSFERS_OF_ROW)
        .join(schema.accounts, own)
        .where(log.player == player, log.kind.in_(kinds), accounts.player == player)
    )
