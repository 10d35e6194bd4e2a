"""Limits of stakes, and of money brought to a table: by game, currency and VIP level (PLT-10, PLT-64).

>>> from sabot.server.config import LimitsSection
>>> house = Config(limits=(LimitsSection(name="low", games=("link",), main=Limits(200, 5_000)),))
>>> [choice.main.maximum for choice in choices_of(house, "link", "EUR")]
[5000]
>>> [choice.name for choice in choices_of(house, "surrender", "EUR")]
['low', 'standard', 'high', 'salon']
>>> most_brought(house, "EUR", Limits(100, 500_000))
2000000
"""

from typing import get_args

from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.games.options import LIMIT_CHOICES, LimitChoice, Limits, OptionError
from sabot.server.config import Config
from sabot.store.kinds import Currency

#: The most a player may bring to one sitting if the operator sets nothing else (PLT-04).
DEFAULT_CAP = 100_000
#: Stakes that one spot can come to: a split, and a double of both its hands.
_STAKES = 4


def choices_of(config: Config, game: str, currency: Currency) -> tuple[LimitChoice, ...]:
    """The limits to choose from at a solo game; those that ship where the operator names none for it."""
    own = tuple(
        LimitChoice(limits.name, limits.vip, limits.main, limits.side, limits.max_win, limits.cap)
        for limits in config.limits
        if limits.currency in (None, currency) and (not limits.games or game in limits.games)
    )
    return own or LIMIT_CHOICES


def most_brought(config: Config, currency: Currency, *stakes: Limits, cap: int | None = None) -> int | None:
    """The most a player may bring to one sitting at these limits; play money has no cap unless one is set (PLT-04).

    What the operator sets must be enough for the highest stake with a split and both hands doubled. Where nothing is
    set it is 1,000.00, or as much as that takes (PLT-64).
    """
    needed = _STAKES * max(limits.maximum for limits in stakes)
    if cap is None and currency == "EUR":
        cap = config.house.sitting_cap
        if cap is None:
            return max(DEFAULT_CAP, needed)
    if cap is not None and cap < needed:
        raise OptionError("option/cap", cap=cap, stake=needed // _STAKES, needed=needed)
    return cap


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
            most_brought(config, currency, choice.main, cap=choice.cap)
        except OptionError as error:
            raise refusal(choice.name, error) from None
    if not any(choice.vip == 0 for choice in choices):
        raise refusal(names[0], OptionError("option/vip"))
