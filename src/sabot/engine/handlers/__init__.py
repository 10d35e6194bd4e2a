"""Handlers of commands: each checks a command and returns its effect."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sabot.engine.commands import (
    AddMoney,
    AllowBehind,
    AnyCommand,
    BoundLoss,
    Cashback,
    CloseOffers,
    Consent,
    Continue,
    Deal,
    Double,
    Effect,
    EvenMoney,
    Hit,
    Insure,
    Join,
    PlaceBets,
    Spin,
    Split,
    Stand,
    Surrender,
    Void,
    Vote,
)
from sabot.engine.handlers import betting, bonus, decisions, offers
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round


def void(round: Round, command: Void) -> Effect:
    """A malfunction ends the round (PLT-32)."""
    if round.over:
        raise Refusal("round/over")
    reason = command.reason
    if not reason.isprintable() or reason != reason.strip() or not reason:
        raise Refusal("round/bad-reason", reason=reason)
    return lambda: round.void(reason)


_HANDLERS: dict[type, Callable[..., Effect]] = {
    PlaceBets: betting.place_bets,
    Consent: betting.consent,
    AllowBehind: betting.allow_behind,
    AddMoney: betting.add_money,
    BoundLoss: betting.bound_loss,
    Join: betting.join,
    Deal: betting.deal,
    Insure: offers.insure,
    EvenMoney: offers.even_money,
    CloseOffers: offers.close_offers,
    Hit: decisions.hit,
    Stand: decisions.stand,
    Double: decisions.double,
    Split: decisions.split,
    Surrender: decisions.surrender,
    Cashback: decisions.cashback,
    Vote: decisions.vote,
    Spin: bonus.spin,
    Continue: bonus.proceed,
    Void: void,
}


def handler_of(command: AnyCommand) -> Callable[..., Effect]:
    """The handler of a command."""
    try:
        return _HANDLERS[type(command)]
    except KeyError:
        raise Refusal("command/unknown", command=command) from None
