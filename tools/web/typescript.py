"""The TypeScript types of the web client: openapi-typescript writes them from the schemas of the house.

`python -m tools.web web/src` writes what the client is compiled from: `wire.ts` with what goes over the socket and
what the routes take and answer, and from `tools.web.data` `games.ts`, `texts.ts` and two files of texts for each
language: the pages', and the back office's, which only operators load.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from sabot.engine import AnyEvent
from sabot.protocol import codec
from sabot.protocol.schema import ROOTS
from sabot.server.http.dispatch import Text
from sabot.server.http.routes import ROUTES
from sabot.server.studio.orders import AnyStudioOrder
from sabot.texts import LANGUAGES
from tools.web.data import games_module, language_module, office_module, office_texts, texts, texts_module

#: JSON Schemas by name.
Schemas = dict[str, dict[str, Any]]

HEADER = "// Written by `python -m tools.web web/src`; a test compares. Do not edit."
WEB = Path(__file__).resolve().parents[2] / "web"
GENERATOR = WEB / "node_modules/openapi-typescript/bin/cli.js"
_OPTIONS = (
    "--immutable",
    "--root-types",
    "--root-types-no-schema-prefix",
    "--default-non-nullable=false",
    "--empty-objects-unknown",
)
_REF = "#/components/schemas/"


def wire_module() -> str:
    """The whole of `wire.ts`: one document of the socket's messages and the routes' bodies, so that no type is there twice."""
    answers = [
        route.answer for route in ROUTES if isinstance(route.answer, type) and route.answer is not Text
    ]
    bodies = [route.body for route in ROUTES if route.body is not None]
    named = {**ROOTS, "RoundEvent": AnyEvent, "AnyStudioOrder": AnyStudioOrder}
    kinds = [*named.values(), *dict.fromkeys((*bodies, *answers))]
    roots, parts = msgspec.json.schema_components(kinds, ref_template=_REF + "{name}")
    unions = dict(zip(named, roots, strict=False))
    sent = ["Message", *(kind.__name__ for kind in answers)]
    return f'export const SUBPROTOCOL = "{codec.SUBPROTOCOL}";\n\n{types(parts, unions, sent)}'


def types(parts: Schemas, unions: Schemas, sent: Iterable[str]) -> str:
    """The types of these schemas; in messages that the house sends, fields with a default are required."""
    text = json.dumps(parts)
    for name, union in unions.items():
        text = text.replace(json.dumps(union), json.dumps({"$ref": _REF + name}))
    schemas: Schemas = {**json.loads(text), **unions}
    for name in _reachable(schemas, sent):
        if "properties" in schemas[name]:
            schemas[name]["required"] = list(_always_sent(schemas[name]))
    return _generate(dict(sorted(schemas.items())))


def _always_sent(schema: dict[str, Any]) -> Iterator[str]:
    """The fields that a message always has; the schema of one that may be left out has no default."""
    for name, field in schema["properties"].items():
        if name in schema.get("required", ()) or "default" in field:
            yield name


def _reachable(schemas: Schemas, names: Iterable[str]) -> set[str]:
    """These schemas and all they are made of."""
    found: set[str] = set()
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(rf'"{_REF}(\w+)"', json.dumps(schemas[name]))
    return found


def _generate(schemas: Mapping[str, Any]) -> str:
    """Let openapi-typescript write the types of an OpenAPI document that has no paths."""
    document = {
        "openapi": "3.1.0",
        "info": {"title": "sabot", "version": "1"},
        "paths": {},
        "components": {"schemas": schemas},
    }
    node = Path(sys.executable).with_name("node")
    run = subprocess.run(
        [node, GENERATOR, *_OPTIONS], input=json.dumps(document), capture_output=True, text=True, cwd=WEB
    )
    if run.returncode:
        raise RuntimeError(f"openapi-typescript: {run.stderr}")
    return _plain(run.stdout)


def _plain(text: str) -> str:
    """The generated types without comments that repeat a name, a kind or a default."""
    text = re.sub(r"^ */\*\* @(enum|default) .*\*/\n", "", text, flags=re.M)
    text = re.sub(r"\n +\* @(enum|default)\b.*?(?=\n +(\* @|\*/))", "", text, flags=re.S)
    text = re.sub(r"^ */\*\*\n +\*/\n", "", text, flags=re.M)
    text = re.sub(r"(/\*\*\n) +\* \w+\n( +\* @description)", r"\1\2", text)
    return re.sub(r"/\*\*\s+(?:\* )?@description (.*?)\s+\*/", r"/** \1 */", text)


def modules() -> dict[str, str]:
    """The files the web client is compiled from, by name."""
    return {
        "wire.ts": f"{HEADER}\n\n{wire_module()}",
        "texts.ts": f"{HEADER}\n\n{texts_module()}",
        **{f"texts.{each}.ts": f"{HEADER}\n\n{language_module(texts(each))}" for each in LANGUAGES},
        **{
            f"texts.office.{each}.ts": f"{HEADER}\n\n{language_module(office_texts(each))}"
            for each in LANGUAGES
        },
        "games.ts": f"{HEADER}\n\n{games_module()}",
        "office/kinds.ts": f"{HEADER}\n\n{office_module()}",
    }
