"""Ends what nobody came back to: sittings that are idle, and rounds that are open for too long."""

from functools import partial

from sabot.errors import Refusal
from sabot.server.house import House
from sabot.server.tables import queries
from sabot.server.tables.opening import LIVE, SoloName, end_solo
from sabot.server.tables.registry import OWNED_ELSEWHERE, TableRegistry

#: Seconds between two sweeps.
SWEEP = 60.0


async def sweep(registry: TableRegistry) -> None:
    """End idle sittings (PLT-04), and rounds that are open for too long (PLT-30)."""
    house = registry.house
    now, idle = house.clock.monotonic(), 60.0 * house.config.house.idle_minutes
    for name, runtime in list(registry.solo.items()):
        if not runtime.subscribers.players() and now - runtime.used_at > idle:
            del registry.solo[name]
    wall = house.clock.wall_ms()
    old = wall - 3_600_000 * house.config.house.abandoned_hours
    away = wall - int(1000 * idle)
    for table in await house.read(lambda connection: queries.left_behind(connection, old, away)):
        if table.startswith(LIVE):
            continue
        async with registry.opening(table):
            if table not in registry.solo:
                await _end_solo(house, SoloName.parse(table))


async def _end_solo(house: House, name: SoloName) -> None:
    """Play an abandoned round out; one that another node owns is that node's matter."""
    try:
        await house.work(partial(end_solo, house, name))
    except Refusal as error:
        if error.code not in (*OWNED_ELSEWHERE, "stream/fenced"):
            raise
