"""Limits of one player, and rates of logins, through two nodes of one house (CLU-10)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
import sqlalchemy

from sabot.engine import Bet
from sabot.server.accounts.rate_limit import take_stored
from sabot.server.config import Rate
from sabot.server.http.services import SERVICES
from sabot.store import schema
from sabot.store.database import Database
from tests.support.clock import HOUR, MINUTE
from tests.support.cluster.races import at_once
from tests.support.cluster.two_nodes import a_player, code_of
from tests.support.refused import ask_refused
from tests.support.served import main
from tests.support.site import Site
from tests.support.store.held import held_back

KIND = "postgresql"
pytestmark = pytest.mark.slow

STAKE = (Bet(0, "main", 1_000),)


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
            return take_stored(connection, "login-account ada", rate, HOUR) == 0

    passed = at_once(*(partial(attempt, others[n % 3]) for n in range(30)))
    assert sorted(map(bool, passed)) == [False] * 20 + [True] * 10
    with database.writing() as connection:
        assert take_stored(connection, "login-account ada", rate, HOUR) == 60.0
        assert take_stored(connection, "login-account eve", rate, HOUR) == 0
        assert take_stored(connection, "login-account ada", rate, HOUR + MINUTE) == 0
        assert take_stored(connection, "login-account ada", rate, HOUR + MINUTE) == 60.0
    for one in others:
        one.close()


@pytest.mark.rule("CLU-10", "ASR-30")
async def test_logins_are_counted_over_both_nodes(database_url: str) -> None:
    server = {"rate_login_address": Rate(2, 60.0)}
    async with a_player(database_url, money=0, server=server) as ada:
        answers = [await ada.nodes[n % 2].come("ada", "wrong horse") for n in range(6)]
        assert [answer.code for answer in answers] == ["login/wrong"] * 2 + ["rate/limited"] * 4
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
