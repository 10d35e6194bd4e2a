"""What players are to the house, what they have set themselves, and how they come in."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make the tables; everyone registered before is a player like any other."""
    op.create_table(
        "profiles",
        sa.Column("player", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("role", sa.Text(), nullable=False),
        sa.Column("vip", sa.BigInteger(), nullable=False),
        sa.Column("demo", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("player"),
    )
    op.execute("INSERT INTO profiles SELECT id, 'player', 0, false FROM players")
    op.create_table(
        "protections",
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("set_at", sa.BigInteger(), nullable=False),
        sa.Column("value", sa.BigInteger(), nullable=True),
        sa.Column("in_force_from", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player", "kind", "set_at"),
    )
    op.create_table(
        "credentials",
        sa.Column("player", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("hash", sa.Text(), nullable=False),
        sa.Column("changed_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("player"),
    )
    op.create_table(
        "logins",
        sa.Column("token", sa.LargeBinary(), nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("created_at", sa.BigInteger(), nullable=False),
        sa.Column("began_at", sa.BigInteger(), nullable=False),
        sa.Column("seen_at", sa.BigInteger(), nullable=False),
        sa.Column("expires_at", sa.BigInteger(), nullable=False),
        sa.Column("revoked_at", sa.BigInteger(), nullable=True),
        sa.Column("origin", sa.Text(), nullable=False),
        sa.Column("agent", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("token"),
    )
    op.create_index("logins_player", "logins", ["player", "seen_at"], unique=False)
    op.create_table(
        "settings",
        sa.Column("player", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("player"),
    )
    op.create_index("players_name", "players", [sa.text("lower(name)")], unique=True)
    deposits = sa.text("kind = 'deposit'")
    op.create_index("log_deposits", "log", ["player", "at"], sqlite_where=deposits, postgresql_where=deposits)
