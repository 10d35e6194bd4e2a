"""The worker that keeps the stored sums of the log up to date (OFF-20)."""

import asyncio
from collections.abc import Sequence
from functools import partial

from sqlalchemy import Connection

from sabot.rounds.fold import TakeRounds, fold
from sabot.rounds.tally import FinishedRound
from sabot.server.house import House
from sabot.server.logs import failed

#: Seconds between two folds, and between two batches while there is much to fold.
EVERY, _BETWEEN = 20.0, 0.05


async def keep_folded(house: House, *takers: TakeRounds) -> None:
    """Fold what the log has beyond the sums, again and again; a failure is logged, and the next turn tries again.

    Each of the `takers` gets the finished rounds of each batch inside its transaction, each round once in the whole house.
    """

    def take_rounds(connection: Connection, rounds: Sequence[FinishedRound]) -> None:
        for take in takers:
            take(connection, rounds)

    while True:
        await asyncio.sleep(EVERY)
        try:
            while await house.work(partial(fold, house.database, take_rounds)):
                await asyncio.sleep(_BETWEEN)
        except Exception as error:
            failed("the sums were not folded", error)
