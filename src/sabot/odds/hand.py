"""The value of every action of a hand, for `sabot odds`.

Cards may be known with their suit (`8h`) or by rank alone (`8`). Only their number and kind matter, not their order.

>>> from sabot.games import find
>>> odds = hand_odds(find("classic-6").rules, [known_card("8")] * 2, known_card("10"))
>>> odds.best, round(odds.actions.split, 6), round(odds.after_check.split, 6)
('split', -0.523339, -0.483199)
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from msgspec import Struct

from sabot.cards import RANKS, SUITS
from sabot.errors import CodedError
from sabot.games.rules import Action, Rules
from sabot.odds.classes import ACE, BEST, POINTS, TEN, Floats, best_total, blackjack_class, full_shoe
from sabot.odds.values import Behind, action_values

#: With so many unseen cards that give the dealer no blackjack, and so many points on them, the shoe cannot run empty.
_CARDS_NEEDED, _POINTS_NEEDED = 24, 48


class HandError(CodedError):
    """An impossible hand, or one without a decision."""


class KnownCard(NamedTuple):
    """A card seen: its rank, 0 for an ace … 12 for a king, and its suit if that is known."""

    rank: int
    suit: int | None = None

    @property
    def which(self) -> int:
        """Its class: 0 for an ace … 9 for all that count 10."""
        return min(self.rank, TEN)

    def __str__(self) -> str:
        return RANKS[self.rank] + ("" if self.suit is None else SUITS[self.suit])


_KNOWN = {
    str(card).upper(): card for rank in range(13) for card in map(KnownCard, [rank] * 5, [None, *range(4)])
}


def known_card(text: str) -> KnownCard:
    """The card that a text names, with or without a suit, in any case.

    >>> str(known_card("qH")), str(known_card("10"))
    ('Qh', '10')
    """
    try:
        return _KNOWN[text.upper()]
    except KeyError:
        raise HandError("card", text=text, ranks=" ".join(RANKS), suits=" ".join(SUITS)) from None


class Actions(Struct, frozen=True):
    """The net result of each action and the best play after it, in initial bets; None for an action not allowed."""

    stand: float
    hit: float | None = None
    double: float | None = None
    split: float | None = None
    surrender: float | None = None

    def values(self) -> dict[Action, float]:
        """The value of each action that is allowed."""
        return {name: value for name in _ACTIONS if (value := getattr(self, name)) is not None}

    def best(self) -> Action:
        """The action with the highest value; stand wins a tie."""
        values = self.values()
        return max(values, key=values.__getitem__)


_ACTIONS: tuple[Action, ...] = ("stand", "hit", "double", "split", "surrender")


class HandOdds(Struct, frozen=True):
    """The odds of a hand before the dealer's second card is known."""

    game: str
    cards: tuple[str, ...]
    up: str
    #: The chance of a dealer blackjack, before any check.
    dealer_blackjack: float
    #: A dealer blackjack included.
    actions: Actions
    best: Action
    #: The same after a check without blackjack, in games that check under this card.
    after_check: Actions | None


def hand_odds(
    rules: Rules, cards: Sequence[KnownCard], up: KnownCard, seen: Sequence[KnownCard] = ()
) -> HandOdds:
    """The exact value of every action of a hand, given its cards, the up card and other cards seen."""
    left = check_hand(rules, cards, up, seen)
    for card in cards:  # `Behind` removes a hand's own cards itself
        left[card.which] += 1
    behind = Behind(rules, left, up.which, stand_everywhere=True)
    row = behind.row(tuple(card.which for card in cards))
    blackjack = behind.blackjack_after(row)
    after_check: Actions | None = None
    if len(cards) == 2 and total_of(cards) == BEST:
        num, den = rules.blackjack_pays
        actions = Actions(stand=(1 - blackjack) * num / den)
        after_check = Actions(stand=num / den) if behind.checked else None
    elif behind.checked:
        values = action_values(behind, row)
        after_check = Actions(**values)
        actions = Actions(**{name: (1 - blackjack) * value - blackjack for name, value in values.items()})
    else:
        actions = Actions(**action_values(behind, row))
    return HandOdds(
        rules.name,
        tuple(map(str, cards)),
        str(up),
        blackjack,
        actions,
        (after_check or actions).best(),
        after_check,
    )


def total_of(cards: Sequence[KnownCard]) -> int:
    """The total of the cards, an ace as 11 where that does not bust them (COM-02).

    >>> total_of([known_card(rank) for rank in "A6"]), total_of([known_card(rank) for rank in "A6K"])
    (17, 17)
    """
    hard = sum(POINTS[card.which] for card in cards)
    return best_total(hard, any(card.which == ACE for card in cards))


def is_soft(cards: Sequence[KnownCard]) -> bool:
    """Whether an ace counts 11."""
    return total_of(cards) > sum(POINTS[card.which] for card in cards)


def check_hand(
    rules: Rules, cards: Sequence[KnownCard], up: KnownCard, seen: Sequence[KnownCard] = ()
) -> Floats:
    """The cards left in the shoe, by class; `HandError` for a hand that is impossible or has nothing to decide."""
    named = " ".join(map(str, cards))
    if len(cards) < 2:
        raise HandError("too-few-cards", count=len(cards))
    if total_of(cards) > BEST:
        raise HandError("bust", cards=named, total=total_of(cards))
    if rules.charlie and len(cards) > rules.charlie:
        raise HandError(
            "too-many-cards", cards=named, count=len(cards), game=rules.name, charlie=rules.charlie
        )
    left = _unseen(rules.decks, [*cards, up, *seen])
    others = left.copy()
    hidden = blackjack_class(up.which)
    if hidden is not None:
        others[hidden] = 0.0
    if others.sum() < _CARDS_NEEDED or others @ np.array(POINTS) < _POINTS_NEEDED:
        raise HandError("shoe-too-small", left=int(left.sum()))
    return left


def _unseen(decks: int, known: Sequence[KnownCard]) -> Floats:
    """The cards left, by class, without those known."""
    for card, times in Counter(card for card in known if card.suit is not None).items():
        if times > decks:
            raise HandError("card-too-often", card=card, times=times, decks=decks, most=decks)
    left = full_shoe(decks)
    for which, times in Counter(card.which for card in known).items():
        most = int(left[which])
        if times > most:
            code = "tens-too-often" if which == TEN else "card-too-often"
            raise HandError(code, card=RANKS[which], times=times, decks=decks, most=most)
        left[which] -= times
    return left
