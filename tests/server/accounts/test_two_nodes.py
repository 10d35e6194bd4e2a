"""One player through two nodes of one house, which share PostgreSQL and hear nothing of each other (CLU-10)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import Any

import pytest
import sqlalchemy
from msgspec.structs import replace

from sabot.client import PlayerClient, RequestError
from sabot.engine import Bet
from sabot.engine.events import TurnStarted
from sabot.errors import Refusal
from sabot.rounds.audit import audit_house
from sabot.server.accounts import player_lock
from sabot.server.accounts.player_lock import HouseLocks
from sabot.server.accounts.queries import day_of
from sabot.server.accounts.rate_limit import take_stored
from sabot.server.config import CashierConfig, Rate
from sabot.server.http.services import SERVICES
from sabot.server.tables.runtime import TableRuntime
from sabot.store import advisory, schema
from sabot.store.database import Database
from tests.support.clock import HOUR, MINUTE, PATIENCE
from tests.support.hall import FREEBET, MAJORITY
from tests.support.held import held_back
from tests.support.races import at_once
from tests.support.refused import ask_refused
from tests.support.served import main
from tests.support.shoes import StackedShoes
from tests.support.site import Answer, Caller, Site, two_nodes

KIND = "postgresql"
pytestmark = pytest.mark.slow

#: A hand of 11 against a 20, which waits for a decision and loses.
ELEVEN = "6 10 5 10 2"
STAKE = (Bet(0, "main", 1_000),)


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A lock is waited for as long as anything, even on a machine with much to do."""
    for module in (advisory, player_lock):
        monkeypatch.setattr(module, "PATIENCE_MS", int(1000 * PATIENCE))


class Player:
    """A player with money, who calls both nodes and has a socket on each."""

    def __init__(self, nodes: tuple[Site, Site], token: str, id: int) -> None:
        self.nodes = nodes
        self.id = id
        self.token = token
        self.callers = [Caller(node, token) for node in nodes]
        self.pages = [PlayerClient(node.url, token) for node in nodes]

    async def limit(self, node: int, **limits: Any) -> None:
        """Set limits on one node."""
        assert (await self.callers[node].put("/protections", limits)).status == 200

    async def sit(self, node: int, game: str) -> str:
        """Sit down on one node with 100.00."""
        table = await self.pages[node].open(game, "EUR")
        await self.pages[node].sit(table, 10_000)
        return table

    def double_at(self, node: int, table: str) -> str | None:
        """Why the hand in turn may not be doubled."""
        events = self.pages[node].tables[table].events
        turn = [event for event in events if isinstance(event, TurnStarted)][-1]
        return {option.action: option.unavailable for option in turn.options}["double"]

    async def lost(self) -> int:
        """What today's rounds cost."""
        house = self.nodes[0].house
        return (await house.read(lambda connection: day_of(connection, self.id, house.clock.wall_ms()))).lost


@asynccontextmanager
async def a_player(url: str, money: int = 50_000, **options: Any) -> AsyncIterator[Player]:
    """A player of a house of two nodes; in the end its books are right."""
    async with two_nodes(url, StackedShoes(*[ELEVEN] * 30), **options) as nodes:
        caller = await nodes[0].join("ada")
        if money:
            paid = await caller.post("/cashier/deposit", {"id": "first", "currency": "EUR", "amount": money})
            assert paid.status == 200
        player = Player(nodes, caller.token, await nodes[0].players.named("ada"))
        async with player.pages[0], player.pages[1]:
            yield player
        report = await nodes[0].house.work(lambda: audit_house(nodes[0].database, replay=False))
        assert report.findings == []


async def code_of(asked: Any) -> str:
    """The code with which something was refused; nothing if it was done."""
    try:
        answer = await asked
    except (RequestError, Refusal) as error:
        return error.code
    return answer.code if isinstance(answer, Answer) else ""


# The lock


@pytest.mark.rule("CLU-10")
async def test_a_players_lock_holds_in_the_whole_house(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, patient = HouseLocks(database), HouseLocks(database)
    release = await one.take(1, 7)
    monkeypatch.setattr(advisory, "PATIENCE_MS", 50)
    hasty = HouseLocks(database)
    assert await code_of(hasty.take(1, 7)) == "house/busy"
    for kind, player in ((2, 7), (1, 8)):
        (await hasty.take(kind, player))()
    waiting = asyncio.create_task(patient.take(1, 7))
    release()
    (await waiting)()
    for locks in (one, hasty, patient):
        locks.close()


@pytest.mark.rule("CLU-10")
async def test_who_gives_up_waiting_holds_nothing(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the lock, which comes too late, nor a place among those who wait."""
    monkeypatch.setattr(player_lock, "MOST_LOCKS", 1)
    one, other = HouseLocks(database), HouseLocks(database)
    release = await one.take(1, 7)
    waiting = asyncio.create_task(other.take(1, 7))
    await asyncio.sleep(0)  # a thread waits
    waiting.cancel()
    with pytest.raises(asyncio.CancelledError):
        await waiting
    release()
    (await other.take(1, 7))()
    (await one.take(1, 7))()
    one.close()
    other.close()


@pytest.mark.rule("CLU-10")
async def test_a_node_that_is_frozen_loses_its_locks(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advisory, "_FROZEN_MS", 50)
    one, other = HouseLocks(database), HouseLocks(database)
    release = await one.take(1, 7)
    taken = await other.take(1, 7)
    release()
    (await one.take(1, 8))()  # on a new connection
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


# Loss limits


@pytest.mark.rule("CLU-10", "ASR-41")
async def test_bets_through_two_nodes_do_not_pass_the_loss_limit(database_url: str) -> None:
    """6.00 and 6.00 of 10.00: the second is looked at when the first is stored, on whichever node."""
    async with a_player(database_url) as ada:
        await ada.limit(0, loss_day=1_000)
        tables = [await ada.sit(0, "surrender"), await ada.sit(1, "classic-6")]
        async with held_back(ada.nodes[0].house) as held:
            first = asyncio.create_task(code_of(ada.pages[0].deal(tables[0], main(600))))
            await held.holds(1)
            second = asyncio.create_task(code_of(ada.pages[1].deal(tables[1], main(600))))
            for _ in range(10):  # so that what can go on has gone on
                assert (await ada.callers[1].get("/me")).status == 200
        assert (await first, await second) == ("", "protection/loss-limit")


@pytest.mark.rule("CLU-10", "ASR-41")
async def test_what_is_set_aside_for_a_double_is_not_bet_on_the_other_node(database_url: str) -> None:
    """5.00 are staked and 5.00 set aside of 10.00, at a table that the other node cannot bound."""
    async with a_player(database_url) as ada:
        await ada.limit(1, loss_day=1_000)
        one, other = await ada.sit(0, "surrender"), await ada.sit(1, "classic-6")
        await ada.pages[0].deal(one, main(500))
        await ask_refused("protection/loss-limit", ada.pages[1].deal(other, main(500)))
        await ada.pages[0].decide(one, "double")
        await ask_refused("protection/loss-limit", ada.pages[1].deal(other, main(100)))
        assert await ada.lost() == 1_000


@pytest.mark.rule("CLU-10", "ASR-41")
async def test_a_bet_on_the_same_node_takes_what_is_set_aside(database_url: str) -> None:
    """As in a house of one process."""
    async with a_player(database_url) as ada:
        await ada.limit(0, loss_day=1_000)
        one, other = await ada.sit(0, "surrender"), await ada.sit(0, "classic-6")
        await ada.pages[0].deal(one, main(500))
        assert ada.double_at(0, one) is None
        await ada.pages[0].deal(other, main(500))
        assert (ada.double_at(0, one), ada.double_at(0, other)) == ("limit/loss", "limit/loss")
        for table in (one, other):
            await ada.pages[0].decide(table, "stand")
        assert await ada.lost() == 1_000


@pytest.mark.rule("CLU-10", "ASR-41")
async def test_a_limit_set_on_one_node_bounds_a_round_on_the_other(database_url: str) -> None:
    async with a_player(database_url) as ada:
        one, other = (node.players for node in ada.nodes)
        tasks: list[asyncio.Task[None]] = []
        one.on_change.append(
            lambda player: tasks.append(asyncio.create_task(other.changed_elsewhere(player)))
        )
        table = await ada.sit(1, "surrender")
        await ada.pages[1].deal(table, main(1_000))
        assert ada.double_at(1, table) is None
        await ada.limit(0, loss_day=1_500)
        await asyncio.gather(*tasks)
        await ada.pages[1].wait_for(lambda: ada.double_at(1, table) == "limit/loss")
        await ask_refused("limit/loss", ada.pages[1].decide(table, "double"))


# What is known of a player


@pytest.mark.rule("CLU-10", "ASR-41")
async def test_what_a_node_has_acknowledged_holds_for_every_later_bet_on_the_other(database_url: str) -> None:
    async with a_player(database_url) as ada:
        node = ada.nodes[1]
        login = await node.players.find(ada.token)
        assert login is not None
        assert await node.players.confirm(login)

        async def bet(currency: Any = "EUR") -> str:
            return await code_of(node.players.may_bet(login, STAKE, currency))

        assert (await bet(), await bet("FUN")) == ("", "")
        await ada.limit(0, loss_day=999)
        assert await bet() == "protection/loss-limit"
        await ada.limit(0, time_out=node.clock.ms + 60 * MINUTE)
        assert await bet() == "protection/time-out"
        await node.players.changed_elsewhere(ada.id)
        assert await bet("FUN") == "protection/time-out"
        node.clock.ms += 60 * MINUTE
        await ada.limit(0, self_exclusion="for-good")
        assert await bet() == "login/required"


@pytest.mark.rule("CLU-10")
async def test_every_change_of_a_player_is_told(file_url: str) -> None:
    async with Site(file_url) as site:
        told: list[int] = []
        boss, ada = await site.administrator(), await site.join("ada")
        login = await site.players.find(ada.token)
        assert login is not None
        site.players.on_change.append(told.append)
        for change in (
            ada.put("/protections", {"loss_day": 1_000}),
            boss.post("/players/ada/role", {"role": "supervisor", "reason": "she knows the games"}),
            boss.post("/players/ada/vip", {"vip": 1, "reason": "she plays a lot"}),
        ):
            answer = await change
            assert answer.status in (200, 204), answer.text
        await site.players.accept_terms(login, "2")
        assert told == [login.player] * 4


@pytest.mark.rule("CLU-10")
async def test_a_bet_without_a_limit_reads_once_and_takes_no_lock(
    database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with a_player(database_url) as ada:
        players = ada.nodes[0].players
        login = await players.find(ada.token)
        assert login is not None
        done: list[str] = []
        house, read, widen = players.house, players.house._in_time, players.house.losses.turns.widen
        assert widen is not None

        async def counted(*args: Any) -> Any:
            done.append("read")
            return await read(*args)

        async def locked(player: int) -> Callable[[], None]:
            done.append("lock")
            return await widen(player)

        async def bet(currency: Any) -> list[str]:
            done.clear()
            async with players.turn_to_bet(ada.id, currency) as turn:
                await players.may_bet(login, STAKE, currency, turn=turn)
            return list(done)

        await bet("FUN")
        monkeypatch.setattr(house, "_in_time", counted)
        monkeypatch.setattr(house.losses.turns, "widen", locked)
        assert (await bet("EUR"), await bet("FUN")) == (["read"], [])
        await ada.limit(1, session_minutes=60)
        assert (await bet("EUR"))[:2] == ["read", "lock"]


# Rates


@pytest.mark.rule("CLU-10", "ASR-30")
def test_a_burst_through_many_connections_passes_once(database: Database) -> None:
    rate, url = Rate(10, 60.0), database.url.render_as_string(hide_password=False)
    others = [Database(url) for _ in range(3)]

    def attempt(one: Database) -> bool:
        with one.writing() as connection:
            return take_stored(connection, [("login-account ada", rate)], HOUR) == 0

    passed = at_once(*(partial(attempt, others[n % 3]) for n in range(30)))
    assert sorted(map(bool, passed)) == [False] * 20 + [True] * 10
    with database.writing() as connection:
        assert take_stored(connection, [("login-account ada", rate)], HOUR) == 60.0
        assert take_stored(connection, [("login-account eve", rate)], HOUR) == 0
        assert take_stored(connection, [("login-account ada", rate)], HOUR + MINUTE) == 0
        assert take_stored(connection, [("login-account ada", rate)], HOUR + MINUTE) == 60.0
    for one in others:
        one.close()


@pytest.mark.rule("CLU-10", "ASR-30")
async def test_logins_are_counted_over_both_nodes(database_url: str) -> None:
    server = {"rate_login_account": Rate(4, 60.0)}
    async with a_player(database_url, money=0, server=server) as ada:
        answers = [await ada.nodes[n % 2].come("ada", "wrong horse") for n in range(6)]
        assert [answer.code for answer in answers] == ["login/wrong"] * 4 + ["rate/limited"] * 2
        assert answers[-1].body["error"]["params"] == {"seconds": 60}
        ada.nodes[0].clock.ms += MINUTE
        again = [await node.come("ada", "wrong horse") for node in ada.nodes]
        assert [answer.code for answer in again] == ["login/wrong", "rate/limited"]
        rates = ada.nodes[0].app[SERVICES].rates
        rows = sqlalchemy.select(sqlalchemy.func.count()).select_from(schema.rates)
        for later, kept in ((0, True), (HOUR, False)):
            ada.nodes[0].clock.ms += later
            await rates.sweep()
            found = await ada.nodes[0].house.read(lambda connection: connection.execute(rows).scalar_one())
            assert bool(found) is kept
