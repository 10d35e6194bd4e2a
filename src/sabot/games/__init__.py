"""The games, one module each. A new game is a new module here with a tuple `GAMES`.

>>> sorted(CATALOGUE)  # doctest: +NORMALIZE_WHITESPACE
['cashback', 'classic-6', 'classic-8', 'freebet', 'link', 'majority-eu', 'majority-us', 'surrender']
>>> find("blackjack")
Traceback (most recent call last):
sabot.games.UnknownGameError: there is no game 'blackjack': the games are cashback, classic-6, classic-8, \
freebet, link, majority-eu, majority-us, surrender
"""

from importlib import import_module
from pkgutil import iter_modules

from sabot.games.game import Game
from sabot.games.options import TableOptions
from sabot.games.rules import Action, Odds, Rules


class UnknownGameError(LookupError):
    """There is no game of that name."""


def _discover() -> dict[str, Game]:
    modules = (import_module(f"{__name__}.{module.name}") for module in iter_modules(__path__))
    games: dict[str, Game] = {}
    for module in modules:
        for game in getattr(module, "GAMES", ()):
            if game.name in games:
                raise ValueError(f"two games are named {game.name!r}: {module.__name__} needs another name")
            games[game.name] = game
    return games


CATALOGUE: dict[str, Game] = _discover()


def find(name: str) -> Game:
    """The game of that name."""
    try:
        return CATALOGUE[name]
    except KeyError:
        known = ", ".join(sorted(CATALOGUE))
        raise UnknownGameError(f"there is no game {name!r}: the games are {known}") from None


def dealt_otherwise(game: Game) -> list[Game]:
    """This game and those whose rules differ from it only in how the dealer's cards come (MAJ-02).

    >>> [other.name for other in dealt_otherwise(find("majority-us"))], len(dealt_otherwise(find("link")))
    (['majority-eu', 'majority-us'], 1)
    """
    return [
        other
        for other in CATALOGUE.values()
        if other.rules.differences(game.rules).keys() <= {"hole_card", "checks"}
    ]


__all__ = [
    "CATALOGUE",
    "Action",
    "Game",
    "Odds",
    "Rules",
    "TableOptions",
    "UnknownGameError",
    "dealt_otherwise",
    "find",
]
