"""Writes TOML in the layout of a record: long lists with one item a line, tables in their order.

TOML has no null: a key whose value is None is left out.
"""

import json
from collections.abc import Mapping


def format_toml(document: Mapping[str, object]) -> str:
    """The text of a document of scalars, lists, tables and lists of tables.

    >>> print(format_toml({"n": [1, 2], "t": {"a": "x", "b": {"c": True}}, "row": [{"k": 1}]}), end="")
    n = [1, 2]
    <BLANKLINE>
    [t]
    a = "x"
    b = {c = true}
    <BLANKLINE>
    [[row]]
    k = 1
    """
    plain: list[str] = []
    tables: list[str] = []
    for key, value in document.items():
        if isinstance(value, Mapping):
            tables.append(_table(f"[{key}]", value))
        elif isinstance(value, list | tuple) and value and isinstance(value[0], Mapping):
            tables += [_table(f"[[{key}]]", row) for row in value]
        else:
            plain.append(f"{key} = {_value(value)}")
    return "\n\n".join(["\n".join(plain)] * bool(plain) + tables) + "\n"


def _table(header: str, table: Mapping[str, object]) -> str:
    return "\n".join([header, *(f"{key} = {_value(value)}" for key, value in _present(table))])


def _present(table: Mapping[str, object]) -> list[tuple[str, object]]:
    return [(key, value) for key, value in table.items() if value is not None]


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(key)} = {_value(item)}" for key, item in _present(value)) + "}"
    if isinstance(value, list | tuple):
        items = [_value(item) for item in value]
        line = "[" + ", ".join(items) + "]"
        return line if len(line) <= 100 else "[\n  " + ",\n  ".join(items) + ",\n]"
    return str(value)


def _key(key: str) -> str:
    return key if key.replace("-", "").replace("_", "").isalnum() else json.dumps(key)
