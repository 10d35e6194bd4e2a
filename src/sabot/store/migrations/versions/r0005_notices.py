"""Notices: what a table did to a player unasked (PLT-49)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Make the table; older houses have no notices."""
    op.create_table(
        "notices",
        *columns(stream=int, n=int, i=int, player=int, at=int, what=str, game=str, currency=str, round=str),
        *columns(spot=int, hand=int, detail=str, amount=int),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
    )
    op.create_index("notices_player", "notices", ["player", "at"])
