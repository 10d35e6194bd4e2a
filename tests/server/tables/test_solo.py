"""Solo tables over a real socket: what a player sees, to the cent, and what is refused."""

from __future__ import annotations

import asyncio
import json
from unittest.mock import Mock

import aiohttp
import msgspec
import pytest

from sabot.client import PlayerClient, RequestError
from sabot.client.connection import new_id
from sabot.engine import Bet
from sabot.engine.commands import Stand
from sabot.engine.events import BetSettled, CardDealt, PlayerPaid, WheelStopped
from sabot.protocol import requests
from sabot.rounds.audit import audit_house
from sabot.server.accounts.logins import Login
from sabot.server.ws.connection import MOST_WAITING, Connection
from sabot.store.database import Database
from sabot.tables.live.events import ShoeRevealed
from tests.support.clock import PATIENCE
from tests.support.refused import ask_refused
from tests.support.served import Served, main, seated, served
from tests.support.shoes import StackedShoes

#: The kind of database makes no difference here.
KIND = "sqlite"

#: Spot 0 gets 10 9, the dealer 10 8: 19 beats 18.
WIN = "10 10 9 8"
#: The same hand against an ace and an 8.
ACE_UP = "10 A 9 8"


def balance(client: PlayerClient, table: str) -> int | None:
    me = client.tables[table].me
    return None if me is None else me.balance


async def test_a_round_from_bet_to_payout(database: Database) -> None:
    async with served(database, StackedShoes(WIN)) as house, seated(house, "surrender") as (client, table):
        state = client.tables[table]
        promised = state.commitment
        await client.deal(table, main(1000), "my seed")
        # 100.00 brought, 10.00 staked.
        assert (state.over, balance(client, table)) == (False, 9_000)
        assert [option.action for option in state.options] == ["stand", "hit", "double", "surrender"]
        await client.decide(table, "stand")
        # Won even money: 90.00 + 20.00.
        assert (state.over, balance(client, table)) == (True, 11_000)
        (paid,) = [event for event in state.events if isinstance(event, PlayerPaid)]
        assert (paid.staked, paid.paid) == (1000, 2000)
        revealed = state.events[-2]
        assert isinstance(revealed, ShoeRevealed)
        assert (revealed.commitment, revealed.client_seed) == (promised, "my seed")
        assert state.commitment not in ("", promised)
        await client.leave(table)
        me = state.me
        assert me is not None
        assert (me.balance, me.account) == (None, 100_000 + 1000)


async def test_the_link_bonus_over_the_socket(database: Database) -> None:
    async with (
        served(database, StackedShoes("A 9 K 8", draws=[[0]])) as house,
        seated(house, "link") as (client, table),
    ):
        await client.deal(table, [Bet(0, "main", 1000), Bet(0, "link", 100)])
        state = client.tables[table]
        await client.decide(table, "spin", spot=0)
        (wheel,) = [event for event in state.events if isinstance(event, WheelStopped)]
        assert wheel.section == 5
        assert state.over
        # 110.00 staked of 100.00 + blackjack 3:2 on 10.00 pays 25.00, the bonus 5 to 1 on 1.00 pays 6.00.
        assert balance(client, table) == 10_000 - 1_100 + 2_500 + 600


async def test_what_is_stale_is_refused_and_changes_nothing(database: Database) -> None:
    async with served(database, StackedShoes(WIN)) as house, seated(house, "surrender") as (client, table):
        await client.deal(table, main(1000))
        state = client.tables[table]
        for round, turn in ((state.round, 1), (state.round, 3), ("260829-104000-ABCD", 2)):
            stale = requests.Act(new_id(), table, round, turn, Stand(0))
            error = await ask_refused("command/stale", client.send(stale))
            assert error.params == {"round": state.round, "turn": 2}
        assert not state.over
        await client.decide(table, "stand")
        await ask_refused("command/stale", client.decide(table, "stand"))


async def test_the_same_id_is_carried_out_once(database: Database) -> None:
    async with served(database, StackedShoes(WIN)) as house, seated(house, "surrender") as (client, table):
        ask = requests.DealRequest(new_id(), table, tuple(main(1000)), "seed")
        await client.send(ask)
        await client.send(ask)
        assert balance(client, table) == 9_000
        other = msgspec.structs.replace(ask, bets=tuple(main(2000)))
        await ask_refused("command/reused", client.send(other))
        # Also after the process has been another one: the log remembers.
        house.registry.solo.clear()
        again = await client.open("surrender")
        await client.send(ask)
        await ask_refused("command/reused", client.send(other))
        assert (again, balance(client, table)) == (table, 9_000)


@pytest.mark.parametrize("pause", ["socket", "desk", "house"])
async def test_a_round_goes_on_where_it_was_left(database: Database, pause: str) -> None:
    """A broken connection, a table put away, a house that was restarted: the same cards, the same turn."""
    shoes = StackedShoes("10 10 2 8 9")
    seen: dict[str, object] = {}

    async def begin(house: Served) -> None:
        async with seated(house, "surrender") as (client, table):
            await client.deal(table, main(1000))
            state = client.tables[table]
            seen.update(table=table, round=state.round, turn=state.turn, options=state.options)
            seen["player"] = int(table.split("/")[1])
            if pause == "socket":
                await go_on(house)
            elif pause == "desk":
                house.registry.solo.clear()
                await go_on(house)

    async def go_on(house: Served) -> None:
        async with house.client(int(str(seen["player"]))) as client:
            table = await client.open("surrender")
            state = client.tables[table]
            found = {"table": table, "round": state.round, "turn": state.turn, "options": state.options}
            assert found == {name: seen[name] for name in found}
            view = state.snapshot.view
            assert view is not None
            assert (view.spots[0].hands[0].total, view.dealer.total, view.hole) == (12, 10, True)
            await client.decide(table, "hit")
            # 10 2 9 make 21 and end the hand; the dealer has 18: won.
            assert (state.over, balance(client, table)) == (True, 11_000)

    async with served(database, shoes) as house:
        await begin(house)
    if pause == "house":
        again = Database(database.url.render_as_string(hide_password=False))
        async with served(again, shoes) as house:
            await go_on(house)


async def test_frames_that_were_missed_are_replayed(database: Database) -> None:
    async with (
        served(database, StackedShoes("10 10 2 8 5 9")) as house,
        seated(house, "surrender") as (client, table),
    ):
        player = int(table.split("/")[1])
        heard: list[dict[str, object]] = []
        async with house.client(player) as other:
            other.on_message = lambda frame: heard.append(json.loads(frame))
            await client.deal(table, main(1000))
            await client.decide(table, "hit")
            epoch = client.tables[table].epoch
            await other.send(requests.Resume(new_id(), table, epoch, 1))
        # The deal was frame 1; the hit is told again, and no snapshot.
        assert [frame["type"] for frame in heard] == ["frame", "me", "answer"]
        assert (heard[0]["seq"], heard[0]["turn"]) == (2, 3)


async def test_two_pages_of_one_player_see_the_same(database: Database) -> None:
    async with served(database, StackedShoes(WIN)) as house, seated(house, "surrender") as (client, table):
        other = house.client(int(table.split("/")[1]))
        async with other:
            await other.open("surrender")
            await client.deal(table, main(1000))
            await other.decide(table, "stand")
            mine, theirs = client.tables[table], other.tables[table]
            await client.wait_for(lambda: mine.me == theirs.me, PATIENCE)  # the last that is told
            assert (mine.over, mine.events) == (True, theirs.events)


@pytest.mark.rule("ASR-31")
async def test_another_players_table_is_not_there(database: Database) -> None:
    async with (
        served(database, StackedShoes(WIN)) as house,
        seated(house, "surrender") as (_, table),
        house.client(await house.player()) as eve,
    ):
        await ask_refused("table/not-open", eve.sit(table, 1000))
        await ask_refused("table/not-open", eve.deal(table, main(1000)))
        await ask_refused("table/not-open", eve.send(requests.Resume(new_id(), table, 1, 0)))
        assert table not in eve.tables


async def test_what_the_rules_and_the_purse_refuse(database: Database) -> None:
    async with (
        served(database, StackedShoes(WIN)) as house,
        seated(house, "surrender", bring=500) as (client, table),
    ):
        await ask_refused("funds/insufficient", client.deal(table, main(600)))
        await ask_refused("bet/below-minimum", client.deal(table, main(50)))
        await ask_refused("seed/unusable", client.deal(table, main(100), "a|b"))
        await ask_refused("sitting/open", client.sit(table, 100))
        await ask_refused("table/unknown", client.open("freebet"))
        await ask_refused("limits/unknown", client.send(requests.ChooseLimits(new_id(), table, "salon")))
        assert balance(client, table) == 500
        await client.deal(table, main(500))
        await ask_refused("round/open", client.deal(table, main(100)))
        await ask_refused("sitting/in-round", client.leave(table))
        await ask_refused("action/not-legal", client.decide(table, "split"))


async def test_chosen_limits_hold_from_the_next_round(database: Database) -> None:
    async with (
        served(database, StackedShoes(WIN)) as house,
        seated(house, "surrender", bring=30_000) as (client, table),
    ):
        await client.send(requests.ChooseLimits(new_id(), table, "low"))
        await ask_refused("bet/above-maximum", client.deal(table, main(10_100)))
        await client.deal(table, main(10_000))
        await ask_refused("round/open", client.send(requests.ChooseLimits(new_id(), table, "standard")))


async def test_a_house_that_drains_deals_no_new_round(database: Database) -> None:
    async with (
        served(database, StackedShoes(WIN, WIN)) as house,
        seated(house, "surrender") as (client, table),
    ):
        await client.deal(table, main(1000))
        house.house.draining = True
        await client.decide(table, "stand")
        await ask_refused("house/draining", client.deal(table, main(1000)))
        async with aiohttp.ClientSession() as session, session.get(f"{house.url}/readyz") as ready:
            assert (ready.status, await ready.json()) == (503, {"ready": False, "why": "draining"})


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "frame",
    [
        "",
        "null",
        "[]",
        "{}",
        '{"type":"act"}',
        '{"type":"act","id":"a","table":"x","round":"y","turn":0,"command":{"type":"void","reason":"mine"}}',
        '{"type":"act","id":"a","table":"x","round":"y","turn":0,"command":{"type":"hit","spot":7}}',
        '{"type":"act","id":"a","table":"x","round":"y","turn":0,"command":{"type":"hit","spot":0,"player":"1"}}',
        '{"type":"insure","id":"a","table":"x","round":"y","turn":0,"accept":true,"player":"1"}',
        '{"type":"fly","id":"a"}',
        '{"type":"sit","id":"a","table":"x","amount":1e400}',
        '{"type":"sit","id":"a","table":"x","amount":' + "9" * 400 + "}",
        '{"type":"sit","id":"a","table":"x","amount":-1}',
        '{"type":"sit","id":"a","table":"x","amount":true}',
        '{"type":"sit","id":"a","table":"x","amount":1,"more":1}',
        '{"type":"act","id":"","table":"x","round":"y","turn":0,"command":{"type":"hit","spot":0}}',
        "[" * 2000,
        '{"a":' * 500,
        "\\ud800",
        '{"type":"open","id":"\\ud800","game":"surrender"}',
    ],
)
async def test_what_is_no_question_is_answered_and_harms_nobody(database: Database, frame: str) -> None:
    async with served(database, StackedShoes(WIN)) as house, seated(house, "surrender") as (client, table):
        answers: list[bytes] = []
        client.on_message = answers.append
        await client._socket.send_str(frame)
        await client._socket.send_bytes(b"\xff\xfe{")
        await client.deal(table, main(1000))
        told = [json.loads(answer) for answer in answers]
        codes = [(one["id"], one["error"]["code"]) for one in told if one.get("error")]
        named = "a" if '"id":"a"' in frame else ""
        assert codes == [(named, "command/malformed"), ("", "command/malformed")]
        assert not client.tables[table].over


async def test_without_a_session_there_is_no_socket(database: Database) -> None:
    async with served(database, StackedShoes()) as house, aiohttp.ClientSession() as session:
        with pytest.raises(aiohttp.WSServerHandshakeError) as error:
            await session.ws_connect(f"{house.url}/api/v1/socket")
        assert error.value.status == 401
        assert error.value.headers is not None
        assert error.value.headers["Server"] == "sabot"
        async with session.get(f"{house.url}/healthz") as alive:
            assert (alive.status, alive.headers["Server"]) == (200, "sabot")
        async with session.get(f"{house.url}/metrics") as metrics:
            assert "sabot_writer_queue" in await metrics.text()


@pytest.mark.slow  # a hundred sockets
async def test_a_hundred_bets_at_once_take_what_is_there(database: Database) -> None:
    """One player, a hundred pages, each with a deal of its own: one round is dealt at a time, no cent is lost."""

    async with (
        served(database, StackedShoes("10 10 2 8")) as house,
        seated(house, "surrender", bring=1000) as (client, table),
    ):
        asks = [requests.DealRequest(new_id(), table, tuple(main(100)), "x") for _ in range(100)]
        results = await asyncio.gather(*(client.send(ask) for ask in asks), return_exceptions=True)
        codes = {error.code for error in results if isinstance(error, RequestError)}
        assert (sum(result is None for result in results), codes) == (1, {"round/open"})
        assert balance(client, table) == 900
        assert (await house.house.work(lambda: audit_house(house.house.database))).findings == []


async def test_the_cards_shown_are_those_recorded(database: Database) -> None:
    async with (
        served(database, StackedShoes("10 10 6 8 9 7")) as house,
        seated(house, "cashback") as (client, table),
    ):
        await client.deal(table, main(1000))
        state = client.tables[table]
        dealt = [event.card for event in state.events if isinstance(event, CardDealt)]
        assert [(event.spot) for event in state.events if isinstance(event, CardDealt)] == [0, -1, 0]
        assert len(dealt) == 3
        price = next(option.pays for option in state.options if option.action == "cashback")
        await ask_refused("cashback/stale", client.decide(table, "cashback", price=price + 1))
        await client.decide(table, "cashback", price=price)
        (settled,) = [event for event in state.events if isinstance(event, BetSettled)]
        assert (settled.result, settled.paid) == ("cashback", price)


@pytest.mark.rule("ASR-22")
def test_a_reader_that_is_too_slow_is_let_go() -> None:
    """What waits for a socket is looked at before each frame; beyond 48 KiB the connection is broken off."""

    class Transport:
        waiting = 0
        aborted = False

        def is_closing(self) -> bool:
            return self.aborted

        def get_write_buffer_size(self) -> int:
            return self.waiting

        def write(self, packed: bytes) -> None:
            self.waiting += len(packed)

        def abort(self) -> None:
            self.aborted = True

    transport = Transport()
    socket = Connection(Mock(), Login(1, "ada"), None, transport)  # type: ignore[arg-type]
    sent = 0
    while not transport.aborted:
        socket.send(b"x" * 1004)
        sent += 1
    assert MOST_WAITING < transport.waiting <= MOST_WAITING + 1004
    assert sent == transport.waiting // 1004 + 1
    socket.send(b"more")
    assert transport.waiting <= MOST_WAITING + 1004


# A play session (COM-57)


def offers(client: PlayerClient, table: str) -> bool:
    """Whether insurance is offered in the play session, as the player is told."""
    me = client.tables[table].me
    assert me is not None
    return me.insurance


@pytest.mark.rule("CSH-12", "COM-57")
async def test_insurance_refused_for_all_is_off_until_the_play_session_ends(database: Database) -> None:
    async with served(database, StackedShoes(ACE_UP, ACE_UP, ACE_UP)) as house:
        player = await house.player()
        async with house.client(player) as client:
            table = await client.open("cashback")
            await client.sit(table, 20_000)
            await client.deal(table, main(1000))
            await client.insure(table, False, 0)  # for one hand: asked again next time
            await client.decide(table, "stand")
            assert offers(client, table)
            await client.deal(table, main(1000))
            await client.insure(table, False)
            await client.decide(table, "stand")
            assert not offers(client, table)
        async with house.client(player) as client:  # another page, or the same one loaded again
            table = await client.open("cashback")
            assert not offers(client, table)
            await client.deal(table, main(1000))
            view = client.tables[table].view
            assert view is not None
            assert view.phase == "decisions"
            await client.decide(table, "stand")
            await client.leave(table)
            assert offers(client, table)


@pytest.mark.rule("SUR-06", "COM-57")
async def test_insurance_is_switched_for_the_play_session(database: Database) -> None:
    async with (
        served(database, StackedShoes(ACE_UP)) as house,
        seated(house, "surrender", bring=20_000) as (client, table),
    ):
        await client.deal(table, main(1000))
        await client.insure(table, False)  # for this round only
        await client.decide(table, "stand")
        assert offers(client, table)
        await client.send(requests.OfferInsurance(new_id(), table, False))
        assert not offers(client, table)
        await client.send(requests.OfferInsurance(new_id(), table, True))
        assert offers(client, table)
        other = await client.open("link")
        await ask_refused("session/no-switch", client.send(requests.OfferInsurance(new_id(), other, False)))


@pytest.mark.rule("COM-52", "COM-55")
async def test_the_bets_to_repeat_are_those_that_were_dealt(database: Database) -> None:
    """Without splits, doubles and insurance; told to every page that is opened."""
    async with served(database, StackedShoes(ACE_UP)) as house:
        player = await house.player()
        async with house.client(player) as client:
            table = await client.open("surrender")
            await client.sit(table, 20_000)
            await client.deal(table, main(1000))
            await client.insure(table, True)
            await client.decide(table, "stand")
        async with house.client(player) as client:
            table = await client.open("surrender")
            me = client.tables[table].me
            assert me is not None
            assert me.last == (Bet(0, "main", 1000),)
