"""Cards, hands and amounts as styled text."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.text import Text

from sabot.cards import RANKS, SUITS, is_red, rank, suit
from sabot.texts import Catalogue

_SYMBOLS = "♠♥♦♣"
_WIDTH = 3


class Faces:
    """How cards look on one terminal."""

    def __init__(self, console: Console) -> None:
        unicode = console.encoding.lower().startswith("utf")
        self._suits = _SYMBOLS if unicode else SUITS
        self.hidden = "▒▒" if unicode else "??"
        self.arrow = "▸" if unicode else ">"
        self.pointer = "▲" if unicode else "^"
        self.blank = "·" if unicode else "."
        self.diamond = "◆" if unicode else "<>"

    def card(self, card: int) -> Text:
        """One card: rank and suit, red suits in red."""
        name = f"{RANKS[rank(card)]}{self._suits[suit(card)]}"
        return Text(name, "bold red" if is_red(card) else "bold")

    def cards(self, cards: Iterable[int], hidden: bool = False) -> Text:
        """Cards in columns, perhaps with one face down."""
        faces = [self.card(card) for card in cards]
        if hidden:
            faces.append(Text(self.hidden, "dim"))
        for face in faces:
            face.align("right", _WIDTH)
        return Text(" ").join(faces)


def total_text(catalogue: Catalogue, total: int, soft: bool) -> str:
    """The total of a hand, marked if it is soft."""
    return catalogue.text("table.soft", total=total) if soft and total < 21 else str(total)


def signed(cents: int, catalogue: Catalogue) -> Text:
    """A net amount: green and with a plus, or red."""
    style = "bold green" if cents > 0 else "red" if cents < 0 else ""
    return Text(f"{'+' if cents > 0 else ''}{catalogue.amount(cents)}", style)
