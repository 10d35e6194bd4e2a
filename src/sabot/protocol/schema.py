"""The socket's messages as JSON Schema."""

from __future__ import annotations

from typing import Any

import msgspec

from sabot.protocol import codec, messages, requests

#: Where the schema names its parts.
REF = "#/$defs/"
#: The roots of the socket's language.
_ROOTS: dict[str, Any] = {
    "Request": requests.AnyRequest,
    "Message": messages.AnyMessage,
    "TableEvent": messages.TableEvent,
}


def schema() -> dict[str, Any]:
    """Everything that goes over the socket: `Request` up, `Message` down."""
    roots, parts = msgspec.json.schema_components(_ROOTS.values(), ref_template=REF + "{name}")
    unions = {name: root for name, root in zip(_ROOTS, roots, strict=True) if "anyOf" in root}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": codec.SUBPROTOCOL,
        "description": "A client sends `Request`; the house sends `Message`.",
        "$defs": dict(sorted((parts | unions).items())),
    }
