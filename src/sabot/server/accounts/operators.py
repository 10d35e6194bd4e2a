"""Operators at the door of the back office: second factor, idleness, lock-out (OFF-06).

A login by password opens what every player has; the office opens once the second factor is proved, and asks for
password and code again after some idle time.
"""

from collections.abc import Callable, Iterable
from functools import partial
from typing import Literal, TypeVar

import sqlalchemy
from msgspec import Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.fairness.vault import Vault
from sabot.server.accounts import lock_out, logins, second_factor
from sabot.server.accounts.lock_out import Source, session_source
from sabot.server.accounts.logins import Login, note_office
from sabot.server.accounts.players import Players
from sabot.server.accounts.second_factor import Enrolment, RecoveryCodes
from sabot.server.house import House
from sabot.store import schema
from sabot.store.kinds import OrderKind, Role

T = TypeVar("T")

_MINUTE_MS = 60_000
#: How often the activity of an operator is stored.
_ACTIVE_EVERY_MS = _MINUTE_MS

#: What a login still needs for the office: nothing, a first enrolment, a code, or password and code after idleness.
Door = Literal["open", "enrol", "code", "idle"]


class OfficeAccess(Struct, frozen=True):
    """What a login still needs for the office, and how many recovery codes are left."""

    role: Role
    door: Door
    #: Whether this house asks operators for a second factor, and whether this one has one.
    second_factor: bool
    enrolled: bool
    recovery_codes: int
    idle_minutes: int


class OfficeUser(Struct, frozen=True):
    """An operator, for those who look after the others."""

    player: int
    name: str
    role: Role
    enrolled_at: int | None
    #: Until when logins from somewhere are refused after failures; the operator's own known browser may be open meanwhile.
    locked_until: int | None
    seen_at: int | None


class Operators:
    """The operators of a house."""

    def __init__(self, house: House, players: Players) -> None:
        self._house = house
        self._players = players
        self._locks = players.lock_outs
        #: The minute in which an operator last looked at a page of a player's.
        self._looks: dict[tuple[int, int, str], int] = {}

    # The door

    def door_of(self, login: Login) -> Door:
        """What a login still needs."""
        office = self._house.config.office
        if office.second_factor and not login.enrolled:
            return "enrol"
        if office.second_factor and login.proved_at is None:
            return "code"
        active_at = login.created_at if login.office_at is None else login.office_at
        idle = self._now() - active_at >= office.idle_minutes * _MINUTE_MS
        return "idle" if idle else "open"

    async def admit(self, login: Login, *, active: bool) -> None:
        """Refuse a login to which the office is not open; `active` if a person has done something."""
        if self.check_factor(login) == "idle":
            raise Refusal("login/idle", minutes=self._house.config.office.idle_minutes)
        if active and self._now() - (login.office_at or 0) >= _ACTIVE_EVERY_MS:
            await self._house.write(partial(note_office, token=login.token, at=self._now()))

    def check_factor(self, login: Login) -> Door:
        """Refuse a login that has not proved its second factor; returns what else it needs."""
        match door := self.door_of(login):
            case "enrol":
                raise Refusal("factor/enrol")
            case "code":
                raise Refusal("factor/needed")
        return door

    async def access(self, login: Login) -> OfficeAccess:
        """What a login still needs, with what the page shows beside it."""
        office = self._house.config.office
        left = await self._house.read(partial(second_factor.codes_left, player=login.player))
        needs = self.door_of(login)
        return OfficeAccess(
            login.role, needs, office.second_factor, login.enrolled, left, office.idle_minutes
        )

    def source_of_code(self, login: Login, source: Source) -> Source:
        """Return the source that attempts at a code are counted by.

        It is the login itself once it has proved a code, else the browser or address, because someone who knows the
        password can open any number of logins.
        """
        return source if login.proved_at is None else session_source(login, source.address)

    async def prove(
        self, login: Login, password: str | None, code: str | None, token: str, source: Source
    ) -> str:
        """Prove the second factor of a login; one that proved it before, and was idle, gives the password too.

        Returns the login's token, which a second factor renews: who has learned the one of before does not come into the office.
        """
        with_code = self._house.config.office.second_factor
        if login.proved_at is not None or not with_code:
            await self._check_password(login, password, source.address, whole=not with_code)
        if with_code:
            use = partial(second_factor.use_code, player=login.player, code=code or "")
            await self._try_code(login, source, use)
            return await self._renew(token)
        await self._house.write(partial(note_office, token=login.token, at=self._now()))
        return token

    # The second factor

    async def begin_enrolment(self, login: Login, password: str, address: str) -> Enrolment:
        """Make a new key; who has a second factor already must have proved it."""
        self._check_enrolling(login)
        await self._check_password(login, password, address, whole=False)
        begin = partial(
            second_factor.begin_enrolment,
            vault=self._vault,
            login=login,
            house=self._house.config.house.name,
            at=self._now(),
        )
        return await self._house.write(begin)

    async def confirm_enrolment(
        self, login: Login, code: str, token: str, address: str
    ) -> tuple[RecoveryCodes, str]:
        """Put the new key in force; the login, which made it, has proved it, and gets a new token."""
        self._check_enrolling(login)
        confirm = partial(second_factor.confirm_enrolment, login=login, code=code)
        made = await self._try_code(login, session_source(login, address), confirm)
        self._house.events.note(
            "second-factor", "info", player=login.player, address=address, done="enrolled"
        )
        return made, await self._renew(token)

    def _check_enrolling(self, login: Login) -> None:
        if login.enrolled and self.door_of(login) != "open":
            raise Refusal("factor/needed")

    async def renew_recovery_codes(self, login: Login, password: str, address: str) -> RecoveryCodes:
        """Make new recovery codes."""
        await self._check_password(login, password, address, whole=False)
        renew = partial(second_factor.renew_recovery_codes, player=login.player)
        made = await self._house.write(renew)
        self._house.events.note("second-factor", "info", player=login.player, address=address, done="codes")
        return made

    async def reset_factor(self, by: Login, player: int, reason: str) -> None:
        """Take another operator's second factor away; every login of theirs ends (ASR-33)."""
        await self._order("reset-second-factor", by, player, reason)
        await self._house.write(partial(second_factor.reset_factor, player=player))
        await self._players.log_out(player)
        self._house.events.note("second-factor", "warning", player=player, done="reset", by=by.player)

    async def unlock(self, by: Login, player: int, reason: str) -> None:
        """End the lock of an account after failed attempts before its time (ASR-33)."""
        await self._order("unlock-operator", by, player, reason)
        await self._house.write(partial(lock_out.unlock, player=player))
        self._house.events.note("login-unlocked", "info", player=player, by=by.player)

    async def users(self) -> tuple[OfficeUser, ...]:
        """Every operator, by name."""
        return await self._house.read(partial(_users, at=self._now()))

    async def look(self, by: Login, player: int, page: str) -> None:
        """Log that an operator looks at a player (OFF-03); `player/none` if there is no such number."""
        await self._house.read(partial(check_player, player=player))
        await self.look_at_list(by, (player,), page)

    async def look_at_list(self, by: Login, players: Iterable[int | None], page: str) -> None:
        """Log whom a list shows to an operator, in one row; each player once a minute for each page (OFF-03)."""
        minute = self._now() // _MINUTE_MS
        keys = {(by.player, player, page) for player in players if player is not None}
        new = sorted(player for _, player, _ in keys if self._looks.get((by.player, player, page)) != minute)
        if not new:
            return
        about = {"player": new[0]} if len(new) == 1 else {"players": new}
        await self._house.register(
            lambda register, at: register.order("look-at-player", by.player, "", at, **about, page=page)
        )
        self._looks = {seen: at for seen, at in self._looks.items() if at == minute}
        self._looks |= dict.fromkeys(keys, minute)

    # Inside

    async def _order(self, kind: OrderKind, by: Login, player: int, reason: str, **about: object) -> None:
        await self._house.register(
            lambda register, at: register.order(kind, by.player, reason, at, player=player, **about)
        )

    async def check_password(self, login: Login, password: str, address: str) -> None:
        """Refuse a password that is not an operator's own; attempts are counted as at the door."""
        whole = not self._house.config.office.second_factor
        await self._check_password(login, password, address, whole=whole)

    async def _check_password(self, login: Login, password: str | None, address: str, *, whole: bool) -> None:
        source = session_source(login, address)
        attempt = await self._locks.begin(login.name, login.player, source)
        if not await self._players.knows_password(login, password or ""):
            self._locks.failed(attempt, login.player, source, operator=True)
            raise Refusal("login/wrong")
        await self._locks.passed(attempt, whole=whole)

    async def _try_code(self, login: Login, source: Source, act: Callable[..., T | None]) -> T:
        """Try a code; `act` returns nothing for a wrong one."""
        attempt = await self._locks.begin(login.name, login.player, source, "factor-account")
        try:
            made = await self._house.write(partial(act, vault=self._vault, at=self._now()))
        except Refusal:
            await self._locks.passed(attempt, whole=False)
            raise
        if not made:
            self._locks.failed(attempt, login.player, source, operator=True)
            raise Refusal("factor/wrong")
        await self._locks.passed(attempt, whole=True)
        return made

    async def _renew(self, token: str) -> str:
        return await self._house.write(partial(logins.prove, token=token, at=self._now()))

    @property
    def _vault(self) -> Vault:
        assert self._house.vault is not None
        return self._house.vault

    def _now(self) -> int:
        return self._house.clock.wall_ms()


def check_player(connection: Connection, player: int) -> None:
    """Refuse a number that is no player's."""
    query = sqlalchemy.select(schema.players.c.id).where(schema.players.c.id == player)
    if connection.execute(query).first() is None:
        raise Refusal("player/none", player=player)


def _users(connection: Connection, at: int) -> tuple[OfficeUser, ...]:
    players, profiles, logins = schema.players.c, schema.profiles.c, schema.logins.c
    factors = schema.second_factors.c
    seen = sqlalchemy.select(sqlalchemy.func.max(logins.seen_at)).where(logins.player == players.id)
    query = (
        sqlalchemy.select(
            players.id,
            players.name,
            profiles.role,
            factors.enrolled_at,
            lock_out.locked_until(players.id, at),
            seen.scalar_subquery(),
        )
        .join_from(schema.profiles, schema.players, profiles.player == players.id)
        .join(schema.second_factors, factors.player == players.id, isouter=True)
        .where(profiles.role != "player")
        .order_by(players.name)
    )
    return tuple(OfficeUser(*row) for row in connection.execute(query))
