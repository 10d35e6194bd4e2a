"""Nobody acts on what is their own: rounds, tables, balances, the own account; and nobody bets where they work."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.server.config import OfficeConfig
from sabot.server.http.routes import ROUTES
from sabot.store.database import Database
from sabot.store.kinds import Role
from sabot.store.register import Register
from tests.cluster.test_remote_tables import TABLE, supervisor, two_nodes
from tests.server.accounts.test_known_limits import reads
from tests.server.http.test_access import BODIES
from tests.support.cluster.house import cluster
from tests.support.databases import KINDS
from tests.support.hall import BROUGHT, FREEBET, MAJORITY, Hall, Member, open_hall
from tests.support.house import VAULT, CountedShoes
from tests.support.refused import ask_refused
from tests.support.shoes import StackedShoes
from tests.support.site import Site
from tests.support.site import two_nodes as sites
from tests.support.studio import STUDIO, studio_table

#: The kind of database makes no difference here, but for two who decide at once.
KIND = "sqlite"
ONE, TWO = "live/one", "live/two"
#: 20 against a nine with an eight below: it waits for the player, and wins.
OPEN = "10 9 K 8"
REASON = {"reason": "a look at it"}
ALONE = OfficeConfig(two_people=False, second_factor=False)
STAFF: tuple[Role, ...] = ("presenter", "supervisor", "administrator")
#: What operators order that names nobody, no table and no round in its path.
NAMELESS = {
    "POST /office/monitoring/seen",
    "POST /office/self-check",
    "POST /office/self-check/accept",
    "POST /office/proposals",
    "POST /office/proposals/{id}/approve",
    "POST /office/proposals/{id}/reject",
}


async def told(hall: Hall) -> list[tuple[int | None, str | None, str | None]]:
    """The events of what was tried: who, at which table, in which round."""
    await hall.house.house.events.flush()
    eve = await hall.member("eve", "auditor")
    found = (await eve.get("/office/events?kind=own-order&order=oldest")).body["events"]
    return [(event["player"], event["table"], event["round"]) for event in found]


async def in_play(hall: Hall, who: Member) -> PlayerClient:
    """Someone at seat 0 of the live table with a bet of 10.00, who has to decide."""
    client = await hall.at(who, ONE, spot=0)
    await hall.until(ONE, "betting")
    await client.bet(ONE, [Bet(0, "main", 1_000)])
    await hall.until(ONE, "decisions")
    return client


def own_paths(who: Member, table: str, code: str) -> list[tuple[str, str, Any]]:
    """Every order that names what is someone's own, with a body that it takes."""
    named = {"name": who.name, "player": who.player, "table": table, "code": code}
    return [
        (route.method, route.path.format(**named, id=1), BODIES.get((route.method, route.path)))
        for route in ROUTES
        if route.acts and route.name not in NAMELESS
    ]


@pytest.mark.rule("OFF-06", "ASR-33")
async def test_no_order_of_any_route_is_about_what_is_the_operators_own(database: Database) -> None:
    """A player with a bet becomes an administrator: nothing is done to that table, that round or that account by her."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET, office=ALONE) as hall:
        ann, bob = await hall.member("ann"), await hall.member("bob", "administrator")
        client = await in_play(hall, ann)
        code = client.tables[ONE].round
        await hall.appoint(ann.player, "administrator")
        orders = own_paths(ann, "one", code)
        assert len(orders) > 15
        rows = await hall.rows()
        for method, path, body in orders:
            assert (await ann(method, path, body)).code == "operator/own", path
        assert await hall.rows() == rows
        events = await told(hall)
        assert len(events) == len(orders)
        assert {event[0] for event in events} == {ann.player}
        assert (ann.player, ONE, code) in events
        # Another operator may, and it is her table again when she has gone.
        assert (await bob.post("/players/ann/vip", {"vip": 1, **REASON})).status == 200
        await client.decide(ONE, "stand")
        await hall.until(ONE, "payout")
        await client.leave(ONE)
        assert (await ann.post("/tables/one/pause", REASON)).status == 204
        await hall.check()


@pytest.mark.rule("OFF-06", "PLT-32")
async def test_nobody_voids_an_own_solo_round(database: Database) -> None:
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        ann, bob = await hall.member("ann", "supervisor"), await hall.member("bob", "supervisor")
        client = await hall.at(ann, ONE, bring=0)
        name = await client.open("surrender", "FUN")
        await client.sit(name, BROUGHT)
        await client.deal(name, [Bet(0, "main", 1_000)])
        code = client.tables[name].round
        assert (await ann.post(f"/rounds/{code}/void", REASON)).code == "operator/own"
        assert await told(hall) == [(ann.player, name, code)]
        assert not client.tables[name].over
        assert (await bob.post(f"/rounds/{code}/void", REASON)).status == 204
        await client.wait_for(lambda: client.tables[name].over)


@pytest.mark.rule("OFF-06", "MAJ-50")
async def test_golden_chips_are_no_way_round(database: Database) -> None:
    """Ada sits at the boxes with golden chips when she becomes a supervisor: she bets none of them."""
    async with open_hall(database, StackedShoes(OPEN), MAJORITY, office=ALONE) as hall:
        ada, bob = await hall.member("ada"), await hall.member("bob", "administrator")
        gift = {"id": "g", "currency": "FUN", "value": 500, "count": 2, **REASON, "public": "for playing"}
        assert (await bob.post("/players/ada/golden", gift)).status == 200
        client = await hall.at(ada, TWO)
        await hall.until(TWO, "betting")
        assert (await bob.post("/players/ada/role", {"role": "supervisor", **REASON})).body[
            "state"
        ] == "approved"
        await ask_refused("operator/own", client.bet(TWO, [Bet(0, "main", 0, (500,))]))
        await hall.check()


@pytest.mark.rule("OFF-06", "CLU-10")
async def test_a_house_of_several_nodes_reads_nothing_more_for_the_role(file_url: str) -> None:
    """What a bet for euros reads has the role in it; one for play money goes by what other nodes have said."""
    async with Site(file_url) as site:
        caller = await site.join("ada")
        login = await site.players.find(caller.token)
        assert login is not None
        await site.players.confirm(login)
        with patch.object(site.house, "shared", True):
            assert await reads(site, lambda: site.players.role_of(login, anew=False)) == 0
            assert await reads(site, lambda: site.players.role_of(login, anew=True)) == 1


@pytest.mark.rule("OFF-06")
@pytest.mark.parametrize("role", STAFF)
async def test_who_presents_or_supervises_does_not_bet_at_live_tables(database: Database, role: Role) -> None:
    """Neither with the role before the socket is opened, nor since; bets of before can be taken back, not raised."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET, office=ALONE) as hall:
        ann, ada = await hall.member("ann", role), await hall.member("ada")
        looks = await hall.at(ann, ONE, bring=0)
        for spot in (None, 1):
            await ask_refused("operator/own", looks.sit(ONE, 1_000, spot))
        client = await hall.at(ada, ONE, spot=0)
        await hall.until(ONE, "betting")
        await client.bet(ONE, [Bet(0, "main", 1_000)])
        bob = await hall.member("bob", "administrator")
        assert (await bob.post("/players/ada/role", {"role": role, **REASON})).body["state"] == "approved"
        await ask_refused("operator/own", client.bet(ONE, [Bet(0, "main", 2_000)]))
        await ask_refused("operator/own", client.add_money(ONE, 1_000))
        await client.bet(ONE, [])
        await ask_refused("operator/own", client.bet(ONE, [Bet(0, "main", 1_000)]))
        assert [event[:2] for event in await told(hall)] == [(ann.player, ONE)] * 2 + [(ada.player, ONE)] * 3
        await client.leave(ONE)
        name = await looks.open("surrender", "FUN")  # alone with the house she may
        await looks.sit(name, BROUGHT)
        await looks.deal(name, [Bet(0, "main", 1_000)])
        await hall.check()


@pytest.mark.rule("OFF-06", "OFF-10", "OFF-16")
async def test_nobody_decides_a_proposal_about_what_is_their_own(database: Database) -> None:
    """Not the own role, nor a table or a game at which one has money; to stop one is never refused."""
    async with open_hall(
        database, StackedShoes(OPEN), FREEBET, office=OfficeConfig(second_factor=False)
    ) as hall:
        ann, bob = await hall.member("ann", "administrator"), await hall.member("bob", "administrator")
        eve = await hall.member("eve", "administrator")

        async def propose(by: Member, **change: Any) -> Any:
            return await by.post("/office/proposals", {"change": change, **REASON})

        async def approved(by: Member, **change: Any) -> str:
            id = (await propose(bob, **change)).body["id"]
            code = (await by.post(f"/office/proposals/{id}/approve", REASON)).code
            assert (await eve.get(f"/office/proposals/{id}")).body["state"] == (
                "open" if code else "approved"
            )
            return code

        role = {"kind": "role", "player": "ann", "role": "auditor"}
        assert (await propose(ann, **role)).code == "operator/own"
        assert await approved(ann, **role) == "operator/own"
        waiting = (await propose(bob, **role)).body["id"]
        assert (await ann.post(f"/office/proposals/{waiting}/reject", REASON)).code == "operator/own"
        client = await hall.at(ann, ONE, bring=0)
        both = {"minimum": 100, "maximum": 2_000}
        limits = {"kind": "limits", "game": "surrender", "currency": "FUN"}
        limits["choices"] = [{"name": "standard", "main": both, "side": both}]  # type: ignore[assignment]
        name = await client.open("surrender", "FUN")
        await client.sit(name, BROUGHT)
        assert await approved(ann, **limits) == "operator/own"
        assert (await propose(ann, **limits)).code == "operator/own"
        assert await approved(ann, **{**limits, "game": "link"}) == ""
        stop = {"kind": "switch", "what": "game", "name": "surrender", "open": False}
        assert (await propose(ann, **stop)).body["state"] == "approved"
        assert await approved(ann, **{**stop, "open": True}) == "operator/own"
        await client.leave(name)
        assert await approved(ann, **{**stop, "open": True}) == ""


@pytest.mark.rule("OFF-06", "STU-09")
async def test_a_presenter_has_no_money_at_the_table_she_deals(database: Database, tmp_path: Path) -> None:
    """Neither who is on shift, nor who wants to be; nor corrects a supervisor a card for herself."""
    async with studio_table(database, tmp_path) as studio:
        hall = studio.hall
        own = await hall.at(studio.eva, f"live/{STUDIO.name}", bring=0)
        await ask_refused("operator/own", own.sit(f"live/{STUDIO.name}", 1_000))
        mia = await hall.member("mia")
        client = await hall.at(mia, f"live/{STUDIO.name}", spot=3)
        await hall.appoint(mia.player, "supervisor")
        for order in ({"type": "shift"}, {"type": "correct", "row": 1, "card": "2s", "why": "misread"}):
            assert (await mia.post("/studio/evening/orders", order)).code == "operator/own"
        assert (await mia.post("/studio/evening/cards", {"scan": 1, "card": "2s"})).code == "operator/own"
        assert (await mia.get("/studio/evening")).status == 200
        await client.leave(f"live/{STUDIO.name}")
        assert (await mia.post("/studio/evening/orders", {"type": "shift"})).status == 200
        await ask_refused("operator/own", client.sit(f"live/{STUDIO.name}", 1_000))


@pytest.mark.slow  # nodes of a cluster
@pytest.mark.rule("OFF-06", "CLU-12")
async def test_the_table_of_another_node_is_no_way_round(tmp_path: Path) -> None:
    async with cluster(tmp_path, FREEBET) as house:
        owner, other = await two_nodes(house)
        ann = await owner.served.player()
        far = await house.client(other, ann)
        await far.enter(TABLE)
        await far.sit(TABLE, 10_000, 2)

        def appoint(register: Register, at: int) -> None:
            register.give_role(None, ann, "supervisor", "hired", at)

        await owner.served.house.register(appoint)
        for node in (owner, other):
            calls = node.caller(ann)
            for what in ("pause", "void", "resume"):
                assert (await calls.post(f"/tables/one/{what}", REASON)).code == "operator/own"
        assert not owner.registry.live[TABLE].table.table.paused
        await far.leave(TABLE)
        await ask_refused("operator/own", far.sit(TABLE, 10_000, 2))
        boss = other.caller(await supervisor(owner))
        assert (await boss.post("/tables/one/pause", REASON)).status == 204


@pytest.mark.rule("OFF-03", "OFF-06")
async def test_who_locks_whom_goes_by_rank(database: Database) -> None:
    """A supervisor neither locks nor unlocks who stands as high; a presenter mutes no operator; administrators do both."""
    async with open_hall(database, StackedShoes(OPEN), FREEBET) as hall:
        roles: dict[str, Role] = {
            "eve": "auditor",
            "pia": "presenter",
            "sam": "supervisor",
            "ann": "administrator",
        }
        people = {name: await hall.member(name, role) for name, role in roles.items()}
        people["ada"] = await hall.member("ada")
        sue, bob = await hall.member("sue", "supervisor"), await hall.member("bob", "administrator")

        async def locks(by: Member, what: str) -> dict[str, str]:
            path = "/office/players/{}/{}"
            return {
                name: (await by.post(path.format(who.player, what), REASON)).code
                for name, who in people.items()
            }

        below = {"eve": "", "pia": "", "sam": "operator/rank", "ann": "operator/rank", "ada": ""}
        assert await locks(sue, "lock") == below
        assert await locks(bob, "lock") == dict.fromkeys(people, "")
        assert await locks(sue, "unlock") == below
        assert await locks(bob, "unlock") == dict.fromkeys(people, "")
        pia = await hall.member("pia", path="/login")
        for name, who in people.items():
            muted = await pia.post("/tables/one/mute", {"player": name, "minutes": 1, **REASON})
            assert muted.code == ("" if name == "ada" else "operator/rank"), who
        await hall.check()


@pytest.mark.rule("OFF-06")
@pytest.mark.parametrize("database_url", KINDS, indirect=True)
async def test_of_two_who_lock_each_other_one_stays(database_url: str) -> None:
    """At one node and at two: there is always one who can unlock the other."""
    shared = database_url.startswith("postgresql")
    shoes = CountedShoes(VAULT, 0)
    async with AsyncExitStack() as stack:
        if shared:
            one, other = await stack.enter_async_context(sites(database_url, shoes))
        else:
            one = other = await stack.enter_async_context(Site(database_url, shoes=shoes))
        callers = [await one.administrator("ann"), await one.administrator("bob")]
        paths = [f"/office/players/{(await who.get('/me')).body['player']}" for who in callers]
        callers[1].site = other
        for _ in range(5):
            answers = await asyncio.gather(
                callers[0].post(f"{paths[1]}/lock", REASON), callers[1].post(f"{paths[0]}/lock", REASON)
            )
            codes = [answer.code for answer in answers]
            assert sorted(codes) in (["", "login/required"], ["", "player/locked"])
            stays = codes.index("")
            assert (await callers[stays].post(f"{paths[1 - stays]}/unlock", REASON)).status == 204
            callers[1 - stays].token = (await one.come(("ann", "bob")[1 - stays])).body["token"]
