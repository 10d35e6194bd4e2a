"""Chips before the deal: placing, undo, clear, double, repeat (COM-50..52, COM-55).

A slip always holds bets that the engine would take: each change is checked by the engine first.

>>> from sabot.games import find
>>> slip = BetSlip(find("surrender").rules, balance=5000)
>>> slip.place({(0, "main"): 1000, (0, "21+3"): 200})
>>> slip.push("double")
>>> slip.bets()  # doctest: +NORMALIZE_WHITESPACE
(Bet(spot=0, kind='main', stake=2000, golden=()), Bet(spot=0, kind='21+3', stake=400, golden=()))
>>> slip.place({(1, "main"): 5000})
Traceback (most recent call last):
sabot.errors.Refusal: The balance 50.00 does not cover 74.00: add money first (COM-24)
>>> slip.can("deal"), slip.can("repeat")
(True, False)
"""

from collections.abc import Mapping
from typing import Literal

from sabot.engine import DEALER, Bet
from sabot.engine.book import Book
from sabot.engine.events import Event
from sabot.engine.handlers.betting import Betting
from sabot.engine.inputs import Tape
from sabot.errors import Refusal
from sabot.games.options import TableOptions
from sabot.games.rules import Rules

#: A spot (or `DEALER`) and the kind of bet.
Place = tuple[int, str]
#: Chips put down in one step.
Placing = dict[Place, int]
#: Buttons; `repeat-and-double` stakes twice what was last dealt.
SlipButton = Literal["deal", "undo", "clear", "double", "repeat", "repeat-and-double"]

_PLAYER = "player"


class BetSlip:
    """A player's chips before the deal, in the steps in which they were placed."""

    def __init__(self, rules: Rules, options: TableOptions | None = None, *, balance: int) -> None:
        self.rules = rules
        self.options = options or TableOptions()
        #: The player's money, chips on the table included: they are taken at the deal (COM-27).
        self.balance = balance
        self._placings: list[Placing] = []
        #: The stakes last dealt.
        self.last: Placing = {}

    @property
    def stakes(self) -> Placing:
        """The stake on each place."""
        return _total(self._placings)

    @property
    def total(self) -> int:
        """All money on the slip."""
        return sum(self.stakes.values())

    def bets(self) -> tuple[Bet, ...]:
        """The bets for a `PlaceBets`: hand by hand, each main bet before its side bets, dealer pair last."""
        return _bets(self.stakes)

    def place(self, chips: Mapping[Place, int]) -> None:
        """Add chips to one or more bets in one step, all or none (COM-50)."""
        self._placings = self._with(dict(chips))

    def push(self, button: SlipButton) -> None:
        """Push a button; `deal` only checks the bets."""
        self._placings = self._after(button)

    def can(self, button: SlipButton) -> bool:
        """Whether the button is available now."""
        try:
            self._after(button)
        except Refusal:
            return False
        return True

    def remember(self, bets: tuple[Bet, ...]) -> None:
        """Note the stakes that were dealt, golden chips as money, to repeat them (MAJ-57)."""
        self.last = {(bet.spot, bet.kind): bet.stake + sum(bet.golden) for bet in bets}
        self._placings = []

    def _after(self, button: SlipButton) -> list[Placing]:
        """The steps after a button; `Refusal` if it is not available (COM-51, COM-52, COM-55)."""
        if not (self.last if button in ("repeat", "repeat-and-double") else self._placings):
            raise Refusal("bet/none")
        match button:
            case "deal":
                return self._checked(self._placings)
            case "undo":
                return self._placings[:-1]
            case "clear":
                return []
            case "double":
                return self._with(self.stakes)
            case "repeat":
                return self._checked([dict(self.last)])
            case "repeat-and-double":
                return self._checked([{place: 2 * stake for place, stake in self.last.items()}])

    def _with(self, placing: Placing) -> list[Placing]:
        for (_, kind), chip in placing.items():
            if type(chip) is not int or chip <= 0:
                raise Refusal("bet/not-whole-cents", kind=kind, stake=chip)
        return self._checked([*self._placings, placing])

    def _checked(self, placings: list[Placing]) -> list[Placing]:
        """These steps, if the engine would take their bets (COM-23..25, SB-08)."""
        book = Book(self.rules, self.options, Tape({_PLAYER: self.balance}), _ignore)
        Betting(book, frozenset(), _ignore).check(_PLAYER, _bets(_total(placings)))
        return placings


def _total(placings: list[Placing]) -> Placing:
    stakes: Placing = {}
    for placing in placings:
        for place, chip in placing.items():
            stakes[place] = stakes.get(place, 0) + chip
    return stakes


def _bets(stakes: Placing) -> tuple[Bet, ...]:
    def order(place: Place) -> tuple[bool, int, bool]:
        spot, kind = place
        return spot == DEALER, spot, kind != "main"

    return tuple(Bet(spot, kind, stakes[spot, kind]) for spot, kind in sorted(stakes, key=order))


def _ignore(event: Event) -> None:
    """A check makes no events."""
