"""Chips that fit the limits of a table, in cents (PLT-69).

>>> from sabot.games.options import Limits
>>> fitting_chips([Limits(100, 50_000), Limits(100, 10_000)])
(100, 200, 500, 1000, 2500, 5000, 10000)
>>> fitting_chips([Limits(10_000, 1_000_000), Limits(1_000, 100_000)])
(1000, 2500, 5000, 10000, 25000, 50000, 100000, 250000)
"""

from collections.abc import Iterable, Iterator

from sabot.games.options import Limits, OptionError

#: Presses of a chip within which it reaches the maximum, and those that it should take at least.
PRESSES, FEWEST = 10, 4
#: Chips that have a key each (PLT-45).
MOST = 9
#: Below 10.00; above, each power of ten has 1, 2.5 and 5. All are even, so that half a stake is whole cents (COM-26).
_SMALL = (2, 10, 20, 50, 100, 200, 500)


def fitting_chips(limits: Iterable[Limits]) -> tuple[int, ...]:
    """Return the chips, ascending, of a table with these limits of its kinds of bets.

    For every minimum and every maximum one chip makes up the exact amount in at most ten presses. Where there would be
    more than nine chips, those that no limit needs are left out.
    """
    every = list(limits)
    usual = list(_usual(max(one.maximum for one in every)))
    needed = {_part(one.minimum, usual, 1) for one in every}
    larger = [chip for chip in usual if chip >= min(needed)]
    needed |= {_part(one.maximum, larger, FEWEST) for one in every}
    chips = sorted(needed.union(chip for chip in usual if min(needed) < chip < max(needed)))
    while len(chips) > MOST:
        spare = [at for at in range(1, len(chips) - 1) if chips[at] not in needed]
        if not spare:
            break
        del chips[min(spare, key=lambda at: chips[at + 1] / chips[at - 1])]
    return tuple(chips)


def check_chips(chips: tuple[int, ...], limits: Iterable[Limits]) -> None:
    """Refuse chips of an operator with which a minimum or a maximum cannot be staked (PLT-69).

    >>> check_chips((200, 500), [Limits(200, 2_000), Limits(500, 5_000)])
    """
    for one in limits:
        if all(one.minimum % chip for chip in chips) or one.maximum > PRESSES * chips[-1]:
            raise OptionError(
                "option/chips-limits",
                smallest=chips[0],
                largest=chips[-1],
                minimum=one.minimum,
                maximum=one.maximum,
            )


def _usual(most: int) -> Iterator[int]:
    """Return the usual values of chips, in cents, up to an amount."""
    for chip in _SMALL:
        if chip <= most:
            yield chip
    ten = 1_000
    while ten <= most:
        for chip in (ten, ten * 5 // 2, ten * 5):
            if chip <= most:
                yield chip
        ten *= 10


def _part(amount: int, usual: list[int], fewest: int) -> int:
    """Return the largest usual chip of which `fewest` to ten make up an amount; else of fewer; else the amount itself."""
    parts = [chip for chip in usual if amount % chip == 0 and amount // chip <= PRESSES]
    return max((chip for chip in parts if amount // chip >= fewest), default=max(parts, default=amount))
