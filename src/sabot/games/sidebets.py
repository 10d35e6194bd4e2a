"""The side bets: which cards decide them, their categories and prizes (SB).

A judge names the best category that cards make, or ``""``; a `SideBet` says what its categories pay. One judge serves
21+3 and Top 3.

>>> from sabot.cards import parse_cards
>>> three_cards(*parse_cards("Qh Kh Ah"))
'straight-flush'
>>> TWENTY_ONE_PLUS_3.prize("straight-flush")
40
"""

from typing import Literal

from msgspec import Struct

from sabot.cards import VALUES, is_red, rank, suit

SideBetName = Literal["player-pair", "dealer-pair", "21+3", "top-3", "buster", "lucky-lucky", "link"]
#: What a bet is decided by: the hand's two cards, the dealer's two, the hand's two and the up card read as
#: poker or added up, the dealer's finished hand, or a blackjack that opens the bonus.
Judge = Literal["hand-pair", "dealer-pair", "poker", "lucky", "dealer-bust", "bonus"]


class SideBet(Struct, frozen=True):
    """A side bet and its prizes, the highest category first; a prize of N pays N:1."""

    name: SideBetName
    judge: Judge
    prizes: tuple[tuple[str, int], ...] = ()
    #: One bet for the whole round, beside the dealer's hand, instead of one for each staked spot (SB-02).
    once: bool = False

    def prize(self, category: str) -> int:
        """What a category pays to 1; 0 where it does not pay."""
        for name, pays in self.prizes:
            if name == category:
                return pays
        return 0


def pair(first: int, second: int) -> str:
    """The kind of pair two cards make; 10 and K are none (SB-10)."""
    if rank(first) != rank(second):
        return ""
    if suit(first) == suit(second):
        return "perfect"
    return "coloured" if is_red(first) == is_red(second) else "mixed"


def three_cards(first: int, second: int, third: int) -> str:
    """The poker hand three cards make; the ace is high or low in a straight (SB-11)."""
    low, middle, high = sorted((rank(first), rank(second), rank(third)))
    flush = suit(first) == suit(second) == suit(third)
    if low == high:
        return "suited-three" if flush else "three"
    straight = (low + 1 == middle == high - 1) or (low, middle, high) == (0, 11, 12)
    if straight:
        return "straight-flush" if flush else "straight"
    return "flush" if flush else ""


def lucky(first: int, second: int, third: int) -> str:
    """The Lucky Lucky category; an ace counts 1 or 11, whichever pays more (SB-14)."""
    values = sorted((VALUES[first], VALUES[second], VALUES[third]))
    suited = "suited-" if suit(first) == suit(second) == suit(third) else ""
    if values == [7, 7, 7]:
        return f"{suited}777"
    if values == [6, 7, 8]:
        return f"{suited}678"
    low = sum(values)
    totals = range(low, low + 10 * values.count(1) + 1, 10)
    if 21 in totals:
        return f"{suited}21"
    return next((str(total) for total in (20, 19) if total in totals), "")


def dealer_bust(cards: int, player_blackjack: bool) -> str:
    """The Buster category of a dealer bust, by its number of cards (SB-13)."""
    if cards <= 6:
        return "3-4" if cards <= 4 else str(cards)
    count = "7" if cards == 7 else "8+"
    return f"{count}-blackjack" if player_blackjack else count


_PAIRS = (("perfect", 25), ("coloured", 12), ("mixed", 6))

PLAYER_PAIR = SideBet("player-pair", "hand-pair", _PAIRS)
DEALER_PAIR = SideBet("dealer-pair", "dealer-pair", _PAIRS, once=True)
DEALER_PAIR_PER_BOX = SideBet("dealer-pair", "dealer-pair", _PAIRS)
TWENTY_ONE_PLUS_3 = SideBet(
    "21+3",
    "poker",
    (("suited-three", 100), ("straight-flush", 40), ("three", 30), ("straight", 10), ("flush", 5)),
)
TOP_3 = SideBet("top-3", "poker", (("suited-three", 270), ("straight-flush", 180), ("three", 90)))
BUSTER = SideBet(
    "buster",
    "dealer-bust",
    (
        ("8+-blackjack", 2000),
        ("7-blackjack", 800),
        ("8+", 250),
        ("7", 50),
        ("6", 18),
        ("5", 4),
        ("3-4", 2),
    ),
)
LUCKY_LUCKY = SideBet(
    "lucky-lucky",
    "lucky",
    (
        ("suited-777", 200),
        ("suited-678", 100),
        ("777", 50),
        ("678", 25),
        ("suited-21", 15),
        ("21", 3),
        ("20", 2),
        ("19", 2),
    ),
)
LINK = SideBet("link", "bonus")
