"""Rounds that an operator voids after a malfunction (PLT-32)."""

from sabot.protocol.fields import Code
from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import Order, log_order


async def void_round(call: Call, code: Code, form: Order) -> None:
    """Void an open round after a malfunction: every stake goes back (PLT-32)."""
    table = await call.registry.table_of(code)
    await log_order(call, "void-round", form.reason, round=code)
    await call.registry.void(table, code)
