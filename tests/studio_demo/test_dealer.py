"""The demo's dealer: whole shoes of every live game through the device interface, and readings that are lost (STU-25)."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import aiohttp
import pytest
import sqlalchemy
from aiohttp import ClientHandlerType, ClientRequest, ClientResponse

from sabot.client import PlayerClient, RequestError
from sabot.engine import Bet
from sabot.server.config import DeviceSection, TableSection
from sabot.server.studio.codes import read_codes
from sabot.store import schema
from sabot.store.database import Database
from sabot.studio_demo.broadcast import Scene
from sabot.studio_demo.dealer import Dealer
from sabot.studio_demo.desk import PresenterAccount, StudioDesk
from sabot.studio_demo.picture import FACE_DOWN
from sabot.studio_demo.shoe import PrintedCards, ShoeFile, new_codes
from tests.support.hall import Hall, open_hall
from tests.support.shoes import StackedShoes
from tests.support.site import PASSWORD

TOKEN = "token-of-the-demo-shoe-" + "7" * 16
TABLE = "live/evening"


class Evening:
    """A studio table with a dealer, and a player who always bets."""

    def __init__(self, hall: Hall, dealer: Dealer, desk: StudioDesk, scene: Scene, folder: Path) -> None:
        self.hall, self.dealer, self.desk, self.scene = hall, dealer, desk, scene
        self.codes = read_codes(str(folder / "codes.toml"))
        self.player: PlayerClient
        self._staked_in = ""

    async def go_on(self, rounds: int) -> None:
        """Deal so many rounds more; when the dealer has nothing to do the player acts, or time passes."""
        goal = self.dealer.paid + rounds
        while self.dealer.paid < goal:
            await self.step()

    async def step(self) -> None:
        """The dealer's next step, or the player's, or some time."""
        if not await self.dealer.act():
            await self.hall.heard(TABLE)
            if not await self._play() and self.hall.desk(TABLE).table.phases.due is not None:
                await self.hall.tick(TABLE)

    async def _play(self) -> bool:
        """Bet on everything; split and double what can be."""
        state = self.player.tables[TABLE]
        spots = state.own_seats or (0, 1)
        if state.phase == "betting" and self._staked_in != state.round:
            self._staked_in = state.round
            await self.player.bet(TABLE, [Bet(spot, "main", 100) for spot in spots])
            return True
        wanted = [option.action for option in state.options if option.action in ("split", "double")]
        if state.phase == "decisions" and wanted and state.own_seats:
            try:
                await self.player.decide(TABLE, wanted[-1])
            except RequestError:
                return False
            return True
        return False

    async def rows(self) -> Counter[str]:
        """How many rows of each kind the log has."""
        query = sqlalchemy.select(schema.log.c.kind, sqlalchemy.func.count()).group_by(schema.log.c.kind)
        house = self.hall.house.house
        return Counter(dict(await house.read(lambda c: [(kind, n) for kind, n in c.execute(query)])))


@asynccontextmanager
async def evening(
    database: Database, folder: Path, game: str, cut: int = 30, *, flaky: bool = False, **options: Any
) -> AsyncIterator[Evening]:
    """A house with a studio table, its dealer and a player with money at it."""
    (folder / "codes.toml").write_text(new_codes(8))
    section = TableSection(
        name="evening", game=game, currency="FUN", dealing="studio", options={"cut": cut} | options
    )
    device = DeviceSection(name="shoe-1", table="evening", token=TOKEN)
    codes = str(folder / "codes.toml")
    async with open_hall(database, StackedShoes(), section, devices=(device,), codes=codes) as hall:
        await hall.member("eva", "presenter")
        ada = await hall.member("ada")
        async with aiohttp.ClientSession(middlewares=[Losses()] if flaky else []) as session:
            desk = StudioDesk(
                session, hall.url, "evening", PresenterAccount("eva", PASSWORD), TOKEN, sleep=_at_once
            )
            scene = Scene()
            dealer = Dealer(desk, PrintedCards(read_codes(codes)), ShoeFile(folder / "shoe"), scene, cut=cut)
            found = Evening(hall, dealer, desk, scene, folder)
            spot = 0 if game == "freebet" else None
            found.player = await hall.at(ada, TABLE, bring=100_000, spot=spot)
            if game != "freebet":
                await found.player.consent(TABLE, True, True)
            yield found


async def _at_once(seconds: float) -> None:
    await asyncio.sleep(0)


class Losses:
    """Every third reading is lost on its way to the house, and the answer of the one after it on its way back."""

    def __init__(self) -> None:
        self._readings = 0

    async def __call__(self, request: ClientRequest, handler: ClientHandlerType) -> ClientResponse:
        if request.method != "POST" or not request.url.path.endswith("/scans"):
            return await handler(request)
        self._readings += 1
        if self._readings % 3 == 0:
            raise aiohttp.ClientConnectionError("lost on its way")
        response = await handler(request)
        if self._readings % 3 == 1:
            await response.read()
            raise aiohttp.ClientConnectionError("the answer was lost")
        return response


@pytest.mark.slow  # whole shoes
@pytest.mark.rule("STU-25", "STU-01", "STU-07")
@pytest.mark.parametrize(
    ("game", "options"),
    [("freebet", {}), ("majority-eu", {}), ("majority-us", {}), ("majority-us", {"burn": True})],
)
async def test_a_shoe_of_each_game_is_dealt_to_its_cut_card_and_the_books_are_right(
    database: Database, tmp_path: Path, game: str, options: dict[str, Any]
) -> None:
    async with evening(database, tmp_path, game, **options) as demo:
        while (await demo.rows())["shoe-in-use"] < 2:
            await demo.go_on(1)
            await demo.dealer.act()
        rows = await demo.rows()
        assert rows["show-cut-card"] == 1
        assert rows["shoe-counted"] == 1
        assert rows["shoe-shuffled"] == 2
        assert rows["shoe-arrived"] == rows["shoe-checked"] == 2
        assert rows["scan-refused"] == 0
        assert demo.dealer.dealt >= 30
        assert rows["card"] >= demo.dealer.dealt
        console = await demo.desk.console()
        assert (console.shoe, console.paused) == ("B", "")
        await demo.go_on(1)
        await demo.hall.check(replay=True)


@pytest.mark.rule("STU-25", "STU-05")
async def test_readings_that_are_lost_are_sent_again_and_deal_one_card_each(
    database: Database, tmp_path: Path
) -> None:
    async with evening(database, tmp_path, "freebet", cut=200, flaky=True) as demo:
        await demo.go_on(4)
        assert demo.desk.repeated > 8
        rows = await demo.rows()
        assert rows["scan-refused"] == 0
        console = await demo.desk.console()
        assert console.dealt == demo.dealer.dealt
        assert rows["card"] == console.scan
        await demo.hall.check(replay=True)


@pytest.mark.rule("STU-25")
async def test_the_camera_sees_the_cards_of_the_round_and_no_hole_card(
    database: Database, tmp_path: Path
) -> None:
    async with evening(database, tmp_path, "majority-us", cut=200) as demo:
        seen = []
        while demo.dealer.paid < 2:
            await demo.step()
            seen.append(demo.scene.cards)
        assert () in seen
        longest = max(seen, key=len)
        assert len(longest) >= 4
        assert any(cards.count(FACE_DOWN) == 1 for cards in seen)
        assert all(cards.count(FACE_DOWN) <= 1 for cards in seen)
        assert any(len(cards) >= 4 and FACE_DOWN not in cards for cards in seen)


@pytest.mark.rule("STU-24", "STU-25")
async def test_the_camera_sees_the_hole_card_as_soon_as_it_is_turned(
    database: Database, tmp_path: Path
) -> None:
    async with evening(database, tmp_path, "majority-us", cut=200) as demo:
        while (await demo.desk.console()).step != "turn":
            await demo.step()
        before = demo.scene.cards
        await demo.dealer.act()
        turned = [card for card, lay in zip(demo.scene.cards, before, strict=True) if lay == FACE_DOWN]
        assert len(turned) == 1
        assert FACE_DOWN not in demo.scene.cards


@pytest.mark.rule("STU-25")
async def test_a_dealer_who_starts_again_goes_on_with_the_same_shoe(
    database: Database, tmp_path: Path
) -> None:
    async with evening(database, tmp_path, "majority-us", cut=200) as demo:
        await demo.go_on(1)
        while (await demo.desk.console()).step != "turn":
            await demo.step()
        cards = PrintedCards(demo.codes)
        demo.dealer = Dealer(demo.desk, cards, ShoeFile(tmp_path / "shoe"), demo.scene, cut=200)
        await demo.go_on(2)
        rows = await demo.rows()
        assert (rows["scan-refused"], rows["shoe-in-use"]) == (0, 1)
        assert (await demo.desk.console()).paused == ""
        # Without the cards nobody can deal: the supervisor is called.
        lost = Dealer(demo.desk, cards, ShoeFile(tmp_path / "none"), demo.scene, cut=200)
        while (await demo.desk.console()).step != "card":
            await demo.step()
        assert await lost.act()
        assert (await demo.desk.console()).step == "paused"
        assert not await lost.act()


@pytest.mark.rule("STU-25", "STU-05")
async def test_the_dealer_takes_the_shoe_back_logs_in_again_and_ends_where_it_may_not_deal(
    database: Database, tmp_path: Path
) -> None:
    async with evening(database, tmp_path, "majority-eu", cut=200) as demo:
        await demo.go_on(1)
        await demo.desk.order("take-device", device="console")
        eva = await demo.hall.member("eva", path="/login")
        assert (await eva.post("/logout-everywhere")).status == 204
        await demo.go_on(1)
        rows = await demo.rows()
        assert rows["device-taken"] == 2  # by the presenter, by the dealer
        assert rows["card"] == (await demo.desk.console()).scan
        await demo.hall.check(replay=True)
        await demo.hall.member("bob")
        account = PresenterAccount("bob", PASSWORD)
        stranger = StudioDesk(demo.hall.http, demo.hall.url, "evening", account, TOKEN)
        dealer = Dealer(stranger, PrintedCards(demo.codes), ShoeFile(tmp_path / "none"), demo.scene, cut=200)
        with pytest.raises(RequestError, match="login/role"):
            await dealer.act()
