"""Delays of the video that players watch: who sees a card later has as long to decide as the rules give (STU-24)."""

from collections.abc import Iterable

from sabot.engine.commands import Player

#: The most that a page delays cards, in milliseconds: what is told beyond it counts as so much.
LONGEST_DELAY = 4_000


class Delays:
    """The delay that each player's page has measured.

    >>> delays = Delays()
    >>> delays.tell("ada", 1_800)
    >>> delays.tell("bob", 9_000)
    >>> delays.longest(["ada", "cleo"]), delays.longest(["ada", "bob"]), delays.longest([])
    (1.8, 4.0, 0.0)
    """

    def __init__(self) -> None:
        self._milliseconds: dict[Player, int] = {}

    def tell(self, player: Player, milliseconds: int) -> None:
        """A player's page sees cards so much later; 0 without video."""
        self._milliseconds[player] = min(max(milliseconds, 0), LONGEST_DELAY)

    def forget(self, player: Player) -> None:
        """A player looks at the table no more."""
        self._milliseconds.pop(player, None)

    def longest(self, players: Iterable[Player]) -> float:
        """Seconds by which the window of those who may decide is longer."""
        if not self._milliseconds:
            return 0.0
        return max((self._milliseconds.get(player, 0) for player in players), default=0) / 1000
