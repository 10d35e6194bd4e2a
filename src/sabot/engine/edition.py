"""The number of the engine. A round keeps the number it was opened with, and is always replayed by it.

1. The first.
2. A soft 21 that is one card short of a Charlie may draw (COM-45). Golden chips are chosen to fit exactly (PLT-65).
"""

from __future__ import annotations

#: The engine that opens new rounds.
ENGINE = 2


def is_known(engine: int) -> bool:
    """Whether this package can play a round of an engine.

    >>> is_known(1), is_known(ENGINE), is_known(ENGINE + 1)
    (True, True, False)
    """
    return 1 <= engine <= ENGINE
