"""The Link bonus: wheel, tables, payment (LNK-21..34).

Chance is a list of numbers. The weights of RET-09 are written down here again, so that a number can be named by the
outcome it stands for. Cell c is in column c // 3; tile b owns the columns 2b and 2b + 1, that is the cells 6b to 6b + 5.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from random import Random

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import PlaceBets, Spin
from sabot.engine.events import (
    BonusEnded,
    BonusStarted,
    CellsLocked,
    DiamondWon,
    Event,
    HoleShown,
    PlayerPaid,
    TableEntered,
    TableOpened,
    WheelStopped,
)
from sabot.engine.handlers.bonus import BonusGame
from sabot.errors import Refusal
from sabot.games import find
from sabot.games.bonus import Bonus
from tests.support.table import Draws, Table, cards_of

Outcome = int | str
# RET-09
WHEEL: dict[Outcome, int] = {5: 350, 10: 260, 15: 160, 25: 80, 50: 25, "link": 90, "mega-link": 35}
CELLS: dict[Outcome, int] = {0: 4700, 1: 100, 2: 70, 3: 45, 4: 30, 5: 25, 10: 18, 15: 9, 50: 3}
START: dict[Outcome, int] = {prize: weight for prize, weight in CELLS.items() if prize}
TILES: dict[Outcome, int] = {2: 50, 3: 25, 5: 10, "diamond": 15}
DIAMONDS: dict[Outcome, int] = {"mini": 70, "minor": 24, "major": 5, "grand": 1}
PRIZES = {"mini": 20, "minor": 100, "major": 500, "grand": 2000}  # LNK-23

#: Blocks of a table, with its cells and starting prizes (LNK-23, LNK-24, LNK-26).
BLOCKS = {"link": 3, "mega-link": 6}
#: Where the first prizes stand unless a test says otherwise: in no block six.
FIRST = {"link": (0, 1, 2), "mega-link": (0, 6, 12, 18, 24, 30)}
features = pytest.mark.parametrize("feature", ["link", "mega-link"])


def number(weights: dict[Outcome, int], outcome: Outcome) -> int:
    """The first number that stands for an outcome."""
    names = list(weights)
    return sum(list(weights.values())[: names.index(outcome)])


def opening(
    feature: str, tiles: Sequence[Outcome], cells: Sequence[int] = (), prizes: Sequence[int] = ()
) -> list[int]:
    """The wheel stops on a table; its tiles; its first prizes, 1X each unless told otherwise."""
    blocks = BLOCKS[feature]
    assert len(tiles) == blocks
    cells = cells or FIRST[feature]
    prizes = prizes or [1] * blocks
    draws = [number(WHEEL, feature), *(number(TILES, tile) for tile in tiles)]
    empty = list(range(6 * blocks))
    for cell, prize in zip(cells, prizes, strict=True):
        draws += [empty.index(cell), number(START, prize)]
        empty.remove(cell)
    return draws


def turn(taken: Sequence[int], size: int, new: dict[int, int] | None = None) -> list[int]:
    """One spin: what every cell that is not taken shows, blanks but for the new ones."""
    new = new or {}
    assert not set(taken) & set(new)
    return [number(CELLS, new.get(cell, 0)) for cell in range(size) if cell not in taken]


class Bench:
    """A bonus alone, without a round around it."""

    def __init__(self, draws: Sequence[int] | Callable[[int], int], bonus: Bonus | None = None) -> None:
        self.log: list[Event] = []
        draw = draws if callable(draws) else Draws(list(draws))
        self.game = BonusGame(bonus or Bonus(), 0, draw, self.log.append)

    def play(self) -> Bench:
        """Spin and continue to the end."""
        while self.game.stage != "over":
            if self.game.stage == "intro":
                self.game.proceed()
            else:
                self.game.spin()
        return self


def blackjack(draws: Sequence[int], *commands: str, link: int = 200) -> Table:
    """A blackjack with a LINK bet of 2.00 and a main bet of 10.00; 9 and 8 for the dealer."""
    table = Table("link", "A 9 K 8", draws=draws, purse=100_000)
    return table.bet((0, "main", 1000), (0, "link", link)).deal(*commands)


def full(feature: str, tiles: Sequence[Outcome], prize: int, diamonds: Sequence[str] = ()) -> list[int]:
    """Every cell locks the same prize at the first spin; then a prize for each diamond."""
    blocks = BLOCKS[feature]
    size = 6 * blocks
    rest = dict.fromkeys(set(range(size)).difference(FIRST[feature]), prize)
    start = opening(feature, tiles, prizes=[prize] * blocks)
    return [*start, *turn(FIRST[feature], size, rest), *(number(DIAMONDS, name) for name in diamonds)]


# LNK-21, LNK-22: the wheel

SPANS = [
    (5, 0, 349),
    (10, 350, 609),
    (15, 610, 769),
    (25, 770, 849),
    (50, 850, 874),
    ("link", 875, 964),
    ("mega-link", 965, 999),
]


@pytest.mark.rule("LNK-21")
@pytest.mark.parametrize(("section", "first", "last"), SPANS)
def test_the_sections_of_the_wheel(section: Outcome, first: int, last: int) -> None:
    for value in (first, last):
        draws = [value, *[0] * 12, *[0] * 12]
        table = blackjack(draws)
        assert table.legal() == {"0 spin"}
        table.do("0 spin")
        assert [event.section for event in table.all(WheelStopped)] == [section]


@pytest.mark.rule("LNK-21")
def test_the_wheel_has_these_sections_and_no_other() -> None:
    assert {section for section, _ in Bonus().wheel} == set(WHEEL)


@pytest.mark.rule("LNK-21")
def test_the_wheel_is_spun_once() -> None:
    table = blackjack([0], "0 spin")
    assert table.round.phase == "settled"
    with pytest.raises(Refusal):
        table.do("0 spin")
    assert len(table.all(WheelStopped)) == 1


@pytest.mark.rule("LNK-22")
@pytest.mark.parametrize("multiplier", [5, 10, 15, 25, 50])
@pytest.mark.parametrize("stake", [100, 200, 333, 10_000])
def test_a_cash_section_pays_its_multiplier_and_the_stake(multiplier: int, stake: int) -> None:
    table = blackjack([number(WHEEL, multiplier)], "0 spin", link=stake)
    assert table.paid("link") == stake * multiplier + stake
    assert table.net() == stake * multiplier + 1500
    assert table.all(BonusEnded) == [BonusEnded(0, multiplier)]
    assert table.all(TableOpened) == []


@pytest.mark.rule("LNK-22")
def test_after_a_cash_section_the_next_hand_plays() -> None:
    table = Table("link", "A 10 9 K 9 8", draws=[number(WHEEL, 25)])
    table.bet((0, "main", 1000), (0, "link", 200), (1, "main", 1000)).deal("0 spin")
    assert (table.round.phase, table.round.turn) == ("decisions", (1, 0))
    assert table.round.bonus is None


# LNK-23..26: the tables


@pytest.mark.rule("LNK-23", "LNK-24")
@pytest.mark.parametrize(
    ("feature", "cells", "columns", "tiles", "start"), [("link", 18, 6, 3, 3), ("mega-link", 36, 12, 6, 6)]
)
def test_the_shape_of_the_tables(feature: str, cells: int, columns: int, tiles: int, start: int) -> None:
    table = blackjack(opening(feature, [2] * tiles), "0 spin")
    opened = table.all(TableOpened)
    assert [(event.feature, len(event.tiles), len(event.cells)) for event in opened] == [
        (feature, tiles, start)
    ]
    shape = Bonus().table("link" if feature == "link" else "mega-link")
    assert (shape.cells, shape.columns, shape.blocks) == (cells, columns, tiles)
    # A spin turns every cell but the ones locked: that many draws are taken.
    table.draws.values += [0] * (cells - start)
    table.do("0 continue", "0 spin")
    assert table.draws.values == []


@pytest.mark.rule("LNK-23", "LNK-24")
@features
@pytest.mark.parametrize(("name", "pays"), PRIZES.items())
def test_the_four_prizes(feature: str, name: str, pays: int) -> None:
    blocks = BLOCKS[feature]
    bench = Bench(full(feature, ["diamond", *[2] * (blocks - 1)], 1, [name])).play()
    won = [event for event in bench.log if isinstance(event, DiamondWon)]
    assert won == [DiamondWon(0, 0, name, pays)]  # type: ignore[arg-type]
    # Block 0: 6 + the prize; the others 6 x 2.
    assert bench.game.pays == 6 + pays + 12 * (blocks - 1)


@pytest.mark.rule("LNK-25")
@pytest.mark.parametrize("tiles", list(product(TILES, repeat=3)))
def test_tiles_are_drawn_one_by_one_and_shown_from_the_start(tiles: tuple[Outcome, ...]) -> None:
    table = blackjack(opening("link", tiles), "0 spin")
    assert [event.tiles for event in table.all(TableOpened)] == [tiles]
    assert table.all(TableEntered) == []  # before CONTINUA


@pytest.mark.rule("LNK-25")
def test_the_six_tiles_of_mega_link() -> None:
    tiles = ("diamond", 5, 3, 2, "diamond", 3)
    table = blackjack(opening("mega-link", tiles), "0 spin")
    assert [event.tiles for event in table.all(TableOpened)] == [tiles]


@pytest.mark.rule("LNK-25")
def test_tiles_do_not_change() -> None:
    draws = opening("link", [2, 5, "diamond"]) + turn(range(3), 18, {7: 2}) + turn([0, 1, 2, 7], 18)
    table = blackjack(draws, "0 spin", "0 continue", "0 spin", "0 spin")
    assert table.round.bonus is not None
    assert table.round.bonus.tiles == (2, 5, "diamond")


@pytest.mark.rule("LNK-26")
@features
def test_starting_prizes_three_spins_and_continua(feature: str) -> None:
    blocks = BLOCKS[feature]
    cells, prizes = [6 * blocks - 1, 0, 4, 9, 3, 17][:blocks], [50, 1, 15, 2, 10, 4][:blocks]
    table = blackjack(opening(feature, [2] * blocks, cells, prizes), "0 spin")
    opened = table.all(TableOpened)[0]
    assert dict(opened.cells) == dict(zip(cells, prizes, strict=True))
    assert opened.spins == 3
    # Play starts with a press on CONTINUA, not before, and only once.
    assert table.legal() == {"0 continue"}
    with pytest.raises(Refusal) as refusal:
        table.do("0 spin")
    assert refusal.value.code == "bonus/press-continue"
    table.do("0 continue")
    assert table.legal() == {"0 spin"}
    with pytest.raises(Refusal) as refusal:
        table.do("0 continue")
    assert refusal.value.code == "bonus/press-spin"


@pytest.mark.rule("LNK-26")
def test_no_continua_before_the_wheel() -> None:
    with pytest.raises(Refusal) as refusal:
        blackjack([0], "0 continue")
    assert refusal.value.code == "bonus/press-spin"


@pytest.mark.rule("LNK-26")
def test_starting_cells_are_different_and_equally_likely() -> None:
    """Over all 18 x 17 x 16 draws every cell has a prize equally often, and always three cells have one."""
    wheel, tiles = [number(WHEEL, "link")], [0, 0, 0]
    counts: Counter[int] = Counter()
    for first, second, third in product(range(18), range(17), range(16)):
        bench = Bench([*wheel, *tiles, first, 0, second, 0, third, 0])
        bench.game.spin()
        assert len(bench.game.cells) == 3
        counts.update(bench.game.cells)
    assert counts == dict.fromkeys(range(18), 18 * 17 * 16 * 3 // 18)


# LNK-27, LNK-28: spins


@pytest.mark.rule("LNK-27", "LNK-28")
@features
def test_without_a_new_prize_three_spins_are_all(feature: str) -> None:
    blocks = BLOCKS[feature]
    size = 6 * blocks
    draws = opening(feature, [5] * blocks) + 3 * turn(FIRST[feature], size)
    table = blackjack(draws, "0 spin", "0 continue")
    left = []
    for _ in range(3):
        assert table.legal() == {"0 spin"}
        table.do("0 spin")
        left.append(table.all(CellsLocked)[-1].spins)
    assert left == [2, 1, 0]
    assert table.round.phase == "settled"
    assert table.paid("link") == 200 * (1 + blocks)


@pytest.mark.rule("LNK-27")
@pytest.mark.parametrize("blanks", [0, 1, 2])
def test_a_new_prize_gives_the_spins_back(blanks: int) -> None:
    draws = opening("link", [2, 2, 2]) + blanks * turn(range(3), 18) + turn(range(3), 18, {9: 4})
    draws += 3 * turn([0, 1, 2, 9], 18)
    table = blackjack(draws, "0 spin", "0 continue", *["0 spin"] * blanks)
    assert table.round.bonus is not None
    assert table.round.bonus.spins == 3 - blanks
    table.do("0 spin")
    assert table.all(CellsLocked)[-1] == CellsLocked(0, ((9, 4),), 3)
    table.do("0 spin", "0 spin")
    assert table.round.phase == "bonus"
    table.do("0 spin")
    # 1 + 1 + 1 + 4, and the stake
    assert (table.round.phase, table.paid("link")) == ("settled", 200 * 8)


@pytest.mark.rule("LNK-27")
def test_several_new_prizes_still_make_three_spins() -> None:
    draws = opening("link", [2, 2, 2]) + turn(range(3), 18, {3: 1, 9: 2, 17: 3})
    table = blackjack(draws, "0 spin", "0 continue", "0 spin")
    assert table.all(CellsLocked) == [CellsLocked(0, ((3, 1), (9, 2), (17, 3)), 3)]


@pytest.mark.rule("LNK-27")
@pytest.mark.parametrize("prize", [1, 2, 3, 4, 5, 10, 15, 50])
def test_what_a_cell_may_show(prize: int) -> None:
    draws = opening("link", [2, 2, 2]) + turn(range(3), 18, {17: prize}) + 3 * turn([0, 1, 2, 17], 18)
    table = blackjack(draws, "0 spin", "0 continue", *["0 spin"] * 4)
    assert table.paid("link") == 200 * (1 + 3 + prize)


@pytest.mark.rule("LNK-27")
def test_a_locked_cell_turns_no_more() -> None:
    """Its prize stays, and later spins take a draw for the empty cells alone."""
    taken: list[int] = [0, 1, 2]
    draws = opening("link", [2, 2, 2])
    for cell in range(17, 12, -1):
        draws += turn(taken, 18, {cell: cell - 12 if cell < 17 else 10})
        taken.append(cell)
    table = blackjack(draws, "0 spin", "0 continue", *["0 spin"] * 5)
    bonus = table.round.bonus
    assert bonus is not None
    assert bonus.cells == {0: 1, 1: 1, 2: 1, 17: 10, 16: 4, 15: 3, 14: 2, 13: 1}
    assert table.draws.values == []


@pytest.mark.rule("LNK-28")
@features
def test_a_full_table_ends_the_bonus_with_spins_left(feature: str) -> None:
    blocks = BLOCKS[feature]
    table = blackjack(full(feature, [3] * blocks, 2), "0 spin", "0 continue", "0 spin")
    assert table.all(CellsLocked)[-1].spins == 3
    assert table.round.phase == "settled"
    # Every block: 6 x 2 x 3 = 36.
    assert table.all(BonusEnded) == [BonusEnded(0, 36 * blocks)]


@pytest.mark.rule("LNK-28")
def test_one_empty_cell_keeps_it_going() -> None:
    all_but_one = dict.fromkeys(range(3, 17), 1)
    draws = opening("link", [2, 2, 2]) + turn(range(3), 18, all_but_one) + turn(range(17), 18, {17: 1})
    table = blackjack(draws, "0 spin", "0 continue", "0 spin")
    assert table.round.phase == "bonus"
    table.do("0 spin")
    assert table.all(BonusEnded) == [BonusEnded(0, 36)]


# LNK-29: payment


def pays(feature: str, tiles: Sequence[Outcome], locked: dict[int, int], diamonds: Sequence[str] = ()) -> int:
    """What a table pays on which exactly these cells are locked: the first of them at the start, the others by a spin."""
    blocks = BLOCKS[feature]
    size = 6 * blocks
    first = list(locked)[:blocks]
    draws = opening(feature, tiles, first, [locked[cell] for cell in first])
    if later := {cell: prize for cell, prize in locked.items() if cell not in first}:
        draws += turn(first, size, later)
    if len(locked) < size:
        draws += 3 * turn(list(locked), size)
    draws += [number(DIAMONDS, name) for name in diamonds]
    script = Draws(draws)
    bench = Bench(script).play()
    assert script.values == []
    return bench.game.pays


def block(at: int, *prizes: int) -> dict[int, int]:
    """Prizes on the cells of a block."""
    return {6 * at + place: prize for place, prize in enumerate(prizes)}


@pytest.mark.rule("LNK-29")
@pytest.mark.parametrize(
    ("tiles", "locked", "diamonds", "expected"),
    [
        ((2, 3, 5), block(0, 1, 2, 3), [], 6),
        # five of six over X5, and over a diamond: as they stand, and no prize is drawn
        ((5, 2, 2), block(0, 50, 50, 50, 50, 50), [], 250),
        (("diamond", 2, 2), block(0, 50, 50, 50, 50, 50), [], 250),
        # six over each tile
        ((2, 3, 5), block(0, 1, 2, 3, 4, 5, 10), [], 25 * 2),
        ((2, 3, 5), block(1, 1, 2, 3, 4, 5, 10), [], 25 * 3),
        ((2, 3, 5), block(2, 1, 2, 3, 4, 5, 10), [], 25 * 5),
        (("diamond", 3, 5), block(0, 1, 2, 3, 4, 5, 10), ["mini"], 25 + 20),
        ((2, "diamond", 5), block(1, 1, 2, 3, 4, 5, 10), ["minor"], 25 + 100),
        ((2, 3, "diamond"), block(2, 1, 2, 3, 4, 5, 10), ["major"], 25 + 500),
        (("diamond", 3, 5), block(0, 1, 2, 3, 4, 5, 10), ["grand"], 25 + 2000),
        # six cells of two different blocks fill none
        ((5, 5, 5), block(0, 1, 1, 1) | {6 + 3: 1, 6 + 4: 1, 6 + 5: 1}, [], 6),
        # the last cell of one block and five of the next are no block
        ((5, 5, 5), {5: 2} | block(1, 2, 2, 2, 2, 2), [], 12),
        # a full multiplier, a full diamond, and a part: 6 x 2 x 3, 6 + 20, 15
        (
            (3, "diamond", 2),
            block(0, *[2] * 6) | block(1, *[1] * 6) | block(2, 5, 10),
            ["mini"],
            36 + 26 + 15,
        ),
        # two diamonds with the same prize, and with two
        (("diamond", 2, "diamond"), block(0, *[1] * 6) | block(2, *[1] * 6), ["major", "major"], 1012),
        (("diamond", 2, "diamond"), block(0, *[1] * 6) | block(2, *[1] * 6), ["grand", "mini"], 2032),
        # two diamonds, one of them not full: one prize
        (("diamond", "diamond", 2), block(0, *[1] * 6) | block(1, *[1] * 5), ["minor"], 111),
        # everything full over X5: 18 x 50 x 5
        ((5, 5, 5), block(0, *[50] * 6) | block(1, *[50] * 6) | block(2, *[50] * 6), [], 4500),
    ],
)
def test_what_a_link_table_pays(
    tiles: tuple[Outcome, ...], locked: dict[int, int], diamonds: list[str], expected: int
) -> None:
    assert pays("link", tiles, locked, diamonds) == expected


@pytest.mark.rule("LNK-29")
def test_what_a_mega_link_table_pays() -> None:
    # X2 full of 1s, X3 with five, X5 full of 3s, a full diamond (grand), an empty block over a diamond, one 50 over X5.
    tiles: tuple[Outcome, ...] = (2, 3, 5, "diamond", "diamond", 5)
    locked = block(0, *[1] * 6) | block(1, *[2] * 5) | block(2, *[3] * 6) | block(3, *[4] * 6) | block(5, 50)
    assert pays("mega-link", tiles, locked, ["grand"]) == 12 + 10 + 90 + (24 + 2000) + 0 + 50


@pytest.mark.rule("LNK-29")
def test_a_block_is_two_columns_of_three() -> None:
    """Filling any six cells pays a tile's multiplier only if they are its own two columns."""
    for columns in product(range(6), repeat=2):
        if columns[0] >= columns[1]:
            continue
        locked = {3 * column + row: 1 for column in columns for row in range(3)}
        own = columns[0] % 2 == 0 and columns[1] == columns[0] + 1
        assert pays("link", (5, 5, 5), locked) == (30 if own else 6)


@pytest.mark.rule("LNK-29")
def test_diamond_prizes_are_drawn_at_payment_in_order_of_the_blocks() -> None:
    draws = full("link", ["diamond"] * 3, 1, ["mini", "grand", "mini"])
    table = blackjack(draws, "0 spin", "0 continue")
    assert table.all(DiamondWon) == []
    assert len(table.draws.values) == 15 + 3  # the draws of the cells and of the diamonds are still to come
    table.do("0 spin")
    assert [(event.block, event.prize, event.pays) for event in table.all(DiamondWon)] == [
        (0, "mini", 20),
        (1, "grand", 2000),
        (2, "mini", 20),
    ]
    # 18 + 20 + 2000 + 20, on 2.00, and the stake
    assert table.paid("link") == 200 * 2058 + 200


# LNK-30: the bounds


@pytest.mark.rule("LNK-30")
@pytest.mark.parametrize(("feature", "least", "most"), [("link", 3, 6_900), ("mega-link", 6, 13_800)])
def test_the_bounds_are_reached(feature: str, least: int, most: int) -> None:
    blocks = BLOCKS[feature]
    nothing = opening(feature, ["diamond"] * blocks) + 3 * turn(FIRST[feature], 6 * blocks)
    assert Bench(nothing).play().game.pays == least
    # Every cell 50: a block is 300 and GRAND 2000.
    grand = full(feature, ["diamond"] * blocks, 50, ["grand"] * blocks)
    assert Bench(grand).play().game.pays == most
    # A smallest LINK bet of 1.00 through the whole round, its stake back too.
    table = blackjack(grand, "0 spin", "0 continue", "0 spin", link=100)
    assert table.paid("link") == 100 * (most + 1)


def told(log: Sequence[Event]) -> int:
    """What the events say the bonus pays, reckoned anew."""
    tiles: tuple[Outcome, ...] = ()
    cells: dict[int, int] = {}
    diamonds: dict[int, int] = {}
    for event in log:
        match event:
            case WheelStopped(section=int() as section):
                return section
            case TableOpened():
                tiles, cells = event.tiles, dict(event.cells)
            case CellsLocked():
                assert not set(cells) & {cell for cell, _ in event.cells}
                cells.update(event.cells)
            case DiamondWon():
                assert event.pays == PRIZES[event.prize]
                diamonds[event.block] = event.pays
    total = 0
    for at, tile in enumerate(tiles):
        prizes = [prize for cell, prize in cells.items() if cell // 6 == at]
        is_full = len(prizes) == 6
        times = tile if is_full and isinstance(tile, int) else 1
        total += times * sum(prizes) + diamonds.pop(at, 0)
    assert diamonds == {}
    return total


@pytest.mark.rule("LNK-27", "LNK-28", "LNK-29", "LNK-30")
@given(seed=st.integers(0, 2**32), feature=st.sampled_from(["link", "mega-link"]), luck=st.floats(0, 1))
def test_no_play_passes_the_bounds(seed: int, feature: str, luck: float) -> None:
    """Whatever is drawn: within the bounds, as the events tell it, and ended as LNK-28 says."""
    rng = Random(seed)
    wheel = [number(WHEEL, feature)]

    def draw(n: int) -> int:
        if wheel:
            return wheel.pop()
        # Luck is how often a cell shows a prize and a prize is among the greatest.
        return n - 1 - rng.randrange(max(1, n // 17)) if rng.random() < luck else rng.randrange(n)

    bench = Bench(draw).play()
    blocks = BLOCKS[feature]
    assert blocks <= bench.game.pays <= 2300 * blocks
    assert bench.game.pays == told(bench.log)
    spins = [event for event in bench.log if isinstance(event, CellsLocked)]
    for before, after in zip([3, *(event.spins for event in spins)], spins, strict=False):
        assert after.spins == (3 if after.cells else before - 1)
    is_full = len(bench.game.cells) == 6 * blocks
    assert (spins[-1].spins == 0) != is_full
    assert all(event.spins > 0 for event in spins[:-1])
    assert bench.log[-1] == BonusEnded(0, bench.game.pays)


# LNK-31: weights


@pytest.mark.rule("LNK-31", "RET-09")
def test_the_default_weights() -> None:
    bonus = find("link").rules.bonus
    assert bonus is not None
    assert dict(bonus.wheel) == WHEEL
    assert dict(bonus.cells) == CELLS
    assert dict(bonus.tiles) == TILES
    assert dict(bonus.diamonds) == DIAMONDS
    assert dict(bonus.pays) == PRIZES


class Watched:
    """Draws from a list that remember below what each was drawn."""

    def __init__(self, values: Sequence[int]) -> None:
        self.script = Draws(list(values))
        self.bounds: list[int] = []

    def __call__(self, n: int) -> int:
        self.bounds.append(n)
        return self.script(n)


def outcomes_of(
    total: int, before: Sequence[int], after: Sequence[int], shown: Callable[[Bench], Outcome]
) -> Counter[Outcome]:
    """How often each outcome comes over every number of one draw, with fixed draws before and after it."""
    counts: Counter[Outcome] = Counter()
    for value in range(total):
        draws = Watched([*before, value, *after])
        bench = Bench(draws)
        while draws.script.values and bench.game.stage != "over":
            bench.game.proceed() if bench.game.stage == "intro" else bench.game.spin()
        assert draws.bounds[len(before)] == total
        counts[shown(bench)] += 1
    return counts


def section(bench: Bench) -> Outcome:
    """Where the wheel stopped."""
    return next(event.section for event in bench.log if isinstance(event, WheelStopped))


def diamond(bench: Bench) -> Outcome:
    """What a diamond gave."""
    return next(event.prize for event in bench.log if isinstance(event, DiamondWon))


@pytest.mark.rule("LNK-21", "LNK-31")
def test_the_wheel_is_weighted_exactly() -> None:
    counts: Counter[Outcome] = Counter()
    for value in range(1000):
        draws = Watched([value, *[0] * 18])  # a table takes six tiles and six prizes at most
        bench = Bench(draws)
        bench.game.spin()
        assert draws.bounds[0] == 1000
        counts[section(bench)] += 1
    assert counts == WHEEL


@pytest.mark.rule("LNK-25", "LNK-31")
@pytest.mark.parametrize("tile", [0, 1, 2])
def test_every_tile_is_weighted_exactly(tile: int) -> None:
    before = [number(WHEEL, "link"), *[0] * tile]
    counts = outcomes_of(100, before, [0] * (2 - tile + 6), lambda bench: bench.game.tiles[tile])
    assert counts == TILES


@pytest.mark.rule("LNK-26", "LNK-31")
def test_a_starting_prize_is_weighted_exactly_and_never_blank() -> None:
    before = [number(WHEEL, "link"), 0, 0, 0, 0]
    assert outcomes_of(300, before, [0] * 4, lambda bench: bench.game.cells[0]) == START


@pytest.mark.rule("LNK-27", "LNK-31")
def test_a_turning_cell_is_weighted_exactly() -> None:
    before = opening("link", [2, 2, 2])
    counts = outcomes_of(5000, before, [0] * 14, lambda bench: bench.game.cells.get(3, 0))
    assert counts == CELLS


@pytest.mark.rule("LNK-29", "LNK-31")
def test_a_diamond_prize_is_weighted_exactly() -> None:
    before = full("link", [2, "diamond", 2], 1)
    assert outcomes_of(100, before, [], diamond) == DIAMONDS


@pytest.mark.rule("LNK-31")
def test_weights_are_configuration() -> None:
    """Other weights play by themselves: a wheel that only stops on MEGA LINK, tiles that are all diamonds."""
    bonus = replace(Bonus(), wheel=(("mega-link", 7),), tiles=(("diamond", 1),), diamonds=(("major", 3),))
    rules = replace(find("link").rules, bonus=bonus)
    draws = [6, *[0] * 6, *[0, 0] * 6, *[number(CELLS, 1)] * 30, *[2] * 6]
    table = Table("link", "A 9 K 8", rules=rules, draws=draws).bet((0, "main", 1000), (0, "link", 200))
    table.deal("0 spin", "0 continue", "0 spin")
    assert table.paid("link") == 200 * (1 + 36 + 6 * 500)
    assert rules.sha256 != find("link").rules.sha256


@pytest.mark.rule("LNK-31")
@pytest.mark.parametrize("weight", [0, -1, -350])
@pytest.mark.parametrize("name", ["wheel", "cells", "tiles", "diamonds"])
def test_a_weight_of_nothing_is_refused(name: str, weight: int) -> None:
    outcome = getattr(Bonus(), name)[1][0]
    weights = tuple((o, weight if o == outcome else w) for o, w in getattr(Bonus(), name))
    with pytest.raises(
        ValueError, match=f"{outcome!r} in {name} is {weight}: weights are whole numbers above 0"
    ):
        replace(Bonus(), **{name: weights})
    # … and where it stands in a configuration file
    with pytest.raises(msgspec.ValidationError, match="weights are whole numbers above 0"):
        msgspec.convert({name: weights}, Bonus)


@pytest.mark.rule("LNK-31")
@pytest.mark.parametrize("name", ["wheel", "cells", "tiles", "diamonds"])
@pytest.mark.parametrize("weight", [0.5, "350", None, True])
def test_a_weight_that_is_no_whole_number_is_refused(name: str, weight: object) -> None:
    outcome = getattr(Bonus(), name)[0][0]
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: [[outcome, weight]]}, Bonus)


@pytest.mark.rule("LNK-31")
@pytest.mark.parametrize("name", ["wheel", "cells", "tiles", "diamonds"])
def test_an_empty_list_of_weights_is_refused(name: str) -> None:
    """Nothing could be drawn from it: the round would break off at the player's spin."""
    with pytest.raises(ValueError, match=name):
        replace(Bonus(), **{name: ()})


@pytest.mark.rule("LNK-31")
def test_cells_without_a_prize_are_refused() -> None:
    """The prizes at the start are the cells' prizes without the blank: there must be one."""
    with pytest.raises(ValueError, match="cells"):
        replace(Bonus(), cells=((0, 4700),))


@pytest.mark.rule("LNK-31")
@pytest.mark.parametrize(
    ("name", "weights"),
    [
        ("wheel", [["jackpot", 1]]),
        ("tiles", [["star", 1]]),
        ("diamonds", [["mega", 1]]),
        ("cells", [["blank", 1]]),
    ],
)
def test_an_unknown_outcome_is_refused(name: str, weights: object) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({name: weights}, Bonus)


# LNK-32: decided before shown


@pytest.mark.rule("LNK-32")
def test_every_outcome_is_drawn_before_it_is_told() -> None:
    """No number is drawn after the event that shows it, and none is drawn between commands."""
    script = Draws(full("link", ["diamond", 2, 3], 1, ["grand"]))
    log: list[Event] = []
    drawn: list[tuple[int, int]] = []  # how much of the log was told at each draw, and below what

    def draw(n: int) -> int:
        drawn.append((len(log), n))
        return script(n)

    game = BonusGame(Bonus(), 0, draw, log.append)
    assert drawn == []  # nothing before GIRA
    game.spin()
    kinds = [type(event) for event in log]
    assert kinds == [BonusStarted, WheelStopped, TableOpened]
    assert drawn[0] == (1, 1000)  # the wheel, before WheelStopped
    assert {at for at, _ in drawn[1:]} == {2}  # tiles and prizes, before TableOpened
    assert len(drawn) == 1 + 3 + 6
    game.proceed()
    assert len(drawn) == 10  # CONTINUA decides nothing
    game.spin()
    assert {at for at, _ in drawn[10:25]} == {4}  # fifteen cells, before CellsLocked
    assert drawn[25:] == [(5, 100)]  # the diamond, before DiamondWon
    assert [type(event) for event in log[4:]] == [CellsLocked, DiamondWon, BonusEnded]


@pytest.mark.rule("LNK-32")
def test_a_refused_press_draws_nothing() -> None:
    table = blackjack(opening("link", [2, 2, 2]), "0 spin")
    table.draws.values = [0] * 15
    for press in ("0 spin", "1 spin", "1 continue", "0.0 hit"):
        with pytest.raises(Refusal):
            table.do(press)
    table.do("0 continue")
    assert table.round.can(Spin(0))  # asking draws nothing either
    assert table.legal() == {"0 spin"}
    assert len(table.draws.values) == 15


@pytest.mark.rule("LNK-32")
def test_a_spin_chooses_nothing() -> None:
    """The command carries the spot and no more: what comes is in the numbers, whenever it is pressed."""
    assert Spin.__struct_fields__ == ("spot",)


# LNK-33: coming back

STORY = {
    "cash": [number(WHEEL, 15)],
    "link": opening("link", ["diamond", 3, 2], [0, 8, 17], [5, 1, 2])
    + turn([0, 8, 17], 18)
    + turn([0, 8, 17], 18, {1: 1, 2: 2, 3: 3, 4: 4, 5: 5})
    + 3 * turn([0, 1, 2, 3, 4, 5, 8, 17], 18)
    + [number(DIAMONDS, "minor")],
    "mega-link": full("mega-link", ["diamond", 3, 2, 5, "diamond", 2], 2, ["grand", "mini"]),
}


def story(feature: str) -> Round:
    """A round with the bonus between two other hands, ready to be dealt."""
    rules = find("link").rules
    round = Round(
        rules,
        StackedShoe(cards_of("10 A 10 9 8 K 7 8")),
        purses={"ada": 100_000},
        options=find("link").options,
        draw=Draws(list(STORY[feature])),
    )
    bets = ((0, "main", 1000), (1, "main", 1000), (1, "link", 200), (2, "main", 1000))
    round.apply(PlaceBets("ada", tuple(Bet(*bet) for bet in bets)))
    return round


def scene(round: Round) -> tuple[object, ...]:
    """Everything the player comes back to."""
    bonus = round.bonus
    screen = bonus and (bonus.spot, bonus.stage, bonus.feature, bonus.tiles, dict(bonus.cells), bonus.spins)
    return (round.phase, round.turn, screen, round.balance("ada"), round.legal(), tuple(round.log))


@pytest.mark.rule("LNK-33")
@pytest.mark.parametrize("feature", ["cash", "link", "mega-link"])
def test_the_player_comes_back_to_the_very_same_place(feature: str) -> None:
    """After every command the round is rebuilt from its commands, is the same, and ends the same."""
    whole = story(feature)
    scenes = [scene(whole)]
    while not whole.over:
        moves = [
            move for move in whole.legal() if type(move).__name__ in ("Deal", "Stand", "Spin", "Continue")
        ]
        whole.apply(moves[0])
        scenes.append(scene(whole))
    commands = whole.commands[1:]
    assert len(commands) == len(scenes) - 1
    for stop in range(len(commands) + 1):
        again = story(feature)
        for command in commands[:stop]:
            again.apply(command)
        assert scene(again) == scenes[stop]
        for command in commands[stop:]:
            again.apply(command)
        assert scene(again) == scenes[-1]


@pytest.mark.rule("LNK-33")
def test_where_the_player_comes_back_to() -> None:
    """Before the spin to the wheel; after cash to the main game, credited; after LINK to the table."""
    table = Table("link", "10 A 10 9 8 K 7 8", draws=[number(WHEEL, 15)])
    table.bet((0, "main", 1000), (1, "main", 1000), (1, "link", 200), (2, "main", 1000)).deal("0.0 stand")
    assert table.round.bonus is not None
    assert (table.round.bonus.stage, table.legal()) == ("wheel", {"1 spin"})
    table.do("1 spin")
    assert not table.all(HoleShown)
    assert table.legal() == {"2.0 stand", "2.0 hit", "2.0 double"}
    assert table.net() == -3200 + 200 * 16

    table = blackjack(
        opening("link", ["diamond", 3, 2], [4, 8, 17], [5, 1, 2]) + turn([4, 8, 17], 18), "0 spin"
    )
    bonus = table.round.bonus
    assert bonus is not None
    assert (bonus.stage, bonus.tiles, bonus.cells, bonus.spins) == (
        "intro",
        ("diamond", 3, 2),
        {4: 5, 8: 1, 17: 2},
        3,
    )
    table.do("0 continue", "0 spin")
    assert (bonus.stage, bonus.cells, bonus.spins) == ("table", {4: 5, 8: 1, 17: 2}, 2)


# LNK-34: the win shown


@pytest.mark.rule("LNK-34")
def test_the_win_is_told_and_added_to_the_hands_win() -> None:
    # Block 0 is full over a diamond: 5+1+2+3+4+5 = 20 and MINOR 100; 1 and 2 stand in the others: 123:1.
    table = Table("link", "A 9 K 8", draws=STORY["link"]).bet((0, "main", 1000), (0, "link", 200))
    table.deal("0 spin", "0 continue", *["0 spin"] * 5)
    assert table.all(BonusEnded) == [BonusEnded(0, 123)]
    assert (table.paid("link"), table.paid()) == (200 * 124, 2500)
    # Both are lines of spot 0, and the round's sum has both.
    assert table.all(PlayerPaid) == [
        PlayerPaid("ada", 1200, 24_800 + 2500, 100_000 + 24_600 + 1500, golden=False)
    ]
