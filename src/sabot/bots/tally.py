"""Counts of what bots did."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field


class Tally(Struct):
    """Counts over a group of bots; amounts in cents."""

    #: Bots at the table now.
    there: int = 0
    rounds: int = 0
    staked: int = 0
    paid: int = 0
    #: Moves by kind: bet, decide, vote, sit, talk, …
    moves: Counter[str] = field(default_factory=Counter)
    #: Moves that came too late.
    late: int = 0
    #: Other refusals, by code.
    errors: Counter[str] = field(default_factory=Counter)
    reconnected: int = 0
