"""The compiled loops of the exact analysis, on arrays and numbers; `values` gives them meaning."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

import numba
import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


def compiled(function: F) -> F:
    """Compile a function once per machine; numba has no types of its own."""
    return cast("F", numba.njit(cache=True, nogil=True, fastmath={"nsz", "arcp", "contract"})(function))


BLOCK = 64


@compiled
def dealer_chances(
    left: Any, hands: Any, rows: Any, which: Any, depth: Any, used: Any, outcome: Any, orders: Any, out: Any
) -> None:
    """For each hand of `rows` gone from the cards `left`: the chance of each dealer outcome, into `out[row]`."""
    classes = left.shape[0]
    deepest = 0
    for step in range(depth.shape[0]):
        deepest = max(deepest, depth[step])
    cards = np.empty((classes, BLOCK))
    chance = np.empty((deepest + 1, BLOCK))
    inverse = np.empty((deepest + 1, BLOCK))
    sums = np.empty((out.shape[1], BLOCK))
    for first in range(0, rows.shape[0], BLOCK):
        size = min(BLOCK, rows.shape[0] - first)
        for b in range(BLOCK):
            hand = rows[first + min(b, size - 1)]
            whole = 0.0
            for c in range(classes):
                cards[c, b] = max(left[c] - hands[hand, c], 0.0)
                whole += cards[c, b]
            chance[0, b] = 1.0
            for d in range(deepest + 1):
                inverse[d, b] = 1.0 / max(whole - d, 1.0)
        sums[:] = 0.0
        for step in range(depth.shape[0]):
            d, c, gone = depth[step], which[step], float(used[step])
            for b in range(BLOCK):
                chance[d, b] = chance[d - 1, b] * (cards[c, b] - gone) * inverse[d - 1, b]
            end = outcome[step]
            if end >= 0:
                times = orders[step]
                for b in range(BLOCK):
                    sums[end, b] += times * chance[d, b]
        for b in range(size):
            for end in range(out.shape[1]):
                out[rows[first + b], end] = sums[end, b]


@compiled
def draw_chances(left: Any, hands: Any, row: int, hidden: int, out: Any) -> None:
    """The chance of each next card after a hand; `hidden` is a class that the hole card is known not to be, or -1."""
    classes = left.shape[0]
    whole = 0.0
    for c in range(classes):
        out[c] = max(left[c] - hands[row, c], 0.0)
        whole += out[c]
    if hidden < 0:
        for c in range(classes):
            out[c] /= max(whole, 1.0)
        return
    # At least 1 each, so that a hand that cannot exist divides by no 0.
    x, drawn = out[hidden], max(whole - 1.0, 1.0)
    clear = max(whole - x, 1.0)
    others = (clear - 1.0) / (clear * drawn)
    for c in range(classes):
        out[c] = x / drawn if c == hidden else out[c] * others


@compiled
def compare(
    chances: Any, rows: Any, total: Any, size: Any, charlie: int, checked: bool, win: Any, lose: Any
) -> None:
    """The chance to win and to lose by standing; after a check, given that it found no blackjack.

    The outcomes are 17 to 21, 22 where it pushes, and a blackjack; the rest are busts.
    """
    for at in range(rows.shape[0]):
        row = rows[at]
        blackjack = chances[row, 6]
        kept = 1.0
        if checked:
            kept = 1.0 - blackjack if blackjack < 1.0 else 1.0
            chances[row, 6] = blackjack = 0.0
        higher = tied = 0.0
        for end in range(5):
            chances[row, end] /= kept
            if 17 + end > total[row]:
                higher += chances[row, end]
            elif 17 + end == total[row]:
                tied = chances[row, end]
        chances[row, 5] /= kept
        if charlie > 0 and size[row] == charlie:
            lose[row] = blackjack
            win[row] = 1.0 - blackjack
        else:
            lose[row] = higher + blackjack
            win[row] = 1.0 - lose[row] - tied - chances[row, 5]


@compiled
def hit_values(
    left: Any,
    hands: Any,
    following: Any,
    rows: Any,
    hidden: int,
    stand: Any,
    bust: float,
    best: Any,
    hit: Any,
    policy: Any,
) -> None:
    """The value of drawing and of playing on, from the most cards to the fewest.

    `policy[row]` is 0 for a hand that stands, 1 for one that draws, 2 for one that does the better.
    """
    classes = left.shape[0]
    chance = np.empty(classes)
    for at in range(rows.shape[0]):
        row = rows[at]
        if policy[row] == 0:
            hit[row] = -9.0
            best[row] = stand[row]
            continue
        draw_chances(left, hands, row, hidden, chance)
        value = 0.0
        for c in range(classes):
            after = following[row, c]
            value += chance[c] * (best[after] if after >= 0 else bust)
        hit[row] = value
        best[row] = value if policy[row] == 1 or value > stand[row] else stand[row]


@compiled
def one_card_values(
    left: Any, hands: Any, following: Any, rows: Any, hidden: int, ended: Any, bust: float, out: Any
) -> None:
    """The value of exactly one more card; `ended` is the value of each hand that then stands."""
    classes = left.shape[0]
    chance = np.empty(classes)
    for at in range(rows.shape[0]):
        row = rows[at]
        draw_chances(left, hands, row, hidden, chance)
        value = 0.0
        for c in range(classes):
            after = following[row, c]
            value += chance[c] * (ended[after] if after >= 0 else bust)
        out[row] = value


@compiled
def pair_chances(
    first: Any, first_orders: Any, second: Any, second_orders: Any, falling: Any, whole: Any, slots: int
) -> Any:
    """For each pair of final hands: the place of their union in the list of unions, and the chance of the pair.

    A union has five bits for each class. It is found in an open hash table of `slots` places, a power of two.
    """
    classes = first.shape[1]
    pairs = first.shape[0] * second.shape[0]
    places = np.empty(pairs, np.int32)
    chances = np.empty(pairs)
    table = np.full(slots, -1, np.int32)
    unions = np.empty(pairs, np.int64)
    found = 0
    at = 0
    for i in range(first.shape[0]):
        for j in range(second.shape[0]):
            key = 0
            chance = first_orders[i] * second_orders[j]
            size = 0
            for c in range(classes):
                count = first[i, c] + second[j, c]
                chance *= falling[c, count]
                key |= count << (5 * c)
                size += count
            chances[at] = chance / whole[size] if chance > 0.0 else 0.0
            slot = (key * 0x9E3779B97F4A7C1) >> 20 & (slots - 1)
            while table[slot] >= 0 and unions[table[slot]] != key:
                slot = (slot + 1) & (slots - 1)
            if table[slot] < 0:
                table[slot] = found
                unions[found] = key
                found += 1
            places[at] = table[slot]
            at += 1
    return unions[:found], places, chances


@compiled
def gather(chances: Any, places: Any, first: Any, second: Any, dealer: Any, out: Any) -> None:
    """Add up the chance of each pair of ends, over all pairs of hands and dealer outcomes."""
    at = 0
    for i in range(first.shape[0]):
        for j in range(second.shape[0]):
            for met in range(dealer.shape[1]):
                out[first[i, met], second[j, met]] += chances[at] * dealer[places[at], met]
            at += 1
