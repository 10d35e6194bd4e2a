"""Handlers of what players bring and agree to: consent, money, loss limits, joining."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.engine.commands import AddMoney, BoundLoss, Consent, Effect, Join, Player
from sabot.engine.events import ConsentGiven, LossBounded, MoneyAdded, PlayerJoined
from sabot.engine.inputs import check_golden, check_purse
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round


def consent(round: Round, command: Consent) -> Effect:
    """Set whether a player follows decisions of others (FRB-42, MAJ-12)."""
    if round.phase != "betting":
        raise Refusal("consent/closed")
    round.book.purse(command.player)

    def effect() -> None:
        round.book.consents[command.player] = command
        round.emit(ConsentGiven(command.player, command.double, command.split))

    return effect


def add_money(round: Round, command: AddMoney) -> Effect:
    """Add money, also during a round (LNK-09)."""
    purse = round.book.purse(command.player)
    if round.over:
        raise Refusal("round/over")
    if type(command.amount) is not int or command.amount <= 0:
        raise Refusal("funds/not-positive", amount=command.amount)

    def effect() -> None:
        purse.money += command.amount
        round.emit(MoneyAdded(command.player, command.amount, purse.money))
        _renew_options(round, command.player)

    return effect


def bound_loss(round: Round, command: BoundLoss) -> Effect:
    """Set what a player's loss limit leaves for the round (ASR-41)."""
    purse = round.book.purse(command.player)
    if round.over:
        raise Refusal("round/over")
    if type(command.most) is not int or command.most < 0:
        raise Refusal("funds/not-positive", amount=command.most)

    def effect() -> None:
        purse.most = command.most
        round.emit(LossBounded(command.player, max(0, command.most - purse.staked)))
        _renew_options(round, command.player)

    return effect


def _renew_options(round: Round, player: Player) -> None:
    """Offer the options again if the player in turn can now pay for more or less."""
    if round.turn is not None and round.book.owners.get(round.turn[0]) == player:
        round.offer_options()


def join(round: Round, command: Join) -> Effect:
    """Admit a player, or again with another purse, while bets are open."""
    if round.phase != "betting":
        raise Refusal("round/over" if round.over else "round/not-betting")
    player, money, golden = command.player, command.money, command.golden
    if round.rules.backing == "solo":
        raise Refusal("player/solo")
    try:
        check_purse(player, money)
        check_golden({player: golden}, (player,))
    except ValueError as error:
        raise Refusal("player/bad-purse", reason=str(error)) from None
    if round.book.bets.get(player):
        raise Refusal("player/has-bets", player=player)

    def effect() -> None:
        round.book.admit(player, money, golden)
        round.emit(PlayerJoined(player, money))

    return effect
