"""The payments of a finished round.

The outcome of a hand and of a side bet is worked out once; every backer's line is then a multiplication.
"""

from typing import NamedTuple

from sabot.cards import Hand
from sabot.engine.events import Result, Stake
from sabot.engine.play import PlayedHand
from sabot.games.rules import EVEN_MONEY, Odds, Rules


class Outcome(NamedTuple):
    """The outcome of a bet: a win at odds, a return, a loss, or a fixed amount."""

    result: Result
    pays: Odds = (0, 1)
    amount: int = 0


class LinePayment(NamedTuple):
    """Money paid on a line, the part of it that is won, and golden chips given back."""

    paid: int
    won: int
    golden_back: tuple[int, ...] = ()


LOSE = Outcome("lose")
PUSH = Outcome("push")
RETURNED = Outcome("returned")
HALF = Outcome("half")


def pay(stake: Stake, outcome: Outcome) -> LinePayment:
    """The payment of a line, rounded down once to the cent (COM-20, COM-21, FRB-04, FRB-06, MAJ-54).

    >>> pay(Stake(101), Outcome("blackjack", (3, 2)))
    LinePayment(paid=252, won=151, golden_back=())
    """
    result = outcome.result
    if result == "lose":
        return LinePayment(0, 0)
    if result in ("win", "blackjack", "even-money"):
        num, den = outcome.pays
        won = stake.face * num // den
        return LinePayment(stake.own + won, won)
    if result == "half":
        return LinePayment(half(stake.own), 0)
    if result == "cashback":
        return LinePayment(outcome.amount, max(0, outcome.amount - stake.own))
    return LinePayment(stake.own, 0, stake.golden)


def half(stake: int) -> int:
    """The part of a stake that a surrender returns (SUR-03)."""
    return stake // 2


def hand_outcome(rules: Rules, hand: PlayedHand, dealer: Hand, cashback: int) -> Outcome:
    """The outcome of a hand's own stake against the dealer's finished hand."""
    match hand.ended:
        case "bust":
            return LOSE
        case "surrendered":
            return HALF
        case "cashed-back":
            return Outcome("cashback", amount=cashback)
        case "even-money":
            return Outcome("even-money", EVEN_MONEY)
        case "blackjack":
            return PUSH if dealer.is_natural else Outcome("blackjack", rules.blackjack_pays)
    if dealer.is_natural:
        return LOSE
    win = Outcome("win", rules.win_pays)
    if hand.ended == "charlie":
        return win
    theirs, ours = dealer.total, hand.total
    if theirs > 21:
        return PUSH if theirs == 22 and rules.dealer_22_pushes else win
    if ours == theirs:
        return PUSH
    return win if ours > theirs else LOSE


def double_outcome(rules: Rules, hand: PlayedHand, dealer: Hand, ten_up: bool) -> Outcome:
    """The outcome of the stake a double added: it may come back under a ten-up blackjack (COM-47)."""
    if hand.ended != "bust" and dealer.is_natural and ten_up and rules.ten_up_returns_double:
        return RETURNED
    return hand_outcome(rules, hand, dealer, 0)
