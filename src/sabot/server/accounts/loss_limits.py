"""What a player's own loss limit leaves for the rounds being played (ASR-41).

For each open round of a player with a limit an amount is reserved: the stakes, and what doubles, splits and insurance
could add, as far as the limit allows. The round itself refuses more, so a double reads no database. A bet at another
table takes what is reserved and not staked; the doubles it was meant for are no longer offered.
"""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from sqlalchemy import Connection

from sabot.engine.commands import Bet
from sabot.server.accounts.limits import OpenRound, standing_of
from sabot.server.accounts.player_lock import PlayerLocks
from sabot.server.accounts.queries import lost_on, rounds_of
from sabot.server.accounts.reserves import MemoryReserves, Reserves, Use
from sabot.tables.live.timers import Clock

#: Bounds a player's stakes in an open round, by table, code, player and amount; returns what is staked, None if the round
#: is not played here.
Bound = Callable[[str, str, int, int], Awaitable[int | None]]


class LossLimits:
    """Reserved amounts, by player and `OpenRound.key`; read and changed under the player's lock."""

    def __init__(self, read: Use, clock: Clock) -> None:
        self._read = read
        self._clock = clock
        #: Held while a bet is on its way.
        self.turns = PlayerLocks()
        #: Reaches the tables; set by their registry.
        self.bound: Bound = _no_table
        self.reserves: Reserves = MemoryReserves()

    async def set_aside(self, player: int, key: str, most: int) -> None:
        """Reserve what a round may cost a player; a bet that the table refuses takes nothing back."""
        before = await self.reserves.of(player)
        await self.reserves.put(player, key, max(most, before.get(key, 0)))

    async def elsewhere(self, player: int, rounds: Sequence[OpenRound], code: str = "") -> int:
        """What may be lost in a player's other open rounds; rounds that are over are dropped."""
        aside = await self.reserves.of(player)
        over = aside.keys() - {one.key for one in rounds} - {code}
        if over:
            await self.reserves.drop(player, over)
        return sum(max(one.staked, aside.get(one.key, 0)) for one in rounds if one.code != code)

    async def give_up(self, player: int, rounds: Sequence[OpenRound], code: str = "") -> None:
        """Reduce the reserves of a player's other rounds to what is staked; those of other nodes stay as they are."""
        aside = await self.reserves.of(player)
        for one in rounds:
            if one.code != code and aside.get(one.key, 0) > one.staked:
                staked = await self.bound(one.table, one.code, player, 0)
                if staked is not None:
                    await self.reserves.put(player, one.key, staked)

    async def share(self, player: int, bound: Bound | None = None) -> None:
        """Bound a player's open rounds by what may still be lost in all of them.

        Called when a table is opened again, which `bound` reaches, and when another node has set a limit.
        """
        async with self.turns.turn(player) as turn:
            limit, *_ = await self._look(player)
            if limit is not None:
                await turn.widen()
                await self.share_in_turn(player, bound)

    async def share_in_turn(self, player: int, bound: Bound | None = None) -> None:
        """The same under the player's lock: when a limit is set during a round."""
        limit, rounds, lost = await self._look(player)
        if limit is not None:
            await self._share(player, rounds, limit - lost, bound or self.bound)

    async def _look(self, player: int) -> tuple[int | None, list[OpenRound], int]:
        return await self._read(partial(_look, player=player, at=self._clock.wall_ms()))

    async def _share(self, player: int, rounds: Sequence[OpenRound], left: int, bound: Bound) -> None:
        """Give what is free to the first round; several rounds are first bounded at their stakes, to know them.

        What is reserved for a round that cannot be reached may still be staked there.
        """
        aside = await self.reserves.of(player)
        staked: dict[OpenRound, int] = {}
        for one in rounds:
            now = await bound(one.table, one.code, player, max(0, left) if len(rounds) == 1 else 0)
            if now is not None:
                staked[one] = now
        free = max(0, left - sum(max(one.staked, staked.get(one, aside.get(one.key, 0))) for one in rounds))
        for one, now in staked.items():
            await self.reserves.put(player, one.key, now + free)
            if free and len(rounds) > 1:
                await bound(one.table, one.code, player, now + free)
            free = 0


def most_wanted(bets: Sequence[Bet]) -> int:
    """The most that bets can cost in a round: split, both hands doubled, and insurance.

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
