"""Three nodes behind a load balancer, ready to be played: `make cluster`, or `python -m tools.cluster --nodes 5`."""

from __future__ import annotations

import argparse
import asyncio
import signal
import socket
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

from tools.cluster.balancer import Balancer
from tools.cluster.processes import LocalCluster


async def _balance(cluster: LocalCluster, port: int) -> None:
    balancer = Balancer([(node.host, node.port) for node in cluster.nodes.values()])
    port = await balancer.open(port)
    for name, node in cluster.nodes.items():
        print(f"node {name}: {node.url}")
    print(f"the house: http://127.0.0.1:{port}", flush=True)
    await asyncio.Event().wait()


def main() -> None:
    """Run until interrupted."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--nodes", type=int, default=3)
    parser.add_argument("--port", type=int, default=8765)
    asked = parser.parse_args()
    try:
        socket.create_server(("127.0.0.1", asked.port)).close()
    except OSError:
        parser.error(f"port {asked.port} is taken: choose another one with --port")
    for ending in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ending, signal.default_int_handler)
    with (
        suppress(KeyboardInterrupt),
        TemporaryDirectory() as folder,
        LocalCluster(Path(folder), settings="") as cluster,
    ):
        for number in range(asked.nodes):
            cluster.node(f"n{number + 1}").start()
        asyncio.run(_balance(cluster, asked.port))


if __name__ == "__main__":
    main()
