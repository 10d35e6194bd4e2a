"""The value of a hand by trying every hole card, every draw and every action: slow and plain, from the rule book.

Nothing here is shared with `sabot.odds`. A card is what it counts, the ace 1; a shoe says how many are left that count
1, 2, … 10. The dealer's hole card lies among the unseen cards and is tried card by card: every number below is a sum
over holes, each with the chance of that hole *and* of the cards drawn so far, so no rule of conditional chances is used.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from typing import NamedTuple

from sabot.games.rules import Rules

Shoe = tuple[int, ...]
Hand = tuple[int, ...]
#: The chance of each hole card, together with that of the cards drawn so far.
Holes = tuple[float, ...]
#: What a table or another fixed play does with a hand, given what is legal.
Choose = Callable[[Hand, tuple[str, ...]], str]

CARDS = range(1, 11)


class Worth(NamedTuple):
    """A net result and the own money staked for it, both in initial bets."""

    value: float
    staked: float

    def __add__(self, other: object) -> Worth:
        assert isinstance(other, Worth)
        return Worth(self.value + other.value, self.staked + other.staked)


class Bet(NamedTuple):
    """What rides on a hand: own money, a free bet beside it, and how much of the own money a double added."""

    own: int = 1
    free: int = 0
    added: int = 0


FREE_HAND = Bet(own=0, free=1)


def total(hand: Hand) -> int:
    """COM-02."""
    hard = sum(hand)
    return hard + 10 if 1 in hand and hard + 10 <= 21 else hard


def is_soft(hand: Hand) -> bool:
    return total(hand) != sum(hand)


def without(shoe: Shoe, *cards: int) -> Shoe:
    left = list(shoe)
    for card in cards:
        assert left[card - 1] > 0, "a card that is not there cannot be taken"
        left[card - 1] -= 1
    return tuple(left)


def decks(number: int) -> Shoe:
    return (4 * number,) * 9 + (16 * number,)


_DEALER: dict[tuple[bool, int, bool, Shoe], dict[int, float]] = {}


def dealer(hits_soft_17: bool, hard: int, ace: bool, shoe: Shoe) -> dict[int, float]:
    """The chance of each total the dealer ends with, drawing to 16 (COM-06)."""
    stands_on = _stands_on(hits_soft_17, hard, ace)
    if stands_on:
        return {stands_on: 1.0}
    key = (hits_soft_17, hard, ace, shoe)
    if key not in _DEALER:
        whole, chances = sum(shoe), dict[int, float]()
        for card, cards in zip(CARDS, shoe, strict=True):
            if not cards:
                continue
            drawn = (hits_soft_17, hard + card, ace or card == 1)
            end = _stands_on(*drawn)
            after = {end: 1.0} if end else dealer(*drawn, without(shoe, card))
            for end, chance in after.items():
                chances[end] = chances.get(end, 0.0) + chance * cards / whole
        _DEALER[key] = chances
    return _DEALER[key]


@cache
def _stands_on(hits_soft_17: bool, hard: int, ace: bool) -> int:
    """The total on which the dealer stops; 0 to draw on."""
    points = hard + 10 if ace and hard + 10 <= 21 else hard
    return points if points >= 17 and not (hits_soft_17 and points == 17 and hard == 7) else 0


def forget() -> None:
    """Give the memory back."""
    _DEALER.clear()


def blackjack_hole(up: int) -> int | None:
    return {1: 10, 10: 1}.get(up)


def checks(rules: Rules, up: int) -> bool:
    return {1: "ace", 10: "ten"}.get(up) in rules.checks


class Naive:
    """A table with an up card, where `unseen` are the cards nobody has seen, the hole card or the next one among them.

    Where the dealer checks under the up card, the check has found nothing. Without `choose` every hand does what is
    best for its own cards; `choose_free` is for the free hand of a split.
    """

    def __init__(
        self,
        rules: Rules,
        up: int,
        unseen: Shoe,
        choose: Choose | None = None,
        choose_free: Choose | None = None,
    ) -> None:
        self.rules, self.up, self.unseen = rules, up, unseen
        self.choose, self.choose_free = choose, choose_free or choose
        barred = blackjack_hole(up) if checks(rules, up) else None
        possible = [0 if card == barred else unseen[card - 1] for card in CARDS]
        self.holes: Holes = tuple(cards / sum(possible) for cards in possible)
        self._known: dict[tuple[Hand, Shoe, Bet, bool], Worth] = {}

    # What a hand may do, and what each is worth

    def worths(self, hand: Hand) -> dict[str, Worth]:
        """Every action open to a first hand, of any number of cards (COM-40..45, SUR-03, FRB-03..06)."""
        return {
            action: self._worth(action, hand, self.unseen, self.holes, Bet()) for action in self.legal(hand)
        }

    def values(self, hand: Hand) -> dict[str, float]:
        return self.values_of(hand, self.legal(hand), Bet())

    def values_of(self, hand: Hand, actions: tuple[str, ...], bet: Bet) -> dict[str, float]:
        """Some actions of a hand on which another bet rides."""
        return {action: self._worth(action, hand, self.unseen, self.holes, bet).value for action in actions}

    def played(self, hand: Hand) -> Worth:
        """A first hand by its best play, or as `choose` says."""
        if self.choose is not None:
            action = self.choose(hand, self.legal(hand))
            return self._worth(action, hand, self.unseen, self.holes, Bet())
        return max(self.worths(hand).values(), key=lambda worth: worth.value)

    def legal(self, hand: Hand, *, from_split: bool = False) -> tuple[str, ...]:
        rules = self.rules
        if len(hand) == rules.charlie or (from_split and hand[0] == 1):
            return ("stand",)
        if total(hand) == 21:
            return ("stand", "hit") if is_soft(hand) and len(hand) + 1 == rules.charlie else ("stand",)
        actions = ["stand", "hit"]
        if len(hand) == 2 and (rules.double_after_split or not from_split):
            actions.append("double")
        if len(hand) == 2 and not from_split:
            actions += ["split"] * (hand[0] == hand[1]) + ["surrender"] * rules.surrender
        return tuple(actions)

    def _worth(self, action: str, hand: Hand, shoe: Shoe, holes: Holes, bet: Bet) -> Worth:
        if action == "stand":
            return self.settle(hand, shoe, holes, bet)
        if action == "hit":
            return self._sum(self._play((*hand, c), s, h, bet, False) for c, s, h in draws(shoe, holes))
        if action == "double":
            assert bet == Bet(), "no game doubles a free hand"
            free = total(hand) in self.rules.free_double and not is_soft(hand)
            doubled = bet._replace(free=1) if free else Bet(own=2, added=1)
            return self._sum(self.settle((*hand, c), s, h, doubled) for c, s, h in draws(shoe, holes))
        if action == "split":
            second = FREE_HAND if hand[0] in self.rules.free_split else Bet()
            return self._split_hand(hand[:1], bet) + self._split_hand(hand[:1], second)
        assert action == "surrender"
        return Worth(-0.5, 1.0)

    def _split_hand(self, hand: Hand, bet: Bet) -> Worth:
        """One hand of a split, the other's cards but the pair card being unknown to it."""
        return self._sum(
            self._play((*hand, c), s, h, bet, True) for c, s, h in draws(self.unseen, self.holes)
        )

    def _play(self, hand: Hand, shoe: Shoe, holes: Holes, bet: Bet, from_split: bool) -> Worth:
        """A hand in the middle of its play; aces of a split stand on their second card (COM-42)."""
        if sum(hand) > 21:
            return self.settle(hand, shoe, holes, bet)
        key = ((hand[0], *sorted(hand[1:])), shoe, bet, from_split)
        if key not in self._known:
            legal = self.legal(hand, from_split=from_split)
            choose = self.choose_free if bet == FREE_HAND else self.choose
            actions = legal if choose is None else (choose(hand, legal),)
            worths = [self._worth(action, hand, shoe, holes, bet) for action in actions]
            self._known[key] = max(worths, key=lambda worth: worth.value)
        return self._known[key]

    @staticmethod
    def _sum(worths: Iterator[Worth]) -> Worth:
        result = Worth(0.0, 0.0)
        for worth in worths:
            result += worth
        return result

    # How a hand ends

    def settle(self, hand: Hand, shoe: Shoe, holes: Holes, bet: Bet) -> Worth:
        """A hand that is over, `shoe` and `holes` being those after the last card drawn."""
        value = 0.0
        for hole, chance in zip(CARDS, holes, strict=True):
            if chance:
                value += chance * self._against(hand, hole, shoe, bet)
        return Worth(value, sum(holes) * bet.own)

    def _against(self, hand: Hand, hole: int, shoe: Shoe, bet: Bet) -> float:
        rules = self.rules
        if sum(hand) > 21:
            return -bet.own
        if hole == blackjack_hole(self.up):
            returned = bet.added if self.up == 10 and rules.ten_up_returns_double else 0
            return -bet.own + returned
        win = (bet.own + bet.free) * rules.win_pays[0] / rules.win_pays[1]
        if rules.charlie and len(hand) == rules.charlie and not bet.added:
            return win
        ends = dealer(rules.dealer_hits_soft_17, self.up + hole, 1 in (self.up, hole), without(shoe, hole))
        value = 0.0
        for end, chance in ends.items():
            if end == 22 and rules.dealer_22_pushes:
                continue
            if end > 21 or end < total(hand):
                value += chance * win
            elif end > total(hand):
                value -= chance * bet.own
        return value


def draws(shoe: Shoe, holes: Holes) -> Iterator[tuple[int, Shoe, Holes]]:
    """Each next card, the shoe after it, and each hole's chance together with that of this card."""
    others = sum(shoe) - 1  # the hole card cannot be drawn
    for card in CARDS:
        if shoe[card - 1]:
            after = tuple(
                chance * (shoe[card - 1] - (hole == card)) / others
                for hole, chance in zip(CARDS, holes, strict=True)
            )
            yield card, without(shoe, card), after


def whole_game(
    rules: Rules,
    shoe: Shoe,
    choose: Callable[[int], Choose] | None = None,
    choose_free: Callable[[int], Choose] | None = None,
) -> Worth:
    """The expected net result and money staked of a round from a full shoe, over every deal (RET-01, RET-02)."""
    result = Worth(0.0, 0.0)
    for up in CARDS:
        for first in CARDS:
            for second in CARDS:
                dealt, left = 1.0, shoe
                for card in (up, first, second):
                    dealt *= left[card - 1] / sum(left)
                    if not dealt:
                        break
                    left = without(left, card)
                if dealt and first <= second:
                    orders = 1 if first == second else 2
                    worth = _round(
                        rules,
                        up,
                        (first, second),
                        left,
                        choose and choose(up),
                        choose_free and choose_free(up),
                    )
                    result += Worth(dealt * orders * worth.value, dealt * orders * worth.staked)
    return result


def _round(
    rules: Rules, up: int, hand: Hand, left: Shoe, choose: Choose | None, choose_free: Choose | None
) -> Worth:
    hole = blackjack_hole(up)
    blackjack = left[hole - 1] / sum(left) if hole else 0.0
    if hand == (1, 10):
        return Worth((1 - blackjack) * rules.blackjack_pays[0] / rules.blackjack_pays[1], 1.0)
    if not checks(rules, up):
        return Naive(rules, up, left, choose, choose_free).played(hand)
    if blackjack == 1:
        return Worth(-1.0, 1.0)
    after = Naive(rules, up, left, choose, choose_free).played(hand)
    return Worth(
        (1 - blackjack) * after.value - blackjack,
        (1 - blackjack) * after.staked + blackjack,
    )
