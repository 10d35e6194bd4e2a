"""Output, prompts and the commands that work at every prompt."""

import sys
from collections.abc import Callable, Iterable
from typing import TypeVar

from rich.console import Console, Group, RenderableType
from rich.text import Text

from sabot.cli.play import parse
from sabot.cli.play.session import PlaySession
from sabot.cli.render.layout import Faces, packed, plain_table
from sabot.cli.render.show import rules_view
from sabot.cli.render.view import View
from sabot.engine import AnyEvent, Round
from sabot.errors import Refusal
from sabot.games import Game
from sabot.texts import Catalogue

T = TypeVar("T")

PLAY_MONEY = "FUN"

#: Shows a prompt and gives the line typed; None at the end of the input.
Read = Callable[[str], str | None]

#: Rows of the help page: side bets with an example to type, buttons, and words.
_SIDE_BETS = {"player-pair": "1 pp 5", "21+3": "1 213 5", "link": "1 link 2", "dealer-pair": "dp 5"}
_BUTTONS = ("deal", "repeat", "repeat-deal", "double-deal", "double-stakes", "undo", "clear")
_WORDS = ("add", "limits", "insurance", "rules", "quit")


class PlayerLeft(Exception):  # noqa: N818  # not an error
    """The player left, or the input ended."""


class Terminal:
    """One play session at one terminal."""

    def __init__(self, session: PlaySession, catalogue: Catalogue, console: Console, read: Read) -> None:
        self.session = session
        self.catalogue = catalogue
        self.faces = Faces(console)
        self.view = View(catalogue, self.faces, session.game.name)
        self._console = console
        self._read = read
        self._held_back: list[Text] = []

    # Output

    def print(self, what: RenderableType = "") -> None:
        """Print something, or a blank line."""
        self._console.print(what)

    def say(self, key: str, style: str = "", **params: object) -> None:
        """Print a text of the catalogue."""
        self._console.print(Text(self.catalogue.text(key, **params), style))

    def money(self, cents: int) -> str:
        return self.catalogue.money(cents, PLAY_MONEY)

    def show_events(self, events: tuple[AnyEvent, ...]) -> None:
        """Print the events of a decision."""
        round = self.session.round
        if round is not None:
            for line in self.view.events(round, events, dealt=False):
                self.print(line)

    def hold_back(self, events: tuple[AnyEvent, ...]) -> None:
        """Keep the events of the deal until its cards have been shown."""
        round = self.session.round
        if round is not None:
            self._held_back = self.view.events(round, events, dealt=True)

    def show_table(self, round: Round) -> None:
        """Print the hands, then the kept events."""
        self.print()
        self.print(self.view.table(round))
        self.show_held_back()

    def show_held_back(self) -> None:
        """Print the kept events."""
        for line in self._held_back:
            self.print(line)
        self._held_back = []

    def offer(self, choices: Iterable[Text]) -> None:
        """Print buttons side by side."""
        self.print(packed(choices, self._console.width))

    def explain(self, button: str, error: Refusal) -> None:
        """Say why a button is not available (COM-24)."""
        label = self.catalogue.label(button, self.session.game.name)
        self.say(
            "play.unavailable", "dim", label=label, reason=self.catalogue.error(error, self.session.game.name)
        )

    # Input

    def read_line(self, prompt: str) -> str:
        """The next line; `PlayerLeft` at the end of the input."""
        line = self._read(prompt)
        if line is None:
            raise PlayerLeft
        return line

    def attempt(self, act: Callable[[], T]) -> T | None:
        """Carry out the player's input; print the sentence of a refusal."""
        try:
            return act()
        except parse.NotUnderstoodError as error:
            self.say(error.code, "yellow", **error.params)
        except Refusal as error:
            self.print(Text(f"{self.catalogue.error(error, self.session.game.name)}.", "yellow"))
        return None

    def aside(self, choice: parse.Aside) -> None:
        """Commands of every prompt: money, help, rules, leaving."""
        if isinstance(choice, parse.BringMoney):
            self.session.add_money(choice.cents)
            self.say("play.added", amount=choice.cents)
            self.say("play.balance", balance=self.money(self.session.balance))
        elif choice.topic == "help":
            self.print(help_view(self.catalogue, self.session.game))
        elif choice.topic == "rules":
            self.print(rules_view(self.catalogue, self.session.game))
        elif choice.topic == "quit":
            self._quit()

    def _quit(self) -> None:
        """Leave; in a round, only after a confirmation."""
        if self.session.in_round:
            self.say("play.quit-warning", "yellow")
            if not parse.parse_yes(self.read_line(self.catalogue.text("play.quit-prompt"))):
                return
        raise PlayerLeft


def make_reader(console: Console) -> Read:
    """A reader of the standard input; it echoes lines from a pipe, so that a transcript reads well."""

    def read(prompt: str) -> str | None:
        try:
            if sys.stdin.isatty():
                return console.input(prompt, markup=False, emoji=False)
            console.print(prompt, end="")
            line = sys.stdin.readline()
        except (EOFError, KeyboardInterrupt):
            console.print()
            return None
        console.print(line.rstrip("\n"))
        return line if line else None

    return read


def help_view(catalogue: Catalogue, game: Game) -> RenderableType:
    """The help page of a game."""
    say = catalogue.text
    grid = plain_table()
    rows = [("1 10", "help.stake"), ("10", "help.stake-all")]
    rows += [
        (_SIDE_BETS[bet.name], f"help.{bet.name}") for bet in game.rules.side_bets if bet.name in _SIDE_BETS
    ]
    rows += [(catalogue.label(name, game.name).lower(), f"help.{name}") for name in _BUTTONS]
    words = (word for word in _WORDS if word != "insurance" or game.insurance_switch)
    rows += [(say(f"help.word.{word}"), f"help.{word}") for word in words]
    for typed, key in rows:
        grid.add_row("", Text(typed, "bold yellow"), say(key))
    return Group(
        Text(say("help.betting"), "bold"),
        grid,
        Text(say("help.playing"), "bold"),
        Text(f"  {say('help.turn')}"),
    )
