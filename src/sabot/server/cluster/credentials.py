"""A credentials file of NATS: what names this node's user to the server, and the key that proves it (CLU-25)."""

from __future__ import annotations

import re
from base64 import b32decode, b64encode
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

_PART = re.compile(r"-BEGIN ([A-Z ]+)-+\s+(\S+)\s+-+END")
#: Bytes of a seed: what kind of key it is, the key, and a checksum.
_KIND, _KEY, _SEED = 2, 32, 36


class Credentials:
    """What a file says; `ValueError` if it is none."""

    def __init__(self, path: str) -> None:
        parts: dict[str, str] = dict(_PART.findall(Path(path).read_text(encoding="ascii")))
        seed = b32decode(parts.get("USER NKEY SEED", "") + "======")
        if len(seed) != _SEED or "NATS USER JWT" not in parts:
            raise ValueError(f"{path} is no credentials file")
        self._token = parts["NATS USER JWT"].encode()
        self._key = Ed25519PrivateKey.from_private_bytes(seed[_KIND : _KIND + _KEY])

    def token(self) -> bytes:
        """The token of the user."""
        return self._token

    def sign(self, nonce: str) -> bytes:
        """The answer to what the server asks to be signed."""
        return b64encode(self._key.sign(nonce.encode()))
