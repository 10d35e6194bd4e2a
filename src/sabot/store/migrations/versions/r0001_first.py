"""The first tables."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    op.create_table(
        "accounts",
        *columns(id=int, name=str, kind=str, player=int | None, currency=str, balance=int | None),
        sa.CheckConstraint("balance >= 0", name="accounts_balance"),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_index("accounts_player", "accounts", ["player"], unique=False)
    op.create_table("counters", *columns(name=str, next=int), sa.PrimaryKeyConstraint("name"))
    op.create_table(
        "log",
        *columns(stream=int, n=int, epoch=int, at=int, kind=str, round=str | None, player=int | None),
        *columns(request=str | None, digest=bytes | None, body=bytes, hash=bytes),
        sa.PrimaryKeyConstraint("stream", "n"),
        sa.UniqueConstraint("player", "request", name="log_request"),
    )
    op.create_index("log_round", "log", ["round"], unique=False)
    op.create_table(
        "played",
        *columns(player=int, at=int, code=str, staked=int, paid=int, golden=bool),
        sa.PrimaryKeyConstraint("player", "at", "code"),
    )
    op.create_index("played_code", "played", ["code"], unique=False)
    op.create_table(
        "players",
        *columns(id=int, name=str, salt=bytes, registered_at=int),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "rounds",
        *columns(code=str, stream=int, game=str, currency=str, engine=int, state=str, opened_at=int),
        *columns(closed_at=int | None),
        sa.PrimaryKeyConstraint("code"),
    )
    op.create_index("rounds_closed", "rounds", ["closed_at"], unique=False)
    op.create_index("rounds_stream", "rounds", ["stream", "state"], unique=False)
    op.create_table(
        "shoes",
        *columns(id=int, stream=int, commitment=str, sealed=bytes, client_seed=str | None),
        *columns(seeds=bytes | None, seed=bytes | None),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("commitment"),
    )
    op.create_index("shoes_stream", "shoes", ["stream"], unique=False)
    op.create_table(
        "sittings",
        *columns(id=int, stream=int, player=int, account=int, opened_at=int, closed_at=int | None),
        *columns(brought=int, taken=int | None),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("sittings_player", "sittings", ["player"], unique=False)
    op.create_index("sittings_stream", "sittings", ["stream"], unique=False)
    op.create_table(
        "streams",
        *columns(id=int, name=str, epoch=int, n=int, head=bytes),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "transfers",
        *columns(stream=int, n=int, i=int, key=str, debit=int, credit=int, amount=int),
        sa.CheckConstraint("amount > 0", name="transfers_amount"),
        sa.CheckConstraint("debit <> credit", name="transfers_two_accounts"),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
        sa.UniqueConstraint("key"),
    )
    if op.get_bind().dialect.name == "postgresql":
        # A crowd's rows are megabytes, and PostgreSQL compresses slowly. Half of every page of accounts and streams is
        # left free, so that a new balance stays on the page of the old one and no index changes.
        op.execute("ALTER TABLE log ALTER COLUMN body SET STORAGE EXTERNAL")
        op.execute("ALTER TABLE accounts SET (fillfactor = 50)")
        op.execute("ALTER TABLE streams SET (fillfactor = 50)")
