"""The socket's messages as bytes: JSON, one value a frame.

>>> decode(b'{"type":"act","id":"a","table":"solo/link","round":"x","turn":2,"command":{"type":"hit","spot":0}}')
Act(id='a', table='solo/link', round='x', turn=2, command=Hit(spot=0, hand=0))
>>> decode(b'{"type":"act"}')
Traceback (most recent call last):
sabot.protocol.codec.WireError: Object missing required field `id`
"""

import struct
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct

from sabot.errors import Refusal
from sabot.protocol.fields import RequestId, problem_of
from sabot.protocol.messages import Failure, Message, Response
from sabot.protocol.requests import AnyRequest

#: The subprotocol of the socket, and the longest frame a client may send.
SUBPROTOCOL = "sabot.v1"
LONGEST_FRAME = 4096

#: The first byte of a frame that is a whole text message (RFC 6455, section 5.2).
_TEXT = 0x81

_REQUEST: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
encode = msgspec.json.Encoder().encode


class WireError(ValueError):
    """Bytes that are no request; says what is wrong with them."""


class _Named(Struct):
    id: RequestId = ""


_NAMED = msgspec.json.Decoder(_Named)

# From clients


def decode(frame: bytes | str) -> AnyRequest:
    """The request of a frame; `WireError` for anything else."""
    if len(frame) > LONGEST_FRAME:
        raise WireError(f"a frame has at most {LONGEST_FRAME} bytes, not {len(frame)}")
    try:
        return _REQUEST.decode(frame)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise WireError(str(problem_of(error))) from None
    except RecursionError:
        raise WireError("nested too deeply") from None


def id_of(frame: bytes | str) -> str:
    """The id of a request that cannot be read, if it has one: its sender waits for a response.

    >>> id_of('{"type": "bet", "id": "17"}'), id_of("{}"), id_of("no request")
    ('17', '', '')
    """
    try:
        return _NAMED.decode(frame[:LONGEST_FRAME]).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


# To clients


def pack(message: Message) -> bytes:
    """The frame of a message: packed once, the same bytes to every socket; not masked, not compressed, in one piece.

    >>> pack(Response("a"))
    b'\\x81.{"type":"answer","id":"a","error":null,"at":0}'
    """
    text = encode(message)
    length = len(text)
    if length < 126:
        return struct.pack("!BB", _TEXT, length) + text
    if length < 1 << 16:
        return struct.pack("!BBH", _TEXT, 126, length) + text
    return struct.pack("!BBQ", _TEXT, 127, length) + text


def pack_response(id: str, error: Refusal | None = None, at: int = 0) -> bytes:
    """The frame of the response to a request; `at` is the server's clock."""
    return pack(Response(id, None if error is None else failure_of(error), at))


def failure_of(error: Refusal) -> Failure:
    """A refusal as it is sent; so is one that is the reason of it."""
    return Failure(error.code, {name: _param(value) for name, value in error.params.items()})


def _param(value: object) -> Failure | int | str | None:
    if isinstance(value, Refusal):
        return failure_of(value)
    return value if isinstance(value, int | None) else printable(str(value))


def refusal_from(code: str, params: Mapping[str, Any]) -> Refusal:
    """The refusal that was sent as a failure.

    >>> str(refusal_from("change/unusable", {"reason": {"code": "option/no-table", "params": {"table": "one"}}}))
    "This cannot be set: there is no live table 'one'"
    """
    return Refusal(
        code,
        **{
            name: refusal_from(**value) if isinstance(value, dict) else value
            for name, value in params.items()
        },
    )


def printable(text: str) -> str:
    """A text that can be sent: control characters, and bytes that are not UTF-8, become question marks.

    >>> printable("http://x\\0")
    'http://x?'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)
