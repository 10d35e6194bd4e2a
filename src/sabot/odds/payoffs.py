"""What one bet of a game can result in, with exact chances; and how those would change under a fault (OFF-13).

Results are net, per initial stake: 1 for a bet that wins as much as was staked, -1 for one that is lost.
"""

from functools import cache
from typing import NamedTuple

import numpy as np
from msgspec.structs import replace

from sabot.games import CATALOGUE
from sabot.games.rules import Rules
from sabot.odds.classes import Floats
from sabot.odds.main_results import MAIN_RESULTS, MainResults
from sabot.odds.sidebets import side_bet_wins

MAIN, INSURANCE = "main", "insurance"
#: The rules of this release by their hash, as tables play them; rounds of others have figures, but no theory.
RULES: dict[str, Rules] = {rules.sha256: rules for game in CATALOGUE.values() for rules in game.played_rules}


class Payoffs(NamedTuple):
    """The results of a bet and their chances; how far play can take its mean and its least result."""

    results: Floats
    chances: Floats
    #: The highest expected result that play can reach; the expected one if nobody decides anything.
    most: float
    #: The least result that play can reach.
    least: float
    #: The expected stakes, per initial stake.
    staked: float = 1.0
    #: Whether players decide something, so that only the highest mean is known.
    played: bool = False

    @property
    def mean(self) -> float:
        """The expected result, by the best table where players decide."""
        return float(self.chances @ self.results)

    @property
    def sd(self) -> float:
        """The standard deviation."""
        return float(np.sqrt(self.chances @ (self.results - self.mean) ** 2))

    @property
    def per_stake(self) -> float:
        """The return per stake (RET-01)."""
        return 1 + self.mean / self.staked


def bets_of(rules: Rules) -> tuple[str, ...]:
    """The bets of a game that are watched.

    >>> from sabot.games import find
    >>> bets_of(find("link").rules)
    ('main', 'insurance', 'player-pair', '21+3', 'link', 'dealer-pair')
    """
    return (MAIN, INSURANCE, *(bet.name for bet in rules.side_bets))


@cache
def bet_payoffs(rules: Rules, bet: str) -> Payoffs:
    """The results of a bet of a game.

    >>> from sabot.games import find
    >>> rules = find("surrender").rules
    >>> [f"{bet}: {bet_payoffs(rules, bet).per_stake:.2%}" for bet in bets_of(rules)]
    ['main: 99.66%', 'insurance: 92.60%', 'player-pair: 93.89%', '21+3: 95.38%', 'dealer-pair: 93.89%']
    """
    if bet == MAIN:
        return _main(rules)
    if bet == INSURANCE:
        return _insurance(rules)
    side = rules.side_bet(bet)
    if side is None:
        raise ValueError(f"{rules.name} has no bet {bet!r}: it has {', '.join(bets_of(rules))}")
    pays, chances = side_bet_wins(side, rules)
    wins = chances > 0
    results = np.append(pays[wins], -1.0)
    chances = np.append(chances[wins], 1 - chances.sum())
    if side.judge == "dealer-bust" and not rules.buster_keeps_dealer:
        # The more hands stand, the more often the dealer draws: at most as with the game's own rule.
        return Payoffs(results, chances, bet_payoffs(_drawing(rules), bet).mean, -1.0, played=True)
    return Payoffs(results, chances, float(chances @ results), -1.0)


def theoretical_return(rules: str, bet: str) -> float | None:
    """Return the exact return per stake of a bet, by the hash of its rules; None if this release does not know them.

    >>> theoretical_return("0" * 64, "main")
    """
    known = RULES.get(rules)
    return bet_payoffs(known, bet).per_stake if known is not None and bet in bets_of(known) else None


def _drawing(rules: Rules) -> Rules:
    """The rules with a dealer who draws for a Buster bet though every hand is bust (MAJ-06): no main bet's result differs."""
    return rules if rules.buster_keeps_dealer else replace(rules, buster_keeps_dealer=True)


def _main(rules: Rules) -> Payoffs:
    known = MAIN_RESULTS.get(_drawing(rules).sha256) or _computed(rules)
    chances = np.array(known.chances)
    least = -4.0 if rules.double_after_split else -2.0
    return Payoffs(
        np.array(known.results), chances / chances.sum(), known.best, least, known.staked, played=True
    )


def _computed(rules: Rules) -> MainResults:
    """The results of rules that do not ship; this loads a compiler."""
    from sabot.odds.distribution import table_distribution
    from sabot.odds.game import game_tables, game_values

    values, tables = game_values(rules), game_tables(rules)
    results, chances = zip(*table_distribution(tables.columns, tables.best).items(), strict=True)
    return MainResults(values.best.net, values.table.staked, results, chances)


def _insurance(rules: Rules) -> Payoffs:
    """Insurance, whose chance is best when none of the cards on the table is a ten."""
    num, den = rules.insurance_pays
    tens, cards = 16 * rules.decks, 52 * rules.decks
    chance, best = tens / (cards - 1), tens / (cards - 1 - 2 * rules.spots)
    results = np.array([num / den, -1.0])
    return Payoffs(results, np.array([chance, 1 - chance]), best * num / den - (1 - best), -1.0, played=True)


# Faults


def too_often(payoffs: Payoffs, part: float) -> Payoffs:
    """A fault: every win comes more often by a part, in place of losses; less often if the part is negative.

    >>> pair = Payoffs(np.array([9.0, -1.0]), np.array([0.09, 0.91]), -0.1, -1.0)
    >>> round(too_often(pair, 0.02).mean - pair.mean, 6)
    0.018
    """
    wins, losses = payoffs.results > 0, payoffs.results < 0
    won, lost = payoffs.chances[wins].sum(), payoffs.chances[losses].sum()
    factors = np.where(wins, 1 + part, np.where(losses, 1 - part * won / lost, 1.0))
    return payoffs._replace(chances=payoffs.chances * factors)


def too_high(payoffs: Payoffs, part: float) -> Payoffs:
    """A fault: every win is paid higher by a part, the stake that comes back included.

    >>> pair = Payoffs(np.array([9.0, -1.0]), np.array([0.09, 0.91]), -0.1, -1.0)
    >>> round(too_high(pair, 0.02).mean - pair.mean, 6)
    0.018
    """
    results = payoffs.results
    return payoffs._replace(results=np.where(results > 0, results + part * (results + 1), results))
