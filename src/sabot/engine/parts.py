"""What a round is given, and its checks."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import NamedTuple, Protocol

from sabot.cards import Card
from sabot.engine.bonus import Draw
from sabot.engine.commands import Player
from sabot.engine.shoe import Shoe
from sabot.games.rules import Rules


class Chance(NamedTuple):
    """Where the cards of a round come from and, in a game with a bonus, its draws."""

    shoe: Shoe
    draw: Draw | None = None


class Price(Protocol):
    """What a hand is worth: (1 + V) in 1e-9 stakes, from the cards a player can see (CSH-15)."""

    def __call__(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int: ...


def check_parts(rules: Rules, purses: Mapping[Player, int], price: Price | None, draw: Draw | None) -> None:
    """Check what a round is given."""
    if rules.backing == "solo" and len(purses) != 1:
        raise ValueError(f"a solo round has one player, not {len(purses)}")
    if rules.cashback and price is None:
        raise ValueError(f"a round of {rules.name} needs a price function")
    if rules.bonus is not None and draw is None:
        raise ValueError(f"a round of {rules.name} needs a draw function for its bonus")
    for player, money in purses.items():
        check_purse(player, money)


def check_purse(player: Player, money: int) -> None:
    """Check the name and the money of a player."""
    if not player.isprintable() or player.split() != [player]:
        raise ValueError(f"{player!r} is no player's name: write one word of printable characters")
    if type(money) is not int or money < 0:
        raise ValueError(f"the purse of {player!r} is {money!r}: write whole cents from 0")


def check_golden(golden: Mapping[Player, Mapping[int, int]], purses: Container[Player]) -> None:
    """Check golden chips: player, value and count."""
    for player, chips in golden.items():
        if player not in purses:
            raise ValueError(f"golden chips for {player!r}, who has brought no money")
        for value, count in chips.items():
            if type(value) is not int or value <= 0 or type(count) is not int or count < 0:
                raise ValueError(
                    f"{count!r} golden chips of {value!r} for {player!r}: write a value above 0 and a count from 0"
                )
