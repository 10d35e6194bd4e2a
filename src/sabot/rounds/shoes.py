"""Sources of shoes, the only place that knows a seed before it is revealed.

A house always has the secure source; tests use their own.
"""

from typing import NamedTuple, Protocol

from sabot.engine.inputs import Chance
from sabot.fairness import SeededShoe, SeedStream, commitment
from sabot.fairness.live import LiveShoe
from sabot.fairness.stream import new_seed
from sabot.fairness.vault import Vault
from sabot.games.rules import Rules


class NewShoe(NamedTuple):
    """A committed seed: the published commitment, and the sealed seed in the database."""

    commitment: str
    sealed: bytes


class KeptShoe(NamedTuple):
    """A stored shoe."""

    id: int
    commitment: str
    sealed: bytes
    #: The client seed in force; of a live shoe, the digest of `seeds`.
    client_seed: str
    seeds: tuple[str, ...] = ()
    #: The seed, once it is revealed.
    seed: bytes | None = None


class ShoeSource(Protocol):
    """Makes shoes and opens them again."""

    def commit(self) -> NewShoe:
        """A new seed, sealed, and the commitment to it."""

    def open(self, rules: Rules, kept: KeptShoe, start: int) -> Chance:
        """The cards and draws of a shoe whose first `start` cards are dealt."""

    def root(self, rules: Rules, kept: KeptShoe) -> str:
        """The root over the salted cards of a live shoe, which is published before its betting."""

    def reveal(self, kept: KeptShoe) -> bytes:
        """The seed of a shoe that is done."""


class SecureShoes:
    """Seeds from the operating system's generator, sealed in a vault (ASR-01)."""

    def __init__(self, vault: Vault) -> None:
        self._vault = vault

    def commit(self) -> NewShoe:
        seed = new_seed()
        promised = commitment(seed)
        return NewShoe(promised, self._vault.seal(seed, promised))

    def open(self, rules: Rules, kept: KeptShoe, start: int) -> Chance:
        return seeded_chance(rules, self.reveal(kept), kept, start)

    def root(self, rules: Rules, kept: KeptShoe) -> str:
        return LiveShoe(rules.decks, self.reveal(kept), kept.seeds).promise.root

    def reveal(self, kept: KeptShoe) -> bytes:
        return self._vault.open(kept.sealed, kept.commitment)


def seeded_chance(rules: Rules, seed: bytes, kept: KeptShoe, start: int) -> Chance:
    """The cards and draws that the seeds of a shoe make."""
    if rules.backing != "solo":
        return Chance(LiveShoe(rules.decks, seed, kept.seeds, start), None)
    shoe = SeededShoe(rules.decks, SeedStream(seed, kept.client_seed, "shoe"))
    draw = SeedStream(seed, kept.client_seed, "bonus").below if rules.bonus is not None else None
    return Chance(shoe, draw)
