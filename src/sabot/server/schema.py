"""The socket's messages as JSON Schema, and as the TypeScript types of the web client.

`python -m sabot.server.schema` prints the schema; with a folder (`web/src`) it writes what the client is compiled from:
`wire.ts`, `http.ts` with what the routes take and answer, and from `sabot.server.webdata` `texts.ts` and `games.ts`.

>>> typescript({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
'readonly (number | null)[]'
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from sabot.engine import AnyEvent
from sabot.server import wire
from sabot.server.route import Text
from sabot.server.webdata import games_module, texts_module

#: A JSON Schema, or part of one.
Schema = Mapping[str, Any]

HEADER = "// Written by `python -m sabot.server.schema web/src`; a test compares. Do not edit."

_REF = "#/$defs/"
#: The roots of the socket's language.
_ROOTS: dict[str, Any] = {
    "Ask": wire.AnyAsk,
    "Told": wire.AnyTold,
    "TableEvent": wire.TableEvent,
    "Frame": wire.Frame,
}
_PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def schema() -> dict[str, Any]:
    """Everything that goes over the socket: `Ask` up; `Told` and `Frame`, full of `TableEvent`s, down."""
    roots, parts = msgspec.json.schema_components(_ROOTS.values(), ref_template=_REF + "{name}")
    unions = {name: root for name, root in zip(_ROOTS, roots, strict=True) if "anyOf" in root}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": wire.SUBPROTOCOL,
        "description": "A client sends `Ask`; the house sends `Told`, and of tables `Frame`.",
        "$defs": dict(sorted((parts | unions).items())),
    }


def wire_module() -> str:
    """The whole of `wire.ts`."""
    parts: dict[str, Schema] = schema()["$defs"]
    unions = {name: part for name, part in parts.items() if "anyOf" in part}
    sent = set(_reachable(parts, ["Told", "Frame"]))
    lines = [HEADER, "", f'export const SUBPROTOCOL = "{wire.SUBPROTOCOL}";', ""]
    for name, part in parts.items():
        if name in unions:
            members = "".join(f"\n  | {typescript(member)}" for member in part["anyOf"])
            lines += [f"export type {name} ={members};", ""]
        else:
            lines += [*_interface(name, part, unions, whole=name in sent), ""]
    return "\n".join(lines[:-1]) + "\n"


def http_module() -> str:
    """The whole of `http.ts`; what is the same as on the socket is taken from `wire.ts`."""
    from sabot.server.routes import ROUTES  # which serve what stands here

    answers = [
        route.answer for route in ROUTES if isinstance(route.answer, type) and route.answer is not Text
    ]
    bodies = [route.body for route in ROUTES if route.body is not None]
    kinds: list[Any] = [AnyEvent, *dict.fromkeys((*bodies, *answers))]
    roots, parts = msgspec.json.schema_components(kinds, ref_template=_REF + "{name}")
    on_the_wire: dict[str, Schema] = schema()["$defs"]
    shared = sorted(name for name, part in parts.items() if on_the_wire.get(name) == part)
    unions = {"RoundEvent": roots[0]}
    members = "".join(f"\n  | {typescript(member)}" for member in roots[0]["anyOf"])
    own = {name: part for name, part in parts.items() if name not in shared}
    sent = set(_reachable(parts, [kind.__name__ for kind in answers]))
    used = [name for name in shared if re.search(rf'/{name}"', json.dumps([own, roots]))]
    lines = [HEADER, "", "import type {", *(f"  {name}," for name in used), '} from "./wire";', ""]
    lines += [f"export type RoundEvent ={members};", ""]
    for name, part in sorted(own.items()):
        lines += [*_interface(name, part, unions, whole=name in sent), ""]
    return "\n".join(lines[:-1]) + "\n"


def _interface(name: str, part: Schema, unions: Mapping[str, Schema], *, whole: bool) -> Iterator[str]:
    """A message. What the server sends is `whole`: it leaves out no field that has a default."""
    yield f"/** {part['description']} */"
    if not part.get("properties"):
        yield f"export type {name} = Record<string, never>;"
        return
    yield f"export interface {name} {{"
    for field, kind in part["properties"].items():
        optional = "" if whole or field in part["required"] else "?"
        yield f"  readonly {field}{optional}: {typescript(kind, unions)};"
    yield "}"


def typescript(kind: Schema, unions: Mapping[str, Schema] | None = None) -> str:
    """A schema as a TypeScript type; a union that has a name goes by it."""
    known = unions or {}
    if "$ref" in kind:
        return str(kind["$ref"]).removeprefix(_REF)
    if "enum" in kind:
        return " | ".join(json.dumps(value) for value in kind["enum"])
    if "anyOf" in kind:
        named = (name for name, union in known.items() if union["anyOf"] == kind["anyOf"])
        return next(named, " | ".join(typescript(member, known) for member in kind["anyOf"]))
    match kind.get("type"):
        case "array" if "prefixItems" in kind:
            members = ", ".join(typescript(member, known) for member in kind["prefixItems"])
            return f"readonly [{members}]"
        case "array":
            item = typescript(kind["items"], known)
            return f"readonly ({item})[]" if " " in item else f"readonly {item}[]"
        case "object":
            value = kind.get("additionalProperties")
            return f"Readonly<Record<string, {typescript(value, known) if value else 'unknown'}>>"
        case str() as plain:
            return _PLAIN[plain]
    return "unknown"


def _reachable(parts: Mapping[str, Schema], names: list[str]) -> Iterator[str]:
    """These parts and all they are made of."""
    seen: set[str] = set()
    while names:
        name = names.pop()
        if name not in seen:
            seen.add(name)
            yield name
            names += _names(parts[name])


def _names(part: object) -> Iterator[str]:
    if isinstance(part, dict):
        if "$ref" in part:
            yield str(part["$ref"]).removeprefix(_REF)
        for value in part.values():
            yield from _names(value)
    elif isinstance(part, list):
        for value in part:
            yield from _names(value)


def modules() -> dict[str, str]:
    """The files the web client is compiled from, by name."""
    return {
        "wire.ts": wire_module(),
        "http.ts": http_module(),
        "texts.ts": f"{HEADER}\n\n{texts_module()}",
        "games.ts": f"{HEADER}\n\n{games_module()}",
    }


def main(arguments: list[str]) -> None:
    """Print the schema, or write the client's files into a folder."""
    if not arguments:
        print(json.dumps(schema(), indent=2, ensure_ascii=False))
    for folder in arguments:
        for name, text in modules().items():
            Path(folder, name).write_text(text, "utf-8")


if __name__ == "__main__":
    main(sys.argv[1:])
