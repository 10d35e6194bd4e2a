"""The live floor: pauses, voids and the chat of live tables (PLT-33, PLT-40)."""

from typing import Annotated

from msgspec import Meta, Struct

from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.protocol.fields import Code, PlayerName, TableName
from sabot.protocol.messages import TableHead
from sabot.server.accounts import own
from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import Order, log_order
from sabot.server.office.events import alarms_since
from sabot.server.tables.chat import MOST_MUTED
from sabot.server.tables.floor import CALLED, FloorState
from sabot.server.tables.opening import LIVE
from sabot.store.kinds import OrderKind
from sabot.store.nodes.node import node_names
from sabot.tables.config import Dealing
from sabot.tables.live.table import LiveTable

#: The reason of a pause that a supervisor ordered, as the table keeps it; the operator's own words stay in the house.
_LOOKING = "looking"
_HOUR_MS = 3_600_000


class Voiding(Order, frozen=True, kw_only=True):
    """The round that the operator sees, if it is named: another one is not voided."""

    round: Code | None = None


class Muting(Order, frozen=True, kw_only=True):
    """A player who may not write for some minutes, at any table; 0 minutes end it."""

    player: PlayerName
    minutes: Annotated[int, Meta(ge=0, le=MOST_MUTED)]


class Unsaying(Order, frozen=True, kw_only=True):
    """A chat message to remove from every screen."""

    id: Annotated[int, Meta(ge=0, le=2**53 - 1)]


class FloorTable(Struct, frozen=True):
    """A live table on the floor: as the lobby shows it, and what operators see beside it; None if no node runs it."""

    table: str
    title: str
    #: As the lobby shows it: phase, pause, players, bots, limits.
    head: TableHead | None
    node: str
    viewers: int
    presenters: tuple[str, ...]
    #: Whether it is being read back, or run by no node.
    down: bool
    #: Warnings and alarms of the last hour.
    alarms: int
    #: The presenter on shift, where a person deals (STU-09).
    on_shift: str
    dealing: Dealing
    #: Whether the table is paused until a supervisor looks, and whether a card is late (OFF-07).
    called: bool
    late: bool


class Floor(Struct, frozen=True):
    """Every live table of the settings, in their order."""

    tables: tuple[FloorTable, ...]


async def floor(call: Call) -> Floor:
    """Every live table: state, players, viewers, presenters, alarms, node (OFF-05)."""
    registry, house = call.registry, call.house
    since = house.clock.wall_ms() - _HOUR_MS
    names, alarms = await house.read(
        lambda connection: (node_names(connection), alarms_since(connection, since))
    )
    states = registry.floor()
    heads = {head.table: head for head in registry.heads()}
    found = []
    for section in house.config.table:
        table = LIVE + section.name
        node, state = states.get(table, (None, FloorState(table, 0, (), True)))
        name = names.get(node, "") if node is not None else house.node_name if table in states else ""
        title = section.title or CATALOGUE[section.game].title
        about = (name, state.viewers, state.presenters, state.down, alarms.get(table, 0), state.on_shift)
        found.append(
            FloorTable(
                table, title, heads.get(table), *about, section.dealing, called=state.called, late=state.late
            )
        )
    return Floor(tuple(found))


async def void_table(call: Call, table: TableName, form: Voiding) -> None:
    """Void the round of a live table: every stake goes back.

    If the round ends meanwhile, nothing is voided.
    """
    runtime = call.registry.find_live(table)
    code = runtime.table.play.code
    if not runtime.table.table.in_round or form.round not in (None, code):
        raise Refusal("round/over")
    await log_order(call, "void-round", form.reason, round=code)
    await call.registry.void(runtime.name, code)


async def pause_table(call: Call, table: TableName, form: Order) -> None:
    """Pause a live table; its players see that something is being checked (PLT-33)."""
    await pause_live(call, "pause-table", table, form.reason)


async def call_supervisor(call: Call, table: TableName, form: Order) -> None:
    """Call the supervisor to a live table: it is paused, and its players see why (PLT-33)."""
    await pause_live(call, "call-supervisor", table, form.reason)


async def pause_live(call: Call, kind: OrderKind, table: str, reason: str) -> None:
    """Pause a live table by an order, which is logged and a significant event."""
    runtime = call.registry.find_live(table)
    if kind == "call-supervisor":
        call.registry.check_unlocked(call.login.player)
    if runtime.table.table.paused:
        raise Refusal("table/paused")
    await log_order(call, kind, reason, table=runtime.name)
    by, events = call.login.player, call.house.events

    def pause(live: LiveTable) -> None:
        live.pause(CALLED if kind == "call-supervisor" else _LOOKING)
        if kind == "call-supervisor" and live.studio is not None:
            live.studio.call_supervisor(by)

    await runtime.order(pause)
    if kind == "call-supervisor":
        events.note("supervisor-called", "warning", table=runtime.name, by=by)
    else:
        events.note("pause", "info", table=runtime.name, by=by)


async def resume_table(call: Call, table: TableName, form: Order) -> None:
    """Resume a live table."""
    runtime = call.registry.find_live(table)
    if not runtime.table.table.paused:
        raise Refusal("table/not-paused")
    await log_order(call, "resume-table", form.reason, table=runtime.name)
    await runtime.order(lambda live: live.resume())
    call.house.events.note("resume", "info", table=runtime.name, by=call.login.player)


# Chat


async def mute(call: Call, table: TableName, form: Muting) -> None:
    """Mute a player for some minutes, at any table (PLT-40).

    The name is the one that is shown at this table.
    """
    runtime = call.registry.find_live(table)
    call.registry.check_unlocked(call.login.player)
    players = runtime.table.attendance.players.items()
    called = [int(player) for player, presence in players if presence.name == form.player]
    player = called[0] if len(called) == 1 else await call.players.named(form.player)
    await own.check_rank(call.house, call.login.player, player)
    await log_order(call, "mute-player", form.reason, player=player, minutes=form.minutes)
    call.changes.mute(player, form.minutes)


async def unsay(call: Call, table: TableName, form: Unsaying) -> None:
    """Remove a chat message from every screen of a live table."""
    runtime, chat = call.registry.find_live(table), call.registry.chat
    call.registry.check_unlocked(call.login.player)
    said = chat.find(runtime.name, form.id)
    about = {"table": runtime.name, "line": said.id, "player": int(said.player)}
    await log_order(call, "unsay-line", form.reason, **about)
    chat.unsay(runtime, said.id, call.login.player)
