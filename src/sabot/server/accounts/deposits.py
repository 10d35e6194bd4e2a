"""Deposits under way: from the check of the limits to the row in the log, with the provider in between (PLT-02, CLU-10).

The payment provider is asked without a lock, and may take long. Before, a row says what is asked for, and limits count
it; afterwards the deposit is in the log and the row is removed. After a crash in between, a row whose deposit is in the
log counts no more. Another is found by the next request with its id, which asks the provider again: nothing is taken
twice. A row counts for a day.
"""

from typing import Literal

import sqlalchemy
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.server.accounts.limits import Day, may_deposit, standing_of
from sabot.server.accounts.payments import Payment, check_payment
from sabot.server.accounts.queries import LIMITED, PENDING_MS, answered_before, day_of
from sabot.server.accounts.registration import has_accepted
from sabot.server.config import Config
from sabot.store import schema

#: A deposit was made before, or the provider is to be asked for it, perhaps once more.
Found = Literal["made", "pending", "new"]
#: How long rows of deposits that were never finished are kept, for support.
_KEPT_MS = 30 * 24 * 3_600_000


def find_deposit(connection: Connection, config: Config, player: int, form: Payment, at: int) -> Found:
    """What is known of a deposit; a new one is refused if it is not allowed.

    Called under the player's lock, and reads one moment: a deposit is in the log by then, or still pending.
    """
    if answered_before(connection, player, form.id):
        return "made"
    standing, terms = standing_of(connection, player, at), config.operator.terms_version
    if _is_pending(connection, player, form, at):
        may_deposit(standing, Day(), 0)  # not during a break from play
        return "pending"
    real = form.currency == LIMITED
    if real and not has_accepted(connection, player, terms):
        raise Refusal("terms/not-accepted", version=terms)
    may_deposit(standing, day_of(connection, player, at), form.amount if real else 0)
    check_payment(connection, config.cashier, "deposit", player, form, 0, at)
    return "new"


def begin_deposit(connection: Connection, player: int, form: Payment, at: int) -> None:
    """The provider will be asked for a deposit."""
    end_deposit(connection, player, form.id)  # an old one that counts no more
    row = (player, form.id, form.currency, form.amount, at)
    connection.execute(sqlalchemy.insert(schema.pending_deposits).values(row))


def _is_pending(connection: Connection, player: int, form: Payment, at: int) -> bool:
    """Whether limits count the deposit already; its id with other contents is refused."""
    rows = schema.pending_deposits
    query = sqlalchemy.select(rows).where(rows.c.player == player, rows.c.id == form.id)
    found = connection.execute(query).first()
    if found is None:
        return False
    if (found.currency, found.amount) != (form.currency, form.amount):
        raise Refusal("command/reused", id=form.id)
    return bool(found.at > at - PENDING_MS)


def end_deposit(connection: Connection, player: int, id: str) -> None:
    """The provider refused, or the deposit is in the log."""
    rows = schema.pending_deposits
    connection.execute(sqlalchemy.delete(rows).where(rows.c.player == player, rows.c.id == id))


def forget_deposits(connection: Connection, at: int) -> None:
    """Delete rows of deposits that were never finished, after a long time."""
    rows = schema.pending_deposits
    connection.execute(sqlalchemy.delete(rows).where(rows.c.at < at - _KEPT_MS))
