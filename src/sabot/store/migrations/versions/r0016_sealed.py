"""Cards that lie face down where a person deals (STU-06)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "sealed", *columns(stream=int, n=int, bytes=bytes), sa.PrimaryKeyConstraint("stream", "n")
    )
