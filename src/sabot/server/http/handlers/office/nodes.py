"""The nodes that serve the house (CLU-24)."""

from msgspec import Struct

from sabot.server.http.dispatch import Call
from sabot.store.nodes.node import NodeState, node_states


class Nodes(Struct, frozen=True):
    """The nodes that serve the house."""

    nodes: tuple[NodeState, ...]


async def nodes(call: Call) -> Nodes:
    """The nodes that serve the house: tables, sockets, release, lag (CLU-24)."""
    return Nodes(tuple(await call.house.read(node_states)))
