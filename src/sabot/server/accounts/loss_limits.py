"""What a player's own loss limit leaves for the rounds being played (ASR-41).

For each open round of a player with a limit an amount is set aside: what is staked there, and what doubles, splits and
insurance could add, as far as the limit reaches. The round itself refuses more, so that nothing is looked up at a double.
A bet at another table takes what is set aside and not staked; the doubles it was meant for are not offered any more.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Protocol, TypeVar

from sqlalchemy import Connection

from sabot.engine.commands import Bet
from sabot.server.accounts.limits import OpenRound, standing_of
from sabot.server.accounts.player_lock import PlayerLocks
from sabot.server.accounts.queries import lost_on, rounds_of
from sabot.server.clock import Clock

T = TypeVar("T")


class Read(Protocol):
    """Asks the database."""

    def __call__(self, ask: Callable[[Connection], T]) -> Awaitable[T]: ...


class Bound(Protocol):
    """Bounds what a player may stake in an open round; gives what is staked, None where the round is not played here."""

    def __call__(self, table: str, code: str, player: int, most: int) -> Awaitable[int | None]: ...


class LossLimits:
    """What is set aside, by player and code of the round. A player's turn is held by whoever looks at it or changes it."""

    def __init__(self, read: Read, clock: Clock) -> None:
        self._read = read
        self._clock = clock
        #: Whose bet is on its way.
        self.turns = PlayerLocks()
        #: Reaches the tables; set by who has them.
        self.bound: Bound = _no_table
        self._aside: dict[int, dict[str, int]] = {}

    def set_aside(self, player: int, code: str, most: int) -> None:
        """A round may cost a player so much."""
        self._aside.setdefault(player, {})[code] = most

    def elsewhere(self, player: int, rounds: Sequence[OpenRound], code: str = "") -> int:
        """What may be lost in a player's open rounds, without one of them; rounds that are over are forgotten."""
        aside = self._aside.pop(player, {})
        kept = {one.code: aside[one.code] for one in rounds if one.code in aside}
        if code in aside:
            kept[code] = aside[code]
        if kept:
            self._aside[player] = kept
        return sum(max(one.staked, kept.get(one.code, 0)) for one in rounds if one.code != code)

    async def give_up(self, player: int, rounds: Sequence[OpenRound], code: str = "") -> None:
        """Let a player's other rounds keep what is staked there and no more."""
        aside = self._aside.get(player, {})
        for one in rounds:
            if one.code != code and aside.get(one.code, 0) > one.staked:
                staked = await self.bound(one.table, one.code, player, 0)
                if staked is not None:
                    self.set_aside(player, one.code, staked)

    async def share(self, player: int, bound: Bound | None = None) -> None:
        """Bound a player's open rounds by what may still be lost in all of them; what is staked stays staked.

        For a limit that was set while they are played, and for a table that is opened again; `bound` reaches that one.
        """
        async with self.turns.turn(player):
            limit, rounds, lost = await self._read(partial(_look, player=player, at=self._clock.wall_ms()))
            if limit is not None:
                await self._share(player, rounds, limit - lost, bound or self.bound)

    async def _share(self, player: int, rounds: Sequence[OpenRound], left: int, bound: Bound) -> None:
        """The first round gets what is free; of several, each is held at what is staked before that is known."""
        staked: dict[OpenRound, int] = {}
        for one in rounds:
            now = await bound(one.table, one.code, player, max(0, left) if len(rounds) == 1 else 0)
            if now is not None:
                staked[one] = now
        free = max(0, left - sum(max(one.staked, staked.get(one, 0)) for one in rounds))
        for one, now in staked.items():
            self.set_aside(player, one.code, now + free)
            if free and len(rounds) > 1:
                await bound(one.table, one.code, player, now + free)
            free = 0


def most_wanted(bets: Sequence[Bet]) -> int:
    """What bets can come to in a round: two hands of one, both doubled, and insurance.

    >>> most_wanted([Bet(0, "main", 1000), Bet(0, "perfect-pair", 200)])
    4700
    """
    mains = sum(bet.stake for bet in bets if bet.kind in ("main", "behind"))
    return 3 * mains + mains // 2 + sum(bet.stake for bet in bets)


def _look(connection: Connection, player: int, at: int) -> tuple[int | None, list[OpenRound], int]:
    """A player's loss limit, the open rounds, and what is lost today."""
    rounds = rounds_of(connection, player)
    return standing_of(connection, player, at).value("loss-day"), rounds, lost_on(connection, player, at)


async def _no_table(table: str, code: str, player: int, most: int) -> int | None:
    return None
