"""The live floor: pauses, voids and the chat of live tables (PLT-33, PLT-40)."""

from typing import Annotated

from msgspec import Meta

from sabot.errors import Refusal
from sabot.protocol.fields import PlayerName, TableName
from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import Order, log_order
from sabot.server.tables.chat import MOST_MUTED
from sabot.store.kinds import OrderKind

#: The reason that players see for a pause; the operator's own words stay in the house.
_LOOKING = "looking"


class Muting(Order, frozen=True, kw_only=True):
    """A player who may not write for some minutes, at any table; 0 minutes end it."""

    player: PlayerName
    minutes: Annotated[int, Meta(ge=0, le=MOST_MUTED)]


class Unsaying(Order, frozen=True, kw_only=True):
    """A chat message to remove from every screen."""

    id: Annotated[int, Meta(ge=0, le=2**53 - 1)]


async def void_table(call: Call, table: TableName, form: Order) -> None:
    """Void the round of a live table: every stake goes back.

    If the round ends meanwhile, nothing is voided.
    """
    runtime = call.registry.find_live(table)
    code = runtime.table.play.code
    if not runtime.table.table.in_round:
        raise Refusal("round/over")
    await log_order(call, "void-round", form.reason, round=code)
    await call.registry.void(runtime.name, code)


async def pause_table(call: Call, table: TableName, form: Order) -> None:
    """Pause a live table; its players see that something is being checked (PLT-33)."""
    await _pause(call, "pause-table", table, form.reason)


async def call_supervisor(call: Call, table: TableName, form: Order) -> None:
    """Call the supervisor to a live table: it is paused, and its players see why (PLT-33)."""
    await _pause(call, "call-supervisor", table, form.reason)


async def _pause(call: Call, kind: OrderKind, table: str, reason: str) -> None:
    runtime = call.registry.find_live(table)
    if runtime.table.table.paused:
        raise Refusal("table/paused")
    await log_order(call, kind, reason, table=runtime.name)
    await runtime.order(lambda live: live.pause(_LOOKING))


async def resume_table(call: Call, table: TableName, form: Order) -> None:
    """Resume a live table."""
    runtime = call.registry.find_live(table)
    if not runtime.table.table.paused:
        raise Refusal("table/not-paused")
    await log_order(call, "resume-table", form.reason, table=runtime.name)
    await runtime.order(lambda live: live.resume())


# Chat


async def mute(call: Call, table: TableName, form: Muting) -> None:
    """Mute a player for some minutes, at any table (PLT-40).

    The name is the one that is shown at this table.
    """
    runtime = call.registry.find_live(table)
    players = runtime.table.attendance.players.items()
    called = [int(player) for player, presence in players if presence.name == form.player]
    player = called[0] if len(called) == 1 else await call.players.named(form.player)
    await log_order(call, "mute-player", form.reason, player=player, minutes=form.minutes)
    call.registry.mute(player, form.minutes)


async def unsay(call: Call, table: TableName, form: Unsaying) -> None:
    """Remove a chat message from every screen of a live table."""
    runtime, chat = call.registry.find_live(table), call.registry.chat
    said = chat.find(runtime.name, form.id)
    about = {"table": runtime.name, "line": said.id, "player": int(said.player)}
    await log_order(call, "unsay-line", form.reason, **about)
    chat.unsay(runtime, said.id)
