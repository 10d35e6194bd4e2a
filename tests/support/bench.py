"""A game loop over stacked shoes and typed lines."""

from __future__ import annotations

from io import StringIO

from rich.console import Console

from sabot.cli.play.chance import SeedSource
from sabot.cli.play.game import TerminalGame
from sabot.cli.play.session import PlaySession
from sabot.cli.play.slip import BetSlip
from sabot.cli.play.terminal import Terminal
from sabot.engine import StackedShoe
from sabot.engine.inputs import Chance, Draw
from sabot.games import find
from sabot.texts import Catalogue
from tests.support.table import Draws, cards_of, fixed_price

LOCALES = ("LC_ALL", "LC_MESSAGES", "LANG")


def press(slip: BetSlip, spot: int, kind: str, chip: int) -> None:
    """Add one chip to a bet."""
    slip.place({(spot, kind): chip})


class Stacked(SeedSource):
    """Given shoes, and given draws for the bonus."""

    def __init__(self, game: str, rounds: tuple[str, ...], draw: Draw) -> None:
        super().__init__(find(game).rules, "sabot", "stacked")
        self._rounds = iter(rounds)
        self._draw = draw

    def __call__(self) -> Chance:
        return Chance(StackedShoe(cards_of(next(self._rounds))), self._draw)


class Bench:
    """Plays lines at a game and keeps what was shown."""

    def __init__(
        self,
        game: str,
        *rounds: str,
        lang: str = "en",
        balance: int = 10_000,
        vip: int = 0,
        hands: int = 1,
        draws: list[int] | None = None,
        draw: Draw | None = None,
    ) -> None:
        source = Stacked(game, rounds, draw or Draws(draws or []))
        self.session = PlaySession(find(game), balance=balance, chance=source, vip=vip)
        self.session.price = fixed_price(500_000_000)
        self._file = StringIO()
        console = Console(
            file=self._file,
            width=80,
            markup=False,
            highlight=False,
            emoji=False,
            _environ={"PYTHONUTF8": "1"},
        )
        self._lines: list[str] = []
        terminal = Terminal(self.session, Catalogue(lang), console, self._read)
        self._game = TerminalGame(terminal, source, hands=hands)
        self._console = console

    def _read(self, prompt: str) -> str | None:
        self._console.print(prompt, end="")
        line = self._lines.pop(0) if self._lines else None
        self._console.print(line or "")
        return line

    def play(self, *lines: str) -> str:
        """Type the lines, then let the input end; gives all that was shown, runs of blanks as one."""
        self._lines = list(lines)
        self._game.run()
        return "\n".join(" ".join(line.split()) for line in self._file.getvalue().splitlines())
