"""What bots did, in numbers."""

from __future__ import annotations

from collections import Counter

from msgspec import Struct, field


class Tally(Struct):
    """Counts over all bots of a company; amounts in cents."""

    #: Bots that are at the table now.
    there: int = 0
    rounds: int = 0
    staked: int = 0
    paid: int = 0
    #: What was done, by kind: bet, decide, vote, sit, talk, …
    moves: Counter[str] = field(default_factory=Counter)
    #: What came too late, or when something else was due: people do that too.
    late: int = 0
    #: What was refused otherwise, by code.
    errors: Counter[str] = field(default_factory=Counter)
    #: Connections that broke and were opened again.
    reconnected: int = 0
