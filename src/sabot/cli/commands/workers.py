"""Where a simulation runs: threads of this machine, or a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import contextmanager

from sabot.cli.shared import refuse
from sabot.texts import Catalogue

_PATIENCE = "10s"


@contextmanager
def workers_of(catalogue: Catalogue, threads: int, cluster: str | None) -> Iterator[Executor]:
    """Threads, or the workers of the Dask cluster at an address."""
    if cluster is None:
        with ThreadPoolExecutor(threads) as executor:
            yield executor
        return
    try:
        from distributed import Client
    except ImportError:
        refuse(catalogue.text("simulate.no-dask"))
    try:
        client = Client(cluster, timeout=_PATIENCE)
    except (OSError, ValueError) as error:
        refuse(catalogue.text("simulate.cluster", address=cluster, reason=error))
    with client, client.get_executor() as executor:
        yield executor
