"""The back office: operators' changes to players, rounds and live tables, each with a reason (PLT-60, ASR-33).

An order is checked first, then logged, then carried out: no order is logged in vain.
"""

from typing import Annotated

from msgspec import Meta, Struct

from sabot.errors import Refusal
from sabot.protocol.fields import Code, Form, PlayerName, Reason, RequestId, TableName
from sabot.server.http.dispatch import Call
from sabot.server.tables.chat import MOST_MUTED
from sabot.store.kinds import Currency, OrderKind, Role
from sabot.store.nodes import NodeState, node_states
from sabot.store.register import DEAREST_GOLDEN, MOST_GOLDEN

#: The reason that players see for a pause; the operator's own words stay in the house.
_LOOKING = "looking"


class Order(Form, frozen=True, kw_only=True):
    """An operator's order; the reason is logged and never shown to players (ASR-33)."""

    reason: Reason


class GivingRole(Order, frozen=True, kw_only=True):
    """A new role of a player."""

    role: Role


class GivingVip(Order, frozen=True, kw_only=True):
    """A new VIP level of a player."""

    vip: Annotated[int, Meta(ge=0, le=9)]


class Muting(Order, frozen=True, kw_only=True):
    """A player who may not write for some minutes, at any table; 0 minutes end it."""

    player: PlayerName
    minutes: Annotated[int, Meta(ge=0, le=MOST_MUTED)]


class Unsaying(Order, frozen=True, kw_only=True):
    """A chat message to remove from every screen."""

    id: Annotated[int, Meta(ge=0, le=2**53 - 1)]


class GrantingGolden(Order, frozen=True, kw_only=True):
    """Golden chips for a player; the same id grants nothing again (MAJ-50, ASR-11)."""

    id: RequestId
    currency: Currency
    value: Annotated[int, Meta(ge=1, le=DEAREST_GOLDEN)]
    count: Annotated[int, Meta(ge=1, le=MOST_GOLDEN)]


async def give_role(call: Call, name: PlayerName, form: GivingRole) -> None:
    """Give a player another role."""
    by, player = call.login.player, await call.players.named(name)
    await call.house.register(lambda register, at: register.give_role(by, player, form.role, form.reason, at))
    call.players.changed(player)


async def give_vip(call: Call, name: PlayerName, form: GivingVip) -> None:
    """Give a player another VIP level."""
    by, player = call.login.player, await call.players.named(name)
    await call.house.register(lambda register, at: register.give_vip(by, player, form.vip, form.reason, at))
    call.players.changed(player)


async def grant_golden(call: Call, name: PlayerName, form: GrantingGolden) -> None:
    """Grant a player golden chips.

    A player who sits at a table that takes them has them there at once (MAJ-50).
    """
    by, player = call.login.player, await call.players.named(name)
    gift = form.currency, form.value, form.count, form.reason
    await call.house.register(lambda register, at: register.grant_golden(by, player, *gift, at, id=form.id))
    await call.registry.bring_granted(player, form.currency)


class Nodes(Struct, frozen=True):
    """The nodes that serve the house."""

    nodes: tuple[NodeState, ...]


async def nodes(call: Call) -> Nodes:
    """The nodes that serve the house: tables, sockets, release, lag (CLU-24)."""
    return Nodes(tuple(await call.house.read(node_states)))


# Malfunctions


async def void_round(call: Call, code: Code, form: Order) -> None:
    """Void an open round after a malfunction: every stake goes back (PLT-32)."""
    table = await call.registry.table_of(code)
    await _order(call, "void-round", form.reason, round=code)
    await call.registry.void(table, code)


async def void_table(call: Call, table: TableName, form: Order) -> None:
    """Void the round of a live table: every stake goes back.

    If the round ends meanwhile, nothing is voided.
    """
    runtime = call.registry.find_live(table)
    code = runtime.table.play.code
    if not runtime.table.table.in_round:
        raise Refusal("round/over")
    await _order(call, "void-round", form.reason, round=code)
    await call.registry.void(runtime.name, code)


async def _order(call: Call, kind: OrderKind, reason: str, **about: object) -> None:
    """Log an order before it is carried out."""
    by = call.login.player
    await call.house.register(lambda register, at: register.order(kind, by, reason, at, **about))


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
    await _order(call, kind, reason, table=runtime.name)
    await runtime.order(lambda live: live.pause(_LOOKING))


async def resume_table(call: Call, table: TableName, form: Order) -> None:
    """Resume a live table."""
    runtime = call.registry.find_live(table)
    if not runtime.table.table.paused:
        raise Refusal("table/not-paused")
    await _order(call, "resume-table", form.reason, table=runtime.name)
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
    await _order(call, "mute-player", form.reason, player=player, minutes=form.minutes)
    call.registry.mute(player, form.minutes)


async def unsay(call: Call, table: TableName, form: Unsaying) -> None:
    """Remove a chat message from every screen of a live table."""
    runtime, chat = call.registry.find_live(table), call.registry.chat
    said = chat.find(runtime.name, form.id)
    about = {"table": runtime.name, "line": said.id, "player": int(said.player)}
    await _order(call, "unsay-line", form.reason, **about)
    chat.unsay(runtime, said.id)
