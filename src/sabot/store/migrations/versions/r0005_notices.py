"""What a table did to its players that nobody had asked for (PLT-49)."""

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the table; older houses have told nothing."""
    op.create_table(
        "notices",
        sa.Column("stream", sa.BigInteger, nullable=False),
        sa.Column("n", sa.BigInteger, nullable=False),
        sa.Column("i", sa.BigInteger, nullable=False),
        sa.Column("player", sa.BigInteger, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.Column("what", sa.Text, nullable=False),
        sa.Column("game", sa.Text, nullable=False),
        sa.Column("currency", sa.Text, nullable=False),
        sa.Column("round", sa.Text, nullable=False),
        sa.Column("spot", sa.BigInteger, nullable=False),
        sa.Column("hand", sa.BigInteger, nullable=False),
        sa.Column("detail", sa.Text, nullable=False),
        sa.Column("amount", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
    )
    op.create_index("notices_player", "notices", ["player", "at"])
