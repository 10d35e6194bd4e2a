"""The TypeScript types of the web client, from the schemas of the house.

`python -m tools.web web/src` writes what the client is compiled from: `wire.ts` with what goes over the socket,
`http.ts` with what the routes take and answer, and from `tools.web.data` `texts.ts` and `games.ts`.

>>> typescript({"type": "array", "items": {"anyOf": [{"type": "integer"}, {"type": "null"}]}})
'readonly (number | null)[]'
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from sabot.engine import AnyEvent
from sabot.protocol import codec
from sabot.protocol.schema import REF, schema
from sabot.server.http.dispatch import Text
from sabot.server.http.routes import ROUTES
from tools.web.data import games_module, texts_module

#: A JSON Schema, or part of one.
Schema = Mapping[str, Any]

HEADER = "// Written by `python -m tools.web web/src`; a test compares. Do not edit."

_PLAIN = {"integer": "number", "number": "number", "string": "string", "boolean": "boolean", "null": "null"}


def wire_module() -> str:
    """The whole of `wire.ts`."""
    parts: dict[str, Schema] = schema()["$defs"]
    unions = {name: part for name, part in parts.items() if "anyOf" in part}
    sent = set(_reachable(parts, ["Message"]))
    lines = [HEADER, "", f'export const SUBPROTOCOL = "{codec.SUBPROTOCOL}";', ""]
    for name, part in parts.items():
        if name in unions:
            members = "".join(f"\n  | {typescript(member)}" for member in part["anyOf"])
            lines += [f"export type {name} ={members};", ""]
        else:
            lines += [*_interface(name, part, unions, whole=name in sent), ""]
    return "\n".join(lines[:-1]) + "\n"


def http_module() -> str:
    """The whole of `http.ts`; what is the same as on the socket is taken from `wire.ts`."""
    answers = [
        route.answer for route in ROUTES if isinstance(route.answer, type) and route.answer is not Text
    ]
    bodies = [route.body for route in ROUTES if route.body is not None]
    kinds: list[Any] = [AnyEvent, *dict.fromkeys((*bodies, *answers))]
    roots, parts = msgspec.json.schema_components(kinds, ref_template=REF + "{name}")
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
        return str(kind["$ref"]).removeprefix(REF)
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
            yield str(part["$ref"]).removeprefix(REF)
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
