"""Checks the house's video tokens as a media server does: JWTs with ES256 against the house's JWKS (STU-23)."""

import time
from base64 import urlsafe_b64decode
from collections.abc import Callable

import aiohttp
import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from msgspec import Struct

from sabot.server.http.handlers.video import PublicKeys
from sabot.server.video_tokens import AUDIENCE, PublicKey

#: Seconds between two looks at the keys.
_KEYS_EVERY = 10.0


class _Head(Struct):
    alg: str
    kid: str


class _Permission(Struct):
    action: str
    path: str


class _Claims(Struct):
    iss: str
    aud: str
    exp: int
    mediamtx_permissions: tuple[_Permission, ...]


class TokenCheck:
    """The keys of one house, read when a token needs them."""

    def __init__(
        self,
        session: aiohttp.ClientSession,
        keys_url: str,
        issuer: str,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self._session = session
        self._keys_url = keys_url
        self._issuer = issuer
        self._wall = wall
        self._keys: dict[str, ec.EllipticCurvePublicKey] = {}
        self._read_at = -_KEYS_EVERY

    async def allows(self, token: str, path: str) -> bool:
        """Whether a token of this house lets its bearer watch a path now."""
        try:
            head, claims, signature = token.split(".")
            said = msgspec.json.decode(_bytes(head), type=_Head)
            data = msgspec.json.decode(_bytes(claims), type=_Claims)
            signed = _bytes(signature)
        except (ValueError, msgspec.MsgspecError):
            return False
        key = await self._key(said.kid)
        if said.alg != "ES256" or key is None or len(signed) != 64:
            return False
        parts = int.from_bytes(signed[:32]), int.from_bytes(signed[32:])
        try:
            key.verify(encode_dss_signature(*parts), f"{head}.{claims}".encode(), ec.ECDSA(SHA256()))
        except InvalidSignature:
            return False
        return (
            data.iss == self._issuer
            and data.aud == AUDIENCE
            and data.exp > self._wall()
            and _Permission("read", path) in data.mediamtx_permissions
        )

    async def _key(self, kid: str) -> ec.EllipticCurvePublicKey | None:
        """A key of the house; for one that is not known the keys are read again."""
        if kid not in self._keys and time.monotonic() - self._read_at >= _KEYS_EVERY:
            self._read_at = time.monotonic()
            async with self._session.get(self._keys_url) as response:
                found = msgspec.json.decode(await response.read(), type=PublicKeys)
            self._keys = {key.kid: _public_key(key) for key in found.keys}
        return self._keys.get(kid)


def _public_key(key: PublicKey) -> ec.EllipticCurvePublicKey:
    x, y = (int.from_bytes(_bytes(part)) for part in (key.x, key.y))
    return ec.EllipticCurvePublicNumbers(x, y, ec.SECP256R1()).public_key()


def _bytes(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))
