"""Acts that begin in the same instant."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

from sabot.errors import Refusal


def at_once(*acts: Callable[[], object]) -> list[object]:
    """What each of them gives, or the code of its refusal."""
    barrier = Barrier(len(acts))

    def run(act: Callable[[], object]) -> object:
        barrier.wait()
        try:
            return act()
        except Refusal as error:
            return error.code

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))
