"""Money as text. Amounts are whole cents everywhere (COM-20)."""

from __future__ import annotations


def format_money(cents: int, decimal_mark: str = ".") -> str:
    """An amount in units with two decimals.

    >>> format_money(-1250), format_money(5, ",")
    ('-12.50', '0,05')
    """
    units, rest = divmod(abs(cents), 100)
    return f"{'-' if cents < 0 else ''}{units}{decimal_mark}{rest:02d}"
