"""A request passes few files: a stranger can follow it, with `docs/architecture.md` at hand."""

from __future__ import annotations

import re
from pathlib import Path

from tests.way import ways

ROOT = Path(__file__).parents[1]
ARCHITECTURE = ROOT / "docs" / "architecture.md"
MOST = {"hit": 25, "vote": 30}
#: Files of a hit that a vote does not pass, as the text between the two lists says.
_HIT_ALONE = {
    "server/tables/solo.py",
    "engine/handlers/decisions.py",
    "engine/play.py",
    "engine/shoe.py",
    "cards.py",
}
#: Made by a target of the Makefile.
_MADE = {"build/"}
_NAMED = re.compile(r"`([\w./-]+(?:\.(?:py|ts|svelte|css|toml|md)|/))`")


async def test_a_request_passes_few_files_and_they_are_drawn() -> None:
    passed = await ways()
    assert {name: len(files) for name, files in passed.items() if len(files) > MOST[name]} == {}, passed
    text = ARCHITECTURE.read_text("utf-8").partition("## The way of a request")[2]
    hit, vote = (set(re.findall(r"^([\w/]+\.py) ", block, re.M)) for block in text.split("```")[1:4:2])
    assert set(passed["hit"]) == hit
    assert set(passed["vote"]) == hit - _HIT_ALONE | vote | {"server/tables/live.py"}


def test_what_the_document_names_is_there() -> None:
    """A path, or the end of one whose beginning was named before it."""
    found = [
        file for folder in ("src", "web", "tests", "tools", "docs", "bench") for file in _files(ROOT / folder)
    ]
    named = set(_NAMED.findall(ARCHITECTURE.read_text("utf-8"))) - _MADE
    assert len(named) > 200
    all_paths = "".join(found)
    assert [path for path in sorted(named) if f"/{path.rstrip('/')}\n" not in all_paths] == []


def _files(folder: Path) -> list[str]:
    return [
        f"{file.as_posix()}\n" for file in (folder, *folder.rglob("*")) if "node_modules" not in file.parts
    ]
