"""Pictures made small: a palette of 256 colours in place of a gradient's thousands, a seventh of the bytes."""

from __future__ import annotations

import base64
import struct
import zlib

import numpy as np
from numpy.typing import NDArray
from playwright.sync_api import Page

#: Lets the browser, which can read its own pictures, give the colours.
_PIXELS = """
async (data) => {
  const image = await createImageBitmap(await (await fetch(`data:image/png;base64,${data}`)).blob());
  const pen = new OffscreenCanvas(image.width, image.height).getContext("2d");
  pen.drawImage(image, 0, 0);
  const bytes = pen.getImageData(0, 0, image.width, image.height).data;
  let text = "";
  for (let at = 0; at < bytes.length; at += 32768)
    text += String.fromCharCode.apply(null, bytes.subarray(at, at + 32768));
  return [image.width, image.height, btoa(text)];
}
"""
_COLOURS = 256


def small(page: Page, picture: bytes) -> bytes:
    """A picture with at most 256 colours. The page is one of no site: it only reads the picture."""
    width, height, text = page.evaluate(_PIXELS, base64.b64encode(picture).decode())
    pixels = np.frombuffer(base64.b64decode(text), np.uint8).reshape(height, width, 4)[..., :3]
    return _indexed(pixels)


def _indexed(pixels: NDArray[np.uint8]) -> bytes:
    height, width, _ = pixels.shape
    coarse = np.minimum((pixels.astype(np.int32) + 4) >> 3, 31)
    keys = (coarse[..., 0] << 10) | (coarse[..., 1] << 5) | coarse[..., 2]
    found, where, counts = np.unique(keys, return_inverse=True, return_counts=True)
    shades = np.stack([found >> 10, (found >> 5) & 31, found & 31], axis=-1)
    palette = shades[np.argsort(-counts)[:_COLOURS]]  # the most common; others become the nearest of them
    nearest = ((shades[:, None, :] - palette[None, :, :]) ** 2).sum(axis=-1).argmin(axis=1).astype(np.uint8)
    index = nearest[where].reshape(height, width)
    lines = np.concatenate([np.zeros((height, 1), np.uint8), index], axis=1)
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    parts = (
        (b"IHDR", header),
        (b"PLTE", _means(pixels, index, len(palette))),
        (b"IDAT", zlib.compress(lines.tobytes(), 9)),
        (b"IEND", b""),
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, body) for kind, body in parts)


def _means(pixels: NDArray[np.uint8], index: NDArray[np.uint8], colours: int) -> bytes:
    """Each colour of the palette as the mean of what it stands for."""
    flat = index.ravel()
    counts = np.maximum(np.bincount(flat, minlength=colours), 1)
    sums = [np.bincount(flat, weights=pixels[..., part].ravel(), minlength=colours) for part in range(3)]
    return bytes(np.stack([np.round(each / counts) for each in sums], axis=-1).astype(np.uint8).tobytes())


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
