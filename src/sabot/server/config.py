"""The operator's settings: what there is, section by section, with the defaults.

Where each comes from, and how a file is read: `sabot.server.config_sources`.
"""

from typing import Annotated, Any, NamedTuple

from msgspec import Meta, Struct

from sabot.games.options import Limits
from sabot.protocol.fields import AUTOMATIC, NO_VIDEO, PLAIN, TermsVersion, Title, VideoQuality, whole
from sabot.server.addresses import WebAddress, check_address, host_name, without_login
from sabot.store.kinds import Currency
from sabot.tables.config import Dealing
from sabot.tables.live.delays import LONGEST_DELAY
from sabot.tables.live.timers import Timers

Positive = Annotated[int, Meta(gt=0, le=10**9)]
Cents = Annotated[int, Meta(ge=0, le=10**12)]
PositiveCents = Annotated[int, Meta(gt=0, le=10**12)]
Percent = Annotated[int, Meta(ge=1, le=100)]


_NAME_WORDS = "1 to 40 small letters, digits and -"
_NAME = whole("[a-z0-9-]{1,40}", _NAME_WORDS)
BusUrl = Annotated[str, Meta(pattern=whole(r"(nats|tls)://[^\s]+", "an address with nats:// or tls://"))]
#: The address of a page that is only shown as a link, or nothing: it may have a query, and letters of any language.
Link = Annotated[
    str,
    Meta(
        pattern=whole(rf"(https?://((?!\s){PLAIN})+)?", "an address with http:// or https://, without spaces")
    ),
]


#: An address of a media server: the token goes with the request, so nothing stands behind the path.
VideoUrl = Annotated[
    str,
    Meta(
        pattern=whole(
            r"(https?://[^\s/?#@]+/[^\s?#]+)?",
            "an address with http:// or https:// and a path, without ? and #",
        )
    ),
]


class Rate(NamedTuple):
    """`burst` requests at once, then one every `every` seconds; with 0 seconds any number."""

    burst: Positive
    every: Annotated[float, Meta(ge=0, le=86_400)]


class _Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Base of all sections."""


class HouseConfig(_Section, frozen=True):
    """The house: its name, its key, its money."""

    name: str = "sabot"
    #: The file with the keys that encrypt the seeds of open shoes; it is created if it is missing.
    key: str = "sabot.key"
    #: Play money a demo player is given.
    demo_money: Cents = 500_000
    #: The amount that is offered for sitting down (PLT-04).
    sitting: PositiveCents = 10_000
    #: The most of one sitting in euros; without it there is no cap (PLT-04). It must suffice for all limits (PLT-64).
    sitting_cap: Cents | None = None
    #: Hours after which an abandoned round is played out (PLT-30).
    abandoned_hours: Positive = 24
    #: Minutes after which a sitting without a round ends (PLT-04).
    idle_minutes: Positive = 30
    #: Minutes between two reality checks (PLT-51).
    reality_minutes: Positive = 60
    #: Words that are hidden in the chat (PLT-40).
    hidden_words: tuple[str, ...] = ()
    #: Hours until a looser limit of a player's own is in force (PLT-50).
    cooling_hours: Positive = 24


class OperatorConfig(_Section, frozen=True):
    """Terms and contacts (PLT-50, PLT-62, PLT-63)."""

    #: Text files with the terms in each language; without one the text that ships is shown.
    terms_it: str = ""
    terms_en: str = ""
    #: Players must accept a new version before they play.
    terms_version: TermsVersion = "1"
    #: The least age of a player, in years.
    least_age: Annotated[int, Meta(ge=18, le=120)] = 18
    #: Contacts of support; an empty one is not shown.
    assistance_email: str = ""
    assistance_phone: str = ""
    assistance_url: Link = ""
    #: The national help line against gambling harm.
    help_line_name: str = "Telefono Verde Nazionale per le problematiche legate al Gioco d'Azzardo (TVNGA), Istituto Superiore di Sanità"
    help_line_phone: str = "800 558822"
    help_line_url: Link = "https://www.iss.it/telefono-verde-gioco-d-azzardo"
    #: The national register of self-exclusion.
    register_name: str = "Registro Unico degli Autoesclusi (RUA), Agenzia delle Dogane e dei Monopoli"
    register_url: Link = "https://www.adm.gov.it"


class ServerConfig(_Section, frozen=True):
    """Address, limits of connections and requests, logins."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8765
    #: The address that players use, if it is not host and port; https makes cookies secure.
    public_url: str = ""
    #: Further names or addresses under which the house is reached: another `Host` is refused. Loopback names, `host`
    #: and the one of `public_url` are known without being named.
    hosts: tuple[str, ...] = ()
    #: Further origins whose pages may call the house.
    origins: tuple[str, ...] = ()
    #: Addresses or networks of trusted proxies: their X-Forwarded-For is used.
    proxies: tuple[str, ...] = ()
    #: Seconds that a client may take to send a head, a body or a frame; and that an idle connection is kept.
    patience_seconds: Annotated[float, Meta(gt=0, le=600)] = 10.0
    idle_seconds: Annotated[float, Meta(gt=0, le=3_600)] = 75.0
    #: Connections of an address, and sockets of an account; loopback and proxies are not counted.
    connections_address: Positive = 1_000
    sockets_account: Positive = 16
    #: The bearer token that opens /metrics and the details of /readyz (ASR-34); without one they are open only to this
    #: machine itself, as long as the house has no `public_url` and no proxies.
    metrics_token: str = ""
    login_hours: Positive = 24
    #: Memory of one password hash.
    argon_memory_kib: Annotated[int, Meta(ge=8, le=2**18)] = 65_536
    #: Requests of an address, and of an account over HTTP and sockets together (ASR-30).
    rate_address: Rate = Rate(200, 0.02)
    rate_account: Rate = Rate(60, 0.05)
    #: Attempts at a password from one place (an open login, a known browser, an address), and for an account from all
    #: places where it was not opened before; and at a second factor from those.
    rate_login_address: Rate = Rate(10, 3.0)
    rate_login_account: Rate = Rate(10, 12.0)
    rate_factor_account: Rate = Rate(6, 600.0)
    #: Registrations from an address.
    rate_register_address: Rate = Rate(5, 30.0)
    #: New demo players from an address. Many players share a carrier's address.
    rate_demo_address: Rate = Rate(100, 0.6)
    #: Demo players who are logged in at once, from an address and in all: who was idle longest makes room for another. Those
    #: from loopback are not counted.
    demo_players_address: Positive = 200
    demo_players: Positive = 2_000

    def __post_init__(self) -> None:
        for name, url in [("public_url", self.public_url), *(("origins", origin) for origin in self.origins)]:
            check_address(name, url, "https", "http")
        if wrong := next((name for name in self.hosts if not host_name(name)), None):
            raise ValueError(
                f"hosts names {wrong[:100]!r}: write names or addresses as play.example or 192.168.1.5"
            )


class CashierConfig(_Section, frozen=True):
    """Limits of one payment and of a day (UTC), in cents of any currency (PLT-02)."""

    deposit_least: PositiveCents = 100
    deposit_most: PositiveCents = 1_000_000
    deposit_day: PositiveCents = 2_000_000
    withdraw_least: PositiveCents = 100
    withdraw_most: PositiveCents = 5_000_000
    withdraw_day: PositiveCents = 10_000_000
    #: The page asks for a confirmation from this amount on.
    confirm_from: PositiveCents = 50_000

    def __post_init__(self) -> None:
        for way in ("deposit", "withdraw"):
            least, most, day = self.of(way)
            if not least <= most <= day:
                raise ValueError(
                    f"{way}_least {least}, {way}_most {most}, {way}_day {day}: write them in ascending order"
                )

    def of(self, way: str) -> tuple[int, int, int]:
        """The least and the most of one payment, and the most of a day."""
        if way == "deposit":
            return self.deposit_least, self.deposit_most, self.deposit_day
        return self.withdraw_least, self.withdraw_most, self.withdraw_day


class DatabaseConfig(_Section, frozen=True):
    """The database."""

    url: str = "sqlite:///sabot.db"


#: What joins the nodes of a house: nothing, for there is one; PostgreSQL itself; NATS.
ALONE, NOTIFY, NATS = "alone", "notify", "nats"


class BusConfig(_Section, frozen=True):
    """The bus between the nodes of a house (CLU-02); without a name and an address the house has one node."""

    #: Addresses of NATS servers: nats://HOST:4222, or tls://HOST:4222; without one PostgreSQL joins up to three nodes.
    url: tuple[BusUrl, ...] = ()
    #: What the bus asks of its nodes: a token, or a file with credentials.
    token: str = ""
    credentials: str = ""
    #: The name of this node, which no other living one has; with an address, the machine's name and the port if empty.
    node: Annotated[
        str, Meta(pattern=whole("([a-z0-9][a-z0-9.-]{0,39})?", "up to 40 small letters, digits, . and -"))
    ] = ""
    #: Seconds without a sign of life after which a node may be found dead (CLU-03).
    lease_seconds: Annotated[float, Meta(ge=3, le=60)] = 6.0

    def __post_init__(self) -> None:
        for url in self.url:
            address = without_login(url)
            login = url.partition("://")[2].rpartition("@")[0]
            # The client would take what is before such a sign for the host, and name it when that does not answer.
            if {*"/?#"} & {*login} or WebAddress.parse(address) is None:
                raise ValueError("url is no address: write one as nats://HOST:PORT or tls://HOST:PORT")

    @property
    def kind(self) -> str:
        """What joins this node to others."""
        return NATS if self.url else NOTIFY if self.node else ALONE


class OfficeConfig(_Section, frozen=True):
    """The back office (OFF)."""

    #: Whether operators need a second factor; a house of one on its own machine may do without (OFF-06).
    second_factor: bool = True
    #: Minutes without activity after which an operator logs in to the office again.
    idle_minutes: Annotated[int, Meta(ge=1, le=30)] = 30
    #: A stake of a player in a round, and a win beyond it, from which they are significant events (OFF-11); real money.
    large_stake: PositiveCents = 100_000
    large_win: PositiveCents = 500_000
    #: Whether a change needs a second person; a house of one may do without (OFF-10).
    two_people: bool = True
    #: What one person alone may adjust, or grant in golden chips, in one operation and in a day, in cents of each
    #: currency; what is above needs a second person (OFF-17).
    alone_amount: Cents = 10_000
    alone_day: Cents = 50_000
    #: The highest VIP level that one person alone may give, and how many levels in a day (OFF-17).
    alone_vip: Annotated[int, Meta(ge=1, le=9)] = 3
    alone_vips: Annotated[int, Meta(ge=1, le=1_000)] = 20
    #: From where on something is a signal of money laundering or harm (OFF-21); amounts are real money. A player's
    #: deposits and losses of a day and of a month.
    signal_deposits_day: PositiveCents = 200_000
    signal_deposits_month: PositiveCents = 1_000_000
    signal_losses_day: PositiveCents = 200_000
    signal_losses_month: PositiveCents = 1_000_000
    #: Deposits of at least so much, of which so many per cent were withdrawn and fewer than so many were staked.
    signal_unplayed: PositiveCents = 50_000
    signal_withdrawn_percent: Percent = 80
    signal_played_percent: Percent = 50
    #: Deposits on a day with a loss; hours with play on one day; days with play at night.
    signal_chasing_deposits: Annotated[int, Meta(ge=2, le=1_000)] = 3
    signal_hours: Annotated[int, Meta(ge=1, le=24)] = 10
    signal_nights: Annotated[int, Meta(ge=1, le=366)] = 5
    #: New accounts from one address that were used for a day or less.
    signal_accounts: Annotated[int, Meta(ge=2, le=1_000)] = 4


class StudioConfig(_Section, frozen=True):
    """What the tables share that a person deals at (STU)."""

    #: The file with the code table: code = "card", one line for each; without it cards are typed or picked (STU-04).
    codes: str = ""


class VideoSection(_Section, frozen=True):
    """One quality of a table's video: WHEP (WebRTC), HLS, or both (STU-20)."""

    quality: VideoQuality
    whep: VideoUrl = ""
    hls: VideoUrl = ""

    def __post_init__(self) -> None:
        if self.quality in (AUTOMATIC, NO_VIDEO):
            raise ValueError(
                f"quality {self.quality!r} is what players choose instead of one: name one, as '720'"
            )
        if not (self.whep or self.hls):
            raise ValueError(f"quality {self.quality!r} has no address: write whep, hls or both")
        check_address("whep", self.whep, "https", "http")
        check_address("hls", self.hls, "https", "http")


class TableSection(_Section, frozen=True):
    """A live table; solo games need none."""

    name: Annotated[str, Meta(pattern=_NAME)]
    game: Annotated[str, Meta(pattern=_NAME)]
    currency: Currency = "EUR"
    #: Its name in the lobby; the game's title if empty.
    title: Title = ""
    #: What differs from the game's own `TableOptions`: limits, chips, side bets, golden chips, cut card.
    options: dict[str, Any] = {}
    #: The most a player may bring to one sitting, if it is not the house's (PLT-04).
    cap: Cents | None = None
    #: The VIP level from which a player may sit down (PLT-10).
    vip: Annotated[int, Meta(ge=0, le=9)] = 0
    timers: Timers = Timers()
    #: Bots of the house, shown as such; for play money only.
    bots: Annotated[int, Meta(ge=0, le=50)] = 0
    #: Who deals: the house from a shuffled shoe, or a person in a studio (STU-01).
    dealing: Dealing = "house"
    #: Seconds after which a card that has not come is late (STU-10).
    late: Annotated[float, Meta(ge=1, le=600)] = 10

    #: The table's video, the best quality first.
    video: tuple[VideoSection, ...] = ()
    #: Milliseconds from the camera to the media server; and by which a card is read before the picture shows it (STU-24).
    latency: Annotated[int, Meta(ge=0, le=LONGEST_DELAY)] = 0
    lead: Annotated[int, Meta(ge=0, le=LONGEST_DELAY)] = 0

    def __post_init__(self) -> None:
        names = [entry.quality for entry in self.video]
        if twice := next((name for name in names if names.count(name) > 1), None):
            raise ValueError(f"quality {twice!r} of table {self.name} stands twice: give each one entry")


class LimitsSection(_Section, frozen=True):
    """Limits to choose at solo games, instead of those that ship (PLT-10)."""

    name: Annotated[str, Meta(pattern=_NAME)]
    #: Their games and currency; all if not set.
    games: tuple[Annotated[str, Meta(pattern=_NAME)], ...] = ()
    currency: Currency | None = None
    #: The VIP level from which they can be chosen (COM-54).
    vip: Annotated[int, Meta(ge=0, le=9)] = 0
    main: Limits = Limits()
    side: Limits = Limits(100, 10_000)
    #: The maximum win of a round, and of one sitting, if they are not the game's and the house's.
    max_win: PositiveCents | None = None
    cap: Cents | None = None


class DeviceSection(_Section, frozen=True):
    """A card-reading shoe of a studio table (STU-04)."""

    #: `console` is the presenter's own.
    name: Annotated[str, Meta(pattern=whole("(?!console$)[a-z0-9-]{1,40}", _NAME_WORDS + ", not console"))]
    table: Annotated[str, Meta(pattern=_NAME)]
    #: What it sends as its bearer token.
    token: Annotated[str, Meta(pattern=whole("[!-~]{32,200}", "32 to 200 letters, digits and signs"))]


#: Tables where the settings name none: each live game for play money with bots, and for euros.
DEFAULT_TABLES = (
    TableSection(name="freebet", game="freebet", currency="FUN", bots=3),
    TableSection(name="majority-eu", game="majority-eu", currency="FUN", bots=5),
    TableSection(name="majority-us", game="majority-us", currency="FUN", bots=4),
    TableSection(name="freebet-euro", game="freebet"),
    TableSection(name="majority-eu-euro", game="majority-eu"),
    TableSection(name="majority-us-euro", game="majority-us"),
)


class Config(_Section, frozen=True):
    """All settings."""

    house: HouseConfig = HouseConfig()
    operator: OperatorConfig = OperatorConfig()
    server: ServerConfig = ServerConfig()
    cashier: CashierConfig = CashierConfig()
    database: DatabaseConfig = DatabaseConfig()
    bus: BusConfig = BusConfig()
    office: OfficeConfig = OfficeConfig()
    studio: StudioConfig = StudioConfig()
    table: tuple[TableSection, ...] = DEFAULT_TABLES
    limits: tuple[LimitsSection, ...] = ()
    device: tuple[DeviceSection, ...] = ()
