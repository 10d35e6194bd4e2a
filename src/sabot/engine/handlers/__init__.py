"""Handlers of commands: each checks a command and returns its effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sabot.engine import commands
from sabot.engine.commands import Effect
from sabot.engine.handlers import betting, bonus, dealer, decisions, offers, players, votes
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round


def void(round: Round, command: commands.Void) -> Effect:
    """A malfunction ends the round (PLT-32)."""
    if round.over:
        raise Refusal("round/over")
    reason = command.reason
    if not reason.isprintable() or reason != reason.strip() or not reason:
        raise Refusal("round/bad-reason", reason=reason)
    return lambda: round.void(reason)


#: The handler of each command.
HANDLERS: dict[type, Callable[..., Effect]] = {
    commands.PlaceBets: betting.place_bets,
    commands.Consent: players.consent,
    commands.AllowBehind: betting.allow_behind,
    commands.AddMoney: players.add_money,
    commands.BoundLoss: players.bound_loss,
    commands.Join: players.join,
    commands.Deal: betting.deal,
    commands.Insure: offers.insure,
    commands.EvenMoney: offers.even_money,
    commands.CloseOffers: offers.close_offers,
    commands.Hit: decisions.hit,
    commands.Stand: decisions.stand,
    commands.Double: decisions.double,
    commands.Split: decisions.split,
    commands.Surrender: decisions.surrender,
    commands.Cashback: decisions.cashback,
    commands.Vote: votes.vote,
    commands.Spin: bonus.spin,
    commands.Continue: bonus.proceed,
    commands.Scan: dealer.scan,
    commands.Pay: dealer.pay,
    commands.ShowCutCard: dealer.show_cut_card,
    commands.Void: void,
}
