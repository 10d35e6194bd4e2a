"""What a socket that opens and enters a table reads: thousands come at once when a node is lost (ASR-32)."""

from __future__ import annotations

import re
from typing import Any

import pytest
from sqlalchemy import Engine, event

from sabot.client import PlayerClient
from sabot.store.database import Database
from tests.support.hall import MAJORITY, open_hall
from tests.support.house import VAULT, CountedShoes

TABLE = f"live/{MAJORITY.name}"
#: Reads on one player.
_OF_A_PLAYER = re.compile(
    r"^SELECT.*(FROM|JOIN) (logins|protections|profiles|accounts|settings|log)\b", re.DOTALL
)


@pytest.mark.rule("ASR-32")
async def test_a_socket_that_opens_and_enters_a_table_reads_four_times(database: Database) -> None:
    """Its login with the limits, whether that still holds, the requests of its player there, money and settings."""
    asked: list[str] = []

    def listen(_connection: Any, _cursor: Any, statement: str, *_: Any) -> None:
        if _OF_A_PLAYER.search(statement):
            asked.append(statement)

    async with open_hall(database, CountedShoes(VAULT, 0), MAJORITY) as hall:
        member = await hall.member("ada")
        event.listen(Engine, "before_cursor_execute", listen)
        try:
            async with PlayerClient(hall.url, member.token) as client:
                await client.enter(TABLE)
        finally:
            event.remove(Engine, "before_cursor_execute", listen)
    tables = [re.findall(r"FROM (\w+)", statement)[0] for statement in asked]
    assert tables == ["logins", "logins", "log", "accounts"]
