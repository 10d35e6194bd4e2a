"""The OpenAPI document, made from the table of routes."""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

import sabot
from sabot.errors import REFUSALS
from sabot.protocol.codec import SUBPROTOCOL
from sabot.server.http.dispatch import LONGEST_BODY, PREFIX, ROLES, Download, Route, Text
from sabot.server.http.middleware import COOKIE

_REF = "#/components/schemas/{name}"
_ABOUT = (
    f"Rounds are played over a WebSocket at `{PREFIX}/socket`, subprotocol `{SUBPROTOCOL}`. Its messages are described"
    f" by a JSON Schema: [{PREFIX}/socket.json]({PREFIX}/socket.json)."
)

#: Responses that are not JSON, by their type in Python.
_PLAIN: dict[Any, dict[str, Any]] = {
    Text: {"text/plain": {"schema": {"type": "string"}}},
    Download: {"*/*": {"schema": {"type": "string", "format": "binary"}}},
}

Schema = dict[str, Any]


@cache
def document(routes: tuple[Route, ...]) -> Schema:
    """The whole document."""
    kinds = [kind for route in routes for kind in (route.body, route.answer) if kind not in (None, *_PLAIN)]
    kinds = list(dict.fromkeys(kinds))
    schemas, components = msgspec.json.schema_components(kinds, ref_template=_REF)
    schema_of = dict(zip(kinds, schemas, strict=True))
    paths: dict[str, Schema] = defaultdict(dict)
    for route in routes:
        paths[PREFIX + route.path][route.method.lower()] = _operation(route, schema_of)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "sabot",
            "description": _ABOUT,
            "version": sabot.__version__,
            "license": {"name": "Apache-2.0"},
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                "cookie": {"type": "apiKey", "in": "cookie", "name": COOKIE},
                "bearer": {"type": "http", "scheme": "bearer"},
            },
        },
    }


def _operation(route: Route, schema_of: dict[Any, Schema]) -> Schema:
    operation: Schema = {
        "operationId": operation_id(route),
        "summary": route.summary,
        "parameters": [*_parameters(route.names, "path"), *_parameters(route.query, "query")],
        "responses": {**_answer(route, schema_of), **_refusals(route)},
        "security": _security(route),
    }
    if route.access in ROLES:
        operation["description"] = f"For the role {' or '.join(ROLES[route.access])}."
    if route.access == "device":
        operation["description"] = "For a card-reading shoe of this table, with the token of its settings."
    if route.body is not None:
        operation["requestBody"] = {
            "required": True,
            "description": f"At most {LONGEST_BODY} bytes.",
            "content": {"application/json": {"schema": schema_of[route.body]}},
        }
    return operation


def _security(route: Route) -> list[Schema]:
    if route.access == "anyone":
        return [{}]
    return [{"bearer": []}] if route.access == "device" else [{"cookie": []}, {"bearer": []}]


def operation_id(route: Route) -> str:
    """A name for a route: its method and the words of its path.

    >>> from sabot.server.http.routes import ROUTES
    >>> operation_id(ROUTES[0]), operation_id(ROUTES[-3])
    ('post_register', 'post_rounds_code_void')
    """
    return "_".join([route.method.lower(), *re.findall(r"[a-z]+", route.path)])


def _parameters(kind: type[Struct] | None, place: str) -> Iterator[Schema]:
    """The fields of a struct as parameters."""
    if kind is None:
        return
    schema = msgspec.json.schema(kind)["$defs"][kind.__name__]
    for name, field in schema["properties"].items():
        required = name in schema.get("required", ())
        yield {"name": name, "in": place, "required": required, "schema": _without_null(field)}


def _without_null(field: Schema) -> Schema:
    """The schema of a field in a path or query, where nothing is null."""
    kinds = [kind for kind in field.get("anyOf", ()) if kind != {"type": "null"}]
    return kinds[0] if len(kinds) == 1 else {name: part for name, part in field.items() if name != "default"}


def _answer(route: Route, schema_of: dict[Any, Schema]) -> Schema:
    if route.answer is None:
        return {"204": {"description": "Done."}}
    content = _PLAIN.get(route.answer) or {"application/json": {"schema": schema_of[route.answer]}}
    return {"200": {"description": "Done.", "content": content}}


def _refusals(route: Route) -> Schema:
    """One response for each status, with the codes it may carry."""
    codes: dict[int, list[str]] = defaultdict(list)
    for code in route.refusals:
        codes[REFUSALS[code].status].append(code)
    return {str(status): _refusal(codes[status]) for status in sorted(codes)}


def _refusal(codes: list[str]) -> Schema:
    failure = {
        "type": "object",
        "properties": {"code": {"enum": codes}, "params": {"type": "object"}},
        "required": ["code", "params"],
        "additionalProperties": False,
    }
    refused = {
        "type": "object",
        "properties": {"error": failure},
        "required": ["error"],
        "additionalProperties": False,
    }
    answer: Schema = {"description": ", ".join(codes), "content": {"application/json": {"schema": refused}}}
    if "rate/limited" in codes:
        answer["headers"] = {"Retry-After": {"schema": {"type": "integer"}, "description": "Seconds."}}
    return answer
