"""A bot's habits: how fast it acts, how much it stakes, how often it errs.

>>> from random import Random
>>> draw_character(Random(1)) == draw_character(Random(1))
True
"""

from random import Random

from msgspec import Struct


class Character(Struct, frozen=True):
    """A bot's habits. A chance is from 0 to 1, drawn at each occasion."""

    language: str = "it"
    #: 2 takes twice the usual time.
    pace: float = 1.0
    #: Stake on a hand, as a part of the money at the table.
    stake: float = 0.02
    sides: float = 0.3
    #: Chance of a decision other than the best one.
    slips: float = 0.05
    insures: float = 0.08
    #: Presses INIZIARE ORA (FRB-24).
    starts: float = 0.3
    #: Decides before its turn (FRB-25).
    ahead: float = 0.2
    #: Sits a round out.
    rests: float = 0.05
    votes: float = 0.95
    #: Consents to doubles and splits of the box (MAJ-12).
    follows: float = 0.8
    #: Says something after a round.
    talks: float = 0.04
    #: Sends a seed for the shuffle.
    seeds: float = 0.5
    #: Least and most rounds of a visit.
    rounds: tuple[int, int] = (12, 60)


def draw_character(rng: Random) -> Character:
    """Draw a random character."""
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


#: Seconds of each move, before pace and chance.
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
#: A bot acts before this part of a window has passed.
_LATEST = 0.75


def think(rng: Random, character: Character, kind: str, left: float | None) -> float:
    """Seconds before a move; `left` are the seconds left in its window.

    >>> think(Random(1), Character(), "decide", None) > 0.4
    True
    >>> think(Random(1), Character(pace=100), "decide", 4.0)
    3.0
    """
    seconds = _SECONDS.get(kind, _USUAL) * character.pace * rng.lognormvariate(0.0, 0.45)
    return seconds if left is None else min(seconds, _LATEST * max(left, 0.0))
