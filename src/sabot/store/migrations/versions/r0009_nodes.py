"""Nodes: the processes that serve a house, which of them owns a stream, and what they must not do twice (CLU-03)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the tables; a stream without an owner can be taken by anyone. Each node has a register: a grant is made once."""
    op.create_table(
        "nodes",
        *columns(id=int, name=str, slot=int, release=str, settings=str),
        *columns(until=int, dead_at=int | None, draining=bool, load=str),
        sa.PrimaryKeyConstraint("id"),
    )
    alive = sa.text("dead_at IS NULL")
    for name, column in (("nodes_slot", "slot"), ("nodes_name", "name")):
        op.create_index(name, "nodes", [column], unique=True, sqlite_where=alive, postgresql_where=alive)
    op.create_table("house", *columns(name=str, value=str), sa.PrimaryKeyConstraint("name"))
    op.add_column("streams", *columns(owner=int | None))
    grants = sa.text("kind = 'grant-golden'")
    op.create_index(
        "log_grants",
        "log",
        ["player", "request"],
        unique=True,
        sqlite_where=grants,
        postgresql_where=grants,
    )
