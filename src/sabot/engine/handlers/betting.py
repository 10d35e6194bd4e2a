"""Handlers of commands before the cards: bets, consent, money, deal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.engine.commands import (
    AddMoney,
    AllowBehind,
    BoundLoss,
    Consent,
    Deal,
    Effect,
    Join,
    PlaceBets,
    Player,
)
from sabot.engine.events import (
    BehindAllowed,
    BetsPlaced,
    ConsentGiven,
    LossBounded,
    MoneyAdded,
    PlayerJoined,
)
from sabot.engine.inputs import check_golden, check_purse
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round


def place_bets(round: Round, command: PlaceBets) -> Effect:
    """Replace the bets of a player (COM-23, COM-25, SB-08)."""
    if round.phase != "betting":
        raise Refusal("round/over" if round.over else "round/not-betting")
    round.betting.check(command.player, command.bets)

    def effect() -> None:
        round.betting.place(command.player, command.bets)
        round.emit(BetsPlaced(command.player, command.bets, round.balance(command.player)))

    return effect


def consent(round: Round, command: Consent) -> Effect:
    """Set whether a player follows decisions of others (FRB-42, MAJ-12)."""
    if round.phase != "betting":
        raise Refusal("consent/closed")
    round.book.purse(command.player)

    def effect() -> None:
        round.book.consents[command.player] = command
        round.emit(ConsentGiven(command.player, command.double, command.split))

    return effect


def allow_behind(round: Round, command: AllowBehind) -> Effect:
    """Open or close a seat for bets behind (FRB-43)."""
    if round.rules.backing != "seats":
        raise Refusal("behind/no-seats")
    if type(command.spot) is not int or not 0 <= command.spot < round.rules.spots:
        raise Refusal("bet/no-such-spot", spot=command.spot, last=round.rules.spots - 1)
    if round.over:
        raise Refusal("round/over")

    def effect() -> None:
        waits = round.betting.allow_behind(command.spot, command.allowed)
        round.emit(BehindAllowed(command.spot, command.allowed, waits or round.phase != "betting"))

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
        round.renew_options()


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


def deal(round: Round, command: Deal) -> Effect:
    """Close betting, deal, and open offers under an ace (COM-09, COM-27)."""
    if round.phase != "betting":
        raise Refusal("round/over" if round.over else "round/not-betting")
    if not round.betting.any_staked():
        raise Refusal("bet/none")
    if not command.insurance and round.rules.backing != "solo":
        raise Refusal("offer/no-switch")

    def effect() -> None:
        round.play.deal(round.betting.close())
        round.settlement.side_bets.decide_at_deal()
        round.phase = "offers"
        if round.play.ace_up:
            blackjacks = {spot for spot, _, hand in round.play.hands() if hand.ended == "blackjack"}
            round.offers.start(blackjacks, command.insurance)
        if not round.offers.open:
            round.end_offers()

    return effect
