"""Checks before a table opens: returns within the published range (LNK-08, LNK-31, RET-10)."""

from math import inf

from sabot.games import Game
from sabot.games.options import LIMIT_CHOICES, LimitChoice, OptionError, TableOptions
from sabot.games.rules import Rules
from sabot.odds.bonus import link_return
from sabot.odds.sidebets import side_bet_moments

#: The range of returns that the regulation of Blackjack Link publishes.
LEAST_RETURN, MOST_RETURN = 0.9389, 0.9957


def _hundredths(share: float) -> int:
    """A return in hundredths of a per cent, as it is shown."""
    return round(share * 10_000)


def check_game(game: Game, choices: tuple[LimitChoice, ...] = LIMIT_CHOICES) -> None:
    """Check a solo game with every choice of limits."""
    for choice in choices:
        check_table(game.rules, game.with_limits(choice))


def check_table(rules: Rules, options: TableOptions) -> None:
    """Refuse a table whose bonus weights or maximum win take a bet out of the published range.

    Each bet is checked alone, at its maximum stake; a main bet must never be cut.

    >>> from sabot.games import find
    >>> check_table(find("link").rules, TableOptions(max_win=100_000))
    Traceback (most recent call last):
    sabot.games.options.OptionError: a maximum win of 1,000.00 cuts main bets of 500.00, which can win 2,000.00: raise it
    """
    if rules.bonus is not None:
        expected = link_return(rules.bonus, rules.decks)
        if not LEAST_RETURN <= expected <= MOST_RETURN:
            least, most = _hundredths(LEAST_RETURN), _hundredths(MOST_RETURN)
            raise OptionError("option/weights", expected=_hundredths(expected), least=least, most=most)
    if options.max_win is not None:
        _check_max_win(rules, options, options.max_win)


def _check_max_win(rules: Rules, options: TableOptions, max_win: int) -> None:
    main = options.limits("main").maximum
    most = 4 * main if rules.double_after_split else 2 * main  # split, and both hands doubled
    if max_win < most:
        raise OptionError("option/max-win-main", most=max_win, stake=main, win=most)
    for bet in rules.side_bets:
        stake = options.limits(bet.name).maximum
        multiple = max_win / stake
        highest = max((pays for _, pays in bet.prizes), default=inf)
        if bet.judge == "dealer-bust" or multiple >= highest:
            continue
        expected = side_bet_moments(bet, rules, multiple).expected
        if expected < LEAST_RETURN:
            raise OptionError(
                "option/max-win-side",
                most=max_win,
                bet=bet.name,
                stake=stake,
                expected=_hundredths(expected),
                least=_hundredths(LEAST_RETURN),
            )
