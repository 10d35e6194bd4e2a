"""A page that is loaded again shows what the page before it saw: results by hand and in sum, side bets, seeds."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.engine.events import BetSettled, PlayerPaid, RoundVoided, SideBetDecided
from sabot.protocol import messages
from sabot.store.database import Database
from sabot.tables.live.events import ShoeRevealed
from tests.support.served import Served, main, seated, served, until_over
from tests.support.shoes import StackedShoes


def folded(events: list[messages.TableEvent]) -> tuple[messages.PublicOutcome, messages.Results]:
    """What a page makes of everything it was told of a round."""
    settled: list[BetSettled] = []
    sides: list[SideBetDecided] = []
    paid, revealed, voided = None, None, None
    for event in events:
        match event:
            case SideBetDecided():
                sides.append(event)
            case BetSettled():
                settled.append(event)
            case PlayerPaid():
                paid = event
            case RoundVoided(reason=reason):
                settled, paid, voided = [], None, reason
            case ShoeRevealed():
                revealed = event
    return messages.PublicOutcome(tuple(sides), revealed, voided), messages.Results(tuple(settled), paid)


async def loaded_again(house: Served, table: str) -> tuple[messages.PublicOutcome, messages.Results]:
    """What a page is told that opens the table now."""
    _, player, game, _ = table.split("/")
    async with house.client(int(player)) as page:
        await page.open(game)
        state = page.tables[table]
        assert state.me is not None
        return state.snapshot.outcome, state.me.results


@pytest.mark.parametrize(
    ("game", "cards", "bets", "decisions", "settled"),
    [
        (
            # A blackjack, and 16 against a ten that stands and loses; the pair of the first hand loses too.
            "surrender",
            "A 10 10 K 6 8",
            [*main(1000, 500), Bet(0, "player-pair", 100)],
            [("stand", {})],
            [0, 3],
        ),
        (
            # Insurance is lost when the dealer has looked, while the hand is still open.
            "surrender",
            "10 A 9 8",
            main(1000),
            [("insure", {"accept": True, "spot": 0}), ("stand", {})],
            [0, 1, 2],
        ),
        (
            # The bonus of the first hand is paid before the second hand decides.
            "link",
            "A 10 9 K 9 8",
            [*main(1000, 1000), Bet(0, "link", 200)],
            [("spin", {"spot": 0}), ("stand", {})],
            [0, 1, 3],
        ),
    ],
)
async def test_a_page_loaded_again_is_told_what_the_first_one_saw(
    database: Database,
    game: str,
    cards: str,
    bets: list[Bet],
    decisions: list[tuple[str, dict[str, Any]]],
    settled: list[int],
) -> None:
    """After the deal and after every decision, to the last event; and the next round begins with nothing."""

    async with (
        served(database, StackedShoes(cards, "10 9 K 8", draws=[[850]])) as house,
        seated(house, game) as (client, table),
    ):
        state = client.tables[table]
        await client.deal(table, bets)
        counts = [await compare(house, client, table)]
        for action, more in decisions:
            await (
                client.insure(table, **more) if action == "insure" else client.decide(table, action, **more)
            )
            counts.append(await compare(house, client, table))
        assert (state.over, counts) == (True, settled)
        paid = [event for event in state.events if isinstance(event, PlayerPaid)]
        assert state.me is not None
        assert [state.me.results.paid] == paid
        await client.deal(table, main(1000))
        assert await compare(house, client, table) == 0


async def compare(house: Served, client: PlayerClient, table: str) -> int:
    """Both pages show the same; gives how many lines are settled."""
    told = await loaded_again(house, table)
    assert told == folded(client.tables[table].events)
    return len(told[1].settled)


async def test_a_void_is_still_told_to_who_comes_later(database: Database) -> None:
    """What was settled before the void counts for nothing."""

    async with (
        served(database, StackedShoes("10 A 9 8", "10 9 K 8")) as house,
        seated(house, "surrender") as (client, table),
    ):
        await client.deal(table, main(1000))
        await client.insure(table, True, 0)
        assert await compare(house, client, table) == 1
        await house.registry.void(table, client.tables[table].round)
        await until_over(client, table)
        assert await compare(house, client, table) == 0
        outcome, results = await loaded_again(house, table)
        assert (outcome.voided, results) == ("malfunction", messages.Results())


async def test_a_table_read_back_knows_no_round_that_is_over(database: Database) -> None:
    async with (
        served(database, StackedShoes("10 9 K 8")) as house,
        seated(house, "surrender") as (client, table),
    ):
        await client.deal(table, main(1000))
        await client.decide(table, "stand")
        house.registry.solo.clear()
        assert await loaded_again(house, table) == (messages.PublicOutcome(), messages.Results())
