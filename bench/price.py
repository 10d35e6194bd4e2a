"""How long a cashback price takes, warm: every two-card hand against every up card.

A hand that plays alone has a price that is kept; beside other hands each price is worked out.

Goal: at most 20 ms, so that the price is there when the button appears (RET-11).
"""

from __future__ import annotations

import time
from itertools import combinations_with_replacement

from sabot.cards import RANKS, Hand, parse_card, parse_cards
from sabot.games import find
from sabot.odds.price import price

GOAL_MS = 20


def main() -> None:
    """Print the distribution over all hands."""
    rules = find("cashback").rules
    ranks = RANKS[:10]
    hands = [[parse_card(f"{a}s"), parse_card(f"{b}h")] for a, b in combinations_with_replacement(ranks, 2)]
    deals = [(cards, parse_card(f"{up}d")) for cards in hands if Hand(cards).total < 21 for up in ranks]
    print(f"{'hands':>14}{'p50 ms':>9}{'p99 ms':>9}{'max ms':>9}{'goal ms':>9}")
    for name, before, seen in (
        ("alone", "", ""),
        ("beside four", "2c 5c 7c 9c 4h 6h 8h Kh", "3c 5c 8c Kc 2h 6h 9h Ah"),
    ):
        for cards, up in deals:
            price(rules, cards, split=False, up=up, seen=parse_cards(before))
        times = []
        for cards, up in deals:
            start = time.perf_counter()
            price(rules, cards, split=False, up=up, seen=parse_cards(seen))
            times.append((time.perf_counter() - start) * 1e3)
        times.sort()
        print(
            f"{name:>14}{times[len(times) // 2]:>9.2f}{times[len(times) * 99 // 100]:>9.2f}"
            f"{times[-1]:>9.2f}{GOAL_MS:>9}"
        )


if __name__ == "__main__":
    main()
