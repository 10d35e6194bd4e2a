"""A studio table of a house of two nodes: presenter and device at any of them, through a take-over and a hand-over (STU-04, CLU-04, CLU-12)."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabot.engine import Bet
from sabot.errors import Refusal
from sabot.server.cluster import messages
from sabot.server.cluster.errands import Errands
from sabot.server.cluster.placement import place
from sabot.server.config import StudioConfig
from sabot.server.http.dispatch import Asked, run_errand
from sabot.server.http.routes import ROUTES
from sabot.server.http.services import SERVICES
from sabot.tables.live.timers import Phase
from tests.support.cluster.house import Cluster, NodeUnderTest, cluster
from tests.support.hall import until
from tests.support.site import NEWCOMER, PASSWORD, Caller
from tests.support.studio import DEVICES, STUDIO, TABLE, TOKEN, code_of, write_codes


async def presenter(node: NodeUnderTest) -> Caller:
    """Eva, with a password."""
    body = {"name": "eva", "password": PASSWORD, "bearer": True, **NEWCOMER}
    answer = await node.caller("").post("/register", body)
    await node.served.house.register(
        lambda register, at: register.give_role(None, answer.body["player"], "presenter", "hired", at)
    )
    return node.caller(answer.body["token"])


async def order(eva: Caller, type: str, **about: object) -> str:
    """An order; gives what to do next."""
    answer = await eva.post("/studio/evening/orders", {"type": type, **about})
    assert answer.status == 200, answer.text
    return str(answer.body["step"])


async def until_phase(house: Cluster, node: NodeUnderTest, phase: Phase) -> None:
    """Put the clock on until the table is in a phase."""
    desk = node.registry.live[TABLE]
    while desk.table.phases.phase != phase:
        due = desk.table.phases.due
        assert due is not None
        house.clock.steady = max(house.clock.steady, due + 0.001)
        desk.wake()
        await until(lambda before=due: desk.table.phases.due != before)  # type: ignore[misc]


@pytest.mark.slow  # two nodes, a take-over and a hand-over
@pytest.mark.rule("STU-04", "STU-05", "STU-09", "STU-27", "CLU-04", "CLU-12", "CLU-20", "CLU-21")
async def test_a_round_is_dealt_through_another_node_and_goes_on_after_a_take_over_and_a_hand_over(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """19 against 17, the hole card dealt before and turned after another node took over; numbers of readings hold everywhere."""
    passed: list[messages.Errand] = []
    take = Errands.take

    def noted(errands: Errands, node: int, errand: messages.Errand) -> None:
        passed.append(errand)
        take(errands, node, errand)

    monkeypatch.setattr(Errands, "take", noted)
    studio = StudioConfig(codes=write_codes(tmp_path))
    async with cluster(tmp_path, STUDIO, device=DEVICES, studio=studio) as house:
        nodes = [await house.open("a"), await house.open("b")]
        falls_to = place([TABLE], [node.id for node in nodes])[TABLE]
        nodes.sort(key=lambda node: node.id != falls_to)
        owner, other = nodes
        await until(lambda: TABLE in owner.registry.live and all(node.registry.heads() for node in nodes))
        eva, far, near = await presenter(other), other.caller(TOKEN), owner.caller(TOKEN)
        assert other.registry.elsewhere is not None
        other.registry.elsewhere.lose(TABLE)  # who asks before the owner is known waits for it
        assert await order(eva, "shift") == "shoe"
        await order(eva, "change-shoe", label="A")
        ada = await house.client(other, await owner.served.player())
        await ada.enter(TABLE)
        await ada.sit(TABLE, 10_000, 0)
        assert await order(eva, "open-betting") == "betting"
        await until(lambda: ada.tables[TABLE].phase == "betting")
        await ada.bet(TABLE, [Bet(0, "main", 1_000)])
        await until_phase(house, owner, "dealing")
        assert await order(eva, "lock") == "locked"
        by = owner.registry.floor()[TABLE][1].locked
        assert by is not None
        await until(
            lambda: [state.locked for _, state in other.registry.floor().values()] == [by]
        )  # nodes tell each other
        for node in nodes:  # nothing goes out in her name, at tables of the other node either (STU-27)
            with pytest.raises(Refusal, match="locked"):
                node.registry.check_unlocked(by)
        sent = len(passed)
        for wrong in ({"type": "unlock", "password": "not this one"}, {"type": "end-shift"}):
            assert (await eva.post("/studio/evening/orders", wrong)).code == "login/wrong"
        assert len(passed) == sent
        assert await order(eva, "unlock", password=PASSWORD) == "card"
        unlocked = passed[-1]
        assert not any(word in one.body for one in passed for word in (PASSWORD.encode(), b"not this one"))
        assert await order(eva, "lock") == "locked"
        # Passed on without a word that the password was checked.
        (route,) = (route for route in ROUTES if route.name == unlocked.route)
        asked = Asked(unlocked.names, unlocked.query, unlocked.body)
        with pytest.raises(Refusal, match="Wrong username or password"):
            await run_errand(owner.served.app[SERVICES], route, asked, unlocked.login, None)
        assert await order(eva, "unlock", password=PASSWORD) == "card"

        for number, (shoe, card) in enumerate(((far, "10s"), (near, "7s"), (far, "9s"), (near, "10h")), 1):
            reading = {"scan": number, "code": code_of(card)}
            first = await shoe.post("/studio/evening/scans", reading)
            assert first.status == 200, first.text
            for again in (far, near):
                answer = await again.post("/studio/evening/scans", reading)
                assert (answer.status, answer.body["scan"]) == (200, number)
        stranger = other.caller(DEVICES[1].token)
        assert (await stranger.post("/studio/evening/scans", reading)).code == "scan/other-device"

        await owner.close()
        await until(lambda: TABLE in other.registry.live)
        assert (await eva.get("/studio/evening")).body["presenter"] == "eva"
        assert (await far.get("/studio/evening/scans")).body == {"scan": 4, "due": False}
        await until(lambda: ada.tables[TABLE].epoch == other.registry.live[TABLE].adapter.base.stream.epoch)
        await until(lambda: other.served.house.is_sure)  # the clock was put on
        await ada.decide(TABLE, "stand")
        for number, card, code in ((5, "10d", "card/not-the-hole"), (6, "10h", "table/paused")):
            reading = {"scan": number, "code": code_of(card)}
            assert (await far.post("/studio/evening/scans", reading)).code == code
        await other.registry.live[TABLE].order(lambda live: live.resume())
        assert (await far.post("/studio/evening/scans", {"scan": 7, "code": code_of("10h")})).status == 200
        await order(eva, "pay")
        await until(lambda: (me := ada.tables[TABLE].me) is not None and me.balance == 11_000)

        third = await house.open("c")
        await other.retire()
        await until(lambda: TABLE in third.registry.live)
        await until(lambda: third.registry.heads())
        console = (await eva.get("/studio/evening")).body
        assert (console["presenter"], console["shoe"], console["dealt"], console["scan"]) == (
            "eva",
            "A",
            4,
            7,
        )
        assert (await far.get("/studio/evening/scans")).body == {"scan": 7, "due": False}
