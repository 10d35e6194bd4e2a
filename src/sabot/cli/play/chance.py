"""Seeds of a terminal game: for each round a server seed, committed to before the bets."""

from sabot.engine.inputs import Chance
from sabot.fairness import SEED_BYTES, SeededShoe, SeedStream, commitment, new_seed
from sabot.fairness.stream import numbered_seed
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
        self._seed = new_seed() if self._text is None else numbered_seed(self._text, self._number)
        return commitment(self._seed)

    def __call__(self) -> Chance:
        """The shoe and draws of the prepared round."""
        shoe = SeededShoe(self._decks, SeedStream(self._seed, self._client_seed, "shoe"))
        draw = SeedStream(self._seed, self._client_seed, "bonus").below if self._has_bonus else None
        return Chance(shoe, draw)

    def reveal(self) -> Seeds:
        """The seeds of the round just played."""
        return Seeds(self._seed, self._client_seed)
