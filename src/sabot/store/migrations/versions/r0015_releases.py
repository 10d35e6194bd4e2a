"""The self-check: the recorded release, and the checks that were made (OFF-12)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "releases",
        *columns(version=str, kind=str, subject=str, sha256=str, at=int, operator=int | None, reason=str),
        sa.PrimaryKeyConstraint("version", "kind", "subject"),
    )
    op.create_table(
        "self_checks",
        *columns(at=int, node=str, why=str, operator=int | None, passed=bool, differences=bytes),
        sa.PrimaryKeyConstraint("at", "node", "why"),
    )
