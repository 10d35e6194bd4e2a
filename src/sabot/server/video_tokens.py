"""Tokens for the video of live tables: JWTs with ES256, in the form that MediaMTX checks (STU-23).

Each key of the vault gives one signing key, so that tokens hold on all nodes and after a restart. The oldest signs and
all are published: keys can be exchanged node by node, and no token is signed with a key that another node does not show.
"""

import hmac
from base64 import urlsafe_b64encode
from hashlib import sha256

import msgspec
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from msgspec import Struct

from sabot.fairness.vault import Vault

#: For whom tokens are, and how long each holds.
AUDIENCE = "sabot-video"
TOKEN_SECONDS = 180
#: The order of the curve P-256.
_ORDER = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_BYTES = 32


class PublicKey(Struct, frozen=True):
    """A public key as JWK."""

    kid: str
    x: str
    y: str
    kty: str = "EC"
    crv: str = "P-256"
    alg: str = "ES256"
    use: str = "sig"


class VideoTokens:
    """Signs tokens for the video of one house."""

    def __init__(self, vault: Vault, issuer: str) -> None:
        secrets = vault.derived("video")
        self._issuer = issuer
        self._subjects = secrets[-1]
        self._keys = [_signing_key(secret) for secret in secrets]
        self.published = tuple(_published(key) for key in self._keys)

    def issue(self, login: bytes, paths: tuple[str, ...], at: int) -> tuple[str, int]:
        """A token for a login, by its digest, to watch some paths; and when it ends, in milliseconds of UTC."""
        expires = at // 1000 + TOKEN_SECONDS
        head = {"alg": "ES256", "typ": "JWT", "kid": self.published[-1].kid}
        claims = {
            "iss": self._issuer,
            "aud": AUDIENCE,
            "exp": expires,
            "sub": hmac.digest(self._subjects, login, sha256)[:16].hex(),
            "mediamtx_permissions": [{"action": "read", "path": path} for path in paths],
        }
        signed = f"{_text(msgspec.json.encode(head))}.{_text(msgspec.json.encode(claims))}"
        parts = decode_dss_signature(self._keys[-1].sign(signed.encode(), ec.ECDSA(SHA256())))
        return f"{signed}.{_text(b''.join(part.to_bytes(_BYTES) for part in parts))}", 1000 * expires


def video_tokens(vault: Vault | None, issuer: str) -> VideoTokens | None:
    """The tokens of a house, which derives its keys once; none without a vault."""
    return None if vault is None else VideoTokens(vault, issuer)


def _signing_key(secret: bytes) -> ec.EllipticCurvePrivateKey:
    return ec.derive_private_key(int.from_bytes(secret) % (_ORDER - 1) + 1, ec.SECP256R1())


def _published(key: ec.EllipticCurvePrivateKey) -> PublicKey:
    point = key.public_key().public_numbers()
    x, y = point.x.to_bytes(_BYTES), point.y.to_bytes(_BYTES)
    return PublicKey(kid=sha256(x + y).hexdigest()[:16], x=_text(x), y=_text(y))


def _text(data: bytes) -> str:
    return urlsafe_b64encode(data).rstrip(b"=").decode()
