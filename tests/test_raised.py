"""What the code raises is registered, and what is registered is raised: read from the sources.

Apart from `test_errors.py`: the sources of a mutant are not the house's.
"""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path
from string import Formatter

import sabot
from sabot.errors import REFUSALS

CODE = re.compile(r"[a-z]+/[a-z-]+")
#: Params that are sent and stand in no sentence: what a program may want to know.
SILENT = {"key", "n", "epoch", "stream", "until", "reason"}


@cache
def _calls() -> list[ast.Call]:
    """Every refusal that the code makes."""
    files = Path(sabot.__file__).parent.rglob("*.py")
    nodes = (node for file in files for node in ast.walk(ast.parse(file.read_text("utf-8"))))
    return [
        node
        for node in nodes
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Name)
        and node.func.id in ("Refusal", "OptionError", "Refused")
    ]


def _codes(call: ast.Call) -> set[str]:
    """The codes that may be its first argument."""
    texts = (node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant))
    return {text for text in texts if isinstance(text, str) and CODE.fullmatch(text)}


def test_what_is_raised_is_registered_and_what_is_registered_is_raised() -> None:
    assert {code for call in _calls() for code in _codes(call)} == set(REFUSALS)


def test_each_refusal_has_the_params_of_its_sentence() -> None:
    for call in _calls():
        given = {keyword.arg for keyword in call.keywords}
        if None in given or ast.unparse(call.func) == "Refused":
            continue
        for code in _codes(call):
            named = {name for _, name, _, _ in Formatter().parse(REFUSALS[code].sentence) if name}
            assert named <= given, f"{code} lacks {named - given}"
            assert given - named <= SILENT, f"{code} says nothing of {given - named}"
