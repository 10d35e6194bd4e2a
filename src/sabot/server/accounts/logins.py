"""Logins: a random token stands for its player until it expires or is revoked; only its SHA-256 is stored (ASR-30)."""

import hashlib
import re
import secrets
from collections.abc import Collection, Iterable
from typing import Any, NamedTuple

import sqlalchemy
from sqlalchemy import ColumnElement, Connection, bindparam

from sabot.server.accounts.limits import SETTING_COLUMNS, Setting, session_at, standing
from sabot.store import schema
from sabot.store.kinds import Role

#: How often the use of a login is stored, and how long the notes on its device may be.
SEEN_EVERY_MS = 60_000
_LONGEST_NOTE = 80
_TOKEN_BYTES = 32
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
    #: The SHA-256 of its token, by which it is revoked.
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


class Device(NamedTuple):
    """The address and the program that a login comes from."""

    origin: str = ""
    agent: str = ""


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
        *SETTING_COLUMNS,
    )
    .join_from(schema.logins, schema.players, schema.logins.c.player == schema.players.c.id)
    .join(schema.profiles, schema.logins.c.player == schema.profiles.c.player)
    .join(schema.second_factors, schema.logins.c.player == schema.second_factors.c.player, isouter=True)
    .join(schema.protections, schema.logins.c.player == schema.protections.c.player, isouter=True)
    .where(schema.logins.c.token == bindparam("token"), in_force(bindparam("at")))
)


_OWN_COLUMNS = len(_FIND.selected_columns) - len(SETTING_COLUMNS)


def digest(token: str) -> bytes:
    """The stored form of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).digest()


def issue(connection: Connection, player: int, device: Device, at: int, expires_at: int) -> str:
    """Store a new login of a player; returns its token."""
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    began = session_at(connection, player, at).began_at
    notes = _note(device.origin), _note(device.agent)
    row = (digest(token), player, at, began, at, expires_at, None, *notes, None, None)
    connection.execute(sqlalchemy.insert(schema.logins).values(row))
    return token


def find(connection: Connection, token: str, at: int) -> Login | None:
    """The login of a token, if it is valid."""
    return find_again(connection, digest(token), at)


def find_again(connection: Connection, token: bytes, at: int) -> Login | None:
    """The login of a token by its digest, if it is valid."""
    rows = connection.execute(_FIND, {"token": token, "at": at}).all()
    if not rows:
        return None
    settings = (Setting(*row[_OWN_COLUMNS:]) for row in rows if row.kind is not None)
    own = [*rows[0][:_OWN_COLUMNS]]
    own.insert(Login._fields.index("excluded_until"), standing(settings, at).value("self-exclusion"))
    return Login(*own)


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


def note_office(connection: Connection, token: bytes, at: int, *, proved: bool = False) -> None:
    """Store when a login was active in the office, and that it has proved its second factor (OFF-06)."""
    values = {"office_at": at, "proved_at": at} if proved else {"office_at": at}
    logins = schema.logins
    connection.execute(sqlalchemy.update(logins).where(logins.c.token == token).values(**values))


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
