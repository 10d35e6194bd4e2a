"""Shuffles that a player can check: a committed seed, a stream of random numbers from it, a shoe shuffled by them.

>>> from sabot.cards import format_cards
>>> stream = SeedStream(bytes(32), "my seed", "shoe")
>>> shoe = SeededShoe(6, stream)
>>> format_cards([shoe.draw() for _ in range(4)])
'Ac 10d 10c 3h'

The live shoe is in `sabot.fairness.live`; `vault` (encrypted seeds) and `uniform` (statistics) load more than a game
needs.
"""

from sabot.fairness.shoe import SeededShoe
from sabot.fairness.stream import SEED_BYTES, SeedStream, check_client_seed, commitment, new_seed

__all__ = ["SEED_BYTES", "SeedStream", "SeededShoe", "check_client_seed", "commitment", "new_seed"]
