"""A table that is closed, or read back from the log: who is sent what meanwhile, and what is done at it."""

from __future__ import annotations

import asyncio
import threading
from typing import Any
from unittest.mock import Mock

import pytest
import sqlalchemy
from structlog.testing import capture_logs

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.errors import Refusal
from sabot.protocol.requests import Enter
from sabot.server.cluster.remote_tables import RemoteTables
from sabot.server.config import OfficeConfig
from sabot.server.tables import clock, outbox
from sabot.server.tables.registry import LiveRuntime
from sabot.server.ws import dispatch
from sabot.server.ws.connection import Connection
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.nodes.node import Node
from tests.support.clock import PATIENCE
from tests.support.hall import FREEBET, Hall, open_hall, until
from tests.support.shoes import StackedShoes

TABLE = "live/one"

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)


class Gate:
    """Holds a table up that is read back from the log."""

    def __init__(
        self, desk: LiveRuntime, monkeypatch: pytest.MonkeyPatch, fails: Refusal | None = None
    ) -> None:
        self.reached, self.free = asyncio.Event(), asyncio.Event()
        kept = desk._open

        async def reopen(rest: Any) -> Any:
            adapter = await kept(rest)
            self.reached.set()
            await self.free.wait()
            if fails is not None:
                raise fails
            return adapter

        monkeypatch.setattr(desk, "_open", reopen)


async def owner_of(hall: Hall) -> int | None:
    """Who owns the table by the database."""
    streams = schema.streams.c
    query = sqlalchemy.select(streams.owner).where(streams.name == TABLE)
    return await hall.house.house.read(lambda connection: connection.execute(query).scalar_one())


@pytest.mark.rule("ASR-21", "ASR-23", "CLU-03")
async def test_a_table_that_is_closed_while_it_is_read_back_stays_closed(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows nothing to those who were there, who see it elsewhere by now; and what it has taken is free again."""
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        await hall.at(await hall.member("ada"), TABLE)
        desk = hall.desk(TABLE)
        gate = Gate(desk, monkeypatch)
        desk.throw_away("unit/lost")
        await gate.reached.wait()
        del hall.house.registry.live[TABLE]
        desk.close()
        assert await owner_of(hall) is not None
        (connection,) = hall.house.registry.connections
        sent: list[bytes] = []
        monkeypatch.setattr(connection, "send", sent.append)
        gate.free.set()
        await until(lambda: desk not in hall.house.registry._reopening)
        connection.dispatcher.close()
        await asyncio.sleep(0)
        assert (desk.broken, desk.busy, sent) == (True, False, [])
        assert await owner_of(hall) is None


@pytest.mark.rule("PLT-71", "ASR-21")
async def test_who_stands_behind_a_seat_is_named_when_the_table_was_read_back(database: Database) -> None:
    """Also somebody who is not there any more: the name is read with the table."""
    async with open_hall(database, StackedShoes("10 9 K 8"), FREEBET) as hall:
        ada = await hall.at(await hall.member("ada"), TABLE, spot=0)
        bob = await hall.at(await hall.member("bob"), TABLE)
        await hall.until(TABLE, "betting")
        await ada.bet(TABLE, [Bet(0, "main", 1_000)])
        await bob.bet(TABLE, [Bet(0, "behind", 500)])
        await hall.until(TABLE, "decisions")
        await bob.close()
        desk, before = hall.desk(TABLE), hall.desk(TABLE).table
        desk.throw_away("unit/lost")
        await until(lambda: desk.table is not before and bool(desk.table.play.stakes))
        (spot,) = desk.table.play.stakes
        assert [(backer.name, backer.amount) for backer in spot.backers] == [("bob", 500)]


@pytest.mark.rule("CLU-03")
async def test_a_table_that_went_while_it_was_read_back_does_not_go_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By then it may be open at this node anew."""
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        registry, desk = hall.house.registry, hall.desk(TABLE)
        gate = Gate(desk, monkeypatch, fails=Refusal("stream/owned", stream=TABLE, node=2))
        desk.throw_away("unit/lost")
        await gate.reached.wait()
        elsewhere = Mock(RemoteTables)
        monkeypatch.setattr(registry, "elsewhere", elsewhere)
        registry.depart(desk)
        gate.free.set()
        await until(lambda: desk not in registry._reopening)
        elsewhere.adopt.assert_called_once()
        monkeypatch.undo()


@pytest.mark.rule("ASR-21", "CLU-03")
async def test_a_table_that_was_taken_by_a_node_found_dead_is_not_opened(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node has joined again as another one, and the table may be shown by its next owner: it would show an older one."""
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        registry, desk, store = hall.house.registry, hall.desk(TABLE), hall.house.house.store
        del registry.live[TABLE]
        desk.close()
        with monkeypatch.context() as patch:

            async def rejoin(*_: object) -> None:
                store.node = Node(2, 2, "again")

            patch.setattr(registry.chat, "open", rejoin)
            with pytest.raises(Refusal) as error:
                await registry.live_tables.open(FREEBET)
        store.node = None
        assert error.value.code == "node/buried"
        assert TABLE not in registry.live


@pytest.mark.rule("ASR-21", "CLU-03")
async def test_who_comes_to_a_table_that_is_thrown_away_and_opened_anew_meanwhile_is_shown_the_new_one(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another page of the same player opens it again: the first would be read for without end, and never answered."""
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        registry, ada = hall.house.registry, await hall.member("ada")
        pages = [PlayerClient(hall.url, ada.token, hall.http) for _ in range(2)]
        async with pages[0], pages[1]:
            table = await pages[0].open("surrender")
            thrown, (one, other) = registry.solo[table], registry.connections
            reached, free, read = asyncio.Event(), asyncio.Event(), hall.house.house.read
            reads: list[Any] = []

            async def held(act: Any) -> Any:
                reads.append(act)
                assert len(reads) < 50, "the books are read without end"
                found = await read(act)
                if not reached.is_set():
                    reached.set()
                    await free.wait()
                return found

            monkeypatch.setattr(hall.house.house, "read", held)
            coming = asyncio.create_task(pages[1].open("surrender"))
            await reached.wait()
            thrown.throw_away("stream/fenced")
            await pages[0].open("surrender")
            assert registry.solo[table] is not thrown
            free.set()
            assert await asyncio.wait_for(coming, PATIENCE) == table
            assert all(each in registry.solo[table].subscribers for each in (one, other))


@pytest.mark.rule("ASR-21")
@pytest.mark.parametrize("ends", ["throw_away", "close"])
async def test_a_table_that_ends_while_a_frame_goes_out_sends_it_before_its_end(
    database: Database, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    """After it, pages have been told that the table is closed, or are shown it by another node: it would come too late."""
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        for spot, name in enumerate(("ada", "bob", "eve")):
            await hall.at(await hall.member(name), TABLE, spot=spot)
        await hall.heard(TABLE)
        desk, done = hall.desk(TABLE), list[str]()
        kept, loop = Connection.send, asyncio.get_running_loop()

        def end() -> None:
            desk.close() if ends == "close" else desk.throw_away("unit/lost")
            done.append("end")

        def send(self: Connection, packed: bytes) -> None:
            if b"table-paused" in packed:
                done.append("frame")
                if len(done) == 1:
                    loop.call_soon(end)
            elif b'"closed"' in packed and b"unit/lost" in packed:
                done.append("closed")
            kept(self, packed)

        monkeypatch.setattr(Connection, "send", send)
        monkeypatch.setattr(outbox, "SLICE", 1)
        await asyncio.wait_for(desk.order(lambda live: live.pause("a look")), PATIENCE)
        assert done == [*["frame"] * 3, *["closed"] * (0 if ends == "close" else 3), "end"]
        if ends == "close":
            assert desk.subscribers.everyone() == []
            del hall.house.registry.live[TABLE]


@pytest.mark.rule("OFF-02")
async def test_a_table_that_its_own_end_closes_ends_without_a_failure(database: Database) -> None:
    """The last thing that is sent takes it away: nothing is being sent then that would have to be finished."""
    alone = OfficeConfig(two_people=False, second_factor=False)
    async with open_hall(database, StackedShoes(), FREEBET, office=alone) as hall:
        boss, client = await hall.member("boss", "supervisor"), await hall.at(await hall.member("ada"), TABLE)
        told: list[bytes] = []
        client.on_message = told.append
        close = {"change": {"kind": "close-table", "name": "one"}, "reason": "nobody comes"}
        with capture_logs() as lines:
            assert (await boss.post("/office/proposals", close)).status == 200
            await until(lambda: TABLE not in hall.house.registry.live)
            await until(lambda: any(b"closed/table" in frame for frame in told))
        assert lines == []


@pytest.mark.rule("PLT-40")
async def test_what_is_said_while_a_table_is_read_back_is_heard(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        ada, bob = (
            await hall.at(await hall.member("ada"), TABLE),
            await hall.at(await hall.member("bob"), TABLE),
        )
        await hall.heard(TABLE)
        desk, told = hall.desk(TABLE), list[bytes]()
        bob.on_message = told.append
        gate = Gate(desk, monkeypatch)
        desk.throw_away("unit/lost")
        await gate.reached.wait()
        await ada.say(TABLE, "hello")
        await until(lambda: any(b'"said"' in frame and b"hello" in frame for frame in told))
        gate.free.set()
        await until(lambda: not desk.broken)


async def test_a_table_in_the_hands_of_a_thread_is_busy(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it shows may be behind what it holds: it is not let go, nor compared with anything."""
    monkeypatch.setattr(clock, "HEAVY", 1)
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        await hall.at(await hall.member("ada"), TABLE)
        await hall.heard(TABLE)
        desk, free, begun = hall.desk(TABLE), threading.Event(), threading.Event()

        def wait(_: object) -> None:
            begun.set()
            free.wait(PATIENCE)

        order = asyncio.create_task(desk.order(wait))
        await until(begun.is_set)
        assert desk.busy
        free.set()
        await order


@pytest.mark.rule("ASR-12", "CLU-03")
async def test_an_order_is_answered_when_its_table_goes_before_its_thread_begins(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The node is found dead in the same moment: the operator is told to look again, and waits no longer."""
    monkeypatch.setattr(clock, "HEAVY", 1)
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        await hall.at(await hall.member("ada"), TABLE)
        await hall.heard(TABLE)
        desk, kept = hall.desk(TABLE), clock.TableClock.carry_out

        def at_once(given: clock.TableClock, *order: Any) -> None:
            kept(given, *order)
            desk.close()

        monkeypatch.setattr(clock.TableClock, "carry_out", at_once)
        with pytest.raises(Refusal, match="will be known"):
            await asyncio.wait_for(desk.order(lambda live: None), PATIENCE)
        del hall.house.registry.live[TABLE]


@pytest.mark.rule("ASR-20", "ASR-32", "CLU-21")
async def test_no_table_waits_for_a_request_whose_connection_went_before_it_was_begun(
    database: Database,
) -> None:
    """It came together with the end of the connection: else each phase would wait for it, and no node could hand the table over."""
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        await hall.at(await hall.member("ada"), TABLE)
        await hall.heard(TABLE)
        (connection,) = hall.house.registry.connections
        desk = hall.desk(TABLE)
        connection.dispatcher.put(Enter("late", TABLE), hall.clock.monotonic())
        assert len(desk.in_flight) == 1
        connection.dispatcher.close()
        await until(lambda: not len(desk.in_flight))


# What the house shows again by itself


async def away(*_: object) -> None:
    raise Refusal("house/down")


@pytest.mark.rule("CLU-05", "ASR-24")
async def test_a_table_that_the_house_could_not_show_again_is_shown_later(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page waits for it and asks for nothing: the database was away when the table came to this node."""
    monkeypatch.setattr(dispatch, "_SHOW_AGAIN", 0.01)
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        client = await hall.at(await hall.member("ada"), TABLE)
        await hall.heard(TABLE)
        (connection,) = hall.house.registry.connections
        dispatcher, desk = connection.dispatcher, hall.desk(TABLE)
        desk.subscribers.unsubscribe(connection)
        shown = client.tables[TABLE].snapshot
        with monkeypatch.context() as patch:
            patch.setattr(hall.house.house, "read", away)
            dispatcher.show_again(TABLE, (0, 0))
            await until(lambda: TABLE in dispatcher._owed)
            assert connection not in desk.subscribers
        await client.wait_for(lambda: client.tables[TABLE].snapshot is not shown)
        assert connection in desk.subscribers
        assert not dispatcher._owed


async def test_a_table_that_was_left_meanwhile_is_not_shown_again(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        client = await hall.at(await hall.member("ada"), TABLE)
        (connection,) = hall.house.registry.connections
        dispatcher = connection.dispatcher
        with monkeypatch.context() as patch:
            patch.setattr(hall.house.house, "read", away)
            dispatcher.show_again(TABLE, (0, 0))
            await until(lambda: TABLE in dispatcher._owed)
        (again,) = dispatcher._owed.values()
        await client.exit(TABLE)
        assert again.cancelled()
        assert not dispatcher._owed


@pytest.mark.rule("OFF-02")
async def test_who_waits_for_a_table_that_was_taken_away_is_told(database: Database) -> None:
    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        client = await hall.at(await hall.member("ada"), TABLE)
        told: list[bytes] = []
        client.on_message = told.append
        (connection,) = hall.house.registry.connections
        connection.dispatcher.show_again("live/gone", (3, 4))
        await until(lambda: any(b"closed/table" in frame and b"live/gone" in frame for frame in told))
        assert not connection.dispatcher._owed
