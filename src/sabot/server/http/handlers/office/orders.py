"""An operator's order: it is checked first, then logged, then carried out, so that none is logged in vain (ASR-33)."""

from sabot.protocol.fields import Form, Reason
from sabot.server.http.dispatch import Call
from sabot.store.kinds import OrderKind


class Order(Form, frozen=True, kw_only=True):
    """An operator's order; the reason is logged and never shown to players (ASR-33)."""

    reason: Reason


async def log_order(call: Call, kind: OrderKind, reason: str, **about: object) -> None:
    """Log an order before it is carried out."""
    by = call.login.player
    await call.house.register(lambda register, at: register.order(kind, by, reason, at, **about))
