"""The second factor of operators: codes by time (TOTP, RFC 6238), and recovery codes in their stead (OFF-06).

A code holds for its half minute and those beside it, and is taken once. The key is sealed under the vault's key.

>>> key = b"12345678901234567890"  # of RFC 6238, appendix B
>>> totp_code(key, 59 // 30), totp_code(key, 1111111109 // 30)
('287082', '081804')
>>> [used_step(key, "287082", at, last=0) for at in (59_000, 29_000, 89_999, 90_000)]
[1, 1, 1, None]
>>> used_step(key, "287082", 59_000, last=1) is None  # a second time
True
"""

import base64
import hashlib
import secrets
from hmac import compare_digest
from typing import Annotated, Any
from urllib.parse import quote, urlencode

import sqlalchemy
from cryptography.hazmat.primitives.hashes import SHA1
from cryptography.hazmat.primitives.twofactor.totp import TOTP
from msgspec import Meta, Struct
from sqlalchemy import Connection
from sqlalchemy.dialects import postgresql, sqlite

from sabot.errors import Refusal
from sabot.fairness.vault import Vault
from sabot.protocol.fields import whole
from sabot.server.accounts.logins import Login
from sabot.store import schema

_KEY_BYTES, _DIGITS, _STEP_SECONDS = 20, 6, 30
_RECOVERY_CODES, _RECOVERY_BYTES = 10, 10
#: How long a new key waits for its first code.
_PENDING_MS = 10 * 60_000

#: Six digits, or a recovery code with or without its dashes.
FactorCode = Annotated[
    str,
    Meta(pattern=whole("([0-9]{6}|[A-Za-z2-7]{4}(-?[A-Za-z2-7]{4}){3})", "six digits, or a recovery code")),
]


class Enrolment(Struct, frozen=True):
    """A new key: as text to type in, as an address, and as a picture of it (QR code, SVG)."""

    secret: str
    uri: str
    svg: str


class RecoveryCodes(Struct, frozen=True):
    """New recovery codes, shown this once; those before do not hold any more.

    With a second factor that was just set up, the login's new token, if it is not in a cookie.
    """

    codes: tuple[str, ...]
    token: str | None = None


def totp_code(key: bytes, step: int) -> str:
    """The code of a time step."""
    return _totp(key).generate(step * _STEP_SECONDS).decode()


def used_step(key: bytes, code: str, at: int, last: int) -> int | None:
    """The step of a code that holds at a time, in milliseconds, and is later than the last one used; else None."""
    now = at // (1000 * _STEP_SECONDS)
    fitting = [
        step for step in (now - 1, now, now + 1) if step >= 0 and compare_digest(totp_code(key, step), code)
    ]
    return next((step for step in fitting if step > last), None)


def _totp(key: bytes) -> TOTP:
    return TOTP(key, _DIGITS, SHA1(), _STEP_SECONDS)  # what authenticator apps use


# Enrolment


def begin_enrolment(connection: Connection, vault: Vault, login: Login, house: str, at: int) -> Enrolment:
    """Keep a new key until its first code comes, in the same login and soon; a key that is in force stays so until then."""
    player = login.player
    key = secrets.token_bytes(_KEY_BYTES)
    sealed, table = vault.seal(key, _context(player)), schema.second_factors
    insert = (sqlite if connection.dialect.name == "sqlite" else postgresql).insert(table)
    waits = {"pending": sealed, "pending_at": at, "pending_by": login.token}
    insert = insert.values(player=player, sealed=None, step=0, enrolled_at=None, **waits)
    connection.execute(insert.on_conflict_do_update(index_elements=["player"], set_=waits))
    secret = base64.b32encode(key).decode()
    label = quote(f"{house}:{login.name}")
    uri = f"otpauth://totp/{label}?{urlencode({'secret': secret, 'issuer': house}, quote_via=quote)}"
    return Enrolment(secret, uri, _picture(uri))


def confirm_enrolment(
    connection: Connection, vault: Vault, login: Login, code: str, at: int
) -> RecoveryCodes | None:
    """Put the new key in force with its first code; returns the recovery codes, or None if the code is wrong.

    Only the login that made the key, with the password, may do so.
    """
    player = login.player
    row = _row(connection, player)
    if (
        row is None
        or row.pending is None
        or row.pending_by != login.token
        or at >= row.pending_at + _PENDING_MS
    ):
        raise Refusal("factor/not-begun")
    step = used_step(vault.open(row.pending, _context(player)), code, at, last=0)
    if step is None:
        return None
    _change(connection, player, sealed=row.pending, pending=None, pending_by=None, step=step, enrolled_at=at)
    return renew_recovery_codes(connection, player)


def renew_recovery_codes(connection: Connection, player: int) -> RecoveryCodes:
    """Make new recovery codes in place of the old ones."""
    table = schema.recovery_codes
    codes = [base64.b32encode(secrets.token_bytes(_RECOVERY_BYTES)).decode() for _ in range(_RECOVERY_CODES)]
    connection.execute(sqlalchemy.delete(table).where(table.c.player == player))
    rows = [{"player": player, "hash": _hash(player, code), "used_at": None} for code in codes]
    connection.execute(sqlalchemy.insert(table), rows)
    return RecoveryCodes(tuple("-".join(code[i : i + 4] for i in range(0, len(code), 4)) for code in codes))


def reset_factor(connection: Connection, player: int) -> None:
    """Take the second factor and its recovery codes away: the player enrols again."""
    for table in (schema.second_factors, schema.recovery_codes):
        connection.execute(sqlalchemy.delete(table).where(table.c.player == player))


# Proving


def use_code(connection: Connection, vault: Vault, player: int, code: str, at: int) -> bool:
    """Whether a code holds; it is used up. The key is sealed again under the newest key of the vault."""
    row = _row(connection, player)
    if row is None or row.sealed is None:
        raise Refusal("factor/enrol")
    if not code.isdecimal():
        codes = schema.recovery_codes
        use = sqlalchemy.update(codes).where(
            codes.c.player == player, codes.c.hash == _hash(player, code), codes.c.used_at.is_(None)
        )
        return connection.execute(use.values(used_at=at)).rowcount == 1
    key = vault.open(row.sealed, _context(player))
    step = used_step(key, code, at, row.step)
    if step is None:
        return False
    _change(connection, player, step=step, sealed=vault.seal(key, _context(player)))
    return True


def codes_left(connection: Connection, player: int) -> int:
    """How many recovery codes were not used."""
    codes = schema.recovery_codes.c
    query = sqlalchemy.select(sqlalchemy.func.count()).where(codes.player == player, codes.used_at.is_(None))
    return int(connection.execute(query).scalar_one())


def _row(connection: Connection, player: int) -> sqlalchemy.Row[Any] | None:
    """A player's second factor, which nobody else uses until the transaction ends."""
    query = sqlalchemy.select(schema.second_factors).where(schema.second_factors.c.player == player)
    return connection.execute(query.with_for_update()).first()


def _change(connection: Connection, player: int, **values: object) -> None:
    table = schema.second_factors
    connection.execute(sqlalchemy.update(table).where(table.c.player == player).values(**values))


def _hash(player: int, code: str) -> bytes:
    """The stored form of a recovery code, of 80 random bits."""
    return hashlib.sha256(f"{player} {code.replace('-', '').upper()}".encode()).digest()


def _context(player: int) -> str:
    return f"second factor of player {player}"


def _picture(text: str) -> str:
    """A QR code as SVG, dark on light."""
    from qrcode.main import QRCode  # type: ignore[import-untyped]

    code = QRCode(border=4)
    code.add_data(text)
    modules = code.get_matrix()
    dark = "".join(
        f"M{x} {y}h1v1h-1z" for y, row in enumerate(modules) for x, module in enumerate(row) if module
    )
    size = len(modules)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {size} {size}" shape-rendering="crispEdges">'
        f'<path fill="#fff" d="M0 0h{size}v{size}H0z"/><path d="{dark}"/></svg>'
    )
