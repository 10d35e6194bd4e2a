"""Columns of tables from Python types, in the types that SQLite and PostgreSQL share."""

from __future__ import annotations

from typing import Any, get_args

from sqlalchemy import BigInteger, Boolean, Column, LargeBinary, Text

_TYPES: dict[Any, Any] = {int: BigInteger, str: Text, bytes: LargeBinary, bool: Boolean}


def columns(**kinds: Any) -> list[Column[Any]]:
    """Columns by name; `int | None` may be empty, `int` may not.

    >>> columns(n=int, round=str | None)[1].nullable
    True
    """
    return [
        Column(
            name, _TYPES[(get_args(kind) or (kind,))[0]], nullable=bool(get_args(kind)), autoincrement=False
        )
        for name, kind in kinds.items()
    ]
