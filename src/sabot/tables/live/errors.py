"""Every way a live table refuses what the rules of the round would not: a code and its English sentence.

>>> str(LiveError("seat/too-many", most=2))
'You have 2 seats already: no more at this table'
"""

from __future__ import annotations

from sabot.engine.errors import SentenceFormatter

LIVE_REFUSALS: dict[str, str] = {
    "bet/final": "You have started: your bets are final until the next round",
    "bet/late": "Too late: betting was closed when your bet came in",
    "bet/unequal-seats": "The same main bet stands on all your seats, or on none",
    "command/stale": "The table has moved on: it is turn {turn} of round {round}",
    "consent/needed": "First say whether doubles and splits of the box may be made for you",
    "seat/at-boxes": "This table has no seats: bet on a box",
    "seat/empty": "Nobody sits at seat {spot:number}: there is nobody to bet behind",
    "seat/none": "There is no seat {spot:number}: the seats are 1 to {last:number}",
    "seat/not-yours": "Seat {spot:number} is not yours",
    "seat/own-behind": "Seat {spot:number} is your own: you cannot bet behind your own seat",
    "seat/too-many": "You have {most} seats already: no more at this table",
    "seed/late": "The shoe is shuffled: seeds are taken while it is being shuffled",
    "seed/unusable": "This seed cannot be used: {reason}",
    "start/too-little": "Stake at least {minimum:money} on each of your seats to start",
    "table/not-now": "Not now: the table is in phase {phase}",
    "table/not-paused": "The table is not paused",
    "table/paused": "The table is paused: something is being looked at",
    "table/votes": "At this table the box decides: vote",
}

_ENGLISH = SentenceFormatter(".")


class LiveError(ValueError):
    """Something a live table refuses. Nothing has changed."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    def __str__(self) -> str:
        return _ENGLISH.vformat(LIVE_REFUSALS[self.code], (), self.params)
