"""Advisory locks of PostgreSQL: each thing that is done by one process at a time has a number of its own."""

import re
from collections import Counter
from pathlib import Path

import sabot


def test_no_two_locks_have_one_number() -> None:
    sources = Path(sabot.__file__).parent.rglob("*.py")
    numbers = [
        number for source in sources for number in re.findall(r"_LOCK = (7_245_\d+)", source.read_text())
    ]
    assert len(numbers) >= 3
    assert max(Counter(numbers).values()) == 1
