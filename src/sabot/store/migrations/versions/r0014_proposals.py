"""Changes while the house runs: proposals of operators, and the settings that were approved (OFF-10)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "proposals",
        *columns(id=int, at=int, proposer=int, kind=str, subject=str, version=int),
        *columns(value_before=bytes, value_after=bytes, reason=str),
        *columns(state=str, decided_at=int | None, decider=int | None, decision=str | None),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("proposals_subject", "proposals", ["subject", "id"])
    waiting = sa.text("state = 'open'")
    op.create_index("proposals_open", "proposals", ["id"], sqlite_where=waiting, postgresql_where=waiting)
    seated = sa.text("closed_at IS NULL")
    op.create_index("sittings_open", "sittings", ["stream"], sqlite_where=seated, postgresql_where=seated)
    op.create_table(
        "changes",
        *columns(subject=str, version=int, at=int, value=bytes, proposal=int),
        sa.PrimaryKeyConstraint("subject", "version"),
    )
