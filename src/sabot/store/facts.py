"""Facts: what a row of the log changes in the other tables.

Facts are stored in the body of the row, so those tables can be rebuilt from the log. Each fact says which rows it adds
and which guarded statements it runs; a statement must change exactly one row.
"""

from collections.abc import Iterator
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Raw, Struct
from sqlalchemy import Table

from sabot.store import schema
from sabot.store.kinds import (
    KEEPS_BALANCE,
    AccountChange,
    AccountKind,
    ChangeKind,
    Currency,
    NoticeKind,
    ProtectionKind,
    Role,
)

Row = tuple[object, ...]


class RowContext(NamedTuple):
    """The row of the log that holds a fact, and secrets that the log must not hold."""

    stream: int
    n: int
    at: int
    round: str | None
    secrets: dict[int, Any]
    #: The number of the fact in its row.
    i: int


class Change(NamedTuple):
    """A row to add to a table, or the values of a guarded statement."""

    target: Table | str
    row: Row


class Statement(NamedTuple):
    """A guarded update of one row by its key; in its values the key comes last."""

    table: Table
    sets: tuple[str, ...]
    #: Condition on the row, so that nothing is done twice.
    guard: str
    #: Whether the value is added to the present one.
    adds: bool = False

    def sql(self, mark: str) -> str:
        """The SQL text, with a driver's placeholder for each value."""
        sets = ", ".join(f"{name} = {f'{name} + ' * self.adds}{mark}" for name in self.sets)
        (key,) = self.table.primary_key
        return f"UPDATE {self.table.name} SET {sets} WHERE {key.name} = {mark} AND {self.guard}"


#: Statements by name; one that changes no row refuses the entry.
STATEMENTS = {
    "own": Statement(schema.streams, ("owner",), "epoch > 0"),
    "bring": Statement(schema.sittings, ("brought",), "closed_at IS NULL", adds=True),
    "leave": Statement(schema.sittings, ("closed_at", "taken"), "closed_at IS NULL"),
    "rise": Statement(schema.seats, ("left_at",), "left_at IS NULL"),
    "seed": Statement(schema.shoes, ("client_seed", "seeds"), "client_seed IS NULL"),
    "reveal": Statement(schema.shoes, ("seed",), "seed IS NULL"),
    "close": Statement(schema.rounds, ("state", "closed_at", "players", "staked", "paid"), "state = 'open'"),
    "role": Statement(schema.profiles, ("role",), "NOT demo"),
    "vip": Statement(schema.profiles, ("vip",), "NOT demo"),
    "locked": Statement(schema.profiles, ("locked",), "NOT bot"),
    "decide": Statement(schema.proposals, ("state", "decided_at", "decider", "decision"), "state = 'open'"),
}


class Fact(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="fact"):
    """Base of all facts."""

    def changes(self, row: RowContext) -> Iterator[Change]:
        """The changes to other tables; none by default."""
        return iter(())


class StreamOwned(Fact, frozen=True, tag="stream-owned"):
    """An owner took the stream and writes with a new epoch: the node of that id, or a tool under a number of its own."""

    name: str
    owner: int
    #: How many streams this owner has taken before, so that the rows of two takes differ.
    before: int = 0

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("own", (self.owner, row.stream))


class PlayerRegistered(Fact, frozen=True, tag="player-registered"):
    """A new player. The proof is SHA-256 over salt and name, both of which can be erased."""

    player: int
    proof: str
    #: Plays for play money without an account (PLT-01).
    demo: bool = False
    #: A demo player that is a program; payout reports leave it out.
    bot: bool = False

    def changes(self, row: RowContext) -> Iterator[Change]:
        name, salt, born, *password = row.secrets[self.player]
        yield Change(schema.players, (self.player, name, salt, row.at, born))
        yield Change(schema.profiles, (self.player, "player", 0, self.demo, self.bot, False))
        for hash in password:
            yield Change(schema.credentials, (self.player, hash, row.at))


class RoleGiven(Fact, frozen=True, tag="role-given"):
    """An operator gave a player another role (PLT-60)."""

    player: int
    role: Role

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("role", (self.role, self.player))


class VipGiven(Fact, frozen=True, tag="vip-given"):
    """An operator gave a player another VIP level (PLT-10)."""

    player: int
    vip: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("vip", (self.vip, self.player))


class PlayerLockSet(Fact, frozen=True, tag="player-locked"):
    """An operator locked a player's account, or unlocked it (OFF-03)."""

    player: int
    locked: bool

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("locked", (self.locked, self.player))


class ProtectionSet(Fact, frozen=True, tag="protection-set"):
    """A player set a limit, or lifted one (PLT-50)."""

    player: int
    kind: ProtectionKind
    value: int | None
    in_force_from: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change(schema.protections, (self.player, self.kind, row.at, self.value, self.in_force_from))


class TermsAccepted(Fact, frozen=True, tag="terms-accepted"):
    """A player accepted a version of the terms (PLT-62)."""

    player: int
    version: str

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change(schema.terms_accepted, (self.player, self.version, row.at))


class RealityChecked(Fact, frozen=True, tag="reality-checked"):
    """A player answered a reality check (PLT-51)."""

    player: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change(schema.reality_checks, (self.player, row.at))


class AccountOpened(Fact, frozen=True, tag="account-opened"):
    """An empty account was opened."""

    account: int
    name: str
    kind: AccountKind
    currency: Currency
    player: int | None = None

    def changes(self, row: RowContext) -> Iterator[Change]:
        balance = 0 if self.kind in KEEPS_BALANCE else None
        account = (self.account, self.name, self.kind, self.player, self.currency, balance)
        yield Change(schema.accounts, account)


class SittingOpened(Fact, frozen=True, tag="sitting-opened"):
    """A player sat down, with an account for the money brought."""

    sitting: int
    player: int
    account: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        sitting = (self.sitting, row.stream, self.player, self.account, row.at, None, 0, None)
        yield Change(schema.sittings, sitting)


class MoneyBrought(Fact, frozen=True, tag="money-brought"):
    """A player brought money to a sitting (PLT-04)."""

    sitting: int
    amount: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("bring", (self.amount, self.sitting))


class SittingClosed(Fact, frozen=True, tag="sitting-closed"):
    """A player left with the rest of the money (PLT-04)."""

    sitting: int
    taken: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("leave", (row.at, self.taken, self.sitting))


class SeatTakenFact(Fact, frozen=True, tag="seat-taken"):
    """A player took a free seat (FRB-20)."""

    seat: int
    spot: int
    player: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change(schema.seats, (self.seat, row.stream, self.spot, self.player, row.at, None))


class SeatLeftFact(Fact, frozen=True, tag="seat-left"):
    """A player left or lost a seat (FRB-20)."""

    seat: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("rise", (row.at, self.seat))


class GoldenMoved(Fact, frozen=True, tag="golden-moved"):
    """Golden chips of a face value came to an account, or left it (below zero) (MAJ-50)."""

    account: int
    value: int
    count: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change(schema.golden, (row.stream, row.n, row.i, self.account, self.value, self.count))


class ShoeCommittedFact(Fact, frozen=True, tag="shoe-committed"):
    """The house committed to a seed; the sealed seed itself is not in the log."""

    shoe: int
    commitment: str
    #: Waits at the shuffling table while another shoe is dealt (FRB-30).
    waiting: bool = False

    def changes(self, row: RowContext) -> Iterator[Change]:
        shoe = (self.shoe, row.stream, self.commitment, row.secrets[self.shoe], None, None, None)
        yield Change(schema.shoes, shoe)


class ShoeSeededFact(Fact, frozen=True, tag="shoe-seeded"):
    """The client seed fixed the order of the cards; a live shoe has the players' seeds too."""

    shoe: int
    client_seed: str
    seeds: tuple[str, ...] = ()
    root: str = ""

    def changes(self, row: RowContext) -> Iterator[Change]:
        seeds = msgspec.json.encode(self.seeds) if self.root else None
        yield Change("seed", (self.client_seed, seeds, self.shoe))


class ShoeRevealedFact(Fact, frozen=True, tag="shoe-revealed"):
    """The seed was published, in hexadecimal."""

    shoe: int
    seed: str

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("reveal", (bytes.fromhex(self.seed), self.shoe))


#: The key of a sealed card among the secrets of its entry.
SEALED_CARD = -1


class CardSealed(Fact, frozen=True, tag="card-sealed"):
    """A card lies face down; sealed, it is not in the log (STU-06)."""

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change(schema.sealed, (row.stream, row.n, row.secrets[SEALED_CARD]))


class RoundOpenedFact(Fact, frozen=True, tag="round-opened"):
    """A round began."""

    game: str
    currency: Currency
    engine: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        round = (row.round, row.stream, self.game, self.currency, self.engine, "open", row.at, None, 0, 0, 0)
        yield Change(schema.rounds, round)


class Played(Struct, frozen=True, gc=False, array_like=True):
    """The sums of a round for one player."""

    player: int
    staked: int
    paid: int
    golden: bool = False


class RoundClosed(Fact, frozen=True, tag="round-closed"):
    """A round ended, with the sums of each player."""

    end: Literal["settled", "voided"]
    played: tuple[Played, ...] = ()
    #: Cards dealt from the shoe so far; a live shoe goes on from there.
    dealt: int = 0

    def changes(self, row: RowContext) -> Iterator[Change]:
        staked, paid = sum(line.staked for line in self.played), sum(line.paid for line in self.played)
        yield Change("close", (self.end, row.at, len(self.played), staked, paid, row.round))
        for line in self.played:
            values = (line.player, row.at, row.round, line.staked, line.paid, line.golden)
            yield Change(schema.played, values)


class Noticed(Fact, frozen=True, tag="noticed"):
    """A table did something to a player unasked (PLT-49), or an operator to the player's account (PLT-73)."""

    player: int
    what: NoticeKind | AccountChange
    game: str
    currency: Currency
    round: str = ""
    spot: int = -1
    hand: int = 0
    #: The action taken or not followed, why a bet was returned, or an operator's public reason.
    detail: str = ""
    amount: int = 0

    def changes(self, row: RowContext) -> Iterator[Change]:
        player, *cells = msgspec.structs.astuple(self)
        yield Change(schema.notices, (row.stream, row.n, row.i, player, row.at, *cells))


#: Kind of the row that marks earlier notices as seen.
SEEN = "seen"


class NoticesSeen(Fact, frozen=True, tag="notices-seen"):
    """A player has seen a table's notices up to a row of its log (PLT-49)."""

    player: int
    game: str
    currency: Currency
    upto: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        cells = (SEEN, self.game, self.currency, "", -1, 0, "", self.upto)
        yield Change(schema.notices, (row.stream, row.n, row.i, self.player, row.at, *cells))


class ChangeProposed(Fact, frozen=True, tag="change-proposed"):
    """An operator proposed to change a setting: from one value in JSON to another (OFF-10)."""

    proposal: int
    operator: int
    kind: ChangeKind
    subject: str
    #: The number of the change among those of its subject.
    version: int
    before: Raw
    after: Raw
    reason: str

    def changes(self, row: RowContext) -> Iterator[Change]:
        what = (self.kind, self.subject, self.version, bytes(self.before), bytes(self.after), self.reason)
        undecided = ("open", None, None, None)
        yield Change(schema.proposals, (self.proposal, row.at, self.operator, *what, *undecided))


class ChangeDecided(Fact, frozen=True, tag="change-decided"):
    """An operator approved a proposal or rejected it, once (OFF-10)."""

    proposal: int
    state: Literal["approved", "rejected"]
    operator: int
    reason: str

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change("decide", (self.state, row.at, self.operator, self.reason, self.proposal))


class SettingChanged(Fact, frozen=True, tag="setting-changed"):
    """A setting has a new value, in JSON, unless another change had its number first (OFF-02)."""

    subject: str
    version: int
    value: Raw
    proposal: int

    def changes(self, row: RowContext) -> Iterator[Change]:
        yield Change(schema.changes, (self.subject, self.version, row.at, bytes(self.value), self.proposal))


PersonFact = (
    PlayerRegistered
    | RoleGiven
    | VipGiven
    | PlayerLockSet
    | ProtectionSet
    | TermsAccepted
    | RealityChecked
    | Noticed
    | NoticesSeen
)
MoneyFact = AccountOpened | SittingOpened | MoneyBrought | SittingClosed | GoldenMoved
TableFact = ShoeCommittedFact | ShoeSeededFact | ShoeRevealedFact | CardSealed | RoundOpenedFact | RoundClosed
OfficeFact = ChangeProposed | ChangeDecided | SettingChanged
AnyFact = StreamOwned | PersonFact | MoneyFact | TableFact | SeatTakenFact | SeatLeftFact | OfficeFact
