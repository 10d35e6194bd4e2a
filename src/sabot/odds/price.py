"""The exact value of a hand, behind the cashback price (RET-11, CSH-03, CSH-15).

Cards are drawn without replacement from those the player has not seen, the dealer's hole card among them, and every
decision is the best one for the exact cards of the hand. A dealer blackjack is found after the decisions (COM-47).

It shares the trees of `values` but not its loops: those are compiled, and a house or a terminal that needs one price
would load a compiler for it, a second and 130 MB.
"""

from collections.abc import Sequence
from functools import lru_cache
from itertools import product
from math import floor

import numpy as np

from sabot.cards import Card, Hand, format_cards
from sabot.games.rules import PRICE_UNITS, Rules
from sabot.odds.classes import ACE, BEST, CLASSES, POINTS, TEN, Floats, blackjack_class, class_of, unseen
from sabot.odds.draws import NEVER, Deals, Draws, DrawStart, dealer_hands, draws_of

#: A hand draws at most 21 points without a bust, the dealer at most 17: with so many left the shoe cannot run empty.
_POINTS_NEEDED = 38
#: Values to remember; the two-card hands alone at the table are 550 of them.
_KEPT = 20_000


def fair_value(rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]) -> float:
    """The best expected net result of a hand from here on, in stakes of that hand.

    `cards` are the hand's cards in order, `split` marks a hand of a split, `seen` are all other cards face up.

    >>> from sabot.cards import parse_card, parse_cards
    >>> from sabot.games import find
    >>> rules = find("cashback").rules
    >>> round(fair_value(rules, parse_cards("10s 6h"), split=False, up=parse_card("Kd"), seen=[]), 6)
    -0.570817
    """
    _check_rules(rules)
    left = unseen(rules.decks, [*cards, up, *seen])
    hand = Hand(cards)
    _check_hand(rules, hand, split)
    if left @ np.array(POINTS) < _POINTS_NEEDED:
        raise ValueError(
            f"only {left.sum():.0f} cards are unseen: too few to play out the hand and the dealer's"
        )
    starts = [_start(rules, cards, split)]
    if hand.is_pair and not split:
        starts.append(_start(rules, cards[:1], split=True))
    return _best(rules, class_of(up), tuple(left.tolist()), *starts)


def price(rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]) -> int:
    """The fair price of a hand, stake included: (1 + value) in thousand-millionths of a stake, rounded down.

    >>> from sabot.cards import parse_card, parse_cards
    >>> from sabot.games import find
    >>> price(find("cashback").rules, parse_cards("10s 6h"), split=False, up=parse_card("Kd"), seen=[])
    429182733
    """
    return max(0, floor((1 + fair_value(rules, cards, split=split, up=up, seen=seen)) * PRICE_UNITS))


def prepare(rules: Rules) -> None:
    """Compute every two-card hand that is alone at the table, and the lists that all others need, in a second."""
    for *cards, up in product(map(Card, range(CLASSES)), repeat=3):
        if Hand(cards).total < BEST:
            fair_value(rules, cards, split=False, up=up, seen=())


def _start(rules: Rules, cards: Sequence[Card], split: bool) -> DrawStart:
    """What a hand may draw; a split hand may still wait for its second card (COM-14)."""
    at_second_card = max(2 - len(cards), NEVER)
    return DrawStart(
        hard=sum(POINTS[class_of(card)] for card in cards),
        ace=any(class_of(card) == ACE for card in cards),
        charlie_after=rules.charlie - len(cards) if rules.charlie else NEVER,
        double_after=at_second_card if rules.double_after_split or not split else NEVER,
        stand_after=at_second_card if split and class_of(cards[0]) == ACE else NEVER,
    )


@lru_cache(maxsize=_KEPT)
def _best(
    rules: Rules, up: int, left: tuple[float, ...], whole: DrawStart, halves: DrawStart | None = None
) -> float:
    """The best expected net result of a hand as it is, or split in two equal halves."""
    shoe = np.array(left)
    value = _play(rules, up, shoe, whole)
    return value if halves is None else max(value, 2 * _play(rules, up, shoe, halves))


def _play(rules: Rules, up: int, left: Floats, start: DrawStart) -> float:
    """The expected net result of the best play of a hand, without a split."""
    draws = draws_of(start)
    cards_left = np.maximum(left - draws.drawn, 0)
    chance = cards_left / np.maximum(left.sum() - draws.gone.sizes, 1)[:, None]
    hidden = blackjack_class(up)
    blackjack = chance[:, hidden] if hidden is not None else np.zeros(len(chance))
    stand = _stand(rules, up, left, draws, blackjack)
    # One row more, reached by the row number -1: a bust.
    refund = blackjack if rules.ten_up_returns_double and up == TEN else 0.0
    doubled = np.append(2 * stand + refund, -2.0)
    value = np.append(stand, -1.0)
    for rows, may_double in draws.levels:
        after = draws.next[rows]
        value[rows] = np.maximum(value[rows], (chance[rows] * value[after]).sum(axis=1))
        if may_double:
            value[rows] = np.maximum(value[rows], (chance[rows] * doubled[after]).sum(axis=1))
    return float(value[0])


def _stand(rules: Rules, up: int, left: Floats, draws: Draws, blackjack: Floats) -> Floats:
    """The expected result of standing, for hands that may stand; for a Charlie, its result (COM-46)."""
    win = rules.win_pays[0] / rules.win_pays[1]
    unbeaten = win * (1 - blackjack) - blackjack
    value = np.full(len(draws.drawn), -np.inf)
    value[draws.charlies] = unbeaten[draws.charlies]
    dealer = dealer_hands(up, rules.dealer_hits_soft_17)
    deals = Deals(left, draws.gone, dealer.dealt)
    for total, rows in draws.standing:
        not_lower = slice(int(np.searchsorted(dealer.totals, total)), None)
        # No win where the dealer's total is equal or higher; a lost stake where it is higher.
        missing = dealer.orders[not_lower] * (win + (dealer.totals[not_lower] > total))
        value[rows] = unbeaten[rows] - deals.chances(rows, not_lower) @ missing
    return value


def _check_rules(rules: Rules) -> None:
    if rules.checks or rules.dealer_22_pushes or rules.free_double or rules.free_split or rules.surrender:
        raise ValueError(
            f"{rules.name} has no price for a hand: there is one only without a dealer check, free bets and surrender"
        )


def _check_hand(rules: Rules, hand: Hand, split: bool) -> None:
    cards = format_cards(hand.cards)
    if len(hand.cards) < 2:
        raise ValueError(f"a hand has two cards or more before it has a price, not {len(hand.cards)}")
    if hand.total >= BEST:
        raise ValueError(f"{cards} makes {hand.total}: a hand of 21 or more has no decision, so no price")
    if rules.charlie and len(hand.cards) >= rules.charlie:
        raise ValueError(f"{cards} is a Charlie of {rules.charlie} cards: it has no decision, so no price")
    if split and class_of(hand.cards[0]) == ACE and len(hand.cards) > 2:
        raise ValueError(f"{cards} cannot come from a split: split aces receive one card each")
