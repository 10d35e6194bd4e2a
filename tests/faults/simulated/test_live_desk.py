"""A live table when the moment is bad: what the simulator found, one by one, each under many orders of things."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any
from unittest.mock import Mock, patch

import pytest

from sabot.engine import Bet
from sabot.protocol import requests
from sabot.server.accounts.logins import Login
from sabot.server.config import Config
from sabot.server.tables import outbox, queries
from sabot.server.tables.live import LiveAdapter
from sabot.server.tables.registry import LiveRuntime
from sabot.server.tables.subscribers import Arrival
from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.store import Store
from tests.faults.live.history import History
from tests.faults.live.page import Page
from tests.faults.live.process import Noise, Process
from tests.faults.live.simulation import DEPOSIT, section
from tests.faults.simulated.crash import Commits, Fault
from tests.faults.simulated.house import Memory
from tests.faults.simulated.invariants import check_house
from tests.faults.simulated.loop import VirtualLoop
from tests.faults.simulated.shoes import DrawnShoes
from tests.faults.simulated.simulation import fresh_file

pytestmark = pytest.mark.slow  # each under many orders of things

ORDERS = range(3)


class Once:
    """A fault at one of the next commits, when it is set."""

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self.after = 0

    def set(self, fault: Fault, after: int = 0) -> None:
        """Let the next commit fail, or the one after so many."""
        self.fault, self.after = fault, after

    def at(self, commit: int) -> Fault | None:
        if self.fault is None:
            return None
        self.after -= 1
        if self.after >= 0:
            return None
        fault, self.fault = self.fault, None
        return fault


class Room:
    """A process with one table, and pages of players with money."""

    def __init__(self, process: Process, table: str, faults: Once) -> None:
        self.process = process
        self.table = f"live/{table}"
        self.faults = faults
        #: What pages found that must not be.
        self.failed: list[BaseException] = []
        process.loop.set_exception_handler(self._fail)
        self.history = History(self.table)
        self._pages = 0

    def _fail(self, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
        self.failed.append(context.get("exception") or AssertionError(context["message"]))

    @property
    def desk(self) -> LiveRuntime:
        """The owner of the table there is now."""
        return self.process.desks[self.table]

    def page(self, player: int) -> Page:
        """A page of a player's, not connected yet."""
        self._pages += 1
        person = Login(player, f"player {player}")
        return Page(person, f"page-{self._pages}", self.history, self.process.rng)

    async def shown(self, player: int) -> Page:
        """A page that looks at the table."""
        page = self.page(player)
        page.connect(self.process)
        assert await page.request(requests.Enter(page.new_id(), self.table)) == "ok"
        return page

    async def seated(self, player: int, spot: int | None = None) -> Page:
        """A page of one who sits at the table and has consented."""
        page = await self.shown(player)
        assert await page.request(requests.Sit(page.new_id(), self.table, 10_000, spot)) == "ok"
        assert await page.request(requests.ConsentRequest(page.new_id(), self.table, True, True)) == "ok"
        return page

    async def until(self, phase: str) -> None:
        """Wait for a phase."""
        async with asyncio.timeout(120):
            while self.desk.table.phases.phase != phase:
                await asyncio.sleep(0.1)

    async def quiet(self) -> None:
        """Wait until nothing is on its way."""
        still = 0
        async with asyncio.timeout(120):
            while still < 10:
                await asyncio.sleep(0.1)
                if self.failed:
                    raise self.failed[0]
                still = 0 if self.process.busy else still + 1

    def check(self, *pages: Page) -> None:
        """Every page has its answers and shows the table as it is."""
        for page in pages:
            page.check_answered()
            at = (self.desk.table.table.stream.epoch, self.desk.seq)
            page.check_shown(*at, self.desk.me(str(page.person.player)))


Act = Callable[[Room], Coroutine[object, object, None]]


def in_room(folder: Path, act: Act, *, game: str = "majority-us", orders: range = ORDERS) -> None:
    """Let something happen at a table, in many orders; the books are right after each."""
    for order in orders:
        url = fresh_file(folder / "house.db")
        database, faults = Database(url, durable=False), Once()
        cashier = Cashier.open(Store(database), 1)
        for number in range(1, 4):
            assert cashier.register(f"player {number}", 1) == number
            cashier.deposit(number, "FUN", DEPOSIT, "first", 1)
        memory = Memory(url, order, Commits(faults), DrawnShoes(order), None)
        loop = VirtualLoop(order)

        async def main(memory: Memory = memory, loop: VirtualLoop = loop, faults: Once = faults) -> None:
            process = Process(memory, loop, Config(table=(section("one", game),)))
            with Noise() as noise:
                await process.open()
                try:
                    await act(Room(process, "one", faults))
                finally:
                    await process.close()
                    process.cut()
            assert not noise.found, noise.found[0]
            process.database.close()

        try:
            loop.run_until_complete(main())
            check_house(database)
        except BaseException as error:
            error.add_note(f"order {order}")
            raise
        finally:
            loop.abandon()
            database.close()


# Coming and going


def test_one_who_is_gone_before_being_shown_the_table_is_not_waited_for(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        page = room.page(1)
        page.connect(room.process)
        page.put(requests.Enter(page.new_id(), room.table))
        page.drop()
        await room.quiet()
        assert not len(room.desk.subscribers)
        assert not room.desk.table.attendance.players

    in_room(tmp_path, act)


def test_what_happens_while_one_comes_is_told_too(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        other = await room.seated(1)
        for double in (True, False) * 4:
            page = room.page(2)
            page.connect(room.process)
            page.put(requests.Enter(page.new_id(), room.table))
            page.put(requests.ConsentRequest(page.new_id(), room.table, double, False))
            for _ in range(10):  # so that there is always a row on its way
                other.put(requests.ConsentRequest(other.new_id(), room.table, double, False))
                await asyncio.sleep(0.02)
            await room.quiet()
            assert page.there
            room.check(page, other)
            page.drop()

    in_room(tmp_path, act)


def test_no_frame_comes_twice_to_one_who_asks_to_go_on_while_there(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        page, other = await room.shown(1), await room.shown(2)
        for _ in range(5):
            other.put(requests.Exit(other.new_id(), room.table))
            other.put(requests.Enter(other.new_id(), room.table))
            assert page.table is not None
            page.put(requests.Resume(page.new_id(), room.table, page.table.epoch, page.table.seq))
            await asyncio.sleep(0.3)
        await room.quiet()
        room.check(page)

    in_room(tmp_path, act)


# A row is lost


@pytest.mark.parametrize("fault", ["failed", "lost"])
def test_a_question_whose_row_is_lost_is_answered_and_can_be_asked_again(
    fault: Fault, tmp_path: Path
) -> None:
    async def act(room: Room) -> None:
        page, other = await room.seated(1), await room.seated(2)
        before = room.desk.table
        request = requests.ConsentRequest(page.new_id(), room.table, False, True)
        room.faults.set(fault)
        other.put(requests.ConsentRequest(other.new_id(), room.table, False, False))
        answer = await page.request(request)
        assert answer in ("ok", "unit/lost", "house/down")
        await room.quiet()
        assert room.desk.table is not before or answer == "ok"
        assert await page.request(request) == "ok"
        await room.quiet()
        room.check(page, other)

    in_room(tmp_path, act)


def test_one_who_comes_while_the_table_is_read_back_is_shown_it(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        page, others = await room.seated(1), [room.page(2), room.page(3), room.page(2)]
        room.faults.set("failed")
        page.put(requests.ConsentRequest(page.new_id(), room.table, False, True))
        for other in others:
            other.connect(room.process)
            other.put(requests.Enter(other.new_id(), room.table))
            await asyncio.sleep(0.03)
        await room.quiet()
        assert all(other.there for other in others)
        room.check(page, *others)

    in_room(tmp_path, act)


@pytest.mark.rule("ASR-21")
def test_nothing_of_a_lost_table_comes_after_its_end(tmp_path: Path) -> None:
    """A frame is sent in slices, and the table is lost between two of them: who was still to get it had it after."""

    async def act(room: Room) -> None:
        pages = [await room.seated(1), await room.shown(2), await room.shown(3)]
        await room.quiet()
        room.desk.table.show_crowd()
        room.desk.show(room.desk.table.take())
        assert room.desk.outbox.busy  # the first slice is sent
        room.desk.throw_away("unit/lost")
        await room.quiet()
        room.check(*pages)

    with patch.object(outbox, "SLICE", 1):
        in_room(tmp_path, act)


@pytest.mark.rule("ASR-12")
def test_one_who_comes_while_the_books_are_read_for_the_others_has_the_own_account(tmp_path: Path) -> None:
    """A broken table is opened again: whoever comes in its last moment was shown an account of nothing."""

    async def act(room: Room) -> None:
        page, read = await room.seated(1), queries.accounts_of
        desk, lost = room.desk, room.desk.table

        def meanwhile(*args: Any, **kwargs: Any) -> dict[str, int]:
            found = read(*args, **kwargs)
            if "2" not in desk.subscribers.players():
                desk.subscribers.subscribe(Arrival(Mock(login=Login(2, "player 2")), DEPOSIT))
            return found

        room.faults.set("failed")
        with patch.object(queries, "accounts_of", meanwhile):
            await page.request(requests.ConsentRequest(page.new_id(), room.table, False, True))
            await room.quiet()
        assert room.desk.table is not lost
        assert room.desk.me("2").account == DEPOSIT

    in_room(tmp_path, act)


@pytest.mark.parametrize("fault", ["failed", "lost"])
def test_the_account_is_shown_as_it_is_when_sitting_down_was_lost(fault: Fault, tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        page = await room.shown(1)
        room.faults.set(fault, after=2)
        await page.request(requests.Sit(page.new_id(), room.table, 10_000))
        await room.quiet()
        room.check(page)
        assert page.me is not None
        assert page.me.account + (page.me.balance or 0) == DEPOSIT

    in_room(tmp_path, act)


@pytest.mark.parametrize("after", range(6))
def test_a_seat_is_taken_with_its_money_or_not_at_all(after: int, tmp_path: Path) -> None:
    """Whatever number is not to be had for a player, a seat or a shoe."""

    async def act(room: Room) -> None:
        page = await room.shown(1)
        request = requests.Sit(page.new_id(), room.table, 10_000, 3)
        room.faults.set("failed", after)
        answer = await page.request(request)
        await room.quiet()
        sits, seats = "1" in room.desk.table.table.sittings, list(room.desk.table.table.seats)
        assert sits == (seats == [3])
        assert sits or answer != "ok"
        assert await page.request(request) == "ok"
        await room.quiet()
        room.check(page)
        assert page.me is not None
        assert (page.me.balance, page.me.account) == (10_000, DEPOSIT - 10_000)

    in_room(tmp_path, act, game="freebet", orders=range(2))


# What was asked before


def test_a_question_of_long_ago_does_not_throw_the_table_away(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        page = await room.seated(1)
        request = requests.AddMoneyRequest(page.new_id(), room.table, 500)
        assert await page.request(request) == "ok"
        before = room.desk
        assert await page.request(request) == "ok"
        assert await page.request(requests.AddMoneyRequest(request.id, room.table, 700)) == "command/reused"
        await room.quiet()
        assert room.desk is before
        room.check(page)
        assert page.me is not None
        assert page.me.balance == 10_500

    with patch.object(LiveAdapter, "kept_requests", 0):
        in_room(tmp_path, act)


@pytest.mark.rule("ASR-11", "ASR-32")
def test_what_comes_after_a_request_of_long_ago_is_done_for_everyone(tmp_path: Path) -> None:
    """The store knows the id: its sender gets the answer again, and nobody else's request is lost."""

    async def act(room: Room) -> None:
        page, other = await room.seated(1), await room.seated(2)
        first = requests.AddMoneyRequest(page.new_id(), room.table, 500)
        assert await page.request(first) == "ok"
        for again in (first, requests.AddMoneyRequest(first.id, room.table, 700)):
            page.put(again)
            more = [
                (one, requests.AddMoneyRequest(one.new_id(), room.table, 100)) for one in (other, page, other)
            ]
            assert await asyncio.gather(*(one.request(request) for one, request in more)) == ["ok"] * 3
        await room.quiet()
        assert room.desk.table.table.stream.epoch == 1
        room.check(page, other)
        assert page.me is not None
        assert other.me is not None
        assert (page.me.balance, other.me.balance) == (10_700, 10_400)
        assert page.me.account + other.me.account == 2 * DEPOSIT - 21_100

    with patch.object(LiveAdapter, "kept_requests", 0):
        in_room(tmp_path, act)


@pytest.mark.rule("ASR-20", "ASR-32")
def test_a_request_of_long_ago_gives_nobody_more_time(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        page, other = await room.seated(1), await room.seated(2)
        first = requests.AddMoneyRequest(page.new_id(), room.table, 500)
        assert await page.request(first) == "ok"
        await room.until("betting")
        await room.quiet()
        before = room.desk.table
        await asyncio.sleep(0.5)
        room.desk.requests.cache._known.clear()
        assert await page.request(first) == "ok"
        await room.quiet()
        after = room.desk.table
        assert after is not before
        assert after.phases.moment == before.phases.moment
        room.check(page, other)

    in_room(tmp_path, act)


@pytest.mark.rule("ASR-32")
def test_one_who_goes_on_with_requests_of_long_ago_is_closed(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        page, other = await room.seated(1), await room.seated(2)
        first = requests.AddMoneyRequest(page.new_id(), room.table, 500)
        for _ in range(8):
            page.put(first)
            await room.quiet()
            room.desk.requests.cache._known.clear()
        assert not page.there
        assert await other.request(requests.AddMoneyRequest(other.new_id(), room.table, 100)) == "ok"
        await room.quiet()
        room.check(other)

    in_room(tmp_path, act)


# What others see


def test_a_bet_behind_that_goes_back_is_not_shown_any_longer(tmp_path: Path) -> None:
    async def act(room: Room) -> None:
        owner, behind = await room.seated(1, 0), await room.seated(2, 1)
        third = await room.seated(3, 2)
        await room.until("betting")
        await room.quiet()
        code = room.desk.table.play.code
        own, back = Bet(1, "main", 400), Bet(0, "behind", 400)
        assert (
            await behind.request(requests.PlaceBetsRequest(behind.new_id(), room.table, code, (own, back)))
            == "ok"
        )
        assert await behind.request(requests.StartNow(behind.new_id(), room.table, code)) == "ok"
        assert await owner.request(requests.Leave(owner.new_id(), room.table, 0)) == "ok"
        await room.quiet()
        room.check(owner, behind, third)
        assert third.table is not None
        assert third.table.live is not None
        assert [seat.bets for seat in third.table.live.seats if seat.spot == 1] == [(own,)]

    in_room(tmp_path, act, game="freebet", orders=range(2))
