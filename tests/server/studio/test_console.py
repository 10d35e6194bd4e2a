"""The presenter's console over HTTP: a round dealt by hand, shifts and the lock, corrections (STU-03, STU-08, STU-09)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from sabot.client import RequestError
from sabot.store.database import Database
from tests.support.hall import FREEBET
from tests.support.site import PASSWORD
from tests.support.studio import STUDIO, TABLE, code_of, studio_table

#: The kind of database makes no difference here.
KIND = "sqlite"
FIVE_MINUTES = 300


def due(console: dict[str, Any]) -> tuple[str, int]:
    """What is due, and at which seat."""
    return console["due"]["what"], console["due"]["spot"]


@pytest.mark.rule("STU-03", "STU-04")
async def test_the_console_says_what_to_do_next_from_the_shift_to_the_payment(
    database: Database, tmp_path: Path
) -> None:
    """19 against 17: 10.00 become 20.00. Ten of spades and the cut card come from a scanner that types."""
    async with studio_table(database, tmp_path) as studio:
        console = await studio.console()
        told = {key: console[key] for key in ("step", "table", "game", "decks", "devices", "scanner")}
        assert told == {
            "step": "shift",
            "table": TABLE,
            "game": "freebet",
            "decks": 8,
            "devices": ["console", "shoe-1", "shoe-2"],
            "scanner": True,
        }
        assert (await studio.do("shift"))["step"] == "shoe"
        assert (await studio.do("change-shoe", label="A 12"))["shoe"] == "A 12"
        studio.socket = await studio.hall.at(studio.ada, TABLE, spot=0)
        assert (await studio.console())["step"] == "open"
        await studio.bet()
        assert (await studio.console())["step"] == "betting"
        await studio.hall.until(TABLE, "dealing")
        assert due(await studio.console()) == ("card", 0)
        for number, card in enumerate(("cut", "10s"), 1):
            answer = await studio.eva.post("/studio/evening/cards", {"scan": number, "code": code_of(card)})
            assert (answer.status, answer.body["console_scan"]) == (200, number)
        assert (answer.body["device"], answer.body["cut_seen"], due(answer.body)) == (
            "console",
            True,
            ("card", -1),
        )
        await studio.do("take-device", device="shoe-1")
        await studio.deal("7s 9s 10h")
        console = await studio.console()
        assert (console["step"], console["due"], [card["card"] for card in console["cards"]]) == (
            "players",
            None,
            [9, 6, 8, None],
        )
        assert sum(console["gone"]) == 3
        await studio.stand()
        assert (await studio.console())["step"] == "turn"
        await studio.deal("10h")
        assert (await studio.console())["step"] == "pay"
        assert (await studio.do("pay"))["step"] == "shoe"
        await studio.hall.heard(TABLE)
        me = studio.socket.tables[TABLE].me
        assert me is not None
        assert me.balance == 11_000
        await studio.hall.check()


@pytest.mark.rule("STU-09")
async def test_a_console_that_nobody_touches_is_locked_and_asks_for_the_password(
    database: Database, tmp_path: Path
) -> None:
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        await studio.do("touch")
        studio.hall.clock.steady += FIVE_MINUTES - 1
        await studio.do("touch")
        studio.hall.clock.steady += FIVE_MINUTES - 1
        assert not (await studio.console())["locked"]
        studio.hall.clock.steady += 1
        assert (await studio.console())["step"] == "locked"
        assert (await studio.read("10s")).code == "studio/locked"
        for order in ("shift", "touch", "pay"):
            assert (await studio.order(order)).code == "studio/locked"
        assert (await studio.order("end-shift", password=PASSWORD)).code == "studio/locked"
        assert (await studio.order("unlock", password="not this one")).code == "login/wrong"
        assert (await studio.order("unlock")).code == "login/wrong"
        assert (await studio.order("unlock", studio.boss, password=PASSWORD)).code == "studio/not-presenter"
        assert not (await studio.do("unlock", password=PASSWORD))["locked"]
        await studio.deal("10s")
        assert (await studio.do("lock"))["locked"]
        answers = [await studio.order("unlock", password="wrong") for _ in range(4)]
        assert [answer.code for answer in answers] == [*["login/wrong"] * 3, "login/locked"]


@pytest.mark.rule("STU-27")
async def test_nothing_goes_out_in_the_presenters_name_from_a_locked_console(
    database: Database, tmp_path: Path
) -> None:
    """Neither by this table nor by another one; a supervisor who is not on shift speaks as before."""
    async with studio_table(database, tmp_path, FREEBET, replace(STUDIO, name="night")) as studio:
        await studio.do("shift")
        eva = await studio.hall.at(studio.eva, TABLE, bring=0)
        elsewhere = await studio.hall.at(studio.eva, "live/one", bring=0)
        boss = await studio.hall.at(studio.boss, TABLE, bring=0)
        await eva.say(TABLE, "welcome")
        await studio.do("lock")
        for page, table in ((eva, TABLE), (elsewhere, "live/one")):
            with pytest.raises(RequestError, match="locked"):
                await page.say(table, "it was not me")
        line = next(iter(boss.tables[TABLE].said))
        for table, what, about in (
            ("evening", "call", {}),
            ("one", "call", {}),
            ("evening", "mute", {"player": "ada", "minutes": 5}),
            ("evening", "unsay", {"id": line}),
        ):
            answer = await studio.eva.post(f"/tables/{table}/{what}", {"reason": "a look", **about})
            assert (answer.status, answer.code) == (409, "studio/locked"), (table, what)
        assert (await studio.order("call-supervisor", why="a look")).code == "studio/locked"
        assert (await studio.eva.post("/studio/night/orders", {"type": "shift"})).code == "studio/locked"
        await boss.say(TABLE, "a moment, please")
        assert [said.text for said in boss.tables[TABLE].said.values()] == ["welcome", "a moment, please"]
        assert not studio.hall.desk(TABLE).table.table.paused
        await studio.do("unlock", password=PASSWORD)
        await eva.say(TABLE, "here I am")


@pytest.mark.rule("STU-27")
async def test_the_end_of_a_shift_takes_the_password_and_who_is_replaced_is_told(
    database: Database, tmp_path: Path
) -> None:
    async with studio_table(database, tmp_path) as studio:
        mia = await studio.hall.member("mia", "presenter")
        await studio.do("shift")
        assert (await studio.order("end-shift")).code == "login/wrong"
        assert (await studio.order("end-shift", password="not this one")).code == "login/wrong"
        assert (await studio.console())["presenter"] == "eva"
        assert (await studio.do("end-shift", password=PASSWORD))["reports"] == []  # eva knows
        await studio.do("shift")
        await studio.do("shift", mia)
        eva, by = studio.eva.player, mia.player
        (told,) = (await studio.console())["reports"]
        assert (told["what"], told["about"]) == ("shift-taken", {"presenter": eva, "by": by, "name": "mia"})
        await studio.do("end-shift", studio.boss, password=PASSWORD)
        told = (await studio.console())["reports"][-1]
        assert (told["what"], told["about"]["presenter"], told["about"]["name"]) == (
            "shift-ended",
            by,
            "boss",
        )


@pytest.mark.rule("STU-09")
async def test_players_see_the_presenter_and_a_change_of_shift(database: Database, tmp_path: Path) -> None:
    async with studio_table(database, tmp_path) as studio:
        mia = await studio.hall.member("mia", "presenter")
        await studio.do("shift")
        watcher = await studio.hall.at(studio.ada, TABLE, bring=0)

        def seen() -> str:
            live = watcher.tables[TABLE].live
            return live.studio.presenter if live is not None and live.studio is not None else ""

        assert seen() == "eva"
        assert (await studio.order("end-shift", mia, password=PASSWORD)).code == "studio/not-presenter"
        await studio.do("shift", mia)
        await studio.hall.heard(TABLE)
        assert seen() == "mia"
        assert (await studio.order("change-shoe", label="A")).code == "studio/not-presenter"
        await studio.do("end-shift", mia, password=PASSWORD)
        await studio.hall.heard(TABLE)
        assert (seen(), (await studio.console())["step"]) == ("", "shift")
        await studio.do("shift")
        await studio.read_back()
        assert (await studio.console())["presenter"] == "eva"
