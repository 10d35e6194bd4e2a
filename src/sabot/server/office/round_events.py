"""Finished rounds that are significant events: voids, large stakes and large wins of real money (OFF-11)."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from functools import partial

from sqlalchemy import Connection

from sabot.rounds.tally import FinishedRound
from sabot.server.accounts.queries import LIMITED
from sabot.server.house import House
from sabot.server.office.events import EventRow


class RoundEvents:
    """Takes finished rounds inside the transaction that folds them, each once in the whole house."""

    def __init__(self, house: House) -> None:
        self._house = house

    def take_rounds(self, connection: Connection, rounds: Sequence[FinishedRound]) -> None:
        """Store the significant events of finished rounds."""
        found = [event for round in rounds for event in self._events_of(round)]
        if found:
            self._house.events.store(connection, found)

    def _events_of(self, round: FinishedRound) -> Iterator[EventRow]:
        events, office = self._house.events, self._house.config.office
        row = partial(events.row, round=round.code, table=round.place, at=round.closed_at)
        if round.voided:
            yield row("void", "warning", game=round.game)
            return
        if round.currency != LIMITED:
            return
        staked: dict[int, int] = defaultdict(int)
        won: dict[int, int] = defaultdict(int)
        for line in round.lines:
            staked[line.player] += line.staked
            won[line.player] += line.paid - line.staked
        for player in staked:
            if staked[player] >= office.large_stake:
                yield row("large-stake", "info", player=player, amount=staked[player])
            if won[player] >= office.large_win:
                yield row("large-win", "warning", player=player, amount=won[player])
