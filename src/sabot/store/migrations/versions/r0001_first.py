"""The first tables."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make every table."""
    op.create_table(
        "accounts",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=True),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("balance", sa.BigInteger(), nullable=True),
        sa.CheckConstraint("balance >= 0", name="accounts_balance"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_index("accounts_player", "accounts", ["player"], unique=False)
    op.create_table(
        "counters",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("next", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "log",
        sa.Column("stream", sa.BigInteger(), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("round", sa.Text(), nullable=True),
        sa.Column("player", sa.BigInteger(), nullable=True),
        sa.Column("request", sa.Text(), nullable=True),
        sa.Column("digest", sa.LargeBinary(), nullable=True),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.Column("hash", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("stream", "n"),
        sa.UniqueConstraint("player", "request", name="log_request"),
    )
    op.create_index("log_round", "log", ["round"], unique=False)
    op.create_table(
        "played",
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("staked", sa.BigInteger(), nullable=False),
        sa.Column("paid", sa.BigInteger(), nullable=False),
        sa.Column("golden", sa.Boolean(), nullable=False),
        sa.PrimaryKeyConstraint("player", "at", "code"),
    )
    op.create_index("played_code", "played", ["code"], unique=False)
    op.create_table(
        "players",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("salt", sa.LargeBinary(), nullable=False),
        sa.Column("registered_at", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "rounds",
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("stream", sa.BigInteger(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("currency", sa.Text(), nullable=False),
        sa.Column("engine", sa.BigInteger(), nullable=False),
        sa.Column("state", sa.Text(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("code"),
    )
    op.create_index("rounds_closed", "rounds", ["closed_at"], unique=False)
    op.create_index("rounds_stream", "rounds", ["stream", "state"], unique=False)
    op.create_table(
        "shoes",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stream", sa.BigInteger(), nullable=False),
        sa.Column("commitment", sa.Text(), nullable=False),
        sa.Column("sealed", sa.LargeBinary(), nullable=False),
        sa.Column("client_seed", sa.Text(), nullable=True),
        sa.Column("seeds", sa.LargeBinary(), nullable=True),
        sa.Column("seed", sa.LargeBinary(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("commitment"),
    )
    op.create_index("shoes_stream", "shoes", ["stream"], unique=False)
    op.create_table(
        "sittings",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("stream", sa.BigInteger(), nullable=False),
        sa.Column("player", sa.BigInteger(), nullable=False),
        sa.Column("account", sa.BigInteger(), nullable=False),
        sa.Column("opened_at", sa.BigInteger(), nullable=False),
        sa.Column("closed_at", sa.BigInteger(), nullable=True),
        sa.Column("brought", sa.BigInteger(), nullable=False),
        sa.Column("taken", sa.BigInteger(), nullable=True),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("sittings_player", "sittings", ["player"], unique=False)
    op.create_index("sittings_stream", "sittings", ["stream"], unique=False)
    op.create_table(
        "streams",
        sa.Column("id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("epoch", sa.BigInteger(), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("head", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "transfers",
        sa.Column("stream", sa.BigInteger(), nullable=False),
        sa.Column("n", sa.BigInteger(), nullable=False),
        sa.Column("i", sa.BigInteger(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("debit", sa.BigInteger(), nullable=False),
        sa.Column("credit", sa.BigInteger(), nullable=False),
        sa.Column("amount", sa.BigInteger(), nullable=False),
        sa.CheckConstraint("amount > 0", name="transfers_amount"),
        sa.CheckConstraint("debit <> credit", name="transfers_two_accounts"),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
        sa.UniqueConstraint("key"),
    )
    if op.get_bind().dialect.name == "postgresql":
        # A crowd's rows are megabytes, and PostgreSQL compresses slowly. Half of every page of accounts and streams is
        # left free, so that a new balance stays on the page of the old one and no index hears of it.
        op.execute("ALTER TABLE log ALTER COLUMN body SET STORAGE EXTERNAL")
        op.execute("ALTER TABLE accounts SET (fillfactor = 50)")
        op.execute("ALTER TABLE streams SET (fillfactor = 50)")
