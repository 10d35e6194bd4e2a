"""When a player was born, and which terms were accepted when."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add both; nobody registered before has accepted anything yet."""
    op.add_column("players", sa.Column("born", sa.Text(), nullable=True))
    op.create_table(
        "terms_accepted",
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("version", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player", "version"),
    )
