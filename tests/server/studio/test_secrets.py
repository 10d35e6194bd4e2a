"""Nothing tells the hole card before it is turned: no frame, answer, log line, column of the database, or backup (STU-06)."""

from __future__ import annotations

import base64
import gzip
import hashlib
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
import sqlalchemy
from typer.testing import CliRunner

from sabot.cards import parse_card
from sabot.cli.app import app
from sabot.protocol import codec
from sabot.protocol.messages import Message
from sabot.store import schema
from sabot.store.database import Database
from tests.support.studio import TABLE, StudioTable, code_of, studio_table

#: The kind of database makes no difference here.
KIND = "sqlite"
#: A card that is in no other hand.
NAME = "Kc"
CARD = parse_card(NAME)
SCAN = 4
HASHES = ("md5", "sha1", "sha224", "sha256", "sha384", "sha512", "sha3_256", "blake2b", "blake2s")
#: The card as a word, or as a number under a name that says what it is.
_NAMED = re.compile(rf"\b{NAME}\b|king of clubs|re di fiori", re.IGNORECASE)
_NUMBERED = re.compile(rf'"(card|hole|face|after|before|code|scan_card)"\s*:\s*"?{CARD}\b')


def told() -> Iterator[bytes]:
    """What someone may have hashed without a key, of a card of 52: the digests are undone in no time."""
    texts = {
        str(CARD),
        NAME,
        code_of(NAME),
        f'{{"type":"scan","card":{CARD}}}',
        f'{{"scan":{SCAN},"code":"{code_of(NAME)}"}}',
        f'{{"scan": {SCAN}, "code": "{code_of(NAME)}"}}',
        f"shoe-1/{SCAN}={CARD}",
        *(f"{stream}/shoe-1/{SCAN}={CARD}" for stream in range(20)),
        *(f"{TABLE}/shoe-1/{SCAN}={word}" for word in (CARD, NAME)),
    }
    for text in (bytes((CARD,)), *(text.encode() for text in texts)):
        for name in HASHES:
            yield hashlib.new(name, text).digest()


DIGESTS = tuple(told())


def find_secrets(blobs: Iterable[bytes]) -> list[str]:
    """What tells the card in some bytes."""
    blobs = list(blobs)
    whole, found = b"\n".join(blobs), list[str]()
    if code_of(NAME).encode() in whole:
        found.append("the code")
    for digest in DIGESTS:
        if digest in whole or digest.hex().encode() in whole or base64.b64encode(digest) in whole:
            found.append("a digest without a key")
    for blob in blobs:
        text = blob.decode(errors="replace")
        if "\ufffd" not in text:
            shown = (*_NAMED.finditer(text), *_NUMBERED.finditer(text))
            found += (text[max(0, one.start() - 40) : one.end() + 40] for one in shown)
    return found


def payload(frame: bytes) -> bytes:
    """The message of a frame."""
    return frame[frame.index(b"{") :]


def columns(database: Database) -> Iterator[tuple[str, bytes]]:
    """Every value of every table."""
    with database.reading() as connection:
        for table in schema.metadata.sorted_tables:
            for row in connection.execute(sqlalchemy.select(table)):
                for name, value in row._mapping.items():
                    yield f"{table}.{name}", value if isinstance(value, bytes) else str(value).encode()


async def answers(studio: StudioTable) -> list[bytes]:
    """What everyone is told over HTTP while the card lies face down; with refusals that are about it."""
    code = (await studio.console())["round"]
    paths = {
        "/studio/evening": (studio.eva, studio.boss),
        "/studio/evening/scans": (studio.shoe,),
        "/tables": (studio.ada,),
        "/tables/evening/shoe": (studio.ada,),
        "/tables/evening/proofs": (studio.ada,),
        "/history": (studio.ada,),
        "/office/floor": (studio.eva, studio.boss),
        "/office/events": (studio.boss,),
        f"/rounds/{code}": (studio.boss,),
        f"/office/rounds/{code}/steps": (studio.boss,),
    }
    found = [(path, await who.get(path)) for path, people in paths.items() for who in people]
    assert {answer.status for _, answer in found} == {200}
    found += [
        (f"/records/{code}", await studio.ada.get(f"/records/{code}")),
        (f"/office/rounds/{code}/record", await studio.boss.get(f"/office/rounds/{code}/record")),
        ("again", await studio.read(NAME, SCAN)),
        ("a gap", await studio.read(NAME, SCAN + 2)),
        ("another", await studio.read("2c", SCAN)),
        ("not due", await studio.read(NAME, SCAN + 1)),
        ("no JSON", await studio.shoe.post("/studio/evening/scans", data=code_of(NAME).encode())),
        ("odd", await studio.shoe.post("/studio/evening/scans", {"scan": "x", "code": code_of(NAME)})),
    ]
    return [answer.text.encode() for _, answer in found]


@pytest.mark.rule("STU-06", "ASR-03")
async def test_nothing_tells_the_hole_card_before_it_is_turned(
    file_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    frames: list[bytes] = []
    pack = codec.pack

    def packed(message: Message) -> bytes:
        frames.append(pack(message))
        return frames[-1]

    monkeypatch.setattr(codec, "pack", packed)
    caplog.set_level(logging.DEBUG)
    database = Database(file_url)
    async with studio_table(database, tmp_path) as studio:
        await studio.begin()
        await studio.deal(f"10s 7s 9s {NAME}")
        await studio.hall.at(studio.boss, TABLE, bring=0)  # gets a snapshot
        assert find_secrets(await answers(studio)) == []
        studio.number += 1
        await studio.do("take-back", why="it was the next card")
        await studio.deal(NAME)
        await studio.hall.house.house.events.flush()
        assert len(frames) > 20
        assert find_secrets(map(payload, frames)) == []
        lines = [f"{record.getMessage()} {record.__dict__}" for record in caplog.records]
        assert any("/studio/evening/scans" in line for line in lines)  # the access log is among them
        assert find_secrets(line.encode() for line in lines) == []
        rows = list(columns(database))
        assert {place for place, _ in rows} >= {"log.body", "sealed.bytes", "events.detail"}
        assert find_secrets(value for _, value in rows) == []
        file = tmp_path / "house.gz"
        ran = await studio.hall.house.house.work(
            lambda: CliRunner().invoke(app, ["backup", str(file), "--database", file_url])
        )
        assert ran.exit_code == 0, ran.output
        assert find_secrets(gzip.decompress(file.read_bytes()).splitlines()) == []
        # When it is turned it is told: the search above would have found it.
        await studio.stand()
        await studio.deal(NAME)
        await studio.do("pay")
        await studio.hall.heard(TABLE)
        assert find_secrets(map(payload, frames))
        assert find_secrets(value for place, value in columns(database) if place == "log.body")
