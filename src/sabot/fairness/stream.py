"""Random numbers from two seeds: the house commits to its own before it knows the player's.

Block ``i`` of a stream is HMAC-SHA256 with the server seed as key over the UTF-8 text
``sabot/1|purpose|client seed|commitment|i``. A block is eight big-endian 32-bit words, used in order. A number
below ``n`` is the next word modulo ``n``; words from the greatest multiple of ``n`` upwards, which would favour small
numbers, are thrown away (COM-13).
"""

from collections.abc import Iterator
from hashlib import sha256
from itertools import count
from secrets import token_bytes
from struct import Struct
from typing import Literal, get_args

#: What the numbers are for. Of ``salt`` the blocks are used and not the words: see `sabot.fairness.live`.
Purpose = Literal["shoe", "bonus", "salt"]

SEED_BYTES = 32
CLIENT_SEED_LENGTH = 64

_SCHEME = "sabot/1"
_WORDS = 2**32
_BLOCK = Struct(">8L")
#: HMAC (RFC 2104): the block size of SHA-256, and the bytes mixed with the key for the two hashes.
_HASHED_TOGETHER = 64
_INNER_PAD = bytes(byte ^ 0x36 for byte in range(256))
_OUTER_PAD = bytes(byte ^ 0x5C for byte in range(256))


def new_seed() -> bytes:
    """A server seed from the operating system's generator, for one shoe and never again (ASR-01).

    >>> len(new_seed()), new_seed() == new_seed()
    (32, False)
    """
    return token_bytes(SEED_BYTES)


def numbered_seed(text: str, number: int) -> bytes:
    """A repeatable seed from a text and the number of its shoe, from 1 on: the SHA-256 of `text|number`."""
    return sha256(f"{text}|{number}".encode(errors="surrogateescape")).digest()


def commitment(server_seed: bytes) -> str:
    """The commitment published before the deal: the SHA-256 of the server seed, in hexadecimal.

    >>> commitment(bytes(32))
    '66687aadf862bd776c8fc18b8e9f8e20089714856ee233b3902a591d0d5f2925'
    >>> commitment(b"short")
    Traceback (most recent call last):
    ValueError: a server seed has 32 bytes, not 5
    """
    if len(server_seed) != SEED_BYTES:
        raise ValueError(f"a server seed has {SEED_BYTES} bytes, not {len(server_seed)}")
    return sha256(server_seed).hexdigest()


def check_client_seed(client_seed: str) -> None:
    """Refuse a client seed that is too long or could be misread.

    >>> check_client_seed("a|b")
    Traceback (most recent call last):
    ValueError: a client seed has printable characters other than '|', not '|'
    """
    if len(client_seed) > CLIENT_SEED_LENGTH:
        raise ValueError(f"a client seed has at most {CLIENT_SEED_LENGTH} characters, not {len(client_seed)}")
    for character in client_seed:
        if character == "|" or not character.isprintable():
            raise ValueError(f"a client seed has printable characters other than '|', not {character!r}")


class SeedStream:
    """Random numbers from two seeds and a purpose, computed as they are needed.

    >>> stream = SeedStream(bytes(32), "my seed", "bonus")
    >>> [stream.below(6) + 1 for _ in range(10)]
    [1, 5, 4, 1, 2, 1, 4, 5, 1, 5]
    """

    def __init__(self, server_seed: bytes, client_seed: str, purpose: Purpose) -> None:
        committed = commitment(server_seed)
        check_client_seed(client_seed)
        if purpose not in get_args(Purpose):
            raise ValueError(f"{purpose!r} is no purpose: a stream is for {' or '.join(get_args(Purpose))}")
        # HMAC's two hashes, started with what all blocks share: a block then costs a third.
        key = server_seed.ljust(_HASHED_TOGETHER, b"\0")
        self._inner = sha256(key.translate(_INNER_PAD))
        self._inner.update(f"{_SCHEME}|{purpose}|{client_seed}|{committed}|".encode())
        self._outer = sha256(key.translate(_OUTER_PAD))
        self._words = self._unpack()

    def block(self, index: int) -> bytes:
        """The 32 bytes of one block: the HMAC-SHA256 of its text with the server seed.

        >>> SeedStream(bytes(32), "my seed", "shoe").block(0).hex()
        '8380300f3a30a6e049f98caeba7dc5596b400c9e22e559b70216a5358800b9b0'
        """
        inner, outer = self._inner.copy(), self._outer.copy()
        inner.update(b"%d" % index)
        outer.update(inner.digest())
        return outer.digest()

    def _unpack(self) -> Iterator[int]:
        for index in count():
            yield from _BLOCK.unpack(self.block(index))

    def below(self, n: int) -> int:
        """The next number from 0 to ``n - 1``, each equally likely.

        >>> SeedStream(bytes(32), "my seed", "shoe").below(0)
        Traceback (most recent call last):
        ValueError: a number below 0 cannot be drawn: the bound is from 1 to 4294967296
        """
        if not 1 <= n <= _WORDS:
            raise ValueError(f"a number below {n} cannot be drawn: the bound is from 1 to {_WORDS}")
        fair = _WORDS - _WORDS % n
        for word in self._words:
            if word < fair:
                return word % n
        raise AssertionError("a stream has no end")
