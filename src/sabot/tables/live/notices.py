"""What a table did to a player that nobody had asked for: told in words, at the table and in the history (PLT-49)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from sabot.engine.commands import Player
from sabot.rounds.queries import ToldRow
from sabot.store.facts import SEEN
from sabot.store.kinds import NoticeKind
from sabot.tables.live.view import Notice

#: Notices that are kept for a player who has not seen them, and players for whom they are kept.
KEPT_EACH = 20
KEPT_PLAYERS = 2_000
#: Milliseconds for which what was not seen is still told after the table was opened again.
KEPT_MS = 24 * 3_600_000

#: How it is told that a stake could not be added (FRB-27, ASR-41).
LACKS: dict[str, NoticeKind] = {"funds/insufficient": "not-covered", "limit/loss": "limit-reached"}


def place(n: int, i: int) -> int:
    """The place of a row's fact in a table's log, as one number that grows.

    >>> place(7, 1) < place(7, 2) < place(8, 0)
    True
    """
    return (n << 16) + i


def unseen(told: Iterable[ToldRow], since: int) -> dict[Player, tuple[Notice, ...]]:
    """What players have not seen of what they were told since a moment, oldest first."""
    left: dict[Player, tuple[Notice, ...]] = {}
    for n, i, number, at, what, round, spot, hand, detail, amount in told:
        player = str(number)
        if what == SEEN:
            left[player] = after(left.get(player, ()), amount)
        elif at >= since:
            notice = Notice(cast(NoticeKind, what), place(n, i), at, round, spot, hand, detail, amount)
            left[player] = (*left.pop(player, ()), notice)[-KEPT_EACH:]
    return {player: notices for player, notices in left.items() if notices}


def after(notices: Iterable[Notice], upto: int) -> tuple[Notice, ...]:
    """Those that stand behind a place in the log."""
    return tuple(notice for notice in notices if notice.number > upto)
