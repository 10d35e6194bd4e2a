"""The shape of the sources: one name for one thing, folders that can be looked through."""

import re
from collections import Counter
from pathlib import Path

PLACE = Path(__file__).parents[1]
SOURCES = PLACE / "src" / "sabot"
#: Where modules are, and how the names of their files end.
ROOTS, MODULES = ("src", "tests", "tools", "bench", "web/src"), (".py", ".ts", ".svelte")


def test_no_class_name_is_used_for_two_things() -> None:
    """A name says which class is meant, wherever it is read; names with an underscore are a module's own."""
    classes = Counter(
        name
        for file in SOURCES.rglob("*.py")
        for name in re.findall(r"^class ([A-Za-z]\w*)", file.read_text("utf-8"), re.MULTILINE)
    )
    assert [name for name, count in classes.items() if count > 1] == []


def test_no_folder_has_more_than_twenty_modules() -> None:
    """A folder can be looked through; its own `__init__.py` is not counted."""
    files = (file for root in ROOTS for file in (PLACE / root).rglob("*") if file.suffix in MODULES)
    modules = Counter(file.parent.relative_to(PLACE) for file in files if file.name != "__init__.py")
    assert {str(folder): count for folder, count in modules.items() if count > 20} == {}
