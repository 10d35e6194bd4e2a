"""Players: registering, logging in and out, demo players, and their own limits (PLT-01, ASR-30)."""

import asyncio
import secrets
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager, nullcontext
from functools import partial
from typing import NamedTuple

import sqlalchemy
from sqlalchemy import Connection

from sabot.engine.commands import Bet
from sabot.errors import Refusal
from sabot.server.accounts import limits, logins, registration
from sabot.server.accounts.deposits import forget_deposits
from sabot.server.accounts.known_limits import KnownLimits
from sabot.server.accounts.limits import OpenRound, Session, Standing, session_at, standing_of
from sabot.server.accounts.lock_out import (
    LockOuts,
    Source,
    forget_attempts,
    forget_devices,
    forget_devices_of,
    remember_device,
    session_source,
    source_of,
)
from sabot.server.accounts.logins import Device, Login
from sabot.server.accounts.loss_limits import most_wanted
from sabot.server.accounts.passwords import Passwords
from sabot.server.accounts.player_lock import PlayerLock
from sabot.server.accounts.queries import LIMITED, lost_on, rounds_of
from sabot.server.accounts.rate_limit import DemoPlayers, RateLimiter
from sabot.server.accounts.short_lived import ShortLivedAccounts
from sabot.server.house import House
from sabot.server.logs import failed
from sabot.store import schema
from sabot.store.cashier import Cashier, find_player
from sabot.store.kinds import Currency, ProtectionKind, Role
from sabot.store.register import Register

_HOUR_MS = 3_600_000
#: How often a player's lock is waited for to set a limit: longer than a frozen node can hold it.
_TRIES = 4
#: Logins whose use is stored in one transaction.
_NOTED_AT_ONCE = 50

#: Called with the player and the token of a login that ended; None for all of the player's logins.
Logout = Callable[[int, bytes | None], None]


class Players:
    """The players of a house. Each of `on_logout` is called on the event loop when logins end."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.on_logout: list[Logout] = []
        #: Called with a player whose limits, terms, role or VIP level changed, or may have changed.
        self.on_change: list[Callable[[int], None]] = []
        self.rates = RateLimiter(house)
        self.lock_outs = LockOuts(house, self.rates)
        self._passwords = Passwords(house.config.server.argon_memory_kib)
        #: When the use of each login was last stored.
        self._noted: dict[bytes, int] = {}
        self._short_lived = ShortLivedAccounts(house)
        #: Logins whose use is still to be stored, and the task that does it.
        self._to_note: list[tuple[Login, int]] = []
        self._noting: asyncio.Task[None] | None = None
        server = house.config.server
        self._demos = DemoPlayers(server.demo_players_address, server.demo_players)
        self._known = KnownLimits(house.ask, house.config.operator.terms_version)

    def close(self) -> None:
        """Stop the threads and the task."""
        if self._noting is not None:
            self._noting.cancel()
        self._passwords.close()

    # Logging in

    async def register(self, form: registration.Registering, device: Device) -> str:
        """Register a player of age who accepts the terms (PLT-62); returns the token of the first login."""
        name, operator = form.name, self.house.config.operator
        registration.check_registering(operator, form.born, form.terms, self._now())
        registration.check_name(name)
        hash = await self._passwords.hash(form.password)
        at = self._now()
        player = await self.house.cashier(
            lambda cashier: cashier.register(
                name, at, password_hash=hash, born=form.born, terms=operator.terms_version
            )
        )
        return await self._admit(player, device)

    async def demo(self, device: Device, *, bot: bool = False) -> str:
        """Log in a new player with play money (PLT-01), or a bot; the one who was idle longest makes room if need be."""
        name, at = f"{registration.BOT if bot else registration.DEMO}{secrets.token_hex(8)}", self._now()
        player = await self.house.cashier(lambda cashier: cashier.register(name, at, demo=True, bot=bot))
        await self._give_play_money(player)
        token = await self._admit(player, device)
        crowd, number = self._demos.add(player, device.origin)
        if number:
            idlest = partial(logins.idlest, players=crowd, number=number, at=at)
            for other in await self.house.read(idlest):
                await self.log_out(other)
        return token

    async def house_bot(self, name: str, device: Device) -> str:
        """Log in a bot of the house under its own name, with its first money again."""
        name, at = f"{registration.BOT}{name}", self._now()
        player = await self.house.read(lambda connection: _bot_named(connection, name))
        if player is None:
            player = await self.house.cashier(lambda cashier: cashier.register(name, at, demo=True, bot=True))
        await self._give_play_money(player)
        return await self._admit(player, device)

    async def _give_play_money(self, player: int) -> None:
        """Fill the account up to what a demo player begins with."""
        at, wanted = self._now(), self.house.config.house.demo_money

        def give(cashier: Cashier) -> None:
            missing = wanted - cashier.balance(player, "FUN")
            if missing > 0:
                cashier.deposit(player, "FUN", missing, f"demo {at}", at)

        await self.house.cashier(give)

    async def source_of(self, name: str, device: Device) -> Source:
        """Where an attempt at the account of a name comes from."""
        return await self.house.read(lambda connection: source_of(connection, name, device))

    async def log_in(
        self, name: str, password: str, device: Device, source: Source, *, to_withdraw: bool = False
    ) -> str:
        """Log a player in. For an unknown name the same is done and answered as for a wrong password.

        A self-excluded or locked player can log in to withdraw only (ASR-41, OFF-03).
        """
        player, hash, role, locked = await self.house.read(lambda connection: _credentials(connection, name))
        attempt = await self.lock_outs.begin(name, player, source)
        if not await self._passwords.fits(hash, password):
            self.lock_outs.failed(attempt, player, source, operator=role != "player")
            raise Refusal("login/wrong")
        assert player is not None
        assert hash is not None
        await self.lock_outs.passed(attempt, whole=not self.asks_factor(role))
        if not to_withdraw:
            if locked:
                raise Refusal("player/locked")
            at = self._now()
            limits.may_log_in(await self.house.read(lambda connection: standing_of(connection, player, at)))
        if self._passwords.outdated(hash):
            await self._store_hash(player, password)
        return await self._admit(player, device)

    def asks_factor(self, role: Role) -> bool:
        """Whether a login of this role is not all that is asked for: an operator has a second factor to prove."""
        return role != "player" and self.house.config.office.second_factor

    async def remember_device(self, player: int, device: Device) -> str:
        """Remember the browser in which an account was opened; returns its new token."""
        at = self._now()
        return await self.house.write(lambda connection: remember_device(connection, player, device, at))

    async def find(self, token: str) -> Login | None:
        """The login of a token, if it is in force; its use is stored."""
        at = self._now()
        login = await self.house.ask(lambda connection: logins.find(connection, token, at))
        if login is not None:
            await self.seen(login)
        return login

    async def seen(self, login: Login) -> None:
        """Store that a login is in use, at most once a minute."""
        at = self._now()
        if self._is_to_be_noted(login, at):
            await self.house.write(lambda connection: logins.see(connection, [(login, at)]))

    def _see_soon(self, login: Login) -> None:
        """Store that a login is in use, later and together with others."""
        at = self._now()
        if self._is_to_be_noted(login, at):
            self._to_note.append((login, at))
            if self._noting is None:
                self._noting = asyncio.create_task(self._note_all())

    def _is_to_be_noted(self, login: Login, at: int) -> bool:
        if at - max(login.seen_at, self._noted.get(login.token, 0)) < logins.SEEN_EVERY_MS:
            return False
        self._noted[login.token] = at
        return True

    async def _note_all(self) -> None:
        try:
            while self._to_note:
                some, self._to_note = self._to_note[:_NOTED_AT_ONCE], self._to_note[_NOTED_AT_ONCE:]
                await self.house.write(partial(logins.see, uses=some))
        except Exception as error:  # the next bets try again a minute later
            failed("the use of logins was not stored", error)
            self._to_note = []
        finally:
            self._noting = None

    async def _admit(self, player: int, device: Device) -> str:
        at = self._now()
        until = at + self.house.config.server.login_hours * _HOUR_MS
        return await self.house.write(lambda connection: logins.issue(connection, player, device, at, until))

    async def confirm(self, login: Login) -> bool:
        """Whether a login is neither expired nor revoked; also reads the limits that bets are checked against."""
        return await self._known.read(login, self._now()) is not None

    async def role_of(self, login: Login, *, anew: bool) -> Role:
        """Return the role of a login's player, read `anew` or as it is known: whoever changes it says so to every node."""
        known = await self._known.find(login, self._now(), anew=anew)
        if known is None:
            raise Refusal("login/required")
        return known.role

    # Logging out

    async def log_out(self, player: int, token: bytes | None = None) -> None:
        """End one login of a player, or all."""
        at = self._now()
        try:
            await self.house.write(lambda connection: logins.revoke(connection, player, at, token))
        finally:
            self.forget(player)
            self._demos.remove(player)
        for call in self.on_logout:
            call(player, token)

    def forget(self, player: int) -> None:
        """Something of a player has changed: the next bet reads it."""
        self._known.forget(player)

    def changed(self, player: int) -> None:
        """Limits, terms, role or VIP level of a player have changed here, or may have changed."""
        self.forget(player)
        for call in self.on_change:
            call(player)

    async def changed_elsewhere(self, player: int) -> None:
        """The same has happened on another node, which cannot bound rounds that are played here (CLU-10)."""
        self.forget(player)
        try:
            await self.house.losses.share(player)
        except Exception as error:  # nobody waits for it
            failed("a limit does not bound the open rounds yet", error, player=player)

    async def sweep(self) -> None:
        """Delete logins that ended long ago, and deposits that were never finished; look at new accounts."""
        at = self._now()
        self._noted = {
            token: noted for token, noted in self._noted.items() if at - noted < logins.SEEN_EVERY_MS
        }
        self._known.clear()  # the console may have given roles and locks
        for forget in (logins.forget, forget_attempts, forget_devices):
            await self.house.write(partial(forget, at=at))
        await self.house.write(lambda connection: forget_deposits(connection, at))
        await self._short_lived.sweep()

    # Passwords

    async def change_password(self, login: Login, old: str, new: str, device: Device) -> str:
        """Change the password: every login ends, and the token of a new one is returned."""
        _, hash, role, _ = await self.house.read(lambda connection: _credentials(connection, login.name))
        if hash is None:
            raise Refusal("login/demo")
        source = session_source(login, device.origin)
        attempt = await self.lock_outs.begin(login.name, login.player, source)
        if not await self._passwords.fits(hash, old):
            self.lock_outs.failed(attempt, login.player, source, operator=role != "player")
            raise Refusal("login/wrong")
        await self.lock_outs.passed(attempt, whole=role == "player")
        if new == old:
            raise Refusal("password/same")
        await self._store_hash(login.player, new, changed_at=self._now())
        await self.house.write(lambda connection: forget_devices_of(connection, login.player))
        await self.log_out(login.player)
        return await self._admit(login.player, device)

    async def knows_password(self, login: Login, password: str) -> bool:
        """Whether it is the password of a login's player."""
        _, hash, _, _ = await self.house.read(lambda connection: _credentials(connection, login.name))
        return await self._passwords.fits(hash, password)

    async def _store_hash(self, player: int, password: str, **more: int) -> None:
        hash = await self._passwords.hash(password)
        credentials = schema.credentials
        change = sqlalchemy.update(credentials).where(credentials.c.player == player)
        await self.house.write(lambda connection: connection.execute(change.values(hash=hash, **more)))

    # Limits

    async def protect(self, login: Login, wishes: dict[ProtectionKind, int | None]) -> None:
        """Set or lift limits: stricter at once, looser after the cooling-off time (PLT-50).

        Self-exclusion ends every login at once (ASR-41). No bet within a limit is on its way meanwhile, on any node.
        """
        cooling = self.house.config.house.cooling_hours * _HOUR_MS

        def settle(register: Register, at: int) -> bool:
            with self.house.database.reading() as connection:
                made = limits.decide(standing_of(connection, login.player, at), wishes, cooling)
            if made:
                register.protect(login.player, made, at)
            return "self-exclusion" in made

        losses = self.house.losses
        async with losses.turns.turn(login.player) as turn:
            await turn.widen(_TRIES)
            try:
                excluded = await self.house.register(settle)
            finally:
                self.changed(login.player)
            if excluded:
                await self.log_out(login.player)
            if "loss-day" in wishes:
                await losses.share_in_turn(login.player)

    def turn_to_bet(self, player: int, currency: Currency) -> AbstractAsyncContextManager[PlayerLock]:
        """Per-player lock, so that a limit check and the bet it allows cannot interleave; held until the response is sent.

        Play money has no limits and needs no lock.
        """
        return self.house.losses.turns.turn(player) if currency == LIMITED else nullcontext(PlayerLock())

    async def may_bet(
        self,
        login: Login,
        bets: tuple[Bet, ...],
        currency: Currency,
        code: str = "",
        turn: PlayerLock | None = None,
    ) -> int | None:
        """Refuse bets that the player's own limits forbid; `code` is the live round that they are for.

        Returns the most that may be staked in the round, doubles and splits included; None without a limit (ASR-41).
        A login that ended while its socket was open is refused too. The database is read only where a limit on losses
        or on the session's time is in force; for real money always if other nodes may have changed something (CLU-10).
        `turn` is the player's lock, which such a limit widens.
        """
        at, player, losses = self._now(), login.player, self.house.losses
        real = currency == LIMITED  # losses are of real money
        known = await self._known.find(login, at, anew=real and self.house.shared)
        if known is None:
            raise Refusal("login/required")
        if known.locked:
            raise Refusal("player/locked")
        if real and not known.accepted:
            raise Refusal("terms/not-accepted", version=self.house.config.operator.terms_version)
        now = limits.standing(known.settings, at)
        if now.value("session-minutes") is None and not (real and now.value("loss-day") is not None):
            self._see_soon(login)
            limits.may_bet(now, limits.Day(), Session(at, at), 0)
            return None
        if turn is not None:
            await turn.widen()
        await self.seen(login)
        stake = sum(bet.stake for bet in bets) if real else 0

        def read(connection: Connection) -> tuple[Standing, Session, list[OpenRound], int]:
            now, session = standing_of(connection, player, at), session_at(connection, player, at)
            if not real or now.value("loss-day") is None:
                return now, session, [], 0
            rounds = rounds_of(connection, player)
            return now, session, rounds, lost_on(connection, player, at)

        now, session, rounds, lost = await self.house.read(read)
        limit = now.value("loss-day") if real else None
        if limit is not None and lost + await losses.elsewhere(player, rounds, code) + stake > limit:
            await losses.give_up(player, rounds, code)
            now, session, rounds, lost = await self.house.read(read)
        elsewhere = await losses.elsewhere(player, rounds, code)
        limits.may_bet(now, limits.Day(lost=lost, at_stake=elsewhere), session, stake)
        return None if limit is None else min(limit - lost - elsewhere, most_wanted(bets))

    async def accept_terms(self, login: Login, version: str) -> None:
        """Store that a player accepts a version of the terms (PLT-62)."""
        player = login.player
        if not await self.house.read(
            lambda connection: registration.has_accepted(connection, player, version)
        ):
            try:
                await self.house.register(lambda register, at: register.accept_terms(player, version, at))
            finally:
                self.changed(player)

    async def named(self, name: str) -> int:
        """The number of a player."""
        player = await self.house.read(lambda connection: find_player(connection, name))
        if player is None:
            raise Refusal("player/none", player=name)
        return player

    def _now(self) -> int:
        return self.house.clock.wall_ms()


def _bot_named(connection: Connection, name: str) -> int | None:
    """The number of a bot."""
    profiles = schema.profiles.c
    query = sqlalchemy.select(profiles.player).where(profiles.player == find_player(connection, name))
    return connection.execute(query.where(profiles.bot)).scalar()


class _Credentials(NamedTuple):
    """The number of a player and the hash of the password, each None if there is none; the role, and whether the account is locked."""

    player: int | None = None
    hash: str | None = None
    role: Role = "player"
    locked: bool = False


def _credentials(connection: Connection, name: str) -> _Credentials:
    player = find_player(connection, name)
    if player is None:
        return _Credentials()
    credentials, profiles = schema.credentials.c, schema.profiles.c
    query = (
        sqlalchemy.select(profiles.player, credentials.hash, profiles.role, profiles.locked)
        .join_from(schema.profiles, schema.credentials, profiles.player == credentials.player, isouter=True)
        .where(profiles.player == player)
    )
    return _Credentials(*connection.execute(query).one())
