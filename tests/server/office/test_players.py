"""Players in the back office: found, seen to the cent, locked, corrected; every look is logged (OFF-03, ASR-33)."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
import sqlalchemy

from sabot.rounds.audit import audit_house
from sabot.store import schema
from tests.support.house import VAULT
from tests.support.site import Answer, Caller, Site

MINUTE, DAY = 60_000, 86_400_000


async def rows(site: Site, kind: str) -> list[dict[str, Any]]:
    """The commands of rows of a kind."""
    log = schema.log.c
    query = sqlalchemy.select(log.body).where(log.kind == kind).order_by(log.stream, log.n)
    found = await site.house.read(lambda connection: connection.execute(query).scalars().all())
    return [json.loads(body)["command"] for body in found]


#: What a line of the movements says, but for when.
MOVED = ("kind", "currency", "amount", "count", "why")


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
        for name in ("Adam", "ada", "ada.b", "ADAZ", "bada", "bad_apple", "badXapple"):
            await site.join(name)
        ada = await site.players.named("ada")
        await site.house.cashier(lambda cashier: cashier.deposit(ada, "EUR", 500_000, "first", site.clock.ms))
        code = await site.play(ada)

        async def found(query: str) -> list[str]:
            answer = await boss.get(f"/office/players?{query}")
            assert answer.status == 200, answer.text
            return [player["name"] for player in answer.body["players"]]

        assert set(await found("name=ADA")) == {"Adam", "ada", "ada.b", "ADAZ", "bada"}
        assert await found("name=a.b") == ["ada.b"]
        assert await found("name=D_a") == ["bad_apple"]  # no sign stands for any other
        assert await found("name=ada.") == ["ada.b"]
        assert await found(f"player={ada}") == ["ada"]
        assert await found(f"round={code}") == ["ada"]
        assert await found("round=260829-104000-AAAA") == []
        assert await found("name=zz") == []
        names, after = [], ""
        while True:
            page = (await boss.get(f"/office/players?name=ada&limit=2{after}")).body
            names += [player["name"] for player in page["players"]]
            if page["next"] is None:
                break
            after = f"&after={page['next']}"
        assert sorted(names) == ["ADAZ", "Adam", "ada", "ada.b", "bada"]
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


@pytest.mark.rule("OFF-03", "OFF-06", "ASR-33")
async def test_an_administrator_unlocks_a_player_who_failed_at_the_password(file_url: str) -> None:
    """The player's page says until when the login is locked; a supervisor sees it, an administrator ends it."""
    async with Site(file_url) as site:
        boss, _, sam = await site.administrator(), await site.join("ada"), await site.join("sam")
        await site.give_role("sam", "supervisor", "hired")

        async def until() -> Any:
            return (await sam.get("/office/players/2")).body["player"]["locked_until"]

        assert await until() is None
        for _ in range(3):
            await site.come("ada", "not the password")
        assert (await site.come("ada")).code == "login/locked"
        assert await until() == site.clock.ms + 30 * MINUTE
        assert (await sam.post("/office/users/ada/unlock", reason_only())).code == "login/role"
        assert (await boss.post("/office/users/ada/unlock", reason_only())).status == 204
        assert (await until(), (await site.come("ada")).status) == (None, 200)


@pytest.mark.rule("OFF-03", "ASR-33")
async def test_a_balance_is_corrected_once_and_never_below_zero(database_url: str) -> None:
    async with Site(database_url) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        assert (await adjust(boss, 2, "one", 1_234)).status == 200
        assert (await adjust(boss, 2, "one", 1_234)).status == 200  # the same again moves nothing
        assert (await adjust(boss, 2, "one", 1_235)).code == "command/reused"
        assert (await adjust(boss, 2, "two", -235)).status == 200
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


@pytest.mark.rule("OFF-17", "OFF-10")
async def test_above_a_cap_what_is_given_needs_a_second_person(database_url: str) -> None:
    """One operation, and all of a day; golden chips count with adjustments, and a VIP level has caps of its own."""
    office = {
        "two_people": True,
        "alone_amount": 10_000,
        "alone_day": 15_000,
        "alone_vip": 2,
        "alone_vips": 2,
    }
    async with Site(database_url, office=office) as site:
        site.clock.ms += DAY - site.clock.ms % DAY - MINUTE  # the last minute of a day
        boss, ada = await site.administrator(), await site.join("ada")
        eve, sam = await site.join("eve"), await site.join("sam")
        await site.give_role("eve", "administrator", "hired")
        await site.give_role("sam", "supervisor", "hired")
        reason = {"reason": "she asked", "public": "a present"}

        async def purse() -> int:
            return int((await ada.get("/me")).body["balances"]["EUR"])

        # Alone up to the caps, and what is above waits.
        assert (await adjust(boss, 2, "one", 10_000)).body == {"proposal": None}
        made = (await adjust(boss, 2, "two", 5_001)).body["proposal"]
        assert (made["state"], made["kind"], made["player"], made["by"]) == ("open", "adjust", "ada", "boss")
        assert {each["field"]: each["after"] for each in made["differences"]}["amount"] == 5_001
        assert (await adjust(boss, 2, "two", 5_001)).body["proposal"]["id"] == made["id"]  # asked twice
        assert (await adjust(boss, 2, "two", 5_002)).code == "command/reused"
        assert (await adjust(boss, 2, "one", 10_000)).body == {"proposal": None}  # moves nothing again
        assert (await adjust(boss, 2, "down", -5_001)).body["proposal"]["state"] == "open"
        assert await purse() == 10_000
        gift = {"currency": "EUR", "value": 2_500, "count": 2, **reason}
        assert (await boss.post("/players/ada/golden", {"id": "g", **gift})).body == {"proposal": None}
        chips = (await boss.post("/players/ada/golden", {"id": "h", **gift, "count": 1})).body["proposal"]
        assert (chips["kind"], chips["subject"]) == ("golden", "golden/2/EUR/h")
        # Another person has a day of the own, and the next day is another one.
        assert (await adjust(eve, 2, "three", 1)).body == {"proposal": None}
        site.clock.ms += MINUTE
        assert (await adjust(boss, 2, "four", 9_999)).body == {"proposal": None}
        big = (await adjust(boss, 2, "five", 5_000_000)).body["proposal"]["id"]
        assert await purse() == 20_000

        # They stand on the player's page; who proposed, a supervisor and the player herself do not approve.
        page = (await boss.get("/office/players/2")).body["player"]
        assert page["waiting"] == [made["id"], made["id"] + 1, chips["id"], big]
        assert (await boss.post(f"/office/proposals/{big}/approve", reason_only())).code == "proposal/own"
        assert (await sam.post(f"/office/proposals/{big}/approve", reason_only())).code == "login/role"
        await site.give_role("ada", "administrator", "hired")
        assert (await ada.post(f"/office/proposals/{big}/approve", reason_only())).code == "operator/own"
        assert await purse() == 20_000
        answers = await asyncio.gather(
            *(eve.post(f"/office/proposals/{big}/approve", reason_only()) for _ in range(3))
        )
        assert sorted(answer.code for answer in answers) == ["", "proposal/decided", "proposal/decided"]
        assert await purse() == 5_020_000
        assert (await eve.post(f"/office/proposals/{chips['id']}/approve", reason_only())).status == 200
        assert (await eve.post(f"/office/proposals/{made['id']}/reject", reason_only())).status == 200
        # Asked once more by the same id: what was rejected does not wait, and what was approved is done.
        again = await adjust(boss, 2, "two", 5_001)
        assert (again.code, again.body["error"]["params"]) == ("proposal/decided", {"id": made["id"]})
        assert (await adjust(boss, 2, "five", 5_000_000)).body == {"proposal": None}
        assert await purse() == 5_020_000
        page = (await boss.get("/office/players/2")).body["player"]
        assert (page["waiting"], page["golden"]) == (
            [made["id"] + 1],
            [{"currency": "EUR", "value": 2_500, "count": 3}],
        )
        last = page["orders"][0]
        assert {order["amount"] for order in page["orders"]} >= {5_000_000, 2_500}
        assert (last["operator"], last["reason"]) == (1, "she asked")
        # What a second person approved is none of what one person gave alone.
        assert (await adjust(boss, 2, "six", 5_001)).body == {"proposal": None}
        assert (await adjust(boss, 2, "seven", 1)).body["proposal"]["state"] == "open"

        # VIP levels: the highest, and how many in a day.
        bob = await site.join("bob")
        number = (await bob.get("/me")).body["player"]
        assert (await boss.post("/players/bob/vip", {"vip": 3, **reason})).body["proposal"]["kind"] == "vip"
        for level in (2, 1):
            assert (await boss.post("/players/bob/vip", {"vip": level, **reason})).body == {"proposal": None}
        again = (await boss.post("/players/bob/vip", {"vip": 2, **reason})).body["proposal"]
        assert (await eve.post(f"/office/proposals/{again['id']}/approve", reason_only())).status == 200
        assert (await bob.get("/me")).body["vip"] == 2
        assert (await boss.post("/players/nobody/vip", {"vip": 9, **reason})).code == "player/none"
        assert (await adjust(boss, 99, "eight", 10**6)).code == "player/none"
        assert (await boss.get(f"/office/players/{number}")).body["player"]["waiting"] != []
        assert audit_house(site.database, vault=VAULT).findings == []


@pytest.mark.rule("OFF-17", "OFF-10")
@pytest.mark.parametrize("cap", ["alone_amount", "alone_day", "alone_vip", "alone_vips"])
async def test_administrators_alone_change_the_caps(file_url: str, cap: str) -> None:
    """Supervisors would lift for an administrator what binds administrators: they neither propose, approve nor reject."""
    async with Site(file_url, office={"two_people": True}) as site:
        boss = await site.administrator()
        eve, sam = await site.join("eve"), await site.join("sam")
        await site.give_role("eve", "administrator", "hired")
        await site.give_role("sam", "supervisor", "hired")
        lifted = {"change": {"kind": "office", "key": cap, "value": 9}, **reason_only()}
        assert (await sam.post("/office/proposals", lifted)).code == "login/role"
        made = (await boss.post("/office/proposals", lifted)).body
        assert (made["state"], made["decider"]) == ("open", "administrator")
        for decide in ("approve", "reject"):
            answer = await sam.post(f"/office/proposals/{made['id']}/{decide}", reason_only())
            assert answer.code == "login/role"
        assert (await sam.get("/office/needed")).body["proposals"] == []
        assert (await eve.get("/office/needed")).body["proposals"] == [made["id"]]
        assert (await eve.post(f"/office/proposals/{made['id']}/approve", reason_only())).status == 200
        assert (await boss.get("/office/control")).body["office"][cap] == 9
        other = {"change": {"kind": "office", "key": "large_win", "value": 9}, **reason_only()}
        assert (await sam.post("/office/proposals", other)).body["decider"] == "supervisor"


@pytest.mark.rule("OFF-17")
async def test_caps_hold_against_many_orders_at_once(database_url: str) -> None:
    """Ten adjustments that come together are not more than one after the other; two operators cannot block each other."""
    office = {"two_people": True, "alone_amount": 1_000, "alone_day": 3_000}
    async with Site(database_url, office=office) as site:
        boss, _, eve = await site.administrator(), await site.join("ada"), await site.join("eve")
        await site.give_role("eve", "administrator", "hired")
        answers = await asyncio.gather(*(adjust(boss, 2, f"id-{n}", 1_000) for n in range(10)))
        assert sorted(answer.body["proposal"] is None for answer in answers) == [False] * 7 + [True] * 3
        crossed = await asyncio.gather(
            *(adjust(who, whom, f"x-{n}", 100) for n in range(5) for who, whom in ((boss, 3), (eve, 1)))
        )
        assert {answer.status for answer in crossed} == {200}


@pytest.mark.rule("OFF-17")
async def test_a_house_of_one_has_no_caps(database_url: str) -> None:
    office = {"two_people": False, "alone_amount": 1, "alone_day": 1}
    async with Site(database_url, office=office) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        assert (await adjust(boss, 2, "one", 5_000_000)).body == {"proposal": None}
        assert (await ada.get("/me")).body["balances"]["EUR"] == 5_000_000


@pytest.mark.rule("PLT-73")
@pytest.mark.parametrize(
    ("public", "status"), [("", 200), ("sì!", 200), ("ab", 400), ("a\nb", 400), ("x" * 201, 400)]
)
async def test_a_public_reason_may_be_empty(file_url: str, public: str, status: int) -> None:
    async with Site(file_url) as site:
        boss, _ = await site.administrator(), await site.join("ada")
        answer = await boss.post("/players/ada/vip", {"vip": 1, "public": public, **reason_only()})
        assert answer.status == status
        if status == 400:
            assert "public: Expected nothing, or one line of 3 to 200 characters" in answer.text


def reason_only() -> dict[str, str]:
    return {"reason": "I have seen the papers"}


@pytest.mark.rule("PLT-73", "OFF-17")
async def test_what_operators_give_stands_in_the_players_own_movements(database_url: str) -> None:
    """With the public reason; the private one, and who it was, stay in the office."""
    async with Site(database_url) as site:
        boss, ada, bob = await site.administrator(), await site.join("ada"), await site.join("bob")
        await ada.post("/cashier/deposit", {"id": "in", "currency": "EUR", "amount": 5_000})
        orders: list[tuple[str, dict[str, object]]] = [
            ("/office/players/2/adjust", {"id": "up", "currency": "EUR", "amount": 1_234}),
            ("/office/players/2/adjust", {"id": "down", "currency": "EUR", "amount": -234}),
            ("/players/ada/golden", {"id": "gift", "currency": "EUR", "value": 500, "count": 3}),
            ("/players/ada/vip", {"vip": 2}),
        ]
        for path, body in orders:
            site.clock.ms += 1
            told = {"reason": "a secret", "public": f"for you: {path[-3:]}"}
            for _ in range(1 if "vip" in path else 2):  # sent twice, carried out once
                assert (await boss.post(path, body | told)).status == 200
        for bad in ("x", "two\nlines", "x" * 201):
            refused = await boss.post("/players/ada/vip", {"vip": 2, "reason": "a secret", "public": bad})
            assert refused.code == "request/bad"
        expected = [
            ("vip-given", "EUR", 2, 0, "for you: vip"),
            ("golden-given", "EUR", 500, 3, "for you: den"),
            ("adjusted", "EUR", -234, 0, "for you: ust"),
            ("adjusted", "EUR", 1_234, 0, "for you: ust"),
        ]
        page = await ada.get("/cashier/movements")
        lines = [tuple(line[name] for name in MOVED) for line in page.body["lines"]]
        assert lines == [*expected, ("deposit", "EUR", 5_000, 0, "")]
        assert "secret" not in page.text
        (total,) = page.body["totals"]
        assert total == {
            "currency": "EUR",
            "movements": 5,
            "deposited": 5_000,
            "withdrawn": 0,
            "adjusted": 1_000,
        }
        only = (await ada.get("/cashier/movements?way=operator&limit=3")).body
        more = (await ada.get(f"/cashier/movements?way=operator&before={only['next']}")).body
        both = [*only["lines"], *more["lines"]]
        assert [tuple(line[name] for name in MOVED) for line in both] == expected
        assert (await bob.get("/cashier/movements")).body["lines"] == []
        assert (await ada.get("/history")).body["notices"] == []  # they are no table's
        given = (await boss.get("/office/players/2")).body["player"]["orders"]
        assert [(one["kind"], one["public"], one["reason"], one["operator"]) for one in given] == [
            (kind, why, "a secret", 1) for kind, _, _, _, why in expected
        ]
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
