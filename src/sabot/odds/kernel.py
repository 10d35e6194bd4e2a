"""The loops of the exact analysis, compiled. Everything here is arrays and numbers; the meaning is in `values`."""

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
                cards[c, b] = left[c] - hands[hand, c]
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
    """The chance of each next card after a hand; `hidden` is a class the face-down card is known not to be, or -1."""
    classes = left.shape[0]
    whole = 0.0
    for c in range(classes):
        out[c] = max(left[c] - hands[row, c], 0.0)
        whole += out[c]
    if hidden < 0:
        for c in range(classes):
            out[c] /= whole
        return
    x = out[hidden]
    others = (whole - x - 1.0) / ((whole - x) * (whole - 1.0))
    for c in range(classes):
        out[c] = x / (whole - 1.0) if c == hidden else out[c] * others


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
    """From the most cards to the fewest: the value of drawing, and of playing on.

    `policy[row]` is 0 where the hand stands, 1 where it draws and 2 where the better is taken.
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
    """The value of exactly one more card, `ended` being that of each hand that then stands."""
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
