"""Logins: a random token stands for its player until it expires or is revoked; only its SHA-256 is stored (ASR-30)."""

import hashlib
import re
import secrets
from collections.abc import Collection, Iterable, Sequence
from hmac import compare_digest
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import ColumnElement, Connection, bindparam

from sabot.errors import Refusal
from sabot.server.accounts.limits import SETTING_COLUMNS, Setting, session_at, standing
from sabot.store import schema
from sabot.store.kinds import Role

#: How often the use of a login is stored, and how long the notes on its device may be.
SEEN_EVERY_MS = 60_000
_LONGEST_NOTE = 80
#: A token begins with the part by which its login is found, of so many characters; a part that is renewed may follow.
TOKEN_BYTES, _FIRST = 32, 43
#: How long ended logins are kept, for support.
_KEPT_MS = 7 * 24 * 3_600_000


#: Generated names of demo players and bots.
_GENERATED = re.compile("(demo|bot)-[0-9a-f]{16}")


def screen_name(name: str) -> str:
    """The name that other players see: a generated one is shortened.

    >>> screen_name("ada"), screen_name("demo-4f2a9c0d1e2b3a4c"), screen_name("bot-4f2a9c0d1e2b3a4c")
    ('ada', 'demo-4f2a', 'bot-4f2a')
    """
    return name[:-12] if _GENERATED.fullmatch(name) else name


class Login(NamedTuple):
    """A player who is logged in."""

    player: int
    name: str
    role: Role = "player"
    vip: int = 0
    demo: bool = False
    #: The SHA-256 of the first part of its token, by which it is known and revoked.
    token: bytes = b""
    seen_at: int = 0
    #: When it ends by itself, in milliseconds of UTC.
    expires_at: int = 0
    #: The end of the player's self-exclusion, if any (PLT-50).
    excluded_until: int | None = None
    #: Whether the player is a bot.
    bot: bool = False
    created_at: int = 0
    #: For the office (OFF-06): when the second factor was proved, when the login was last active there, and whether the
    #: player has a second factor.
    proved_at: int | None = None
    office_at: int | None = None
    enrolled: bool = False
    #: Whether an operator has locked the account (OFF-03).
    locked: bool = False

    def check_may_play(self) -> None:
        """Refuse a self-excluded or locked player, who was let in to withdraw (ASR-41, PLT-73)."""
        if self.excluded_until is not None:
            raise Refusal("protection/excluded", until=self.excluded_until)
        if self.locked:
            raise Refusal("player/locked")


class Device(NamedTuple):
    """The address and the program that a login comes from, and the token of a browser that was here before."""

    origin: str = ""
    agent: str = ""
    token: str = ""


def in_force(at: Any) -> ColumnElement[bool]:
    """Whether a login is valid at a time."""
    unexpired: ColumnElement[bool] = schema.logins.c.expires_at > at
    return schema.logins.c.revoked_at.is_(None) & unexpired


#: The login of a token in force, with the player's own limits: once for each of them.
_FIND = (
    sqlalchemy.select(
        schema.logins.c.player,
        schema.players.c.name,
        schema.profiles.c.role,
        schema.profiles.c.vip,
        schema.profiles.c.demo,
        schema.logins.c.token,
        schema.logins.c.seen_at,
        schema.logins.c.expires_at,
        schema.profiles.c.bot,
        schema.logins.c.created_at,
        schema.logins.c.proved_at,
        schema.logins.c.office_at,
        schema.second_factors.c.enrolled_at.is_not(None),
        schema.profiles.c.locked,
        schema.logins.c.secret,
        *SETTING_COLUMNS,
    )
    .join_from(schema.logins, schema.players, schema.logins.c.player == schema.players.c.id)
    .join(schema.profiles, schema.logins.c.player == schema.profiles.c.player)
    .join(schema.second_factors, schema.logins.c.player == schema.second_factors.c.player, isouter=True)
    .join(schema.protections, schema.logins.c.player == schema.protections.c.player, isouter=True)
    .where(schema.logins.c.token == bindparam("token"), in_force(bindparam("at")))
)


#: Without the secret.
_OWN_COLUMNS = len(_FIND.selected_columns) - len(SETTING_COLUMNS) - 1


def digest(token: str) -> bytes:
    """The stored form of a token, which stays the same when it is renewed."""
    return sha256_of(token[:_FIRST])


def sha256_of(text: str) -> bytes:
    """The SHA-256 of a text that someone sent."""
    return hashlib.sha256(text.encode("utf-8", "replace")).digest()


def issue(connection: Connection, player: int, device: Device, at: int, expires_at: int) -> str:
    """Store a new login of a player; returns its token."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    began = session_at(connection, player, at).began_at
    notes = _note(device.origin), _note(device.agent)
    row = (digest(token), player, at, began, at, expires_at, None, *notes, None, None, None)
    connection.execute(sqlalchemy.insert(schema.logins).values(row))
    return token


def find(connection: Connection, token: str, at: int) -> Login | None:
    """The login of a token, if it is valid and has not been renewed since."""
    rows = connection.execute(_FIND, {"token": digest(token), "at": at}).all()
    if not rows:
        return None
    secret = rows[0].secret
    fits = len(token) <= _FIRST if secret is None else compare_digest(secret, sha256_of(token))
    return _login_of(rows, at) if fits else None


def find_again(connection: Connection, token: bytes, at: int) -> Login | None:
    """The login of a token by its digest, if it is valid."""
    rows = connection.execute(_FIND, {"token": token, "at": at}).all()
    return _login_of(rows, at) if rows else None


def _login_of(rows: Sequence[Any], at: int) -> Login:
    settings = (Setting(*row[_OWN_COLUMNS + 1 :]) for row in rows if row.kind is not None)
    own = [*rows[0][:_OWN_COLUMNS]]
    own.insert(Login._fields.index("excluded_until"), standing(settings, at).value("self-exclusion"))
    return Login(*own)


def idlest(connection: Connection, players: Sequence[int], number: int, at: int) -> list[int]:
    """Return so many of these players: those without a login in force, then those whose logins were used longest ago.

    The use of a login is stored by every node, once a minute.
    """
    logins = schema.logins.c
    query = sqlalchemy.select(logins.player, sqlalchemy.func.max(logins.seen_at))
    query = query.where(logins.player.in_(players), in_force(at)).group_by(logins.player)
    seen: dict[int, int] = {player: seen_at for player, seen_at, *_ in connection.execute(query)}
    return sorted(players, key=lambda player: seen.get(player, 0))[:number]


def holding(connection: Connection, tokens: Collection[bytes], at: int) -> set[bytes]:
    """Which of these logins, by their digests, are still valid."""
    query = sqlalchemy.select(schema.logins.c.token).where(schema.logins.c.token.in_(tokens), in_force(at))
    return set(connection.execute(query).scalars())


def see(connection: Connection, uses: Iterable[tuple[Login, int]]) -> None:
    """Store when logins were in use; after a pause a new session begins."""
    logins = schema.logins
    for login, at in uses:
        began = session_at(connection, login.player, at).began_at
        seen = sqlalchemy.update(logins).where(logins.c.token == login.token)
        connection.execute(seen.values(seen_at=at, began_at=began))


def note_office(connection: Connection, token: bytes, at: int) -> None:
    """Store when a login was active in the office (OFF-06)."""
    logins = schema.logins
    connection.execute(sqlalchemy.update(logins).where(logins.c.token == token).values(office_at=at))


def prove(connection: Connection, token: str, at: int) -> str:
    """Store that a login has proved its second factor (OFF-06), and return its new token; the old token no longer works."""
    logins, new = schema.logins, token[:_FIRST] + secrets.token_urlsafe(TOKEN_BYTES)
    change = sqlalchemy.update(logins).where(logins.c.token == digest(token))
    connection.execute(change.values(office_at=at, proved_at=at, secret=sha256_of(new)))
    return new


def revoke(connection: Connection, player: int, at: int, token: bytes | None = None) -> None:
    """End a login of a player, or all of them."""
    logins = schema.logins
    ended = sqlalchemy.update(logins).where(logins.c.player == player, logins.c.revoked_at.is_(None))
    if token is not None:
        ended = ended.where(logins.c.token == token)
    connection.execute(ended.values(revoked_at=at))


def forget(connection: Connection, at: int) -> None:
    """Delete logins that ended long ago."""
    logins = schema.logins
    connection.execute(sqlalchemy.delete(logins).where(logins.c.expires_at < at - _KEPT_MS))


def _note(text: str) -> str:
    """A short line of printable characters."""
    return "".join(letter for letter in text if letter.isprintable())[:_LONGEST_NOTE]
