"""Which function carries out which command."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from sabot.engine import answers, before, decisions, spins
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


#: One function per command, which checks it and gives its effect; each takes its own kind.
_DOORS: dict[type, Callable[..., Effect]] = {
    PlaceBets: before.place_bets,
    Consent: before.consent,
    AllowBehind: before.allow_behind,
    AddMoney: before.add_money,
    BoundLoss: before.bound_loss,
    Join: before.join,
    Deal: before.deal,
    Insure: answers.insure,
    EvenMoney: answers.even_money,
    CloseOffers: answers.close_offers,
    Hit: decisions.hit,
    Stand: decisions.stand,
    Double: decisions.double,
    Split: decisions.split,
    Surrender: decisions.surrender,
    Cashback: decisions.cashback,
    Vote: decisions.vote,
    Spin: spins.spin,
    Continue: spins.proceed,
    Void: void,
}


def door(command: AnyCommand) -> Callable[..., Effect]:
    """The function that checks a command of this kind and gives its effect."""
    try:
        return _DOORS[type(command)]
    except KeyError:
        raise Refusal("command/unknown", command=command) from None
