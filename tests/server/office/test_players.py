"""Players in the back office: found, seen to the cent, locked, corrected; every look is logged (OFF-03, ASR-33)."""

from __future__ import annotations

import json
from typing import Any

import pytest
import sqlalchemy

from sabot.rounds.audit import audit_house
from sabot.store import schema
from tests.support.house import VAULT
from tests.support.site import Answer, Caller, Site

MINUTE = 60_000


async def rows(site: Site, kind: str) -> list[dict[str, Any]]:
    """The commands of rows of a kind."""
    log = schema.log.c
    query = sqlalchemy.select(log.body).where(log.kind == kind).order_by(log.stream, log.n)
    found = await site.house.read(lambda connection: connection.execute(query).scalars().all())
    return [json.loads(body)["command"] for body in found]


async def adjust(boss: Caller, player: int, id: str, amount: int) -> Answer:
    body = {"id": id, "currency": "EUR", "amount": amount, "reason": "a mistake"}
    return await boss.post(f"/office/players/{player}/adjust", body)


def money(answer: Answer, currency: str = "EUR") -> tuple[int, int, int, int]:
    """A player's money: account, tables, open rounds, all of it."""
    (found,) = [money for money in answer.body["player"]["money"] if money["currency"] == currency]
    return found["account"], found["tables"], found["rounds"], found["total"]


@pytest.mark.rule("OFF-03")
async def test_players_are_found_by_name_number_and_round(database_url: str) -> None:
    async with Site(database_url) as site:
        boss = await site.administrator()
        for name in ("Adam", "ada", "ada.b", "ADAZ", "bada"):
            await site.join(name)
        ada = await site.players.named("ada")
        await site.house.cashier(lambda cashier: cashier.deposit(ada, "EUR", 500_000, "first", site.clock.ms))
        code = await site.play(ada)

        async def found(query: str) -> list[str]:
            answer = await boss.get(f"/office/players?{query}")
            assert answer.status == 200, answer.text
            return [player["name"] for player in answer.body["players"]]

        assert set(await found("name=ADA")) == {"Adam", "ada", "ada.b", "ADAZ"}
        assert await found("name=ada.") == ["ada.b"]
        assert await found(f"player={ada}") == ["ada"]
        assert await found(f"round={code}") == ["ada"]
        assert await found("round=260829-104000-AAAA") == []
        assert await found("name=zz") == []
        names, after = [], ""
        while True:
            page = (await boss.get(f"/office/players?name=a&limit=2{after}")).body
            names += [player["name"] for player in page["players"]]
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        assert sorted(names) == ["ADAZ", "Adam", "ada", "ada.b"]
        for bad in ("name=%25", "name=a%00", "player=0", "round=x", "limit=1000"):
            assert (await boss.get(f"/office/players?{bad}")).code == "request/bad"


@pytest.mark.rule("OFF-03")
async def test_a_players_money_is_found_to_the_cent(database_url: str) -> None:
    """In the account, at the table and in the round that is open; what was played comes in pages."""
    async with Site(database_url) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        player = (await ada.get("/me")).body["player"]
        await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 500_000})
        table = await site.open_round(player)
        seen = await boss.get(f"/office/players/{player}")
        account, tables, rounds, total = money(seen)
        (sitting,) = seen.body["player"]["sittings"]
        (staked,) = seen.body["player"]["rounds"]
        balance = table.balance(str(player))
        assert (tables, sitting["balance"], sitting["round"]) == (balance, balance, staked["round"])
        assert account == 500_000 - sitting["brought"]
        assert rounds == staked["staked"] > 0
        with (
            site.database.reading() as connection
        ):  # the ledger: what is in no account of the player's is in the escrow
            accounts, transfers = schema.accounts.c, schema.transfers.c
            escrow = sqlalchemy.select(accounts.id).where(accounts.kind == "escrow")
            into = sqlalchemy.select(sqlalchemy.func.sum(transfers.amount))
            paid = connection.execute(into.where(transfers.credit.in_(escrow))).scalar_one()
            back = connection.execute(into.where(transfers.debit.in_(escrow))).scalar() or 0
        assert rounds == paid - back
        assert total == account + tables + rounds
        await site.finish(table, player)
        done = await boss.get(f"/office/players/{player}")
        assert money(done)[1:3] == (0, 0)
        assert money(done)[3] == (await ada.get("/me")).body["balances"]["EUR"]
        (past,) = done.body["player"]["past_sittings"]
        assert past["taken"] - past["brought"] == money(done)[3] - 500_000
        assert done.body["player"]["born"] == "1990-12-31"
        assert len(done.body["player"]["logins"]) == 1
        lines = (await boss.get(f"/office/players/{player}/rounds?limit=100")).body
        assert sum(line["paid"] - line["staked"] for line in lines["lines"]) == money(done)[3] - 500_000
        assert lines["next"] is None
        assert (await boss.get("/office/players/999")).code == "player/none"
        assert (await boss.get("/office/players/x")).code == "request/bad"


@pytest.mark.rule("OFF-03")
async def test_a_player_of_long_standing_has_all_notes_and_the_last_logins(file_url: str) -> None:
    async with Site(file_url) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        few = (await boss.get("/office/players/2")).body["player"]
        assert (few["more_logins"], few["more_sittings"]) == (False, False)
        for number in range(55):
            assert (await boss.post("/office/players/2/notes", {"line": f"note {number}"})).status == 204
            await site.come("ada")
        seen = (await boss.get("/office/players/2")).body["player"]
        assert [note["line"] for note in seen["notes"]] == [
            f"note {number}" for number in reversed(range(55))
        ]
        assert (len(seen["logins"]), seen["more_logins"]) == (50, True)
        assert (await ada.get("/me")).status == 200


@pytest.mark.rule("OFF-03", "ASR-33")
async def test_every_look_at_a_player_is_logged_once_a_minute(file_url: str) -> None:
    async with Site(file_url) as site:
        boss = await site.administrator()
        await site.join("ada")
        site.clock.ms -= site.clock.ms % MINUTE
        for path in (
            "/office/players/2",
            "/office/players/2",
            "/office/players/2/rounds",
            "/office/players/1",
        ):
            assert (await boss.get(path)).status == 200
        site.clock.ms += MINUTE
        await boss.get("/office/players/2")
        await boss.get("/office/players/999")  # nobody is there
        look = {"type": "look-at-player", "operator": 1, "reason": ""}
        assert await rows(site, "look-at-player") == [
            look | {"player": 2, "page": "player"},
            look | {"player": 2, "page": "rounds"},
            look | {"player": 1, "page": "player"},
            look | {"player": 2, "page": "player"},
        ]


@pytest.mark.rule("OFF-03", "ASR-33")
async def test_a_locked_player_can_only_withdraw(database_url: str) -> None:
    """Logins end, no login and no bet is possible; the money is never trapped."""
    async with Site(database_url) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 500})
        assert (await boss.post("/office/players/1/lock", {"reason": "a fraud"})).code == "operator/own"
        assert (await boss.post("/office/players/99/lock", {"reason": "a fraud"})).code == "player/none"
        assert (await boss.post("/office/players/2/lock", {"reason": "a fraud"})).status == 204
        assert (await ada.get("/me")).code == "login/required"
        assert (await site.come("ada")).code == "player/locked"
        ada = Caller(site, (await site.come("ada", purpose="withdraw")).body["token"])
        more = {"id": "b", "currency": "EUR", "amount": 500}
        assert (await ada.post("/cashier/deposit", more)).code == "player/locked"
        assert (await ada.post("/cashier/withdraw", more)).status == 200
        seen = (await boss.get("/office/players/2")).body["player"]
        assert seen["about"]["locked"] is True
        assert (await boss.post("/office/players/2/unlock", {"reason": "no fraud"})).status == 204
        assert (await site.come("ada")).status == 200
        assert await rows(site, "lock-player") == [
            {"type": "lock-player", "operator": 1, "reason": "a fraud"}
        ]
        assert audit_house(site.database, vault=VAULT).findings == []


@pytest.mark.rule("OFF-03", "ASR-33")
async def test_a_balance_is_corrected_once_and_never_below_zero(database_url: str) -> None:
    async with Site(database_url) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        assert (await adjust(boss, 2, "one", 1_234)).status == 204
        assert (await adjust(boss, 2, "one", 1_234)).status == 204  # the same again moves nothing
        assert (await adjust(boss, 2, "one", 1_235)).code == "command/reused"
        assert (await adjust(boss, 2, "two", -235)).status == 204
        assert (await adjust(boss, 2, "three", -1_000)).code == "funds/insufficient"
        await site.house.events.flush()
        told = (await boss.get("/office/events?kind=adjustment")).body["events"]
        assert sorted(event["detail"]["amount"] for event in told) == [-235, 1_234]
        right = {"id": "four", "currency": "EUR", "amount": 1, "reason": "a mistake"}
        for wrong in ({"amount": 0}, {"amount": 10**10}, {"currency": "USD"}, {"reason": ""}, {"id": ""}):
            answer = await boss.post("/office/players/2/adjust", right | wrong)
            assert answer.code in ("request/bad", "transfer/no-amount"), wrong
        assert (await adjust(boss, 99, "five", 1)).code == "player/none"
        assert (await adjust(boss, 1, "six", 1)).code == "operator/own"
        assert (await ada.get("/me")).body["balances"]["EUR"] == 999
        with site.database.reading() as connection:
            accounts, transfers = schema.accounts.c, schema.transfers.c
            other = sqlalchemy.select(accounts.id).where(accounts.name == "house/adjustments/EUR")
            given = sqlalchemy.select(transfers.amount).where(transfers.debit.in_(other))
            taken = sqlalchemy.select(transfers.amount).where(transfers.credit.in_(other))
            assert connection.execute(given).scalars().all() == [1_234]
            assert connection.execute(taken).scalars().all() == [235]
        told = {"type": "adjust", "operator": 1, "player": 2, "reason": "a mistake"}
        assert await rows(site, "adjust") == [told, told]
        assert audit_house(site.database, vault=VAULT).findings == []


@pytest.mark.rule("OFF-03")
async def test_operators_write_notes(file_url: str) -> None:
    async with Site(file_url) as site:
        boss = await site.administrator()
        await site.join("ada")
        for line in ("calls often", "asks for a limit"):
            assert (await boss.post("/office/players/2/notes", {"line": line})).status == 204
        notes = (await boss.get("/office/players/2")).body["player"]["notes"]
        assert [(note["name"], note["line"]) for note in notes] == [
            ("boss", "asks for a limit"),
            ("boss", "calls often"),
        ]
        for bad in ("", "two\nlines", "x" * 201):
            assert (await boss.post("/office/players/2/notes", {"line": bad})).code == "request/bad"
        assert (await boss.post("/office/players/99/notes", {"line": "who?"})).code == "player/none"
