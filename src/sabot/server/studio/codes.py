"""The code table: what a scanner reads, and the card it stands on (STU-04, STU-06).

A TOML file with one line for each code. Codes say nothing about their cards, and the table never leaves the server:
whoever sees the code of a face-down card learns nothing from it. Each card may have many codes, one for each deck.

>>> from sabot.cards import decks, format_card
>>> table = parse_codes("".join(f'code{card} = "{format_card(card)}"\\n' for card in decks(1)) + 'last = "cut"')
>>> table["code22"], table["last"]
(22, 'cut')
>>> parse_codes('x7f2 = "11h"\\n')
Traceback (most recent call last):
ValueError: code number 1 stands on '11h', which is no card: write a card like 10h or Kc, or cut for the cut card
"""

import re
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from sabot.cards import DECK_SIZE, Card, CardError, parse_card

#: What a code stands on: a card, or the cut card.
Readable = Card | Literal["cut"]
#: What a scanner may read; longer than the name of any card, so that none is its own code.
CODE = "[A-Za-z0-9._+-]{4,64}"
CODE_WORDS = "4 to 64 letters, digits, . _ + and -"

CodeTable = Mapping[str, Readable]


def parse_codes(text: str) -> CodeTable:
    """The code table of a file's text; a mistake is a `ValueError` that shows no code."""
    try:
        lines = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        reason = "a code stands there twice" if "overwrite" in str(error) else "it is not TOML"
        place = re.search(r"\(at .*\)", str(error))
        raise ValueError(f"{reason} {place[0] if place else ''}".rstrip()) from None
    table: dict[str, Readable] = {}
    for number, (code, name) in enumerate(lines.items(), 1):
        if not re.fullmatch(CODE, code):
            raise ValueError(f"code number {number} is no code: write {CODE_WORDS}")
        table[code] = _scanned(number, name)
    missing = DECK_SIZE - len({card for card in table.values() if card != "cut"})
    if table and missing:
        raise ValueError(f"cards of the deck without a code: {missing}; write at least one for each")
    return table


def _scanned(number: int, name: object) -> Readable:
    if name == "cut":
        return "cut"
    try:
        return parse_card(str(name))
    except CardError:
        reason = "which is no card: write a card like 10h or Kc, or cut for the cut card"
        raise ValueError(f"code number {number} stands on {name!r}, {reason}") from None


def read_codes(file: str) -> CodeTable:
    """The code table of the settings; without a file no scanner is understood, and cards are typed or picked."""
    return parse_codes(Path(file).read_text("utf-8")) if file else {}
