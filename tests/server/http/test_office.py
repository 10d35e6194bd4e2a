"""What operators make of players: with a role and a reason, and a row in the log that says so (ASR-33)."""

from __future__ import annotations

import json

import sqlalchemy

from sabot.rounds.audit import audit_house
from sabot.store import schema
from sabot.store.register import OPERATORS, Register
from tests.support.house import VAULT
from tests.support.site import Site


async def test_roles_and_vip_levels_are_given_with_a_reason(database_url: str) -> None:
    async with Site(database_url) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        given = await boss.post("/players/ADA/role", {"role": "supervisor", "reason": "knows the tables"})
        assert (given.status, given.body["state"], given.body["decided_by"]) == (200, "approved", "boss")
        assert (await boss.post("/players/ada/vip", {"vip": 2, "reason": "plays a lot"})).status == 200
        me = (await ada.get("/me")).body
        assert (me["role"], me["vip"]) == ("supervisor", 2)
        limits = (await ada.get("/games/surrender")).body["limits"]
        yours = [limit["name"] for limit in limits if limit["yours"] and limit["currency"] == "EUR"]
        assert yours == ["low", "standard", "high", "salon"]
        with site.database.reading() as connection:
            log, streams = schema.log.c, schema.streams.c
            query = sqlalchemy.select(log.kind, log.body).join_from(
                schema.log, schema.streams, log.stream == streams.id
            )
            rows = connection.execute(query.where(streams.name == OPERATORS).order_by(log.n)).all()
        told = [(kind, json.loads(body).get("command")) for kind, body in rows[1:]]
        assert told == [
            ("give-role", {"type": "give-role", "operator": None, "reason": "the first of all"}),
            (
                "propose-change",
                {"type": "propose-change", "operator": 1, "proposal": 1, "reason": "knows the tables"},
            ),
            ("give-vip", {"type": "give-vip", "operator": 1, "reason": "plays a lot"}),
        ]
        assert audit_house(site.database, vault=VAULT).findings == []


async def test_what_is_refused(database_url: str) -> None:
    async with Site(database_url) as site:
        boss, _ = await site.administrator(), await site.join("ada")
        unknown = await boss.post("/players/nobody/role", {"role": "player", "reason": "because"})
        assert (unknown.status, unknown.code) == (404, "player/none")
        demo = (await site.nobody.post("/demo", {"bearer": True})).body["name"]
        answer = await boss.post(f"/players/{demo}/role", {"role": "administrator", "reason": "because"})
        assert (answer.status, answer.code) == (404, "player/none")
        for body in (
            {"role": "owner", "reason": "because"},
            {"role": "player"},
            {"role": "player", "reason": ""},
            {"role": "player", "reason": "two\nlines"},
            {"role": "player", "reason": "a line end\n"},
        ):
            assert (await boss.post("/players/boss/role", body)).code == "request/bad"
        assert (await boss.post("/players/boss/vip", {"vip": -1, "reason": "because"})).code == "request/bad"
        # The register goes on after what it refused.
        assert (await boss.post("/players/ada/vip", {"vip": 1, "reason": "because"})).status == 200
        assert audit_house(site.database, vault=VAULT).findings == []


async def test_a_register_taken_by_another_is_taken_back(database_url: str) -> None:
    """Another process gave a role meanwhile: nobody in this house is refused for it, operator or player."""

    async with Site(database_url) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        for who, path, body in (
            (boss, "/players/ada/vip", {"vip": 1, "reason": "because"}),
            (ada, "/protections", {"loss_day": 1_000}),
        ):
            await site.house.work(lambda: Register.open(site.house.store, site.clock.ms))
            method = "PUT" if who is ada else "POST"
            assert (await who(method, path, body)).status in (200, 204)
        assert audit_house(site.database, vault=VAULT).findings == []
