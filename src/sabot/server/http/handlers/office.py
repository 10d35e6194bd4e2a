"""The back office: what operators make of players, rounds and live tables, each with a reason (PLT-60, ASR-33).

An order is looked at first, so that none is written down in vain; then it is written down; then it is carried out.
"""

from __future__ import annotations

from sabot.errors import Refusal
from sabot.server.http import models
from sabot.server.http.dispatch import Call
from sabot.server.tables import orders


async def give_role(call: Call, form: models.GivingRole) -> None:
    """Give a player another role."""
    by, player = call.login.player, await call.players.named(call.path.name)
    await call.house.register(lambda register, at: register.give_role(by, player, form.role, form.reason, at))


async def give_vip(call: Call, form: models.GivingVip) -> None:
    """Give a player another VIP level."""
    by, player = call.login.player, await call.players.named(call.path.name)
    await call.house.register(lambda register, at: register.give_vip(by, player, form.vip, form.reason, at))


async def grant_golden(call: Call, form: models.GrantingGolden) -> None:
    """Grant a player golden chips; to one who sits at a table that takes them they come there (MAJ-50)."""
    by, player = call.login.player, await call.players.named(call.path.name)
    gift = form.currency, form.value, form.count, form.reason
    await call.house.register(lambda register, at: register.grant_golden(by, player, *gift, at, id=form.id))
    await orders.bring_granted(call.registry, player, form.currency)


# Malfunctions


async def void_round(call: Call, form: models.Voiding) -> None:
    """Void an open round, solo or live (PLT-32)."""
    code = call.path.code
    table = await call.registry.table_of(code)
    await _order_void(call, code, form.reason)
    await call.registry.void(table, code)


async def void_table(call: Call, form: models.Voiding) -> None:
    """Void the round that is played at a live table; if it is over meanwhile, nothing is voided."""
    runtime = call.registry.find_live(call.path.table)
    code = runtime.table.code
    if not runtime.table.table.in_round:
        raise Refusal("round/over")
    await _order_void(call, code, form.reason)
    await call.registry.void(runtime.name, code)


async def _order_void(call: Call, code: str, reason: str) -> None:
    by = call.login.player
    await call.house.register(lambda register, at: register.order_void(by, code, reason, at))


async def pause_table(call: Call, form: models.Ordering) -> None:
    """Let a live table wait, and tell everyone there that something is being looked at (PLT-33)."""
    runtime = call.registry.find_live(call.path.table)
    if runtime.table.paused:
        raise Refusal("table/paused")
    by, table = call.login.player, runtime.name
    await call.house.register(lambda register, at: register.order_pause(by, table, True, form.reason, at))
    await orders.pause(runtime)


async def call_supervisor(call: Call, form: models.Ordering) -> None:
    """A presenter calls the supervisor: the table waits, and everyone there is told why (PLT-33)."""
    runtime = call.registry.find_live(call.path.table)
    if runtime.table.paused:
        raise Refusal("table/paused")
    by, table = call.login.player, runtime.name
    await call.house.register(lambda register, at: register.call_supervisor(by, table, form.reason, at))
    await orders.pause(runtime)


async def resume_table(call: Call, form: models.Ordering) -> None:
    """Let a live table go on."""
    runtime = call.registry.find_live(call.path.table)
    if not runtime.table.paused:
        raise Refusal("table/not-paused")
    by, table = call.login.player, runtime.name
    await call.house.register(lambda register, at: register.order_pause(by, table, False, form.reason, at))
    await orders.resume(runtime)


# Talk


async def mute(call: Call, form: models.Muting) -> None:
    """Let a player say nothing for a while, at any table; the name is the one that is seen at this one (PLT-40)."""
    runtime = call.registry.find_live(call.path.table)
    player = orders.player_called(runtime, form.player) or await call.players.named(form.player)
    by = call.login.player
    await call.house.register(lambda register, at: register.mute(by, player, form.minutes, form.reason, at))
    call.registry.chat.mute(player, form.minutes)


async def unsay(call: Call, form: models.Unsaying) -> None:
    """Take a line away from every screen of a table."""
    runtime, chat = call.registry.find_live(call.path.table), call.registry.chat
    said = chat.find(runtime.name, form.id)
    line = call.login.player, runtime.name, said.id, int(said.player), form.reason
    await call.house.register(lambda register, at: register.unsay(*line, at))
    chat.unsay(runtime, said.id)
