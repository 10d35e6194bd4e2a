"""Which node shall own which live table: the same answer on every node that sees the same nodes (CLU-04)."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache


def place(tables: Iterable[str], nodes: Sequence[int]) -> Mapping[str, int]:
    """The node of each table: as even as can be, and few tables move when a node comes or goes.

    Each table prefers the nodes in an order of its own; one that has its share already is passed over.

    >>> place(["live/a", "live/b", "live/c"], [7])
    {'live/a': 7, 'live/b': 7, 'live/c': 7}
    >>> sorted(Counter(place([f"live/{n}" for n in range(20)], [1, 2, 3]).values()).values())
    [6, 7, 7]
    """
    return _place(tuple(sorted(tables)), tuple(nodes))


@lru_cache(maxsize=8)  # asked every second, and the same as long as nodes and tables are
def _place(names: tuple[str, ...], nodes: tuple[int, ...]) -> Mapping[str, int]:
    if not nodes:
        return {}
    share = -(-len(names) // len(nodes))
    held: Counter[int] = Counter()
    placed: dict[str, int] = {}
    for name in names:
        placed[name] = next(node for node in _preferred(name, nodes) if held[node] < share)
        held[placed[name]] += 1
    return placed


def _preferred(name: str, nodes: Sequence[int]) -> list[int]:
    """Nodes in the order in which a table prefers them."""
    return sorted(nodes, key=lambda node: hashlib.sha256(f"{name} {node}".encode()).digest())
