"""Studio rounds afterwards: history, records and what they can and cannot prove, the office's steps, the audit (STU-02, STU-30)."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

import pytest
import sqlalchemy
from typer.testing import CliRunner

from sabot.cards import parse_card
from sabot.cli.app import app
from sabot.record import OwnRecord, RecordError, check_own, loads, read, replay
from sabot.rounds.audit import audit_house
from sabot.store import schema
from sabot.store.database import Database
from tests.support.house import VAULT
from tests.support.studio import TABLE, StudioTable, studio_table

#: The kind of database makes no difference here.
KIND = "sqlite"


async def corrected_round(studio: StudioTable) -> str:
    """10 and 2 (taken back: 9; corrected from 3) and 5 against 7 and 10: 17 stands against 17, a push."""
    await studio.begin()
    await studio.deal("10s 7s 9s")
    await studio.do("take-back", why="the next card was read")
    await studio.deal("3s 10h")
    await studio.socket.decide(TABLE, "hit")
    await studio.deal("5c")
    row = (await studio.console())["cards"][2]["row"]
    assert (await studio.boss.post("/tables/evening/pause", {"reason": "a look"})).status == 204
    await studio.do("correct", studio.boss, row=row, card="2s", why="it was the two")
    assert (await studio.boss.post("/tables/evening/resume", {"reason": "done"})).status == 204
    await studio.hall.heard(TABLE)
    await studio.stand()
    await studio.deal("10h")
    code = str((await studio.console())["round"])
    await studio.do("pay")
    return code


@pytest.mark.rule("STU-02", "STU-08", "STU-30")
async def test_the_records_of_a_corrected_round_replay_and_say_what_they_cannot_prove(
    database: Database, tmp_path: Path
) -> None:
    async with studio_table(database, tmp_path) as studio:
        code = await corrected_round(studio)
        own_text = (await studio.ada.get(f"/records/{code}")).text
        whole_text = (await studio.boss.get(f"/office/rounds/{code}/record")).text
        await studio.hall.check(replay=True)
    own, whole = read(own_text, OwnRecord), loads(whole_text)
    check_own(own)
    replay(whole)
    assert own.shoe is None
    assert own.studio is not None
    assert own.cards == ("0 0.0 10s", "1 dealer 7s", "2 0.0 2s", "3 dealer 10h", "4 0.0 5c")
    assert [(line.result, line.paid) for line in own.paid] == [("push", 1_000)]
    assert own.studio.corrections == ("2 9s taken back", "2 3s corrected to 2s")
    (hole,) = own.studio.holes
    commitment, salt, card = hole.split()
    assert sha256(bytes.fromhex(salt) + bytes((parse_card(card),))).hexdigest() == commitment
    assert card == "10h"
    assert (whole.shoe.dealing, whole.shoe.cards, whole.shoe.commitment, whole.shoe.seed) == (
        "studio",
        "10s 7s 2s 10h 5c",
        "",
        "",
    )
    assert [line.partition(", by ")[0] for line in whole.shoe.corrections] == list(own.studio.corrections)
    assert [line.rpartition(": ")[2] for line in whole.shoe.corrections] == [
        "the next card was read",
        "it was the two",
    ]
    assert "eva" not in own_text
    assert "[shoe]" not in own_text
    for text, said in ((own_text, "follow to the cent"), (whole_text, "replays to the cent")):
        file = tmp_path / "record.toml"
        file.write_text(text)
        ran = CliRunner().invoke(app, ["verify", "--lang", "en", str(file)])
        assert ran.exit_code == 0
        assert said in ran.output
        assert "(corrections: 2)" in ran.output
        assert "no shuffle was committed to, so none can be checked" in ran.output
    for before, after in ((card, "10d"), (salt, salt[::-1]), ("5c", "6c"), ("taken back", "kept")):
        with pytest.raises(RecordError):
            check_own(read(own_text.replace(before, after), OwnRecord))


@pytest.mark.rule("STU-08", "OFF-04", "PLT-21")
async def test_history_and_office_show_the_cards_that_hold_and_who_corrected_what(
    database: Database, tmp_path: Path
) -> None:
    async with studio_table(database, tmp_path) as studio:
        code = await corrected_round(studio)
        (line,) = (await studio.ada.get("/history")).body["lines"]
        held = [parse_card(card) for card in ("10s", "2s", "5c")]
        assert (line["dealer"], line["hands"]) == ([parse_card("7s"), parse_card("10h")], [held])
        opened = (await studio.ada.get(f"/history/{code}")).body
        shown = (await studio.boss.get(f"/rounds/{code}")).body
        for moments in (opened["moments"], shown["moments"]):
            events = [event for moment in moments for event in moment["events"]]
            dealt = [
                event["card"] for event in events if event["type"] == "card-dealt" and event["spot"] == 0
            ]
            assert dealt == held
        found = (await studio.boss.get(f"/office/rounds/{code}/steps")).body
        noted = [(step["kind"], step["by"], step["player"], step["note"]) for step in found["steps"]]
        assert [step for step in noted if step[3]] == [
            ("take-back", "operator", studio.eva.player, "3: 9s taken back. the next card was read"),
            ("correction", "operator", studio.boss.player, "3: 3s corrected to 2s. it was the two"),
        ]
        assert noted[-1][:2] == ("pay", "dealer")
        assert (found["proof"]["dealing"], found["proof"]["commitment"]) == ("studio", "")


@pytest.mark.rule("STU-06", "ASR-14")
async def test_the_audit_replays_studio_rounds_and_checks_sealed_cards(
    database: Database, tmp_path: Path
) -> None:
    """A round that was voided with its hole card down, and one that is open with it."""
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        await studio.deal("10s 7s 9s Kc")
        assert (await studio.boss.post("/tables/evening/void", {"reason": "a malfunction"})).status == 204
        await studio.hall.tick(TABLE)
        await studio.bet()
        await studio.hall.until(TABLE, "dealing")
        await studio.deal("10s 7s 9s Kd")
        house = studio.hall.house.house

        def audit(vault: object = VAULT) -> tuple[list[str], int, int]:
            report = audit_house(house.database, vault=VAULT if vault else None)
            return [finding.message for finding in report.findings], report.rounds, report.sealed

        assert await house.work(audit) == ([], 2, 0)
        assert await house.work(lambda: audit(None)) == ([], 1, 1)
        sealed = sqlalchemy.select(schema.sealed.c.bytes).order_by(schema.sealed.c.n)
        first, second = (await house.read(lambda connection: connection.execute(sealed))).scalars().all()
        change = sqlalchemy.update(schema.sealed).where(schema.sealed.c.bytes == second).values(bytes=first)
        await house.write(lambda connection: connection.execute(change))
        findings, _, _ = await house.work(audit)
        assert any("does not open" in finding for finding in findings)
        remove = sqlalchemy.delete(schema.sealed)
        await house.write(lambda connection: connection.execute(remove))
        findings, _, _ = await house.work(audit)
        assert any("not in the store" in finding for finding in findings)
