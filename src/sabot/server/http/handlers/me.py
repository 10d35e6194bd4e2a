"""The player's account: overview, settings and limits."""

from collections.abc import Iterable
from typing import Annotated, Literal

import msgspec
import sqlalchemy
from msgspec import UNSET, Meta, Struct, UnsetType
from sqlalchemy import Connection

from sabot.protocol.fields import Form
from sabot.rounds.history import Filter, Net, totals
from sabot.server.accounts import limits
from sabot.server.accounts.preferences import Settings, settings_of
from sabot.server.accounts.queries import OpenSitting, balances, day_of, seats
from sabot.server.accounts.registration import has_accepted
from sabot.server.http.dispatch import Call
from sabot.store import schema
from sabot.store.kinds import ProtectionKind, Role
from sabot.store.register import Register

LimitCents = Annotated[int, Meta(ge=0, le=10**12)]
Minutes = Annotated[int, Meta(ge=1, le=24 * 60)]
Instant = Annotated[int, Meta(ge=0, le=limits.FOR_GOOD)]


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


class PlayerAccount(Struct, frozen=True):
    """The player's account, and the tables to go back to (PLT-30)."""

    player: int
    name: str
    role: Role
    vip: int
    demo: bool
    #: Whether an operator has locked the account: the player may withdraw, and nothing else (PLT-73).
    locked: bool
    now: int
    balances: dict[str, int]
    seats: tuple[OpenSitting, ...]
    protections: Protections
    session: SessionClock
    #: Whether the terms in force are still to be accepted, before playing (PLT-62).
    terms_due: bool


async def me(call: Call) -> PlayerAccount:
    """The player, where to go on, limits and session clock (PLT-30)."""
    login, at = call.login, call.house.clock.wall_ms()
    reality, terms = call.house.config.house.reality_minutes, call.house.config.operator.terms_version

    def read(connection: Connection) -> PlayerAccount:
        session = limits.session_at(connection, login.player, at)
        net = totals(connection, login.player, Filter(since=session.began_at))
        return PlayerAccount(
            player=login.player,
            name=login.name,
            role=login.role,
            vip=login.vip,
            demo=login.demo,
            locked=login.locked,
            now=at,
            balances=balances(connection, login.player),
            seats=seats(connection, login.player),
            protections=protections_of(connection, login.player, at),
            session=SessionClock(
                session.began_at,
                session.minutes,
                reality,
                limits.checked_at(connection, login.player, session),
                net,
            ),
            terms_due=not login.demo and not has_accepted(connection, login.player, terms),
        )

    return await call.house.read(read)


async def answer_reality_check(call: Call) -> None:
    """Answer the reality check that is due; otherwise nothing is stored (PLT-51)."""
    house, player = call.house, call.login.player

    def answer(register: Register, at: int) -> None:
        with house.database.reading() as connection:
            session = limits.session_at(connection, player, at)
            due = limits.is_check_due(connection, player, session, house.config.house.reality_minutes)
        if due:
            register.answer_reality_check(player, at)

    await house.register(answer)


# Settings


async def settings(call: Call) -> Settings:
    """The settings that follow the player."""
    player = call.login.player
    return await call.house.read(lambda connection: settings_of(connection, player))


async def change_settings(call: Call, form: Settings) -> Settings:
    """Change all settings."""
    player, value = call.login.player, msgspec.json.encode(form)
    table = schema.settings

    def change(connection: Connection) -> None:
        connection.execute(sqlalchemy.delete(table).where(table.c.player == player))
        connection.execute(sqlalchemy.insert(table).values(player=player, value=value))

    await call.house.write(change)
    call.changes.prefer(player, form)  # at seats that are held, too (FRB-43)
    return form


# Limits


class Protecting(Form, frozen=True):
    """Limits to set; None lifts one, others stay. Amounts in cents a day, times in milliseconds."""

    deposit_day: LimitCents | UnsetType | None = UNSET
    loss_day: LimitCents | UnsetType | None = UNSET
    session_minutes: Minutes | UnsetType | None = UNSET
    time_out: Instant | UnsetType | None = UNSET
    self_exclusion: Instant | Literal["for-good"] | UnsetType | None = UNSET


async def protections(call: Call) -> Protections:
    """The player's own limits."""
    login, at = call.login, call.house.clock.wall_ms()
    return await call.house.read(lambda connection: protections_of(connection, login.player, at))


async def protect(call: Call, form: Protecting) -> Protections:
    """Set limits, a time-out or self-exclusion: stricter at once, looser later."""
    wishes: dict[ProtectionKind, int | None] = {}
    for kind in limits.KINDS:
        value = getattr(form, kind.replace("-", "_"))
        if not isinstance(value, UnsetType):
            wishes[kind] = limits.FOR_GOOD if value == "for-good" else value
    await call.players.protect(call.login, wishes)
    return await protections(call)


def protections_of(connection: Connection, player: int, at: int) -> Protections:
    """A player's limits, and what of them is used up today."""
    now, day = limits.standing_of(connection, player, at), day_of(connection, player, at)

    def shown(settings: Iterable[limits.Setting]) -> tuple[InForce, ...]:
        return tuple(InForce(one.kind, one.value, one.in_force_from) for one in settings)

    # One that was lifted or has expired forbids nothing.
    acting = (one for one in now.in_force.values() if now.value(one.kind) is not None)
    return Protections(
        in_force=shown(acting),
        pending=shown(now.pending.values()),
        deposited_today=day.deposited,
        lost_today=day.lost,
    )
