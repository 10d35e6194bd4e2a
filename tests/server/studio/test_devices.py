"""Readings over HTTP: repeated, lost, out of order, impossible, of two devices, too late, odd (STU-04..08)."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
import sqlalchemy

from sabot.errors import Refusal
from sabot.rounds import by_hand
from sabot.server.tables import clock
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.entry import decode_body
from tests.support.clock import PATIENCE
from tests.support.hall import until
from tests.support.site import Caller
from tests.support.studio import OTHER_TOKEN, TABLE, TOKEN, StudioTable, code_of, studio_table

#: The kind of database makes no difference here.
KIND = "sqlite"


async def alarms(studio: StudioTable) -> list[tuple[str, str, Any]]:
    """What the supervisor finds among the significant events, sorted: severity, kind, and why."""
    await studio.hall.house.house.events.flush()
    answer = await studio.boss.get(f"/office/events?table={TABLE}")
    return sorted(
        (each["severity"], each["kind"], each["detail"].get("why", "")) for each in answer.body["events"]
    )


async def due(studio: StudioTable) -> tuple[str, int]:
    console = await studio.console()
    return console["due"]["what"], console["due"]["spot"]


@pytest.mark.rule("STU-05", "OFF-11")
async def test_numbers_of_readings_come_once_in_order_and_from_one_device(
    database: Database, tmp_path: Path
) -> None:
    async with studio_table(database, tmp_path) as studio:
        other = Caller(studio.hall, OTHER_TOKEN)
        await studio.begin()
        first = await studio.read("10s", 1)
        assert first.body == {"scan": 1, "due": True}
        again = await studio.read("10s", 1)
        assert (again.status, again.body, await due(studio)) == (200, first.body, ("card", -1))
        for card, number, shoe, code in (
            ("9s", 1, studio.shoe, "scan/reused"),
            ("7s", 3, studio.shoe, "scan/gap"),
            ("7s", 3, studio.shoe, "scan/gap"),  # noted once
            ("7s", 0x7FFFFFFF, studio.shoe, "scan/gap"),
            ("7s", 1, other, "scan/other-device"),
        ):
            assert (await studio.read(card, number, shoe)).code == code
        typed = await studio.eva.post("/studio/evening/cards", {"scan": 1, "card": "7s"})
        assert typed.code == "scan/other-device"
        assert await due(studio) == ("card", -1)
        assert await alarms(studio) == [
            ("alarm", "scan-refused", "scan/gap"),
            ("alarm", "scan-refused", "scan/gap"),
            ("alarm", "scan-refused", "scan/other-device"),
            ("alarm", "scan-refused", "scan/other-device"),
            ("alarm", "scan-refused", "scan/reused"),
        ]
        floor = (await studio.boss.get("/office/floor")).body["tables"][0]
        assert (floor["alarms"], floor["on_shift"]) == (5, "eva")
        told = [report["what"] for report in (await studio.console())["reports"]]
        assert told[-2:] == ["scan/other-device"] * 2

        await studio.read_back()
        assert (await studio.shoe.get("/studio/evening/scans")).body == {"scan": 1, "due": True}
        assert (await other.get("/studio/evening/scans")).body == {"scan": 0, "due": True}
        assert (await studio.read("10s", 1)).body == first.body
        assert (await studio.read("7s", 2)).status == 200
        await studio.do("take-device", device="shoe-2", last=41)
        assert (await studio.read("9s", 42, other)).status == 200
        assert (await studio.read("10h", 3)).code == "scan/other-device"
        assert (await studio.order("take-device", device="shoe-3")).code == "device/none"
        assert await due(studio) == ("hole", -1)


@pytest.mark.rule("STU-07")
async def test_a_ninth_king_a_card_that_nobody_awaits_and_a_code_that_stands_on_nothing(
    database: Database, tmp_path: Path
) -> None:
    """Three kings of spades a round: the ninth, face down, is refused without being named."""
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        for number in (1, 2):
            await studio.deal("Ks 7s Ks Ks")
            await studio.stand()
            await studio.deal("Ks")
            await studio.do("pay")
            assert (await studio.read("2c")).code == "card/not-due"
            await studio.hall.tick(TABLE)
            await studio.bet()
            assert (await studio.read("2c")).code == "card/not-due"
            await studio.hall.until(TABLE, "dealing")
            assert sum((await studio.console())["gone"]) == 4 * number
        await studio.deal("Ks 7s Ks")
        ninth = await studio.read("Ks")
        assert (ninth.code, ninth.body["error"]["params"]) == ("card/not-in-shoe", {"decks": 8})
        studio.number += 1
        unknown = {"scan": studio.number, "code": "nothing-stands-here"}
        assert (await studio.shoe.post("/studio/evening/scans", unknown)).code == "scan/unknown"
        assert await due(studio) == ("hole", -1)
        told = await alarms(studio)
        assert (told[0], told[-1]) == (
            ("alarm", "scan-refused", "card/not-in-shoe"),
            ("warning", "scan-refused", "scan/unknown"),
        )
        await studio.deal("10h")
        await studio.hall.check()


@pytest.mark.rule("STU-07", "OFF-11")
async def test_the_history_of_a_shoe_is_logged_and_a_wrong_count_stops_the_table(
    database: Database, tmp_path: Path
) -> None:
    """Four cards of 416 are dealt: 412 lie behind the cut card, and not 411."""
    async with studio_table(database, tmp_path) as studio:
        await studio.do("shift")
        for what in ("arrived", "checked", "shuffled"):
            await studio.do("note-shoe", what=what, label="A")
        await studio.begin()
        assert (await studio.order("count-shoe", counted=416)).code == "shoe/none"  # not in a round
        await studio.finish()
        assert (await studio.do("count-shoe", counted=412))["step"] != "paused"
        assert await alarms(studio) == []
        assert (await studio.do("count-shoe", counted=411))["step"] == "paused"
        assert await alarms(studio) == [("alarm", "shoe-miscounted", "")]
        await studio.do("note-shoe", what="retired", label="A")
        log = schema.log.c
        query = sqlalchemy.select(log.kind, log.body).where(log.kind.like("shoe-%")).order_by(log.n)
        rows = (await studio.hall.house.house.read(lambda connection: connection.execute(query))).all()
        noted = [(kind, msgspec.json.decode(decode_body(body).detail)) for kind, body in rows]  # type: ignore[arg-type]
        assert [(kind, step["label"], step.get("counted")) for kind, step in noted] == [
            ("shoe-arrived", "A", None),
            ("shoe-checked", "A", None),
            ("shoe-shuffled", "A", None),
            ("shoe-in-use", "A", None),
            ("shoe-counted", "A", 412),
            ("shoe-counted", "A", 411),
            ("shoe-retired", "A", None),
        ]
        assert {step["by"] for kind, step in noted if kind != "shoe-in-use"} == {studio.eva.player}


@pytest.mark.rule("STU-10", "OFF-07", "OFF-11")
async def test_the_supervisor_is_told_of_a_late_card_and_again_while_it_does_not_come(
    database: Database, tmp_path: Path
) -> None:
    """After 10 s, and after 30 s more."""
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        began = studio.hall.clock.steady
        for seconds, times in ((10, 1), (40, 2)):
            await studio.hall.tick(TABLE)
            assert round(studio.hall.clock.steady - began) == seconds
            assert await alarms(studio) == [("warning", "dealer-late", "")] * times
        floor = (await studio.boss.get("/office/floor")).body["tables"][0]
        assert (floor["alarms"], floor["late"], floor["called"]) == (2, True, False)
        assert (await studio.boss.get("/office/needed")).body["cards"] == [TABLE]
        await studio.deal("10s")
        assert not (await studio.console())["late"]
        assert (await studio.boss.get("/office/needed")).body["cards"] == []


@pytest.mark.rule("STU-06", "STU-08")
async def test_nothing_is_read_in_a_pause_but_a_face_down_card_that_a_supervisor_names(
    database: Database, tmp_path: Path
) -> None:
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        await studio.deal("10s 7s 9s")
        await studio.do("take-device", device="console")
        typed = {"scan": 1, "card": "10h"}
        assert (await studio.eva.post("/studio/evening/cards", typed)).code == "card/by-hand"
        assert (await studio.do("call-supervisor", why="the scanner is broken"))["step"] == "paused"
        assert (await studio.order("call-supervisor", why="once more")).code == "table/paused"
        for number, caller, body, code in (
            (2, studio.eva, {"card": "10h"}, "card/by-hand"),
            (3, studio.eva, {"code": code_of("10h")}, "table/paused"),
        ):
            answer = await caller.post("/studio/evening/cards", {"scan": number, **body})
            assert answer.code == code
        answer = await studio.boss.post("/studio/evening/cards", {"scan": 4, "card": "10h"})
        assert (answer.status, answer.body["due"], answer.body["cards"][-1]["card"]) == (200, None, None)
        probed = [
            (await studio.eva.post("/studio/evening/cards", {"scan": 4, "code": code_of(card)})).code
            for card in ("10h", "2c")
        ]
        assert probed == ["scan/reused", "scan/reused"]  # a scanner does not find what was named
        assert (await studio.boss.post("/tables/evening/resume", {"reason": "done"})).status == 204
        assert (await studio.console())["step"] == "players"
        await studio.hall.check()


@pytest.mark.rule("STU-06", "STU-05")
async def test_naming_cards_does_not_find_one_that_a_scanner_read_face_down(
    database: Database, tmp_path: Path
) -> None:
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        for number, card in enumerate(("10s", "7s", "9s", "10h"), 1):
            body = {"scan": number, "code": code_of(card)}
            assert (await studio.eva.post("/studio/evening/cards", body)).status == 200
        for restart in (False, True):
            if restart:
                await studio.read_back()
            for card in ("10h", "2c"):
                body = {"scan": 4, "card": card}
                assert (await studio.eva.post("/studio/evening/cards", body)).code == "scan/reused"
            assert (await studio.eva.post("/studio/evening/cards", body | {"scan": 4})).code == "scan/reused"
            same = await studio.eva.post("/studio/evening/cards", {"scan": 4, "code": code_of("10h")})
            assert same.status == 200


@pytest.mark.rule("STU-06", "OFF-11")
async def test_a_hole_card_that_differs_from_its_second_reading_stops_the_table(
    database: Database, tmp_path: Path
) -> None:
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        await studio.deal("10s 7s 9s 10h")
        await studio.stand()
        assert (await studio.read("10d")).code == "card/not-the-hole"
        assert (await studio.console())["step"] == "paused"
        assert (await alarms(studio))[0] == ("alarm", "scan-refused", "card/not-the-hole")
        assert (await studio.read("10h")).code == "table/paused"
        assert (await studio.boss.post("/tables/evening/resume", {"reason": "misread"})).status == 204
        await studio.deal("10h")
        assert (await studio.do("pay"))["step"] == "wait"
        await studio.hall.check()


@pytest.mark.rule("STU-08", "OFF-11")
@pytest.mark.parametrize("crowd", [False, True], ids=["alone", "crowd"])
async def test_a_card_is_taken_back_corrected_or_neither(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, crowd: bool
) -> None:
    """At a table with a crowd the round is played again in a thread: other tables are served meanwhile."""
    threads: set[bool] = set()
    if crowd:
        monkeypatch.setattr(clock, "HEAVY", 1)

    def noted(again: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*about: Any) -> Any:
            threads.add(threading.current_thread() is threading.main_thread())
            return again(*about)

        return noting

    for name in ("without_last", "with_another"):
        monkeypatch.setattr(f"sabot.tables.by_hand.{name}", noted(getattr(by_hand, name)))
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        await studio.deal("10s 7s 2s")
        await studio.do("take-back", why="misread")
        assert await due(studio) == ("card", 0)
        await studio.deal("3s 10h")
        await studio.socket.decide(TABLE, "hit")
        await studio.deal("4s")
        rows = [card["row"] for card in (await studio.console())["cards"]]
        wrong = {"row": rows[2], "card": "2s", "why": "it was the two"}
        assert (await studio.order("correct", **wrong)).code == "card/supervisor"
        assert (await studio.order("correct", studio.boss, **wrong)).code == "card/supervisor"
        assert (await studio.boss.post("/tables/evening/pause", {"reason": "a look"})).status == 204
        assert (await studio.order("correct", **wrong)).code == "card/supervisor"
        for card, code in (("As", "card/not-correctable"), ("2s", "")):  # with 21 nobody would have hit
            answer = await studio.order("correct", studio.boss, **wrong | {"card": card})
            assert answer.code == code, answer.text
        assert (await studio.order("correct", studio.boss, **wrong | {"row": 1})).code == "card/none"
        assert (await studio.boss.post("/tables/evening/resume", {"reason": "done"})).status == 204
        await studio.hall.heard(TABLE)
        spot = studio.socket.tables[TABLE].spot(0)
        assert spot is not None
        assert spot.hands[0].cards == (9, 1, 3)
        await studio.stand()
        assert (await studio.order("take-back", why="too late")).code == "card/acted-on"
        assert [alarm[1:] for alarm in await alarms(studio) if alarm[1] == "correction"] == [
            ("correction", "")
        ] * 2
        await studio.hall.check(replay=True)
    assert threads == {not crowd}


@pytest.mark.rule("STU-08", "ASR-12")
async def test_an_order_in_a_thread_is_answered_when_its_table_is_read_back(
    database: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(clock, "HEAVY", 1)
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        runtime, began, may_end = studio.hall.house.registry.live[TABLE], threading.Event(), threading.Event()

        def slowly(live: object) -> None:
            began.set()
            may_end.wait(PATIENCE)

        ordered = asyncio.create_task(runtime.order(slowly))
        await until(began.is_set)
        before = runtime.table
        runtime.throw_away("unit/lost")
        await until(lambda: runtime.table is not before and not runtime.broken)
        may_end.set()
        with pytest.raises(Refusal, match="will be known"):
            await asyncio.wait_for(ordered, PATIENCE)


@pytest.mark.rule("STU-04", "ASR-32")
async def test_a_stranger_with_odd_bytes_changes_nothing(database: Database, tmp_path: Path) -> None:
    """Neither who has no token, nor a device that has gone mad; nothing fails, nothing is dealt."""
    bodies = (
        b"",
        b"null",
        b"{}",
        b"[1, 2]",
        b"\xff\xfe\x00",
        b'{"scan": 1}',
        b'{"scan": 0, "code": "abcdef"}',
        b'{"scan": -1, "code": "abcdef"}',
        b'{"scan": 1e99, "code": "abcdef"}',
        b'{"scan": 9007199254740993, "code": "abcdef"}',
        b'{"scan": true, "code": "abcdef"}',
        b'{"scan": 1, "code": "10h"}',
        b'{"scan": 1, "code": "a\\u0000bcdef"}',
        b'{"scan": 1, "code": "\\ud800abcdef"}',
        b'{"scan": 1, "code": "abcdef\\n"}',
        '{"scan": 1, "code": "càrta"}'.encode(),
        b'{"scan": 1, "code": "abcdef", "card": "10h"}',
        b'{"scan": 1, "code": "' + b"a" * 5_000 + b'"}',
        b'{"scan": 1, "code": ' + b"[" * 5_000,
        b'{"scan": 1, "code": "' + b"a" * 20_000 + b'"}',
    )
    json = {"Content-Type": "application/json"}
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        rows = await studio.hall.rows()
        mad = studio.shoe
        strangers = [Caller(studio.hall, token) for token in ("x", TOKEN[:-1], "è" * 40)]
        for body in bodies:
            answer = await mad.post("/studio/evening/scans", data=body, headers=json)
            assert answer.code in ("request/bad", "request/too-long"), (body[:40], answer.text)
            assert "10h" not in answer.text
            for stranger in strangers:
                answer = await stranger.post("/studio/evening/scans", data=body, headers=json)
                assert (answer.status, answer.code) == (401, "device/unknown")
        for path in ("/studio/nothing/scans", "/studio/evening%2f/scans", "/studio/%00/scans"):
            assert (await mad.get(path)).status in (400, 403, 404)
        assert (await studio.hall.rows(), await due(studio)) == (rows, ("card", 0))
