"""What nobody comes back to is ended: sittings after a while, open rounds after a day."""

from __future__ import annotations

import pytest
from sqlalchemy import Connection

from sabot.engine import Bet
from sabot.rounds.history import NoticeLine, history, notices
from sabot.server.tables.abandoned import sweep
from sabot.store.database import Database
from tests.support.served import DEPOSITED, Served, main, seated, served
from tests.support.shoes import StackedShoes

#: The kind of database makes no difference here.
KIND = "sqlite"

MINUTE, HOUR = 60_000, 3_600_000


async def account(house: Served, player: int) -> int:
    return await house.house.cashier(lambda cashier: cashier.balance(player, "FUN"))


async def test_an_idle_sitting_ends_and_its_money_goes_back_once(database: Database) -> None:
    async with served(database, StackedShoes("10 10 9 8")) as house:
        async with seated(house, "surrender") as (client, table):
            player = int(table.split("/")[1])
            house.clock.ms += 31 * MINUTE
            await sweep(house.registry)
            # A page is open on it: it stays.
            assert await account(house, player) == DEPOSITED - 10_000
            await client.deal(table, main(1000))
            await client.decide(table, "stand")
        for _ in range(2):
            house.clock.ms += 31 * MINUTE
            await sweep(house.registry)
            assert await account(house, player) == DEPOSITED + 1000
        assert await told(house, player) == [("money-returned", -1, "", 11_000)]


async def told(house: Served, player: int) -> list[tuple[str, int, str, int]]:
    """The notices of a player in the history, oldest first: what, where, detail and amount."""

    def read(connection: Connection) -> tuple[NoticeLine, ...]:
        return notices(connection, player, history(connection, player), None)

    lines = await house.house.read(read)
    return [(line.what, line.spot, line.detail, line.amount) for line in reversed(lines)]


@pytest.mark.rule("PLT-49")
async def test_what_was_done_while_a_player_was_away_is_told_until_the_player_sits_again(
    database: Database,
) -> None:
    """At the table, also after a restart, and in the history for good."""
    async with served(database, StackedShoes("10 A 9 9", "10 10 9 8")) as house:
        async with seated(house, "surrender") as (client, table):
            player = int(table.split("/")[1])
            await client.deal(table, main(1000))
        house.clock.ms += 25 * HOUR
        await sweep(house.registry)
        done = [
            ("insurance-refused", 0, "", 0),
            ("decided", 0, "stand", 0),
            ("money-returned", -1, "", 9_000),
        ]
        assert await told(house, player) == done
        for _ in range(2):
            async with house.client(player) as client:
                table = await client.open("surrender")
                me = client.tables[table].me
                assert me is not None
                assert [(one.what, one.spot, one.detail, one.amount) for one in me.notices] == done
            house.clock.ms += 31 * MINUTE
            await sweep(house.registry)  # the table is put away, and read back from its log
        async with house.client(player) as client:
            table = await client.open("surrender")
            await client.sit(table, 10_000)
            seen = client.tables[table].me
            assert seen is not None
            assert seen.notices == ()
        assert (await told(house, player))[:3] == done


@pytest.mark.rule("PLT-30")
@pytest.mark.parametrize("restart", [False, True], ids=["", "restarted"])
@pytest.mark.parametrize(
    ("game", "cards", "paid"),
    [
        # Two hands of 16 stand against the dealer's 17: both lose, nothing was surrendered.
        ("surrender", "10 10 10 6 6 7", 0),
        # The dealer's ace: insurance is refused, 19 loses to 20.
        ("surrender", "10 A 9 9", 0),
        # A blackjack against an ace: even money is refused, 3:2 is paid; its bonus is spun and pays 5 to 1 on 1.00.
        ("link", "A A K 8", 2500 + 600),
        # CASHBACK is never automatic: 12 stands against 10 7 and loses.
        ("cashback", "10 10 2 7", 0),
    ],
)
async def test_a_round_open_for_a_day_is_played_out(
    database: Database, game: str, cards: str, paid: int, restart: bool
) -> None:
    """Until then it waits, and the player is led back to it."""
    shoes = StackedShoes(cards, draws=[[0]])
    bets = main(1000, 1000) if cards.startswith("10 10 10") else main(1000)
    bets += [Bet(0, "link", 100)] if game == "link" else []
    staked = sum(bet.stake for bet in bets)
    found: dict[str, int] = {}

    async def begin(house: Served) -> None:
        async with seated(house, game) as (client, table):
            await client.deal(table, bets)
            assert not client.tables[table].over
            found["player"] = int(table.split("/")[1])
        house.clock.ms += 23 * HOUR
        await sweep(house.registry)
        async with house.client(found["player"]) as client:
            table = await client.open(game)
            assert not client.tables[table].over
        if not restart:
            await end(house)

    async def end(house: Served) -> None:
        house.clock.ms += 25 * HOUR
        if restart:
            house.clock.ms += 24 * HOUR
        await sweep(house.registry)
        await sweep(house.registry)
        player = found["player"]
        assert await account(house, player) == DEPOSITED - staked + paid
        page = await house.house.read(lambda connection: history(connection, player))
        assert [(line.state, line.staked, line.paid) for line in page.lines] == [("settled", staked, paid)]

    async with served(database, shoes) as house:
        await begin(house)
    if restart:
        again = Database(database.url.render_as_string(hide_password=False))
        async with served(again, shoes) as house:
            await end(house)
