"""The nodes that serve the house (CLU-24)."""

from msgspec import Struct

import sabot
from sabot.server.http.dispatch import Call
from sabot.store.nodes.membership import LEASE_MS
from sabot.store.nodes.node import NodeState, node_states


class Nodes(Struct, frozen=True):
    """The nodes that serve the house."""

    nodes: tuple[NodeState, ...]


async def nodes(call: Call) -> Nodes:
    """The nodes that serve the house: tables, sockets, release, lag (CLU-24)."""
    found = tuple(await call.house.read(node_states))
    return Nodes(found or (alone(call),))


def alone(call: Call) -> NodeState:
    """The only node of a house, which holds no lease."""
    registry, load = call.registry, call.registry.load()
    return NodeState(
        name=call.house.config.house.name,
        slot=0,
        release=sabot.__version__,
        draining=False,
        left_ms=LEASE_MS,
        tables=tuple(sorted(registry.live)),
        solo=load["solo"],
        sockets=load["sockets"],
        lag_ms=load["lag_ms"],
    )
