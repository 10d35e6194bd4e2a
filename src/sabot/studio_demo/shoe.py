"""Real decks: printed cards with opaque codes, shuffled by the machine's randomness into a shoe with a cut card."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path
from secrets import SystemRandom, token_hex

import msgspec
from msgspec import Struct

from sabot.cards import DECK_SIZE, format_card
from sabot.server.studio.codes import CodeTable

#: The cut card in a code table.
CUT = "cut"


class DealingShoe(Struct, frozen=True):
    """A shoe: the codes of its cards in their order, and after how many of them the cut card comes."""

    label: str
    codes: tuple[str, ...]
    cut: int


class PrintedCards:
    """The cards of a code table: what stands on each, and the codes of a deck."""

    def __init__(self, table: CodeTable) -> None:
        self._table = table
        self._codes: defaultdict[int, list[str]] = defaultdict(list)
        for code, card in table.items():
            if isinstance(card, int):
                self._codes[card].append(code)
        self.cut_card = next((code for code, card in table.items() if card == CUT), None)

    def name(self, code: str) -> str:
        """The card of a code, as `10h`."""
        card = self._table[code]
        return format_card(card) if isinstance(card, int) else card

    def shuffled(self, label: str, decks: int, cut: int) -> DealingShoe:
        """So many decks, shuffled; each deck has codes of its own, as far as there are."""
        cards = [
            self._codes[card][deck % len(self._codes[card])]
            for deck in range(decks)
            for card in range(DECK_SIZE)
        ]
        SystemRandom().shuffle(cards)
        return DealingShoe(label, tuple(cards), cut)


def new_codes(decks: int) -> str:
    """A code table for so many decks, as the text of its file: every printed card has a code of its own.

    >>> from sabot.server.studio.codes import parse_codes
    >>> shoe = PrintedCards(parse_codes(new_codes(2))).shuffled("A", 2, 60)
    >>> len(set(shoe.codes)), shoe.label, shoe.cut
    (104, 'A', 60)
    """
    names = [format_card(card) for card in range(DECK_SIZE)] * decks
    return "".join(f'x{token_hex(6)} = "{name}"\n' for name in [*names, CUT])


class ShoeFile:
    """Keeps the shoe in use: real cards stay in their order when a program starts again."""

    def __init__(self, file: Path) -> None:
        self._file = file

    def read(self) -> DealingShoe | None:
        """The shoe that was kept."""
        return (
            msgspec.json.decode(self._file.read_bytes(), type=DealingShoe) if self._file.is_file() else None
        )

    def keep(self, shoe: DealingShoe) -> None:
        """Keep a shoe instead of the last one."""
        new = self._file.with_suffix(".new")
        new.touch(mode=0o600)
        new.write_bytes(msgspec.json.encode(shoe))
        new.replace(self._file)
