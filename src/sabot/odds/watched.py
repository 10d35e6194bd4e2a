"""Which bets of a game are watched, with which slack, and with how much capital (OFF-13; docs/operate/monitoring.md)."""

from functools import cache
from typing import NamedTuple

from sabot.games.rules import Backing, Rules
from sabot.odds.payoffs import INSURANCE, MAIN, Payoffs, bet_payoffs, bets_of
from sabot.odds.sequential import SequentialTest, sequential_test

#: False alarms that are allowed in a year of a table.
FALSE_ALARMS = 0.001
DAYS_OF_A_YEAR = 366
#: Currencies of a table: each has lines of its own.
CURRENCIES = 2
#: What the sight of other hands can add to the mean of a main bet, by who stakes on a spot. In a box a player may follow
#: one hand only of a split that the others decide, which can be better than any play of one's own (MAJ-41).
MAIN_SLACK: dict[Backing, float] = {"solo": 0.001, "seats": 0.001, "boxes": 0.003}
#: What a shoe that is not full can add to the mean of a side bet, or take from it.
LIVE_SLACK = 0.005


class Watched(NamedTuple):
    """A bet that is watched: its results and its test."""

    payoffs: Payoffs
    test: SequentialTest


def watched_bets(rules: Rules) -> tuple[str, ...]:
    """The bets with an alarm: all but insurance at a table whose shoe is not shuffled for every round.

    >>> from sabot.games import find
    >>> watched_bets(find("freebet").rules)
    ('main', 'player-pair', '21+3')
    """
    return tuple(bet for bet in bets_of(rules) if bet != INSURANCE or rules.backing == "solo")


@cache
def watched(rules: Rules, bet: str) -> Watched:
    """A bet of a game with its test."""
    payoffs = bet_payoffs(rules, bet)
    slack = MAIN_SLACK[rules.backing] if bet == MAIN else 0.0 if rules.backing == "solo" else LIVE_SLACK
    return Watched(payoffs, sequential_test(payoffs, slack))


def capital_of(rules: Rules, rate: float = FALSE_ALARMS) -> float:
    """What the gamblers of one line are given on a day, so that a table has at most `rate` false alarms a year.

    >>> from sabot.games import find
    >>> f"{capital_of(find('freebet').rules):.2e}"
    '4.55e-07'
    """
    return rate / (DAYS_OF_A_YEAR * CURRENCIES * len(watched_bets(rules)))
