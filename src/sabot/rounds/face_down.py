"""Cards that lie face down where a person deals: sealed in the store, and promised to players (STU-06).

The promise is SHA-256 over 16 random bytes and the card as one byte. Both are told when the card is turned; until then
they stand in the store, sealed for their place in the log.
"""

from hashlib import sha256
from secrets import token_bytes
from typing import NamedTuple

from sabot.fairness.vault import Vault

_SALT_BYTES = 16


class FaceDown(NamedTuple):
    """A card that lies face down, with the salt of its commitment."""

    card: int
    salt: bytes

    @property
    def commitment(self) -> str:
        """What players are told when it is dealt.

        >>> FaceDown(12, bytes(16)).commitment[:16]
        'fa252ad0ecc94c01'
        """
        return sha256(self.salt + bytes((self.card,))).hexdigest()


class CardSeal:
    """Seals cards for the store, and makes digests of readings that do not tell the card."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def lay(self, card: int) -> FaceDown:
        """A card with a new salt."""
        return FaceDown(card, token_bytes(_SALT_BYTES))

    def seal(self, down: FaceDown, place: str) -> bytes:
        """The card and its salt encrypted for a place; of one length for all cards."""
        return self._vault.seal(down.salt + bytes((down.card,)), place)

    def open(self, sealed: bytes, place: str) -> FaceDown:
        """A sealed card; `VaultError` for another key or another place."""
        opened = self._vault.open(sealed, place)
        return FaceDown(opened[-1], opened[:-1])

    def digest(self, place: str, card: int) -> str:
        """The digest of a reading: without the key of the house the 52 cards cannot be tried."""
        return self._vault.digest(_reading(place, card)).hex()

    def is_digest(self, digest: str, place: str, card: int) -> bool:
        """Whether a digest is of this reading."""
        return self._vault.is_digest(bytes.fromhex(digest), _reading(place, card))


def place_of(code: str, n: int) -> str:
    """The place that a card is sealed for: its round and its row."""
    return f"{code}/{n}"


def _reading(place: str, card: int) -> bytes:
    return f"{place}={card}".encode()
