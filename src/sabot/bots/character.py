"""What a bot is like: how fast it thinks, how much it dares, how often it slips.

>>> from random import Random
>>> draw_character(Random(1)) == draw_character(Random(1))
True
"""

from __future__ import annotations

from random import Random

from msgspec import Struct


class Character(Struct, frozen=True):
    """A player's habits. Chances are from 0 to 1, each time there is an occasion."""

    language: str = "it"
    #: How slow: 1 is usual, 2 takes twice the time.
    pace: float = 1.0
    #: The part of the money at the table that goes on a hand.
    stake: float = 0.02
    #: Side bets in a round.
    sides: float = 0.3
    #: Another decision than the best one.
    slips: float = 0.05
    insures: float = 0.08
    #: Presses INIZIARE ORA (FRB-24).
    starts: float = 0.3
    #: Decides before its turn (FRB-25).
    ahead: float = 0.2
    #: Sits a round out.
    rests: float = 0.05
    #: Bothers to vote, and lets the box double and split (MAJ-12).
    votes: float = 0.95
    follows: float = 0.8
    #: Says something after a round.
    talks: float = 0.04
    #: Sends a seed for the shuffle.
    seeds: float = 0.5
    #: Rounds of a visit, at least and at most.
    rounds: tuple[int, int] = (12, 60)


def draw_character(rng: Random) -> Character:
    """Somebody."""
    return Character(
        language=rng.choices(("it", "en"), (3, 1))[0],
        pace=rng.uniform(0.6, 1.6),
        stake=rng.choice((0.005, 0.01, 0.02, 0.03, 0.05)),
        sides=rng.choice((0.0, 0.1, 0.3, 0.6)),
        slips=rng.uniform(0.0, 0.12),
        insures=rng.choice((0.0, 0.05, 0.2)),
        starts=rng.uniform(0.0, 0.7),
        ahead=rng.uniform(0.0, 0.4),
        rests=rng.uniform(0.0, 0.1),
        votes=rng.uniform(0.85, 1.0),
        follows=rng.choice((0.5, 0.9, 1.0)),
        talks=rng.uniform(0.0, 0.08),
    )


#: Seconds that things take, before pace and chance.
_SECONDS = {
    "bet": 3.5,
    "decide": 2.2,
    "vote": 2.0,
    "insure": 2.0,
    "seat": 2.0,
    "sit": 2.0,
    "start": 1.2,
    "talk": 1.5,
    "wish": 1.5,
}
_USUAL = 0.8
#: The part of a window that a bot lets pass at most.
_LATEST = 0.75


def think(rng: Random, character: Character, kind: str, left: float | None) -> float:
    """Seconds before something is done; `left` are those that its window still has.

    >>> think(Random(1), Character(), "decide", None) > 0.4
    True
    >>> think(Random(1), Character(pace=100), "decide", 4.0)
    3.0
    """
    seconds = _SECONDS.get(kind, _USUAL) * character.pace * rng.lognormvariate(0.0, 0.45)
    return seconds if left is None else min(seconds, _LATEST * max(left, 0.0))
