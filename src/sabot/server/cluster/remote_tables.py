"""Tables that other nodes own, as the connections of this node see them (CLU-04, CLU-05).

A request for such a table goes to its owner; what the owner sends goes to the sockets in the same order. When the owner
changes, or something between the nodes was lost, the connections are attached again and what was not answered is asked
again: the owner carries a request out once, and answers it as often as it is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from msgspec.structs import replace

from sabot.errors import Refusal
from sabot.protocol import codec, requests
from sabot.protocol.messages import Closed
from sabot.server.cluster import messages
from sabot.server.cluster.heads import OtherHeads
from sabot.server.cluster.links import Links
from sabot.server.cluster.remote_table import NOTHING, RemoteTable, Viewer, Waiting
from sabot.server.tables.opening import LIVE
from sabot.server.ws.dispatch import ENTERING, MOST_QUEUED, Dispatcher
from sabot.tables.live.timers import Clock

#: Seconds after which a request without a response is given up; its id may be sent again.
PATIENCE = 5.0
#: Seconds after which a connection that was not shown its table is attached again.
ATTACH_AGAIN = 3.0


class RemoteTables:
    """The tables that are not here, and the connections that look at them."""

    def __init__(self, links: Links, clock: Clock) -> None:
        self._links = links
        self._clock = clock
        self._tables: dict[str, RemoteTable] = {}
        self._viewers: dict[Dispatcher, Viewer] = {}
        self._numbers: dict[int, Viewer] = {}
        self._last = 0
        self.heads = OtherHeads(clock)
        #: Set when a table has no owner any more, or not yet.
        self.lost = asyncio.Event()
        #: Set when the owner of a table has become known, or a table is not elsewhere any more.
        self._found = asyncio.Event()

    # Which tables are elsewhere

    def expect(self, name: str, owner: int | None = None) -> RemoteTable:
        """A table is elsewhere, or will be."""
        table = self._tables.setdefault(name, RemoteTable(name))
        if owner is not None and table.owner != owner:
            self.found(name, owner)
        elif table.owner is None:
            self.lost.set()
        return table

    def expect_only(self, names: set[str]) -> None:
        """Live tables of these names are elsewhere, or will be; others are gone, and who waits to be shown one is told."""
        for name in [name for name in self._tables if name.startswith(LIVE) and name not in names]:
            for viewer in self._tables.pop(name).hidden:
                viewer.send(codec.pack(Closed(name, "closed/table")))
        self._found.set()
        for name in names:
            self.expect(name)

    def knows(self, name: str) -> bool:
        """Whether a table is elsewhere."""
        return name in self._tables

    async def owner_of(self, name: str) -> int | None:
        """The owner of a table, as soon as one is known; None if the table is not elsewhere any more."""
        while (table := self._tables.get(name)) is not None and table.owner is None:
            self._found.clear()
            await self._found.wait()
        return None if table is None else table.owner

    def ownerless(self) -> list[str]:
        """Tables whose owner is not known."""
        return [table.name for table in self._tables.values() if table.owner is None]

    def names(self) -> list[str]:
        """Every table that is elsewhere."""
        return list(self._tables)

    def found(self, name: str, owner: int) -> None:
        """The owner of a table is known: attach its viewers, and ask what was not answered."""
        table = self._tables.get(name)
        if table is not None:  # it has not come here meanwhile
            table.owner = owner
            self._found.set()
            self._attach(table)

    def correct(self, owners: Mapping[str, int | None]) -> None:
        """What the database says of the owners of tables: whatever was missed on the bus is repaired."""
        for name, owner in owners.items():
            table = self._tables.get(name)
            if table is not None and table.owner not in (None, owner):
                self.lose(name)

    def lose(self, name: str, owner: int | None = None) -> None:
        """A table has no owner any more, or not this one."""
        table = self._tables.get(name)
        if table is not None and owner in (None, table.owner):
            table.owner = None
            table.hide_all()
            self.lost.set()

    def lose_node(self, node: int) -> None:
        """A node is dead."""
        self.heads.forget(node)
        for viewer in self._viewers.values():
            viewer.nodes.discard(node)
        for table in self._tables.values():
            if table.owner == node:
                self.lose(table.name)

    def missed(self, node: int) -> None:
        """Something that a node sent was lost: its tables are shown again."""
        for table in list(self._tables.values()):
            if table.owner == node:
                table.hide_all()
                self._attach(table)

    def cut_off(self) -> None:
        """The bus is down: who looks at a table of another node is told, and shown it anew when it is back (CLU-23)."""
        for table in self._tables.values():
            packed = codec.pack(Closed(table.name, "house/bus-down")) if table.viewers else b""
            for viewer in table.take_away():
                viewer.send(packed)

    def arrive(self, name: str) -> None:
        """A table is owned here from now on: its viewers see it here, and what was not answered is asked here."""
        table = self._tables.pop(name, None)
        if table is None:
            return
        self._found.set()
        for viewer in table.viewers:
            viewer.dispatcher.show_again(name, table.since(viewer))
        for viewer in list(self._viewers.values()):
            for waiting in [one for one in viewer.waiting.values() if one.ask.table == name]:
                del viewer.waiting[(request := codec.decode(waiting.ask.request)).id]
                for _ in range(waiting.times):
                    viewer.dispatcher.put(request, waiting.at)

    def adopt(self, name: str, dispatchers: Iterable[Dispatcher], epoch: int, seq: int) -> None:
        """A table was owned here and is not any more: those who looked at it look at it elsewhere."""
        table = self.expect(name)
        table.owner = None
        self.lost.set()
        for dispatcher in dispatchers:
            table.hide(self._viewer(dispatcher), (epoch, seq))

    def vip_at(self, name: str) -> int:
        """The VIP level of the player who looks at a solo table."""
        return max((viewer.dispatcher.login.vip for viewer in self._tables[name].viewers), default=0)

    # What connections ask

    def ask(self, name: str, dispatcher: Dispatcher, request: requests.AnyRequest, at: float) -> bool:
        """Send a request to the owner of its table; False if the table is not known to be elsewhere."""
        table = self._tables.get(name)
        if table is None:
            return False
        viewer = self._viewer(dispatcher)
        if isinstance(request, requests.Resume) and not request.id:  # the house asks: the table has moved on
            table.hide(viewer, (request.epoch, request.since))
            self._attach(table)
            return True
        if table.owner is not None and not self._links.up:
            raise Refusal("house/bus-down")
        read_at = self._clock.wall_ms() - int(1000 * (self._clock.monotonic() - at))
        ask = messages.Ask(viewer.number, dispatcher.login, name, codec.encode(request), read_at)
        known = viewer.waiting.get(request.id)
        if known is not None:  # it is on its way; its response is that of this one too
            if (known.ask.table, known.ask.request) != (name, ask.request):
                raise Refusal("command/reused", id=request.id)
            known.times += 1
            return True
        if len(viewer.waiting) >= MOST_QUEUED:
            raise Refusal("house/busy")
        if isinstance(request, requests.Exit):
            table.forget(viewer)
        elif isinstance(request, ENTERING):
            if viewer not in table:
                table.hide(viewer)
        elif viewer not in table:
            raise Refusal("table/not-open", table=name)
        viewer.waiting[request.id] = Waiting(ask, at, self._clock.monotonic() + PATIENCE)
        self._post(table, viewer, ask)
        return True

    def leave(self, dispatcher: Dispatcher) -> None:
        """A connection is gone: every node that knows of it is told."""
        viewer = self._viewers.pop(dispatcher, None)
        if viewer is None:
            return
        del self._numbers[viewer.number]
        for table in list(self._tables.values()):
            if table.forget(viewer):
                self._forget_unseen(table)
        for node in viewer.nodes:
            self._links.post(node, messages.Gone(viewer.number))

    def tend(self) -> None:
        """Refuse requests that were not answered in time: their ids may be sent again. Attach again who was not shown a table."""
        now = self._clock.monotonic()
        for viewer in [viewer for viewer in self._viewers.values() if viewer.waiting]:
            for id, waiting in list(viewer.waiting.items()):
                if waiting.until <= now:
                    del viewer.waiting[id]
                    error = Refusal("table/unreachable", table=waiting.ask.table)
                    for _ in range(waiting.times):
                        viewer.dispatcher.connection.respond(id, error)
        for table in list(self._tables.values()):
            if any(hidden.asked_at < now - ATTACH_AGAIN for hidden in table.hidden.values()):
                self._attach(table, now - ATTACH_AGAIN)

    # What owners send

    def hear(self, node: int, message: messages.AnyMessage) -> None:
        """Pass on what the owner of a table sends; what comes from a node that was the owner before is dropped."""
        match message:
            case messages.PublicFrame(table=name):
                table = self._tables.get(name)
                if table is not None and table.owner == node and not table.publish(message):
                    self._attach(table)
            case messages.PrivateFrame(connection=number, table=name, packed=packed):
                self._with(number, lambda viewer: self._tell(viewer, node, name, packed))
            case messages.TableShown(connection=number):
                self._with(number, lambda viewer: self._show(viewer, node, message))
            case messages.Reply(connection=number):
                self._with(number, lambda viewer: self._reply(viewer, node, message))
            case messages.Vain(connection=number, frames=frames):
                self._with(number, lambda viewer: viewer.dispatcher.connection.count_vain(frames))
            case messages.Ended(connection=number):
                self._with(number, lambda viewer: viewer.dispatcher.connection.close_for_logout())
            case messages.TableMoved(table=name):
                self.lose(name, node)

    def _tell(self, viewer: Viewer, node: int, name: str, packed: bytes) -> None:
        """Pass on a player's own part, or what was said; a connection that is not shown the table now gets it with the table."""
        table = self._tables.get(name)
        if table is not None and table.owner == node and viewer in table.shown:
            viewer.send(packed)

    def _show(self, viewer: Viewer, node: int, shown: messages.TableShown) -> None:
        table = self._tables.get(shown.table)
        if table is not None and table.owner == node and viewer in table:
            table.show(viewer, shown)

    def _reply(self, viewer: Viewer, node: int, reply: messages.Reply) -> None:
        """Pass a response on to its viewer; drop one that nobody waits for any more.

        A response to an older attempt is dropped too: the owner may have refused that one and be carrying out the last.
        """
        waiting = viewer.waiting.get(reply.id)
        table = None if waiting is None else self._tables.get(waiting.ask.table)
        if waiting is None or table is None or table.owner != node or reply.attempt != waiting.ask.attempt:
            return
        del viewer.waiting[reply.id]
        for _ in range(waiting.times):
            viewer.send(reply.packed)
        if viewer in table.hidden and _enters(waiting.ask):
            if reply.refused and table.since(viewer) == NOTHING:
                table.forget(viewer)
                self._forget_unseen(table)
            else:
                self._attach(table)

    # Inside

    def _attach(self, table: RemoteTable, before: float | None = None) -> None:
        """Ask the owner to show the table to hidden viewers and to answer its requests; `before` a time, only to show it again."""
        now = self._clock.monotonic()
        for viewer, hidden in table.hidden.items():
            entering = (one.ask for one in viewer.waiting.values() if one.ask.table == table.name)
            if (before is None or hidden.asked_at < before) and not any(map(_enters, entering)):
                hidden.asked_at = now
                login = viewer.dispatcher.login
                self._post(table, viewer, messages.Attach(viewer.number, login, table.name, *hidden.since))
        if before is None:
            for viewer in self._viewers.values():
                for waiting in viewer.waiting.values():
                    if waiting.ask.table == table.name:
                        waiting.ask = replace(waiting.ask, attempt=waiting.ask.attempt + 1)
                        self._post(table, viewer, waiting.ask)

    def _post(self, table: RemoteTable, viewer: Viewer, message: messages.AnyMessage) -> None:
        """Send something of a connection's to the owner of a table, if one is known."""
        if table.owner is not None:
            viewer.nodes.add(table.owner)
            self._links.post(table.owner, message)

    def _viewer(self, dispatcher: Dispatcher) -> Viewer:
        viewer = self._viewers.get(dispatcher)
        if viewer is None:
            self._last += 1
            viewer = self._viewers[dispatcher] = self._numbers[self._last] = Viewer(self._last, dispatcher)
        return viewer

    def _with(self, number: int, act: Callable[[Viewer], None]) -> None:
        """Do something for a connection, if it is still there."""
        if (viewer := self._numbers.get(number)) is not None:
            act(viewer)

    def _forget_unseen(self, table: RemoteTable) -> None:
        """Forget a solo table at which nobody looks any more."""
        if not table.viewers and not table.name.startswith(LIVE):
            self._tables.pop(table.name, None)


def _enters(ask: messages.Ask) -> bool:
    """Whether a request shows its table to the connection by itself."""
    return isinstance(codec.decode(ask.request), ENTERING)
