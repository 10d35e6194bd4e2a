"""Limits by game, currency and VIP level: as they are set, shown and enforced; and what may be brought to a table."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

from sabot.client import PlayerClient
from sabot.engine import DEALER, Bet
from sabot.engine.commands import Double
from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.games.options import LIMIT_CHOICES, LimitChoice, Limits, TableOptions
from sabot.protocol import requests
from sabot.rounds.shoes import ShoeSource
from sabot.server.config import Config, HouseConfig, LimitsSection, TableSection
from sabot.server.config_sources import load_config
from sabot.server.tables.limits import check_limits, choices_of, most_brought, most_staked
from sabot.server.tables.opening import check_section, table_config
from sabot.store.database import Database
from sabot.store.kinds import Currency
from sabot.tables.live.events import LimitsShown
from tests.support.hall import MAJORITY, Hall, open_hall
from tests.support.refused import ask_refused
from tests.support.served import main, served
from tests.support.shoes import StackedShoes
from tests.support.table import ADA, Table

WIN = "10 10 9 8"

SETTINGS = """
[[limits]]
name = "low"
games = ["surrender"]
currency = "EUR"
main = {minimum = 200, maximum = 1000}
side = {minimum = 300, maximum = 600}
max_win = 800000

[[limits]]
name = "high"
games = ["surrender"]
currency = "EUR"
vip = 1
main = {minimum = 5000, maximum = 30000}
side = {minimum = 300, maximum = 600}
cap = 700000

[[table]]
name = "two"
game = "majority-eu"
currency = "FUN"
"""


def settings(tmp_path: Path, text: str) -> Config:
    file = tmp_path / "sabot.toml"
    file.write_text(text)
    return load_config(file, {}, {}).config


def in_house(
    config: Config, file_url: str, shoes: ShoeSource, **more: Any
) -> AbstractAsyncContextManager[Hall]:
    return open_hall(Database(file_url), shoes, *config.table, limits=config.limits, **more)


async def solo(hall: Hall, name: str, currency: str, *, vip: int = 0) -> tuple[PlayerClient, str]:
    """Someone of a VIP level at the Surrender table, with much money."""
    member = await hall.member(name)
    house = hall.house.house
    await house.cashier(lambda cashier: cashier.deposit(member.player, "EUR", 1_000_000, "more", 1))
    if vip:
        boss = await hall.member("boss", "administrator")
        given = await boss.post(f"/players/{name}/vip", {"vip": vip, "reason": "a good guest"})
        assert given.status in (200, 204), given.text
    client = await hall.at(member, f"live/{MAJORITY.name}", bring=0)
    return client, await client.open("surrender", currency)


def shown(client: PlayerClient, table: str) -> dict[str, LimitsShown]:
    return {limit.name: limit for limit in client.tables[table].snapshot.limits}


@pytest.mark.rule("PLT-10", "PLT-11", "COM-54", "COM-25")
async def test_limits_are_set_by_game_currency_and_vip_level(file_url: str, tmp_path: Path) -> None:
    """What the settings say is what is shown, and what is enforced; other games and money keep what ships."""
    config = settings(tmp_path, SETTINGS)

    async with in_house(config, file_url, StackedShoes(WIN), sitting=12_300) as hall:
        client, table = await solo(hall, "ada", "EUR")
        # The lowest is all she has; without a cap of the operator's she may bring what she has.
        low = LimitsShown("low", (200, 1_000), (300, 600), 800_000, None, (100, 200))
        assert shown(client, table) == {"low": low}
        state = client.tables[table]
        assert (state.snapshot.options.main, state.snapshot.options.max_win) == (Limits(200, 1_000), 800_000)
        assert state.snapshot.sitting == 12_300
        await client.sit(table, 100_000)
        error = await ask_refused("bet/above-maximum", client.deal(table, main(1_001)))
        assert (error.params["minimum"], error.params["maximum"]) == (200, 1_000)
        await ask_refused("bet/below-minimum", client.deal(table, main(199)))
        await ask_refused("limits/unknown", client.send(requests.ChooseLimits("a", table, "high")))
        await client.deal(table, main(1_000))
        other = await client.open("link", "EUR")
        fun = await client.open("cashback", "FUN")
        assert list(shown(client, other)) == list(shown(client, fun)) == ["low", "standard"]
        answer = await hall.nobody.get("/games/surrender")
        told = {(limits["currency"], limits["name"]): limits for limits in answer.body["limits"]}
        assert told["EUR", "low"]["main"] == {"minimum": 200, "maximum": 1_000}
        assert (told["EUR", "high"]["vip"], told["EUR", "high"]["cap"], told["EUR", "high"]["yours"]) == (
            1,
            700_000,
            False,
        )
        assert ("FUN", "standard") in told
        assert ("EUR", "standard") not in told


@pytest.mark.rule("PLT-10", "COM-54")
async def test_a_vip_level_opens_more(file_url: str, tmp_path: Path) -> None:
    config = settings(tmp_path, SETTINGS)

    async with in_house(config, file_url, StackedShoes(WIN)) as hall:
        client, table = await solo(hall, "ada", "EUR", vip=1)
        assert list(shown(client, table)) == ["low", "high"]
        await client.send(requests.ChooseLimits("a", table, "high"))
        error = await ask_refused("funds/over-cap", client.sit(table, 700_001))
        assert error.params["cap"] == 700_000
        await client.sit(table, 200_000)
        await ask_refused("bet/below-minimum", client.deal(table, main(1_000)))
        await client.deal(table, main(30_000))


@pytest.mark.rule("PLT-10")
async def test_changed_limits_are_in_force_from_the_next_round(file_url: str, tmp_path: Path) -> None:
    """A round that was opened before the change is finished with its own, in a house that was started anew."""
    before, after = (
        settings(tmp_path, SETTINGS.replace("maximum = 1000", f"maximum = {maximum}"))
        for maximum in (1_000, 500)
    )

    shoes = StackedShoes("10 10 9 8 10")
    async with in_house(before, file_url, shoes) as hall:
        client, table = await solo(hall, "ada", "EUR")
        await client.sit(table, 10_000)
        await client.deal(table, main(1_000))
    async with in_house(after, file_url, shoes) as hall:
        member = await hall.member("ada", path="/login")
        client = await hall.at(member, f"live/{MAJORITY.name}", bring=0)
        table = await client.open("surrender", "EUR")
        view = client.tables[table].view
        assert view is not None
        assert shown(client, table)["low"].main == (200, 500)
        await client.decide(table, "double")
        me = client.tables[table].me
        assert me is not None
        assert me.balance == 10_000 - 2_000  # 19 and a card: over
        error = await ask_refused("bet/above-maximum", client.deal(table, main(501)))
        assert error.params["maximum"] == 500


#: Limits of every solo game with which a cap of 4,500.00 can be played.
SMALL = LimitsSection(name="low", main=Limits(100, 10_000), side=Limits(100, 2_500))


@pytest.mark.rule("PLT-04", "PLT-64")
@pytest.mark.parametrize(
    ("house_cap", "cap", "most"),
    [(None, None, None), (None, 400_000, 400_000), (450_000, None, 450_000), (450_000, 350_000, 350_000)],
)
async def test_the_cap_holds_at_live_tables(
    file_url: str, house_cap: int | None, cap: int | None, most: int | None
) -> None:
    """None where nothing is set, and the operator's own where it is: the house's, or the table's."""
    section = TableSection(
        name=MAJORITY.name, game=MAJORITY.game, options={"main": {"minimum": 100, "maximum": 25_000}}, cap=cap
    )
    config = Config(table=(section,), limits=(SMALL,))

    async with in_house(config, file_url, StackedShoes(WIN), sitting=12_300, sitting_cap=house_cap) as hall:
        member = await hall.member("ada")
        house = hall.house.house
        await house.cashier(lambda cashier: cashier.deposit(member.player, "EUR", 5_000_000, "more", 1))
        client = await hall.at(member, f"live/{section.name}", bring=0)
        snapshot = client.tables[f"live/{section.name}"].snapshot
        assert (snapshot.cap, snapshot.sitting) == (most, 12_300)
        if most is None:
            await client.sit(f"live/{section.name}", 5_000_000)
            return
        error = await ask_refused("funds/over-cap", client.sit(f"live/{section.name}", most + 1))
        assert error.params == {"amount": most + 1, "brought": most + 1, "cap": most}
        await client.sit(f"live/{section.name}", most)
        await ask_refused("funds/over-cap", client.add_money(f"live/{section.name}", 1))


@pytest.mark.rule("PLT-04", "PLT-64", "PLT-10")
async def test_who_has_left_may_bring_as_much_again(file_url: str) -> None:
    """The cap is of a sitting: to leave and sit down again is the way out where it is reached."""
    section = TableSection(
        name=MAJORITY.name,
        game=MAJORITY.game,
        options={"main": {"minimum": 100, "maximum": 500}},
        cap=130_000,
    )
    name = f"live/{section.name}"

    async with in_house(Config(table=(section,)), file_url, StackedShoes(WIN)) as hall:
        client = await hall.at(await hall.member("ada"), name, bring=0)
        await client.sit(name, 130_000)
        await ask_refused("funds/over-cap", client.add_money(name, 1))
        await client.leave(name)
        await client.sit(name, 130_000)


@pytest.mark.rule("PLT-10")
async def test_a_live_table_for_a_vip_level(file_url: str) -> None:
    """Everyone may look at it and sees its limits; only those of the level sit down."""
    section = TableSection(name="salon", game=MAJORITY.game, currency="FUN", vip=2)

    async with in_house(Config(table=(section,)), file_url, StackedShoes(WIN)) as hall:
        client = await hall.at(await hall.member("ada"), "live/salon", bring=0)
        error = await ask_refused("table/vip", client.sit("live/salon", 1_000))
        assert error.params == {"vip": 2, "yours": 0}
        (head,) = (await hall.nobody.get("/tables")).body["tables"]
        assert head["vip"] == 2


@pytest.mark.rule("PLT-04", "PLT-64")
def test_there_is_no_cap_unless_one_is_set() -> None:
    """At every table, of both kinds of money: solo at every limit, and live."""
    config = Config()
    check_limits(config)
    for currency in get_args(Currency):
        for name in CATALOGUE:
            for choice in choices_of(config, name, currency):
                assert most_brought(config, currency, choice.cap) is None
    for section in config.table:
        check_section(section, config)
        assert table_config(section, config).cap is None
    house = Config(house=HouseConfig(sitting_cap=7))
    assert (most_brought(house, "EUR", None), most_brought(house, "FUN", None)) == (7, None)
    assert most_brought(house, "EUR", 9) == 9


@pytest.mark.rule("PLT-64", "COM-23", "COM-24")
@pytest.mark.parametrize("choice", LIMIT_CHOICES, ids=lambda choice: choice.name)
@pytest.mark.parametrize("name", ["surrender", "cashback", "link"])
def test_what_a_cap_has_to_allow_is_what_the_engine_takes(name: str, choice: LimitChoice) -> None:
    """Every bet at its maximum, insurance, a split and both doubles on five hands take exactly that much, to the cent."""
    game = CATALOGUE[name]
    options = game.with_limits(choice)
    needed = most_staked(game, options, seats_each=1)
    spots = range(game.rules.spots)
    shoe = " ".join(["8"] * 5 + ["A"] + ["8"] * 5 + ["9"] + ["3 3 K K"] * 5)
    for purse, left in ((needed, 0), (needed + 1, 1)):
        table = Table(name, shoe, options=options, purse=purse)
        bets = [Bet(spot, "main", options.main.maximum) for spot in spots]
        for bet in game.rules.side_bets:
            places = (DEALER,) if bet.once else spots
            bets += [Bet(place, bet.name, options.limits(bet.name).maximum) for place in places]
        table.bet(*bets).deal(*(f"{spot} insure yes @ada" for spot in spots))
        for spot in spots:
            table.do(f"{spot}.0 split", f"{spot}.0 double")
            if spot < len(spots) - 1:
                table.do(f"{spot}.1 double")
        assert table.round.balance(ADA) == options.main.maximum + left
        assert table.round.turn == (len(spots) - 1, 1)
        table.round.verify(Double(len(spots) - 1, 1))


@pytest.mark.rule("PLT-64", "FRB-40", "FRB-20")
def test_at_seats_bets_behind_all_others_count() -> None:
    """Own seats with their side bets, bets behind the rest: 2 x (4.5 x 10.00 + 2 x 3.00) + 5 x 4.5 x 20.00."""
    options = TableOptions(main=Limits(100, 1_000), side=Limits(100, 300), behind=Limits(100, 2_000))
    freebet, majority = CATALOGUE["freebet"], CATALOGUE["majority-eu"]
    # A bet behind may be higher than a main bet: then seats are not taken.
    assert most_staked(freebet, options, seats_each=2) == 7 * 9_000
    even = msgspec.structs.replace(options, behind=Limits(100, 1_000))
    assert most_staked(freebet, even, seats_each=2) == 2 * (4_500 + 600) + 5 * 4_500
    without = msgspec.structs.replace(even, insurance=False, side_bets_off=("21+3",))
    assert most_staked(freebet, without, seats_each=1) == 4_000 + 300 + 6 * 4_000
    assert most_staked(majority, even, seats_each=2) == 2 * (4_500 + 6 * 300)
    own = msgspec.structs.replace(even, side_by_name={"top-3": Limits(100, 5_000)})
    assert most_staked(majority, own, seats_each=2) == 2 * (4_500 + 5 * 300 + 5_000)


@pytest.mark.rule("PLT-64", "PLT-10")
@pytest.mark.parametrize(
    ("config", "code", "says"),
    [
        (
            Config(house=HouseConfig(sitting_cap=24_099_999), table=()),
            "limits/settings",
            "241,000.00 or more",
        ),
        (
            Config(
                house=HouseConfig(sitting_cap=300_000),
                limits=(SMALL,),
                table=(TableSection(name="one", game="majority-eu"),),
            ),
            "table/settings",
            "5,700.00 or more",
        ),
        (
            Config(table=(TableSection(name="one", game="freebet", cap=15_789_999),)),
            "table/settings",
            "157,900.00 or more",
        ),
        (
            Config(limits=(LimitsSection(name="low", main=Limits(100, 10_000), cap=325_000 - 1),), table=()),
            "limits/settings",
            "3,350.00 or more",
        ),
        (
            Config(limits=(LimitsSection(name="low", games=("freebet",)),), table=()),
            "limits/settings",
            "solo game",
        ),
        (Config(limits=(LimitsSection(name="low", vip=1),), table=()), "limits/settings", "VIP level 0"),
        (Config(limits=(LimitsSection(name="low"),) * 2, table=()), "limits/settings", "more than once"),
        (
            Config(limits=(LimitsSection(name="low", games=("link",), max_win=1_000),), table=()),
            "limits/settings",
            "maximum win",
        ),
    ],
)
async def test_settings_that_contradict_each_other_are_refused_at_start(
    file_url: str, config: Config, code: str, says: str
) -> None:
    with pytest.raises(Refusal, match=says) as error:
        async with served(Database(file_url), StackedShoes(), config=config):
            raise AssertionError("the house has opened")
    assert error.value.code == code


async def test_the_house_has_the_operators_name(file_url: str) -> None:
    async with in_house(Config(table=(MAJORITY,)), file_url, StackedShoes(), name="Casa Ada") as hall:
        assert (await hall.nobody.get("/games")).body["house"] == "Casa Ada"
    assert choices_of(Config(), "link", "EUR") == LIMIT_CHOICES
