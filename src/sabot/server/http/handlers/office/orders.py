"""An operator's order: it is checked first, then logged, then carried out, so that none is logged in vain (ASR-33)."""

from msgspec import Struct

from sabot.protocol.fields import Form, PublicReason, Reason
from sabot.server.http.dispatch import Call
from sabot.server.office.proposals import Proposal
from sabot.store.kinds import OrderKind


class Order(Form, frozen=True, kw_only=True):
    """An operator's order; the reason is logged and never shown to players (ASR-33)."""

    reason: Reason


class ToldOrder(Order, frozen=True, kw_only=True):
    """An order that the player reads in the own movements, with the public reason (PLT-73)."""

    public: PublicReason = ""


class GiftAnswer(Struct, frozen=True):
    """What became of an order that gives a player something: the proposal that waits, or None if it is done (OFF-17)."""

    proposal: Proposal | None


async def log_order(call: Call, kind: OrderKind, reason: str, **about: object) -> None:
    """Log an order before it is carried out."""
    by = call.login.player
    await call.house.register(lambda register, at: register.order(kind, by, reason, at, **about))
