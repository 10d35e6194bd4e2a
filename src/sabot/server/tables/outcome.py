"""What became of a round, beyond its cards: what a page that is opened now must be told to show it.

A page that saw every event has folded it together itself; the two are the same (`tests/golden/*.json`). A void takes
back what was settled before it.
"""

from __future__ import annotations

from sabot.engine import Round
from sabot.engine.commands import Player
from sabot.engine.events import BetSettled, PlayerPaid, RoundVoided, SideBetDecided
from sabot.protocol import messages
from sabot.tables.live.events import ShoeRevealed


def public_outcome(round: Round, revealed: ShoeRevealed | None = None) -> messages.PublicOutcome:
    """What everyone may see of it; the seeds come from outside the round."""
    reasons = (event.reason for event in round.log if isinstance(event, RoundVoided))
    return messages.PublicOutcome(
        sides=tuple(event for event in round.log if isinstance(event, SideBetDecided)),
        revealed=revealed,
        voided=next(reasons, None),
    )


def results(round: Round, player: Player) -> messages.Results:
    """What became of the player's own bets so far."""
    if round.phase == "voided":
        return messages.Results()
    own = [
        event for event in round.log if isinstance(event, BetSettled | PlayerPaid) and event.player == player
    ]
    return messages.Results(
        settled=tuple(event for event in own if isinstance(event, BetSettled)),
        paid=next((event for event in own if isinstance(event, PlayerPaid)), None),
    )
