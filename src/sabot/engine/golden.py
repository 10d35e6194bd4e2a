"""Which golden chips pay a stake (MAJ-53, PLT-65).

>>> nearest_chips({600: 1, 500: 2}, 1000, 9)
(500, 500)
"""

from collections.abc import Mapping
from functools import lru_cache
from math import gcd

#: Limits of the search; beyond them, chips are taken from the largest.
MOST_CHIPS, MOST_SUMS = 32, 20_000

Chips = tuple[int, ...]


def largest_first(held: Mapping[int, int], amount: int, room: int) -> Chips:
    """Chips from the largest on, each that still fits.

    >>> largest_first({600: 1, 500: 2}, 1000, 9)
    (600,)
    """
    chips: list[int] = []
    for value in sorted(held, reverse=True):
        count = min(held[value], amount // value, room - len(chips))
        chips += [value] * count
        amount -= value * count
    return tuple(chips)


def nearest_chips(held: Mapping[int, int], amount: int, room: int) -> Chips:
    """At most `room` chips nearest to an amount from below; the fewest, then the largest."""
    usable = [(value, min(count, amount // value)) for value, count in sorted(held.items())]
    return _nearest(tuple((value, count) for value, count in usable if count > 0), amount, room)


@lru_cache(maxsize=4096)
def _nearest(held: tuple[tuple[int, int], ...], amount: int, room: int) -> Chips:
    greedy = largest_first(dict(held), amount, room)
    if not greedy or len(greedy) == sum(count for _, count in held):
        return greedy  # none fit, or all of them do
    exact = sum(greedy) == amount
    if exact and len(greedy) == -(-amount // held[-1][0]):
        return greedy  # fewer chips cannot come to so much
    unit = gcd(*(value for value, _ in held))
    if amount // unit > MOST_SUMS:
        return greedy
    scaled = [(value // unit, count) for value, count in held]
    most = min(room, MOST_CHIPS, len(greedy) if exact else room)
    found = tuple(value * unit for value in _search(scaled, amount // unit, most))
    return max(greedy, found, key=lambda chips: (sum(chips), -len(chips), chips))


def _search(held: list[tuple[int, int]], amount: int, most: int) -> list[int]:
    """The best chips; bit `s` of `reach[n]` says that `n` chips can sum to `s`."""
    every = (1 << (amount + 1)) - 1
    reach = [1] + [0] * most
    before: list[list[int]] = []
    for value, count in held:
        before.append(reach.copy())
        for many in _parts(min(count, most)):
            for n in range(most - many, -1, -1):
                reach[n + many] |= (reach[n] << (value * many)) & every
    best = max(sums.bit_length() for sums in reach) - 1
    left = next(n for n, sums in enumerate(reach) if sums >> best & 1)
    chips: list[int] = []
    for (value, count), smaller in zip(reversed(held), reversed(before), strict=True):
        for many in range(min(count, left, best // value), -1, -1):
            if smaller[left - many] >> (best - many * value) & 1:
                break
        chips += [value] * many
        left, best = left - many, best - many * value
    return chips


def _parts(count: int) -> list[int]:
    """Numbers that add up to every number from 0 to a count, each used once or not.

    >>> _parts(10)
    [1, 2, 4, 3]
    """
    parts: list[int] = []
    part = 1
    while count > 0:
        parts.append(min(part, count))
        count -= parts[-1]
        part *= 2
    return parts
