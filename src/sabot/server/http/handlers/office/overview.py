"""The overview of the house (OFF-01)."""

from functools import partial

from msgspec.structs import replace

from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.nodes import alone
from sabot.server.office import overview as figures
from sabot.server.office.overview import Overview


async def overview(call: Call) -> Overview:
    """Today and the last thirty days: stakes, payments, hold, players, tables; nodes."""
    found = await call.house.read(partial(figures.overview, now=call.house.clock.wall_ms()))
    return found if found.nodes else replace(found, nodes=(alone(call),))
