"""The inputs of a round, their checks, and the tape that keeps them for a replay."""

from collections.abc import Callable, Container, Mapping, Sequence
from typing import NamedTuple, Protocol

from msgspec import Struct

from sabot.cards import Card
from sabot.engine.commands import Consent, Player
from sabot.engine.shoe import Shoe
from sabot.games.rules import Rules

#: The number of this engine, kept with each round. It grows when the same commands and cards would give another result,
#: or other events: a release that changes the engine says in `is_known` which older rounds it still plays as they were.
ENGINE = 1

#: Gives a number from 0 to n - 1.
Draw = Callable[[int], int]


def is_known(engine: int) -> bool:
    """Whether this package can play a round of an engine.

    >>> is_known(ENGINE), is_known(ENGINE + 1)
    (True, False)
    """
    return engine == ENGINE


class Chance(NamedTuple):
    """Where the cards of a round come from and, in a game with a bonus, its draws."""

    shoe: Shoe
    draw: Draw | None = None


class Price(Protocol):
    """The worth of a hand: (1 + V) in 1e-9 stakes, from the cards a player can see (CSH-15)."""

    def __call__(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int: ...


class Tape(Struct):
    """Inputs of a round in order of use; with its commands, all that a replay needs. It holds face-down cards."""

    #: The money each player brought, and golden chips by face value.
    purses: dict[Player, int]
    golden: dict[Player, dict[int, int]] = {}
    #: Cards dealt from the shoe before this round.
    start: int = 0
    #: Consents from before the round (MAJ-12).
    consents: dict[Player, Consent] = {}
    #: The most each player may stake, by loss limit (ASR-41).
    most: dict[Player, int] = {}
    cards: list[Card] = []
    draws: list[int] = []
    prices: list[int] = []


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
