"""The Link bonus as data: the wheel, the two tables, their prizes and weights (LNK-21..31, RET-09).

A weight is an integer; an outcome's chance is its weight over the sum of its list.
"""

from typing import Literal

from msgspec import Struct

Feature = Literal["link", "mega-link"]
FEATURES: tuple[Feature, ...] = ("link", "mega-link")
#: A wheel section: a cash multiplier, or the bonus table it opens.
Section = int | Feature
#: The tile below a block of six cells: a multiplier, or a diamond.
Tile = int | Literal["diamond"]
DiamondPrize = Literal["mini", "minor", "major", "grand"]

ROWS = 3
BLOCK = 6


class BonusTable(Struct, frozen=True):
    """A bonus table: columns of three cells, a tile below each pair of columns."""

    columns: int
    #: Prizes on random cells at the start.
    start: int

    def __post_init__(self) -> None:
        if self.columns < 2 or self.columns % 2 or not 0 <= self.start <= self.cells:
            raise ValueError(
                f"a bonus table of {self.columns} columns and {self.start} prizes: pairs of columns have a tile, "
                "and the prizes at the start stand on cells"
            )

    @property
    def cells(self) -> int:
        """The number of cells; cell ``c`` is in column ``c // 3`` and above tile ``c // 6``."""
        return self.columns * ROWS

    @property
    def blocks(self) -> int:
        """The number of tiles, one for each block of six cells."""
        return self.cells // BLOCK


class Bonus(Struct, frozen=True):
    """The bonus with its weights; the defaults return 95 % of the LINK bet (RET-09, RET-10)."""

    wheel: tuple[tuple[Section, int], ...] = (
        (5, 350),
        (10, 260),
        (15, 160),
        (25, 80),
        (50, 25),
        ("link", 90),
        ("mega-link", 35),
    )
    #: Prizes of a cell, in multiples of the stake; 0 is a blank.
    cells: tuple[tuple[int, int], ...] = (
        (0, 4700),
        (1, 100),
        (2, 70),
        (3, 45),
        (4, 30),
        (5, 25),
        (10, 18),
        (15, 9),
        (50, 3),
    )
    tiles: tuple[tuple[Tile, int], ...] = ((2, 50), (3, 25), (5, 10), ("diamond", 15))
    #: The weight of each prize above the table.
    diamonds: tuple[tuple[DiamondPrize, int], ...] = (("mini", 70), ("minor", 24), ("major", 5), ("grand", 1))
    #: What each prize above the table pays, in multiples of the stake (LNK-23).
    pays: tuple[tuple[DiamondPrize, int], ...] = (
        ("mini", 20),
        ("minor", 100),
        ("major", 500),
        ("grand", 2000),
    )
    link: BonusTable = BonusTable(columns=6, start=3)
    mega_link: BonusTable = BonusTable(columns=12, start=6)
    #: Spins given at the start and again after each new prize (LNK-26, LNK-27).
    spins: int = 3

    def __post_init__(self) -> None:
        if self.spins < 1:
            raise ValueError(f"bonus spins {self.spins}: give at least 1")
        if not any(prize for prize, _ in self.cells):
            raise ValueError("bonus cells have no prize: name at least one beside the blank")
        unpaid = {prize for prize, _ in self.diamonds} - {prize for prize, _ in self.pays}
        if unpaid:
            raise ValueError(
                f"bonus diamonds draw {', '.join(sorted(unpaid))}, which pays nothing: add it to pays"
            )
        for name in ("wheel", "cells", "tiles", "diamonds"):
            weighted = getattr(self, name)
            if not weighted:
                raise ValueError(f"bonus {name} has no outcomes: name at least one with its weight")
            for outcome, weight in weighted:
                if type(weight) is not int or weight <= 0:
                    raise ValueError(
                        f"bonus weight of {outcome!r} in {name} is {weight!r}: weights are whole numbers above 0"
                    )

    def table(self, feature: Feature) -> BonusTable:
        """The table a wheel section opens."""
        return self.link if feature == "link" else self.mega_link

    def range(self, feature: Feature) -> tuple[int, int]:
        """The least and the most a bonus table pays, in multiples of the stake (LNK-30).

        The least: no spin locks anything. The most: every cell holds the highest prize, every tile is the best.

        >>> Bonus().range("link"), Bonus().range("mega-link")
        ((3, 6900), (6, 13800))
        """
        table, pays = self.table(feature), dict(self.pays)
        prizes = [prize for prize, _ in self.cells if prize]
        block = BLOCK * max(prizes)
        diamond = max(pays[prize] for prize, _ in self.diamonds)
        most = max(block + diamond if tile == "diamond" else block * tile for tile, _ in self.tiles)
        return table.start * min(prizes), table.blocks * most
