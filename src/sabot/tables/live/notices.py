"""Notices to players of what the table did for them, kept until they are seen (PLT-49)."""

from collections.abc import Iterable, Sequence
from typing import cast

from msgspec.structs import replace

from sabot.engine.commands import Player
from sabot.rounds.queries import NoticeRow
from sabot.store.entry import Body, LogEntry
from sabot.store.facts import SEEN, Noticed, NoticesSeen
from sabot.store.kinds import NoticeKind
from sabot.tables.live.phases import Phases
from sabot.tables.live.step import StepBuilder
from sabot.tables.live.view import Notice
from sabot.tables.table import Table

#: Unseen notices that are kept for a player, and players for whom they are kept.
KEPT_EACH = 20
KEPT_PLAYERS = 2_000
#: Milliseconds for which an unseen notice survives a restart of the table.
KEPT_MS = 24 * 3_600_000

#: The notice for a stake that could not be added (FRB-27, ASR-41).
LACKS: dict[str, NoticeKind] = {"funds/insufficient": "not-covered", "limit/loss": "limit-reached"}


class Notices:
    """The unseen notices of all players."""

    def __init__(self, table: Table, phases: Phases, step: StepBuilder) -> None:
        self._table = table
        self._phases = phases
        self._step = step
        #: By player, oldest first.
        self.unseen = unseen_of(table.past_notices, phases.now - KEPT_MS)

    def send(self, *sent: tuple[Player, Notice]) -> None:
        """Send notices to players; one log entry keeps them for the history."""
        if not sent:
            return
        entry = notice_entry(self._table, self._phases.now, sent)
        self._step.store(entry)
        for i, (player, notice) in enumerate(sent):
            placed = replace(notice, number=place(entry.n, i), at=entry.at)
            self.unseen[player] = (*self.unseen.pop(player, ()), placed)[-KEPT_EACH:]
        self._step.touch(*(player for player, _ in sent))
        while len(self.unseen) > KEPT_PLAYERS:
            del self.unseen[next(iter(self.unseen))]

    def see(self, player: Player, number: int) -> None:
        """Mark a player's notices up to a number as seen, in the log too."""
        before = self.unseen.pop(player, ())
        left = after(before, number)
        if left:
            self.unseen[player] = left
        if left != before:
            upto = min(number, before[-1].number)
            self._step.store(seen_entry(self._table, self._phases.now, player, upto))
        self._step.touch(player)


def notice_entry(table: Table, at: int, sent: Sequence[tuple[Player, Notice]]) -> LogEntry:
    """The log entry that keeps notices for the history."""
    game, currency = table.rules.name, table.config.currency
    facts = tuple(
        Noticed(int(player), to.what, game, currency, to.round, to.spot, to.hand, to.detail, to.amount)
        for player, to in sent
    )
    return table.stream.entry(at, "notice", Body(facts=facts))


def seen_entry(table: Table, at: int, player: Player, upto: int) -> LogEntry:
    """The log entry of a player who has seen the notices up to a number."""
    fact = NoticesSeen(int(player), table.rules.name, table.config.currency, upto)
    return table.stream.entry(at, "see", Body(facts=(fact,)))


def place(n: int, i: int) -> int:
    """The place of a fact in a table's log, as one growing number.

    >>> place(7, 1) < place(7, 2) < place(8, 0)
    True
    """
    return (n << 16) + i


def unseen_of(rows: Iterable[NoticeRow], since: int) -> dict[Player, tuple[Notice, ...]]:
    """The unseen notices since a moment, oldest first."""
    left: dict[Player, tuple[Notice, ...]] = {}
    for n, i, number, at, what, round, spot, hand, detail, amount in rows:
        player = str(number)
        if what == SEEN:
            left[player] = after(left.get(player, ()), amount)
        elif at >= since:
            notice = Notice(cast(NoticeKind, what), place(n, i), at, round, spot, hand, detail, amount)
            left[player] = (*left.pop(player, ()), notice)[-KEPT_EACH:]
    return {player: notices for player, notices in left.items() if notices}


def after(notices: Iterable[Notice], upto: int) -> tuple[Notice, ...]:
    """The notices behind a place in the log."""
    return tuple(notice for notice in notices if notice.number > upto)
