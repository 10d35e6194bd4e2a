"""A note before the first call compiles, which takes seconds."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from sabot.texts import Catalogue


def note_compiling(catalogue: Catalogue, *functions: Callable[..., Any]) -> None:
    """Print a line if a function is not in numba's cache yet."""
    if not all(map(_is_cached, functions)):
        print(catalogue.text("odds.compiling"), file=sys.stderr, flush=True)


def _is_cached(function: Any) -> bool:
    folder = Path(function.stats.cache_path)
    line = function.py_func.__code__.co_firstlineno
    return any(folder.glob(f"*.{function.__name__}-{line}.py*.nbi"))
