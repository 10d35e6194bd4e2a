"""Chips before the deal: placing, undo, clear, double, repeat (COM-50..52, COM-55).

A slip always holds bets that the engine would take: each change is checked by the engine first.

>>> from sabot.games import find
>>> slip = BetSlip(find("surrender").rules, balance=5000)
>>> slip.press(0, "main", 1000)
>>> slip.press(0, "21+3", 200)
>>> slip.double()
>>> slip.bets()  # doctest: +NORMALIZE_WHITESPACE
(Bet(spot=0, kind='main', stake=2000, golden=()), Bet(spot=0, kind='21+3', stake=400, golden=()))
>>> slip.press(1, "main", 5000)
Traceback (most recent call last):
sabot.errors.Refusal: The balance 50.00 does not cover 74.00: add money first (COM-24)
>>> slip.available()
('deal', 'undo', 'clear', 'double')
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, get_args

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
SlipAction = Literal["deal", "undo", "clear", "double", "repeat", "repeat-and-double"]

_PLAYER = "player"


class BetSlip:
    """A player's chips before the deal, in the steps in which they were placed."""

    def __init__(self, rules: Rules, options: TableOptions | None = None, *, balance: int) -> None:
        self.rules = rules
        self.options = options or TableOptions()
        #: The player's money, chips on the table included: they are taken at the deal (COM-27).
        self.balance = balance
        #: Whether chips may be moved, which is between rounds.
        self.open = True
        self._placings: list[Placing] = []
        self._last: Placing = {}

    # State

    @property
    def stakes(self) -> Placing:
        """The stake on each place."""
        return _total(self._placings)

    @property
    def total(self) -> int:
        """All money on the slip."""
        return sum(self.stakes.values())

    @property
    def last(self) -> Placing:
        """The stakes last dealt."""
        return dict(self._last)

    def bets(self) -> tuple[Bet, ...]:
        """The bets for a `PlaceBets`: hand by hand, each main bet before its side bets, dealer pair last."""
        return _bets(self.stakes)

    # Chips

    def press(self, spot: int, kind: str, chip: int) -> None:
        """Add a chip to a bet (COM-50)."""
        self.place({(spot, kind): chip})

    def place(self, chips: Mapping[Place, int]) -> None:
        """Add chips to several bets in one step, all or none."""
        self._placings = self._with(dict(chips))

    def can_press(self, spot: int, kind: str, chip: int) -> bool:
        """Whether the chip would be taken."""
        try:
            self._with({(spot, kind): chip})
        except Refusal:
            return False
        return True

    def remove(self, spot: int, kind: str) -> None:
        """Remove a bet and the side bets that depend on it (SB-08)."""
        self._check_open()
        if (spot, kind) not in self.stakes:
            raise Refusal("bet/none")
        self._placings = _without(self._placings, (spot, kind))

    # Buttons

    def undo(self) -> None:
        """Undo the last step (COM-55)."""
        self._do("undo")

    def clear(self) -> None:
        """CANCELLA PUNTATE: remove all chips."""
        self._do("clear")

    def double(self) -> None:
        """RADDOPPIA: double every stake on the table, side bets included, all or nothing (COM-55)."""
        self._do("double")

    def repeat(self) -> None:
        """Stake what was last dealt, in place of the chips on the table (COM-52)."""
        self._do("repeat")

    def repeat_and_double(self) -> None:
        """Stake twice what was last dealt (COM-52)."""
        self._do("repeat-and-double")

    def verify(self, action: SlipAction) -> None:
        """Raise `Refusal` if the button is not available now."""
        self._plan(action)

    def can(self, action: SlipAction) -> bool:
        """Whether the button is available now."""
        try:
            self._plan(action)
        except Refusal:
            return False
        return True

    def available(self) -> tuple[SlipAction, ...]:
        """The buttons that are available now."""
        return tuple(action for action in get_args(SlipAction) if self.can(action))

    # The deal

    def remember(self, bets: tuple[Bet, ...]) -> None:
        """Note the stakes that were dealt, golden chips as money, to repeat them (MAJ-57)."""
        self._last = {(bet.spot, bet.kind): bet.stake + sum(bet.golden) for bet in bets}
        self._placings = []

    # Inside

    def _do(self, action: SlipAction) -> None:
        self._placings = self._plan(action)

    def _plan(self, action: SlipAction) -> list[Placing]:
        """The steps after a button; `Refusal` if it is not available."""
        self._check_open()
        return _PLANS[action](self)

    def _after_deal(self) -> list[Placing]:
        self._need(self._placings)
        self._check(self.stakes)
        return self._placings

    def _after_undo(self) -> list[Placing]:
        self._need(self._placings)
        return self._placings[:-1]

    def _after_clear(self) -> list[Placing]:
        self._need(self._placings)
        return []

    def _after_double(self) -> list[Placing]:
        self._need(self._placings)
        return self._with(self.stakes)

    def _after_repeat(self) -> list[Placing]:
        self._need(self._last)
        self._check(self._last)
        return [dict(self._last)]

    def _after_repeat_and_double(self) -> list[Placing]:
        self._need(self._last)
        twice = {place: 2 * stake for place, stake in self._last.items()}
        self._check(twice)
        return [twice]

    def _with(self, placing: Placing) -> list[Placing]:
        self._check_open()
        for (_, kind), chip in placing.items():
            if type(chip) is not int or chip <= 0:
                raise Refusal("bet/not-whole-cents", kind=kind, stake=chip)
        placings = [*self._placings, placing]
        self._check(_total(placings))
        return placings

    def _check(self, stakes: Placing) -> None:
        """The engine's check of a set of bets (COM-23..25, SB-08)."""
        book = Book(self.rules, self.options, Tape({_PLAYER: self.balance}), _unheard)
        Betting(book, frozenset(), _unheard).check(_PLAYER, _bets(stakes))

    def _check_open(self) -> None:
        if not self.open:
            raise Refusal("round/not-betting")

    @staticmethod
    def _need(chips: object) -> None:
        if not chips:
            raise Refusal("bet/none")


_PLANS: dict[SlipAction, Callable[[BetSlip], list[Placing]]] = {
    "deal": BetSlip._after_deal,
    "undo": BetSlip._after_undo,
    "clear": BetSlip._after_clear,
    "double": BetSlip._after_double,
    "repeat": BetSlip._after_repeat,
    "repeat-and-double": BetSlip._after_repeat_and_double,
}


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


def _without(placings: list[Placing], gone: Place) -> list[Placing]:
    """The steps without a bet and what depends on it (SB-08)."""
    stakes = _total(placings)
    del stakes[gone]
    mains = {spot for spot, kind in stakes if kind == "main"}
    kept = {(spot, kind) for spot, kind in stakes if (spot in mains) or (spot == DEALER and mains)}
    thinned = ({place: chip for place, chip in placing.items() if place in kept} for placing in placings)
    return [placing for placing in thinned if placing]


def _unheard(event: Event) -> None:
    """A check makes no events."""
