"""The Link bonus of one hand, and its handlers: the wheel, then perhaps a Link or Mega Link table (LNK-20..30).

Every outcome is drawn before its event is emitted (LNK-32).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Literal, TypeVar

from sabot.engine import events
from sabot.engine.commands import Continue, Effect, Spin
from sabot.engine.events import Event
from sabot.engine.inputs import Draw
from sabot.errors import Refusal
from sabot.games.bonus import BLOCK, Bonus, Feature, Tile

if TYPE_CHECKING:
    from sabot.engine.round import Round

Stage = Literal["wheel", "intro", "table", "over"]
T = TypeVar("T")


def pick(weighted: Sequence[tuple[T, int]], draw: Draw) -> T:
    """One of the outcomes, by weight.

    >>> pick([("a", 2), ("b", 1)], lambda n: n - 1)
    'b'
    """
    at = draw(sum(weight for _, weight in weighted))
    for outcome, weight in weighted:
        if at < weight:
            return outcome
        at -= weight
    raise ValueError("a draw must be below the sum of the weights")


class BonusGame:
    """The bonus of one hand, from the wheel to its payment."""

    def __init__(self, bonus: Bonus, spot: int, draw: Draw, emit: Callable[[Event], None]) -> None:
        self._bonus = bonus
        self._draw = draw
        self._emit = emit
        self.spot = spot
        self.stage: Stage = "wheel"
        self.feature: Feature | None = None
        self.tiles: tuple[Tile, ...] = ()
        #: Locked cells with their prizes.
        self.cells: dict[int, int] = {}
        self.spins = 0
        #: The payment of the bonus to 1, once it is over.
        self.pays = 0
        emit(events.BonusStarted(spot))

    def spin(self) -> None:
        """GIRA: the wheel at first, then the empty cells of the table."""
        if self.stage == "wheel":
            self._spin_wheel()
        else:
            self._spin_cells()

    def proceed(self) -> None:
        """CONTINUA: leave the intro screen."""
        self.stage = "table"
        self._emit(events.TableEntered(self.spot))

    def _spin_wheel(self) -> None:
        section = pick(self._bonus.wheel, self._draw)
        self._emit(events.WheelStopped(self.spot, section))
        if isinstance(section, int):
            self._finish(section)
        else:
            self._open(section)

    def _open(self, feature: Feature) -> None:
        """Draw the tiles, and the first prizes on random cells (LNK-25, LNK-26)."""
        bonus, draw, table = self._bonus, self._draw, self._bonus.table(feature)
        self.feature = feature
        self.tiles = tuple(pick(bonus.tiles, draw) for _ in range(table.blocks))
        prizes = [(prize, weight) for prize, weight in bonus.cells if prize]
        empty = list(range(table.cells))
        for _ in range(table.start):
            cell = empty.pop(draw(len(empty)))
            self.cells[cell] = pick(prizes, draw)
        self.spins = bonus.spins
        self.stage = "intro"
        self._emit(
            events.TableOpened(self.spot, feature, self.tiles, tuple(sorted(self.cells.items())), self.spins)
        )

    def _spin_cells(self) -> None:
        """Spin every empty cell; a new prize resets the spins (LNK-27, LNK-28)."""
        bonus = self._bonus
        turned = [(cell, pick(bonus.cells, self._draw)) for cell in self._empty()]
        locked = tuple((cell, prize) for cell, prize in turned if prize)
        self.cells.update(locked)
        self.spins = bonus.spins if locked else self.spins - 1
        self._emit(events.CellsLocked(self.spot, locked, self.spins))
        if self.spins == 0 or not self._empty():
            self._finish(self._table_pays())

    def _empty(self) -> list[int]:
        size = len(self.tiles) * BLOCK
        return [cell for cell in range(size) if cell not in self.cells]

    def _table_pays(self) -> int:
        """Sum the prizes of blocks; a full block has its tile's extra (LNK-29)."""
        total = 0
        for block, tile in enumerate(self.tiles):
            cells = range(block * BLOCK, (block + 1) * BLOCK)
            prizes = [self.cells[cell] for cell in cells if cell in self.cells]
            if len(prizes) < BLOCK:
                total += sum(prizes)
            elif tile == "diamond":
                total += sum(prizes) + self._diamond(block)
            else:
                total += sum(prizes) * tile
        return total

    def _diamond(self, block: int) -> int:
        prize = pick(self._bonus.diamonds, self._draw)
        pays = dict(self._bonus.pays)[prize]
        self._emit(events.DiamondWon(self.spot, block, prize, pays))
        return pays

    def _finish(self, pays: int) -> None:
        self.pays = pays
        self.stage = "over"
        self._emit(events.BonusEnded(self.spot, pays))


def spin(round: Round, command: Spin) -> Effect:
    """GIRA: the wheel, or the empty cells of the table (LNK-21, LNK-27)."""
    bonus = check_bonus(round, command.spot)
    if bonus.stage == "intro":
        raise Refusal("bonus/press-continue")

    def effect() -> None:
        bonus.spin()
        if bonus.stage == "over":
            round.end_bonus(bonus)

    return effect


def proceed(round: Round, command: Continue) -> Effect:
    """CONTINUA: from the intro screen to the table (LNK-26)."""
    bonus = check_bonus(round, command.spot)
    if bonus.stage != "intro":
        raise Refusal("bonus/press-spin")
    return bonus.proceed


def check_bonus(round: Round, spot: int) -> BonusGame:
    """The bonus being played on the spot."""
    if round.bonus is None or round.bonus.spot != spot:
        raise Refusal("bonus/none", spot=spot)
    return round.bonus
