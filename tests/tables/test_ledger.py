"""PLT-03: every cent of every game moves by double entry, under a key of its round, and none is made or lost."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from sabot.engine import Bet
from sabot.engine.commands import AddMoney, AnyCommand, Consent, Deal, PlaceBets
from sabot.errors import Refusal
from sabot.games import find
from sabot.store.database import Database
from tests.support.ledger import balances, check_all, check_ledger, rows
from tests.support.players import GAMES
from tests.support.room import DEPOSITED, Room, live
from tests.support.shoes import StackedShoes

ROUNDS = 4


def shuffled(game: str) -> StackedShoes:
    """Shoes of few ranks, so that there is something to decide, and wheels that end everywhere."""
    rng = Random(game)
    ranks = ["A", "5", "6", "8", "9", "10", "K"]
    cards = [" ".join(rng.choices(ranks, k=120)) for _ in range(2 * ROUNDS)]
    return StackedShoes(*cards, draws=[[rng.randrange(4) for _ in range(200)] for _ in cards])


def bets(room: Room, rng: Random) -> tuple[Bet, ...]:
    """Main bets on two spots, and each side bet now and then."""
    rules = room.config.game.rules
    placed = [Bet(spot, "main", rng.choice((200, 301, 500))) for spot in range(min(2, rules.spots))]
    placed += [Bet(-1 if side.once else 0, side.name, 100) for side in rules.side_bets if rng.random() < 0.5]
    return tuple(placed)


def commands(room: Room, rng: Random, players: int) -> Iterator[AnyCommand]:
    """Legal play to the end of a round; doubles and splits where they may be, money in between."""
    round = room.table.current.round
    if round.phase == "betting":
        for player in map(str, range(1, players + 1)):
            yield Consent(player, double=True, split=True)
            seat = bets(room, rng)
            if round.rules.backing == "seats":
                seat = (Bet(int(player), "main", 300), Bet(1, "behind", 200)) if player != "1" else seat[1:2]
            yield PlaceBets(player, seat)
        yield Deal()
    while not round.over:
        if rng.random() < 0.1:
            yield AddMoney("1", rng.randint(1, 500))
        moves = list(round.legal())
        bold = [move for move in moves if type(move).__name__ in ("Double", "Split", "Cashback")]
        yield rng.choice(bold or moves)


def play(room: Room, rng: Random, players: int) -> None:
    if room.config.game.rules.backing == "solo":
        room.take(room.table.deal(1, bets(room, rng), "x", room.now))
    else:
        live(room)
    for command in commands(room, rng, players):
        try:
            room.do(command)
        except Refusal:
            continue
        check_ledger(room.database)
        assert in_play(room, players) == players * DEPOSITED


def in_play(room: Room, players: int) -> int:
    """All money but what is outside the house."""
    return sum(amount for name, amount in balances(room.database).items() if not name.startswith("cashier"))


def keyed(room: Room) -> list[tuple[Any, ...]]:
    """Every transfer with the row of the log it belongs to."""
    return rows(
        room.database,
        "SELECT log.round, log.kind, transfers.key, transfers.debit, transfers.credit FROM transfers"
        " JOIN log ON log.stream = transfers.stream AND log.n = transfers.n",
    )


@pytest.mark.sampled
@pytest.mark.rule("PLT-03")
@pytest.mark.parametrize("game", GAMES)
def test_every_movement_is_a_transfer_of_its_round(database: Database, game: str) -> None:
    players = 1 if find(game).rules.backing == "solo" else 3
    room = Room(database, game, shuffled(game), players=players, bring=20_000)
    rng = Random(game)
    for _ in range(ROUNDS):
        play(room, rng, players)
        room.check()
    for player in range(1, players + 1):
        room.leave(player)
    check_all(database)
    assert in_play(room, players) == players * DEPOSITED
    # The keys are unique by constraint; each names its round, its sitting or the request it answers.
    transfers = keyed(room)
    assert len(transfers) == len(rows(database, "SELECT key FROM transfers"))
    for code, kind, key, debit, credit in transfers:
        if room.table.escrow in (debit, credit):
            assert key.startswith(f"{code}/")
        elif kind in ("sit", "add-money", "leave"):
            assert key.startswith("sitting/")
        else:
            assert (kind, key.split("/")[0]) == ("deposit", "cashier")
    # What a round put into escrow came out of it again.
    left = rows(
        database,
        f"SELECT log.round, sum(CASE WHEN credit = {room.table.escrow} THEN amount ELSE -amount END) AS rest"
        " FROM transfers JOIN log ON log.stream = transfers.stream AND log.n = transfers.n"
        f" WHERE {room.table.escrow} IN (debit, credit) GROUP BY log.round",
    )
    assert len(left) == ROUNDS
    assert {rest for _, rest in left} == {0}
