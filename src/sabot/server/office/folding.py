"""The worker that keeps the stored sums of the log up to date (OFF-20)."""

import asyncio
from functools import partial

from sabot.rounds.fold import TakeRounds, fold
from sabot.server.house import House
from sabot.server.logs import failed

#: Seconds between two folds, and between two batches while there is much to fold.
EVERY, _BETWEEN = 20.0, 0.05


async def keep_folded(house: House, take_rounds: TakeRounds | None = None) -> None:
    """Fold what the log has beyond the sums, again and again; a failure is logged, and the next turn tries again.

    `take_rounds` gets the finished rounds of each batch inside its transaction, each round once in the whole house.
    """
    while True:
        await asyncio.sleep(EVERY)
        try:
            while await house.work(partial(fold, house.database, take_rounds)):
                await asyncio.sleep(_BETWEEN)
        except Exception as error:
            failed("the sums were not folded", error)
