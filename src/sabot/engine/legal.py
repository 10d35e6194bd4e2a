"""Legal moves: the buttons of every client."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.engine.commands import (
    DECISIONS,
    AnyCommand,
    Cashback,
    CloseOffers,
    Continue,
    Deal,
    EvenMoney,
    Insure,
    PlaceBets,
    Player,
    Spin,
    Vote,
)
from sabot.engine.events import Option

if TYPE_CHECKING:
    from sabot.engine.round import Round


def legal_moves(round: Round) -> tuple[AnyCommand, ...]:
    """Every legal move of players and table."""
    if round.phase == "betting":
        bets = tuple(PlaceBets(player) for player in round.book.purses)
        return (*bets, Deal()) if round.betting.any_staked() else bets
    if round.phase == "offers":
        return _answers(round)
    if round.bonus is not None:
        spot = round.bonus.spot
        return (Continue(spot),) if round.bonus.stage == "intro" else (Spin(spot),)
    if round.turn is not None:
        spot, hand = round.turn
        moves = (_move(option, spot, hand) for option in round.options_now.values())
        return tuple(move for move in moves if round.can(move))
    return ()


def legal_votes(round: Round, player: Player) -> tuple[Vote, ...]:
    """The votes a player may cast now."""
    if round.turn is None:
        return ()
    spot, hand = round.turn
    votes = (Vote(spot, hand, player=player, action=action) for action in round.options_now)
    return tuple(vote for vote in votes if round.can(vote))


def _answers(round: Round) -> tuple[AnyCommand, ...]:
    answers: list[AnyCommand] = []
    for (player, spot), offer in round.offers.open.items():
        if offer.kind == "even-money":
            answers += (EvenMoney(spot, accept) for accept in (True, False))
        else:
            answers += (Insure(player, accept, where) for where in (spot, None) for accept in (True, False))
    answers.append(CloseOffers())
    return tuple(answer for answer in dict.fromkeys(answers) if round.can(answer))


def _move(option: Option, spot: int, hand: int) -> AnyCommand:
    if option.action == "cashback":
        return Cashback(spot, hand, price=option.pays)
    return DECISIONS[option.action](spot, hand)
