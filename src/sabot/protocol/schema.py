"""The socket's messages as JSON Schema."""

from __future__ import annotations

from typing import Any

import msgspec

from sabot.protocol import messages

#: Where the schema names its parts.
REF = "#/$defs/"
#: The roots of the socket's language.
_ROOTS: dict[str, Any] = {
    "Ask": messages.AnyAsk,
    "Told": messages.AnyTold,
    "TableEvent": messages.TableEvent,
    "Frame": messages.Frame,
}


def schema() -> dict[str, Any]:
    """Everything that goes over the socket: `Ask` up; `Told` and `Frame`, full of `TableEvent`s, down."""
    roots, parts = msgspec.json.schema_components(_ROOTS.values(), ref_template=REF + "{name}")
    unions = {name: root for name, root in zip(_ROOTS, roots, strict=True) if "anyOf" in root}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": messages.SUBPROTOCOL,
        "description": "A client sends `Ask`; the house sends `Told`, and of tables `Frame`.",
        "$defs": dict(sorted((parts | unions).items())),
    }
