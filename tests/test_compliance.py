"""`docs/operate/compliance.md`: every clause points at a test that exists, or says whose duty it is (OFF-23)."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
DOCUMENT = ROOT / "docs/operate/compliance.md"
#: What the last cell of a line may say instead of a test.
OTHERWISE = ("operator: ", "not here")


def lines() -> list[list[str]]:
    """The lines of all tables: clause, what is done, where, shown by."""
    rows = [line for line in DOCUMENT.read_text("utf-8").splitlines() if re.match(r"\| (A\.)?\d", line)]
    return [[cell.strip() for cell in row[1:-1].split("|")] for row in rows]


@cache
def names_in(file: Path) -> set[str]:
    """The names of the tests of a file."""
    nodes = ast.walk(ast.parse(file.read_text("utf-8")))
    kinds = (ast.FunctionDef, ast.AsyncFunctionDef)
    return {node.name for node in nodes if isinstance(node, kinds) and node.name.startswith("test_")}


@pytest.mark.rule("OFF-23")
def test_every_clause_is_shown_by_a_test_or_says_whose_duty_it_is() -> None:
    assert len(lines()) > 60
    for clause, *_, shown in lines():
        named = re.findall(r"`(tests/[^`]+)::([^`]+)`", shown)
        for file, name in named:
            assert name in names_in(ROOT / file), f"{clause}: there is no {file}::{name}"
        assert named or shown.startswith(OTHERWISE), f"{clause}: {shown!r}"


@pytest.mark.rule("OFF-23")
def test_every_part_of_the_house_that_is_named_is_there() -> None:
    for clause, _, where, _ in lines():
        for place in re.findall(r"`([^`]+)`", where):
            found = [ROOT / start / place for start in ("", "src/sabot")]
            assert any(path.exists() for path in found), f"{clause}: there is no {place}"


def test_every_chapter_of_the_platform_and_of_live_games_is_there() -> None:
    clauses = " ".join(clause for clause, *_ in lines())
    for clause in (
        *(f"2.{n}." for n in (2, 3, 4, 5, 6, 8, 9)),
        "4.14",
        "4.15",
        "4.16",
        "4.18",
        "A.4.",
        "A.5.",
        "A.6.",
        "A.7",
        "A.8.",
    ):
        assert clause in clauses
