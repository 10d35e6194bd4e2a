"""The processes of a house of several nodes, each of which can be stopped and started."""

from __future__ import annotations

import os
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from contextlib import AbstractContextManager, ExitStack, nullcontext, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from sabot.server.config import ALONE, NATS
from sabot.server.run import open_vault
from tests.support.store.postgres import init_server
from tools.cluster.network import Address, Loopback, Network

#: `sabot` as it is, but that it works out no prices in advance: two seconds of every start.
_SABOT = "from sabot.server import run; run.prepare = lambda rules: None; from sabot.cli import main; main()"
#: Seconds that a process has to be ready, and to end by itself: a node hands its tables over as their rounds end.
PATIENCE, _LEAVING = 60.0, 180.0


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process:
    """A program that is started, watched until it is ready, and ended."""

    #: Signals that end it at once, and as it likes.
    ends: tuple[signal.Signals, signal.Signals] = (signal.SIGKILL, signal.SIGTERM)

    def __init__(
        self,
        command: list[str],
        log: Path,
        *,
        address: Address,
        path: str = "",
        user: str | None = None,
        inside: Callable[[], AbstractContextManager[None]] = nullcontext,
    ) -> None:
        """`path` is asked for over HTTP; without one the port is only tried. It is started `inside` its place."""
        self._command = command
        self.log = log
        self.host, self.port = address
        self._path = path
        self._user = user
        self._inside = inside
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its address."""
        return f"http://{self.host}:{self.port}"

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        self.begin()
        self.wait()

    def wait(self) -> None:
        """Wait until it is ready."""
        until = time.monotonic() + PATIENCE
        while not self.is_ready():
            assert self.process is not None
            if self.process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{self._command} does not start:\n{self.log.read_text()[-2000:]}")
            time.sleep(0.05)

    def begin(self) -> None:
        """Start it."""
        with self.log.open("ab") as log, self._inside():
            self.process = subprocess.Popen(
                self._command,
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                user=self._user,
                start_new_session=True,  # what interrupts this process does not end the others before it
            )

    def is_ready(self) -> bool:
        """Whether it answers."""
        try:
            if self._path:
                with urllib.request.urlopen(self.url + self._path, timeout=2) as response:
                    return bool(response.status == 200)
            with socket.create_connection((self.host, self.port), timeout=2):
                return True
        except OSError:
            return False

    def signal(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self.process is not None
        self.process.send_signal(number)

    def kill(self) -> None:
        """End it at once."""
        if self.process is not None and self.process.poll() is None:
            self.signal(self.ends[0])
            self.process.wait(PATIENCE)

    def stop(self) -> None:
        """Let it end by itself."""
        if self.process is not None and self.process.poll() is None:
            self.signal(self.ends[1])
            self.process.wait(_LEAVING)


class Postgres(Process):
    """A PostgreSQL from the wheel; ended at once, it recovers from its log at the next start."""

    ends = (signal.SIGQUIT, signal.SIGINT)

    def database(self, name: str) -> str:
        """A database, through a socket in the server's folder, which no network is in the way of."""
        return f"postgresql://postgres@/{name}?host={self.log.parent / 'postgres'}&port={self.port}"

    def freeze(self) -> None:
        """Let it stand still, with all of its sessions."""
        self._signal_all(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let it go on."""
        self._signal_all(signal.SIGCONT)

    def _signal_all(self, number: signal.Signals) -> None:
        assert self.process is not None
        pid = self.process.pid
        self.signal(number)  # the first one makes no new sessions then
        for session in Path(f"/proc/{pid}/task/{pid}/children").read_text().split():
            with suppress(ProcessLookupError):  # it has ended meanwhile
                os.kill(int(session), number)

    def is_ready(self) -> bool:
        """Whether it lets someone in."""
        try:
            psycopg.connect(self.database("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True


class LocalCluster:
    """PostgreSQL, NATS and nodes, in a folder of their own, until the end of the block."""

    def __init__(
        self,
        folder: Path,
        *,
        settings: str = "",
        house: str = "",
        server: str = "",
        network: Network | None = None,
    ) -> None:
        """`settings` are those that the nodes have in common, as TOML; `house` and `server` those of these sections."""
        self.folder = folder
        self._settings = settings
        self._house, self._server = house, server
        self._network = network or Loopback()
        self._token = secrets.token_hex(16)
        self._stack = ExitStack()
        self.nodes: dict[str, Process] = {}

    def __enter__(self) -> Self:
        with self._stack:
            self.postgres = self._make_postgres()
            self.nats = self._make_nats()
            self.nats.start()
            open_vault(self.folder / "house.key")  # the same for all nodes
            self._stack = self._stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    @property
    def database(self) -> str:
        """The database of the house."""
        return self.postgres.database("sabot")

    def _make_postgres(self) -> Postgres:
        """A server with an empty database; whoever comes over the network needs the password."""
        folder, address = self.folder / "postgres", (self._network.host("postgres"), free_port())
        program, user = init_server(folder)
        with (folder / "pg_hba.conf").open("w") as rules:
            rules.write("local all all trust\nhost all all samenet scram-sha-256\n")
        command = [
            str(program),
            "-D",
            str(folder),
            "-h",
            address[0],
            "-p",
            str(address[1]),
            "-k",
            str(folder),
        ]
        server = Postgres(
            command,
            self.folder / "postgres.log",
            address=address,
            user=user,
            inside=lambda: self._network.inside("postgres"),
        )
        self._stack.callback(server.kill)
        server.start()
        with psycopg.connect(server.database("postgres"), autocommit=True) as connection:
            connection.execute("CREATE DATABASE sabot")
            connection.execute(f"ALTER USER postgres PASSWORD '{self._token}'")
        return server

    def _make_nats(self) -> Process:
        host, port = self._network.host("nats"), free_port()
        settings = self.folder / "nats.conf"
        settings.write_text(
            f'listen: "{host}:{port}"\nauthorization {{ token: "{self._token}" }}\n'
            'write_deadline: "2s"\nmax_payload: 1MB\n'
        )
        program = str(Path(sys.executable).parent / "nats-server")
        server = Process(
            [program, "-c", str(settings)],
            self.folder / "nats.log",
            address=(host, port),
            inside=lambda: self._network.inside("nats"),
        )
        self._stack.callback(server.kill)
        return server

    def node(self, name: str, *, bus: str = NATS) -> Process:
        """A node of the house, not started yet; one that is `ALONE` is the only one."""
        address = self._network.host(name), free_port()
        database = self._way(name, "postgres", self.postgres)
        named = "" if bus == ALONE else f'node = "{name}"\n'
        if bus == NATS:
            named += f'url = ["nats://{self._way(name, "nats", self.nats)}"]\ntoken = "{self._token}"\n'
        self._settings_of(name).write_text(
            f'[house]\nkey = "{self.folder / "house.key"}"\n{self._house}'
            f'[server]\nhost = "{address[0]}"\nport = {address[1]}\nargon_memory_kib = 8192\n{self._server}'
            f'[database]\nurl = "postgresql://postgres:{self._token}@{database}/sabot"\n'
            f"[bus]\n{named}{self._settings}"
        )
        return self._make_node(name, address, _SABOT)

    def change_release(self, name: str, source: Path) -> None:
        """A node is started from the modules in a folder from now on."""
        node = self.nodes[name]
        self._make_node(
            name, (node.host, node.port), f"import sys; sys.path.insert(0, {str(source)!r}); {_SABOT}"
        )

    def _make_node(self, name: str, address: Address, program: str) -> Process:
        node = Process(
            [sys.executable, "-c", program, "serve", "--config", str(self._settings_of(name))],
            self.folder / f"{name}.log",
            address=address,
            path="/readyz",
            inside=lambda: self._network.inside(name),
        )
        self.nodes[name] = node
        self._stack.callback(node.kill)
        return node

    def _settings_of(self, name: str) -> Path:
        return self.folder / f"{name}.toml"

    def _way(self, node: str, server: str, process: Process) -> str:
        host, port = self._network.way(node, server, (process.host, process.port))
        return f"{host}:{port}"
