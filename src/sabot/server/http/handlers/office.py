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
    await call.players.give_role(call.login, call.path.name, form.role, form.reason)


async def give_vip(call: Call, form: models.GivingVip) -> None:
    """Give a player another VIP level."""
    await call.players.give_vip(call.login, call.path.name, form.vip, form.reason)


async def grant_golden(call: Call, form: models.GrantingGolden) -> None:
    """Grant a player golden chips; to one who sits at a table that takes them they come there (MAJ-50)."""
    player = await call.players.named(call.path.name)
    await call.players.grant_golden(
        call.login, player, form.currency, form.value, form.count, form.reason, form.id
    )
    await orders.bring_granted(call.registry, player, form.currency)


# Malfunctions


async def void_round(call: Call, form: models.Voiding) -> None:
    """Void an open round, solo or live (PLT-32)."""
    code = call.path.code
    table = await call.registry.table_of(code)
    await call.players.order_void(call.login, code, form.reason)
    await call.registry.void(table, code)


async def void_table(call: Call, form: models.Voiding) -> None:
    """Void the round that is played at a live table; if it is over meanwhile, nothing is voided."""
    runtime = call.registry.find_live(call.path.table)
    code = runtime.table.code
    if not runtime.table.table.in_round:
        raise Refusal("round/over")
    await call.players.order_void(call.login, code, form.reason)
    await call.registry.void(runtime.name, code)


async def pause_table(call: Call, form: models.Ordering) -> None:
    """Let a live table wait, and tell everyone there that something is being looked at (PLT-33)."""
    runtime = call.registry.find_live(call.path.table)
    if runtime.table.paused:
        raise Refusal("table/paused")
    await call.players.order_pause(call.login, runtime.name, True, form.reason)
    await orders.pause(runtime)


async def call_supervisor(call: Call, form: models.Ordering) -> None:
    """A presenter calls the supervisor: the table waits, and everyone there is told why (PLT-33)."""
    runtime = call.registry.find_live(call.path.table)
    if runtime.table.paused:
        raise Refusal("table/paused")
    await call.players.call_supervisor(call.login, runtime.name, form.reason)
    await orders.pause(runtime)


async def resume_table(call: Call, form: models.Ordering) -> None:
    """Let a live table go on."""
    runtime = call.registry.find_live(call.path.table)
    if not runtime.table.paused:
        raise Refusal("table/not-paused")
    await call.players.order_pause(call.login, runtime.name, False, form.reason)
    await orders.resume(runtime)


# Talk


async def mute(call: Call, form: models.Muting) -> None:
    """Let a player say nothing for a while, at any table; the name is the one that is seen at this one (PLT-40)."""
    runtime = call.registry.find_live(call.path.table)
    player = orders.player_called(runtime, form.player) or await call.players.named(form.player)
    await call.players.mute(call.login, player, form.minutes, form.reason)
    call.registry.chat.mute(player, form.minutes)


async def unsay(call: Call, form: models.Unsaying) -> None:
    """Take a line away from every screen of a table."""
    runtime, chat = call.registry.find_live(call.path.table), call.registry.chat
    said = chat.find(runtime.name, form.id)
    await call.players.unsay(call.login, runtime.name, said.id, int(said.player), form.reason)
    chat.unsay(runtime, said.id)
