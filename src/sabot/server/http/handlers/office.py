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
    await orders.bring_granted(call.registry.floor, player, form.currency)


# Malfunctions


async def void_round(call: Call, form: models.Voiding) -> None:
    """Void an open round, solo or live (PLT-32)."""
    code = call.path.code
    table = await call.registry.table_of(code)
    await call.players.order_void(call.login, code, form.reason)
    await call.registry.void(table, code)


async def void_table(call: Call, form: models.Voiding) -> None:
    """Void the round that is played at a live table; if it is over meanwhile, nothing is voided."""
    desk = orders.desk_of(call.registry.floor, call.path.table)
    code = desk.live.code
    if not desk.live.table.in_round:
        raise Refusal("round/over")
    await call.players.order_void(call.login, code, form.reason)
    await orders.void(desk, code)


async def pause_table(call: Call, form: models.Ordering) -> None:
    """Let a live table wait, and tell everyone there that something is being looked at (PLT-33)."""
    desk = orders.desk_of(call.registry.floor, call.path.table)
    if desk.live.paused:
        raise Refusal("table/paused")
    await call.players.order_pause(call.login, desk.name, True, form.reason)
    await orders.pause(desk)


async def call_supervisor(call: Call, form: models.Ordering) -> None:
    """A presenter calls the supervisor: the table waits, and everyone there is told why (PLT-33)."""
    desk = orders.desk_of(call.registry.floor, call.path.table)
    if desk.live.paused:
        raise Refusal("table/paused")
    await call.players.call_supervisor(call.login, desk.name, form.reason)
    await orders.pause(desk)


async def resume_table(call: Call, form: models.Ordering) -> None:
    """Let a live table go on."""
    desk = orders.desk_of(call.registry.floor, call.path.table)
    if not desk.live.paused:
        raise Refusal("table/not-paused")
    await call.players.order_pause(call.login, desk.name, False, form.reason)
    await orders.resume(desk)


# Talk


async def mute(call: Call, form: models.Muting) -> None:
    """Let a player say nothing for a while, at any table; the name is the one that is seen at this one (PLT-40)."""
    desk = orders.desk_of(call.registry.floor, call.path.table)
    player = orders.player_called(desk, form.player) or await call.players.named(form.player)
    await call.players.mute(call.login, player, form.minutes, form.reason)
    call.registry.floor.chat.mute(player, form.minutes)


async def unsay(call: Call, form: models.Unsaying) -> None:
    """Take a line away from every screen of a table."""
    floor = call.registry.floor
    desk = orders.desk_of(floor, call.path.table)
    said = floor.chat.find(desk.name, form.id)
    await call.players.unsay(call.login, desk.name, said.id, int(said.player), form.reason)
    floor.chat.unsay(desk, said.id)
