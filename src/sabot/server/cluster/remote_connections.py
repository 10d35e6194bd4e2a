"""Connections of other nodes at tables that this node owns: each is served as if its socket were here (CLU-05)."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

from sabot.errors import Refusal
from sabot.protocol import codec, requests
from sabot.server.accounts.logins import Login
from sabot.server.cluster import messages
from sabot.server.cluster.links import Links
from sabot.server.http.services import Services
from sabot.server.logs import failed
from sabot.server.metrics import BUS_REFUSED
from sabot.server.tables.opening import LIVE
from sabot.server.tables.subscribers import Relay
from sabot.server.ws.dispatch import ENTERING, Dispatcher

#: Milliseconds that a request may have been on its way and still counts as read when its node read it (ASR-20).
LONGEST_WAY = 1_000


@dataclass(frozen=True)
class TableRelay:
    """The connections of one node at one table: a public frame goes there once."""

    links: Links
    node: int
    table: str

    def publish(self, epoch: int, seq: int, packed: bytes) -> None:
        """Send a frame to the node; `seq` is 0 for what is not counted."""
        self.links.post(self.node, messages.PublicFrame(self.table, epoch, seq, packed))


class RemoteConnection:
    """A connection whose socket is at another node."""

    def __init__(self, gateway: _Gateway, number: int, login: Login) -> None:
        self._gateway = gateway
        self._number = number
        self.login = login
        #: The requests that are being handled, by id, each with its last attempt.
        self.attempts: dict[str, int] = {}
        self.dispatcher = Dispatcher(gateway.services, self, gateway.turn_away)

    def send(self, packed: bytes) -> None:
        """Send nothing: what everyone sees reaches the socket's node through the relay of its table."""

    def tell(self, table: str, packed: bytes) -> None:
        """Send what only this connection sees of a table."""
        self._gateway.post(messages.PrivateFrame(self._number, table, packed))

    def show(self, table: str, epoch: int, seq: int, since: int | None, packed: bytes) -> None:
        """Show a table; the frames after it reach the socket's node once for all of its connections."""
        self._gateway.post(messages.TableShown(self._number, table, epoch, seq, since, packed))

    def respond(self, id: str, error: Refusal | None = None) -> None:
        """Send the response to a request."""
        packed = codec.pack_response(id, error, self._gateway.services.house.clock.wall_ms())
        attempt = self.attempts.pop(id, 0)
        self._gateway.post(messages.Reply(self._number, id, packed, error is not None, attempt))

    def count_vain(self, frames: int) -> None:
        """Let the socket's node count frames in vain."""
        self._gateway.post(messages.Vain(self._number, frames))

    def close_for_logout(self) -> None:
        """Let the socket's node close it."""
        self._gateway.post(messages.Ended(self._number))

    def relay(self, table: str) -> Relay:
        """What carries the public frames of a table to the socket's node."""
        return self._gateway.relay(table)


class _Gateway:
    """Another node, with its connections at tables of this one."""

    def __init__(self, services: Services, links: Links, node: int) -> None:
        self.services = services
        self._links = links
        self._node = node
        self.connections: dict[int, RemoteConnection] = {}

    def post(self, message: messages.AnyMessage) -> None:
        self._links.post(self._node, message)

    def relay(self, table: str) -> TableRelay:
        return TableRelay(self._links, self._node, table)

    def connection(self, number: int, login: Login) -> RemoteConnection:
        """The connection of a number, made when it is first heard of."""
        known = self.connections.get(number)
        if known is None:
            known = self.connections[number] = RemoteConnection(self, number, login)
        return known

    def turn_away(self, table: str, sender: Dispatcher, request: requests.AnyRequest, at: float) -> bool:
        """Tell the node that a table is not here.

        A connection that is not at the table was dropped since something was lost: it is attached again, and asks again.
        """
        registry, connection = self.services.registry, sender.connection
        runtime = registry.live.get(table) or registry.solo.get(table)
        if runtime is None:
            self.post(messages.TableMoved(table))
        elif isinstance(request, ENTERING) or runtime.subscribers.expects(connection):
            return False
        if isinstance(connection, RemoteConnection):
            connection.attempts.pop(request.id, None)
        return True

    def drop(self, number: int) -> None:
        """A connection is gone."""
        if (connection := self.connections.pop(number, None)) is not None:
            connection.dispatcher.close()


class RemoteConnections:
    """Serves the connections of all other nodes."""

    def __init__(self, services: Services, links: Links) -> None:
        self._services = services
        self._links = links
        self._gateways: dict[int, _Gateway] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return sum(len(gateway.connections) for gateway in self._gateways.values())

    def ask(self, node: int, ask: messages.Ask) -> None:
        """Start a request of another node's connection, once.

        An attempt that comes while the request is handled only raises the number that the response will carry: handled
        twice, it could be refused and then carried out.
        """
        if self._goes_away(node, ask.table):
            return
        connection = self._of(node).connection(ask.connection, ask.login)
        try:
            request = codec.decode(ask.request)
        except codec.WireError:
            BUS_REFUSED.labels("unknown").inc()
            id = codec.id_of(ask.request)
            connection.attempts[id] = ask.attempt
            connection.respond(id, Refusal("release/unknown", what="request"))
            return
        is_handled = request.id in connection.attempts
        connection.attempts[request.id] = ask.attempt
        if is_handled:
            return
        if connection.dispatcher.is_full:
            connection.respond(request.id, Refusal("house/busy"))
            return
        clock = self._services.house.clock
        way = min(max(clock.wall_ms() - ask.at, 0), LONGEST_WAY)
        connection.dispatcher.put(request, clock.monotonic() - way / 1000)

    def attach(self, node: int, attach: messages.Attach) -> None:
        """Show a table again, to a connection that is shown it already or comes from another owner."""
        if self._goes_away(node, attach.table):
            return
        connection = self._of(node).connection(attach.connection, attach.login)
        connection.dispatcher.show_again(attach.table, (attach.epoch, attach.seq))

    def gone(self, node: int, number: int) -> None:
        """A connection is closed."""
        self._of(node).drop(number)

    def has(self, node: int) -> bool:
        """Whether a node has connections here."""
        return node in self._gateways

    def drop_all(self, node: int) -> None:
        """A node is dead, or something that it sent was lost: its connections come again."""
        if (gateway := self._gateways.pop(node, None)) is not None:
            for number in list(gateway.connections):
                gateway.drop(number)

    def _of(self, node: int) -> _Gateway:
        if node not in self._gateways:
            self._gateways[node] = _Gateway(self._services, self._links, node)
        return self._gateways[node]

    def _is_idle(self, table: str) -> bool:
        """Whether a table is a solo one whose player is not connected here, and nothing is under way at it."""
        if table.startswith(LIVE):
            return False
        runtime = self._services.registry.solo.get(table)
        if runtime is None:
            return True
        dispatchers = (
            connection.dispatcher
            for gateway in self._gateways.values()
            for connection in gateway.connections.values()
        )
        handled = any(one.handling is not None and one.sees(runtime) for one in dispatchers)
        return not (handled or self._services.registry.is_used_here(runtime))

    def _goes_away(self, node: int, table: str) -> bool:
        """Let a solo table go whose player is elsewhere, to where the player is (CLU-04); then let that node know."""
        if not self._is_idle(table):
            return False
        task = asyncio.create_task(self._let_go(node, table))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return True

    async def _let_go(self, node: int, table: str) -> None:
        try:
            await self._services.registry.let_go(table)
        except Exception as error:  # its node asks again
            failed("a table cannot be given up yet", error, table=table)
        self._links.post(node, messages.TableMoved(table))
