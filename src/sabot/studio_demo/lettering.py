"""Letters of five by seven dots for the generated picture."""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

#: Rows from the top, `#` is a dot.
_DOTS = {
    "0": ".###. #...# #..## #.#.# ##..# #...# .###.",
    "1": "..#.. .##.. ..#.. ..#.. ..#.. ..#.. .###.",
    "2": ".###. #...# ....# ...#. ..#.. .#... #####",
    "3": "##### ...#. ..#.. ...#. ....# #...# .###.",
    "4": "...#. ..##. .#.#. #..#. ##### ...#. ...#.",
    "5": "##### #.... ####. ....# ....# #...# .###.",
    "6": "..##. .#... #.... ####. #...# #...# .###.",
    "7": "##### ....# ...#. ..#.. .#... .#... .#...",
    "8": ".###. #...# #...# .###. #...# #...# .###.",
    "9": ".###. #...# #...# .#### ....# ...#. .##..",
    ":": "..... ..#.. ..#.. ..... ..#.. ..#.. .....",
    ".": "..... ..... ..... ..... ..... .##.. .##..",
    "A": ".###. #...# #...# ##### #...# #...# #...#",
    "J": "..### ...#. ...#. ...#. ...#. #..#. .##..",
    "Q": ".###. #...# #...# #...# #.#.# #..#. .##.#",
    "K": "#...# #..#. #.#.. ##... #.#.. #..#. #...#",
    "s": "..#.. .###. ##### ##### ##### ..#.. .###.",
    "h": ".#.#. ##### ##### ##### .###. .###. ..#..",
    "d": "..#.. .###. .###. ##### .###. .###. ..#..",
    "c": "..#.. .###. ..#.. ##### ##### ..#.. .###.",
}
#: Dots from one letter to the next, and of a letter's height.
ADVANCE, HEIGHT = 6, 7


@lru_cache(maxsize=256)
def lettering(text: str, scale: int) -> NDArray[np.bool_]:
    """The dots of a text, each `scale` pixels wide and high.

    >>> lettering("1", 1).astype(int)[:3].tolist()
    [[0, 0, 1, 0, 0], [0, 1, 1, 0, 0], [0, 0, 1, 0, 0]]
    >>> lettering("12:30", 2).shape
    (14, 58)
    """
    dots = np.zeros((HEIGHT, ADVANCE * len(text) - 1), dtype=bool)
    for place, letter in enumerate(text):
        for row, line in enumerate(_DOTS[letter].split()):
            for column, dot in enumerate(line):
                dots[row, ADVANCE * place + column] = dot == "#"
    return dots.repeat(scale, axis=0).repeat(scale, axis=1)
