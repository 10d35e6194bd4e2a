"""A network namespace for each process of a house, joined by a bridge without an uplink: `ip netns`, as root.

The addresses exist in these namespaces only. A way is cut by a wrong neighbour: packets go out and reach nobody, as in
a network that fails silently.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.faults.nodes.cuts import BACK, BOTH, THERE, Way
from tools.cluster.network import Address

_NOBODY = "02:00:00:00:00:99"
_numbers = count(1)


class Namespaces:
    """One namespace for each name, made at its first use; this thread is in the one of the bridge until the end."""

    def __init__(self) -> None:
        self._prefix = f"sabot{os.getpid()}-{next(_numbers)}-"
        self._hosts: dict[str, str] = {}
        self._cuts: list[tuple[str, str]] = []

    @staticmethod
    def are_there() -> bool:
        """Whether namespaces can be made here."""
        try:
            with Namespaces() as network:
                network.host("probe")
        except (OSError, subprocess.CalledProcessError):
            return False
        return True

    def __enter__(self) -> Self:
        self._home = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        try:
            _ip("netns", "add", self._name("hub"))
            hub = ("-n", self._name("hub"))
            _ip(*hub, "link", "add", "bridge", "type", "bridge")
            _ip(*hub, "addr", "add", "10.77.0.1/24", "dev", "bridge")
            for device in ("bridge", "lo"):
                _ip(*hub, "link", "set", device, "up")
            self._enter("hub")
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        _set_namespace(self._home)
        os.close(self._home)
        for name in (*self._hosts, "hub"):
            if Path(f"/run/netns/{self._name(name)}").exists():
                _ip("netns", "del", self._name(name))

    def _name(self, name: str) -> str:
        return self._prefix + name

    def host(self, name: str) -> str:
        """The address of a name, in a namespace of its own."""
        if name not in self._hosts:
            number = len(self._hosts) + 1
            self._hosts[name] = host = f"10.77.0.{10 + number}"
            space = self._name(name)
            _ip("netns", "add", space)
            veth = ("type", "veth", "peer", "name", "eth0", "netns", space)
            _ip("-n", self._name("hub"), "link", "add", f"v{number}", *veth)
            _ip("-n", self._name("hub"), "link", "set", f"v{number}", "master", "bridge", "up")
            _ip("-n", space, "addr", "add", f"{host}/24", "dev", "eth0")
            for device in ("eth0", "lo"):
                _ip("-n", space, "link", "set", device, "up")
        return self._hosts[name]

    @contextmanager
    def inside(self, name: str) -> Iterator[None]:
        """Be in a namespace: processes that this thread starts are too."""
        self.host(name)
        self._enter(name)
        try:
            yield
        finally:
            self._enter("hub")

    def _enter(self, name: str) -> None:
        space = os.open(f"/run/netns/{self._name(name)}", os.O_RDONLY)
        try:
            _set_namespace(space)
        finally:
            os.close(space)

    def way(self, node: str, server: str, address: Address) -> Address:
        """Straight there."""
        return address

    def cut(self, node: str, server: str, way: Way) -> None:
        """Let nothing through from a node to a server, back, or both."""
        ways = {THERE: [(node, server)], BACK: [(server, node)], BOTH: [(node, server), (server, node)]}
        for here, there in ways[way]:
            wrong = (self.host(there), "lladdr", _NOBODY, "dev", "eth0", "nud", "permanent")
            _ip("-n", self._name(here), "neigh", "replace", *wrong)
            self._cuts.append((here, there))

    def heal(self) -> None:
        """Let everything through again."""
        for here, there in self._cuts:
            _ip("-n", self._name(here), "neigh", "del", self.host(there), "dev", "eth0")
        self._cuts.clear()


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True)


def _set_namespace(descriptor: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.setns(descriptor, 0):
        raise OSError(ctypes.get_errno(), "setns")
