"""The group writer: units in order, and each answer once, where the owner wants it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence

import psycopg
import pytest
from sqlalchemy.exc import OperationalError

from sabot.store import writer
from sabot.store.commit import Committed, Lost, Outcome, Refused
from sabot.store.database import Database
from sabot.store.entry import LogEntry
from sabot.store.store import Store
from sabot.store.writer import GROUP, GroupWriter
from tests.support.clock import PATIENCE
from tests.support.ledger import check_all, rows
from tests.support.store.store_house import NOWHERE, House, write, write_group


@pytest.fixture
def house(database: Database) -> House:
    return House(database)


def test_units_of_a_stream_are_written_in_the_order_they_come(house: House) -> None:
    """More than a group of them, without waiting for any."""
    outcomes: list[Outcome] = []
    writer = GroupWriter(house.database)
    for _ in range(GROUP + 50):
        writer.submit(house.unit(house.move(house.ada, house.bank, 1)), outcomes.append)
    writer.close()
    assert [type(outcome) for outcome in outcomes] == [Committed] * (GROUP + 50)
    assert house.balances("ada") == (1000 - GROUP - 50,)
    check_all(house.database)


def test_answers_come_in_the_order_of_the_units(house: House) -> None:
    """Each with the hash of its own row."""
    units = [house.unit(house.move(house.ada, house.bank, 1)) for _ in range(20)]
    outcomes = write_group(house.database, units)
    stored = rows(house.database, f"SELECT hash FROM log WHERE n >= {units[0].n} ORDER BY n")
    assert [(outcome.hash,) for outcome in outcomes if isinstance(outcome, Committed)] == stored


def test_an_answer_comes_after_its_unit_is_stored(house: House) -> None:
    """What another connection reads at that moment has the row."""
    seen: list[object] = []
    writer = GroupWriter(house.database)
    unit = house.unit(house.move(house.ada, house.bank, 1))
    writer.submit(unit, lambda _: seen.extend(rows(house.database, f"SELECT n FROM log WHERE n = {unit.n}")))
    writer.close()
    assert seen == [(unit.n,)]


def test_a_group_comes_back_in_one_call(house: House) -> None:
    calls: list[Callable[[], None]] = []
    outcomes: list[Outcome] = []
    writer = GroupWriter(house.database, post=calls.append)
    writer.submit(house.unit(house.move(house.ada, house.bank, 1)), outcomes.append)
    writer.close()
    assert (len(calls), outcomes) == (1, [])
    calls[0]()
    assert [type(outcome) for outcome in outcomes] == [Committed]


async def test_an_event_loop_hears_in_its_own_thread(house: House) -> None:
    async def main() -> list[tuple[Outcome, int]]:
        heard: list[tuple[Outcome, int]] = []
        loop, over = asyncio.get_running_loop(), asyncio.Event()

        def done(outcome: Outcome) -> None:
            heard.append((outcome, threading.get_ident()))
            if len(heard) == 3:
                over.set()

        writer = GroupWriter(house.database, post=loop.call_soon_threadsafe)
        for _ in range(3):
            writer.submit(house.unit(house.move(house.ada, house.bank, 1)), done)
        await asyncio.wait_for(over.wait(), PATIENCE)
        writer.close()
        return heard

    heard = await main()
    assert {thread for _, thread in heard} == {threading.get_ident()}
    assert [type(outcome) for outcome, _ in heard] == [Committed] * 3


def test_a_closed_writer_has_written_everything_and_takes_nothing_more(house: House) -> None:
    outcomes: list[Outcome] = []
    writer = GroupWriter(house.database)
    for _ in range(30):
        writer.submit(house.unit(house.move(house.ada, house.bank, 1)), outcomes.append)
    writer.close()
    writer.close()
    assert house.balances("ada") == (970,)
    assert len(outcomes) == 30
    late = write(writer, house.unit(house.move(house.ada, house.bank, 1)))
    assert isinstance(late, Refused)
    assert late.code == "house/down"
    assert house.balances("ada") == (970,)


def test_a_store_on_a_group_writer_waits_for_its_units(database: Database) -> None:
    writer = GroupWriter(database)
    store = Store(database, writer)
    stream = store.take("table", at=1)
    assert (stream.epoch, stream.n) == (1, 1)
    refused = store.write(NOWHERE)
    assert isinstance(refused, Refused)
    writer.close()


@pytest.mark.rule("ASR-24")
@pytest.mark.parametrize(("deadline", "tries"), [(0.0, 1), (60.0, 2)])
def test_a_group_that_failed_late_is_not_tried_again_one_by_one(
    house: House, monkeypatch: pytest.MonkeyPatch, deadline: float, tries: int
) -> None:
    """Another try would let everyone wait for a second deadline."""
    tried: list[int] = []

    def closed(_: object, entries: Sequence[LogEntry]) -> list[Outcome]:
        tried.append(len(entries))
        raise OperationalError("INSERT", {}, psycopg.OperationalError("the connection is closed"))

    entries = [house.unit(house.move(house.ada, house.bank, 1)) for _ in range(2)]
    monkeypatch.setattr(writer, "commit_group", closed)
    monkeypatch.setattr(house.database, "deadline", deadline)
    outcomes = writer.write_group(house.database, entries)
    assert tried == [2, 1][:tries]
    assert [type(outcome) for outcome in outcomes] == [Lost, Lost]
