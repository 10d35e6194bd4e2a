"""The side bets that three cards or a pair decide: exact counts of their categories, and returns (RET-07)."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement
from math import comb, prod

from sabot.cards import DECK_SIZE
from sabot.games.sidebets import SideBet, lucky, pair, three_cards


@cache
def category_counts(judge: str, decks: int) -> dict[str, int]:
    """How many of all hands, cards of one kind told apart, fall in each category of a judge.

    >>> category_counts("hand-pair", 6)["perfect"]
    780
    """
    judges = {"poker": three_cards, "lucky": lucky, "hand-pair": pair, "dealer-pair": pair}
    if judge not in judges:
        raise ValueError(f"{judge!r} is not decided by the first cards: {', '.join(judges)} are")
    decide = judges[judge]
    size = 2 if decide is pair else 3
    counts: Counter[str] = Counter()
    for cards in combinations_with_replacement(range(DECK_SIZE), size):
        ways = prod(comb(decks, times) for times in Counter(cards).values())
        counts[decide(*cards)] += ways  # type: ignore[operator]  # a judge of two or of three cards
    return dict(counts)


def side_bet_return(bet: SideBet, decks: int, max_multiple: float | None = None) -> float:
    """The expected return of a side bet, stake included; wins above a multiple of the stake are cut to it.

    >>> from sabot.games.sidebets import PLAYER_PAIR, TWENTY_ONE_PLUS_3
    >>> round(side_bet_return(PLAYER_PAIR, 6), 4), round(side_bet_return(TWENTY_ONE_PLUS_3, 6), 4)
    (0.9389, 0.9538)
    """
    counts = category_counts(bet.judge, decks)
    paid = 0.0
    for category, pays in bet.prizes:
        won = pays if max_multiple is None else min(pays, max_multiple)
        paid += counts.get(category, 0) * (1 + won)
    return paid / sum(counts.values())
