"""The socket's frames as bytes: JSON, one value a frame.

>>> decode(b'{"type":"act","id":"a","table":"solo/link","round":"x","turn":2,"command":{"type":"hit","spot":0}}')
Act(id='a', table='solo/link', round='x', turn=2, command=Hit(spot=0, hand=0))
>>> decode(b'{"type":"act"}')
Traceback (most recent call last):
sabot.protocol.codec.WireError: Object missing required field `id`
"""

from __future__ import annotations

import msgspec
from msgspec import Struct

from sabot.protocol.fields import RequestId, problem_of
from sabot.protocol.requests import AnyRequest

#: The subprotocol of the socket, and the longest frame a client may send.
SUBPROTOCOL = "sabot.v1"
LONGEST_FRAME = 4096

_REQUEST: msgspec.json.Decoder[AnyRequest] = msgspec.json.Decoder(AnyRequest)
encode = msgspec.json.Encoder().encode


class WireError(ValueError):
    """Bytes that are no request; says what is wrong with them."""


class _Named(Struct):
    id: RequestId = ""


_NAMED = msgspec.json.Decoder(_Named)


def id_of(frame: bytes | str) -> str:
    """The id of a request that cannot be read, if it has one: its sender waits for a response to that.

    >>> id_of('{"type": "bet", "id": "17"}'), id_of("{}"), id_of("no request")
    ('17', '', '')
    """
    try:
        return _NAMED.decode(frame[:LONGEST_FRAME]).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


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
