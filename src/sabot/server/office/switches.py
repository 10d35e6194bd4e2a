"""Switches: what of the house is closed for new bets; rounds that have begun are played to their end (OFF-02).

>>> switches = Switches(frozenset({"game/link", "bet/cashback/21+3"}))
>>> switches.why_closed("link"), switches.why_closed("cashback"), switches.bets_off("cashback")
('game', '', ('21+3',))
>>> switches.check("link", "Blackjack Link")
Traceback (most recent call last):
sabot.errors.Refusal: Blackjack Link is closed at the moment: rounds that have begun are played to their end
"""

from msgspec import Struct

from sabot.tables.live.closed import WhyClosed, check_open

#: The switch of all games; others are `game/NAME`, `table/NAME` and `bet/GAME/BET`.
ALL = "all"


class Switches(Struct, frozen=True):
    """What is closed."""

    closed: frozenset[str] = frozenset()
    #: Games that the self-check has stopped.
    stopped: frozenset[str] = frozenset()

    def why_closed(self, game: str, table: str = "") -> WhyClosed:
        """Why a game, or a live table of it, takes no new bets; empty if it does."""
        if ALL in self.closed:
            return "house"
        if game in self.stopped:
            return "check"
        if f"game/{game}" in self.closed:
            return "game"
        return "table" if f"table/{table}" in self.closed else ""

    def bets_off(self, game: str) -> tuple[str, ...]:
        """The side bets of a game that are closed."""
        of_game = f"bet/{game}/"
        return tuple(sorted(name.removeprefix(of_game) for name in self.closed if name.startswith(of_game)))

    def check(self, game: str, title: str) -> None:
        """Refuse something new at a game that is closed."""
        check_open(self.why_closed(game), title)
