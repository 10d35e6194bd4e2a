"""The house's own bots, so that a lone player finds a table in play.

They come a few seconds after the first person and go some seconds after the last: an empty house deals and writes
nothing.
"""

import asyncio
from collections.abc import Iterator
from functools import partial
from random import Random

from sabot.bots.player import BotPlayer, Place, Sleep, Tally, open_session
from sabot.server.run import BotEnvironment
from sabot.server.tables.opening import LIVE

#: Seconds between two checks of the lobby, and seconds without people before the bots go.
LOOK, PATIENCE = 1.0, 20.0
#: Seats left to people.
KEEP_FREE = 2
#: Least and most seconds before the first bot comes, and the most that each further bot takes longer.
_FIRST, _EACH = (1.5, 3.5), 2.0

_NAMES = (
    *("nino", "ada", "enzo", "carla", "ugo", "lia", "dino", "rita", "elio", "mara", "leo", "vera", "gino"),
    *("olga", "ivo", "tina", "ezio", "sara", "luca", "pia", "aldo", "nora", "remo", "lina", "otto", "gaia"),
)


def names() -> Iterator[str]:
    """Unique names for the bots of a house.

    >>> found = names()
    >>> [next(found) for _ in range(27)][::13]
    ['nino', 'olga', 'nino-2']
    """
    number = 1
    while True:
        yield from (name if number == 1 else f"{name}-{number}" for name in _NAMES)
        number += 1


async def run_bots(
    environment: BotEnvironment, rng: Random, tally: Tally, sleep: Sleep = asyncio.sleep
) -> None:
    """Run the bots of every table until cancelled; they come and go with people."""
    called = names()
    async with open_session() as session, asyncio.TaskGroup() as group:
        tables: dict[str, list[BotPlayer]] = {}
        for section in environment.tables:
            place = Place(environment.url, f"{LIVE}{section.name}", session)
            tables[place.table] = [
                BotPlayer(
                    place,
                    partial(environment.admit, next(called)),
                    Random(rng.getrandbits(64)),
                    tally,
                    keep_free=KEEP_FREE,
                    sleep=sleep,
                    arrival=rng.uniform(*_FIRST) + rng.uniform(0, _EACH * number),
                    wanted=False,
                )
                for number in range(section.bots)
            ]
        for bot in (bot for bots in tables.values() for bot in bots):
            group.create_task(bot.run())
        await _send_and_recall(environment, tables, sleep)


async def _send_and_recall(
    environment: BotEnvironment, tables: dict[str, list[BotPlayer]], sleep: Sleep
) -> None:
    """Send bots to tables with people, and away from tables that people left a while ago or that are another node's."""
    alone = dict.fromkeys(tables, PATIENCE)
    while True:
        heads = environment.heads()
        for name in alone.keys() - {head.table for head in heads}:
            alone[name] = PATIENCE
            for bot in tables[name]:
                bot.rest()
        for head in heads:
            if head.humans:
                alone[head.table] = 0.0
                for bot in tables.get(head.table, ()):
                    bot.come()
            elif head.table in alone and alone[head.table] < PATIENCE:
                alone[head.table] += LOOK
                if alone[head.table] >= PATIENCE:
                    for bot in tables[head.table]:
                        bot.rest()
        await sleep(LOOK)
