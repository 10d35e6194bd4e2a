"""Profiles, limits, credentials, logins and settings of players."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the tables; everyone registered before is a player like any other."""
    op.create_table(
        "profiles", *columns(player=int, role=str, vip=int, demo=bool), sa.PrimaryKeyConstraint("player")
    )
    op.execute("INSERT INTO profiles SELECT id, 'player', 0, false FROM players")
    op.create_table(
        "protections",
        *columns(player=int, kind=str, set_at=int, value=int | None, in_force_from=int),
        sa.PrimaryKeyConstraint("player", "kind", "set_at"),
    )
    op.create_table(
        "credentials", *columns(player=int, hash=str, changed_at=int), sa.PrimaryKeyConstraint("player")
    )
    op.create_table(
        "logins",
        *columns(token=bytes, player=int, created_at=int, began_at=int, seen_at=int, expires_at=int),
        *columns(revoked_at=int | None, origin=str, agent=str),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("logins_player", "logins", ["player", "seen_at"], unique=False)
    op.create_table("settings", *columns(player=int, value=bytes), sa.PrimaryKeyConstraint("player"))
    op.create_index("players_name", "players", [sa.text("lower(name)")], unique=True)
    deposits = sa.text("kind = 'deposit'")
    op.create_index("log_deposits", "log", ["player", "at"], sqlite_where=deposits, postgresql_where=deposits)
