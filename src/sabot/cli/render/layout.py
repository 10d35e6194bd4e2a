"""Cards, amounts, tables, rows of buttons and progress bars that views share."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.table import Table
from rich.text import Text

from sabot.cards import RANKS, SUITS, is_red, rank, suit
from sabot.texts import Catalogue

_SYMBOLS = "♠♥♦♣"
_WIDTH = 3


def plain_table(gap: int = 2) -> Table:
    """A table without lines, with a gap after each column."""
    return Table.grid(padding=(0, gap, 0, 0))


def number_table(*heads: str, gap: int = 3) -> Table:
    """A table of numbers with dim heads; the first column has names."""
    table = plain_table(gap)
    table.add_column()
    for _ in heads[1:]:
        table.add_column(justify="right")
    table.add_row(*(Text(head, "dim") for head in heads))
    return table


def packed(items: Iterable[Text], width: int) -> Text:
    """Items side by side on as many lines as needed.

    >>> packed([Text("[h] HIT"), Text("[s] STAND"), Text("[p] SPLIT")], 20).plain
    '[h] HIT  [s] STAND\\n[p] SPLIT'
    """
    text, column = Text(), 0
    for item in items:
        if column and column + 2 + item.cell_len > width:
            text.append("\n")
            column = 0
        elif column:
            text.append("  ")
            column += 2
        text.append_text(item)
        column += item.cell_len
    return text


#: Moves a bar to a number, with a note beside it.
Show = Callable[[int, str], None]


@contextmanager
def progress_bar(total: int) -> Iterator[Show]:
    """A bar on the standard error, shown only at a terminal and removed at its end."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (BarColumn(), TaskProgressColumn(), TimeRemainingColumn(compact=True))
    note = TextColumn("{task.fields[note]}")
    with Progress(*columns, note, console=console, disable=not console.is_terminal, transient=True) as bar:
        task = bar.add_task("", total=total, note="")
        yield lambda done, note: bar.update(task, completed=done, note=note)


# Cards and amounts


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
