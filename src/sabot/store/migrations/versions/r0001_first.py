"""The tables of release 1.0.0.

Conditions of indexes are written out here: what `schema` says may change with a later revision, this may not.
"""

import sqlalchemy as sa
from alembic import op

from sabot.store.schema import columns, index_where

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make every table."""
    _make_log()
    _make_people()
    _make_ledger()
    _make_tables()
    _make_sums()
    _make_office()
    _make_access()
    _make_nodes()
    if op.get_bind().dialect.name == "postgresql":
        # A crowd's rows are megabytes, and PostgreSQL compresses slowly. Half of every page of accounts and streams is
        # left free, so that a new balance stays on the page of the old one and no index changes.
        op.execute("ALTER TABLE log ALTER COLUMN body SET STORAGE EXTERNAL")
        op.execute("ALTER TABLE accounts SET (fillfactor = 50)")
        op.execute("ALTER TABLE streams SET (fillfactor = 50)")


def _make_log() -> None:
    op.create_table("counters", *columns(name=str, next=int), sa.PrimaryKeyConstraint("name"))
    op.create_table(
        "streams",
        *columns(id=int, name=str, epoch=int, n=int, head=bytes, owner=int | None),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "log",
        *columns(stream=int, n=int, epoch=int, at=int, kind=str, round=str | None),
        *columns(player=int | None, request=str | None, digest=bytes | None),
        *columns(body=bytes, hash=bytes),
        sa.PrimaryKeyConstraint("stream", "n"),
        sa.UniqueConstraint("player", "request", "stream", name="log_request"),
        sa.Index("log_round", "round"),
        index_where("kind = 'deposit'", "log_deposits", "player", "at"),
        index_where(
            "kind IN ('credit', 'debit', 'deposit', 'rollback', 'withdraw')",
            "log_payments",
            "player",
            "request",
            unique=True,
        ),
        index_where("kind = 'grant-golden'", "log_grants", "player", "request", unique=True),
        index_where("kind = 'adjust'", "log_adjustments", "player", "request", unique=True),
        index_where(
            "kind IN ('pause', 'resume', 'refund', 'round-opened', 'shoe-committed', 'shoe-seeded')",
            "log_marks",
            "stream",
            "n",
        ),
        index_where("kind = 'void-round'", "log_voidings", "at"),
        sa.Index("log_at", "at"),
    )


def _make_people() -> None:
    op.create_table(
        "players",
        *columns(id=int, name=str, salt=bytes, registered_at=int, born=str | None),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_index("players_name", "players", [sa.text("lower(name)")], unique=True)
    op.create_table(
        "profiles",
        *columns(player=int, role=str, vip=int, demo=bool, bot=bool, locked=bool),
        sa.PrimaryKeyConstraint("player"),
    )
    op.create_table(
        "protections",
        *columns(player=int, kind=str, set_at=int, value=int | None, in_force_from=int),
        sa.PrimaryKeyConstraint("player", "kind", "set_at"),
    )
    op.create_table(
        "terms_accepted",
        *columns(player=int, version=str, at=int),
        sa.PrimaryKeyConstraint("player", "version"),
    )
    op.create_table("reality_checks", *columns(player=int, at=int), sa.PrimaryKeyConstraint("player", "at"))


def _make_ledger() -> None:
    op.create_table(
        "accounts",
        *columns(id=int, name=str, kind=str, player=int | None, currency=str, balance=int | None),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
        sa.CheckConstraint("balance >= 0", name="accounts_balance"),
        sa.Index("accounts_player", "player"),
    )
    op.create_table(
        "transfers",
        *columns(stream=int, n=int, i=int, key=str, debit=int, credit=int, amount=int),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
        sa.UniqueConstraint("key"),
        sa.CheckConstraint("amount > 0", name="transfers_amount"),
        sa.CheckConstraint("debit <> credit", name="transfers_two_accounts"),
    )
    op.create_table(
        "golden",
        *columns(stream=int, n=int, i=int, account=int, value=int, count=int),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
        sa.CheckConstraint("value > 0", name="golden_value"),
        sa.CheckConstraint("count <> 0", name="golden_count"),
        sa.Index("golden_account", "account"),
    )


def _make_tables() -> None:
    op.create_table(
        "sittings",
        *columns(id=int, stream=int, player=int, account=int),
        *columns(opened_at=int, closed_at=int | None, brought=int, taken=int | None),
        sa.PrimaryKeyConstraint("id"),
        sa.Index("sittings_player", "player"),
        sa.Index("sittings_stream", "stream"),
        index_where("closed_at IS NULL", "sittings_open", "stream"),
    )
    op.create_table(
        "seats",
        *columns(id=int, stream=int, spot=int, player=int, taken_at=int, left_at=int | None),
        sa.PrimaryKeyConstraint("id"),
        sa.Index("seats_stream", "stream"),
        index_where("left_at IS NULL", "seats_taken", "stream", "spot", unique=True),
    )
    op.create_table(
        "shoes",
        *columns(id=int, stream=int, commitment=str, sealed=bytes),
        *columns(client_seed=str | None, seeds=bytes | None, seed=bytes | None),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("commitment"),
        sa.Index("shoes_stream", "stream"),
    )
    op.create_table(
        "sealed",
        *columns(stream=int, n=int, bytes=bytes),
        sa.PrimaryKeyConstraint("stream", "n"),
    )
    op.create_table(
        "rounds",
        *columns(code=str, stream=int, game=str, currency=str, engine=int),
        *columns(state=str, opened_at=int, closed_at=int | None, players=int, staked=int, paid=int),
        sa.PrimaryKeyConstraint("code"),
        sa.Index("rounds_stream", "stream", "state"),
        sa.Index("rounds_closed", "closed_at"),
        sa.Index("rounds_table", "stream", "code"),
        sa.Index("rounds_game", "game", "currency", "closed_at", "code"),
        sa.Index("rounds_staked", "staked", "code"),
        sa.Index("rounds_paid", "paid", "code"),
        index_where("state <> 'settled'", "rounds_unsettled", "state", "code"),
        index_where("closed_at - opened_at > 3600000", "rounds_long", "closed_at"),
    )
    op.create_table(
        "played",
        *columns(player=int, at=int, code=str, staked=int, paid=int, golden=bool),
        sa.PrimaryKeyConstraint("player", "at", "code"),
        sa.Index("played_code", "code"),
        index_where("paid - staked >= 50000", "played_wins", "at", "player"),
    )
    op.create_table(
        "notices",
        *columns(stream=int, n=int, i=int, player=int, at=int, what=str),
        *columns(game=str, currency=str, round=str, spot=int, hand=int, detail=str, amount=int),
        sa.PrimaryKeyConstraint("stream", "n", "i"),
        sa.Index("notices_player", "player", "at"),
    )


def _make_sums() -> None:
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
        sa.Index("player_days_player", "player", "day"),
    )
    op.create_table(
        "flows",
        *columns(day=int, currency=str, kind=str, place=str, amount=int),
        sa.PrimaryKeyConstraint("day", "currency", "kind", "place"),
    )
    op.create_table(
        "return_days",
        *columns(day=int, place=str, game=str, rules=str, currency=str, bet=str),
        *columns(rounds=int, initial=int, staked=int, paid=int, cumulants=bytes),
        sa.PrimaryKeyConstraint("day", "place", "game", "rules", "currency", "bet"),
    )
    op.create_table(
        "return_alarms",
        *columns(place=str, game=str, rules=str, currency=str, bet=str),
        *columns(day=int, rounds=int, capitals=bytes, alarms=int, raised_at=int | None, seen_at=int | None),
        sa.PrimaryKeyConstraint("place", "game", "rules", "currency", "bet"),
    )
    op.create_table("folded", *columns(stream=int, n=int), sa.PrimaryKeyConstraint("stream"))


def _make_office() -> None:
    op.create_table(
        "proposals",
        *columns(id=int, at=int, proposer=int, kind=str, subject=str, version=int),
        *columns(value_before=bytes, value_after=bytes, reason=str),
        *columns(state=str, decided_at=int | None, decider=int | None, decision=str | None),
        sa.PrimaryKeyConstraint("id"),
        sa.Index("proposals_subject", "subject", "id"),
        index_where("state = 'open'", "proposals_open", "id"),
    )
    op.create_table(
        "changes",
        *columns(subject=str, version=int, at=int, value=bytes, proposal=int),
        sa.PrimaryKeyConstraint("subject", "version"),
    )
    op.create_table(
        "second_factors",
        *columns(player=int, sealed=bytes | None, pending=bytes | None, step=int, enrolled_at=int | None),
        *columns(pending_at=int | None, pending_by=bytes | None),
        sa.PrimaryKeyConstraint("player"),
    )
    op.create_table(
        "recovery_codes",
        *columns(player=int, hash=bytes, used_at=int | None),
        sa.PrimaryKeyConstraint("player", "hash"),
    )
    op.create_table(
        "events",
        *columns(at=int, id=int, node=str, severity=str, kind=str, player=int | None, round=str | None),
        *columns(place=str | None, address=str | None, times=int, detail=bytes),
        sa.PrimaryKeyConstraint("at", "id"),
        sa.Index("events_kind", "kind", "at"),
        sa.Index("events_severity", "severity", "at"),
        index_where("player IS NOT NULL", "events_player", "player", "at"),
        index_where("round IS NOT NULL", "events_round", "round", "at"),
        index_where("place IS NOT NULL", "events_place", "place", "at"),
    )
    op.create_table(
        "said",
        *columns(place=str, id=int, at=int, player=int, role=str, line=str),
        *columns(removed_at=int | None, removed_by=int | None),
        sa.PrimaryKeyConstraint("place", "id"),
        sa.Index("said_at", "at"),
        sa.Index("said_player", "player", "at"),
    )
    op.create_table(
        "player_notes",
        *columns(player=int, at=int, operator=int, line=str),
        sa.PrimaryKeyConstraint("player", "at", "operator"),
    )
    op.create_table(
        "releases",
        *columns(version=str, kind=str, subject=str, sha256=str, at=int, operator=int | None, reason=str),
        sa.PrimaryKeyConstraint("version", "kind", "subject"),
    )
    op.create_table(
        "self_checks",
        *columns(at=int, node=str, why=str, operator=int | None, passed=bool, differences=bytes),
        sa.PrimaryKeyConstraint("at", "node", "why"),
    )


def _make_access() -> None:
    op.create_table(
        "credentials", *columns(player=int, hash=str, changed_at=int), sa.PrimaryKeyConstraint("player")
    )
    op.create_table(
        "logins",
        *columns(token=bytes, player=int, created_at=int, began_at=int, seen_at=int, expires_at=int),
        *columns(revoked_at=int | None, origin=str, agent=str, proved_at=int | None, office_at=int | None),
        *columns(secret=bytes | None),
        sa.PrimaryKeyConstraint("token"),
        sa.Index("logins_player", "player", "seen_at"),
    )
    op.create_table(
        "lock_outs",
        *columns(key=bytes, player=int | None, at=int, failures=bytes, locked_until=int | None),
        sa.PrimaryKeyConstraint("key"),
    )
    op.create_table(
        "known_devices",
        *columns(token=bytes, player=int, seen_at=int),
        sa.PrimaryKeyConstraint("token", "player"),
    )
    op.create_table("settings", *columns(player=int, value=bytes), sa.PrimaryKeyConstraint("player"))
    op.create_table(
        "pending_deposits",
        *columns(player=int, id=str, currency=str, amount=int, at=int),
        sa.PrimaryKeyConstraint("player", "id"),
    )
    op.create_table(
        "set_aside",
        *columns(player=int, round=str, most=int),
        sa.PrimaryKeyConstraint("player", "round"),
    )
    op.create_table(
        "rates",
        *columns(key=bytes, full_at=int),
        sa.PrimaryKeyConstraint("key"),
        prefixes=["UNLOGGED"]
        if op.get_bind().dialect.name == "postgresql"
        else [],  # need not outlive a crash
    )


def _make_nodes() -> None:
    op.create_table(
        "nodes",
        *columns(id=int, name=str, slot=int, release=str, settings=str),
        *columns(until=int, dead_at=int | None, draining=bool, load=str),
        sa.PrimaryKeyConstraint("id"),
        index_where("dead_at IS NULL", "nodes_slot", "slot", unique=True),
        index_where("dead_at IS NULL", "nodes_name", "name", unique=True),
    )
    op.create_table("house", *columns(name=str, value=str), sa.PrimaryKeyConstraint("name"))
