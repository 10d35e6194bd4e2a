"""What an operator sets, and where each setting came from.

A file `sabot.toml` with the sections `[house]`, `[operator]`, `[server]`, `[cashier]`, `[database]` and any number of `[[table]]` and
`[[limits]]`, over it the environment (`SABOT_SERVER_PORT=8080`), over that the flags of the command. What is not known is
refused by name.

>>> loaded = load_config(None, {"SABOT_SERVER_PORT": "8080"}, {})
>>> loaded.config.server.port, loaded.source("server.port"), loaded.source("server.host")
(8080, 'SABOT_SERVER_PORT', 'default')
>>> load_config(None, {"SABOT_DATABASE_URI": "sqlite://"}, {})
Traceback (most recent call last):
sabot.server.config.ConfigError: SABOT_DATABASE_URI: there is no setting database.uri: the section has url
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import msgspec
from msgspec import Meta, Struct

from sabot.games.options import Limits
from sabot.protocol.fields import TermsVersion, problem_of, whole
from sabot.server.addresses import networks
from sabot.store.kinds import Currency
from sabot.tables.live.timers import Timers

_PREFIX = "SABOT_"

Positive = Annotated[int, Meta(gt=0)]
Cents = Annotated[int, Meta(ge=0, le=10**12)]
PositiveCents = Annotated[int, Meta(gt=0, le=10**12)]


_NAME = whole("[a-z0-9-]{1,40}", "1 to 40 small letters, digits and -")
#: An address of a page, or nothing.
Url = Annotated[str, Meta(pattern=whole(r"(https?://[^\s]+)?", "an address with http:// or https://"))]


class Rate(NamedTuple):
    """So many at once, then one every so many seconds; with 0 seconds any number."""

    burst: Positive
    every: Annotated[float, Meta(ge=0, le=86_400)]


class _Section(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The root of all sections."""


class HouseConfig(_Section, frozen=True):
    """The house: its name, its key, its money."""

    name: str = "sabot"
    #: The file with the keys that seal the seeds of open shoes; it is made where there is none.
    key: str = "sabot.key"
    #: Play money a demo player is given.
    demo_money: Cents = 500_000
    #: What a player is offered to bring to a table by sitting down (PLT-04).
    sitting: Annotated[int, Meta(gt=0, le=10**12)] = 10_000
    #: The most of one sitting in euros; if not set 1,000.00, or what the limits of a table need (PLT-04, PLT-64).
    sitting_cap: Cents | None = None
    #: Hours after which a round that nobody comes back to is played out (PLT-30).
    abandoned_hours: Positive = 24
    #: Minutes after which a sitting without a round ends (PLT-04).
    idle_minutes: Positive = 30
    #: Minutes between two reality checks (PLT-51).
    reality_minutes: Positive = 60
    #: Words that are hidden in what people say at live tables (PLT-40).
    hidden_words: tuple[str, ...] = ()
    #: Hours until a looser limit of a player's own is in force (PLT-50).
    cooling_hours: Positive = 24


class OperatorConfig(_Section, frozen=True):
    """What players agree to, and whom they turn to (PLT-50, PLT-62, PLT-63)."""

    #: Files with the terms in each language, plain text; without one the text that ships is shown.
    terms_it: str = ""
    terms_en: str = ""
    #: A version that differs from the one a player accepted is accepted again before playing.
    terms_version: TermsVersion = "1"
    #: Years that a player must have to register.
    least_age: Annotated[int, Meta(ge=18, le=120)] = 18
    #: Where assistance is found; what is empty is not shown.
    assistance_email: str = ""
    assistance_phone: str = ""
    assistance_url: Url = ""
    #: The national help line against gambling harm.
    help_line_name: str = "Telefono Verde Nazionale per le problematiche legate al Gioco d'Azzardo (TVNGA), Istituto Superiore di Sanità"
    help_line_phone: str = "800 558822"
    help_line_url: Url = "https://www.iss.it/telefono-verde-gioco-d-azzardo"
    #: The national register of self-exclusion.
    register_name: str = "Registro Unico degli Autoesclusi (RUA), Agenzia delle Dogane e dei Monopoli"
    register_url: Url = "https://www.adm.gov.it"


class ServerConfig(_Section, frozen=True):
    """Where the house is found, and how its logins live."""

    host: str = "127.0.0.1"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8765
    #: The address players use, if another than host and port; https makes cookies secure.
    public_url: str = ""
    #: Further names or addresses under which the house is reached: another `Host` is refused. Loopback names, `host`
    #: and the one of `public_url` are known without being named.
    hosts: tuple[str, ...] = ()
    #: Further origins whose pages may call the house.
    origins: tuple[str, ...] = ()
    #: Addresses or networks of the house's own proxies: what they say of where a request comes from is believed.
    proxies: tuple[str, ...] = ()
    #: Seconds that a client may take to send a head, a body or a frame; and to ask again on an open connection.
    patience_seconds: Annotated[float, Meta(gt=0, le=600)] = 10.0
    idle_seconds: Annotated[float, Meta(gt=0, le=3_600)] = 75.0
    #: Connections that an address may have, and sockets that an account may have; loopback and proxies are not counted.
    connections_address: Positive = 1_000
    sockets_account: Positive = 16
    #: The bearer token that opens /metrics and the details of /readyz (ASR-34); without one they are open only to this
    #: machine itself, as long as the house has no `public_url` and no proxies.
    metrics_token: str = ""
    login_hours: Positive = 24
    #: Memory of one password hash.
    argon_memory_kib: Annotated[int, Meta(ge=8)] = 65_536
    #: How often an address may ask anything, and an account, over HTTP and its sockets together (ASR-30).
    rate_address: Rate = Rate(200, 0.02)
    rate_account: Rate = Rate(60, 0.05)
    #: How often a password may be tried from an address, and for an account.
    rate_login_address: Rate = Rate(10, 3.0)
    rate_login_account: Rate = Rate(10, 12.0)
    #: How often an address may register a new player.
    rate_register_address: Rate = Rate(5, 30.0)
    #: How often an address may bring a demo player, and the house as a whole. Many players share a carrier's address.
    rate_demo_address: Rate = Rate(100, 0.6)
    rate_demo_house: Rate = Rate(300, 0.5)


class CashierConfig(_Section, frozen=True):
    """What the cashier takes and pays, in cents, of any money (PLT-02): of one payment, and of a day (UTC)."""

    deposit_least: PositiveCents = 100
    deposit_most: PositiveCents = 1_000_000
    deposit_day: PositiveCents = 2_000_000
    withdraw_least: PositiveCents = 100
    withdraw_most: PositiveCents = 5_000_000
    withdraw_day: PositiveCents = 10_000_000
    #: From this amount on the page asks once more.
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
    """Where everything is kept."""

    url: str = "sqlite:///sabot.db"


class TableSection(_Section, frozen=True):
    """A live table of the lobby; every solo game has one of its own without being named."""

    name: Annotated[str, Meta(pattern=_NAME)]
    game: str
    currency: Currency = "EUR"
    #: What the lobby calls it; the game's title if nothing else.
    title: str = ""
    #: Limits, chips, side bets, golden chips, cut card: what differs from the game's own (`TableOptions`).
    options: dict[str, Any] = {}
    #: The most a player may bring to one sitting, where it differs from the house's (PLT-04).
    cap: Cents | None = None
    #: The VIP level from which a player may sit down: high limits are a table of their own (PLT-10).
    vip: Annotated[int, Meta(ge=0, le=9)] = 0
    timers: Timers = Timers()
    #: Programs that the house itself seats here, marked as such: for play money only.
    bots: Annotated[int, Meta(ge=0, le=50)] = 0


class LimitsSection(_Section, frozen=True):
    """Limits that players may choose at solo games, in place of those that ship (PLT-10)."""

    name: Annotated[str, Meta(pattern=_NAME)]
    #: Which games and which money they are for; without, all.
    games: tuple[str, ...] = ()
    currency: Currency | None = None
    #: The VIP level they are open from (COM-54).
    vip: Annotated[int, Meta(ge=0, le=9)] = 0
    main: Limits = Limits()
    side: Limits = Limits(100, 10_000)
    #: The maximum win of a round, and the most of one sitting, where they differ from the game's and the house's.
    max_win: Annotated[int, Meta(gt=0, le=10**12)] | None = None
    cap: Cents | None = None


#: The tables of a house that names none: each live game for play money, with company, and for euros.
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
    table: tuple[TableSection, ...] = DEFAULT_TABLES
    limits: tuple[LimitsSection, ...] = ()


_SECTIONS: dict[str, type[Struct]] = {
    "house": HouseConfig,
    "operator": OperatorConfig,
    "server": ServerConfig,
    "cashier": CashierConfig,
    "database": DatabaseConfig,
}

#: Sections there can be any number of.
_LISTS = ("table", "limits")

#: Flags that are called otherwise than their setting.
_FLAGS = {"database.url": "--database"}


class ConfigError(ValueError):
    """A setting that will not do; says which, where it stands and what would be right."""


class Loaded(NamedTuple):
    """The settings in force, and for each that is not the default where it came from."""

    config: Config
    sources: Mapping[str, str]

    def source(self, name: str) -> str:
        """Where a setting came from: a file, a variable, a flag, or the default."""
        return self.sources.get(name, "default")


def load_config(file: Path | None, environ: Mapping[str, str], flags: Mapping[str, object]) -> Loaded:
    """The settings of a file, the environment and flags (`{"server.port": 8080}`), in rising order."""
    values: dict[str, Any] = {section: {} for section in _SECTIONS}
    sources: dict[str, str] = {}
    if file is not None:
        values |= _read(file)
        for section in _LISTS:
            if section in values:
                sources[section] = str(file)
        for section in _SECTIONS:
            for key in values[section]:
                _check(section, key, str(file))
                sources[f"{section}.{key}"] = str(file)
    for variable, text in environ.items():
        name = _variable(variable)
        if name is not None:
            _set(values, sources, name, text, variable)
    for flag, value in flags.items():
        if value is not None:
            section, _, key = flag.partition(".")
            _set(values, sources, (section, key), value, _FLAGS.get(flag, f"--{key}"))
    try:
        loaded = Loaded(msgspec.convert(values, Config, strict=False), sources)
    except msgspec.ValidationError as error:
        problem = problem_of(error)
        source = sources.get(problem.field.partition("[")[0], file)
        raise ConfigError(f"{source}: {problem}") from None
    try:
        networks(loaded.config.server.proxies)
    except ValueError as error:
        raise ConfigError(f"{loaded.source('server.proxies')}: server.proxies: {error}") from None
    for setting in ("terms_it", "terms_en"):
        file_name = getattr(loaded.config.operator, setting)
        try:
            if file_name:
                Path(file_name).read_text("utf-8")
        except (OSError, UnicodeDecodeError) as error:
            key = f"operator.{setting}"
            raise ConfigError(f"{loaded.source(key)}: {key}: {file_name} cannot be read: {error}") from None
    return loaded


def _read(file: Path) -> dict[str, Any]:
    """The tables of a file, each section at least empty."""
    try:
        found = tomllib.loads(file.read_text("utf-8"))
    except OSError as error:
        raise ConfigError(f"{file} cannot be read: {error.strerror}") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigError(f"{file} is not TOML: {error}") from None
    for section, contents in found.items():
        if section not in (*_SECTIONS, *_LISTS):
            raise ConfigError(f"{file}: there is no section {section!r}: the sections are {_names()}")
        if not isinstance(contents, list if section in _LISTS else dict):
            raise ConfigError(f"{file}: {section} is no section: write {_heading(section)}")
    lists = {section: found[section] for section in _LISTS if section in found}
    return {section: found.get(section, {}) for section in _SECTIONS} | lists


def _variable(variable: str) -> tuple[str, str] | None:
    """The setting an environment variable names; None of another program's."""
    if not variable.startswith(_PREFIX):
        return None
    section, _, key = variable.removeprefix(_PREFIX).lower().partition("_")
    return (section, key) if section in _SECTIONS else None


def _set(
    values: dict[str, Any], sources: dict[str, str], name: tuple[str, str], value: object, source: str
) -> None:
    section, key = name
    kind = _check(section, key, source)
    if isinstance(value, str) and (kind is Rate or str(kind).startswith("tuple")):
        value = [part.strip() for part in value.split(",") if part.strip()]
    values[section] = {**values[section], key: value}
    sources[f"{section}.{key}"] = source


def _check(section: str, key: str, source: str) -> object:
    """The type of a setting; refuses one that is not there."""
    fields = {field.name: field.type for field in msgspec.structs.fields(_SECTIONS[section])}
    if key not in fields:
        raise ConfigError(
            f"{source}: there is no setting {section}.{key}: the section has {', '.join(fields)}"
        )
    return fields[key]


def _names() -> str:
    return ", ".join(_heading(section) for section in (*_SECTIONS, *_LISTS))


def _heading(section: str) -> str:
    return f"[[{section}]]" if section in _LISTS else f"[{section}]"
