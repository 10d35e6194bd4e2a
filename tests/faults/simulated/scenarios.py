"""The stories that are told to the simulator: short ones for every crash point, long ones for many crashes."""

from __future__ import annotations

from sabot.engine import Bet
from sabot.engine.commands import (
    Cashback,
    Consent,
    Continue,
    Double,
    Hit,
    Insure,
    PlaceBets,
    Spin,
    Split,
    Stand,
    Surrender,
)
from sabot.games import find
from sabot.games.options import TableOptions
from sabot.tables.config import TableConfig
from sabot.tables.table import Table
from tests.faults.client import NOTHING, WAIT, Choice, Client, Story
from tests.faults.simulated.presenter import played_at
from tests.faults.simulated.shoes import ace_up, blackjack, pair, to_double
from tests.faults.simulated.simulation import Scenario

CAP = 100_000


def solo(client: str, game: str) -> TableConfig:
    """A player's own table of a game."""
    return TableConfig(name=f"solo/{client}/{game}", game=find(game), cap=CAP)


def live(name: str, game: str, cut: int = 208) -> TableConfig:
    """A live table with room for few rounds in a shoe."""
    return TableConfig(name=f"live/{name}", game=find(game), options=TableOptions(cut=cut, vote_threshold=2))


# Stories of one player


async def come(me: Client, deposit: int) -> None:
    """Register and bring money."""
    await me.register()
    await me.deposit(deposit)


async def go(me: Client) -> None:
    """Take some of the money home, and try to take more than there is."""
    await me.withdraw(100)
    refused = await me.withdraw(10**9)
    assert refused == "funds/insufficient", refused


async def decisions(me: Client) -> None:
    """Double, split and insure at a table of surrender; bring more on the way."""
    table = solo(me.name, "surrender")
    await come(me, 50_000)
    await me.sit(table, 20_000)
    await me.deal(table, (Bet(0, "main", 1_000),))
    await me.play(table, Double)
    await me.deal(table, (Bet(0, "main", 1_000),))
    await me.add_money(table, 500)
    await me.play(table, Split, Stand)
    await me.deal(table, (Bet(0, "main", 1_000), Bet(0, "21+3", 200)))
    await me.play(table, Insure, Hit)
    await me.leave(table)
    await go(me)


async def bonus(me: Client) -> None:
    """A blackjack with a LINK bet: wheel, table, spins, and the rest of the round."""
    table = solo(me.name, "link")
    await come(me, 30_000)
    await me.sit(table, 30_000)
    await me.deal(table, (Bet(0, "main", 1_000), Bet(0, "link", 500)))
    await me.play(table, Spin, Continue)
    await me.leave(table)
    await go(me)


async def sells(me: Client) -> None:
    """A hand is sold, a round is voided in its middle, and the player comes back."""
    table = solo(me.name, "cashback")
    await come(me, 30_000)
    await me.sit(table, 10_000)
    await me.deal(table, (Bet(0, "main", 1_000), Bet(1, "main", 400)))
    await me.play(table, Cashback)
    await me.deal(table, (Bet(0, "main", 1_000),))
    await me.move(table, Hit)
    await me.void(table)
    await me.leave(table)
    await me.sit(table, 5_000)
    await me.add_money(table, 700)
    await me.leave(table)


def plays(rounds: int, *games: str) -> Story:
    """Many rounds of solo games with any moves."""

    async def story(me: Client) -> None:
        await come(me, 200_000)
        for game in games:
            table = solo(me.name, game)
            await me.sit(table, 40_000)
            for _ in range(rounds):
                kinds = [bet.name for bet in table.game.rules.side_bets if not bet.once]
                sides = (Bet(0, me.whims.choice(kinds), 200),) if kinds and me.whims.random() < 0.5 else ()
                spots = range(me.whims.randint(1, 3))
                await me.deal(table, (*(Bet(spot, "main", 400) for spot in spots), *sides))
                await me.move(table)
                if me.whims.random() < 0.1:
                    await me.add_money(table, 100)
                if me.whims.random() < 0.05:
                    await me.void(table)
                await me.play(table, *me.whims.choice(((), (Double, Split), (Surrender, Cashback))))
            await me.leave(table)
        await go(me)

    return story


# Stories at live tables


def seated(table: TableConfig, rounds: int, bets: tuple[Bet, ...]) -> Story:
    """Bets in each round, votes and decides, and leaves when the table has played."""

    async def story(me: Client) -> None:
        await come(me, 50_000)
        await me.sit(table, 20_000)
        while await me.at_table(table, lambda table: _live_move(me, table, bets, rounds)) != NOTHING:
            await me.pause(1.2)
        await me.leave(table)

    return story


def restless(table: TableConfig, rounds: int, bets: tuple[Bet, ...]) -> Story:
    """As one who is seated, but brings money, stands up and sits down again whenever it comes to mind."""

    async def story(me: Client) -> None:
        await come(me, 90_000)
        await me.sit(table, 5_000)
        while await me.at_table(table, lambda table: _live_move(me, table, bets, rounds, 0.4)) != NOTHING:
            await me.pause(1.5)
            whim = me.whims.random()
            if whim < 0.15:
                await me.add_money(table, 300)
            if whim < 0.3:
                await me.leave(table)
                await me.pause(1.5)
                await me.sit(table, 1_000)
        await me.leave(table)

    return story


def _live_move(me: Client, table: Table, bets: tuple[Bet, ...], rounds: int, eager: float = 1.0) -> Choice:
    """What there is to do for a player at a live table."""
    name = str(me.player)
    if not table.in_round or table.current is None:
        return NOTHING if played_at(me.house, table) >= rounds else WAIT
    round = table.current.round
    if name not in round.book.purses or name not in table.sittings:
        return WAIT
    if round.phase == "betting":
        if not round.book.bets.get(name):
            return me.command(PlaceBets(name, bets)) if me.rng.random() < eager else WAIT
        if name not in round.book.consents:
            return me.command(Consent(name, me.rng.random() < 0.7, me.rng.random() < 0.7))
        return WAIT
    if round.phase == "offers":
        answers = [move for move in round.legal() if isinstance(move, Insure) and move.player == name]
        return me.command(me.rng.choice(answers)) if answers else WAIT
    votes = round.legal_votes(name)
    if votes:
        return me.command(me.rng.choice(votes))
    if round.turn is not None and round.book.owners.get(round.turn[0]) == name and me.rng.random() < 0.8:
        return me.command(me.rng.choice(round.legal()))
    return WAIT


def _box(*spots: int, side: str = "") -> tuple[Bet, ...]:
    bets = tuple(Bet(spot, "main", 400) for spot in spots)
    return (*bets, Bet(spots[0], side, 100)) if side else bets


MAJORITY = live("majority", "majority-eu")
FREEBET = live("freebet", "freebet")

#: Each of these is run once for every fault at every commit.
SHORT = (
    Scenario(
        "decisions",
        {"ada": decisions},
        wishes=(to_double, pair, ace_up),
        shows=frozenset({"double", "split", "insure", "add-money", "hit", "stand", "leave", "withdraw"}),
        seed=7,
    ),
    Scenario(
        "bonus",
        {"ada": bonus},
        wishes=(blackjack,),
        shows=frozenset({"spin", "continue"}),
        seed=51,
    ),
    Scenario("sells", {"ada": sells}, shows=frozenset({"cashback", "void", "leave"})),
    Scenario(
        "majority",
        {
            "ada": seated(MAJORITY, 1, _box(0, 1, side="top-3")),
            "bob": seated(MAJORITY, 1, _box(0)),
            "cy": seated(MAJORITY, 1, _box(0, side="buster")),
        },
        live=((MAJORITY, 1),),
        shows=frozenset({"vote", "consent", "round-opened", "shoe-committed", "shoe-seeded", "deal"}),
        seed=13,
    ),
    Scenario(
        "freebet",
        {
            "ada": seated(FREEBET, 1, _box(0, 1)),
            "bob": seated(FREEBET, 1, (Bet(2, "main", 400), Bet(0, "behind", 300))),
            "cy": seated(FREEBET, 1, (Bet(0, "behind", 500),)),
        },
        live=((FREEBET, 1),),
        shows=frozenset({"consent", "round-opened", "deal", "stand"}),
        seed=14,
    ),
    Scenario(
        "upgrade",
        {"ada": plays(1, "surrender"), "bob": seated(MAJORITY, 1, _box(0, 1))},
        live=((MAJORITY, 1),),
        other_engines=1.0,
        seed=15,
    ),
)

#: This one is run for two crashes in a row: the second while the house comes back.
RECOVERY = Scenario(
    "recovery",
    {"ada": plays(2, "surrender"), "bob": seated(MAJORITY, 2, _box(0, 1))},
    live=((MAJORITY, 2),),
    other_engines=1.0,
    seed=15,
)


def long(rounds: int = 4) -> Scenario:
    """Everything at once: solo players and two live tables, for many crashes."""
    majority, freebet = live("majority", "majority-us", 40), live("freebet", "freebet", 60)
    return Scenario(
        "long",
        {
            "ada": plays(rounds, "surrender", "link"),
            "bob": plays(rounds, "cashback"),
            "cy": seated(majority, rounds, _box(0, 1, side="buster")),
            "dee": seated(majority, rounds, _box(0)),
            "eve": restless(majority, rounds, _box(1)),
            "fay": seated(freebet, rounds, (Bet(0, "main", 400), Bet(3, "main", 500))),
            "gil": restless(freebet, rounds, (Bet(0, "behind", 300), Bet(3, "behind", 200))),
        },
        live=((majority, rounds), (freebet, rounds)),
        other_engines=0.05,
    )
