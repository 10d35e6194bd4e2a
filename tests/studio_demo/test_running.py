"""The whole demo: a house of its own with everything around it, and a house that is open already (STU-25)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import aiohttp
import pytest
from typer.testing import CliRunner

from sabot.cli.app import app
from sabot.client import PlayerClient, demo_token, get
from sabot.rounds.audit import audit_house
from sabot.server.config import DeviceSection, TableSection
from sabot.server.run import open_vault
from sabot.store.database import Database
from sabot.studio_demo.dealer import Dealer
from sabot.studio_demo.desk import PresenterAccount
from sabot.studio_demo.running import OpenHouse, VideoAddress, run_at, run_own
from sabot.studio_demo.settings import DemoKeys
from sabot.studio_demo.shoe import new_codes
from tests.support.clock import PATIENCE
from tests.support.hall import open_hall, until
from tests.support.shoes import StackedShoes
from tests.support.site import PASSWORD
from tests.support.whep import watching

ANYWHERE = VideoAddress("127.0.0.1", 0)


@pytest.mark.slow  # a whole studio
@pytest.mark.rule("STU-25")
async def test_one_command_opens_a_house_with_a_dealer_a_video_and_play_money(tmp_path: Path) -> None:
    dealers: list[Dealer] = []
    stop, url = asyncio.Event(), asyncio.get_running_loop().create_future()

    def opened(address: str, keys: DemoKeys) -> None:
        url.set_result(address)

    demo = asyncio.create_task(run_own(tmp_path, ["freebet"], 0, ANYWHERE, 0.01, opened, dealers, stop))
    async with asyncio.timeout(PATIENCE), aiohttp.ClientSession() as http:
        await asyncio.wait((demo, url), return_when=asyncio.FIRST_COMPLETED)
        token = await demo_token(http, await url)
        async with PlayerClient(await url, token, http) as player:
            await player.enter("live/freebet")
            await player.sit("live/freebet", 10_000, 0)
            state = player.tables["live/freebet"]
            await player.wait_for(lambda: state.phase == "betting")
            assert state.live is not None
            assert state.live.studio is not None
            assert state.live.studio.presenter == "carla"
        told = await get(http, await url, "/tables/freebet/video", token)
        assert [stream["quality"] for stream in told["streams"]] == ["720", "360"]
        async with watching(http, told["streams"][1]["whep"], told["token"]) as viewer:
            assert await viewer.clock() is not None
        stop.set()
        await demo
    database = Database(f"sqlite:///{tmp_path / 'sabot.db'}")
    try:
        assert audit_house(database, vault=open_vault(tmp_path / "sabot.key")).findings == []
    finally:
        database.close()


@pytest.mark.rule("STU-25")
async def test_the_demo_deals_at_a_table_of_an_open_house(database: Database, tmp_path: Path) -> None:
    codes, token = tmp_path / "codes.toml", "token-of-the-reading-shoe-" + "7" * 16
    codes.write_text(new_codes(1))
    table = TableSection(name="evening", game="majority-eu", currency="FUN", dealing="studio")
    shoe = DeviceSection(name="shoe-1", table="evening", token=token)
    async with open_hall(database, StackedShoes(), table, devices=(shoe,), codes=str(codes)) as hall:
        await hall.member("eva", "presenter")
        desks = {"evening": (PresenterAccount("eva", PASSWORD), token)}
        house = OpenHouse(hall.url, "sabot", desks, codes, tmp_path)
        addresses: list[str] = []
        demo = asyncio.create_task(run_at(house, ANYWHERE, 0.001, addresses.append, []))
        studio = hall.desk("live/evening").table.studio
        assert studio is not None
        await until(lambda: demo.done() or studio.shoes.in_use)
        demo.cancel()
        await asyncio.wait([demo])
        assert demo.cancelled()
        assert studio.shift.presenter == "eva"
        assert addresses[0].startswith("http://127.0.0.1:")


def test_what_the_command_needs_is_said() -> None:
    runner = CliRunner()
    strange = runner.invoke(app, ["studio-demo", "roulette", "--lang", "en"])
    assert strange.exit_code == 2
    assert "choose from freebet, majority-eu, majority-us" in strange.output
    missing = runner.invoke(app, ["studio-demo", "evening", "--server", "http://127.0.0.1:1", "--lang", "it"])
    assert missing.exit_code == 2
    assert "con --server indica TABLE" in missing.output
