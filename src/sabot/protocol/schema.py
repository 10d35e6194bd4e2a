"""The socket's messages as JSON Schema."""

from functools import cache
from typing import Any

import msgspec

from sabot.protocol import codec, messages, requests

#: The roots of the socket's language.
ROOTS: dict[str, Any] = {
    "Request": requests.AnyRequest,
    "Message": messages.AnyMessage,
    "TableEvent": messages.TableEvent,
}


@cache
def schema(refs: str = "#/$defs/") -> dict[str, Any]:
    """Everything that goes over the socket: `Request` up, `Message` down; `refs` is where its parts are looked for."""
    roots, parts = msgspec.json.schema_components(ROOTS.values(), ref_template=refs + "{name}")
    unions = dict(zip(ROOTS, roots, strict=True))
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": codec.SUBPROTOCOL,
        "description": "A client sends `Request`; the house sends `Message`.",
        "$defs": dict(sorted((parts | unions).items())),
    }
