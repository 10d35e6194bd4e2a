"""Shoes that are really shuffled, from seeds that everyone knows: what a page checks then fits, and is the same each time."""

from __future__ import annotations

from hashlib import sha256

from sabot.engine.inputs import Chance
from sabot.fairness import commitment
from sabot.games.rules import Rules
from sabot.rounds.shoes import KeptShoe, NewShoe, seeded_chance


class SeededShoes:
    """Shoe number `i` has the seed SHA-256 of `name i`."""

    def __init__(self, name: str = "shoe") -> None:
        self._name = name
        self._made = 0

    def commit(self) -> NewShoe:
        """The next shoe; its seed lies open."""
        seed = sha256(f"{self._name} {self._made}".encode()).digest()
        self._made += 1
        return NewShoe(commitment(seed), seed)

    def open(self, rules: Rules, kept: KeptShoe, start: int) -> Chance:
        """The cards of a shoe from a position on, and its draws."""
        return seeded_chance(rules, self.reveal(kept), kept, start)

    def root(self, rules: Rules, kept: KeptShoe) -> str:
        """Nothing live is checked here."""
        return sha256(kept.sealed).hexdigest()

    def reveal(self, kept: KeptShoe) -> bytes:
        """The seed."""
        return kept.sealed
