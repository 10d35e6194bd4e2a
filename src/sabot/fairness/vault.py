"""Encrypts seeds of open shoes and cards that lie face down for the database, under a key that is kept outside it.

A sealed seed is the version byte 01, the id of the key (the first four bytes of its SHA-256), a fresh nonce of 12
bytes, and the AES-256-GCM ciphertext with its tag of 16. The version, the key's id and the context are authenticated:
a seed sealed for one commitment does not open for another.

The newest key is the first and seals; every key opens what it sealed. To change keys, put a new one first and remove an
old one when no open shoe is sealed with it.

>>> vault = Vault(bytes(32))
>>> sealed = vault.seal(b"a seed", "its commitment")
>>> vault.open(sealed, "its commitment")
b'a seed'
>>> vault.open(sealed, "another")
Traceback (most recent call last):
sabot.fairness.vault.VaultError: a sealed seed does not open: it was changed, or it was not sealed for 'another'
"""

import hmac
from hashlib import sha256
from secrets import token_bytes

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

KEY_BYTES = 32
_VERSION = b"\x01"
_KEY_ID_BYTES = 4
_NONCE_BYTES = 12
_TAG_BYTES = 16
#: What the keys of digests are derived with, so that no key serves two purposes.
_DIGESTS = b"sabot digest"
_HEAD_BYTES = len(_VERSION) + _KEY_ID_BYTES
#: The bytes that sealing adds to a seed.
SEAL_BYTES = _HEAD_BYTES + _NONCE_BYTES + _TAG_BYTES


class VaultError(Exception):
    """A bad key, or a sealed seed that does not open."""


class Vault:
    """Seals with the first of its keys, opens with any of them."""

    def __init__(self, *keys: bytes) -> None:
        if not keys:
            raise VaultError("a vault has one key or more")
        for key in keys:
            if len(key) != KEY_BYTES:
                raise VaultError(f"a key has {KEY_BYTES} bytes, not {len(key)}")
        self._keys = keys
        self._newest = key_id(keys[0])
        self._ciphers = {key_id(key): AESGCM(key) for key in keys}
        self._digest_keys = [hmac.digest(key, _DIGESTS, "sha256") for key in keys]
        if len(self._ciphers) < len(keys):
            raise VaultError("two keys of the ring are the same, or have the same id: take one away")

    def seal(self, seed: bytes, context: str) -> bytes:
        """The seed encrypted with the newest key; it opens only with the same context, such as its commitment."""
        head, nonce = _VERSION + self._newest, token_bytes(_NONCE_BYTES)
        return head + nonce + self._ciphers[self._newest].encrypt(nonce, seed, head + context.encode())

    def derived(self, purpose: str) -> tuple[bytes, ...]:
        """Keys for another purpose, one of each key, the newest first.

        >>> [len(key) for key in Vault(bytes(32)).derived("video")]
        [32]
        """
        return tuple(hmac.digest(key, f"sabot {purpose}".encode(), sha256) for key in self._keys)

    def open(self, sealed: bytes, context: str) -> bytes:
        """The seed decrypted; `VaultError` for another key, other bytes or another context."""
        if len(sealed) < SEAL_BYTES or not sealed.startswith(_VERSION):
            raise VaultError(f"{len(sealed)} bytes are no sealed seed of version {_VERSION[0]}")
        head, rest = sealed[:_HEAD_BYTES], sealed[_HEAD_BYTES:]
        identity = head[len(_VERSION) :]
        cipher = self._ciphers.get(identity)
        if cipher is None:
            known = ", ".join(key.hex() for key in self._ciphers)
            raise VaultError(f"a seed was sealed with key {identity.hex()}: the keys here are {known}")
        try:
            return cipher.decrypt(rest[:_NONCE_BYTES], rest[_NONCE_BYTES:], head + context.encode())
        except InvalidTag:
            raise VaultError(
                f"a sealed seed does not open: it was changed, or it was not sealed for {context!r}"
            ) from None

    def digest(self, contents: bytes) -> bytes:
        """A digest that nobody can try contents against who has no key: HMAC under a key of its own (STU-06)."""
        return hmac.digest(self._digest_keys[0], contents, "sha256")

    def is_digest(self, digest: bytes, contents: bytes) -> bool:
        """Whether a digest is of these contents, under any key of the ring.

        >>> vault = Vault(bytes(32))
        >>> digest = vault.digest(b"Kc")
        >>> vault.is_digest(digest, b"Kc"), vault.is_digest(digest, b"Ks"), Vault(b"x" * 32).is_digest(digest, b"Kc")
        (True, False, False)
        """
        return any(
            hmac.compare_digest(digest, hmac.digest(key, contents, "sha256")) for key in self._digest_keys
        )


def new_key() -> bytes:
    """A key from the operating system's generator."""
    return token_bytes(KEY_BYTES)


def key_id(key: bytes) -> bytes:
    """The id of a key in a sealed seed; it reveals nothing else about the key.

    >>> key_id(bytes(32)).hex()
    '66687aad'
    """
    return sha256(key).digest()[:_KEY_ID_BYTES]


def parse_keys(text: str) -> tuple[bytes, ...]:
    """The keys of a key file: one per line in hexadecimal, the newest first; ``#`` begins a remark.

    >>> [key_id(key).hex() for key in parse_keys("00" * 32 + " # of May")]
    ['66687aad']
    >>> parse_keys("00ff")
    Traceback (most recent call last):
    sabot.fairness.vault.VaultError: line 1 is no key: a key is 64 hexadecimal digits
    """
    keys = []
    for number, line in enumerate(text.splitlines(), 1):
        digits = line.partition("#")[0].strip()
        if not digits:
            continue
        try:
            key = bytes.fromhex(digits)
        except ValueError:
            key = b""
        if len(key) != KEY_BYTES or len(digits) != 2 * KEY_BYTES:
            raise VaultError(f"line {number} is no key: a key is {2 * KEY_BYTES} hexadecimal digits")
        keys.append(key)
    if not keys:
        raise VaultError("there is no key: write one of 64 hexadecimal digits")
    return tuple(keys)
