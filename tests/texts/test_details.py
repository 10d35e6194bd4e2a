"""Details of events and of operators' orders have names in both languages, and so have their words: read from the sources."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import sabot
from sabot.server.office.self_check import CheckDifference
from sabot.server.office.watching import LineKey
from sabot.texts import LANGUAGES, Catalogue

#: Calls that note an event, log an order, or tell the supervisor of a studio table.
NOTING = {"note", "row", "order", "log_order", "_order", "_log", "_report"}
LOOKING = {"look", "look_at_list"}
#: Columns of an event that every page shows for itself.
COLUMNS = {"address", "at"}
#: What is given as a whole.
STRUCTS = {*LineKey._fields, *CheckDifference.__struct_fields__}


@cache
def _nodes() -> list[ast.AST]:
    root = Path(sabot.__file__).parent
    files = [
        *root.glob("server/**/*.py"),
        root / "cli/commands/self_check.py",
        *root.glob("tables/live/studio/*.py"),
    ]
    return [node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8")))]


def _calls(names: set[str]) -> Iterator[ast.Call]:
    for node in _nodes():
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in names:
            yield node


def _details() -> set[str]:
    given = {keyword.arg for call in _calls(NOTING) for keyword in call.keywords if keyword.arg}
    return (given | _keys_of_about() | STRUCTS) - COLUMNS


def _keys_of_about() -> set[str]:
    """The keys of what is given as `**about`."""
    values = [
        node.value for node in _nodes() if isinstance(node, ast.Assign | ast.AnnAssign) and _is_about(node)
    ]
    dicts = [found for value in values if value for found in ast.walk(value) if isinstance(found, ast.Dict)]
    return {ast.literal_eval(key) for found in dicts for key in found.keys if isinstance(key, ast.Constant)}


def _is_about(node: ast.Assign | ast.AnnAssign) -> bool:
    target = node.target if isinstance(node, ast.AnnAssign) else node.targets[0]
    return isinstance(target, ast.Name) and target.id == "about"


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_detail_has_a_name(language: str) -> None:
    texts, details = Catalogue(language), _details()
    assert details > {"proposal", "scan", "counted", "row", "rules", "differences", "players", "minutes"}
    assert {name for name in details if f"office.field.{name}" not in texts} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_page_that_operators_look_at_has_a_name(language: str) -> None:
    texts = Catalogue(language)
    asked = (call.args[2] for call in _calls(LOOKING) if len(call.args) == 3)
    pages = {ast.literal_eval(page) for page in asked if isinstance(page, ast.Constant)}
    assert len(pages) > 10
    assert {page for page in pages if f"office.looked-at.{page}" not in texts} == set()
