"""Sums for the back office: tallies, players' days, flows; rounds know what was staked and paid in them (OFF-20)."""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns

revision = "0011"
down_revision = "0010"

_SUMS = {"players": "count(*)", "staked": "coalesce(sum(staked), 0)", "paid": "coalesce(sum(paid), 0)"}


def upgrade() -> None:
    """Make the tables, and sum up the rounds that are over; the house folds the rest of them itself."""
    for name in _SUMS:
        op.add_column("rounds", sa.Column(name, sa.BigInteger, nullable=False, server_default="0"))
    sets = ", ".join(
        f"{name} = (SELECT {total} FROM played WHERE played.code = rounds.code)"
        for name, total in _SUMS.items()
    )
    op.execute(f"UPDATE rounds SET {sets} WHERE state <> 'open'")
    op.create_index("rounds_table", "rounds", ["stream", "code"])
    op.create_index("rounds_game", "rounds", ["game", "currency", "closed_at", "code"])
    op.create_index("rounds_staked", "rounds", ["staked", "code"])
    op.create_index("rounds_paid", "rounds", ["paid", "code"])
    _create_index_where("state <> 'settled'", "rounds_unsettled", "rounds", ["state", "code"])
    _create_index_where("paid - staked >= 50000", "played_wins", "played", ["at", "player"])
    op.create_index("log_at", "log", ["at"])
    op.create_table(
        "tallies",
        *columns(day=int, place=str, game=str, rules=str, currency=str, bot=bool, bet=str),
        *columns(rounds=int, bets=int, staked=int, paid=int),
        sa.PrimaryKeyConstraint("day", "place", "game", "rules", "currency", "bot", "bet"),
    )
    op.create_table(
        "player_days",
        *columns(day=int, player=int, currency=str, rounds=int, staked=int, paid=int, hours=int),
        *columns(deposits=int, deposited=int, withdrawals=int, withdrawn=int),
        sa.PrimaryKeyConstraint("day", "player", "currency"),
    )
    op.create_index("player_days_player", "player_days", ["player", "day"])
    op.create_table(
        "flows",
        *columns(day=int, currency=str, kind=str, place=str, amount=int),
        sa.PrimaryKeyConstraint("day", "currency", "kind", "place"),
    )
    op.create_table("folded", *columns(stream=int, n=int), sa.PrimaryKeyConstraint("stream"))


def _create_index_where(condition: str, name: str, table: str, names: list[str]) -> None:
    where = sa.text(condition)
    op.create_index(name, table, names, sqlite_where=where, postgresql_where=where)
