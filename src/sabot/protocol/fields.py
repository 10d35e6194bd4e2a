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

from typing import Annotated, Literal, NamedTuple, get_args

from msgspec import Meta, Struct

from sabot.engine.commands import BetName
from sabot.store.kinds import Currency

#: A character of one line of text: no control (C0, DEL, C1), no line or paragraph separator, no mark that changes the
#: direction of text, no half of a surrogate pair.
PLAIN = r"[^\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]"


#: What each pattern allows, in words.
_WORDS = {repr(get_args(BetName)[1].pattern): "1 to 32 small letters, digits, + and -"}


def whole(pattern: str, words: str) -> str:
    """A pattern for a whole text; `words` say what it allows. `$` alone would allow a line break at the end."""
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


_LINE = whole(f"{PLAIN}*", "one line of text without control characters")

#: A quality of a table's video, or what a player chooses instead of one: the page chooses, or no video is loaded (PLT-43).
VideoQuality = Annotated[str, Meta(pattern=whole("[a-z0-9]{1,12}", "1 to 12 small letters and digits"))]
AUTOMATIC = "auto"
NO_VIDEO = "off"

#: The title of a table.
Title = Annotated[str, Meta(max_length=60, pattern=_LINE)]

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
#: A wished name of any kind: one that cannot be registered has a code of its own (`name/bad`).
AnyName = Annotated[str, Meta(max_length=256)]
Password = Annotated[str, Meta(min_length=1, max_length=1024, pattern=_LINE)]
LEAST_REASON, MOST_REASON = 3, 200
#: Why an operator does something (ASR-33).
Reason = Annotated[str, Meta(min_length=LEAST_REASON, max_length=MOST_REASON, pattern=_LINE)]
#: What a player reads of why an operator did something; may be left out (PLT-73).
PublicReason = Annotated[
    str,
    Meta(
        pattern=whole(
            f"({PLAIN}{{{LEAST_REASON},{MOST_REASON}}})?",
            f"nothing, or one line of {LEAST_REASON} to {MOST_REASON} characters without control characters",
        )
    ),
]

# The HTTP API

Language = Literal["it", "en"]
PlayerName = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=whole("[A-Za-z0-9._-]+", "letters, digits, . _ and -"))
]
TableName = Annotated[str, Meta(pattern=whole("[a-z0-9-]{1,40}", "1 to 40 small letters, digits and -"))]
GameName = Annotated[
    str, Meta(min_length=1, max_length=32, pattern=whole("[a-z0-9-]+", "small letters, digits and -"))
]
Code = Annotated[
    str, Meta(pattern=whole("[0-9]{6}-[0-9]{6}-[A-Z2-7]{4}", "the code of a round, as 260829-104000-K7QA"))
]
#: The most lines of a page, and a time in milliseconds of UTC.
PageSize = Annotated[int, Meta(ge=1, le=100)]
Millis = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class Form(Struct, frozen=True, forbid_unknown_fields=True):
    """Base of the HTTP API's bodies and queries: an unknown field is refused."""


class ListQuery(Form, frozen=True):
    """A page of a list: at most `limit` lines, in a currency, from a time until before another."""

    limit: PageSize = 20
    currency: Currency | None = None
    since: Millis | None = None
    until: Millis | None = None
