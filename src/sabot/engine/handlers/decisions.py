"""Handlers of decisions on a hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sabot.engine.commands import (
    Cashback,
    Decision,
    Double,
    Effect,
    Hit,
    Player,
    Split,
    Stand,
    Surrender,
)
from sabot.engine.events import Acted, Ending
from sabot.engine.play import PlayedHand
from sabot.errors import Refusal
from sabot.games.rules import Action

if TYPE_CHECKING:
    from sabot.engine.round import Round


def check_turn(round: Round, command: Decision, action: Action) -> PlayedHand:
    """The hand of a decision, if it is in turn and its cards and money allow the action."""
    turn = (command.spot, command.hand)
    if turn != round.turn:
        round.check_phase("decisions")
        raise Refusal("turn/not-yours", turn=hand_name(round.turn), named=hand_name(turn))
    option = round.menu.by_action.get(action)
    if option is None:
        legal = ", ".join(round.options_now)
        raise Refusal("action/not-legal", action=action, named=hand_name(turn), legal=legal)
    if option.cost:
        round.book.afford(round.book.owners[command.spot], option.cost)
    return round.play.spots[command.spot][command.hand]


def hit(round: Round, command: Hit) -> Effect:
    """Take a card."""
    check_turn(round, command, "hit")

    def effect() -> None:
        act(round, command, "hit")
        round.play.hit(command.spot, command.hand)
        round.next_turn()

    return effect


def stand(round: Round, command: Stand) -> Effect:
    """Take no more cards."""
    return _end(round, command, "stand", "stood")


def double(round: Round, command: Double) -> Effect:
    """Double the stake of everyone who follows, for one card (COM-43, FRB-04, MAJ-41)."""
    hand = check_turn(round, command, "double")

    def effect() -> None:
        free = round.play.double_is_free(hand)
        act(round, command, "double", free)
        round.book.add_stakes(command.spot, command.hand, "double", free, voted(round, "double"))
        round.play.double(command.spot, command.hand)
        round.next_turn()

    return effect


def split(round: Round, command: Split) -> Effect:
    """Make two hands; everyone who follows stakes on the second (COM-40, FRB-06, MAJ-41)."""
    hand = check_turn(round, command, "split")

    def effect() -> None:
        free = round.play.split_is_free(hand)
        act(round, command, "split", free)
        left_staked = round.book.add_stakes(command.spot, 0, "split", free, voted(round, "split"))
        round.play.split(command.spot, left_staked)
        round.next_turn()

    return effect


def surrender(round: Round, command: Surrender) -> Effect:
    """Give up the hand for half its stake (SUR-03)."""
    return _end(round, command, "surrender", "surrendered")


def cashback(round: Round, command: Cashback) -> Effect:
    """Sell the hand for the price shown (CSH-02, CSH-15)."""
    check_turn(round, command, "cashback")
    price = round.options_now["cashback"].pays
    if command.price != price:
        raise Refusal("cashback/stale", price=price, shown=command.price)

    def effect() -> None:
        act(round, command, "cashback")
        round.settlement.cashbacks[command.spot, command.hand] = price
        round.play.end(command.spot, command.hand, "cashed-back")
        round.next_turn()

    return effect


def _end(round: Round, command: Decision, action: Action, ending: Ending) -> Effect:
    check_turn(round, command, action)

    def effect() -> None:
        act(round, command, action)
        round.play.end(command.spot, command.hand, ending)
        round.next_turn()

    return effect


def act(round: Round, command: Decision, action: Action, free: bool = False) -> None:
    """Emit the decision; at a box, with its votes."""
    tally = round.ballot.tally() if round.rules.backing == "boxes" else ()
    round.emit(Acted(command.spot, command.hand, action, free, tally))


def voted(round: Round, action: Action) -> Callable[[Player], bool]:
    """Tells whether a player voted for an action (MAJ-42)."""
    ballot = round.ballot
    return lambda player: ballot.vote_of(player) == action


def hand_name(turn: tuple[int, int] | None) -> str:
    """A hand as text: `spot.hand`."""
    return f"{turn[0]}.{turn[1]}" if turn else "none"
