"""An index for the pause and the shoes of a live table, among the rows of its crowd."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Make the index."""
    marks = sa.text("kind IN ('pause', 'resume', 'refund', 'round-opened', 'shoe-committed', 'shoe-seeded')")
    op.create_index("log_marks", "log", ["stream", "n"], sqlite_where=marks, postgresql_where=marks)
