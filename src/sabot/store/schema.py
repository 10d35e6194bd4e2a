"""The tables of the database, in types that SQLite and PostgreSQL share.

`log` is the truth: one row for each command, chained by hash within its stream. `transfers` is the ledger. Every
other table follows from the log and is kept so that a question has a quick answer; `sabot audit` works each of them
out again. Money is whole cents, time is milliseconds of UTC. Personal data stands in `players`, and in what a player
can change or end at will: `credentials`, `logins` and `settings`, which are outside the log.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Index,
    LargeBinary,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
    func,
    text,
)

metadata = MetaData()

#: Rows that tell how a live table stands beside its rounds; an index finds them among those of a crowd.
MARKS = "kind IN ('pause', 'resume', 'refund', 'round-opened', 'shoe-committed', 'shoe-seeded')"

#: The next number of each kind of id; a process takes them in blocks, so numbers may be skipped.
counters = Table(
    "counters",
    metadata,
    Column("name", Text, primary_key=True),
    Column("next", BigInteger, nullable=False),
)

#: A stream is a table, the cashier or the house: rows in one order, written by one owner at a time.
streams = Table(
    "streams",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),
    Column("epoch", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("head", LargeBinary, nullable=False),
)

log = Table(
    "log",
    metadata,
    Column("stream", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("epoch", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("round", Text),
    Column("player", BigInteger),
    Column("request", Text),
    Column("digest", LargeBinary),
    Column("body", LargeBinary, nullable=False),
    Column("hash", LargeBinary, nullable=False),
    PrimaryKeyConstraint("stream", "n"),
    UniqueConstraint("player", "request", name="log_request"),
    Index("log_round", "round"),
    # What a player deposited in a day (PLT-50): only deposits pay for this one.
    Index(
        "log_deposits",
        "player",
        "at",
        sqlite_where=text("kind = 'deposit'"),
        postgresql_where=text("kind = 'deposit'"),
    ),
    Index("log_marks", "stream", "n", sqlite_where=text(MARKS), postgresql_where=text(MARKS)),
)

players = Table(
    "players",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),
    Column("salt", LargeBinary, nullable=False),
    Column("registered_at", BigInteger, nullable=False),
    #: The date of birth, `1990-12-31`; of demo players and of those who came before it was asked there is none.
    Column("born", Text),
)
#: Two names that differ only in capitals are one.
Index("players_name", func.lower(players.c.name), unique=True)

#: What a player is to the house.
profiles = Table(
    "profiles",
    metadata,
    Column("player", BigInteger, primary_key=True, autoincrement=False),
    Column("role", Text, nullable=False),
    Column("vip", BigInteger, nullable=False),
    Column("demo", Boolean, nullable=False),
    Column("bot", Boolean, nullable=False),
)

#: What players have set themselves (PLT-50), each setting a row; no value lifts the one before it.
protections = Table(
    "protections",
    metadata,
    Column("player", BigInteger, nullable=False),
    Column("kind", Text, nullable=False),
    Column("set_at", BigInteger, nullable=False),
    Column("value", BigInteger),
    Column("in_force_from", BigInteger, nullable=False),
    PrimaryKeyConstraint("player", "kind", "set_at"),
)

#: The versions of the terms that a player has accepted (PLT-62).
terms_accepted = Table(
    "terms_accepted",
    metadata,
    Column("player", BigInteger, nullable=False),
    Column("version", Text, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("player", "version"),
)

#: Player and session accounts keep a balance; the balance of any other is the sum of its transfers.
accounts = Table(
    "accounts",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("name", Text, nullable=False, unique=True),
    Column("kind", Text, nullable=False),
    Column("player", BigInteger),
    Column("currency", Text, nullable=False),
    Column("balance", BigInteger),
    CheckConstraint("balance >= 0", name="accounts_balance"),
    Index("accounts_player", "player"),
)

transfers = Table(
    "transfers",
    metadata,
    Column("stream", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("i", BigInteger, nullable=False),
    Column("key", Text, nullable=False, unique=True),
    Column("debit", BigInteger, nullable=False),
    Column("credit", BigInteger, nullable=False),
    Column("amount", BigInteger, nullable=False),
    PrimaryKeyConstraint("stream", "n", "i"),
    CheckConstraint("amount > 0", name="transfers_amount"),
    CheckConstraint("debit <> credit", name="transfers_two_accounts"),
)

#: A player at a table, from sitting down to leaving, with the money brought there.
sittings = Table(
    "sittings",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("stream", BigInteger, nullable=False),
    Column("player", BigInteger, nullable=False),
    Column("account", BigInteger, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Column("brought", BigInteger, nullable=False),
    Column("taken", BigInteger),
    Index("sittings_player", "player"),
    Index("sittings_stream", "stream"),
)

#: Golden chips that came to an account or left it (MAJ-50), a row for each time: what it holds is the sum.
golden = Table(
    "golden",
    metadata,
    Column("stream", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("i", BigInteger, nullable=False),
    Column("account", BigInteger, nullable=False),
    Column("value", BigInteger, nullable=False),
    Column("count", BigInteger, nullable=False),
    PrimaryKeyConstraint("stream", "n", "i"),
    CheckConstraint("value > 0", name="golden_value"),
    CheckConstraint("count <> 0", name="golden_count"),
    Index("golden_account", "account"),
)

#: A player on a seat of a live table (FRB-20), from taking it to leaving it.
seats = Table(
    "seats",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("stream", BigInteger, nullable=False),
    Column("spot", BigInteger, nullable=False),
    Column("player", BigInteger, nullable=False),
    Column("taken_at", BigInteger, nullable=False),
    Column("left_at", BigInteger),
    Index("seats_stream", "stream"),
    # One player at a time.
    Index(
        "seats_taken",
        "stream",
        "spot",
        unique=True,
        sqlite_where=text("left_at IS NULL"),
        postgresql_where=text("left_at IS NULL"),
    ),
)

#: A shoe's commitment; its seed is sealed under a key outside the database until it is revealed.
shoes = Table(
    "shoes",
    metadata,
    Column("id", BigInteger, primary_key=True, autoincrement=False),
    Column("stream", BigInteger, nullable=False),
    Column("commitment", Text, nullable=False, unique=True),
    Column("sealed", LargeBinary, nullable=False),
    Column("client_seed", Text),
    Column("seeds", LargeBinary),
    Column("seed", LargeBinary),
    Index("shoes_stream", "stream"),
)

rounds = Table(
    "rounds",
    metadata,
    Column("code", Text, primary_key=True),
    Column("stream", BigInteger, nullable=False),
    Column("game", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("engine", BigInteger, nullable=False),
    Column("state", Text, nullable=False),
    Column("opened_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    Index("rounds_stream", "stream", "state"),
    Index("rounds_closed", "closed_at"),
)

#: What a round was for each of its players.
played = Table(
    "played",
    metadata,
    Column("player", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("code", Text, nullable=False),
    Column("staked", BigInteger, nullable=False),
    Column("paid", BigInteger, nullable=False),
    Column("golden", Boolean, nullable=False),
    PrimaryKeyConstraint("player", "at", "code"),
    Index("played_code", "code"),
)

#: What a table did to a player that nobody had asked for: the player is told, and finds it in the history (PLT-49).
#: Where `what` is `seen`, the player has seen those before it, up to the place that `amount` says.
notices = Table(
    "notices",
    metadata,
    Column("stream", BigInteger, nullable=False),
    Column("n", BigInteger, nullable=False),
    Column("i", BigInteger, nullable=False),
    Column("player", BigInteger, nullable=False),
    Column("at", BigInteger, nullable=False),
    Column("what", Text, nullable=False),
    Column("game", Text, nullable=False),
    Column("currency", Text, nullable=False),
    Column("round", Text, nullable=False),
    Column("spot", BigInteger, nullable=False),
    Column("hand", BigInteger, nullable=False),
    Column("detail", Text, nullable=False),
    Column("amount", BigInteger, nullable=False),
    PrimaryKeyConstraint("stream", "n", "i"),
    Index("notices_player", "player", "at"),
)

# Outside the log: what a player can change or end at will.

#: The argon2id hash of a password.
credentials = Table(
    "credentials",
    metadata,
    Column("player", BigInteger, primary_key=True, autoincrement=False),
    Column("hash", Text, nullable=False),
    Column("changed_at", BigInteger, nullable=False),
)

#: Logins by the SHA-256 of their token, which the player alone has; `began_at` is the start of the session (PLT-51).
logins = Table(
    "logins",
    metadata,
    Column("token", LargeBinary, primary_key=True),
    Column("player", BigInteger, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("began_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("expires_at", BigInteger, nullable=False),
    Column("revoked_at", BigInteger),
    Column("origin", Text, nullable=False),
    Column("agent", Text, nullable=False),
    Index("logins_player", "player", "seen_at"),
)

#: A player's settings as JSON; they follow the player to every device (PLT-43).
settings = Table(
    "settings",
    metadata,
    Column("player", BigInteger, primary_key=True, autoincrement=False),
    Column("value", LargeBinary, nullable=False),
)
