"""Golden chips over HTTP: an administrator grants them, they come to the table where the player sits (MAJ-50)."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from msgspec.structs import replace

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.rounds.queries import golden_of
from sabot.store.cashier import account_name
from sabot.store.database import Database
from tests.support.hall import BROUGHT, FREEBET, MAJORITY, Hall, Member, open_hall
from tests.support.shoes import StackedShoes
from tests.support.site import Answer

ONE, TWO, THREE = "live/one", "live/two", "live/three"
OTHER = replace(MAJORITY, name="three")
#: A box with 20 against 17, round after round.
WIN = " ".join(["10 9 10 8"] * 10)
CHIP = {"currency": "FUN", "value": 500, "count": 2, "reason": "a birthday"}


async def grant(boss: Member, name: str, id: str, **other: Any) -> Answer:
    return await boss.post(f"/players/{name}/golden", {**CHIP, "id": id, **other})


async def in_account(hall: Hall, member: Member) -> dict[int, int]:
    """The golden chips in a player's account."""
    house = hall.house.house
    own = house.store.account(account_name(member.player, "FUN"))
    return await house.read(lambda connection: golden_of(connection, [own]).get(own, {}))


def at_table(client: PlayerClient, table: str = TWO) -> dict[int, int]:
    """The golden chips that a player can stake, as the page shows them."""
    me = client.tables[table].me
    assert me is not None
    assert me.live is not None
    return me.live.golden


async def betting(hall: Hall, member: Member, table: str = TWO) -> PlayerClient:
    """A player at a table with boxes whose betting is open."""
    client = await hall.at(member, table)
    await client.consent(table, double=True, split=True)
    await hall.until(table, "betting")
    return client


@pytest.mark.rule("MAJ-50", "PLT-60", "ASR-33")
async def test_chips_come_to_one_who_sits_at_a_table(database: Database) -> None:
    """They leave the account at once and can be staked from the next round on; the same id grants nothing again."""

    async with open_hall(database, StackedShoes(WIN), MAJORITY) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "administrator")
        client = await betting(hall, ada)
        await client.bet(TWO, [Bet(0, "main", 1_000)])
        for _ in range(2):
            assert (await grant(boss, "ada", "first")).status == 200
        reused = await grant(boss, "ada", "first", count=3)
        assert (reused.status, reused.code) == (409, "command/reused")
        assert (await grant(boss, "ada", "second", value=1_000, count=1)).status == 200
        assert (at_table(client), await in_account(hall, ada)) == ({}, {})
        await hall.until(TWO, "payout")
        await hall.until(TWO, "betting")
        assert at_table(client) == {500: 2, 1_000: 1}
        await client.bet(TWO, [Bet(0, "main", 0, (500, 1_000))])
        await hall.until(TWO, "payout")
        # The winnings of 15.00 are paid in money, the chips are gone (MAJ-54).
        assert at_table(client) == {500: 1}
        assert hall.desk(TWO).table.table.balance(str(ada.player)) == BROUGHT + 1_000 + 1_500
        told = {"type": "grant-golden", "operator": boss.player, "player": ada.player, "reason": "a birthday"}
        assert await hall.operators() == [told, told]
        await client.leave(TWO)
        assert await in_account(hall, ada) == {500: 1}
        await hall.check()


async def test_chips_of_one_who_is_not_there_wait_in_the_account(database: Database) -> None:
    """They are brought along to a table with boxes; one with seats has no use for them, nor one of euros."""

    async with open_hall(database, StackedShoes(WIN, WIN), FREEBET, MAJORITY) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "administrator")
        await grant(boss, "Ada", "first")
        await hall.at(ada, ONE, spot=0)
        await grant(boss, "ada", "second")
        assert await in_account(hall, ada) == {500: 4}
        client = await betting(hall, ada)
        assert (at_table(client), await in_account(hall, ada)) == ({500: 4}, {})
        await grant(boss, "ada", "third", currency="EUR")
        assert at_table(client) == {500: 4}
        await hall.check()


async def test_chips_granted_in_a_round_outlive_the_house(database: Database) -> None:
    """Killed before the next round opens: they are at the table when it does."""
    shoes = StackedShoes(WIN)
    url = database.url.render_as_string(hide_password=False)

    async with open_hall(database, shoes, MAJORITY) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "administrator")
        await grant(boss, "ada", "first")
        client = await betting(hall, ada)
        await client.bet(TWO, [Bet(0, "main", 0, (500,))])
        await grant(boss, "ada", "second")
    async with open_hall(Database(url), shoes, MAJORITY) as hall:
        ada = await hall.member("ada", path="/login")
        client = await hall.at(ada, TWO, bring=0)
        assert at_table(client) == {500: 1}
        await hall.until(TWO, "payout")
        assert at_table(client) == {500: 3}  # two and two, of which one is played
        await hall.until(TWO, "betting")
        assert at_table(client) == {500: 3}
        await hall.check()


@pytest.mark.rule("ASR-10")
async def test_a_grant_and_a_second_table_at_once_break_nothing(database: Database) -> None:
    """Chips go to one table or the other: no table moves what the account does not hold, and none is lost or made."""

    async with open_hall(database, StackedShoes(WIN, WIN), MAJORITY, OTHER) as hall:
        ada, boss = await hall.member("ada"), await hall.member("boss", "administrator")
        await betting(hall, ada)
        epochs = {table: hall.desk(table).table.table.stream.epoch for table in (TWO, THREE)}
        for number in range(10):
            other = await hall.at(ada, THREE, bring=0)
            await asyncio.gather(
                grant(boss, "ada", f"id-{number}"),
                other.sit(THREE, 1_000),
                grant(boss, "ada", f"id-{number}"),
            )
            await other.leave(THREE)
        for table, epoch in epochs.items():
            assert not hall.desk(table).broken
            assert hall.desk(table).table.table.stream.epoch == epoch
        sitting = hall.desk(TWO).table.table.sittings[str(ada.player)]
        account = await in_account(hall, ada)
        assert sitting.golden.get(500, 0) + account.get(500, 0) == 20
        await hall.check()


async def test_what_cannot_be_granted(database: Database) -> None:
    wrong: list[dict[str, Any]] = [
        {"value": 0},
        {"value": 1_000_001},
        {"count": 0},
        {"count": 1_001},
        {"count": 1.5},
        {"currency": "USD"},
        {"reason": ""},
        {"id": ""},
    ]

    async with open_hall(database, StackedShoes(), MAJORITY) as hall:
        boss, chief = await hall.member("boss", "administrator"), await hall.member("chief", "supervisor")
        for other in wrong:
            answer = await boss.post("/players/boss/golden", {**CHIP, "id": "one", **other})
            assert (answer.status, answer.code) == (400, "request/bad"), other
        assert (await grant(boss, "nobody", "one")).code == "player/none"
        assert (await grant(chief, "chief", "one")).code == "login/role"
        assert await hall.operators() == []
