"""Attempts at an account are counted by their source; browsers that are known; tokens that are renewed (OFF-06)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Make the tables; nobody is locked out any more, and a second factor that waits for its first code is begun again."""
    op.drop_table("lock_outs")
    op.create_table(
        "lock_outs",
        *columns(key=bytes, player=int | None, at=int, failures=bytes, locked_until=int | None),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "known_devices",
        *columns(token=bytes, player=int, seen_at=int),
        sa.PrimaryKeyConstraint("token", "player"),
    )
    for column in columns(secret=bytes | None):
        op.add_column("logins", column)
    for column in columns(pending_at=int | None, pending_by=bytes | None):
        op.add_column("second_factors", column)
    op.execute("UPDATE second_factors SET pending = NULL")
