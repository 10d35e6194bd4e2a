"""Limits that hold for the whole house: deposits under way, what loss limits set aside, rates of logins (CLU-10)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Make the tables; PostgreSQL need not keep rates over a crash."""
    op.create_table(
        "pending_deposits",
        *columns(player=int, id=str, currency=str, amount=int, at=int),
        sa.PrimaryKeyConstraint("player", "id"),
    )
    op.create_table(
        "set_aside",
        *columns(player=int, round=str, most=int),
        sa.PrimaryKeyConstraint("player", "round"),
    )
    op.create_table(
        "rates",
        *columns(key=bytes, full_at=int),
        sa.PrimaryKeyConstraint("key"),
        prefixes=["UNLOGGED"] if op.get_bind().dialect.name == "postgresql" else [],
    )
