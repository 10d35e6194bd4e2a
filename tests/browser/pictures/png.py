"""Pictures made small: a palette of 256 colours in place of a gradient's thousands, a fifth of the bytes."""

from __future__ import annotations

from io import BytesIO

from PIL import Image


def small(picture: bytes) -> bytes:
    """A picture with at most 256 colours. The octree keeps rare colours, as red suits, and equal areas equal."""
    written = BytesIO()
    image = Image.open(BytesIO(picture)).convert("RGB")
    image.quantize(256, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(
        written, "PNG", optimize=True
    )
    return written.getvalue()
