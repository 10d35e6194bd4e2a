"""The options of a hand in turn, with costs and prices."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import NamedTuple

from sabot.engine.events import Option
from sabot.engine.outcome import half
from sabot.games.rules import Action


class Menu(NamedTuple):
    """The options by action, and as they are shown."""

    by_action: Mapping[Action, Option]
    shown: tuple[Option, ...]


@lru_cache(maxsize=4096)
def menu(
    actions: tuple[Action, ...],
    stake: int,
    lack: str | None,
    free_double: bool,
    free_split: bool,
    price: int,
) -> Menu:
    """What a decider with a stake on the hand may choose; `lack` says why as much again cannot be staked.

    Hands of one kind share one menu.

    >>> menu(("stand", "double"), 500, "funds/insufficient", False, False, 0).shown[1].unavailable
    'funds/insufficient'
    """
    options = [_option(action, stake, lack, free_double, free_split, price) for action in actions]
    return Menu(MappingProxyType({option.action: option for option in options}), tuple(options))


NO_MENU = Menu(MappingProxyType({}), ())


def _option(
    action: Action, stake: int, lack: str | None, free_double: bool, free_split: bool, price: int
) -> Option:
    match action:
        case "double" | "split":
            if free_double if action == "double" else free_split:
                return Option(action, free=True)
            return Option(action, stake, unavailable=lack)
        case "surrender":
            return Option(action, pays=half(stake))
        case "cashback":
            return Option(action, pays=price)
    return Option(action)
