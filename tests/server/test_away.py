"""A house whose database does not answer: who asks is told in time, and all goes on when it does."""

from __future__ import annotations

import asyncio
import threading
from unittest.mock import patch

import pytest
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.server import house as houses
from tests.support.site import Site

pytestmark = pytest.mark.rule("ASR-24")


async def test_nobody_waits_for_threads_that_are_stuck(file_url: str) -> None:
    async with Site(file_url) as site:
        stuck, begun = threading.Event(), threading.Semaphore(0)

        def wait(_: Connection) -> None:
            begun.release()
            assert stuck.wait(20)

        try:
            with patch.object(houses, "_LONGEST", 0.05):
                asked = [asyncio.create_task(site.house.read(wait)) for _ in range(30)]
                for task in asked:
                    with pytest.raises(Refusal, match="cannot store"):
                        await task
                with pytest.raises(Refusal, match="cannot store"):
                    await site.house.write(wait)  # it never began
        finally:
            stuck.set()
        ada = await site.join("ada")
        assert (await ada.get("/me")).status == 200


async def test_the_cashier_goes_on_at_once(file_url: str) -> None:
    """What was refused while the house was down had its place in the cashier's stream: the next one takes it."""

    async with Site(file_url) as site:
        ada = await site.join("ada")
        body = {"id": "one", "currency": "EUR", "amount": 100}
        site.house.writer.down = True
        assert (await ada.post("/cashier/deposit", body)).code == "house/down"
        site.house.writer.down = False
        assert (await ada.post("/cashier/deposit", body)).status == 200
