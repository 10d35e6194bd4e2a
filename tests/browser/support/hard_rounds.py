"""Rounds of the solo games that need the most room on a felt, and shoes that deal them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sabot.engine import StackedShoe
from sabot.engine.inputs import Chance
from sabot.games.rules import Rules
from sabot.rounds.shoes import KeptShoe
from tests.browser.support.guest import Command
from tests.support.shoes import StackedShoes
from tests.support.table import Draws, cards_of

DEALER = -1


class HardRound(NamedTuple):
    """Cards in the order of the deal, bets, what is played over the socket, and the buttons that end the round."""

    game: str
    cards: str
    bets: Sequence[tuple[int, str, int]]
    commands: Sequence[Command] = ()
    ends: Sequence[str] = ()


def _bets(*sides: str) -> list[tuple[int, str, int]]:
    """Five hands with these side bets each, and the dealer's."""
    hands = [(spot, kind, 2500) for spot in range(5) for kind in ("main",)]
    return [
        *hands,
        *((spot, kind, 1000) for spot in range(5) for kind in sides),
        (DEALER, "dealer-pair", 1000),
    ]


def _split_all() -> list[Command]:
    """Split and double everything; the last decision is open."""
    moves = [
        (action, spot, hand)
        for spot in range(5)
        for action, hand in (("split", 0), ("double", 0), ("double", 1))
    ]
    return [*moves[:-1]]


#: Five pairs against a 6, two of them side bets that win; every hand gets a 3 and a 2, and a king.
_PAIRS = "8s 8h 9s 7d 6c 6h 8d 8c 9d 7h 6d 10s " + "3h 2d Kc Ks " * 5 + "7c"
_ALL = ("player-pair", "21+3")

HARD = {
    "five pairs split and doubled": HardRound(
        "link", _PAIRS, _bets(*_ALL, "link"), _split_all(), ("double",)
    ),
    "the same at Surrender": HardRound("surrender", _PAIRS, _bets(*_ALL), _split_all(), ("stand",)),
    "five insured hands, one given up": HardRound(
        "surrender",
        "10s 9h 9s 7d 6c Ah 8d 8c 9d 7h 6d 5s 10h 3c",
        _bets(*_ALL),
        [{"type": "insure", "accept": True, "spot": None}],
        ("surrender", *["stand"] * 4),
    ),
    "nine cards": HardRound(
        "cashback",
        "As 10s 6h Ad Kd 5s Ah Ac As Ad Ah 2c 2d 2h 5c",
        [(0, "main", 12_700), (1, "main", 10_000)],
        [("hit", 0, 0)] * 7,
        ("stand", "stand"),
    ),
    "a dealer of eleven cards": HardRound(
        "cashback",
        "10s 2h 2d Ah Ac Ad As 6c Ah Ac Ad As Ah",
        [(4, "main", 20_000), (4, "21+3", 1000)],
        ends=("stand",),
    ),
}


class HardShoes(StackedShoes):
    """The client seed names the round that a shoe deals."""

    def open(self, rules: Rules, kept: KeptShoe, start: int) -> Chance:
        """The cards of the round that the player's seed names."""
        shoe = StackedShoe(cards_of(HARD[kept.client_seed].cards))
        shoe.dealt = start
        return Chance(shoe, Draws([]) if rules.bonus is not None else None)
