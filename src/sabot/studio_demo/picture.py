"""The generated picture: a felt, a clock that people and programs can read, and the cards as they were dealt.

The strip at the top is for programs: two rows of 32 cells over the whole width, each as high as it is wide, white for 1. They
hold eight bytes, the highest bit first: six of the time in milliseconds of UTC, two of their CRC (CCITT).
"""

from binascii import crc_hqx
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sabot.studio_demo.lettering import lettering

Plane = NDArray[np.uint8]

#: Cells in a row of the strip; rows of it.
CELLS, ROWS = 32, 2
#: A card that lies face down.
FACE_DOWN = ""

_BLACK, _WHITE, _FELT, _BACK, _RED = 16, 235, 74, 60, 80
_GREY, _FELT_BLUE, _FELT_RED, _CARD_RED = 128, 112, 104, 210
_MIDDLE = (_BLACK + _WHITE) / 2


class Size(NamedTuple):
    """Width and height in pixels; the width is a multiple of 64."""

    width: int
    height: int


class Picture:
    """Draws frames of one size, as the planes of YUV 4:2:0 below each other."""

    def __init__(self, size: Size) -> None:
        self.size = size
        width, height = size
        self._cell = width // CELLS
        self._felt = np.full((height * 3 // 2, width), _FELT, dtype=np.uint8)
        luma, blue, red = _planes(self._felt, size)
        luma[: ROWS * self._cell] = _BLACK
        blue[:], red[:] = _FELT_BLUE, _FELT_RED
        _tint(blue, red, (0, 0, width, ROWS * self._cell), _GREY, _GREY)

    def draw(self, at: int, cards: Sequence[str]) -> Plane:
        """The frame of a moment in milliseconds of UTC, with the cards that lie on the table."""
        frame = self._felt.copy()
        luma, blue, red = _planes(frame, self.size)
        strip = clock_cells(at).repeat(self._cell, axis=0).repeat(self._cell, axis=1)
        luma[: ROWS * self._cell] = np.where(strip, _WHITE, _BLACK)
        scale = max(1, self.size.width // 107)
        moment = datetime.fromtimestamp(at / 1000, UTC)
        _write(
            luma, f"{moment:%H:%M:%S}.{at % 1000:03}", scale, self._middle(12, scale), 11 * self._cell // 2
        )
        for place, card in enumerate(cards[-10:]):
            self._lay(luma, blue, red, place, card)
        return frame

    def _middle(self, letters: int, scale: int) -> int:
        return (self.size.width - 6 * letters * scale) // 2

    def _lay(self, luma: Plane, blue: Plane, red: Plane, place: int, card: str) -> None:
        """Lay one card down."""
        unit = self.size.width // 64
        left, top = (2 + 6 * place) * unit, self.size.height // 2
        right, bottom = left + 5 * unit, top + 7 * unit
        _tint(blue, red, (left, top, right, bottom), _GREY, _GREY)
        luma[top:bottom, left:right] = _WHITE
        if card == FACE_DOWN:
            edge = max(1, unit // 4)
            luma[top + edge : bottom - edge, left + edge : right - edge] = _BACK
            return
        scale = max(1, unit * 2 // 7)
        marks = ((card[:-1], scale, unit // 2, unit // 2), (card[-1], 2 * scale, unit, 4 * unit - 2 * scale))
        for text, size, across, down in marks:
            _write(luma, text, size, left + across, top + down, _RED if card[-1] in "hd" else _BLACK)
            if card[-1] in "hd":
                dots = lettering(text, size)[::2, ::2]
                x, y = (left + across) // 2, (top + down) // 2
                red[y : y + dots.shape[0], x : x + dots.shape[1]][dots] = _CARD_RED


def clock_cells(at: int) -> NDArray[np.bool_]:
    """The cells of a moment, row by row."""
    time = at.to_bytes(6)
    bits = np.unpackbits(np.frombuffer(time + crc_hqx(time, 0).to_bytes(2), dtype=np.uint8))
    return bits.astype(bool).reshape(ROWS, CELLS)


def read_clock(luma: Plane) -> int | None:
    """The moment that a picture's strip shows, from its brightness; None if it cannot be read.

    >>> picture = Picture(Size(640, 360))
    >>> read_clock(picture.draw(1_788_000_000_123, ["10h", "Ks"]))
    1788000000123
    >>> read_clock(picture.draw(1_788_000_000_123, [])[40:])  # no strip, and no light cell: the time is not 0
    """
    cell = luma.shape[1] // CELLS
    middles = luma[cell // 2 : ROWS * cell : cell, cell // 2 : CELLS * cell : cell]
    data = np.packbits(middles > _MIDDLE).tobytes()
    whole = any(data) and crc_hqx(data[:6], 0) == int.from_bytes(data[6:])
    return int.from_bytes(data[:6]) if whole else None


def _planes(frame: Plane, size: Size) -> tuple[Plane, Plane, Plane]:
    """Brightness, and blue and red of half the size."""
    width, height = size
    quarter = height // 4
    blue, red = (
        frame[height + n * quarter : height + (n + 1) * quarter].reshape(height // 2, width // 2)
        for n in (0, 1)
    )
    return frame[:height], blue, red


def _tint(blue: Plane, red: Plane, box: tuple[int, int, int, int], to_blue: int, to_red: int) -> None:
    left, top, right, bottom = (edge // 2 for edge in box)
    blue[top:bottom, left:right] = to_blue
    red[top:bottom, left:right] = to_red


def _write(luma: Plane, text: str, scale: int, left: int, top: int, shade: int = _WHITE) -> None:
    dots = lettering(text, scale)
    luma[top : top + dots.shape[0], left : left + dots.shape[1]][dots] = shade
