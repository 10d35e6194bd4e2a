"""Handlers of decisions on a hand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.engine.commands import Cashback, Decision, Double, Effect, Hit, Split, Stand, Surrender
from sabot.engine.events import Acted, Ending, Option, means
from sabot.errors import Refusal
from sabot.games.rules import Action

if TYPE_CHECKING:
    from sabot.engine.round import Round


def check_turn(round: Round, command: Decision, action: Action) -> Option:
    """The option of a decision, if the hand is in turn and its cards and money allow the action."""
    turn = (command.spot, command.hand)
    if turn != round.turn:
        round.check_phase("decisions")
        raise Refusal("turn/not-yours", turn=hand_name(round.turn), named=hand_name(turn))
    option = round.options_now.get(action)
    if option is None:
        legal = ", ".join(round.options_now)
        raise Refusal("action/not-legal", action=action, named=hand_name(turn), legal=legal)
    if option.cost:
        round.book.afford(round.book.owners[command.spot], option.cost)
    return option


def hand_name(turn: tuple[int, int] | None) -> str:
    """A hand as text: `spot.hand`."""
    return f"{turn[0]}.{turn[1]}" if turn else "none"


def decide(round: Round, command: Decision, option: Option, carry_out: Effect) -> Effect:
    """The effect of a decision: its event, at a box with the votes, and what it does, up to the next turn."""

    def effect() -> None:
        tally = round.ballot.tally() if round.rules.backing == "boxes" else ()
        round.emit(Acted(command.spot, command.hand, option.action, option.free, tally))
        carry_out()

    return effect


def hit(round: Round, command: Hit) -> Effect:
    """Take a card."""
    option = check_turn(round, command, "hit")
    return decide(round, command, option, lambda: round.play.hit(command.spot, command.hand, round.next_turn))


def stand(round: Round, command: Stand) -> Effect:
    """Take no more cards."""
    return _end(round, command, "stand", "stood")


def surrender(round: Round, command: Surrender) -> Effect:
    """Give up the hand for half its stake (SUR-03)."""
    return _end(round, command, "surrender", "surrendered")


def _end(round: Round, command: Decision, action: Action, ending: Ending) -> Effect:
    option = check_turn(round, command, action)

    def carry_out() -> None:
        round.play.end(command.spot, command.hand, ending)
        round.next_turn()

    return decide(round, command, option, carry_out)


def double(round: Round, command: Double) -> Effect:
    """Double the stake of everyone who follows, for one card (COM-43, FRB-04, MAJ-41)."""
    option = check_turn(round, command, "double")

    def carry_out() -> None:
        round.book.add_stakes(command.spot, command.hand, "double", option.free, round.ballot.vote_of)
        round.play.double(command.spot, command.hand, means(option.free), round.next_turn)

    return decide(round, command, option, carry_out)


def split(round: Round, command: Split) -> Effect:
    """Make two hands; everyone who follows stakes on the second (COM-40, FRB-06, MAJ-41)."""
    option = check_turn(round, command, "split")

    def carry_out() -> None:
        staked = round.book.add_stakes(command.spot, 0, "split", option.free, round.ballot.vote_of)
        round.play.split(command.spot, staked, means(option.free), round.next_turn)

    return decide(round, command, option, carry_out)


def cashback(round: Round, command: Cashback) -> Effect:
    """Sell the hand for the price shown (CSH-02, CSH-15)."""
    option = check_turn(round, command, "cashback")
    if command.price != option.pays:
        raise Refusal("cashback/stale", price=option.pays, shown=command.price)

    def carry_out() -> None:
        round.settlement.cashbacks[command.spot, command.hand] = option.pays
        round.play.end(command.spot, command.hand, "cashed-back")
        round.next_turn()

    return decide(round, command, option, carry_out)
