"""Settings in force: those of the file, with what operators have changed laid over them (OFF-02, OFF-10).

Files keep what belongs to a machine. Live tables, limits, switches and the thresholds of the office can be changed while
the house runs: each has a subject, `table/freebet`, and its last approved value is in force on every node.
"""

from collections.abc import Mapping
from typing import Annotated, Any, NamedTuple, cast, get_args

import msgspec
import sqlalchemy
from msgspec import Meta
from msgspec.inspect import IntType, StructType, type_info
from msgspec.structs import asdict, replace
from sqlalchemy import Connection

from sabot.games import CATALOGUE
from sabot.games.options import LimitChoice, Limits
from sabot.protocol.fields import Form, TableName
from sabot.server.config import Cents, Config, LimitsSection, OfficeConfig, PositiveCents, TableSection
from sabot.server.office.switches import Switches
from sabot.server.tables.limits import choices_of
from sabot.store import schema
from sabot.store.kinds import Currency

#: Settings of the office that belong to the file: whoever may change them could switch off what guards the others.
FILE_ONLY = ("two_people", "second_factor", "idle_minutes")
#: The caps of what one administrator may give alone: two administrators change them, and no supervisors (OFF-17).
CAPS = ("alone_amount", "alone_day", "alone_vip", "alone_vips")


def _bounds() -> dict[str, tuple[int, int]]:
    fields = cast(StructType, type_info(OfficeConfig)).fields
    kinds = [(field.name, field.type) for field in fields if field.name not in FILE_ONLY]
    return {
        name: (kind.ge, kind.le) for name, kind in kinds if isinstance(kind, IntType) and kind.ge and kind.le
    }


#: Settings of the office that are no amounts: the least and the most of each.
BOUNDS = _bounds()


class LimitsLine(Form, frozen=True, kw_only=True):
    """One choice of limits of a solo game, from a VIP level on (PLT-10)."""

    name: TableName
    vip: Annotated[int, Meta(ge=0, le=9)] = 0
    main: Limits
    side: Limits
    max_win: PositiveCents | None = None
    cap: Cents | None = None


class StoredSetting(NamedTuple):
    """The value of a subject in JSON, and its number."""

    version: int
    value: bytes


class LaidOver(NamedTuple):
    """What is in force, and the subjects whose stored value this release cannot read."""

    config: Config
    switches: Switches
    unreadable: tuple[str, ...] = ()


def stored_settings(connection: Connection, until: int | None = None) -> dict[str, StoredSetting]:
    """The last approved value of every subject; the one at a moment, if it is given."""
    changes = schema.changes.c
    last = (
        sqlalchemy.select(changes.subject, sqlalchemy.func.max(changes.version).label("version"))
        .where(sqlalchemy.true() if until is None else changes.at <= until)
        .group_by(changes.subject)
        .subquery()
    )
    query = (
        sqlalchemy.select(changes.subject, changes.version, changes.value)
        .join_from(
            schema.changes,
            last,
            sqlalchemy.and_(changes.subject == last.c.subject, changes.version == last.c.version),
        )
        .order_by(changes.subject)
    )
    return {
        subject: StoredSetting(version, bytes(value)) for subject, version, value in connection.execute(query)
    }


def lay_over(base: Config, stored: Mapping[str, bytes]) -> LaidOver:
    """The settings of the file with stored values over them; one that cannot be read leaves the file's in force.

    >>> closed = lay_over(Config(), {"table/freebet": b"null", "switch/game/link": b"false"})
    >>> "freebet" in [section.name for section in closed.config.table], closed.switches.why_closed("link")
    (False, 'game')
    """
    laid = _Laid(base)
    unreadable = []
    for subject, value in stored.items():
        try:
            laid.lay(subject, value)
        except (msgspec.MsgspecError, ValueError):
            unreadable.append(subject)
    return LaidOver(laid.config(), Switches(frozenset(laid.closed)), tuple(unreadable))


class _Laid:
    """Settings while stored values are laid over them."""

    def __init__(self, base: Config) -> None:
        self._base = base
        self._tables = {section.name: section for section in base.table}
        self._limits: dict[tuple[str, str], tuple[LimitsSection, ...]] = {}
        self._office = base.office
        self.closed: set[str] = set()

    def lay(self, subject: str, value: bytes) -> None:
        kind, _, name = subject.partition("/")
        match kind:
            case "table":
                section = msgspec.json.decode(value, type=TableSection | None)
                if section is None:
                    self._tables.pop(name, None)
                elif section.name != name:
                    raise ValueError(f"{subject} holds table {section.name}")
                else:
                    self._tables[name] = section
            case "limits":
                game, _, currency = name.partition("/")
                lines = msgspec.json.decode(value, type=tuple[LimitsLine, ...] | None)
                if lines is not None:
                    self._limits[game, currency] = sections_of(game, currency, lines)
            case "switch":
                if not msgspec.json.decode(value, type=bool):
                    self.closed.add(name)
            case "office":
                self._office = office_with(self._office, name, msgspec.json.decode(value))

    def config(self) -> Config:
        limits = self._base.limits
        if self._limits:
            limits = tuple(
                section
                for game, currency in limited()
                for section in self._limits.get((game, currency))
                or sections_of(game, currency, lines_of(choices_of(self._base, game, currency)))
            )
        return replace(self._base, table=tuple(self._tables.values()), limits=limits, office=self._office)


def limited() -> list[tuple[str, Currency]]:
    """Every solo game with every currency: what limits are set for."""
    return [
        (game.name, money) for game in CATALOGUE.values() if not game.live for money in get_args(Currency)
    ]


def office_with(office: OfficeConfig, key: str, value: Any) -> OfficeConfig:
    """The office's settings with one of them changed; `ValueError` if it cannot be."""
    values = msgspec.to_builtins(office)
    if key not in values or key in FILE_ONLY:
        known = ", ".join(name for name in values if name not in FILE_ONLY)
        raise ValueError(
            f"there is no setting {key!r} of the office that can be changed: there are {known or 'none'}"
        )
    return msgspec.convert({**values, key: value}, OfficeConfig)


def office_at(connection: Connection, file: Config, at: int) -> OfficeConfig:
    """The settings of the office as they were at a moment: a report of a time that is over keeps those (OFF-22)."""
    stored = stored_settings(connection, at)
    return lay_over(file, {subject: setting.value for subject, setting in stored.items()}).config.office


def lines_of(choices: tuple[LimitChoice, ...]) -> tuple[LimitsLine, ...]:
    """Choices of limits as they are stored."""
    return tuple(LimitsLine(**asdict(choice)) for choice in choices)


def sections_of(game: str, currency: str, lines: tuple[LimitsLine, ...]) -> tuple[LimitsSection, ...]:
    """Limits of one game and currency, as the file would have them."""
    fixed: dict[str, Any] = {"games": (game,), "currency": currency}
    return tuple(LimitsSection(**asdict(line), **fixed) for line in lines)
