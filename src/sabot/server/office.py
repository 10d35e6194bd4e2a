"""The back office: what operators make of players and rounds, each with a reason (PLT-60, ASR-33)."""

from __future__ import annotations

from sabot.server import forms
from sabot.server.route import Call


async def give_role(call: Call, form: forms.GivingRole) -> None:
    """Give a player another role."""
    await call.people.give_role(call.login, call.path.name, form.role, form.reason)


async def give_vip(call: Call, form: forms.GivingVip) -> None:
    """Give a player another VIP level."""
    await call.people.give_vip(call.login, call.path.name, form.vip, form.reason)


async def void_round(call: Call, form: forms.Voiding) -> None:
    """Void an open round of a solo table (PLT-32). The order is written down first: no void is without one."""
    code = call.path.code
    table = await call.hub.table_of(code)
    await call.people.order_void(call.login, code, form.reason)
    await call.hub.void(table, code)
