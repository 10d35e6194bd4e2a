"""Second factors, locks, significant events, what is said at tables, notes on players, adjustments (OFF)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the tables; nobody is locked, and no operator has a second factor yet."""
    op.add_column("profiles", sa.Column("locked", sa.Boolean(), nullable=False, server_default=sa.false()))
    with op.batch_alter_table("profiles") as profiles:
        profiles.alter_column("locked", server_default=None)  # from now on every new row has a value
    for column in columns(proved_at=int | None, office_at=int | None):
        op.add_column("logins", column)
    op.create_table(
        "second_factors",
        *columns(player=int, sealed=bytes | None, pending=bytes | None, step=int, enrolled_at=int | None),
        sa.PrimaryKeyConstraint("player"),
    )
    op.create_table(
        "recovery_codes",
        *columns(player=int, hash=bytes, used_at=int | None),
        sa.PrimaryKeyConstraint("player", "hash"),
    )
    op.create_table(
        "lock_outs",
        *columns(player=int, failures=bytes, locked_until=int | None),
        sa.PrimaryKeyConstraint("player"),
    )
    _create_events()
    op.create_table(
        "said",
        *columns(place=str, id=int, at=int, player=int, role=str, line=str),
        *columns(removed_at=int | None, removed_by=int | None),
        sa.PrimaryKeyConstraint("place", "id"),
    )
    op.create_index("said_at", "said", ["at"])
    op.create_index("said_player", "said", ["player", "at"])
    op.create_table(
        "player_notes",
        *columns(player=int, at=int, operator=int, line=str),
        sa.PrimaryKeyConstraint("player", "at", "operator"),
    )
    _index_where("kind = 'adjust'", "log_adjustments", "log", ["player", "request"], unique=True)
    if op.get_bind().dialect.name == "postgresql":
        op.create_index("players_prefix", "players", [sa.text("lower(name) text_pattern_ops")])


def _create_events() -> None:
    op.create_table(
        "events",
        *columns(at=int, id=int, node=str, severity=str, kind=str, player=int | None, round=str | None),
        *columns(place=str | None, address=str | None, times=int, detail=bytes),
        sa.PrimaryKeyConstraint("at", "id"),
    )
    op.create_index("events_kind", "events", ["kind", "at"])
    op.create_index("events_severity", "events", ["severity", "at"])
    for name in ("player", "round", "place"):
        _index_where(f"{name} IS NOT NULL", f"events_{name}", "events", [name, "at"])


def _index_where(condition: str, name: str, table: str, names: list[str], *, unique: bool = False) -> None:
    where = sa.text(condition)
    op.create_index(name, table, names, unique=unique, sqlite_where=where, postgresql_where=where)
