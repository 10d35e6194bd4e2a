"""The protocol is types alone: a client that imports it loads no database and no web server."""

from __future__ import annotations

import pkgutil
import subprocess
import sys

from sabot import protocol

#: What belongs to the house, and behaviour that the protocol's types do not need.
FOREIGN = (
    "sqlalchemy",
    "alembic",
    "psycopg",
    "sqlite3",
    "aiohttp",
    "asyncio",
    "numpy",
    "sabot.server",
    "sabot.odds",
)


def test_importing_the_protocol_loads_no_database_and_no_web_server() -> None:
    modules = ", ".join(
        f"{protocol.__name__}.{found.name}" for found in pkgutil.iter_modules(protocol.__path__)
    )
    run = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}; print(*sys.modules)"],
        capture_output=True,
        text=True,
        check=True,
    )
    loaded = set(run.stdout.split())
    assert {"sabot.protocol.requests", "sabot.protocol.messages"} <= loaded
    assert not loaded & set(FOREIGN)
    assert {name for name in loaded if name.startswith("sabot.store.")} == {"sabot.store.kinds"}
