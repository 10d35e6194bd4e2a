"""Limits of stakes, and of money brought to a table: by game, currency and VIP level (PLT-10, PLT-64).

>>> from sabot.games.options import Limits
>>> from sabot.server.config import LimitsSection
>>> house = Config(limits=(LimitsSection(name="low", games=("link",), main=Limits(200, 5_000)),))
>>> [choice.main.maximum for choice in choices_of(house, "link", "EUR")]
[5000]
>>> [choice.name for choice in choices_of(house, "surrender", "EUR")]
['low', 'standard', 'high', 'salon']
>>> most_brought(house, "EUR", None) is None
True
"""

from typing import NamedTuple, get_args

from sabot.errors import Refusal
from sabot.games import CATALOGUE, Game
from sabot.games.options import LIMIT_CHOICES, LimitChoice, OptionError, TableOptions
from sabot.server.config import Config
from sabot.store.kinds import Currency

#: Stakes that one hand can come to: a split, and a double of both its hands.
_STAKES = 4


def choices_of(config: Config, game: str, currency: Currency) -> tuple[LimitChoice, ...]:
    """The limits to choose from at a solo game; those that ship where the operator names none for it."""
    own = tuple(
        LimitChoice(limits.name, limits.vip, limits.main, limits.side, limits.max_win, limits.cap)
        for limits in config.limits
        if limits.currency in (None, currency) and (not limits.games or game in limits.games)
    )
    return own or LIMIT_CHOICES


def most_brought(config: Config, currency: Currency, cap: int | None) -> int | None:
    """Return the most a player may bring to one sitting, or None where there is no cap (PLT-04).

    `cap` is that of the table or of the chosen limits; without one the house's holds, for euros.
    """
    return config.house.sitting_cap if cap is None and currency == "EUR" else cap


def most_staked(game: Game, options: TableOptions, seats_each: int) -> int:
    """Return what one player can stake in a round at the maximum of every bet (PLT-64).

    That is every spot with every side bet, insurance, a split and both doubles. At a table with seats it is `seats_each`
    seats of the player's own, and a bet behind every other.

    >>> from sabot.games.options import Limits
    >>> options = TableOptions(main=Limits(100, 1_000), side=Limits(100, 300))
    >>> most_staked(CATALOGUE["surrender"], options, seats_each=1)
    25800
    """
    rules = game.rules

    def hand(maximum: int) -> int:
        return _STAKES * maximum + (maximum // 2 if options.insurance else 0)

    offered = [bet for bet in rules.side_bets if bet.name not in options.side_bets_off]
    once = sum(options.limits(bet.name).maximum for bet in offered if bet.once)
    spot = hand(options.main.maximum) + sum(
        options.limits(bet.name).maximum for bet in offered if not bet.once
    )
    if rules.backing != "seats":
        return rules.spots * spot + once
    own, behind = min(seats_each, rules.spots), hand(options.behind.maximum)
    return own * max(spot, behind) + (rules.spots - own) * behind + once


def check_cap(cap: int | None, game: Game, options: TableOptions, seats_each: int = 1) -> None:
    """Refuse a cap with which the limits cannot be played (PLT-64)."""
    needed = most_staked(game, options, seats_each)
    if cap is not None and cap < needed:
        raise OptionError("option/cap", cap=cap, needed=needed)


class MaximumWin(NamedTuple):
    """A maximum win of a game or a live table; `limits` are the names of those that have it, if others differ."""

    title: str
    amount: int
    limits: tuple[str, ...]


def maximum_wins(config: Config) -> tuple[MaximumWin, ...]:
    """Return every maximum win that is set (LNK-08, PLT-62).

    >>> maximum_wins(Config())
    (MaximumWin(title='Blackjack Link', amount=50000000, limits=()),)
    """
    found: dict[str, dict[int | None, list[str]]] = {}
    for name, game in CATALOGUE.items():
        wins = found.setdefault(game.title, {})
        for currency in get_args(Currency) if not game.live else ():
            for choice in choices_of(config, name, currency):
                wins.setdefault(game.with_limits(choice).max_win, []).append(choice.name)
    for section in config.table:
        game = CATALOGUE[section.game]
        most = section.options.get("max_win", game.options.max_win)
        found.setdefault(section.title or game.title, {}).setdefault(most, [])

    return tuple(
        MaximumWin(title, amount, tuple(dict.fromkeys(names)) if len(wins) > 1 else ())
        for title, wins in found.items()
        for amount, names in wins.items()
        if amount is not None
    )


def check_limits(config: Config) -> None:
    """Refuse limits that name no solo game, leave a player without any, or cannot be used (PLT-10, PLT-64)."""
    solo = [name for name, game in CATALOGUE.items() if not game.live]
    for limits in config.limits:
        for game in limits.games:
            if game not in solo:
                reason = OptionError("option/solo-game", game=game, known=", ".join(solo))
                raise Refusal("limits/settings", name=limits.name, reason=reason)
    for game in solo:
        for currency in get_args(Currency):
            _check(config, game, currency)


def _check(config: Config, game: str, currency: Currency) -> None:
    choices = choices_of(config, game, currency)
    names = [choice.name for choice in choices]

    def refusal(name: str, error: OptionError) -> Refusal:
        reason = OptionError("option/at", game=game, currency=currency, reason=error)
        return Refusal("limits/settings", name=name, reason=reason)

    for choice in choices:
        if names.count(choice.name) > 1:
            raise refusal(choice.name, OptionError("option/twice"))
        try:
            options = CATALOGUE[game].with_limits(choice)
            check_cap(most_brought(config, currency, choice.cap), CATALOGUE[game], options)
        except OptionError as error:
            raise refusal(choice.name, error) from None
    if not any(choice.vip == 0 for choice in choices):
        raise refusal(names[0], OptionError("option/vip"))
