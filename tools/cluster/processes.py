"""The processes of a house of several nodes, each of which can be stopped and started."""

from __future__ import annotations

import json
import secrets
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import ExitStack, suppress
from pathlib import Path
from types import TracebackType
from typing import Self

import psycopg

from sabot.server.run import open_vault
from tests.support.postgres import start_server

#: `sabot` as it is, but that it works out no prices in advance: two seconds of every start.
_SABOT = "from sabot.server import run; run.prepare = lambda rules: None; from sabot.cli import main; main()"
#: Seconds that a process has to be ready.
PATIENCE = 60.0


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Process:
    """A program that is started, watched until it is ready, and ended."""

    def __init__(self, command: list[str], log: Path, *, host: str, port: int, path: str = "") -> None:
        """`path` is asked for over HTTP; without one the port is only tried."""
        self._command = command
        self._log = log
        self.host, self.port, self._path = host, port, path
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
                raise RuntimeError(f"{self._command} does not start:\n{self._log.read_text()[-2000:]}")
            time.sleep(0.05)

    def begin(self) -> None:
        """Start it."""
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(self._command, stdout=log, stderr=log, stdin=subprocess.DEVNULL)

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
            self.signal(signal.SIGKILL)
            self.process.wait()

    def stop(self) -> None:
        """Let it end by itself."""
        if self.process is not None and self.process.poll() is None:
            self.signal(signal.SIGTERM)
            self.process.wait(PATIENCE)


class LocalCluster:
    """PostgreSQL, NATS and nodes, in a folder of their own, until the end of the block."""

    def __init__(self, folder: Path, *, settings: str = "", server: str = "") -> None:
        """`settings` are those that the nodes have in common, as TOML; `server` those of their section `[server]`."""
        self.folder = folder
        self._settings = settings
        self._server = server
        self._token = secrets.token_hex(16)
        self._stack = ExitStack()
        self.nodes: dict[str, Process] = {}

    def __enter__(self) -> Self:
        server = self._stack.enter_context(start_server(str(self.folder / "postgres")))
        with psycopg.connect(server.get_uri(), autocommit=True) as connection:
            connection.execute("CREATE DATABASE sabot")
        self.database: str = server.get_uri("sabot")
        open_vault(self.folder / "house.key")  # the same for all nodes
        port = free_port()
        settings = self.folder / "nats.conf"
        settings.write_text(
            f'listen: "127.0.0.1:{port}"\nauthorization {{ token: "{self._token}" }}\n'
            'write_deadline: "2s"\nmax_payload: 1MB\n'
        )
        program = str(Path(sys.executable).parent / "nats-server")
        self.nats = Process(
            [program, "-c", str(settings)], self.folder / "nats.log", host="127.0.0.1", port=port
        )
        self.nats.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for node in self.nodes.values():
            with suppress(ProcessLookupError):
                node.kill()
        self.nats.kill()
        self._stack.close()

    def node(self, name: str, *, bus: bool = True) -> Process:
        """A node of the house, not started yet; without a bus it is the only one."""
        port = free_port()
        settings = self.folder / f"{name}.toml"
        nats = f'url = ["nats://127.0.0.1:{self.nats.port}"]\ntoken = "{self._token}"\n' if bus else ""
        settings.write_text(
            f'[house]\nkey = "{self.folder / "house.key"}"\n[server]\nport = {port}\nargon_memory_kib = 8192\n'
            f"{self._server}[database]\nurl = {json.dumps(self.database)}\n"
            f'[bus]\n{nats}node = "{name}"\n{self._settings}'
        )
        command = [sys.executable, "-c", _SABOT, "serve", "--config", str(settings)]
        node = Process(command, self.folder / f"{name}.log", host="127.0.0.1", port=port, path="/readyz")
        self.nodes[name] = node
        return node
