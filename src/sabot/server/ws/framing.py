"""A frame as it goes over the wire: packed once, and the same bytes to every socket (RFC 6455, section 5.2).

>>> pack(b"hi").hex()
'81026869'
>>> len(pack(bytes(200))) - 200, len(pack(bytes(70_000))) - 70_000
(4, 10)
"""

from __future__ import annotations

import struct

#: A whole message of text.
_TEXT = 0x81


def pack(frame: bytes) -> bytes:
    """The bytes of a text message to a client: not masked, not compressed, in one piece."""
    length = len(frame)
    if length < 126:
        return struct.pack("!BB", _TEXT, length) + frame
    if length < 1 << 16:
        return struct.pack("!BBH", _TEXT, 126, length) + frame
    return struct.pack("!BBQ", _TEXT, 127, length) + frame
