"""Seeds of a terminal game: for each round a server seed, committed to before the bets."""

import secrets
from hashlib import sha256

from sabot.engine.inputs import Chance
from sabot.fairness import SEED_BYTES, SeededShoe, SeedStream, commitment
from sabot.games import Rules
from sabot.record import Seeds


class SeedSource:
    """Fresh secret seeds, or repeatable ones from a text: round n has the SHA-256 of `text|n`.

    >>> from sabot.games import find
    >>> source = SeedSource(find("surrender").rules, "sabot", "practice")
    >>> source.prepare()[:16], source.reveal().server_seed.hex()[:16]
    ('732db7e3651faa1d', '458d1de776fd176e')
    """

    def __init__(self, rules: Rules, client_seed: str, text: str | None = None) -> None:
        self._decks = rules.decks
        self._has_bonus = rules.bonus is not None
        self._client_seed = client_seed
        self._text = text
        self._number = 0
        self._seed = bytes(SEED_BYTES)
        SeedStream(self._seed, client_seed, "shoe")  # checks the client seed

    def prepare(self) -> str:
        """Draw the next server seed and commit to it."""
        self._number += 1
        if self._text is None:
            self._seed = secrets.token_bytes(SEED_BYTES)
        else:
            self._seed = sha256(f"{self._text}|{self._number}".encode(errors="surrogateescape")).digest()
        return commitment(self._seed)

    def __call__(self) -> Chance:
        """The shoe and draws of the prepared round."""
        shoe = SeededShoe(self._decks, SeedStream(self._seed, self._client_seed, "shoe"))
        draw = SeedStream(self._seed, self._client_seed, "bonus").below if self._has_bonus else None
        return Chance(shoe, draw)

    def reveal(self) -> Seeds:
        """The seeds of the round just played."""
        return Seeds(self._seed, self._client_seed)
