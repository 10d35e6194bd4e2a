"""The tables of the database, in types that SQLite and PostgreSQL share.

`log` is the truth: one row for each command, chained by hash within its stream. `transfers` is the ledger. The other
tables can be rebuilt from the log and exist for quick reads; `sabot audit` compares them. Amounts are whole cents, times
milliseconds of UTC. Personal data is in `players` and in the tables outside the log: `credentials`, `logins`, `settings`,
`events`, `said`, `player_notes`.
Which nodes serve the house, and which of them owns a stream, is outside the log too.
"""

from typing import Any, get_args

import sqlalchemy as sa

from sabot.store.kinds import ADJUST, GRANT, PAYMENTS

metadata = sa.MetaData()

#: Rows with the pause and the shoes of a live table; an index finds them among the rows of a crowd.
MARKS = "kind IN ('pause', 'resume', 'refund', 'round-opened', 'shoe-committed', 'shoe-seeded')"

#: Rounds that are open or voided. SQLite uses an index of some rows where their condition stands in the query as it is.
UNSETTLED = "state <> 'settled'"

#: Operators' orders to void a round: few, so that the one of a round is found (OFF-04).
IS_VOIDING = "kind = 'void-round'"

#: Payments of players, each id once.
IS_PAYMENT = f"kind IN {PAYMENTS}"

#: Rounds that were open for more than an hour: few, so that those that were open at a moment are found (OFF-22).
LONG_MS = 3_600_000
IS_LONG = f"closed_at - opened_at > {LONG_MS}"

#: The least win of a player in a round that can be listed as a large one, in cents; an index finds those (OFF-20).
LEAST_LARGE_WIN = 50_000

#: Types of columns that SQLite and PostgreSQL share.
_TYPES: dict[Any, Any] = {int: sa.BigInteger, str: sa.Text, bytes: sa.LargeBinary, bool: sa.Boolean}


def columns(**kinds: Any) -> list[sa.Column[Any]]:
    """Columns by name; `int | None` may be empty, `int` may not.

    >>> columns(n=int, round=str | None)[1].nullable
    True
    """
    made = []
    for name, kind in kinds.items():
        types = get_args(kind) or (kind,)
        made.append(sa.Column(name, _TYPES[types[0]], nullable=len(types) > 1, autoincrement=False))
    return made


def index_where(condition: str, name: str, *names: str, unique: bool = False) -> sa.Index:
    """An index over the rows that meet a condition."""
    where = sa.text(condition)
    return sa.Index(name, *names, unique=unique, sqlite_where=where, postgresql_where=where)


#: The next id of each kind; a process takes ids in blocks, so some are skipped.
counters = sa.Table("counters", metadata, *columns(name=str, next=int), sa.PrimaryKeyConstraint("name"))

#: A stream is a table, the cashier or the house: its rows have one order and one owner at a time. `owner` is the node
#: that took it last, empty once it was given up; a number that is not in `nodes` is that of a tool.
streams = sa.Table(
    "streams",
    metadata,
    *columns(id=int, name=str, epoch=int, n=int, head=bytes, owner=int | None),
    sa.PrimaryKeyConstraint("id"),
    sa.UniqueConstraint("name"),
)

#: One row for each command; `body` holds its events, movements and facts.
log = sa.Table(
    "log",
    metadata,
    *columns(stream=int, n=int, epoch=int, at=int, kind=str, round=str | None),
    *columns(player=int | None, request=str | None, digest=bytes | None),
    *columns(body=bytes, hash=bytes),
    sa.PrimaryKeyConstraint("stream", "n"),
    sa.UniqueConstraint("player", "request", "stream", name="log_request"),
    sa.Index("log_round", "round"),
    index_where("kind = 'deposit'", "log_deposits", "player", "at"),  # the deposits of a day (PLT-50)
    index_where(IS_PAYMENT, "log_payments", "player", "request", unique=True),
    index_where(f"kind = '{GRANT}'", "log_grants", "player", "request", unique=True),
    index_where(f"kind = '{ADJUST}'", "log_adjustments", "player", "request", unique=True),
    index_where(MARKS, "log_marks", "stream", "n"),
    index_where(IS_VOIDING, "log_voidings", "at"),  # who voided a round, and why (OFF-04)
    sa.Index("log_at", "at"),  # what moved in an interval (OFF-22)
)

#: Names and dates of birth (`1990-12-31`); demo players have no date.
players = sa.Table(
    "players",
    metadata,
    *columns(id=int, name=str, salt=bytes, registered_at=int, born=str | None),
    sa.PrimaryKeyConstraint("id"),
    sa.UniqueConstraint("name"),
)
#: Names that differ only in case are the same name.
sa.Index("players_name", sa.func.lower(players.c.name), unique=True)

#: Role, VIP level and kind of a player, and whether an operator has locked the account (OFF-03).
profiles = sa.Table(
    "profiles",
    metadata,
    *columns(player=int, role=str, vip=int, demo=bool, bot=bool, locked=bool),
    sa.PrimaryKeyConstraint("player"),
)

#: Limits that players set themselves (PLT-50), a row for each setting; a row without a value lifts the limit.
protections = sa.Table(
    "protections",
    metadata,
    *columns(player=int, kind=str, set_at=int, value=int | None, in_force_from=int),
    sa.PrimaryKeyConstraint("player", "kind", "set_at"),
)

#: The versions of the terms that a player has accepted (PLT-62).
terms_accepted = sa.Table(
    "terms_accepted",
    metadata,
    *columns(player=int, version=str, at=int),
    sa.PrimaryKeyConstraint("player", "version"),
)

#: When players answered reality checks (PLT-51).
reality_checks = sa.Table(
    "reality_checks", metadata, *columns(player=int, at=int), sa.PrimaryKeyConstraint("player", "at")
)

#: Accounts of players and sessions keep a balance; that of the others is the sum of their transfers.
accounts = sa.Table(
    "accounts",
    metadata,
    *columns(id=int, name=str, kind=str, player=int | None, currency=str, balance=int | None),
    sa.PrimaryKeyConstraint("id"),
    sa.UniqueConstraint("name"),
    sa.CheckConstraint("balance >= 0", name="accounts_balance"),
    sa.Index("accounts_player", "player"),
)

#: The ledger: an amount from one account to another, under a key used once.
transfers = sa.Table(
    "transfers",
    metadata,
    *columns(stream=int, n=int, i=int, key=str, debit=int, credit=int, amount=int),
    sa.PrimaryKeyConstraint("stream", "n", "i"),
    sa.UniqueConstraint("key"),
    sa.CheckConstraint("amount > 0", name="transfers_amount"),
    sa.CheckConstraint("debit <> credit", name="transfers_two_accounts"),
)

#: A player at a table, from sitting down to leaving, with the money brought there.
sittings = sa.Table(
    "sittings",
    metadata,
    *columns(id=int, stream=int, player=int, account=int),
    *columns(opened_at=int, closed_at=int | None, brought=int, taken=int | None),
    sa.PrimaryKeyConstraint("id"),
    sa.Index("sittings_player", "player"),
    sa.Index("sittings_stream", "stream"),
    index_where("closed_at IS NULL", "sittings_open", "stream"),
)

#: Golden chips that came to an account or left it (MAJ-50); an account holds the sum of its rows.
golden = sa.Table(
    "golden",
    metadata,
    *columns(stream=int, n=int, i=int, account=int, value=int, count=int),
    sa.PrimaryKeyConstraint("stream", "n", "i"),
    sa.CheckConstraint("value > 0", name="golden_value"),
    sa.CheckConstraint("count <> 0", name="golden_count"),
    sa.Index("golden_account", "account"),
)

#: A player on a seat of a live table (FRB-20), from taking it to leaving it.
seats = sa.Table(
    "seats",
    metadata,
    *columns(id=int, stream=int, spot=int, player=int, taken_at=int, left_at=int | None),
    sa.PrimaryKeyConstraint("id"),
    sa.Index("seats_stream", "stream"),
    index_where("left_at IS NULL", "seats_taken", "stream", "spot", unique=True),  # one player at a time
)

#: A shoe's commitment; its seed is sealed under a key outside the database until it is revealed.
shoes = sa.Table(
    "shoes",
    metadata,
    *columns(id=int, stream=int, commitment=str, sealed=bytes),
    *columns(client_seed=str | None, seeds=bytes | None, seed=bytes | None),
    sa.PrimaryKeyConstraint("id"),
    sa.UniqueConstraint("commitment"),
    sa.Index("shoes_stream", "stream"),
)

#: Cards that lie face down where a person deals, encrypted, by the row that dealt them (STU-06).
sealed = sa.Table(
    "sealed",
    metadata,
    *columns(stream=int, n=int, bytes=bytes),
    sa.PrimaryKeyConstraint("stream", "n"),
)

#: Rounds by their code; `state` is open, settled or voided. Players, stakes and payments are those of all its players.
rounds = sa.Table(
    "rounds",
    metadata,
    *columns(code=str, stream=int, game=str, currency=str, engine=int),
    *columns(state=str, opened_at=int, closed_at=int | None, players=int, staked=int, paid=int),
    sa.PrimaryKeyConstraint("code"),
    sa.Index("rounds_stream", "stream", "state"),
    sa.Index("rounds_closed", "closed_at"),
    sa.Index("rounds_table", "stream", "code"),
    sa.Index("rounds_game", "game", "currency", "closed_at", "code"),
    sa.Index("rounds_staked", "staked", "code"),
    sa.Index("rounds_paid", "paid", "code"),
    index_where(UNSETTLED, "rounds_unsettled", "state", "code"),
    index_where(IS_LONG, "rounds_long", "closed_at"),
)

#: Stake and payment of each player in a finished round.
played = sa.Table(
    "played",
    metadata,
    *columns(player=int, at=int, code=str, staked=int, paid=int, golden=bool),
    sa.PrimaryKeyConstraint("player", "at", "code"),
    sa.Index("played_code", "code"),
    index_where(f"paid - staked >= {LEAST_LARGE_WIN}", "played_wins", "at", "player"),
)

# Sums for the back office, folded from the log; a day is the number of days of UTC since 1970.

#: Tallies: what each bet of a game staked and paid on a day, of people and of bots. `rules` is the rule set's SHA-256, so
#: that new rules begin a new line (OFF-14). The bet `round` counts rounds, `voided` those that were given back.
tallies = sa.Table(
    "tallies",
    metadata,
    *columns(day=int, place=str, game=str, rules=str, currency=str, bot=bool, bet=str),
    *columns(rounds=int, bets=int, staked=int, paid=int),
    sa.PrimaryKeyConstraint("day", "place", "game", "rules", "currency", "bot", "bet"),
)

#: A player's day: rounds, stakes and payments, in which hours rounds ended (bit 0 is midnight), money in and out.
player_days = sa.Table(
    "player_days",
    metadata,
    *columns(day=int, player=int, currency=str, rounds=int, staked=int, paid=int, hours=int),
    *columns(deposits=int, deposited=int, withdrawals=int, withdrawn=int),
    sa.PrimaryKeyConstraint("day", "player", "currency"),
    sa.Index("player_days_player", "player", "day"),
)

#: By how much the accounts of a kind changed on a day, at a place for sessions and escrows.
flows = sa.Table(
    "flows",
    metadata,
    *columns(day=int, currency=str, kind=str, place=str, amount=int),
    sa.PrimaryKeyConstraint("day", "currency", "kind", "place"),
)

#: Returns of each bet on a day for the monitoring (OFF-13), of rounds without golden chips: initial stakes, all stakes,
#: payments, and sums of the cumulants of the exact results (numbers of eight bytes), from which bounds follow.
return_days = sa.Table(
    "return_days",
    metadata,
    *columns(day=int, place=str, game=str, rules=str, currency=str, bet=str),
    *columns(rounds=int, initial=int, staked=int, paid=int, cumulants=bytes),
    sa.PrimaryKeyConstraint("day", "place", "game", "rules", "currency", "bet"),
)

#: The alarm of each bet: the capitals of its gamblers (logarithms of eight bytes), the last day on which they were given
#: some, how many alarms there were, when the last was raised and when an operator said what became of it.
return_alarms = sa.Table(
    "return_alarms",
    metadata,
    *columns(place=str, game=str, rules=str, currency=str, bet=str),
    *columns(day=int, rounds=int, capitals=bytes, alarms=int, raised_at=int | None, seen_at=int | None),
    sa.PrimaryKeyConstraint("place", "game", "rules", "currency", "bet"),
)

#: Up to which row of each stream these sums are folded.
folded = sa.Table("folded", metadata, *columns(stream=int, n=int), sa.PrimaryKeyConstraint("stream"))

#: Notices: what a table did to a player unasked, shown at the table and in the history (PLT-49).
#: A row whose `what` is `seen` marks the notices as seen up to row `amount` of the table's log.
notices = sa.Table(
    "notices",
    metadata,
    *columns(stream=int, n=int, i=int, player=int, at=int, what=str),
    *columns(game=str, currency=str, round=str, spot=int, hand=int, detail=str, amount=int),
    sa.PrimaryKeyConstraint("stream", "n", "i"),
    sa.Index("notices_player", "player", "at"),
)

#: Proposals of operators (OFF-10): what they would change, in JSON before and after, and what became of them. `version`
#: is the number that the change of the subject gets.
proposals = sa.Table(
    "proposals",
    metadata,
    *columns(id=int, at=int, proposer=int, kind=str, subject=str, version=int),
    *columns(value_before=bytes, value_after=bytes, reason=str),
    *columns(state=str, decided_at=int | None, decider=int | None, decision=str | None),
    sa.PrimaryKeyConstraint("id"),
    sa.Index("proposals_subject", "subject", "id"),
    index_where("state = 'open'", "proposals_open", "id"),
)

#: Changes that were approved, numbered for each subject, so that two nodes cannot make the same one: the last is in force.
changes = sa.Table(
    "changes",
    metadata,
    *columns(subject=str, version=int, at=int, value=bytes, proposal=int),
    sa.PrimaryKeyConstraint("subject", "version"),
)

# Outside the log, because a player can change or delete it, or because it says nothing of what was played.

#: The argon2id hash of a password, and when the player chose it.
credentials = sa.Table(
    "credentials", metadata, *columns(player=int, hash=str, changed_at=int), sa.PrimaryKeyConstraint("player")
)

#: Logins by the SHA-256 of the first part of their token; `began_at` is the start of the session (PLT-51). For the back
#: office (OFF-06): when the second factor was proved last, and when the login was last active there. Each proof renews the
#: second part of the token; `secret` is the SHA-256 of the whole then, so that what was known before opens nothing.
logins = sa.Table(
    "logins",
    metadata,
    *columns(token=bytes, player=int, created_at=int, began_at=int, seen_at=int, expires_at=int),
    *columns(revoked_at=int | None, origin=str, agent=str, proved_at=int | None, office_at=int | None),
    *columns(secret=bytes | None),
    sa.PrimaryKeyConstraint("token"),
    sa.Index("logins_player", "player", "seen_at"),
)

#: The second factor of an operator (OFF-06): the key that is in force, one that waits for its first code, both sealed
#: under the vault's key, and the last time step whose code was used; when a waiting key was made, and in which login.
second_factors = sa.Table(
    "second_factors",
    metadata,
    *columns(player=int, sealed=bytes | None, pending=bytes | None, step=int, enrolled_at=int | None),
    *columns(pending_at=int | None, pending_by=bytes | None),
    sa.PrimaryKeyConstraint("player"),
)

#: The SHA-256 of codes that stand in for a lost second factor, each used once.
recovery_codes = sa.Table(
    "recovery_codes",
    metadata,
    *columns(player=int, hash=bytes, used_at=int | None),
    sa.PrimaryKeyConstraint("player", "hash"),
)

#: Attempts at an account in the last half hour from one source (OFF-06), by the SHA-256 of the name that was given and the
#: source: their times as a JSON list, when the last one was, until when there is a lock; the player, if there is one.
lock_outs = sa.Table(
    "lock_outs",
    metadata,
    *columns(key=bytes, player=int | None, at=int, failures=bytes, locked_until=int | None),
    sa.PrimaryKeyConstraint("key"),
)

#: Browsers in which an account was opened, by the SHA-256 of the token in their cookie.
known_devices = sa.Table(
    "known_devices",
    metadata,
    *columns(token=bytes, player=int, seen_at=int),
    sa.PrimaryKeyConstraint("token", "player"),
)

#: Significant events (OFF-11): rows are only added. `times` counts equal ones that are told in one row, `detail` is JSON.
events = sa.Table(
    "events",
    metadata,
    *columns(at=int, id=int, node=str, severity=str, kind=str, player=int | None, round=str | None),
    *columns(place=str | None, address=str | None, times=int, detail=bytes),
    sa.PrimaryKeyConstraint("at", "id"),
    sa.Index("events_kind", "kind", "at"),
    sa.Index("events_severity", "severity", "at"),
    index_where("player IS NOT NULL", "events_player", "player", "at"),
    index_where("round IS NOT NULL", "events_round", "round", "at"),
    index_where("place IS NOT NULL", "events_place", "place", "at"),
)

#: What was said at live tables (OFF-15), deleted after 90 days; `removed_at` marks a line taken from the screens.
said = sa.Table(
    "said",
    metadata,
    *columns(place=str, id=int, at=int, player=int, role=str, line=str),
    *columns(removed_at=int | None, removed_by=int | None),
    sa.PrimaryKeyConstraint("place", "id"),
    sa.Index("said_at", "at"),
    sa.Index("said_player", "player", "at"),
)

#: What operators have written down about a player (OFF-03).
player_notes = sa.Table(
    "player_notes",
    metadata,
    *columns(player=int, at=int, operator=int, line=str),
    sa.PrimaryKeyConstraint("player", "at", "operator"),
)

#: A player's settings as JSON, the same on every device (PLT-43).
settings = sa.Table(
    "settings", metadata, *columns(player=int, value=bytes), sa.PrimaryKeyConstraint("player")
)

#: Deposits that the payment provider is being asked for: limits count them until the deposit is in the log, for a day.
pending_deposits = sa.Table(
    "pending_deposits",
    metadata,
    *columns(player=int, id=str, currency=str, amount=int, at=int),
    sa.PrimaryKeyConstraint("player", "id"),
)

#: What a loss limit leaves for a round, in a house of several nodes (ASR-41): by the code of a live round, or by the name
#: of a solo table.
set_aside = sa.Table(
    "set_aside",
    metadata,
    *columns(player=int, round=str, most=int),
    sa.PrimaryKeyConstraint("player", "round"),
)

#: Rates of logins and registrations, in a house of several nodes (ASR-30): when the bucket of a key will be full again.
#: The key is a SHA-256. Not in backups; PostgreSQL empties the table after a crash.
rates = sa.Table("rates", metadata, *columns(key=bytes, full_at=int), sa.PrimaryKeyConstraint("key"))

#: Nodes: processes that serve the house (CLU-03). Times are of the database's clock; `until` alone kills nobody: a node
#: is dead once another has found it so, and `dead_at` is never taken back. `load` is JSON with numbers.
nodes = sa.Table(
    "nodes",
    metadata,
    *columns(id=int, name=str, slot=int, release=str, settings=str),
    *columns(until=int, dead_at=int | None, draining=bool, load=str),
    sa.PrimaryKeyConstraint("id"),
    index_where("dead_at IS NULL", "nodes_slot", "slot", unique=True),
    index_where("dead_at IS NULL", "nodes_name", "name", unique=True),
)

#: The recorded release (OFF-12): the hash of each part, by whom it was accepted and why; of no operator, at the first start.
#: Settings are not of a version.
releases = sa.Table(
    "releases",
    metadata,
    *columns(version=str, kind=str, subject=str, sha256=str, at=int, operator=int | None, reason=str),
    sa.PrimaryKeyConstraint("version", "kind", "subject"),
)

#: The self-checks that were made, with their differences as JSON (OFF-12).
self_checks = sa.Table(
    "self_checks",
    metadata,
    *columns(at=int, node=str, why=str, operator=int | None, passed=bool, differences=bytes),
    sa.PrimaryKeyConstraint("at", "node", "why"),
)

#: What holds for the whole house: its id, and the fingerprint of its vault's key.
house = sa.Table("house", metadata, *columns(name=str, value=str), sa.PrimaryKeyConstraint("name"))
