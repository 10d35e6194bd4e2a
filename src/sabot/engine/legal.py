"""Legal moves: the options of the hand in turn, and every move that is accepted now."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from types import MappingProxyType
from typing import TYPE_CHECKING

from sabot.cards import DECK_SIZE
from sabot.engine import commands
from sabot.engine.commands import DECISIONS, AnyCommand, Player
from sabot.engine.events import DueCard, Option
from sabot.engine.outcome import half
from sabot.games.rules import Action

if TYPE_CHECKING:
    from sabot.engine.round import Round


#: The options of a hand, by action, in the order they are shown.
Menu = Mapping[Action, Option]
NO_MENU: Menu = MappingProxyType({})


@lru_cache(maxsize=4096)
def make_menu(
    actions: tuple[Action, ...], stake: int, lack: str | None, free_double: bool, free_split: bool, price: int
) -> Menu:
    """The options of a decider with a stake on the hand; `lack` says why as much again cannot be staked.

    Hands of one kind share one menu.

    >>> make_menu(("stand", "double"), 500, "funds/insufficient", False, False, 0)["double"].unavailable
    'funds/insufficient'
    """
    options = {action: _option(action, stake, lack, free_double, free_split, price) for action in actions}
    return MappingProxyType(options)


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


def legal_moves(round: Round) -> tuple[AnyCommand, ...]:
    """Every legal move of players and table."""
    if round.play.due is not None:
        return _cards_due(round, round.play.due)
    if round.phase == "betting":
        bets = tuple(commands.PlaceBets(player) for player in round.book.purses)
        return (*bets, commands.Deal()) if round.betting.staked() else bets
    if round.phase == "offers":
        return _answers(round)
    if round.bonus is not None:
        spot = round.bonus.spot
        return (commands.Continue(spot),) if round.bonus.stage == "intro" else (commands.Spin(spot),)
    if round.turn is not None:
        spot, hand = round.turn
        moves = (_move(option, spot, hand) for option in round.options_now.values())
        return tuple(move for move in moves if round.can(move))
    return ()


def legal_votes(round: Round, player: Player) -> tuple[commands.Vote, ...]:
    """The votes a player may cast now."""
    if round.turn is None:
        return ()
    spot, hand = round.turn
    votes = (commands.Vote(spot, hand, player=player, action=action) for action in round.options_now)
    return tuple(vote for vote in votes if round.can(vote))


def _cards_due(round: Round, due: DueCard) -> tuple[AnyCommand, ...]:
    """What a dealer who is a person can do next: every card that the shoe can still contain, or the payment."""
    if due.what == "pay":
        return (commands.Pay(),)
    scans = (commands.Scan(card) for card in range(DECK_SIZE))
    return tuple(scan for scan in scans if round.can(scan))


def _answers(round: Round) -> tuple[AnyCommand, ...]:
    answers: list[AnyCommand] = []
    for (player, spot), offer in round.offers.open.items():
        if offer.kind == "even-money":
            answers += (commands.EvenMoney(spot, accept) for accept in (True, False))
        else:
            answers += (
                commands.Insure(player, accept, where) for where in (spot, None) for accept in (True, False)
            )
    answers.append(commands.CloseOffers())
    return tuple(answer for answer in dict.fromkeys(answers) if round.can(answer))


def _move(option: Option, spot: int, hand: int) -> AnyCommand:
    if option.action == "cashback":
        return commands.Cashback(spot, hand, price=option.pays)
    return DECISIONS[option.action](spot, hand)


def absent_move(round: Round, player: Player) -> AnyCommand:
    """The move for an absent player: refuse offers, stand, spin; never RESA or CASHBACK (PLT-30)."""
    if round.phase == "offers":
        (_, spot), offer = round.offers.current
        return (
            commands.EvenMoney(spot, False)
            if offer.kind == "even-money"
            else commands.Insure(player, False, spot)
        )
    if round.turn is not None:
        return commands.Stand(*round.turn)
    return round.legal()[0]  # the only step of the bonus
