"""An index of the orders to void a round (OFF-04)."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Make the index."""
    voiding = sa.text("kind = 'void-round'")
    op.create_index("log_voidings", "log", ["at"], sqlite_where=voiding, postgresql_where=voiding)
