"""Orders of those who may not give them, and at tables where nobody deals by hand: nothing changes, and the round goes on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sabot.store.database import Database
from sabot.store.register import Register
from tests.support.hall import Member
from tests.support.site import PASSWORD
from tests.support.studio import STUDIO, StudioTable, code_of, studio_table

#: The kind of database makes no difference here.
KIND = "sqlite"
#: Every order of the console but those that any presenter may give: to take the shift, and to call the supervisor.
ORDERS: dict[str, dict[str, Any]] = {
    "open-betting": {},
    "pay": {},
    "cut-card": {},
    "shoe-empty": {},
    "take-back": {"why": "misread"},
    "correct": {"row": 1, "card": "2s", "why": "misread"},
    "end-shift": {"password": PASSWORD},
    "lock": {},
    "touch": {},
    "take-device": {"device": "shoe-2", "last": 7},
    "change-shoe": {"label": "Z"},
    "note-shoe": {"what": "retired", "label": "A"},
    "count-shoe": {"counted": 0},
}


async def refused(studio: StudioTable, who: Member, *codes: str) -> None:
    """Every order and every card of someone is refused, and nothing has changed."""
    before, rows = await studio.console(), await studio.hall.rows()
    for type, about in ORDERS.items():
        assert (await studio.order(type, who, **about)).code in codes, type
    for reading in ({"card": "2s"}, {"code": code_of("2s")}):
        answer = await who.post("/studio/evening/cards", {"scan": 1, **reading})
        assert answer.code in codes
    after = await studio.console()
    assert (after | {"at": 0}, await studio.hall.rows()) == (before | {"at": 0}, rows)


@pytest.mark.rule("STU-03", "STU-09", "ASR-31")
async def test_who_is_not_on_shift_orders_nothing_in_any_phase(database: Database, tmp_path: Path) -> None:
    """Neither a player, nor an auditor, nor a presenter of another table; with every order in each phase of a round."""
    async with studio_table(database, tmp_path) as studio:
        mia, anna = await studio.hall.member("mia", "presenter"), await studio.hall.member("anna", "auditor")

        async def nobody_else() -> None:
            await refused(studio, studio.ada, "login/role")
            await refused(studio, anna, "login/role")
            paused = (await studio.console())["step"] == "paused"
            await refused(studio, mia, "studio/not-presenter", "card/supervisor", *["table/paused"] * paused)

        await studio.begin()
        await nobody_else()
        await studio.deal("10s 7s 9s 10h")
        await nobody_else()
        await studio.do("call-supervisor", mia, why="a look")
        await nobody_else()
        assert (await studio.boss.post("/tables/evening/resume", {"reason": "done"})).status == 204
        await studio.stand()
        await nobody_else()
        await studio.deal("10h")
        await nobody_else()
        await studio.do("pay")
        await nobody_else()
        await studio.hall.check(replay=True)


@pytest.mark.rule("STU-09", "PLT-60")
async def test_a_presenter_whose_role_is_taken_in_mid_round_deals_no_more(
    database: Database, tmp_path: Path
) -> None:
    """The next one takes the shift, and the round is dealt to its end."""
    async with studio_table(database, tmp_path) as studio:
        mia = await studio.hall.member("mia", "presenter")
        await studio.begin()
        await studio.deal("10s 7s")
        house = studio.hall.house.house

        def dismiss() -> None:
            Register.open(house.store, 1).give_role(None, studio.eva.player, "player", "dismissed", 1)

        await house.work(dismiss)
        assert (await studio.eva.get("/studio/evening")).code == "login/role"
        body = {"scan": 1, "code": code_of("9s")}
        assert (await studio.eva.post("/studio/evening/cards", body)).code == "login/role"
        for type, about in ORDERS.items():
            assert (await studio.order(type, **about)).code == "login/role"
        studio.eva = mia
        await studio.do("shift")
        await studio.deal("9s 10h")
        await studio.stand()
        await studio.deal("10h")
        await studio.do("pay")
        await studio.hall.check(replay=True)


@pytest.mark.rule("STU-01")
async def test_a_table_that_the_house_deals_has_no_console(database: Database, tmp_path: Path) -> None:
    house_dealt = replace(STUDIO, name="house", dealing="house")
    async with studio_table(database, tmp_path, house_dealt) as studio:
        orders = ORDERS | {"shift": {}, "call-supervisor": {"why": "a look"}}
        for who in (studio.eva, studio.boss):
            assert (await who.get("/studio/house")).code == "card/by-house"
            for type, about in orders.items():
                answer = await who.post("/studio/house/orders", {"type": type, **about})
                assert answer.code in ("card/by-house", "device/none"), type
        assert (await studio.shoe.get("/studio/house/scans")).code == "device/elsewhere"
        assert not studio.hall.desk("live/house").table.table.paused
