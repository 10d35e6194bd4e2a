"""Types of the text that comes in: each has a length and a pattern, so no field holds what a database cannot store.

PostgreSQL stores no NUL, and no JSON holds half of a surrogate pair; a control character has no place in any field.

>>> import msgspec
>>> msgspec.convert("5f1c-8a", RequestId)
'5f1c-8a'
>>> msgspec.convert("a\\0b", RequestId)
Traceback (most recent call last):
msgspec.ValidationError: Expected `str` matching regex '^[A-Za-z0-9_-]{1,64}$(?!\\\\n)'
"""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta

#: A character of one line of text: no controls (C0, DEL, C1), no line or paragraph separator, nothing that turns the
#: direction of what follows, no half of a surrogate pair.
_PLAIN = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


def whole(pattern: str) -> str:
    """A pattern for the whole of a text; `$` alone lets a line end through."""
    return rf"^{pattern}$(?!\n)"


#: The id that a client gives a request: the same id with the same contents is carried out once (ASR-11).
RequestId = Annotated[str, Meta(pattern=whole("[A-Za-z0-9_-]{1,64}"))]
#: The name of a table, a game, a round or limits, as a socket names them: `solo/7/link/FUN`, `live/freebet`.
Name = Annotated[str, Meta(pattern=whole("[A-Za-z0-9._/-]{1,64}"))]
#: A player's part in a shuffle (ASR-02).
ClientSeed = Annotated[str, Meta(max_length=64, pattern=whole(f"{_PLAIN}*"))]
#: What a player says at a table (PLT-40).
Line = Annotated[str, Meta(min_length=1, max_length=200, pattern=whole(f"{_PLAIN}+"))]
#: A name that someone would like to have: which names can be had is said with a code of its own (`name/bad`).
AnyName = Annotated[str, Meta(max_length=256)]
Password = Annotated[str, Meta(min_length=1, max_length=1024, pattern=whole(f"{_PLAIN}+"))]
LEAST_REASON, MOST_REASON = 3, 200
#: Why an operator does something (ASR-33).
Reason = Annotated[str, Meta(min_length=LEAST_REASON, max_length=MOST_REASON, pattern=whole(f"{_PLAIN}+"))]
