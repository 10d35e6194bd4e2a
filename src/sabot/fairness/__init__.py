"""Shuffles that a player can check: a committed seed, a stream of chance made from it, a shoe dealt from that.

>>> from sabot.cards import format_cards
>>> stream = Stream(bytes(32), "my seed", "shoe")
>>> shoe = SeededShoe(6, stream)
>>> format_cards([shoe.draw() for _ in range(4)])
'Ac 10d 10c 3h'
"""

from sabot.fairness.shoe import SeededShoe
from sabot.fairness.stream import CLIENT_SEED_LENGTH, SEED_BYTES, Purpose, Stream, commitment

__all__ = ["CLIENT_SEED_LENGTH", "SEED_BYTES", "Purpose", "SeededShoe", "Stream", "commitment"]
