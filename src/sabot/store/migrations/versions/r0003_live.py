"""Seats, golden chips, and players that are programs."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; nobody registered before is a bot."""
    op.create_table(
        "seats",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stream", sa.BigInteger(), nullable=False),
        sa.Column("spot", sa.BigInteger(), nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("taken_at", sa.BigInteger(), nullable=False),
        sa.Column("left_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("seats_stream", "seats", ["stream"], unique=False)
    taken = sa.text("left_at IS NULL")
    op.create_index(
        "seats_taken", "seats", ["stream", "spot"], unique=True, sqlite_where=taken, postgresql_where=taken
    )
    op.create_table(
        "golden",
        sa.Column("stream", sa.BigInteger(), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("i", sa.BigInteger(), nullable=False),
        sa.Column("account", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=False),
        sa.Column("count", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("value > 0", name="golden_value"),
        sa.CheckConstraint("count <> 0", name="golden_count"),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
    )
    op.create_index("golden_account", "golden", ["account"], unique=False)
    op.add_column("profiles", sa.Column("bot", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("profiles") as profiles:
        profiles.alter_column("bot", server_default=None)  # from now on each profile says it itself
