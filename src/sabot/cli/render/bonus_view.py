"""The Link bonus at a terminal: the wheel as a strip, the table with its tiles (LNK-21..29)."""

from collections.abc import Mapping

from rich.text import Text

from sabot.cli.render.layout import Faces
from sabot.engine.events import AnyEvent, BonusEnded, CellsLocked, DiamondWon, TableOpened, WheelStopped
from sabot.engine.handlers.bonus import BonusGame
from sabot.games.bonus import BLOCK, ROWS, Bonus, Section, Tile
from sabot.texts import Catalogue

_CELL = 5
_COLUMNS_OF_A_BLOCK = BLOCK // ROWS


class BonusRenderer:
    """Draws the bonus of one game in one language."""

    def __init__(self, catalogue: Catalogue, faces: Faces, bonus: Bonus) -> None:
        self._catalogue = catalogue
        self._faces = faces
        self._bonus = bonus

    def section(self, section: Section) -> str:
        """A wheel section's name."""
        return f"X{section}" if isinstance(section, int) else self._catalogue.text(f"bonus.{section}")

    def wheel(self, stopped: Section | None = None) -> Text:
        """The sections in a strip, with a pointer below the one that came."""
        strip, below = Text("  "), "  "
        for section, _ in self._bonus.wheel:
            name = f" {self.section(section)} "
            here = section == stopped
            strip.append(name, "bold reverse green" if here else "bold" if stopped is None else "dim").append(
                " "
            )
            below += (self._faces.pointer if here else "").center(len(name)) + " "
        return strip if stopped is None else strip.append(f"\n{below.rstrip()}", "bold green")

    def table(
        self, tiles: tuple[Tile, ...], cells: Mapping[int, int], new: Mapping[int, int] | None = None
    ) -> Text:
        """Prizes, three rows of cells and tiles; new prizes are highlighted."""
        text = Text("  ")
        for prize, pays in reversed(self._bonus.pays):
            text.append(f"{prize.upper()} X{pays}   ", "bold magenta")
        for row in range(ROWS):
            text.append("\n  ")
            for block in range(len(tiles)):
                for column in range(_COLUMNS_OF_A_BLOCK):
                    cell = block * BLOCK + column * ROWS + row
                    text.append(*self._cell(cell, cells, new or {}))
                text.append(" | " if block < len(tiles) - 1 else "", "dim")
        text.append("\n  ")
        width = _CELL * _COLUMNS_OF_A_BLOCK
        for block, tile in enumerate(tiles):
            full = all(block * BLOCK + at in cells for at in range(BLOCK))
            name = self._faces.diamond if tile == "diamond" else f"X{tile}"
            text.append(name.center(width), "bold reverse" if full else "bold cyan")
            text.append(" | " if block < len(tiles) - 1 else "", "dim")
        return text

    def _cell(self, cell: int, cells: Mapping[int, int], new: Mapping[int, int]) -> tuple[str, str]:
        if cell not in cells:
            return f"{self._faces.blank} ".rjust(_CELL), "dim"
        if cell in new:
            return f"+{cells[cell]}X".rjust(_CELL), "bold green"
        return f"{cells[cell]}X".rjust(_CELL), "bold yellow"

    def event(self, event: AnyEvent, game: BonusGame, stake: int) -> Text | None:
        """The view of a bonus event, if it has one."""
        say = self._catalogue.text
        match event:
            case WheelStopped(section=section):
                line = say("bonus.wheel", section=self.section(section))
                return Text.assemble(self.wheel(section), "\n", (line, "bold"))
            case TableOpened(feature=feature):
                opened = say("bonus.opened", feature=say(f"bonus.{feature}"))
                spins = say("bonus.spins", spins=game.spins)
                return Text.assemble(
                    (opened, "bold"), "\n\n", self.table(game.tiles, game.cells), f"\n{spins}"
                )
            case CellsLocked(cells=cells, spins=spins):
                new = dict(cells)
                key = "bonus.locked" if new else "bonus.nothing"
                line = say(key, count=len(new), spins=spins)
                return Text.assemble(self.table(game.tiles, game.cells, new), f"\n{line}")
            case DiamondWon(block=block, prize=prize, pays=pays):
                line = say("bonus.diamond", block=block + 1, prize=prize.upper(), pays=pays)
                return Text(line, "bold magenta")
            case BonusEnded(pays=pays):
                return Text(say("bonus.ended", pays=pays, won=stake * pays, stake=stake), "bold green")
        return None
