"""Talk at live tables: shown to all, kept for a while, moderated, never stored (PLT-40, PLT-60)."""

from __future__ import annotations

import base64
from contextlib import AbstractAsyncContextManager

import aiohttp
import msgspec
import pytest

from sabot.client import PlayerClient, RequestError
from sabot.protocol import codec, requests
from sabot.server.accounts.second_factor import totp_code
from sabot.server.config import OfficeConfig
from sabot.server.http.dispatch import PREFIX
from sabot.server.tables.chat import KEPT
from sabot.store.database import Database
from tests.support.clock import PATIENCE
from tests.support.hall import FREEBET, MAJORITY, Hall, Member, open_hall, until
from tests.support.refused import ask_refused
from tests.support.shoes import StackedShoes
from tests.support.site import PASSWORD

#: The kind of database makes no difference here.
KIND = "sqlite"

ONE, TWO = "live/one", "live/two"
WORDS = ("scemo", "maldito")
REASON = {"reason": "an insult"}


def talk(database: Database) -> AbstractAsyncContextManager[Hall]:
    return open_hall(database, StackedShoes(), FREEBET, MAJORITY, hidden_words=WORDS)


async def looking(hall: Hall, name: str, table: str = ONE, **role: object) -> tuple[Member, PlayerClient]:
    """Someone who looks at a table."""
    member = await hall.member(name, **role)  # type: ignore[arg-type]
    return member, await hall.at(member, table, bring=0)


def lines(client: PlayerClient, table: str = ONE) -> list[str]:
    """What a client was told at a table, oldest first."""
    return [said.text for _, said in sorted(client.tables[table].said.items())]


async def say(hall: Hall, client: PlayerClient, text: str, table: str = ONE) -> None:
    """Say something, as slowly as it is allowed."""
    hall.clock.ms += 2_000
    await client.say(table, text)


@pytest.mark.rule("PLT-40")
async def test_what_is_said_is_heard_at_the_table_and_nowhere_else(database: Database) -> None:
    """Not in the log, not in the counting of frames, not at another table."""

    async with talk(database) as hall:
        ada, hers = await looking(hall, "ada")
        _, presenters = await looking(hall, "carla", role="presenter")
        _, elsewhere = await looking(hall, "bob", TWO)
        await hall.heard(ONE)
        rows, seq = await hall.rows(), hers.tables[ONE].seq
        await say(hall, hers, "Buona sera!")
        await say(hall, presenters, "  ben   arrivata \u3000 ada ")
        for client in (hers, presenters):
            await until(lambda client=client: len(lines(client)) == 2)  # type: ignore[misc]
            first, second = client.tables[ONE].said.values()
            assert (first.player, first.name, first.text) == (str(ada.player), "ada", "Buona sera!")
            assert (first.role, first.at, second.role) == ("player", hall.clock.ms - 2_000, "presenter")
            assert second.text == "ben arrivata ada"
        assert elsewhere.tables[TWO].said == {}
        assert (await hall.rows(), hers.tables[ONE].seq) == (rows, seq)
        await ask_refused("table/not-open", hers.say(TWO, "hello"))


@pytest.mark.rule("PLT-40")
async def test_who_comes_is_told_what_was_said_lately(database: Database) -> None:
    async with talk(database) as hall:
        _, hers = await looking(hall, "ada")
        for number in range(KEPT + 5):
            await say(hall, hers, f"line {number}")
        _, his = await looking(hall, "bob")
        assert lines(his) == [f"line {number}" for number in range(5, KEPT + 5)]
        demo = await hall.nobody.post("/demo", {"bearer": True})
        async with PlayerClient(hall.url, demo.body["token"], hall.http) as client:
            await client.enter(ONE)
            await say(hall, client, "hello")
            await until(lambda: lines(his)[-1] == "hello")
            assert list(his.tables[ONE].said.values())[-1].name == demo.body["name"][:9]


@pytest.mark.rule("ASR-30", "PLT-40")
async def test_talk_has_a_pace(database: Database) -> None:
    """Four lines at once, then one every two seconds; on all sockets of a player together, and of no other."""

    async with talk(database) as hall:
        ada, hers = await looking(hall, "ada")
        also_hers = await hall.at(ada, TWO, bring=0)
        _, his = await looking(hall, "bob")
        for number in range(3):
            await hers.say(ONE, f"line {number}")
        await also_hers.say(TWO, "line 3")
        with pytest.raises(RequestError) as error:
            await hers.say(ONE, "line 4")
        assert (error.value.code, error.value.params) == ("rate/limited", {"seconds": 3})
        await his.say(ONE, "mine")
        hall.clock.ms += 2_000
        await hers.say(ONE, "line 4")
        await ask_refused("rate/limited", hers.say(ONE, "line 5"))


#: What is said, and what is shown of it.
SHOWN = {
    "come to www.other-house.example now": "come to ••• now",
    "HTTPS://other.example/x?y=1 pays more": "••• pays more",
    "write to me@other.com, fast": "write to ••• fast",
    "casino.it": "•••",
    "sei SCEMO, scemo!": "sei •••, •••!",
    "maldito": "•••",
    "scemoso is another word": "scemoso is another word",
    "18.50 on box 2. It wins": "18.50 on box 2. It wins",
    "perché no? ♠ 好": "perché no? ♠ 好",
    "one\u200bline\u00a0only\ufeff please": "one line only please",
    '<b>bold</b> & "quoted"': '<b>bold</b> & "quoted"',
}


@pytest.mark.rule("PLT-40")
async def test_addresses_and_hidden_words_are_hidden(database: Database) -> None:
    async with talk(database) as hall:
        _, hers = await looking(hall, "ada")
        _, his = await looking(hall, "bob")
        for said in SHOWN:
            await say(hall, hers, said)
        await until(lambda: len(lines(his)) == len(SHOWN))
        assert lines(his) == list(SHOWN.values())


@pytest.mark.rule("OFF-06", "PLT-40")
async def test_nobody_speaks_with_a_role_that_was_not_proved_or_is_gone(database: Database) -> None:
    """A password alone speaks for nobody of the house; who lost the role speaks as a player from then on."""
    async with open_hall(database, StackedShoes(), FREEBET, office=OfficeConfig(idle_minutes=29)) as hall:
        carla, client = await looking(hall, "carla", role="presenter")
        await ask_refused("factor/enrol", client.say(ONE, "place your bets"))
        secret = (await carla.post("/office/second-factor", {"password": PASSWORD})).body["secret"]
        code = totp_code(base64.b32decode(secret), hall.clock.ms // 30_000)
        assert (await carla.post("/office/second-factor/confirm", {"code": code})).status == 200
        await say(hall, client, "good evening")
        thief = await hall.at(await hall.member("carla", path="/login"), ONE, bring=0)
        await ask_refused("factor/needed", thief.say(ONE, "the table is closed"))
        await hall.appoint(carla.player, "player")
        await say(hall, client, "I play here")
        await until(lambda: len(lines(client)) == 2)
        said = client.tables[ONE].said.values()
        assert [(line.role, line.text) for line in said] == [
            ("presenter", "good evening"),
            ("player", "I play here"),
        ]


@pytest.mark.rule("PLT-40", "PLT-60", "ASR-33")
@pytest.mark.parametrize("role", ["presenter", "supervisor", "administrator"])
async def test_a_player_is_muted_at_every_table(database: Database, role: str) -> None:
    """For some minutes; others are not; 0 minutes end it; the order stands in the operators' stream."""

    async with talk(database) as hall:
        ada, hers = await looking(hall, "ada")
        also_hers = await hall.at(ada, TWO, bring=0)
        _, his = await looking(hall, "bob")
        boss = await hall.member("boss", role)  # type: ignore[arg-type]
        assert (await boss.post("/tables/one/mute", {"player": "Ada", "minutes": 10, **REASON})).status == 204
        with pytest.raises(RequestError) as error:
            await hers.say(ONE, "why?")
        assert (error.value.code, error.value.params) == ("chat/muted", {"minutes": 10})
        await ask_refused("chat/muted", also_hers.say(TWO, "why?"))
        await his.say(ONE, "she is gone")
        hall.clock.ms += 600_000
        await hers.say(ONE, "here I am")
        assert (await boss.post("/tables/two/mute", {"player": "ada", "minutes": 10, **REASON})).status == 204
        await ask_refused("chat/muted", hers.say(ONE, "again?"))
        assert (await boss.post("/tables/one/mute", {"player": "ada", "minutes": 0, **REASON})).status == 204
        await hers.say(ONE, "thank you")
        assert await hall.operators() == [
            {
                "type": "mute-player",
                "operator": boss.player,
                "player": ada.player,
                "minutes": minutes,
                **REASON,
            }
            for minutes in (10, 10, 0)
        ]
        await hall.check()


async def test_a_demo_player_is_muted_by_the_name_that_is_seen(database: Database) -> None:
    async with talk(database) as hall:
        boss = await hall.member("boss", "presenter")
        demo = (await hall.nobody.post("/demo", {"bearer": True})).body
        async with PlayerClient(hall.url, demo["token"], hall.http) as client:
            await client.enter(ONE)
            seen = demo["name"][:9]
            muting = {"player": seen, "minutes": 5, **REASON}
            assert (await boss.post("/tables/two/mute", muting)).code == "player/none"  # not there
            assert (await boss.post("/tables/one/mute", muting)).status == 204
            await ask_refused("chat/muted", client.say(ONE, "hello"))


async def test_who_is_muted_stays_so_when_the_house_is_opened_again(database: Database) -> None:
    url = database.url.render_as_string(hide_password=False)

    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        await looking(hall, "ada")
        await looking(hall, "bob")
        boss = await hall.member("boss", "presenter")
        for name, minutes in (("ada", 10_080), ("bob", 60), ("bob", 0)):
            await boss.post("/tables/one/mute", {"player": name, "minutes": minutes, **REASON})
    async with open_hall(Database(url), StackedShoes(), FREEBET) as hall:
        hall.clock.ms += 10_079 * 60_000
        ada, bob = [await hall.member(name, path="/login") for name in ("ada", "bob")]
        hers, his = await hall.at(ada, ONE, bring=0), await hall.at(bob, ONE, bring=0)
        await ask_refused("chat/muted", hers.say(ONE, "hello"))
        await his.say(ONE, "hello")


@pytest.mark.rule("PLT-40", "PLT-60", "ASR-33")
async def test_a_line_is_taken_away(database: Database) -> None:
    """From every screen, and from what newcomers are told; what was said is not written down."""

    async with talk(database) as hall:
        ada, hers = await looking(hall, "ada")
        _, his = await looking(hall, "bob")
        boss = await hall.member("boss", "presenter")
        for text in ("good", "a very bad line", "better"):
            await say(hall, hers, text)
        await until(lambda: len(lines(his)) == 3)
        (bad,) = [id for id, said in his.tables[ONE].said.items() if "bad" in said.text]
        assert (await boss.post("/tables/one/unsay", {"id": bad, **REASON})).status == 204
        for client in (hers, his):
            await until(lambda client=client: lines(client) == ["good", "better"])  # type: ignore[misc]
        _, later = await looking(hall, "carla")
        assert lines(later) == ["good", "better"]
        for table, id in (("one", bad), ("one", 999), ("two", bad)):
            answer = await boss.post(f"/tables/{table}/unsay", {"id": id, **REASON})
            assert (answer.status, answer.code) == (404, "chat/unknown")
        (order,) = await hall.operators()
        told = {"type": "unsay-line", "operator": boss.player, "table": ONE, "line": bad}
        assert order == told | {"player": ada.player, **REASON}


async def test_what_cannot_be_said(database: Database) -> None:
    async with talk(database) as hall:
        _, hers = await looking(hall, "ada")
        _, his = await looking(hall, "bob")
        for empty in (" ", "\u200b\u3000"):
            await ask_refused("chat/empty", hers.say(ONE, empty))
        for strange in ("\t", "one\ntwo", "one\u2028two", "\0", "a\u202eb"):
            await ask_refused("command/malformed", hers.say(ONE, strange))
        await hers.say(ONE, "x" * 200)
        await until(lambda: lines(his) == ["x" * 200])


async def answers(socket: aiohttp.ClientWebSocketResponse, last: str) -> list[str]:
    """The codes of refusals up to the answer to the last question, which is carried out."""
    codes: list[str] = []
    while True:
        message = await socket.receive(PATIENCE)
        assert message.type is aiohttp.WSMsgType.TEXT
        told = msgspec.json.decode(message.data)
        if told.get("type") != "answer":
            continue
        if told["id"] == last:
            assert told["error"] is None
            return codes
        codes.append(told["error"]["code"])


@pytest.mark.rule("ASR-32")
async def test_bytes_that_are_no_text(database: Database) -> None:
    """Each gets an answer with a code, the socket stays open, and the others hear nothing of it."""
    bad = [
        b'{"type":"say","id":"a","table":"live/one","text":"\xff\xfe"}',
        b'{"type":"say","id":"a","table":"live/one","text":"\xed\xa0\x80"}',
        b'{"type":"say","id":"a","table":"live/one","text":"\\ud800"}',
        b'{"type":"say","id":"a","table":"live/one","text":""}',
        b'{"type":"say","id":"a","table":"live/one","text":"' + b"x" * 201 + b'"}',
        b'{"type":"say","id":"a","table":"live/one","text":7}',
        b'{"type":"say","id":"a","table":"live/one"}',
        b'{"type":"say","id":"a","table":"live/one","text":"x","to":"bob"}',
        b"\x00\xff" * 50,
        b"",
    ]

    async with talk(database) as hall:
        ada = await hall.member("ada")
        _, his = await looking(hall, "bob")
        headers = {"Authorization": f"Bearer {ada.token}"}
        async with hall.http.ws_connect(
            f"{hall.url}{PREFIX}/socket", protocols=(codec.SUBPROTOCOL,), headers=headers
        ) as socket:
            await socket.send_str(msgspec.json.encode(requests.Enter("first", ONE)).decode())
            assert await answers(socket, "first") == []
            for frame in bad:
                await socket.send_bytes(frame)
            await socket.send_str(msgspec.json.encode(requests.Say("last", ONE, "still here")).decode())
            assert await answers(socket, "last") == ["command/malformed"] * len(bad)
        await until(lambda: bool(lines(his)))
        assert lines(his) == ["still here"]


async def test_players_moderate_nothing(database: Database) -> None:
    async with talk(database) as hall:
        ada, hers = await looking(hall, "ada")
        _, his = await looking(hall, "bob")
        await his.say(ONE, "hello")
        await until(lambda: bool(lines(hers)))
        (id,) = hers.tables[ONE].said
        for path, body in (("mute", {"player": "bob", "minutes": 1}), ("unsay", {"id": id})):
            answer = await ada.post(f"/tables/one/{path}", {**body, **REASON})
            assert (answer.status, answer.code) == (403, "login/role")
        boss = await hall.member("boss", "administrator")
        for minutes in (-1, 10_081, "1", None):
            muting = {"player": "bob", "minutes": minutes, **REASON}
            assert (await boss.post("/tables/one/mute", muting)).code == "request/bad"
        assert (await boss.post("/tables/one/mute", {"player": "bob", "minutes": 1})).code == "request/bad"
        answer = await boss.post("/tables/one/mute", {"player": "nobody", "minutes": 1, **REASON})
        assert (answer.status, answer.code) == (404, "player/none")
        assert await hall.operators() == []
