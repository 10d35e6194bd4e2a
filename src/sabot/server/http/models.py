"""Requests and responses of the HTTP API. Unknown fields are refused, every number has bounds."""

from typing import Annotated, Literal, TypeAlias

from msgspec import UNSET, Meta, Struct, UnsetType, field

from sabot.games.options import Limits, TableOptions
from sabot.games.rules import Rules
from sabot.games.strategy import BestTable
from sabot.guide import Section
from sabot.protocol.fields import AnyName, Password, Reason, RequestId, TermsVersion, whole
from sabot.protocol.messages import TableHead
from sabot.rounds.history import Moment, Net, NoticeLine
from sabot.rounds.line_cards import LineWithCards
from sabot.server.accounts.limits import FOR_GOOD
from sabot.server.accounts.queries import OpenSitting
from sabot.store.kinds import Currency, ProtectionKind, Role
from sabot.store.register import DEAREST_GOLDEN, MOST_GOLDEN

Cents = Annotated[int, Meta(ge=1, le=10**10)]
LimitCents = Annotated[int, Meta(ge=0, le=10**12)]
Minutes = Annotated[int, Meta(ge=1, le=24 * 60)]
Instant = Annotated[int, Meta(ge=0, le=FOR_GOOD)]
Percent = Annotated[int, Meta(ge=0, le=100)]
Vip = Annotated[int, Meta(ge=0, le=9)]
Name = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=whole("[A-Za-z0-9._-]+", "letters, digits, . _ and -"))
]
#: A week, in minutes.
MOST_MUTED = 7 * 24 * 60
TableName = Annotated[str, Meta(pattern=whole("[a-z0-9-]{1,40}", "1 to 40 small letters, digits and -"))]
GameName = Annotated[
    str, Meta(min_length=1, max_length=32, pattern=whole("[a-z0-9-]+", "small letters, digits and -"))
]
Code = Annotated[
    str, Meta(pattern=whole("[0-9]{6}-[0-9]{6}-[A-Z2-7]{4}", "the code of a round, as 260829-104000-K7QA"))
]
Cursor = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=whole("[A-Za-z0-9_-]+", "the cursor of a page"))
]


Language = Literal["it", "en"]


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of every request."""


# Accounts


class Registering(Form, frozen=True):
    """A new player. With `bearer` the token comes in the response instead of a cookie."""

    name: AnyName
    password: Password
    #: The date of birth, `1990-12-31`, and the version of the terms that is accepted (PLT-62).
    born: Annotated[str, Meta(pattern=whole("[0-9]{4}-[0-9]{2}-[0-9]{2}", "a date as 1990-12-31"))]
    terms: TermsVersion
    bearer: bool = False


class LoggingIn(Form, frozen=True):
    """Name and password; a self-excluded player logs in to withdraw only."""

    name: Name
    password: Password
    bearer: bool = False
    purpose: Literal["play", "withdraw"] = "play"


class Demo(Form, frozen=True):
    """A new player with play money. A bot must say that it is one: others see it, payout reports leave it out."""

    bearer: bool = False
    bot: bool = False


class NewPassword(Form, frozen=True):
    """The old password and the new one; every other login ends."""

    old: Password
    new: Password
    bearer: bool = False


class AcceptingTerms(Form, frozen=True):
    """The version of the terms that a player accepts."""

    version: TermsVersion


class Terms(Struct, frozen=True):
    """The terms in force: paragraphs with a blank line between them, headings after `# `."""

    version: str
    texts: dict[Language, str]


class Assistance(Struct, frozen=True):
    """Contacts of the operator's support; empty where there is none (PLT-63)."""

    email: str
    phone: str
    url: str


class Contact(Struct, frozen=True):
    """A contact outside the house (PLT-50)."""

    name: str
    phone: str
    url: str


class Operator(Struct, frozen=True):
    """Contacts, the least age, and the version of the terms."""

    assistance: Assistance
    help_line: Contact
    register: Contact
    least_age: int
    terms_version: str


class Admitted(Struct, frozen=True):
    """The player of a new login; the token only if it was requested."""

    player: int
    name: str
    token: str | None = None


class SessionClock(Struct, frozen=True):
    """Length and net result of the session, and the interval of reality checks (PLT-51)."""

    began_at: int
    minutes: int
    reality_minutes: int
    #: When the player last answered a reality check in this session, on any device.
    checked_at: int | None
    net: tuple[Net, ...]


class InForce(Struct, frozen=True):
    """A limit and the time from which it is in force; None is no limit."""

    kind: ProtectionKind
    value: int | None
    since: int


class Protections(Struct, frozen=True):
    """The player's limits in force, those that begin later, and what is used up today."""

    in_force: tuple[InForce, ...]
    pending: tuple[InForce, ...]
    deposited_today: int
    lost_today: int


class Protecting(Form, frozen=True):
    """Limits to set; None lifts one, others stay. Amounts in cents a day, times in milliseconds."""

    deposit_day: LimitCents | UnsetType | None = UNSET
    loss_day: LimitCents | UnsetType | None = UNSET
    session_minutes: Minutes | UnsetType | None = UNSET
    time_out: Instant | UnsetType | None = UNSET
    self_exclusion: Instant | Literal["for-good"] | UnsetType | None = UNSET


class PlayerAccount(Struct, frozen=True):
    """The player's account, and the tables to go back to (PLT-30)."""

    player: int
    name: str
    role: Role
    vip: int
    demo: bool
    now: int
    balances: dict[str, int]
    seats: tuple[OpenSitting, ...]
    protections: Protections
    session: SessionClock
    #: Whether the terms in force are still to be accepted, before playing (PLT-62).
    terms_due: bool


class Sound(Form, frozen=True):
    """Volumes in per cent (PLT-42)."""

    muted: bool = False
    voice: Percent = 80
    game: Percent = 80


class Settings(Form, frozen=True):
    """Settings that are the same on every device of the player (PLT-42, PLT-43, PLT-47, ASR-50)."""

    language: Language | None = None
    sound: Sound = Sound()
    #: Whether others may bet behind the player; which doubles and splits the player's bets behind follow (FRB-42, FRB-43).
    allow_behind: bool = True
    follow_double: bool = False
    follow_split: bool = False
    view: Literal["immersive", "classic"] = "immersive"
    focus: bool = False
    hide_chat: bool = False
    four_colours: bool = False
    less_motion: bool = False
    #: How fast cards are dealt at solo tables.
    deal_speed: Literal["normal", "fast", "instant"] = "normal"
    #: Switched off, insurance is not offered (SUR-06, CSH-12).
    insurance: bool = True
    client_seed: Annotated[
        str, Meta(max_length=64, pattern=whole("[ -~]*", "printable ASCII characters"))
    ] = ""
    #: Games and live tables that the lobby shows first, by name.
    favourites: Annotated[
        tuple[
            Annotated[str, Meta(max_length=64, pattern=whole("[a-z0-9/-]+", "a game's or table's name"))], ...
        ],
        Meta(max_length=40),
    ] = ()


# The games


class GameHead(Struct, frozen=True):
    """A game of the catalogue."""

    name: str
    title: str
    live: bool
    sha256: str


class GameLimits(Struct, frozen=True):
    """Limits to choose from a VIP level on; `yours` says whether the player may choose them (PLT-11)."""

    game: str
    currency: Currency
    name: str
    vip: int
    main: Limits
    side: Limits
    #: The maximum win of a round, and of what is brought to a sitting.
    max_win: int | None
    cap: int | None
    yours: bool


class Games(Struct, frozen=True):
    """Every game of the house, and the limits of solo games."""

    games: tuple[GameHead, ...]
    limits: tuple[GameLimits, ...]
    #: The name of the house.
    house: str


class GameReturn(Struct, frozen=True):
    """The return of a bet as a fraction: as the regulation publishes it, and exact."""

    bet: str
    published: float | None
    per_stake: float
    per_initial: float
    sd: float


class GameQuery(Form, frozen=True):
    """The live table whose options and timers the guide states; otherwise the game's."""

    table: TableName | None = None


class GamePage(Struct, frozen=True):
    """A game as the engine plays it (PLT-61)."""

    game: GameHead
    rules: Rules
    options: TableOptions
    returns: tuple[GameReturn, ...]
    best: BestTable
    limits: tuple[GameLimits, ...]
    #: The rules in sentences, by language (PLT-66).
    guide: dict[Language, tuple[Section, ...]]


# Live tables


class Tables(Struct, frozen=True):
    """The lobby (PLT-44)."""

    tables: tuple[TableHead, ...]


class Promise(Struct, frozen=True):
    """Published of a shoe before its first round; before the players' seeds are mixed in, only the commitment."""

    decks: int
    commitment: str
    #: The digest of the players' seeds, the seeds themselves in order of arrival, and the root over all salted cards.
    client_seed: str = ""
    seeds: tuple[str, ...] = ()
    root: str = ""


class ShoeNow(Struct, frozen=True):
    """The shoe in use, how many of its cards are dealt, and where the cut card is."""

    promise: Promise
    dealt: int
    cut: int


class ShoeBefore(Struct, frozen=True):
    """The shoe before, with its seed: anyone can shuffle it again and compare every card (ASR-02)."""

    promise: Promise
    server_seed: str


class Shoes(Struct, frozen=True):
    """The shoes of a live table."""

    now: ShoeNow | None
    before: ShoeBefore | None
    #: The one at the shuffling table (FRB-30): only its commitment.
    next: Promise | None = None


class ProofsQuery(Form, frozen=True):
    """How many cards the client has already."""

    from_: Annotated[int, Meta(ge=0, le=1000)] = field(default=0, name="from")


class Proof(Struct, frozen=True):
    """A turned card: its place in the shoe, its salt, and its path to the root, in hexadecimal."""

    position: int
    card: int
    salt: str
    path: tuple[str, ...]


class Proofs(Struct, frozen=True):
    """Cards of the shoe in use in the order they were turned; `next` is the `from` of the next page."""

    commitment: str
    root: str
    #: How many cards the shoe has, and how many were turned.
    cards: int
    turned: int
    proofs: tuple[Proof, ...]
    next: int


# Rounds


class ListQuery(Form, frozen=True):
    """A page of a list: at most `limit` lines, in a currency, from a time until before another (ms, UTC)."""

    limit: Annotated[int, Meta(ge=1, le=100)] = 20
    currency: Currency | None = None
    since: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None
    until: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None


class HistoryQuery(ListQuery, frozen=True):
    """A page of a history, of a game or of all, before a cursor."""

    before: Cursor | None = None
    game: GameName | None = None


class HistoryPage(Struct, frozen=True):
    """Rounds, newest first, and the notices of the same time (PLT-49); `next` is the `before` of the next page.

    The first page has what all rounds that the query takes came to.
    """

    lines: tuple[LineWithCards, ...]
    next: str | None
    notices: tuple[NoticeLine, ...] = ()
    totals: tuple[Net, ...] | None = None


class HouseRoundQuery(Form, frozen=True):
    """One player's part by name, or a page of everyone's, after a player's number."""

    player: Name | None = None
    after: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    limit: Annotated[int, Meta(ge=1, le=100)] = 50


class Share(Struct, frozen=True):
    """What a player staked and was paid in a round."""

    player: int
    staked: int
    paid: int
    golden: bool


class LineSum(Struct, frozen=True):
    """Everyone's bets of one kind on one hand with one result, in sum."""

    spot: int
    hand: int
    why: str
    result: str
    bets: int
    staked: int
    paid: int


class HouseRound(Struct, frozen=True):
    """A round as the back office sees it (PLT-60)."""

    code: str
    table: str
    game: str
    currency: str
    state: str
    opened_at: int
    closed_at: int | None
    #: How many players had a bet, and what they staked and were paid in sum.
    players: int
    staked: int
    paid: int
    lines: tuple[LineSum, ...]
    #: A page of players' parts; `next` is the `after` of the next page.
    shares: tuple[Share, ...]
    next: int | None
    #: Public events; private ones of a solo round and of the requested player.
    moments: tuple[Moment, ...]


# Money


#: Into the account, or out of it.
Way: TypeAlias = Literal["deposit", "withdraw"]


class Payment(Form, frozen=True):
    """A deposit or withdrawal; the same id moves nothing again (ASR-11)."""

    id: RequestId
    currency: Currency
    amount: Cents


class Balance(Struct, frozen=True):
    """The balance of the account after a payment."""

    currency: Currency
    balance: int


class PaymentLimits(Struct, frozen=True):
    """The least and the most of one payment, and the most of a day (UTC), in any money."""

    least: int
    most: int
    day: int


class CashierPage(Struct, frozen=True):
    """Balances and limits; `deposit_left` is what the player's own limit leaves for today."""

    balances: dict[str, int]
    currencies: tuple[Currency, ...]
    deposit_left: int | None
    deposit: PaymentLimits
    withdraw: PaymentLimits
    #: The page asks for a confirmation from this amount on.
    confirm_from: int


class PaymentLine(Struct, frozen=True):
    """A payment, above 0 into the account; a rollback is a withdrawal that came back."""

    at: int
    kind: Literal["deposit", "withdraw", "rollback"]
    currency: Currency
    amount: int


class MovementsQuery(ListQuery, frozen=True):
    """A page of payments, in or out or both, before a cursor."""

    before: Annotated[str, Meta(pattern=whole("[0-9]{1,15}-[0-9]{1,15}", "the cursor of a page"))] | None = (
        None
    )
    way: Way | None = None


class Moved(Struct, frozen=True):
    """What payments in a currency came to, in cents; withdrawals that came back are not counted as withdrawn."""

    currency: Currency
    payments: int
    deposited: int
    withdrawn: int


class Movements(Struct, frozen=True):
    """Payments, newest first; `next` is the `before` of the next page.

    The first page has what all payments that the query takes came to.
    """

    lines: tuple[PaymentLine, ...]
    next: str | None
    totals: tuple[Moved, ...] | None = None


# Operators


class Order(Form, frozen=True, kw_only=True):
    """An operator's order; the reason is logged and never shown to players (ASR-33)."""

    reason: Reason


class GivingRole(Order, frozen=True, kw_only=True):
    """A new role of a player."""

    role: Role


class GivingVip(Order, frozen=True, kw_only=True):
    """A new VIP level of a player."""

    vip: Vip


class Muting(Order, frozen=True, kw_only=True):
    """A player who may not write for some minutes, at any table; 0 minutes end it."""

    player: Name
    minutes: Annotated[int, Meta(ge=0, le=MOST_MUTED)]


class Unsaying(Order, frozen=True, kw_only=True):
    """A chat message to remove from every screen."""

    id: Annotated[int, Meta(ge=0, le=2**53 - 1)]


class GrantingGolden(Order, frozen=True, kw_only=True):
    """Golden chips for a player; the same id grants nothing again (MAJ-50, ASR-11)."""

    id: RequestId
    currency: Currency
    value: Annotated[int, Meta(ge=1, le=DEAREST_GOLDEN)]
    count: Annotated[int, Meta(ge=1, le=MOST_GOLDEN)]
