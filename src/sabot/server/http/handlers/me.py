"""The player's account: overview, settings and limits."""

import msgspec
import sqlalchemy
from msgspec import UnsetType
from sqlalchemy import Connection

from sabot.rounds.history import Filter, totals
from sabot.server.accounts.limits import (
    FOR_GOOD,
    KINDS,
    Setting,
    checked_at,
    is_check_due,
    session_at,
    standing_of,
)
from sabot.server.accounts.logins import Login
from sabot.server.accounts.preferences import settings_of
from sabot.server.accounts.queries import balances, day_of, seats
from sabot.server.accounts.registration import has_accepted
from sabot.server.http import models
from sabot.server.http.dispatch import Call
from sabot.store import schema
from sabot.store.kinds import ProtectionKind
from sabot.store.register import Register


async def me(call: Call) -> models.PlayerAccount:
    """The player, where to go on, limits and session clock (PLT-30)."""
    login, at = call.login, call.house.clock.wall_ms()
    reality, terms = call.house.config.house.reality_minutes, call.house.config.operator.terms_version

    def read(connection: Connection) -> models.PlayerAccount:
        session = session_at(connection, login.player, at)
        net = totals(connection, login.player, Filter(since=session.began_at))
        return models.PlayerAccount(
            player=login.player,
            name=login.name,
            role=login.role,
            vip=login.vip,
            demo=login.demo,
            now=at,
            balances=balances(connection, login.player),
            seats=seats(connection, login.player),
            protections=_protections(connection, login, at),
            session=models.SessionClock(
                session.began_at,
                session.minutes,
                reality,
                checked_at(connection, login.player, session),
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
            session = session_at(connection, player, at)
            due = is_check_due(connection, player, session, house.config.house.reality_minutes)
        if due:
            register.answer_reality_check(player, at)

    await house.register(answer)


# Settings


async def settings(call: Call) -> models.Settings:
    """The settings that follow the player."""
    player = call.login.player
    return await call.house.read(lambda connection: settings_of(connection, player))


async def change_settings(call: Call, form: models.Settings) -> models.Settings:
    """Change all settings."""
    player, value = call.login.player, msgspec.json.encode(form)
    table = schema.settings

    def change(connection: Connection) -> None:
        connection.execute(sqlalchemy.delete(table).where(table.c.player == player))
        connection.execute(sqlalchemy.insert(table).values(player=player, value=value))

    await call.house.write(change)
    call.registry.prefer(player, form)  # at seats that are held, too (FRB-43)
    return form


# Limits


async def protections(call: Call) -> models.Protections:
    """The player's own limits."""
    login, at = call.login, call.house.clock.wall_ms()
    return await call.house.read(lambda connection: _protections(connection, login, at))


async def protect(call: Call, form: models.Protecting) -> models.Protections:
    """Set limits, a time-out or self-exclusion: stricter at once, looser later."""
    wishes: dict[ProtectionKind, int | None] = {}
    for kind in KINDS:
        value = getattr(form, kind.replace("-", "_"))
        if not isinstance(value, UnsetType):
            wishes[kind] = FOR_GOOD if value == "for-good" else value
    await call.players.protect(call.login, wishes)
    return await protections(call)


def _protections(connection: Connection, login: Login, at: int) -> models.Protections:
    now, day = standing_of(connection, login.player, at), day_of(connection, login.player, at)

    def acts(setting: Setting) -> bool:
        """Whether it forbids anything: not if it was lifted or has expired."""
        return now.value(setting.kind) is not None

    return models.Protections(
        in_force=tuple(map(_shown, filter(acts, now.in_force.values()))),
        pending=tuple(map(_shown, now.pending.values())),
        deposited_today=day.deposited,
        lost_today=day.lost,
    )


def _shown(setting: Setting) -> models.InForce:
    return models.InForce(setting.kind, setting.value, setting.in_force_from)
