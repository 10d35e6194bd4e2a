"""When players answered reality checks (PLT-51)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the table; which checks were answered before, only the pages knew."""
    op.create_table("reality_checks", *columns(player=int, at=int), sa.PrimaryKeyConstraint("player", "at"))
