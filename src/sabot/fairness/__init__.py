"""Shuffles that a player can check: a committed seed, a stream of chance made from it, a shoe dealt from that.

>>> from sabot.cards import format_cards
>>> stream = SeedStream(bytes(32), "my seed", "shoe")
>>> shoe = SeededShoe(6, stream)
>>> format_cards([shoe.draw() for _ in range(4)])
'Ac 10d 10c 3h'

`sabot.fairness.vault` (encrypted seeds) and `sabot.fairness.uniform` (statistics) are imported by those who need them:
they load more than a game does.
"""

from sabot.fairness.live import (
    CardOpening,
    LiveShoe,
    ProofError,
    SeedList,
    ShoePromise,
    check_opening,
    check_shoe,
    seeds_digest,
)
from sabot.fairness.shoe import SeededShoe
from sabot.fairness.stream import (
    CLIENT_SEED_LENGTH,
    SEED_BYTES,
    Purpose,
    SeedStream,
    check_client_seed,
    commitment,
    new_seed,
)

__all__ = [
    "CLIENT_SEED_LENGTH",
    "SEED_BYTES",
    "CardOpening",
    "LiveShoe",
    "ProofError",
    "Purpose",
    "SeedList",
    "SeedStream",
    "SeededShoe",
    "ShoePromise",
    "check_client_seed",
    "check_opening",
    "check_shoe",
    "commitment",
    "new_seed",
    "seeds_digest",
]
