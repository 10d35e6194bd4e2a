"""Tables that other nodes own, as the connections of this node see them (CLU-04, CLU-05).

A request for such a table goes to its owner; what the owner sends goes to the sockets in the same order. When the owner
changes, or something between the nodes was lost, the connections are attached again and what was not answered is asked
again: the owner answers a request once carried out as often as it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from sabot.errors import Refusal
from sabot.protocol import codec, requests
from sabot.protocol.messages import TableHead
from sabot.server.cluster import messages
from sabot.server.cluster.links import Links
from sabot.server.tables.opening import LIVE
from sabot.server.ws.dispatch import ENTERING, MOST_QUEUED, Dispatcher
from sabot.tables.live.timers import Clock

#: Seconds after which a table that was not heard of is not shown in the lobby.
HEADS_OLD = 15.0
#: Seconds after which a request without a response is given up; its id may be sent again.
PATIENCE = 5.0


@dataclass(slots=True)
class _Waiting:
    """A request that waits for its response."""

    ask: messages.Ask
    until: float
    #: How often it was sent by its client.
    times: int = 1


@dataclass(eq=False, slots=True)
class _Viewer:
    """A connection of this node, with what it has asked of tables elsewhere."""

    number: int
    dispatcher: Dispatcher
    waiting: dict[str, _Waiting] = field(default_factory=dict)


@dataclass(eq=False, slots=True)
class RemoteTable:
    """A table of another node; without an owner as long as none is known."""

    name: str
    owner: int | None = None
    epoch: int = 0
    #: The last frame that its viewers have.
    seq: int = 0
    #: Connections that look at the table, and whether they get its frames at present.
    viewers: dict[_Viewer, bool] = field(default_factory=dict)


class RemoteTables:
    """The tables that are not here, and the connections that look at them."""

    def __init__(self, links: Links, clock: Clock) -> None:
        self._links = links
        self._clock = clock
        self._tables: dict[str, RemoteTable] = {}
        self._viewers: dict[Dispatcher, _Viewer] = {}
        self._numbers: dict[int, _Viewer] = {}
        self._last = 0
        #: The live tables of other nodes as the lobby shows them, and when they came.
        self._heads: dict[int, tuple[float, tuple[TableHead, ...]]] = {}

    # Which tables are elsewhere

    def expect(self, name: str, owner: int | None = None) -> RemoteTable:
        """A table is elsewhere, or will be."""
        table = self._tables.setdefault(name, RemoteTable(name))
        if owner is not None and table.owner != owner:
            self.found(name, owner)
        return table

    def knows(self, name: str) -> bool:
        """Whether a table is elsewhere."""
        return name in self._tables

    def owner_of(self, name: str) -> int:
        """The owner of a table; refused while none is known."""
        table = self._tables.get(name)
        if table is None or table.owner is None:
            raise Refusal("table/unreachable", table=name)
        return table.owner

    def ownerless(self) -> list[str]:
        """Tables whose owner is not known."""
        return [table.name for table in self._tables.values() if table.owner is None]

    def found(self, name: str, owner: int) -> None:
        """The owner of a table is known: attach its viewers, and ask what was not answered."""
        table = self._tables[name]
        table.owner = owner
        self._attach(table)

    def lose(self, name: str, owner: int | None = None) -> None:
        """A table has no owner any more, or not this one."""
        table = self._tables.get(name)
        if table is not None and owner in (None, table.owner):
            table.owner = None
            table.viewers = dict.fromkeys(table.viewers, False)

    def lose_node(self, node: int) -> None:
        """A node is dead."""
        self._heads.pop(node, None)
        for table in self._tables.values():
            if table.owner == node:
                self.lose(table.name)

    def missed(self, node: int) -> None:
        """Something that a node sent was lost: its tables are shown again."""
        for table in list(self._tables.values()):
            if table.owner == node:
                self._attach(table)

    def arrive(self, name: str) -> None:
        """A table is owned here from now on: its viewers see it here, and what was not answered is asked here."""
        table = self._tables.pop(name, None)
        if table is None:
            return
        for viewer in table.viewers:
            viewer.dispatcher.show_again(name, (table.epoch, table.seq))
            for id, waiting in list(viewer.waiting.items()):
                if waiting.ask.table == name:
                    del viewer.waiting[id]
                    request = codec.decode(waiting.ask.request)
                    for _ in range(waiting.times):
                        viewer.dispatcher.put(request, self._steady(waiting.ask.at))

    def adopt(self, name: str, dispatchers: Iterable[Dispatcher], epoch: int, seq: int) -> None:
        """A table was owned here and is not any more: those who looked at it look at it elsewhere."""
        table = self.expect(name)
        table.owner, table.epoch, table.seq = None, epoch, seq
        table.viewers = dict.fromkeys(map(self._viewer, dispatchers), False)

    def vip_at(self, name: str) -> int:
        """The VIP level of the player who looks at a solo table."""
        return max((viewer.dispatcher.login.vip for viewer in self._tables[name].viewers), default=0)

    # The lobby

    def keep_heads(self, node: int, heads: tuple[TableHead, ...]) -> None:
        """The live tables of another node, as they are now."""
        self._heads[node] = (self._clock.monotonic(), heads)

    def heads(self) -> list[TableHead]:
        """The live tables of other nodes that were heard of lately."""
        now = self._clock.monotonic()
        return [head for at, heads in self._heads.values() if now - at < HEADS_OLD for head in heads]

    # What connections ask

    def ask(self, name: str, dispatcher: Dispatcher, request: requests.AnyRequest, at: float) -> bool:
        """Send a request to the owner of its table; False if the table is not known to be elsewhere."""
        table = self._tables.get(name)
        if table is None:
            return False
        if not self._links.up:
            raise Refusal("house/bus-down")
        viewer = self._viewer(dispatcher)
        if not request.id:  # the house itself asks, for a table that has moved on
            table.viewers[viewer] = False
            if table.owner is not None:
                self._attach(table)
            return True
        known = viewer.waiting.get(request.id)
        if known is not None:
            known.times += 1
        elif len(viewer.waiting) >= MOST_QUEUED:
            raise Refusal("house/busy")
        read_at = self._clock.wall_ms() - int(1000 * (self._clock.monotonic() - at))
        ask = messages.Ask(viewer.number, dispatcher.login, name, codec.encode(request), read_at)
        if isinstance(request, requests.Exit):
            table.viewers.pop(viewer, None)
        elif isinstance(request, ENTERING):
            table.viewers.setdefault(viewer, False)
        elif viewer not in table.viewers:
            raise Refusal("table/not-open", table=name)
        if known is None:
            viewer.waiting[request.id] = _Waiting(ask, self._clock.monotonic() + PATIENCE)
        if table.owner is not None:
            self._links.post(table.owner, ask)
        return True

    def leave(self, dispatcher: Dispatcher) -> None:
        """A connection is gone."""
        viewer = self._viewers.pop(dispatcher, None)
        if viewer is None:
            return
        del self._numbers[viewer.number]
        owners = set()
        for table in list(self._tables.values()):
            if table.viewers.pop(viewer, None) is not None:
                owners.add(table.owner)
                self._forget_unseen(table)
        for owner in owners - {None}:
            assert owner is not None
            self._links.post(owner, messages.Gone(viewer.number))

    def give_up_late(self) -> None:
        """Refuse what was not answered in time; the client may send the same id again."""
        now = self._clock.monotonic()
        for viewer in list(self._viewers.values()):
            for id, waiting in list(viewer.waiting.items()):
                if waiting.until <= now:
                    del viewer.waiting[id]
                    table = waiting.ask.table
                    viewer.dispatcher.connection.respond(id, Refusal("table/unreachable", table=table))

    # What owners send

    def hear(self, node: int, message: messages.AnyMessage) -> None:
        """Pass on what the owner of a table sends."""
        match message:
            case messages.PublicFrame(table=name, seq=seq, packed=packed):
                self._fan_out(node, name, seq, packed)
            case messages.PrivateFrame(connection=number, packed=packed):
                self._with(number, lambda viewer: viewer.dispatcher.connection.send(packed))
            case messages.TableShown(connection=number):
                self._with(number, lambda viewer: self._show(viewer, node, message))
            case messages.Reply(connection=number, id=id, packed=packed):
                self._with(number, lambda viewer: self._reply(viewer, id, packed))
            case messages.Vain(connection=number, frames=frames):
                self._with(number, lambda viewer: viewer.dispatcher.connection.count_vain(frames))
            case messages.Ended(connection=number):
                self._with(number, lambda viewer: viewer.dispatcher.connection.close_for_logout())
            case messages.TableMoved(table=name):
                self.lose(name, node)

    def _fan_out(self, node: int, name: str, seq: int, packed: bytes) -> None:
        table = self._tables.get(name)
        if table is None or table.owner != node:
            return
        table.seq = seq or table.seq
        for viewer, shown in table.viewers.items():
            if shown:
                viewer.dispatcher.connection.send(packed)

    def _show(self, viewer: _Viewer, node: int, shown: messages.TableShown) -> None:
        table = self._tables.get(shown.table)
        if table is not None and table.owner == node and viewer in table.viewers:
            table.epoch, table.seq = shown.epoch, shown.seq
            table.viewers[viewer] = True
            viewer.dispatcher.connection.send(shown.packed)

    @staticmethod
    def _reply(viewer: _Viewer, id: str, packed: bytes) -> None:
        """Pass a response on, as often as it was asked for; one that was given up or passed on before is dropped."""
        waiting = viewer.waiting.get(id)
        if waiting is not None:
            viewer.dispatcher.connection.send(packed)
            waiting.times -= 1
            if not waiting.times:
                del viewer.waiting[id]

    # Inside

    def _attach(self, table: RemoteTable) -> None:
        assert table.owner is not None
        for viewer in table.viewers:
            coming = any(
                waiting.ask.table == table.name and _enters(waiting.ask)
                for waiting in viewer.waiting.values()
            )
            table.viewers[viewer] = False
            if not coming:
                login = viewer.dispatcher.login
                attach = messages.Attach(viewer.number, login, table.name, table.epoch, table.seq)
                self._links.post(table.owner, attach)
        for viewer in self._viewers.values():
            for waiting in viewer.waiting.values():
                if waiting.ask.table == table.name:
                    self._links.post(table.owner, waiting.ask)

    def _viewer(self, dispatcher: Dispatcher) -> _Viewer:
        viewer = self._viewers.get(dispatcher)
        if viewer is None:
            self._last += 1
            viewer = self._viewers[dispatcher] = self._numbers[self._last] = _Viewer(self._last, dispatcher)
        return viewer

    def _with(self, number: int, act: Callable[[_Viewer], None]) -> None:
        """Do something for a connection, if it is still there."""
        if (viewer := self._numbers.get(number)) is not None:
            act(viewer)

    def _forget_unseen(self, table: RemoteTable) -> None:
        """Forget a solo table at which nobody looks any more."""
        if not table.viewers and not table.name.startswith(LIVE):
            del self._tables[table.name]

    def _steady(self, wall_ms: int) -> float:
        """A moment of the house's clock by the steady one."""
        return self._clock.monotonic() - (self._clock.wall_ms() - wall_ms) / 1000


def _enters(ask: messages.Ask) -> bool:
    """Whether a request shows its table to the connection by itself."""
    return isinstance(codec.decode(ask.request), ENTERING)
