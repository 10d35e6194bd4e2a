"""Orders of operators at live tables, once they are in the log (PLT-33, PLT-60)."""

from __future__ import annotations

from functools import partial

from sabot.engine.commands import Player
from sabot.server.tables.queries import funds_of
from sabot.server.tables.registry import LiveRuntime, TableRegistry
from sabot.store.kinds import Currency
from sabot.tables.live.table import LiveTable

#: The reason that players see for a pause; the operator's own words stay in the house.
LOOKING = "looking"


async def pause(runtime: LiveRuntime) -> None:
    """Stop the table and say so to everyone there (PLT-33)."""
    await runtime.order(lambda live: live.pause(LOOKING))


async def resume(runtime: LiveRuntime) -> None:
    """Let the table go on where it was paused."""
    await runtime.order(lambda live: live.resume())


async def bring_granted(registry: TableRegistry, player: int, currency: Currency) -> None:
    """Bring golden chips of a player's account to the table where the player sits, for its next round (MAJ-50)."""
    house = registry.house
    async with house.player_locks.turn(player):
        for runtime in list(registry.live.values()):
            config = runtime.adapter.base.config
            if config.currency == currency and str(player) in runtime.adapter.base.sittings:
                look = partial(funds_of, store=house.store, config=config, player=player)
                await runtime.order(partial(_grant, player=str(player), chips=(await house.read(look))[1]))


def _grant(live: LiveTable, player: Player, chips: dict[int, int]) -> None:
    live.sittings.grant(player, chips)


def player_called(runtime: LiveRuntime, name: str) -> int | None:
    """The player at a table whom others see under this name; None if there is not exactly one."""
    found = [
        int(player) for player, presence in runtime.table.attendance.players.items() if presence.name == name
    ]
    return found[0] if len(found) == 1 else None
