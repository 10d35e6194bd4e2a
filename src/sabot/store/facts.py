"""What a row of the log changed in the other tables, and how.

A fact stands in the body of its row, so the tables that follow from the log can be worked out from it again. Each
fact says which rows it adds and which guarded statements it runs; a statement must find exactly one row.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct
from sqlalchemy import Table

from sabot.store import schema
from sabot.store.kinds import KEEPS_BALANCE, AccountKind, Currency, NoticeKind, ProtectionKind, Role

Row = tuple[object, ...]


class Context(NamedTuple):
    """The row of the log that a fact stands in, and what the unit brought along that the log must not hold."""

    stream: int
    n: int
    at: int
    round: str | None
    secrets: dict[int, Any]
    #: The place of the fact in its row.
    i: int = 0


class Change(NamedTuple):
    """A row to add to a table, or the values of a guarded statement."""

    target: Table | str
    row: Row


class Statement(NamedTuple):
    """A guarded update of one row, found by its table's key; its values come first, the key last."""

    table: Table
    sets: tuple[str, ...]
    #: What must hold of the row: what is done is not done again.
    guard: str
    #: Whether the value is added to what stands there.
    adds: bool = False

    @property
    def key(self) -> str:
        """The column that finds the row."""
        return next(iter(self.table.primary_key)).name

    def sql(self, mark: str) -> str:
        """The statement, with a driver's mark for each value."""
        sets = ", ".join(f"{name} = {f'{name} + ' * self.adds}{mark}" for name in self.sets)
        return f"UPDATE {self.table.name} SET {sets} WHERE {self.key} = {mark} AND {self.guard}"


#: Statements by name; each finds one row or the unit is refused.
STATEMENTS = {
    "bring": Statement(schema.sittings, ("brought",), "closed_at IS NULL", adds=True),
    "leave": Statement(schema.sittings, ("closed_at", "taken"), "closed_at IS NULL"),
    "rise": Statement(schema.seats, ("left_at",), "left_at IS NULL"),
    "seed": Statement(schema.shoes, ("client_seed", "seeds"), "client_seed IS NULL"),
    "reveal": Statement(schema.shoes, ("seed",), "seed IS NULL"),
    "close": Statement(schema.rounds, ("state", "closed_at"), "state = 'open'"),
    "role": Statement(schema.profiles, ("role",), "NOT demo"),
    "vip": Statement(schema.profiles, ("vip",), "NOT demo"),
}


class Fact(Struct, frozen=True, gc=False, forbid_unknown_fields=True, omit_defaults=True, tag_field="fact"):
    """The root of all facts."""

    def changes(self, row: Context) -> Iterator[Change]:
        """What the fact does to the tables: nothing, unless it says so."""
        return iter(())


class StreamOwned(Fact, frozen=True, tag="stream-owned"):
    """An owner took the stream; from here on it writes with a new epoch.

    Every taking has a number of its own: of two takers at once, the second must not find its own row in the first's.
    """

    name: str
    owner: int


class PlayerRegistered(Fact, frozen=True, tag="player-registered"):
    """A player came. The proof is SHA-256 over salt and name; both can be erased and leave it meaningless."""

    player: int
    proof: str
    #: Whether the player came without registering, to play for play money (PLT-01).
    demo: bool = False
    #: Whether the demo player is a program; what it plays is in no payout report.
    bot: bool = False

    def changes(self, row: Context) -> Iterator[Change]:
        """The row with the personal data, the profile, and the password if there is one."""
        name, salt, born, *password = row.secrets[self.player]
        yield Change(schema.players, (self.player, name, salt, row.at, born))
        yield Change(schema.profiles, (self.player, "player", 0, self.demo, self.bot))
        for hash in password:
            yield Change(schema.credentials, (self.player, hash, row.at))


class RoleGiven(Fact, frozen=True, tag="role-given"):
    """An operator gave a player another role (PLT-60)."""

    player: int
    role: Role

    def changes(self, row: Context) -> Iterator[Change]:
        """The role."""
        yield Change("role", (self.role, self.player))


class VipGiven(Fact, frozen=True, tag="vip-given"):
    """An operator gave a player another VIP level (PLT-10)."""

    player: int
    vip: int

    def changes(self, row: Context) -> Iterator[Change]:
        """The level."""
        yield Change("vip", (self.vip, self.player))


class ProtectionSet(Fact, frozen=True, tag="protection-set"):
    """A player set a limit, or lifted one (PLT-50)."""

    player: int
    kind: ProtectionKind
    value: int | None
    in_force_from: int

    def changes(self, row: Context) -> Iterator[Change]:
        """The setting."""
        yield Change(schema.protections, (self.player, self.kind, row.at, self.value, self.in_force_from))


class TermsAccepted(Fact, frozen=True, tag="terms-accepted"):
    """A player accepted a version of the terms (PLT-62)."""

    player: int
    version: str

    def changes(self, row: Context) -> Iterator[Change]:
        """The acceptance."""
        yield Change(schema.terms_accepted, (self.player, self.version, row.at))


class AccountOpened(Fact, frozen=True, tag="account-opened"):
    """An account was opened, with nothing in it."""

    account: int
    name: str
    kind: AccountKind
    currency: Currency
    player: int | None = None

    def changes(self, row: Context) -> Iterator[Change]:
        """The account."""
        balance = 0 if self.kind in KEEPS_BALANCE else None
        yield Change(
            schema.accounts, (self.account, self.name, self.kind, self.player, self.currency, balance)
        )


class SittingOpened(Fact, frozen=True, tag="sitting-opened"):
    """A player sat down, with an account for the money brought."""

    sitting: int
    player: int
    account: int

    def changes(self, row: Context) -> Iterator[Change]:
        """The sitting."""
        sitting = (self.sitting, row.stream, self.player, self.account, row.at, None, 0, None)
        yield Change(schema.sittings, sitting)


class MoneyBrought(Fact, frozen=True, tag="money-brought"):
    """A player brought money to a sitting (PLT-04)."""

    sitting: int
    amount: int

    def changes(self, row: Context) -> Iterator[Change]:
        """More brought."""
        yield Change("bring", (self.amount, self.sitting))


class SittingClosed(Fact, frozen=True, tag="sitting-closed"):
    """A player left with what was left, once (PLT-04)."""

    sitting: int
    taken: int

    def changes(self, row: Context) -> Iterator[Change]:
        """The end of the sitting."""
        yield Change("leave", (row.at, self.taken, self.sitting))


class SeatTaken(Fact, frozen=True, tag="seat-taken"):
    """A player took a free seat: the spot is the player's until the seat is left (FRB-20)."""

    seat: int
    spot: int
    player: int

    def changes(self, row: Context) -> Iterator[Change]:
        """The seat."""
        yield Change(schema.seats, (self.seat, row.stream, self.spot, self.player, row.at, None))


class SeatLeft(Fact, frozen=True, tag="seat-left"):
    """A player left a seat, or lost it (FRB-20). Who takes the spot next does so in a later row."""

    seat: int

    def changes(self, row: Context) -> Iterator[Change]:
        """The end of the seat."""
        yield Change("rise", (row.at, self.seat))


class GoldenMoved(Fact, frozen=True, tag="golden-moved"):
    """Golden chips of a face value came to an account; below zero, they left it (MAJ-50)."""

    account: int
    value: int
    count: int

    def changes(self, row: Context) -> Iterator[Change]:
        """The chips."""
        yield Change(schema.golden, (row.stream, row.n, row.i, self.account, self.value, self.count))


class ShoeCommitted(Fact, frozen=True, tag="shoe-committed"):
    """The house committed to a seed; the sealed seed itself is not in the log."""

    shoe: int
    commitment: str
    #: Whether it waits at the shuffling table while another is dealt (FRB-30).
    waiting: bool = False

    def changes(self, row: Context) -> Iterator[Change]:
        """The shoe."""
        shoe = (self.shoe, row.stream, self.commitment, row.secrets[self.shoe], None, None, None)
        yield Change(schema.shoes, shoe)


class ShoeSeeded(Fact, frozen=True, tag="shoe-seeded"):
    """The client seed in force was mixed in; the order of the cards is fixed. Of a live shoe, also who made it."""

    shoe: int
    client_seed: str
    seeds: tuple[str, ...] = ()
    root: str = ""

    def changes(self, row: Context) -> Iterator[Change]:
        """The client seed, and the players' seeds it was made of."""
        seeds = msgspec.json.encode(self.seeds) if self.root else None
        yield Change("seed", (self.client_seed, seeds, self.shoe))


class ShoeRevealed(Fact, frozen=True, tag="shoe-revealed"):
    """The seed, in hexadecimal, for everyone to check."""

    shoe: int
    seed: str

    def changes(self, row: Context) -> Iterator[Change]:
        """The seed in the open."""
        yield Change("reveal", (bytes.fromhex(self.seed), self.shoe))


class RoundOpened(Fact, frozen=True, tag="round-opened"):
    """A round began."""

    game: str
    currency: Currency
    engine: int

    def changes(self, row: Context) -> Iterator[Change]:
        """The round."""
        round = (row.round, row.stream, self.game, self.currency, self.engine, "open", row.at, None)
        yield Change(schema.rounds, round)


class Played(Struct, frozen=True, gc=False, array_like=True):
    """A round in sum, for one of its players."""

    player: int
    staked: int
    paid: int
    golden: bool = False


class RoundClosed(Fact, frozen=True, tag="round-closed"):
    """A round ended, and what it was for each player."""

    end: Literal["settled", "voided"]
    played: tuple[Played, ...] = ()
    #: Cards of the shoe that are dealt by now: a live shoe goes on from there.
    dealt: int = 0

    def changes(self, row: Context) -> Iterator[Change]:
        """The end of the round, and a line of history for each player."""
        yield Change("close", (self.end, row.at, row.round))
        for line in self.played:
            values = (line.player, row.at, row.round, line.staked, line.paid, line.golden)
            yield Change(schema.played, values)


class Noticed(Fact, frozen=True, tag="noticed"):
    """A table did something to a player that nobody had asked for (PLT-49)."""

    player: int
    what: NoticeKind
    game: str
    currency: Currency
    round: str = ""
    spot: int = -1
    hand: int = 0
    #: What was decided, or wanted and then done in its place, or wanted and not followed; or why a bet went back.
    detail: str = ""
    amount: int = 0

    def changes(self, row: Context) -> Iterator[Change]:
        """The line for the player."""
        told = (
            self.what,
            self.game,
            self.currency,
            self.round,
            self.spot,
            self.hand,
            self.detail,
            self.amount,
        )
        yield Change(schema.notices, (row.stream, row.n, row.i, self.player, row.at, *told))


#: What stands in the place of a notice's kind where a player has seen those before it.
SEEN = "seen"


class NoticesSeen(Fact, frozen=True, tag="notices-seen"):
    """A player has seen what a table told, up to a place in its log (PLT-49)."""

    player: int
    game: str
    currency: Currency
    upto: int

    def changes(self, row: Context) -> Iterator[Change]:
        """A mark among the player's notices."""
        told = (SEEN, self.game, self.currency, "", -1, 0, "", self.upto)
        yield Change(schema.notices, (row.stream, row.n, row.i, self.player, row.at, *told))


AnyFact = (
    StreamOwned
    | PlayerRegistered
    | AccountOpened
    | SittingOpened
    | MoneyBrought
    | SittingClosed
    | ShoeCommitted
    | ShoeSeeded
    | ShoeRevealed
    | RoundOpened
    | RoundClosed
    | RoleGiven
    | VipGiven
    | ProtectionSet
    | TermsAccepted
    | SeatTaken
    | SeatLeft
    | GoldenMoved
    | Noticed
    | NoticesSeen
)


def changes_of(facts: Sequence[AnyFact], row: Context) -> Iterator[Change]:
    """What the facts of a row do to the tables, in order."""
    for i, fact in enumerate(facts):
        yield from fact.changes(row._replace(i=i))
