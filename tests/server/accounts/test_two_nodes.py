"""Locks and money of one player through two nodes of one house (CLU-10)."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial

import pytest
import sqlalchemy
from msgspec.structs import replace

from sabot.errors import Refusal
from sabot.server.accounts import player_lock
from sabot.server.accounts.player_lock import HouseLocks
from sabot.server.config import CashierConfig
from sabot.server.tables.runtime import TableRuntime
from sabot.store import advisory, schema
from sabot.store.advisory import AdvisoryLocks, release
from sabot.store.database import Database
from tests.support.cluster.two_nodes import PATIENCE_MS, a_player, code_of
from tests.support.hall import FREEBET, MAJORITY
from tests.support.refused import ask_refused
from tests.support.store.held import held_back

KIND = "postgresql"
pytestmark = pytest.mark.slow


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock is waited for as long as anything."""
    for module in (advisory, player_lock):
        monkeypatch.setattr(module, "PATIENCE_MS", PATIENCE_MS)


# The lock


@pytest.mark.rule("CLU-10")
async def test_a_players_lock_holds_in_the_whole_house(
    database: Database, patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = HouseLocks(database), HouseLocks(database)
    let_go = await one.take(1, 7)
    monkeypatch.setattr(advisory, "PATIENCE_MS", 50)
    hasty = HouseLocks(database)
    assert await code_of(hasty.take(1, 7)) == "house/busy"
    for kind, player in ((2, 7), (1, 8)):
        (await hasty.take(kind, player))()
    waiting = asyncio.create_task(other.take(1, 7))
    let_go()
    (await waiting)()
    for locks in (one, hasty, other):
        locks.close()


@pytest.mark.rule("CLU-10")
async def test_who_gives_up_waiting_holds_nothing(
    database: Database, patient: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the lock, which comes too late, nor a place among those who wait."""
    monkeypatch.setattr(player_lock, "MOST_LOCKS", 1)
    one, other = HouseLocks(database), HouseLocks(database)
    let_go = await one.take(1, 7)
    waiting = asyncio.create_task(other.take(1, 7))
    await asyncio.sleep(0)  # a thread waits
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    let_go()
    (await other.take(1, 7))()
    (await one.take(1, 7))()
    one.close()
    other.close()


@pytest.mark.rule("CLU-10")
async def test_a_node_that_is_frozen_loses_its_locks(database: Database, patient: None) -> None:
    """PostgreSQL ends the transaction of a holder that does nothing; here at once, in a house after seconds."""
    one, other = AdvisoryLocks(database), HouseLocks(database)
    held = await asyncio.to_thread(one.take, 1, 7)
    assert held.exec_driver_sql("SHOW idle_in_transaction_session_timeout").scalar() == "10s"
    held.exec_driver_sql("SET idle_in_transaction_session_timeout = 1")
    taken = await other.take(1, 7)
    release(held)
    release(one.take(1, 8))  # on a new connection
    taken()
    one.close()
    other.close()


@pytest.mark.rule("CLU-10")
async def test_a_limit_is_set_although_a_frozen_node_holds_the_lock(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_player(database_url) as ada:
        turns, busy = ada.nodes[0].house.losses.turns, [Refusal("house/busy")] * 3
        widen = turns.widen
        assert widen is not None

        async def late(player: int) -> Callable[[], None]:
            if busy:
                raise busy.pop()
            return await widen(player)

        monkeypatch.setattr(turns, "widen", late)
        await ada.limit(0, self_exclusion="for-good")
        assert busy == []


# Money


class SlowBank:
    """A provider that pays out when the test wants."""

    def __init__(self) -> None:
        self.asked, self.paid = asyncio.Event(), asyncio.Event()

    async def pay_in(self, *_: object) -> None:
        """Agree."""

    async def pay_out(self, *_: object) -> None:
        """Wait for the test."""
        self.asked.set()
        await self.paid.wait()


@pytest.mark.rule("CLU-10")
async def test_no_node_waits_for_a_provider_that_another_asks(database_url: str) -> None:
    bank = SlowBank()
    async with a_player(database_url, money=5_000, provider=bank) as ada:
        out = {"id": "out", "currency": "EUR", "amount": 1_000}
        slow = asyncio.create_task(ada.callers[0].post("/cashier/withdraw", out))
        await bank.asked.wait()
        paid = await ada.callers[1].post("/cashier/deposit", out | {"id": "in"})
        assert paid.body == {"currency": "EUR", "balance": 5_000}
        assert not slow.done()
        bank.paid.set()
        assert (await slow).status == 200


@pytest.mark.rule("CLU-10", "ASR-11")
async def test_one_payment_asked_of_both_nodes_is_made_once(database_url: str) -> None:
    async with a_player(database_url, money=5_000) as ada:
        for way, left in (("deposit", 6_000), ("withdraw", 5_000)):
            forms = [{"id": f"{way}{n}", "currency": "EUR", "amount": 100} for n in range(10)]
            asked = [caller.post(f"/cashier/{way}", form) for form in forms for caller in ada.callers]
            assert {answer.code for answer in await asyncio.gather(*asked)} == {""}
            assert (await ada.callers[0].get("/cashier")).body["balances"]["EUR"] == left


@pytest.mark.rule("CLU-10")
async def test_deposits_through_two_nodes_do_not_pass_the_limit(database_url: str) -> None:
    async with a_player(database_url, money=0) as ada:
        await ada.limit(0, deposit_day=1_050)
        payments = [{"id": f"{n}", "currency": "EUR", "amount": 100} for n in range(40)]
        asked = [ada.callers[n % 2].post("/cashier/deposit", one) for n, one in enumerate(payments)]
        answers = await asyncio.gather(*asked)
        assert sorted(answer.code for answer in answers) == [""] * 10 + ["protection/deposit-limit"] * 30
        assert (await ada.callers[0].get("/cashier")).body["balances"]["EUR"] == 1_000


@pytest.mark.rule("CLU-10")
async def test_withdrawals_through_two_nodes_do_not_pass_the_limit_of_a_day(database_url: str) -> None:
    cashier = CashierConfig(withdraw_least=1, withdraw_most=1_000, withdraw_day=1_050)
    async with a_player(database_url, cashier=cashier) as ada:
        payments = [{"id": f"{n}", "currency": "EUR", "amount": 100} for n in range(40)]
        asked = [ada.callers[n % 2].post("/cashier/withdraw", one) for n, one in enumerate(payments)]
        answers = await asyncio.gather(*asked)
        assert sorted(answer.code for answer in answers) == [""] * 10 + ["cashier/day"] * 30


@pytest.mark.rule("CLU-10", "ASR-10")
async def test_money_that_is_there_once_is_taken_once(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """50 times the whole balance at once, to tables of both nodes and to the bank; no table is thrown away."""
    thrown: list[str] = []
    monkeypatch.setattr(TableRuntime, "throw_away", lambda _, code: thrown.append(code))
    tables = [replace(FREEBET, currency="EUR"), replace(MAJORITY, currency="EUR")]
    async with a_player(database_url, money=5_000, tables=tables) as ada:
        solo = [
            (n % 2, await ada.pages[n % 2].open(game, "EUR"))
            for n, game in enumerate(("surrender", "classic-6", "classic-8", "link"))
        ]
        sits: list[Callable[[], Awaitable[object]]] = [
            partial(ada.pages[node].sit, table, 5_000) for node, table in solo
        ]
        for node, table, spot in ((0, "live/one", 0), (1, "live/two", None)):
            await ada.pages[node].enter(table)
            sits.append(partial(ada.pages[node].sit, table, 5_000, spot))
        outs: list[Callable[[], Awaitable[object]]] = [
            partial(
                ada.callers[n % 2].post,
                "/cashier/withdraw",
                {"id": f"{n}", "currency": "EUR", "amount": 5_000},
            )
            for n in range(50 - len(sits))
        ]
        answers = await asyncio.gather(*(code_of(ask()) for ask in (*sits, *outs)))
        assert sorted(answers) == [""] + ["funds/insufficient"] * 49
        assert thrown == []


@pytest.mark.rule("CLU-10", "ASR-10")
@pytest.mark.parametrize("first", ["bank", "live table", "solo table"])
async def test_a_sit_that_loses_the_race_fails_alone(
    database_url: str, first: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both nodes have seen the money; the other one's commit comes first."""
    thrown: list[str] = []
    monkeypatch.setattr(TableRuntime, "throw_away", lambda _, code: thrown.append(code))
    tables = [replace(FREEBET, currency="EUR"), replace(MAJORITY, currency="EUR")]
    async with a_player(database_url, money=10_000, tables=tables) as ada:
        page, other = ada.pages
        await page.enter("live/one")
        await other.enter("live/two")
        solo = await other.open("surrender", "EUR")
        async with held_back(ada.nodes[0].house) as held:
            sit = asyncio.create_task(page.sit("live/one", 10_000, 0))
            await held.holds(1)
            if first == "bank":
                form = {"id": "out", "currency": "EUR", "amount": 10_000}
                assert (await ada.callers[1].post("/cashier/withdraw", form)).status == 200
            else:
                await other.sit("live/two" if first == "live table" else solo, 10_000)
        await ask_refused("funds/insufficient", sit)
        assert thrown == []
        back = {"id": "again", "currency": "EUR", "amount": 10_000}
        assert (await ada.callers[0].post("/cashier/deposit", back)).status == 200
        await page.sit("live/one", 10_000, 0)


@pytest.mark.rule("CLU-10", "MAJ-50")
async def test_golden_chips_come_to_one_of_two_tables(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both nodes have seen the chips; who comes too late sits down without them when asked again."""
    thrown: list[str] = []
    monkeypatch.setattr(TableRuntime, "throw_away", lambda _, code: thrown.append(code))
    tables = [replace(MAJORITY, name=name, currency="EUR") for name in ("one", "two")]
    async with a_player(database_url, tables=tables) as ada:
        page, other = ada.pages
        await ada.nodes[0].house.register(
            lambda register, at: register.grant_golden(None, ada.id, "EUR", 500, 3, "for playing", at, id="g")
        )
        await page.enter("live/one")
        await other.enter("live/two")
        async with held_back(ada.nodes[0].house) as held:
            sit = asyncio.create_task(page.sit("live/one", 10_000))
            await held.holds(1)
            await other.sit("live/two", 10_000)
        await ask_refused("golden/not-held", sit)
        await page.sit("live/one", 10_000)
        held_by = sqlalchemy.select(sqlalchemy.func.sum(schema.golden.c.count)).group_by(
            schema.golden.c.account
        )
        found = await ada.nodes[0].house.read(lambda connection: connection.execute(held_by).scalars().all())
        assert sorted(map(int, found)) == [0, 3]
        assert thrown == []
