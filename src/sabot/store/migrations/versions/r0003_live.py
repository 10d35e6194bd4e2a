"""Seats, golden chips, and players that are programs."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables; nobody registered before is a bot."""
    op.create_table(
        "seats",
        *columns(id=int, stream=int, spot=int, player=int, taken_at=int, left_at=int | None),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("seats_stream", "seats", ["stream"], unique=False)
    taken = sa.text("left_at IS NULL")
    op.create_index(
        "seats_taken", "seats", ["stream", "spot"], unique=True, sqlite_where=taken, postgresql_where=taken
    )
    op.create_table(
        "golden",
        *columns(stream=int, n=int, i=int, account=int, value=int, count=int),
        sa.CheckConstraint("value > 0", name="golden_value"),
        sa.CheckConstraint("count <> 0", name="golden_count"),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
    )
    op.create_index("golden_account", "golden", ["account"], unique=False)
    op.add_column("profiles", sa.Column("bot", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("profiles") as profiles:
        profiles.alter_column("bot", server_default=None)  # from now on every new row has a value
