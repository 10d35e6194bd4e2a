"""Dates of birth, and the terms that players accepted."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add both; nobody registered before has accepted anything yet."""
    op.add_column("players", sa.Column("born", sa.Text(), nullable=True))
    op.create_table(
        "terms_accepted",
        *columns(player=int, version=str, at=int),
        sa.PrimaryKeyConstraint("player", "version"),
    )
