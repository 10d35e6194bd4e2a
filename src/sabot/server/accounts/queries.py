"""Database reads on one player: balances, sittings, open rounds, and the money of a day."""

from collections.abc import Sequence

import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection, bindparam

from sabot.rounds.history import Filter, totals
from sabot.server.accounts.limits import Day, OpenRound, day_start
from sabot.server.accounts.preferences import Settings, read_settings
from sabot.store import schema
from sabot.store.cashier import account_name
from sabot.store.kinds import PAYMENTS, Currency

#: Requests of a player that are remembered, so that a repeated one is not carried out again.
KEPT_REQUESTS = 256
#: Requests in one query.
_AT_ONCE = 500
#: The currency of players' own limits.
LIMITED: Currency = "EUR"
#: How long a deposit that the provider is being asked for is counted.
PENDING_MS = 24 * 3_600_000
#: Joins the transfers of a row of the log, and the open round at the table of a sitting.
TRANSFERS_OF_ROW = (schema.transfers.c.stream == schema.log.c.stream) & (
    schema.transfers.c.n == schema.log.c.n
)
_ROUND_OF_SITTING = (schema.rounds.c.stream == schema.sittings.c.stream) & (schema.rounds.c.state == "open")


_ANSWERED = (
    sqlalchemy.select(schema.log.c.request, schema.log.c.digest)
    .where(
        schema.log.c.player == bindparam("player"),
        schema.log.c.request.is_not(None),
        schema.log.c.stream == bindparam("stream"),
    )
    .order_by(schema.log.c.at.desc())
    .limit(KEPT_REQUESTS)
)
_PURSE = sqlalchemy.select(
    sqlalchemy.select(schema.accounts.c.balance)
    .where(schema.accounts.c.name == bindparam("account"))
    .scalar_subquery()
    .label("balance"),
    sqlalchemy.select(schema.settings.c.value)
    .where(schema.settings.c.player == bindparam("player"))
    .scalar_subquery()
    .label("value"),
)


class OpenSitting(Struct, frozen=True):
    """A sitting of the player, with the money that is not staked, and the open round at its table."""

    table: str
    currency: Currency
    balance: int
    brought: int
    since: int
    round: str | None
    game: str | None


def balances(connection: Connection, player: int) -> dict[str, int]:
    """The player's money that is not at a table, by currency."""
    accounts = schema.accounts.c
    query = sqlalchemy.select(accounts.currency, accounts.balance).where(
        accounts.player == player, accounts.kind == "player"
    )
    return dict(sorted((row.currency, row.balance) for row in connection.execute(query)))


def seats(connection: Connection, player: int) -> tuple[OpenSitting, ...]:
    """The player's open sittings, and the rounds being played there (PLT-30)."""
    sittings, streams = schema.sittings.c, schema.streams.c
    accounts, rounds = schema.accounts.c, schema.rounds.c
    query = (
        sqlalchemy.select(
            streams.name,
            accounts.currency,
            accounts.balance,
            sittings.brought,
            sittings.opened_at,
            rounds.code,
            rounds.game,
        )
        .join_from(schema.sittings, schema.streams, sittings.stream == streams.id)
        .join(schema.accounts, sittings.account == accounts.id)
        .join(schema.rounds, _ROUND_OF_SITTING, isouter=True)
        .where(sittings.player == player, sittings.closed_at.is_(None))
        .order_by(sittings.id)
    )
    return tuple(OpenSitting(*row) for row in connection.execute(query))


def day_of(connection: Connection, player: int, at: int) -> Day:
    """Deposits, losses and open stakes of real money on the day (UTC) of a time."""
    at_stake = sum(one.staked for one in rounds_of(connection, player))
    deposited = _deposited_on(connection, player, at) + pending_at(connection, player, LIMITED, at)
    return Day(deposited, lost_on(connection, player, at), at_stake)


def pending_at(connection: Connection, player: int, currency: Currency, at: int) -> int:
    """What the provider is being asked for, without deposits that are in the log."""
    rows = schema.pending_deposits.c
    log = schema.log.c
    made = sqlalchemy.exists().where(log.player == player, log.request == rows.id, log.kind.in_(PAYMENTS))
    query = sqlalchemy.select(sqlalchemy.func.sum(rows.amount)).where(
        rows.player == player, rows.currency == currency, rows.at > at - PENDING_MS, ~made
    )
    return int(connection.execute(query).scalar() or 0)


def lost_on(connection: Connection, player: int, at: int) -> int:
    """What a player lost with real money on the day of a time; below 0 it was won.

    To be read after open rounds: one that ends between the two reads is then counted twice, not left out.
    """
    nets = totals(connection, player, Filter(since=day_start(at)))
    return sum(net.staked - net.paid for net in nets if net.currency == LIMITED)


def answered_before(connection: Connection, player: int, id: str) -> bool:
    """Whether a payment of the player was carried out."""
    log = schema.log.c
    query = sqlalchemy.select(log.n).where(log.player == player, log.request == id, log.kind.in_(PAYMENTS))
    return connection.execute(query).first() is not None


def balance_of(connection: Connection, account: str) -> int:
    """The balance of an account."""
    accounts = schema.accounts.c
    found = connection.execute(sqlalchemy.select(accounts.balance).where(accounts.name == account)).scalar()
    return int(found or 0)


def answered_by(connection: Connection, stream: int, player: int) -> dict[str, bytes]:
    """The player's latest requests at a table, oldest first, with the digests of their contents."""
    found = connection.execute(_ANSWERED, {"player": player, "stream": stream}).all()
    return {row.request: row.digest for row in reversed(found)}


def purse_of(connection: Connection, player: int, currency: Currency) -> tuple[int, Settings]:
    """A player's money that is not at a table, and the settings."""
    row = connection.execute(_PURSE, {"account": account_name(player, currency), "player": player}).one()
    return row.balance or 0, read_settings(row.value)


def answered_among(
    connection: Connection, stream: int, requests: Sequence[tuple[str, str]]
) -> list[tuple[tuple[str, str], bytes]]:
    """Which of these requests, as player and id, stand in the log of a table, with the digests of their contents."""
    log = schema.log.c
    found: list[tuple[tuple[str, str], bytes]] = []
    for at in range(0, len(requests), _AT_ONCE):
        keys = [(int(player), id) for player, id in requests[at : at + _AT_ONCE]]
        # A join, because SQLite finds pairs in a list by reading the whole log.
        sent = sqlalchemy.values(log.player, log.request, name="sent").data(keys).cte("sent")
        query = sqlalchemy.select(log.player, log.request, log.digest).join(
            sent, (log.player == sent.c.player) & (log.request == sent.c.request) & (log.stream == stream)
        )
        found += [((str(row.player), row.request), row.digest) for row in connection.execute(query)]
    return found


def _deposited_on(connection: Connection, player: int, at: int) -> int:
    log, transfers, accounts = schema.log.c, schema.transfers.c, schema.accounts.c
    query = (
        sqlalchemy.select(sqlalchemy.func.sum(transfers.amount))
        .join_from(schema.log, schema.transfers, TRANSFERS_OF_ROW)
        .join(schema.accounts, transfers.credit == accounts.id)
        .where(
            log.player == player,
            log.kind == sqlalchemy.literal_column("'deposit'"),  # so that the index of deposits serves
            log.at >= day_start(at),
            accounts.name == account_name(player, LIMITED),
        )
    )
    return int(connection.execute(query).scalar() or 0)


def rounds_of(connection: Connection, player: int) -> list[OpenRound]:
    """Open rounds with real money of the player."""
    return open_stakes(connection, player, LIMITED)


def open_stakes(connection: Connection, player: int, currency: Currency) -> list[OpenRound]:
    """Open rounds of the player in a currency: stakes, less those that were returned.

    What a round has paid already counts when the round is over, not before (ASR-41).
    """
    log, transfers, rounds = schema.log.c, schema.transfers.c, schema.rounds.c
    sittings, accounts, streams = schema.sittings.c, schema.accounts.c, schema.streams.c
    query = (
        sqlalchemy.select(
            rounds.code,
            streams.name,
            sqlalchemy.func.sum(
                sqlalchemy.case(
                    (transfers.debit == sittings.account, transfers.amount), else_=-transfers.amount
                )
            ),
        )
        .join_from(schema.sittings, schema.rounds, _ROUND_OF_SITTING)
        .join(schema.accounts, sittings.account == accounts.id)
        .join(schema.streams, streams.id == rounds.stream)
        .join(schema.log, log.round == rounds.code)
        .join(schema.transfers, TRANSFERS_OF_ROW)
        .where(
            sittings.player == player,
            sittings.closed_at.is_(None),
            accounts.currency == currency,
            transfers.key.like(rounds.code + "/%"),
            transfers.key.not_like("%/paid"),
            sqlalchemy.or_(transfers.debit == sittings.account, transfers.credit == sittings.account),
        )
        .group_by(rounds.code, streams.name)
        .order_by(rounds.code)
    )
    return [OpenRound(row[0], row[1], int(row[2])) for row in connection.execute(query)]
