"""Players' own limits, time-outs and self-exclusion; the session clock (PLT-50, PLT-51).

A stricter setting is in force at once, a looser one after the house's cooling-off time. Rows are never changed: what is
in force follows from all of them.

>>> rows = [Setting("loss-day", 0, 10_000, 0), Setting("loss-day", 5, 50_000, 105)]
>>> [standing(rows, at).value("loss-day") for at in (5, 104, 105)]
[10000, 10000, 50000]
"""

from collections.abc import Iterable, Mapping
from typing import NamedTuple, get_args

import sqlalchemy
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.kinds import ProtectionKind

KINDS: tuple[ProtectionKind, ...] = get_args(ProtectionKind)
#: Kinds whose value is the end of a break from play: later is stricter. Of the others, less is stricter.
UNTIL: frozenset[ProtectionKind] = frozenset({"time-out", "self-exclusion"})
#: The end of a self-exclusion for good: the last moment of the year 9999.
FOR_GOOD = 253_402_300_799_999
_DAY_MS = 24 * 3_600_000
_MINUTE_MS = 60_000
#: Minutes away after which a new session begins.
PAUSE_MINUTES = 15


class Setting(NamedTuple):
    """A limit that a player set; None lifts the one before."""

    kind: ProtectionKind
    set_at: int
    value: int | None
    in_force_from: int


#: What a setting is read from.
SETTING_COLUMNS = tuple(schema.protections.c[name] for name in Setting._fields)
_SETTINGS = sqlalchemy.select(*SETTING_COLUMNS).where(
    schema.protections.c.player == sqlalchemy.bindparam("player")
)


class Standing(NamedTuple):
    """The settings in force at a time, and those that begin later."""

    at: int
    in_force: Mapping[ProtectionKind, Setting]
    pending: Mapping[ProtectionKind, Setting]

    def value(self, kind: ProtectionKind) -> int | None:
        """The value in force; None without one, or after the end of a break."""
        found = self.in_force.get(kind)
        if found is None or (kind in UNTIL and (found.value or 0) <= self.at):
            return None
        return found.value


class Day(NamedTuple):
    """A player's deposits and losses of a day, in cents; `at_stake` is in open rounds."""

    deposited: int = 0
    lost: int = 0
    at_stake: int = 0


class OpenRound(NamedTuple):
    """An open round and what a player has staked in it."""

    code: str
    table: str
    staked: int

    @property
    def key(self) -> str:
        """Under what an amount is reserved for it: before a deal a solo round has no code, but its table has no other."""
        return self.table if self.table.startswith("solo/") else self.code


class Session(NamedTuple):
    """A player's session, up to a time (PLT-51)."""

    began_at: int
    at: int

    @property
    def minutes(self) -> int:
        """Its length in whole minutes."""
        return (self.at - self.began_at) // _MINUTE_MS


# What is in force


def standing(settings: Iterable[Setting], at: int) -> Standing:
    """What is in force after these settings; one that is not in force yet is replaced by the next of its kind."""
    in_force: dict[ProtectionKind, Setting] = {}
    pending: dict[ProtectionKind, Setting] = {}
    for setting in sorted(settings, key=lambda setting: setting.set_at):
        _ripen(in_force, pending, setting.set_at)
        pending.pop(setting.kind, None)
        (in_force if setting.in_force_from <= setting.set_at else pending)[setting.kind] = setting
    _ripen(in_force, pending, at)
    return Standing(at, in_force, pending)


def _ripen(in_force: dict[ProtectionKind, Setting], pending: dict[ProtectionKind, Setting], at: int) -> None:
    """Move pending settings whose time has come."""
    for kind in [kind for kind, setting in pending.items() if setting.in_force_from <= at]:
        in_force[kind] = pending.pop(kind)


def is_stricter(kind: ProtectionKind, new: int | None, old: int | None) -> bool:
    """Whether a new value forbids as much as the old one, or more.

    >>> is_stricter("loss-day", 100, None), is_stricter("loss-day", 100, 50), is_stricter("time-out", 9, 5)
    (True, False, True)
    """
    if old is None or new is None:
        return old is None
    return new >= old if kind in UNTIL else new <= old


def decide(
    now: Standing, wishes: Mapping[ProtectionKind, int | None], cooling_ms: int
) -> dict[ProtectionKind, tuple[int | None, int]]:
    """The settings to store for a player's wishes, each with the time it is in force from.

    A time-out or self-exclusion ends in the future. A self-exclusion in force cannot be shortened.
    """
    made: dict[ProtectionKind, tuple[int | None, int]] = {}
    for kind, value in wishes.items():
        old = now.value(kind)
        if kind in UNTIL and value is not None and value <= now.at:
            raise Refusal("protection/in-the-past", until=value)
        strict = is_stricter(kind, value, old)
        if kind == "self-exclusion" and not strict:
            raise Refusal("protection/shorter", until=old)
        waiting = now.pending.get(kind)
        wanted = old if waiting is None else waiting.value
        if value != wanted:
            made[kind] = (value, now.at if strict else now.at + cooling_ms)
    return made


# Checks


def may_log_in(now: Standing) -> None:
    """Refuse a self-excluded player."""
    until = now.value("self-exclusion")
    if until is not None:
        raise Refusal("protection/excluded", until=until)


def may_deposit(now: Standing, day: Day, amount: int) -> None:
    """Refuse a deposit during a break from play, or beyond the limit of the day."""
    _may_play(now)
    limit = now.value("deposit-day")
    if limit is not None and day.deposited + amount > limit:
        raise Refusal("protection/deposit-limit", limit=limit, left=max(0, limit - day.deposited))


def may_bet(now: Standing, day: Day, session: Session, stake: int) -> None:
    """Refuse a bet during a break from play, after the session's time, or that could lose more than the day's limit.

    A round that has begun is not checked: it finishes (ASR-41).
    """
    _may_play(now)
    minutes = now.value("session-minutes")
    if minutes is not None and session.minutes >= minutes:
        raise Refusal("protection/session-limit", minutes=session.minutes, pause=PAUSE_MINUTES)
    limit = now.value("loss-day")
    if limit is not None and day.lost + day.at_stake + stake > limit:
        left = max(0, limit - day.lost - day.at_stake)
        raise Refusal("protection/loss-limit", limit=limit, left=left)


def _may_play(now: Standing) -> None:
    may_log_in(now)
    until = now.value("time-out")
    if until is not None:
        raise Refusal("protection/time-out", until=until)


# From the database


def day_start(at: int) -> int:
    """The midnight, UTC, before a time."""
    return at - at % _DAY_MS


def standing_of(connection: Connection, player: int, at: int) -> Standing:
    """What is in force for a player at a time."""
    return standing(settings_of(connection, player), at)


def settings_of(connection: Connection, player: int) -> tuple[Setting, ...]:
    """Every setting of a player."""
    return tuple(Setting(*row) for row in connection.execute(_SETTINGS, {"player": player}))


def session_at(connection: Connection, player: int, at: int) -> Session:
    """The current session; a player who returns within the pause, or on another device, continues it."""
    logins = schema.logins.c
    query = sqlalchemy.select(sqlalchemy.func.min(logins.began_at)).where(
        logins.player == player, logins.seen_at >= at - PAUSE_MINUTES * _MINUTE_MS
    )
    began = connection.execute(query).scalar()
    return Session(at if began is None else began, at)


def checked_at(connection: Connection, player: int, session: Session) -> int | None:
    """When the player last answered a reality check in a session, on any device."""
    checks = schema.reality_checks.c
    query = sqlalchemy.select(sqlalchemy.func.max(checks.at)).where(
        checks.player == player, checks.at >= session.began_at
    )
    return connection.execute(query).scalar()


def is_check_due(connection: Connection, player: int, session: Session, every: int) -> bool:
    """Whether the player has a reality check to answer; one comes each `every` minutes (PLT-51)."""
    answered = Session(session.began_at, checked_at(connection, player, session) or session.began_at)
    return session.minutes // every > answered.minutes // every
