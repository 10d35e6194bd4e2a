"""A request passes few files: a stranger can follow it, with `docs/architecture.md` at hand."""

from __future__ import annotations

import re
from pathlib import Path

from tests.way import ways

ROOT = Path(__file__).parents[1]
ARCHITECTURE = (ROOT / "docs" / "architecture.md").read_text("utf-8")
MOST = {"hit": 25, "vote": 30}
_NAMED = re.compile(r"`([\w./-]+(?:\.(?:py|ts|svelte|css|toml|md)|/))`")


def rows(title: str) -> list[list[str]]:
    """The rows of the table in a section of the document, without its head."""
    section = ARCHITECTURE.partition(f"## {title}\n")[2].partition("\n## ")[0]
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in lines[2:]]


async def test_a_request_passes_few_files_and_they_are_named() -> None:
    passed = await ways()
    assert {name: len(files) for name, files in passed.items() if len(files) > MOST[name]} == {}, passed
    hit, vote = set[str](), set[str]()
    for _, of_hit, of_vote in rows("The way of a request"):
        hit.update(_NAMED.findall(of_hit))
        vote.update(_NAMED.findall(of_vote))
        if of_vote.startswith("the same"):
            vote.update(_NAMED.findall(of_hit))
    assert set(passed["hit"]) == hit
    assert set(passed["vote"]) == vote


def test_the_document_is_short() -> None:
    assert 20 < len(rows("Where things are")) <= 30
    assert len(ARCHITECTURE.splitlines()) <= 110


def test_what_the_document_names_is_there() -> None:
    """A path, or the end of one whose beginning was named before it."""
    found = [f"{file.as_posix()}\n" for file in ROOT.iterdir()]
    found += [
        file for folder in ("src", "web", "tests", "tools", "docs", "bench") for file in _files(ROOT / folder)
    ]
    named = set(_NAMED.findall(ARCHITECTURE))
    assert len(named) > 80
    all_paths = "".join(found)
    assert [path for path in sorted(named) if f"/{path.rstrip('/')}\n" not in all_paths] == []


def _files(folder: Path) -> list[str]:
    return [
        f"{file.as_posix()}\n" for file in (folder, *folder.rglob("*")) if "node_modules" not in file.parts
    ]
