"""The LINK bonus (LNK-20..37, RET-09)."""

from __future__ import annotations

from tests.oracle.settle import credit_line
from tests.oracle.state import Bonus, Disagreement, LineKey, Table

WHEEL = ["X5", "X10", "X15", "X25", "X50", "LINK", "MEGA LINK"]
WHEEL_WEIGHTS = [350, 260, 160, 80, 25, 90, 35]
CASH = {"X5": 5, "X10": 10, "X15": 15, "X25": 25, "X50": 50}
TILES = ["X2", "X3", "X5", "diamond"]
TILE_WEIGHTS = [50, 25, 10, 15]
MULTIPLIER = {"X2": 2, "X3": 3, "X5": 5}
BLANK_WEIGHT = 4700
PRIZES = [1, 2, 3, 4, 5, 10, 15, 50]
PRIZE_WEIGHTS = [100, 70, 45, 30, 25, 18, 9, 3]
DIAMOND_PRIZES = [20, 100, 500, 2000]  # MINI MINOR MAJOR GRAND
DIAMOND_WEIGHTS = [70, 24, 5, 1]


def spin(table: Table, number: int) -> None:
    """GIRA: the wheel first, the empty cells later."""
    bonus = table.bonuses[number]
    if bonus.stage == "wheel":
        spin_wheel(table, number, bonus)
    elif bonus.stage == "table":
        spin_cells(table, number, bonus)
    else:
        raise Disagreement(f"the bonus of spot {number} is at its {bonus.stage}, not at a spin")


def go_on_to_table(table: Table, number: int) -> None:
    """CONTINUA."""
    if table.bonuses[number].stage != "intro":
        raise Disagreement(f"the bonus of spot {number} shows no intro")
    table.bonuses[number].stage = "table"


def spin_wheel(table: Table, number: int, bonus: Bonus) -> None:
    section = WHEEL[table.pick(WHEEL_WEIGHTS)]
    if section in CASH:
        end(table, number, bonus, CASH[section])
        return
    blocks = 3 if section == "LINK" else 6
    bonus.stage = "intro"
    bonus.size = 6 * blocks
    bonus.spins = 3
    bonus.tiles = [TILES[table.pick(TILE_WEIGHTS)] for _ in range(blocks)]
    for _ in range(blocks):  # as many starting prizes as tiles (LNK-26)
        cell = empty_cells(bonus)[table.draw(len(empty_cells(bonus)))]
        bonus.cells[cell] = PRIZES[table.pick(PRIZE_WEIGHTS)]


def empty_cells(bonus: Bonus) -> list[int]:
    return [cell for cell in range(bonus.size) if cell not in bonus.cells]


def spin_cells(table: Table, number: int, bonus: Bonus) -> None:
    bonus.spins -= 1
    for cell in empty_cells(bonus):
        shown = table.pick([BLANK_WEIGHT, *PRIZE_WEIGHTS])
        if shown > 0:
            bonus.cells[cell] = PRIZES[shown - 1]
            bonus.spins = 3
    if bonus.spins == 0 or not empty_cells(bonus):
        end(table, number, bonus, table_pays(table, bonus))


def table_pays(table: Table, bonus: Bonus) -> int:
    """LNK-29: block by block."""
    pays = 0
    for block, tile in enumerate(bonus.tiles):
        prizes = [bonus.cells[cell] for cell in range(6 * block, 6 * block + 6) if cell in bonus.cells]
        if len(prizes) < 6:
            pays += sum(prizes)
        elif tile == "diamond":
            pays += sum(prizes) + DIAMOND_PRIZES[table.pick(DIAMOND_WEIGHTS)]
        else:
            pays += sum(prizes) * MULTIPLIER[tile]
    return pays


def end(table: Table, number: int, bonus: Bonus, pays: int) -> None:
    """LNK-36: credited at once, the LINK stake too."""
    bonus.stage = "over"
    key: LineKey = next(key for key in table.stakes if key[1] == number and key[3] == "link")
    stake = table.stakes[key]
    credit_line(table, key, stake.own * (1 + pays), [])
