"""The live shoe: many players' seeds in one shuffle, and a proof of every card when it is turned.

1. The house publishes its commitment, the SHA-256 of a new server seed.
2. Players send seeds, one per account (`SeedList`). The client seed is the SHA-256, in hexadecimal, of the list as a
   text with one seed per line. A seed holds no line break, so no two lists make the same text.
3. Both seeds fix the order of the whole shoe, as in a solo game. Card ``k``, from 0, gets a salt: the first 16 bytes of
   block ``k`` of the stream for ``salt``. Its leaf is salt, position (2 bytes, big-endian) and card (1 byte). The house
   publishes the Merkle root over all leaves, then opens the betting (`ShoePromise`).
4. With each card it turns the house publishes its `CardOpening`, which anyone can check against the root.
5. When the shoe is done the house reveals the server seed, and `check_shoe` makes the whole shoe again.
"""

from collections.abc import Iterable, Mapping
from hashlib import sha256

from msgspec import Struct

from sabot.cards import DECK_SIZE, Card, ShoeEmptyError, format_card
from sabot.fairness.merkle import MerkleTree
from sabot.fairness.shoe import SeededShoe
from sabot.fairness.stream import SeedStream, check_client_seed, commitment

SALT_BYTES = 16


class ProofError(ValueError):
    """Published data of a shoe disagree; the message says which."""


class SeedList:
    """The players' part in a shuffle: one seed per account, in order of arrival.

    >>> seeds = SeedList()
    >>> seeds.add("ada", "Ferrara")
    >>> seeds.add("bob", "perché no?")
    >>> seeds_digest(seeds.seeds)
    '94e09f72352b60d21330341fc1dea6e8a0ad6c8e07b477a835a5eedc84a8d9f4'
    >>> seeds.add("ada", "another")
    Traceback (most recent call last):
    ValueError: this account has sent its seed for this shoe
    """

    def __init__(self) -> None:
        self._by_account: dict[str, str] = {}

    def add(self, account: str, seed: str) -> None:
        """Add a seed; an account's second seed is refused, and a seed that could be misread."""
        check_client_seed(seed)
        if account in self._by_account:
            raise ValueError("this account has sent its seed for this shoe")
        self._by_account[account] = seed

    @property
    def seeds(self) -> tuple[str, ...]:
        """The seeds alone, as they are published."""
        return tuple(self._by_account.values())


def seeds_digest(seeds: Iterable[str]) -> str:
    """The client seed of a list of seeds: the ``sha256sum`` of a file with one seed per line.

    >>> seeds_digest([]) == sha256(b"").hexdigest()
    True
    """
    text = sha256()
    for seed in seeds:
        check_client_seed(seed)
        text.update(f"{seed}\n".encode())
    return text.hexdigest()


class ShoePromise(Struct, frozen=True):
    """The data published before the first betting on a shoe; at first only the commitment. Hashes are hexadecimal."""

    decks: int
    commitment: str
    #: The players' seeds in order of arrival, their digest, and the root over all salted cards.
    seeds: tuple[str, ...] = ()
    client_seed: str = ""
    root: str = ""


class CardOpening(Struct, frozen=True):
    """The proof published with a card: that it lay at this position. Bytes are hexadecimal."""

    position: int
    card: Card
    salt: str
    path: tuple[str, ...]


class LiveShoe:
    """A shoe whose order a root has promised, dealt card by card; ``start`` cards are dealt already.

    Seeds and the number of cards dealt are enough to restore it after a crash.

    >>> shoe = LiveShoe(8, bytes(32), ["Ferrara", "perché no?"])
    >>> shoe.draw() == shoe.opening(0).card
    True
    >>> shoe.opening(1)
    Traceback (most recent call last):
    ValueError: card 1 is not dealt: 1 of 416 are
    """

    def __init__(self, decks: int, server_seed: bytes, seeds: Iterable[str], start: int = 0) -> None:
        seeds = tuple(seeds)
        client_seed = seeds_digest(seeds)
        shoe = SeededShoe(decks, SeedStream(server_seed, client_seed, "shoe"))
        salt = SeedStream(server_seed, client_seed, "salt")
        self._cards = tuple(shoe.draw() for _ in range(decks * DECK_SIZE))
        if not 0 <= start <= len(self._cards):
            raise ValueError(f"{start} cards cannot be dealt from a shoe of {len(self._cards)}")
        self._salts = tuple(salt.block(k)[:SALT_BYTES] for k in range(len(self._cards)))
        self._tree = MerkleTree([_leaf(k, card, self._salts[k]) for k, card in enumerate(self._cards)])
        #: What to publish before the betting.
        self.promise = ShoePromise(decks, commitment(server_seed), seeds, client_seed, self._tree.root.hex())
        #: How many cards have been drawn.
        self.dealt = start

    def draw(self) -> Card:
        """The next card."""
        if self.dealt == len(self._cards):
            raise ShoeEmptyError(f"all {self.dealt} cards of the shoe are dealt")
        self.dealt += 1
        return self._cards[self.dealt - 1]

    def salt(self, k: int) -> str:
        """The salt of a dealt card, in hexadecimal; as secret as its opening."""
        self._check_dealt(k)
        return self._salts[k].hex()

    def _check_dealt(self, k: int) -> None:
        if not 0 <= k < self.dealt:
            raise ValueError(f"card {k} is not dealt: {self.dealt} of {len(self._cards)} are")

    def opening(self, k: int) -> CardOpening:
        """The proof of a dealt card, from position 0 on.

        The shoe does not know which cards lie face down: the table keeps back the opening of a hole card until it is
        turned, and of a burnt card until the shoe is done (MAJ-07, ASR-03).
        """
        self._check_dealt(k)
        path = tuple(beside.hex() for beside in self._tree.proof(k))
        return CardOpening(k, self._cards[k], self._salts[k].hex(), path)


def check_shoe(
    promise: ShoePromise, server_seed: bytes, seen: Mapping[int, int] | None = None
) -> tuple[Card, ...]:
    """The order of a finished shoe; `ProofError` unless seed, promise and the cards seen, by position, all agree."""
    if commitment(server_seed) != promise.commitment:
        raise ProofError(f"the commitment to this seed is {commitment(server_seed)}")
    if seeds_digest(promise.seeds) != promise.client_seed:
        raise ProofError(f"the digest of these seeds is {seeds_digest(promise.seeds)}")
    shoe = LiveShoe(promise.decks, server_seed, promise.seeds)
    if shoe.promise.root != promise.root:
        raise ProofError(f"the root of this shoe is {shoe.promise.root}")
    order = tuple(shoe.draw() for _ in range(promise.decks * DECK_SIZE))
    for position, card in (seen or {}).items():
        if not 0 <= position < len(order):
            raise ProofError(f"there is no position {position} in a shoe of {len(order)}")
        if order[position] != card:
            lies = format_card(order[position])
            raise ProofError(f"position {position} has {lies}, not {format_card(card)}")
    return order


def _leaf(position: int, card: int, salt: bytes) -> bytes:
    return salt + position.to_bytes(2, "big") + bytes([card])
