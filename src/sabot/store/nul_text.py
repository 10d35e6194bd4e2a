"""Text that not every database can hold, written so that every one can.

An older house on SQLite took request ids with a NUL, which PostgreSQL does not store. Restored from a backup, such a
text stands there as a JSON string, filled up with spaces to more characters than any id has: so it is seen, is never
taken for another, and its row still fits the chain of hashes.

>>> escape("a\\0b").rstrip()
'"a\\\\u0000b"'
>>> original(escape("a\\0b")) == "a\\0b", original("a-b"), original(7)
(True, 'a-b', 7)
"""

from __future__ import annotations

import msgspec

#: Characters that no id reaches.
_LENGTH = 65


def escape(text: str) -> str:
    """A text with a NUL as any database can hold it."""
    return msgspec.json.encode(text).decode().ljust(_LENGTH)


def original(cell: object) -> object:
    """What a cell held before it was escaped; any other cell as it is."""
    if not isinstance(cell, str) or len(cell) < _LENGTH or not cell.startswith('"'):
        return cell
    try:
        text = msgspec.json.decode(cell, type=str)
    except msgspec.DecodeError:
        return cell
    return text if "\0" in text else cell
