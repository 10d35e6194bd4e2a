"""No index of the first letters of names: players are found by any part of theirs (OFF-03)."""

from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    """Drop the index, which PostgreSQL alone had."""
    if op.get_bind().dialect.name == "postgresql":
        op.drop_index("players_prefix", "players")
