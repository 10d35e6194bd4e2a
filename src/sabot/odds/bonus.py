"""The exact distribution of the Link bonus, for any weights (RET-09, RET-10).

All prizes on a table follow one distribution, and for a given number of locked cells every choice of cells is equally
likely. So a table is a chain over the number of locked cells, a count of full blocks, and sums of independent prizes.
"""

from collections.abc import Sequence
from functools import cache
from math import comb

import numpy as np

from sabot.games.bonus import BLOCK, Bonus, BonusTable
from sabot.odds.classes import Floats


def blackjack_chance(decks: int) -> float:
    """The chance that two cards of a full shoe are a blackjack.

    >>> round(blackjack_chance(6), 6)
    0.047489
    """
    cards = 52 * decks
    return 2 * (4 * decks) * (16 * decks) / (cards * (cards - 1))


@cache
def link_return(bonus: Bonus, decks: int) -> float:
    """The expected return of a LINK bet, stake included.

    >>> round(link_return(Bonus(), 6), 4)
    0.95
    """
    chances = bonus_distribution(bonus)
    return float(blackjack_chance(decks) * (1 + chances @ np.arange(len(chances))))


@cache
def bonus_distribution(bonus: Bonus) -> Floats:
    """The chance of each amount the bonus pays to 1, by amount."""
    total = sum(weight for _, weight in bonus.wheel)
    parts = [
        (
            weight / total,
            _certain(section)
            if isinstance(section, int)
            else table_distribution(bonus, bonus.table(section)),
        )
        for section, weight in bonus.wheel
    ]
    return _mix(parts)


def table_distribution(bonus: Bonus, table: BonusTable) -> Floats:
    """The chance of each amount a bonus table pays to 1."""
    locked = locked_chances(bonus, table)
    prizes = _chances([(prize, weight) for prize, weight in bonus.cells if prize])
    prize_sums = [_certain(0)]
    for _ in range(table.cells):
        prize_sums.append(np.convolve(prize_sums[-1], prizes))
    full_block = _full_block(bonus, prize_sums[BLOCK])
    parts = []
    blocks = _certain(0)
    for full in range(table.blocks + 1):
        rest = [
            (chance * full_chance(table, count, full), prize_sums[count - BLOCK * full])
            for count, chance in enumerate(locked)
            if count >= BLOCK * full
        ]
        if rest:
            parts.append((1.0, np.convolve(_mix(rest), blocks)))
        blocks = np.convolve(blocks, full_block)
    return _mix(parts)


def locked_chances(bonus: Bonus, table: BonusTable) -> list[float]:
    """The chance of each final number of locked cells (LNK-27, LNK-28).

    Where a cell stays blank with chance q, all spins bring nothing with chance q^(spins x empty cells). Otherwise the
    number of locked cells grows by a binomial that is at least one.
    """
    total = sum(weight for _, weight in bonus.cells)
    blank = sum(weight for prize, weight in bonus.cells if not prize) / total
    here = [0.0] * (table.cells + 1)
    ends = [0.0] * (table.cells + 1)
    here[table.start] = 1.0
    for count in range(table.start, table.cells + 1):
        empty = table.cells - count
        ends[count] = here[count] * blank ** (bonus.spins * empty)
        moving = here[count] - ends[count]
        for new in range(1, empty + 1):
            jump = comb(empty, new) * (1 - blank) ** new * blank ** (empty - new)
            here[count + new] += moving * jump / (1 - blank**empty)
    return ends


def full_chance(table: BonusTable, locked: int, full: int) -> float:
    """The chance of a number of full blocks, given the number of locked cells.

    >>> link = BonusTable(columns=6, start=3)
    >>> full_chance(link, 18, 3), full_chance(link, 5, 0)
    (1.0, 1.0)
    """
    others = table.blocks - full
    ways = 0
    for also in range(others + 1):
        cells = table.cells - BLOCK * (full + also)
        left = locked - BLOCK * (full + also)
        if 0 <= left <= cells:
            ways += (-1) ** also * comb(others, also) * comb(cells, left)
    return comb(table.blocks, full) * ways / comb(table.cells, locked)


def _full_block(bonus: Bonus, six: Floats) -> Floats:
    """The payment of a full block: six prizes times its tile, or plus a diamond's prize (LNK-29)."""
    total = sum(weight for _, weight in bonus.tiles)
    pays = dict(bonus.pays)
    diamonds = _chances([(pays[prize], weight) for prize, weight in bonus.diamonds])
    parts = []
    for tile, weight in bonus.tiles:
        if tile == "diamond":
            parts.append((weight / total, np.convolve(six, diamonds)))
        else:
            times = np.zeros((len(six) - 1) * tile + 1)
            times[::tile] = six
            parts.append((weight / total, times))
    return _mix(parts)


def _chances(weighted: Sequence[tuple[int, int]]) -> Floats:
    chances = np.zeros(max(amount for amount, _ in weighted) + 1)
    total = sum(weight for _, weight in weighted)
    for amount, weight in weighted:
        chances[amount] += weight / total
    return chances


def _certain(amount: int) -> Floats:
    return _chances([(amount, 1)])


def _mix(parts: Sequence[tuple[float, Floats]]) -> Floats:
    mixed = np.zeros(max(len(chances) for _, chances in parts))
    for weight, chances in parts:
        mixed[: len(chances)] += weight * chances
    return mixed
