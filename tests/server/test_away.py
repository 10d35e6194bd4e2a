"""A house whose database does not answer: who asks is told in time, and all goes on when it does."""

from __future__ import annotations

import asyncio
import threading
from unittest.mock import patch

import pytest
from sqlalchemy import Connection
from sqlalchemy.exc import OperationalError

from sabot.errors import Refusal
from sabot.server import house as houses
from sabot.store import writer
from sabot.store.cashier import Cashier
from tests.support.clock import PATIENCE
from tests.support.hall import until
from tests.support.site import Site

pytestmark = pytest.mark.rule("ASR-24")


async def test_nobody_waits_for_threads_that_are_stuck(file_url: str) -> None:
    async with Site(file_url) as site:
        stuck, begun = threading.Event(), threading.Semaphore(0)

        def wait(_: Connection) -> None:
            begun.release()
            assert stuck.wait(PATIENCE)

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
        lost = OperationalError("INSERT", {}, Exception("database is locked"))
        with (
            patch.object(writer, "commit_group", side_effect=lost),
            patch.object(writer, "_answers", return_value=False),
        ):
            assert (await ada.post("/cashier/deposit", body)).code == "unit/lost"
            assert (await ada.post("/cashier/deposit", body)).code == "house/down"
        await until(lambda: not site.house.writer.down)
        assert (await ada.post("/cashier/deposit", body)).status == 200


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (OperationalError("INSERT", {}, Exception("database is locked")), "unit/lost"),
        (ValueError("no such row can be written"), "unit/unwritable"),
    ],
)
async def test_the_cashier_finds_its_place_after_a_row_was_not_written(
    error: Exception, code: str, file_url: str
) -> None:
    """It has counted the row: it reads its stream again before the next one."""
    async with Site(file_url) as site:
        ada = await site.join("ada")
        with patch.object(writer, "commit_group", side_effect=error):
            refused = await ada.post("/cashier/deposit", {"id": "one", "currency": "EUR", "amount": 100})
        assert refused.code == code
        await until(lambda: not site.house.writer.down)
        answer = await ada.post("/cashier/deposit", {"id": "two", "currency": "EUR", "amount": 100})
        assert answer.status == 200, answer.text


async def test_a_cashier_whose_stream_was_taken_over_is_opened_again(file_url: str) -> None:
    async with Site(file_url) as site:
        ada = await site.join("ada")
        body = {"id": "one", "currency": "EUR", "amount": 100}
        await site.house.work(lambda: Cashier.open(site.house.store, 1))
        assert (await ada.post("/cashier/deposit", body)).code == "stream/fenced"
        assert (await ada.post("/cashier/deposit", body)).status == 200
