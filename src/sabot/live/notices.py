"""What a table did to a player that nobody had asked for: told in words, at the table and in the history (PLT-49)."""

from __future__ import annotations

from msgspec import Struct

from sabot.store.facts import NoticeKind

#: Notices that are kept for a player who has not seen them, and players for whom they are kept.
KEPT_EACH = 20
KEPT_PLAYERS = 2_000

#: How it is told that a stake could not be added (FRB-27, ASR-41).
LACKS: dict[str, NoticeKind] = {"funds/insufficient": "not-covered", "limit/loss": "limit-reached"}


class Notice(Struct, frozen=True):
    """A thing that happened to a player, until the player's page says that it was seen."""

    what: NoticeKind
    #: Counted by the table, and when it was.
    number: int = 0
    at: int = 0
    round: str = ""
    #: The seat or box; -1 where it is none.
    spot: int = -1
    hand: int = 0
    #: What was decided ("hit"), what was wanted and what was done in its place ("double hit"), what was wanted and could
    #: not be followed ("double"), or why a bet went back.
    detail: str = ""
    amount: int = 0
