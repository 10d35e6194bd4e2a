"""What each side bet pays to 1, 0 where it loses (SB-10..14)."""

from __future__ import annotations

from itertools import product

from tests.oracle.cards import colour, is_ace, low, rank, suit, total


def pair(first: int, second: int) -> int:
    """SB-10."""
    if rank(first) != rank(second):
        return 0
    if suit(first) == suit(second):
        return 25
    if colour(first) == colour(second):
        return 12
    return 6


def is_flush(three: list[int]) -> bool:
    return suit(three[0]) == suit(three[1]) == suit(three[2])


def is_three_of_a_kind(three: list[int]) -> bool:
    return rank(three[0]) == rank(three[1]) == rank(three[2])


def is_straight(three: list[int]) -> bool:
    """SB-11: an ace is high or low, never in the middle."""
    ranks = sorted(rank(card) for card in three)
    if ranks == [0, 11, 12]:  # A Q K
        return True
    return ranks[1] == ranks[0] + 1 and ranks[2] == ranks[1] + 1


def twenty_one_plus_three(three: list[int]) -> int:
    """SB-11."""
    if is_three_of_a_kind(three) and is_flush(three):
        return 100
    if is_straight(three) and is_flush(three):
        return 40
    if is_three_of_a_kind(three):
        return 30
    if is_straight(three):
        return 10
    if is_flush(three):
        return 5
    return 0


def top_three(three: list[int]) -> int:
    """SB-12."""
    if is_three_of_a_kind(three) and is_flush(three):
        return 270
    if is_straight(three) and is_flush(three):
        return 180
    if is_three_of_a_kind(three):
        return 90
    return 0


def lucky_lucky(three: list[int]) -> int:
    """SB-14: the aces count as pays best."""
    points = [[1, 11] if is_ace(card) else [low(card)] for card in three]
    return max(lucky_lucky_counted(three, sum(choice)) for choice in product(*points))


def lucky_lucky_counted(three: list[int], points: int) -> int:
    lows = sorted(low(card) for card in three)
    if lows == [7, 7, 7] and is_flush(three):
        return 200
    if lows == [6, 7, 8] and is_flush(three):
        return 100
    if lows == [7, 7, 7]:
        return 50
    if lows == [6, 7, 8]:
        return 25
    if points == 21 and is_flush(three):
        return 15
    if points == 21:
        return 3
    if points == 20:
        return 2
    if points == 19:
        return 2
    return 0


def buster(dealer: list[int], with_blackjack: bool) -> int:
    """SB-13: a hand that was not completed, stands or is a blackjack is not bust."""
    if total(dealer) <= 21:
        return 0
    count = len(dealer)
    if count >= 8:
        return 2000 if with_blackjack else 250
    if count == 7:
        return 800 if with_blackjack else 50
    return {3: 2, 4: 2, 5: 4, 6: 18}[count]


def pays_to_one(kind: str, first_two: list[int], dealer: list[int], with_blackjack: bool) -> int:
    """The prize of any side bet but LINK; the dealer pair needs the dealer's second card."""
    three = [*first_two, dealer[0]]
    match kind:
        case "player-pair":
            return pair(first_two[0], first_two[1])
        case "dealer-pair":
            return pair(dealer[0], dealer[1])
        case "21+3":
            return twenty_one_plus_three(three)
        case "top-3":
            return top_three(three)
        case "lucky-lucky":
            return lucky_lucky(three)
        case "buster":
            return buster(dealer, with_blackjack)
    raise KeyError(kind)
