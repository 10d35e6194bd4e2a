"""How long a cashback price takes, warm: every two-card hand against every up card of a full shoe.

Goal: at most 20 ms, so that the price is there when the button appears (RET-11).
"""

from __future__ import annotations

import time
from itertools import combinations_with_replacement

from sabot.cards import RANKS, Hand, parse_card
from sabot.games import find
from sabot.odds.price import price

GOAL_MS = 20


def main() -> None:
    """Print the distribution over all hands."""
    rules = find("cashback").rules
    ranks = RANKS[:10]
    hands = [[parse_card(f"{a}s"), parse_card(f"{b}h")] for a, b in combinations_with_replacement(ranks, 2)]
    deals = [(cards, parse_card(f"{up}d")) for cards in hands if Hand(cards).total < 21 for up in ranks]
    for cards, up in deals:
        price(rules, cards, split=False, up=up, seen=[])
    times = []
    for cards, up in deals:
        start = time.perf_counter()
        price(rules, cards, split=False, up=up, seen=[])
        times.append((time.perf_counter() - start) * 1e3)
    times.sort()
    print(f"{'hands':>8}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'goal ms':>9}")
    print(
        f"{len(times):>8}{times[len(times) // 2]:>9.2f}{times[len(times) * 99 // 100]:>9.2f}"
        f"{times[-1]:>9.2f}{GOAL_MS:>9}"
    )


if __name__ == "__main__":
    main()
