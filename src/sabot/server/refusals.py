"""Everything the house refuses with, and the frame that answers a question."""

from __future__ import annotations

from sabot.errors import Refusal
from sabot.protocol import codec, messages
from sabot.store.failing import is_unusable


def refusal_of(error: Exception) -> Refusal:
    """What is told of an error that is no refusal: that the database cannot be used, or that nobody expected it."""
    return Refusal("house/down") if is_unusable(error) else Refusal("house/error")


def plain(text: str) -> str:
    """A text that can be sent: bytes of a header that are no UTF-8, and controls, become question marks.

    >>> plain("http://x\\0")
    'http://x?'
    """
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _sendable(value: object) -> object:
    return plain(value) if isinstance(value, str) else value


def answer(id: str, error: Refusal | None = None, at: int = 0) -> bytes:
    """The frame that answers a question; `at` is the server's clock."""
    failure = None
    if error is not None:
        failure = messages.Failure(
            error.code, {name: _sendable(value) for name, value in error.params.items()}
        )
    return codec.encode(messages.Response(id, failure, at))
