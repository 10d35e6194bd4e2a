"""The monitoring of returns: days of each bet, and its alarm (OFF-13)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the tables; what was folded before is not watched."""
    line = dict.fromkeys(("place", "game", "rules", "currency", "bet"), str)
    op.create_table(
        "return_days",
        *columns(day=int, **line, rounds=int, initial=int, staked=int, paid=int, cumulants=bytes),
        sa.PrimaryKeyConstraint("day", *line),
    )
    op.create_table(
        "return_alarms",
        *columns(**line, day=int, rounds=int, capitals=bytes, alarms=int),
        *columns(raised_at=int | None, seen_at=int | None),
        sa.PrimaryKeyConstraint(*line),
    )
