"""An index of the rounds that were open for more than an hour (OFF-22)."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Make the index."""
    long = sa.text("closed_at - opened_at > 3600000")
    op.create_index("rounds_long", "rounds", ["closed_at"], sqlite_where=long, postgresql_where=long)
