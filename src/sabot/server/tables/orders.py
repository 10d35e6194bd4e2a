"""What operators do at live tables, once their order is written down (PLT-33, PLT-60)."""

from __future__ import annotations

from sabot.errors import Refusal
from sabot.server.tables.live_registry import LIVE, Floor
from sabot.server.tables.live_runtime import LiveDesk
from sabot.server.tables.solo_runtime import MALFUNCTION
from sabot.store.kinds import Currency
from sabot.tables.live.table import LiveTable

#: What players are told of a pause: that something is being looked at. The operator's own words stay in the house.
LOOKING = "looking"


def desk_of(floor: Floor, table: str) -> LiveDesk:
    """An open live table by the name its operator gave it."""
    return floor.find(LIVE + table)


async def pause(desk: LiveDesk) -> None:
    """Everything waits, and everyone at the table is told (PLT-33)."""
    await desk.order(lambda live: live.pause(LOOKING))


async def resume(desk: LiveDesk) -> None:
    """The table goes on where it was paused."""
    await desk.order(lambda live: live.resume())


async def void(desk: LiveDesk, code: str) -> None:
    """Every stake of this round goes back, and everyone is told; another round is not touched (PLT-32, ASR-13)."""

    def act(live: LiveTable) -> None:
        if live.code != code or not live.table.in_round:
            raise Refusal("round/over")
        live.void(MALFUNCTION)

    await desk.order(act)


async def bring_granted(floor: Floor, player: int, currency: Currency) -> None:
    """Golden chips in a player's account come to the table where the player sits, for its next round (MAJ-50).

    What the account holds is looked at when nothing else of the player's is on its way to or from it.
    """
    async with floor.house.player_locks.turn(player):
        for desk in list(floor.desks.values()):
            table = desk.live.table
            if table.config.currency == currency and str(player) in table.sittings:
                await _bring(floor, desk, player)


async def _bring(floor: Floor, desk: LiveDesk, player: int) -> None:
    chips = await floor.house.read(lambda connection: floor.chips(connection, desk, player))
    if chips:
        await desk.order(lambda live: live.sittings.grant(str(player), chips))


def player_called(desk: LiveDesk, name: str) -> int | None:
    """The one at a table whom others see under this name; None if there is nobody, or more than one."""
    found = [
        int(player) for player, presence in desk.live.attendance.players.items() if presence.name == name
    ]
    return found[0] if len(found) == 1 else None
