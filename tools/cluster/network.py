"""Where the processes of a house listen, and how they reach each other."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Protocol

Address = tuple[str, int]


class Network(Protocol):
    """A place for each process, by its name."""

    def host(self, name: str) -> str:
        """The address on which a process listens."""

    def inside(self, name: str) -> AbstractContextManager[None]:
        """While it is open, this thread starts processes in the place of one."""

    def way(self, node: str, server: str, address: Address) -> Address:
        """Where a node reaches a server that listens on an address."""


class Loopback:
    """Everything on this machine's loopback."""

    def host(self, name: str) -> str:
        """The same for all."""
        return "127.0.0.1"

    def inside(self, name: str) -> AbstractContextManager[None]:
        """Nothing to do."""
        return nullcontext()

    def way(self, node: str, server: str, address: Address) -> Address:
        """Straight there."""
        return address
