"""Types of the text that comes in: each has a length and a pattern, so no field holds what a database cannot store.

PostgreSQL stores no NUL, and no JSON holds half of a surrogate pair; a control character has no place in any field.

>>> import msgspec
>>> msgspec.convert("5f1c-8a", RequestId)
'5f1c-8a'
>>> try:
...     msgspec.convert(["a\\0b"], list[RequestId])
... except msgspec.ValidationError as error:
...     print(problem_of(error))
[0]: Expected 1 to 64 letters, digits, _ and -
"""

from typing import Annotated, NamedTuple, get_args

from msgspec import Meta

from sabot.engine.commands import BetName

#: A character of one line of text: no controls (C0, DEL, C1), no line or paragraph separator, nothing that turns the
#: direction of what follows, no half of a surrogate pair.
_PLAIN = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


#: What each pattern allows, in words.
_WORDS = {repr(get_args(BetName)[1].pattern): "1 to 32 small letters, digits, + and -"}


def whole(pattern: str, words: str) -> str:
    """A pattern for the whole of a text, and what it allows in words; `$` alone lets a line end through."""
    full = rf"^{pattern}$(?!\n)"
    _WORDS[repr(full)] = words
    return full


class Problem(NamedTuple):
    """Where a request is wrong, by the path of the field, and what would be right."""

    field: str
    what: str

    def __str__(self) -> str:
        return f"{self.field}: {self.what}" if self.field else self.what


def problem_of(error: Exception) -> Problem:
    """What msgspec says of a request, with words instead of regular expressions."""
    what, _, path = str(error).partition(" - at `$")
    head, found, pattern = what.partition("`str` matching regex ")
    if found:
        what = head + _WORDS.get(pattern, "another text")
    return Problem(path.strip("`."), what)


_LINE = whole(f"{_PLAIN}*", "one line of text without control characters")

#: The id that a client gives a request: the same id with the same contents is carried out once (ASR-11).
RequestId = Annotated[str, Meta(pattern=whole("[A-Za-z0-9_-]{1,64}", "1 to 64 letters, digits, _ and -"))]
#: The name of a table, a game, a round or limits, as a socket names them: `solo/7/link/FUN`, `live/freebet`.
Name = Annotated[str, Meta(pattern=whole("[A-Za-z0-9._/-]{1,64}", "1 to 64 letters, digits, . _ / and -"))]
#: A player's part in a shuffle (ASR-02).
ClientSeed = Annotated[str, Meta(max_length=64, pattern=_LINE)]
#: A version of the terms (PLT-62).
TermsVersion = Annotated[
    str, Meta(pattern=whole("[A-Za-z0-9._-]{1,32}", "1 to 32 letters, digits, . _ and -"))
]
#: What a player says at a table (PLT-40).
Line = Annotated[str, Meta(min_length=1, max_length=200, pattern=_LINE)]
#: A name that someone would like to have: which names can be had is said with a code of its own (`name/bad`).
AnyName = Annotated[str, Meta(max_length=256)]
Password = Annotated[str, Meta(min_length=1, max_length=1024, pattern=_LINE)]
LEAST_REASON, MOST_REASON = 3, 200
#: Why an operator does something (ASR-33).
Reason = Annotated[str, Meta(min_length=LEAST_REASON, max_length=MOST_REASON, pattern=_LINE)]
