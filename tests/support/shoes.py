"""Shoes in a given order, for tests: the cards and the bonus draws of each shoe are written down before.

The seed of shoe number ``i`` is the number itself, so a shoe is found again after a table is opened anew.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256

from sabot.engine import StackedShoe
from sabot.engine.inputs import Chance
from sabot.fairness import commitment
from sabot.fairness.stream import check_client_seed
from sabot.fairness.vault import VaultError
from sabot.games.rules import Rules
from sabot.rounds.shoes import KeptShoe, NewShoe
from tests.support.table import Draws, cards_of


class StackedShoes:
    """A source of shoes whose order is given; after the last one shoes are empty."""

    def __init__(self, *cards: str, draws: Sequence[Sequence[int]] = ()) -> None:
        self._cards = cards
        self._draws = draws
        self._made = 0
        self._lost = 0

    def lose_key(self) -> None:
        """The key is another one from now on: shoes made before do not open any more."""
        self._lost = self._made

    def commit(self) -> NewShoe:
        """The next shoe."""
        seed = self._made.to_bytes(32, "big")
        self._made += 1
        return NewShoe(commitment(seed), seed)

    def open(self, rules: Rules, kept: KeptShoe, start: int) -> Chance:
        """The cards of a shoe from a position on, and its draws from the first."""
        if rules.backing == "solo":
            check_client_seed(kept.client_seed)
        number = int.from_bytes(self.reveal(kept), "big")
        shoe = StackedShoe(cards_of(self._cards[number]) if number < len(self._cards) else ())
        shoe.dealt = start
        draws = self._draws[number] if number < len(self._draws) else ()
        return Chance(shoe, Draws(list(draws)) if rules.bonus is not None else None)

    def root(self, rules: Rules, kept: KeptShoe) -> str:
        """Something that depends on the shoe."""
        return sha256(self.reveal(kept)).hexdigest()

    def reveal(self, kept: KeptShoe) -> bytes:
        """The number of the shoe."""
        if int.from_bytes(kept.sealed, "big") < self._lost:
            raise VaultError("the key is gone")
        return kept.sealed
