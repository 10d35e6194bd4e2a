"""Shoes and codes of a simulated house: drawn from its seed, so that a run can be had again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from itertools import cycle
from random import Random

from sabot.cards import Card, Hand
from sabot.fairness import SeededShoe, SeedStream, commitment
from sabot.fairness.vault import Vault
from sabot.rounds.codes import game_code
from sabot.rounds.shoes import NewShoe, SecureShoes

#: The vault of every simulated house.
VAULT = Vault(bytes(32))
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567"


#: Says whether the first cards of a solo shoe will do: player, dealer, player, dealer, and what is drawn.
Wish = Callable[[Sequence[Card]], bool]
#: The client seed under which wishes come true, and the decks of the shoe.
CLIENT_SEED, DECKS = "x", 6


def first_cards(seed: bytes) -> list[Card]:
    """The first six cards that a seed makes."""
    shoe = SeededShoe(DECKS, SeedStream(seed, CLIENT_SEED, "shoe"))
    return [shoe.draw() for _ in range(6)]


def blackjack(cards: Sequence[Card]) -> bool:
    """The player has a blackjack and the dealer shows nothing of one."""
    return Hand([cards[0], cards[2]]).total == 21 and 1 <= cards[1] % 13 <= 8


def pair(cards: Sequence[Card]) -> bool:
    """The player may split."""
    return cards[0] % 13 == cards[2] % 13 and 0 < cards[1] % 13 < 9


def ace_up(cards: Sequence[Card]) -> bool:
    """The dealer shows an ace, without a blackjack under it, and the player has none."""
    return cards[1] % 13 == 0 and cards[3] % 13 < 9 and Hand([cards[0], cards[2]]).total < 21


def to_double(cards: Sequence[Card]) -> bool:
    """A hand to double."""
    return Hand([cards[0], cards[2]]).total in (9, 10, 11) and 0 < cards[1] % 13 < 9


class DrawnShoes(SecureShoes):
    """Seeds from a seed; for the rest they are the house's own."""

    def __init__(self, seed: int | str, wishes: Sequence[Wish] = ()) -> None:
        super().__init__(VAULT)
        self._seed = seed
        self._count = 0
        self._wishes = cycle(wishes) if wishes else None

    def commit(self) -> NewShoe:
        """The next seed that does what is wished."""
        wish = next(self._wishes) if self._wishes is not None else None
        while True:
            self._count += 1
            seed = hashlib.sha256(f"{self._seed}/{self._count}".encode()).digest()
            if wish is None or wish(first_cards(seed)):
                promised = commitment(seed)
                return NewShoe(promised, VAULT.seal(seed, promised))


class DrawnCodes:
    """Codes for rounds; now and then one that was given before, as chance may have it."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._last = "AAAA"

    def __call__(self, at: int) -> str:
        if self._rng.random() > 0.02:
            self._last = "".join(self._rng.choices(_LETTERS, k=4))
        return game_code(at, self._last)
