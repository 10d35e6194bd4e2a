"""Live rounds that were played: a player's own record of one, and the back office's search by code."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from sabot.cli.app import app
from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.games.rules import Action
from sabot.record import OwnRecord, check_own, read
from sabot.store.database import Database
from sabot.tables.live.timers import Phase
from tests.support.hall import FREEBET, MAJORITY, Hall, Member, open_hall
from tests.support.house import VAULT, CountedShoes
from tests.support.shoes import StackedShoes

#: The kind of database makes no difference here.
KIND = "sqlite"

ONE, TWO = "live/one", "live/two"
#: Two rounds and the shoe is changed; a card is burnt, and there is a hole card.
US = replace(MAJORITY, game="majority-us", options={"burn": True, "cut": 8})
NAMES = ("ada", "bob", "carla")
#: Stakes that are found in a text if they are there.
STAKES = {"ada": 1_100, "bob": 2_300, "carla": 4_700}


async def crowd(hall: Hall) -> dict[str, tuple[Member, PlayerClient]]:
    """Three players at the table with boxes, who agree to everything."""
    people = {}
    for name in NAMES:
        member = await hall.member(name)
        client = await hall.at(member, TWO, bring=50_000)
        await client.consent(TWO, double=True, split=True)
        people[name] = (member, client)
    return people


async def bet(hall: Hall, people: dict[str, tuple[Member, PlayerClient]]) -> str:
    """Everyone stakes an own amount on box 0; gives the code of the round."""
    await hall.until(TWO, "betting")
    for name, (_, client) in people.items():
        await client.bet(TWO, [Bet(0, "main", STAKES[name]), Bet(0, "21+3", 100)])
    return hall.desk(TWO).table.play.code


async def play(hall: Hall, people: dict[str, tuple[Member, PlayerClient]], vote: Action = "stand") -> str:
    """A round played out; two of three vote at each decision, which is enough."""
    code = await bet(hall, people)
    while hall.desk(TWO).table.phases.phase != "payout":
        if hall.desk(TWO).table.phases.phase == "decisions":
            for name in NAMES[:2]:
                client = people[name][1]
                view = client.tables[TWO].view
                if view is not None and view.turn is not None and view.phase == "decisions":
                    await client.vote(TWO, vote)
        await hall.tick(TWO)
        await hall.heard(TWO)
    return code


async def record(member: Member, code: str) -> tuple[str, OwnRecord]:
    """The own record of a player, as text and read."""
    answer = await member.get(f"/records/{code}")
    assert answer.status == 200, answer.text
    assert answer.headers["Content-Type"].startswith("text/plain")
    return answer.text, read(answer.text, OwnRecord)


def verify(folder: Path, text: str) -> tuple[int, str]:
    """What `sabot verify` says of a record."""
    file = folder / "round.toml"
    file.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, ["verify", str(file), "--lang", "en"])
    return result.exit_code, result.output


@pytest.mark.rule("PLT-22", "ASR-02", "ASR-31")
async def test_a_player_keeps_the_own_record_of_a_live_round(database: Database, tmp_path: Path) -> None:
    """At once without the seed, when the shoe is done with it; nobody else's name, number or stake is in it."""

    async with open_hall(database, CountedShoes(VAULT, 3), US) as hall:
        people = await crowd(hall)
        code = await play(hall, people)
        for name, (member, _) in people.items():
            text, own = await record(member, code)
            check_own(own)
            status, told = verify(tmp_path, text)
            assert (status, "follow to the cent" in told, "not revealed yet" in told) == (0, True, True)
            assert own.shoe is not None
            assert (own.shoe.seed, own.start, own.cards[0]) == ("", 0, "0 burnt")
            assert own.bet[0].stake == STAKES[name]
            (spot,) = own.spot
            assert (spot.mode, spot.players) == ("vote", 3)
            words = set(re.findall(r"\w+", text))
            for other, stake in STAKES.items():
                assert (str(stake) in words) is (other == name)
                assert other not in words
            view = (await member.get(f"/history/{code}")).body
            assert view["line"]["paid"] == sum(line.paid for line in own.paid)
        await hall.until(TWO, "betting")
        while (await hall.nobody.get("/tables/two/shoe")).body["before"] is None:
            await play(hall, people)
            await hall.until(TWO, "betting")
        text, own = await record(people["ada"][0], code)
        assert own.shoe is not None
        assert own.shoe.seed
        status, told = verify(tmp_path, text)
        assert (status, "the cards come from the shoe promised" in told) == (0, True)
        status, told = verify(tmp_path, text.replace("paid = ", "paid = 1", 1))
        assert (status, "NOT VALID" in told) == (1, True)
        await hall.check(replay=True)


async def test_the_record_is_only_for_those_who_played(database: Database) -> None:
    async with open_hall(database, CountedShoes(VAULT, 3), US) as hall:
        people = await crowd(hall)
        stranger = await hall.member("stranger")
        code = await bet(hall, people)
        assert (await people["ada"][0].get(f"/records/{code}")).code == "round/unknown"  # it is not over
        await hall.until(TWO, "payout")
        for caller, expected in ((stranger, "round/unknown"), (hall.nobody, "login/required")):
            assert (await caller.get(f"/records/{code}")).code == expected


async def test_the_record_of_a_voided_round(database: Database, tmp_path: Path) -> None:
    """Nothing was paid; what was dealt can still be compared with the shoe, but for what was not shown."""

    phases: tuple[Phase, ...] = ("betting", "decisions")
    async with open_hall(database, CountedShoes(VAULT, 5), replace(US, options={"burn": True})) as hall:
        people, boss = await crowd(hall), await hall.member("boss", "supervisor")
        for phase in phases:
            code = await bet(hall, people)
            await hall.until(TWO, phase)
            assert (await boss.post(f"/rounds/{code}/void", {"reason": "a card fell"})).status == 204
            text, own = await record(people["ada"][0], code)
            assert (own.round.end, own.paid, own.bet[0].stake) == ("voided", (), 1_100)
            assert "a card fell" not in text
            assert len(own.cards) == {"betting": 1, "decisions": 5}[phase]
            assert verify(tmp_path, text)[0] == 0


@pytest.mark.rule("PLT-22")
async def test_seats_and_bets_behind(database: Database, tmp_path: Path) -> None:
    """Ada splits for nothing, bob behind her is split along; each record has its own lines."""

    # 8 8 against a nine: 18 and 18 after the split, the dealer's 9 8 is 17.
    async with open_hall(database, StackedShoes("8 9 8 8 10 10"), FREEBET) as hall:
        ada, bob = await hall.member("ada"), await hall.member("bob")
        hers, his = await hall.at(ada, ONE, spot=0), await hall.at(bob, ONE)
        await hall.until(ONE, "betting")
        await hers.bet(ONE, [Bet(0, "main", 1_100)])
        await his.bet(ONE, [Bet(0, "behind", 2_300)])
        await hall.until(ONE, "decisions")
        await hers.decide(ONE, "split")
        for _ in range(2):
            await hall.heard(ONE)
            await hers.decide(ONE, "stand")
        await hall.until(ONE, "payout")
        code = hall.desk(ONE).table.play.code
        for member, stake in ((ada, 1_100), (bob, 2_300)):
            text, own = await record(member, code)
            assert own.decisions == ("0.0 split free", "0.0 stand", "0.1 stand")
            lines = [(line.hand, line.why, line.stake, line.free, line.paid) for line in own.paid]
            assert lines == [(0, "initial", stake, 0, 2 * stake), (1, "split", 0, stake, stake)]
            assert verify(tmp_path, text)[0] == 0


# The back office


async def search(boss: Member, code: str, **query: Any) -> dict[str, Any]:
    asked = "&".join(f"{name}={value}" for name, value in query.items())
    answer = await boss.get(f"/rounds/{code}" + f"?{asked}" * bool(asked))
    assert answer.status == 200, answer.text
    body: dict[str, Any] = answer.body
    return body


def kinds(found: dict[str, Any]) -> set[str]:
    return {event["type"] for moment in found["moments"] for event in moment["events"]}


@pytest.mark.rule("PLT-60")
async def test_a_round_of_many_is_found_in_sum_and_player_by_player(database: Database) -> None:
    async with open_hall(database, StackedShoes("10 9 10 8"), MAJORITY) as hall:
        people, boss = await crowd(hall), await hall.member("boss", "supervisor")
        code = await bet(hall, people)
        found = await search(boss, code)
        staked = sum(STAKES.values()) + 300
        assert (found["state"], found["players"], found["staked"], found["lines"]) == ("open", 3, staked, [])
        assert sum(share["staked"] for share in found["shares"]) == staked
        first = await search(boss, code, limit=1)
        rest = await search(boss, code, after=first["next"])
        assert first["shares"] + rest["shares"] == found["shares"]
        bob = await search(boss, code, player="bob")
        assert [share["player"] for share in bob["shares"]] == [people["bob"][0].player]
        await hall.until(TWO, "decisions")
        for name in ("ada", "bob"):
            await people[name][1].vote(TWO, "stand")
        found = await search(boss, code)
        assert "bets-placed" not in kinds(found)
        (spot,) = next(
            event["spots"]
            for moment in found["moments"]
            for event in moment["events"]
            if event["type"] == "betting-closed"
        )
        assert (spot["backers"], spot["staked"], spot["mode"]) == (3, sum(STAKES.values()), "vote")
        await hall.until(TWO, "payout")
        found = await search(boss, code)
        # 20 against 17: everyone wins; 10 10 9 makes no 21+3.
        assert (found["table"], found["state"], found["players"]) == (TWO, "settled", 3)
        assert (found["staked"], found["paid"]) == (staked, 2 * sum(STAKES.values()))
        assert found["lines"] == [
            {"spot": 0, "hand": 0, "why": why, "result": result, "bets": 3, "staked": staked, "paid": paid}
            for why, result, staked, paid in (
                ("21+3", "lose", 300, 0),
                ("initial", "win", 8_100, 16_200),
            )
        ]
        (tally,) = [
            event["tally"]
            for moment in found["moments"]
            for event in moment["events"]
            if event["type"] == "acted"
        ]
        assert tally == [["stand", 2]]
        assert not kinds(found) & {"bets-placed", "vote-cast", "bet-settled", "player-paid", "consent-given"}
        numbers = [member.player for member, _ in people.values()]
        assert [share["player"] for share in found["shares"]] == numbers
        assert found["next"] is None


@pytest.mark.rule("PLT-60")
async def test_players_of_a_round_come_in_pages_or_one_by_one(database: Database) -> None:
    async with open_hall(database, StackedShoes("10 9 10 8"), MAJORITY) as hall:
        people, boss = await crowd(hall), await hall.member("boss", "supervisor")
        code = await play(hall, people)
        numbers = [member.player for member, _ in people.values()]
        first = await search(boss, code, limit=2)
        assert ([share["player"] for share in first["shares"]], first["next"]) == (numbers[:2], numbers[1])
        second = await search(boss, code, limit=2, after=first["next"])
        assert ([share["player"] for share in second["shares"]], second["next"]) == (numbers[2:], None)
        bob = await search(boss, code, player="BOB")
        assert bob["shares"] == [
            {"player": numbers[1], "staked": 2_400, "paid": 4_600, "golden": False},
        ]
        private = [
            event
            for moment in bob["moments"]
            for event in moment["events"]
            if event["type"] in ("bets-placed", "vote-cast", "bet-settled", "player-paid")
        ]
        assert {event["player"] for event in private} == {str(numbers[1])}
        assert {event["type"] for event in private} == {
            "bets-placed",
            "vote-cast",
            "bet-settled",
            "player-paid",
        }
        assert (bob["players"], bob["paid"]) == (3, 16_200)
        stranger = await hall.member("stranger")
        none = await search(boss, code, player="stranger")
        assert (none["shares"], "bet-settled" in kinds(none)) == ([], False)
        answer = await boss.get(f"/rounds/{code}?player=nobody")
        assert (answer.status, answer.code) == (404, "player/none")
        for query in ("limit=0", "limit=101", "after=-1", "player=", "x=1"):
            assert (await boss.get(f"/rounds/{code}?{query}")).code == "request/bad"
        assert (await stranger.get(f"/rounds/{code}")).code == "login/role"
