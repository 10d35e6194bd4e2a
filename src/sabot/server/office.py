"""The back office: what administrators make of players, each with a reason (PLT-60, ASR-33)."""

from __future__ import annotations

from sabot.server import forms
from sabot.server.route import Call


async def give_role(call: Call, form: forms.GivingRole) -> None:
    """Give a player another role."""
    await call.people.give_role(call.login, call.path.name, form.role, form.reason)


async def give_vip(call: Call, form: forms.GivingVip) -> None:
    """Give a player another VIP level."""
    await call.people.give_vip(call.login, call.path.name, form.vip, form.reason)
