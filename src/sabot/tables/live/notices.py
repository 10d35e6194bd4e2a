"""Notices: what a table did to players that nobody had asked for, until they have seen it (PLT-49)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import cast

from msgspec.structs import replace

from sabot.engine.commands import Player
from sabot.rounds.queries import NoticeRow
from sabot.store.entry import Body
from sabot.store.facts import SEEN, Noticed, NoticesSeen
from sabot.store.kinds import NoticeKind
from sabot.tables.live.phases import Phases
from sabot.tables.live.step import StepBuilder
from sabot.tables.live.view import Notice
from sabot.tables.table import Table

#: Notices that are kept for a player who has not seen them, and players for whom they are kept.
KEPT_EACH = 20
KEPT_PLAYERS = 2_000
#: Milliseconds for which a notice that was not seen is still told after the table was opened again.
KEPT_MS = 24 * 3_600_000

#: The notice for a stake that could not be added (FRB-27, ASR-41).
LACKS: dict[str, NoticeKind] = {"funds/insufficient": "not-covered", "limit/loss": "limit-reached"}


class Notices:
    """The notices that players have not seen."""

    def __init__(self, table: Table, phases: Phases, step: StepBuilder) -> None:
        self._table = table
        self._phases = phases
        self._step = step
        #: By player, oldest first.
        self.unseen = _unseen(table.past_notices, phases.now - KEPT_MS)

    def tell(self, *told: tuple[Player, Notice]) -> None:
        """Tell players what was done to them; one log entry keeps it for the history."""
        if not told:
            return
        game, currency = self._table.rules.name, self._table.config.currency
        facts = tuple(
            Noticed(int(player), to.what, game, currency, to.round, to.spot, to.hand, to.detail, to.amount)
            for player, to in told
        )
        entry = self._table.stream.entry(self._phases.now, "notice", Body(facts=facts))
        self._step.store(entry)
        for i, (player, notice) in enumerate(told):
            placed = replace(notice, number=place(entry.n, i), at=entry.at)
            self.unseen[player] = (*self.unseen.pop(player, ()), placed)[-KEPT_EACH:]
        self._step.touch(*(player for player, _ in told))
        while len(self.unseen) > KEPT_PLAYERS:
            del self.unseen[next(iter(self.unseen))]

    def see(self, player: Player, number: int) -> None:
        """A player has seen the notices up to a number; that is stored, for after a restart."""
        told = self.unseen.pop(player, ())
        left = after(told, number)
        if left:
            self.unseen[player] = left
        if left != told:
            game, currency = self._table.rules.name, self._table.config.currency
            fact = NoticesSeen(int(player), game, currency, min(number, told[-1].number))
            self._step.store(self._table.stream.entry(self._phases.now, "see", Body(facts=(fact,))))
        self._step.touch(player)


def place(n: int, i: int) -> int:
    """The place of a fact in a table's log, as one number that grows.

    >>> place(7, 1) < place(7, 2) < place(8, 0)
    True
    """
    return (n << 16) + i


def _unseen(told: Iterable[NoticeRow], since: int) -> dict[Player, tuple[Notice, ...]]:
    """The notices since a moment that players have not seen, oldest first."""
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
