"""Live rounds through the store: many players, one shoe, to the cent.

A box is dealt: first cards of the boxes, the up card, second cards; the dealer's second card comes at the end (EU).
"""

from __future__ import annotations

from typing import Any

import pytest

from sabot.engine import Bet
from sabot.engine.view import player_view
from sabot.errors import Refusal
from sabot.games.options import Limits, TableOptions
from sabot.store.database import Database
from tests.support.ledger import rows
from tests.support.room import BROUGHT, Room, live
from tests.support.shoes import StackedShoes

EU = "majority-eu"
#: Box 0 gets 6 5 under a 9 and doubles on a 10: 21; the dealer's 9 8 is 17.
DOUBLE = "6 9 5 10 8"

REOPENING = pytest.mark.parametrize("reopening", [False, True], ids=["", "reopened"])


def room_of(
    database: Database, *cards: str, players: int = 3, reopening: bool = False, **config: Any
) -> Room:
    return Room(database, EU, StackedShoes(*cards), players=players, reopening=reopening, **config)


@REOPENING
def test_bets_are_changed_and_withdrawn(database: Database, reopening: bool) -> None:
    """Live stakes are taken at once; a change moves the difference, one way or the other."""
    room = live(room_of(database, DOUBLE, reopening=reopening))
    assert room.bet(1, (0, "main", 1000)) == ["session 1 > escrow 1000"]
    assert room.bet(1, (0, "main", 700), (1, "main", 900)) == ["session 1 > escrow 600"]
    assert room.bet(1, (1, "main", 500), (1, "21+3", 100)) == ["escrow > session 1 1000"]
    assert room.bet(1, (1, "main", 500), (1, "21+3", 100)) == []
    assert room.bet(2, (0, "main", 250)) == ["session 2 > escrow 250"]
    assert room.bet(1) == ["escrow > session 1 600"]
    assert [room.session(i) for i in (1, 2, 3)] == [BROUGHT, BROUGHT - 250, BROUGHT]
    assert room.escrow == 250
    room.check()


@REOPENING
def test_who_follows_a_double_pays_for_it(database: Database, reopening: bool) -> None:
    """Player 1 has agreed to doubles, player 2 has not, player 3's money does not cover one.

    21 against 17: 10.00 + 10.00 pay 40.00, 4.00 pay 8.00, 99.00 pay 198.00. The house pays 20 + 4 + 99 = 123.00.
    """
    room = live(room_of(database, DOUBLE, reopening=reopening))
    room.do("consent double split @1")
    room.do("consent double @3")
    room.bet(1, (0, "main", 1000))
    room.bet(2, (0, "main", 400))
    room.bet(3, (0, "main", 9900))
    assert room.do("deal") == []
    assert room.do("0.0 double") == [
        "session 1 > escrow 1000",
        "house > escrow 12300",
        "escrow > session 1 4000",
        "escrow > session 2 800",
        "escrow > session 3 19800",
    ]
    assert room.played == [(1, 2000, 4000), (2, 400, 800), (3, 9900, 19800)]
    assert room.house == -12_300
    room.check()


@REOPENING
def test_votes_are_rows_and_move_nothing(database: Database, reopening: bool) -> None:
    """Two of three want to double: who voted for it pays, who did not keeps the first stake."""
    room = live(room_of(database, DOUBLE, reopening=reopening))
    for player in (1, 2, 3):
        room.bet(player, (0, "main", 100 * player))
    room.do("deal")
    assert room.do("0.0 vote double @1") == []
    assert room.do("0.0 vote hit @2") == []
    assert room.do("0.0 vote double @3") == []
    # 1.00 + 1.00, 2.00 and 3.00 + 3.00 are doubled by a win.
    assert room.do("0.0 double") == [
        "session 1 > escrow 100",
        "session 3 > escrow 300",
        "house > escrow 1000",
        "escrow > session 1 400",
        "escrow > session 3 1200",
        "escrow > session 2 400",
    ]
    kinds = rows(database, "SELECT kind FROM log WHERE kind = 'vote'")
    assert len(kinds) == 3
    room.check()


@REOPENING
def test_a_split_on_two_boxes(database: Database, reopening: bool) -> None:
    """Box 0 has 8 8: player 1 follows, player 2 does not. Box 1 stands on 20. The dealer makes 9 9 = 18.

    Right hand 8 10 = 18 pushes, left hand 8 9 = 17 loses: player 1 gets 10.00 back and loses 10.00, player 2 gets
    5.00 back. Box 1 wins: player 2's 3.00 pay 6.00. In the last command the house wins 10.00 and pays 3.00.
    """
    room = live(room_of(database, "8 10 9 8 K 10 9 9", reopening=reopening))
    room.do("consent split @1")
    room.bet(1, (0, "main", 1000))
    room.bet(2, (0, "main", 500), (1, "main", 300))
    room.do("deal")
    assert room.do("0.0 split") == ["session 1 > escrow 1000"]
    assert room.do("0.0 stand") == []
    assert room.do("0.1 stand") == []
    assert room.do("1.0 stand") == [
        "escrow > session 1 1000",
        "escrow > session 2 1100",
        "escrow > house 700",
    ]
    assert [room.session(i) for i in (1, 2, 3)] == [BROUGHT - 1000, BROUGHT + 300, BROUGHT]
    room.check()


@REOPENING
def test_insurance_at_a_live_table(database: Database, reopening: bool) -> None:
    """Player 1 takes it, player 2 refuses, player 3 is silent; the ace gets its ten at the end.

    19 loses 10.00 of each; insurance of 5.00 pays 15.00. The house wins 30.00 and pays 10.00.
    """
    room = live(room_of(database, "10 A 9 K", reopening=reopening))
    for player in (1, 2, 3):
        room.bet(player, (0, "main", 1000))
    assert room.do("deal") == []
    assert room.do("all insure yes @1") == ["session 1 > escrow 500"]
    assert room.do("all insure no @2") == []
    assert room.do("close-offers") == []
    assert room.do("0.0 stand") == ["escrow > session 1 1500", "escrow > house 2000"]
    room.check()


@REOPENING
def test_golden_chips_are_no_money(database: Database, reopening: bool) -> None:
    """A golden 5.00 wins 5.00 of money and is gone; mixed with 3.00 it wins 8.00 and the 3.00 come back."""
    room = live(room_of(database, "10 9 10 8", reopening=reopening), golden={"1": {500: 2}, "2": {500: 1}})
    assert room.bet(1, Bet(0, "main", 0, (500,))) == []
    assert room.bet(2, Bet(0, "main", 300, (500,))) == ["session 2 > escrow 300"]
    room.do("deal")
    assert room.do("0.0 stand") == [
        "house > escrow 1300",
        "escrow > session 1 500",
        "escrow > session 2 1100",
    ]
    assert rows(database, "SELECT player, staked, paid, golden FROM played ORDER BY player") == [
        (1, 0, 500, True),
        (2, 300, 1100, True),
    ]
    if room.table.current is not None:
        assert player_view(room.table.current.round, "1").golden[500] == 1
    room.check()


def test_a_stake_below_its_minimum_goes_back_with_the_deal(database: Database) -> None:
    """The least is 5.00: 2.00 and the side bet that hangs on it return, and its player may leave."""
    room = live(room_of(database, DOUBLE, options=TableOptions(main=Limits(500, 10_000))))
    room.bet(1, (0, "main", 1000))
    room.bet(2, (0, "main", 200), (0, "21+3", 100))
    assert room.do("deal") == ["escrow > session 2 300"]
    assert room.leave(2) == ["session 2 > player 2 10000"]
    room.reopen()
    room.check()


# The shoe


@REOPENING
def test_a_shoe_serves_round_after_round(database: Database, reopening: bool) -> None:
    """20 against 17, then 18 against 19, then 21 against 17: each from where the last one ended."""
    room = room_of(database, "10 9 10 8 10 9 8 10 A 9 K 8 2 2 2 2", reopening=reopening)
    for dealt, commands, moved in (
        (4, ["0.0 stand"], ["house > escrow 1000", "escrow > session 1 2000"]),
        (8, ["0.0 stand"], ["escrow > house 1000"]),
        (11, [], ["house > escrow 1500", "escrow > session 1 2500"]),
    ):
        live(room, "a")
        room.bet(1, (0, "main", 1000))
        last = [room.do(command) for command in ("deal", *commands)][-1]
        assert (last, room.table.shoes.dealt) == (moved, dealt)
    assert room.session() == BROUGHT + 1000 - 1000 + 1500
    assert len(rows(database, "SELECT id FROM shoes")) == 1
    room.check()


@REOPENING
def test_a_voided_round_has_used_its_cards(database: Database, reopening: bool) -> None:
    """They were seen: the next round goes on behind them."""
    room = live(room_of(database, "10 9 10 8 10 9 8 10", reopening=reopening))
    room.bet(1, (0, "main", 1000))
    room.do("deal")
    room.void()
    assert room.table.shoes.dealt == 3
    live(room)
    assert room.table.current.round.shoe.dealt == 3


@REOPENING
def test_shuffling_reveals_the_old_shoe_and_commits_to_the_new(database: Database, reopening: bool) -> None:
    room = room_of(database, "10 9 10 8", "5 6", reopening=reopening)
    query = "SELECT client_seed IS NULL, seeds, seed FROM shoes ORDER BY id"
    with pytest.raises(Refusal) as error:
        room.table.open_round(room.now)
    assert error.value.code == "shoe/none"
    room.take(room.table.shoes.shuffle(room.now))
    assert rows(database, query) == [(True, None, None)]
    with pytest.raises(Refusal):
        room.table.open_round(room.now)
    room.take(room.table.shoes.seed_shoe(["a", "perché"], room.now))
    with pytest.raises(Refusal):
        room.table.shoes.seed_shoe(["late"], room.now)
    assert rows(database, query) == [(False, '["a","perché"]'.encode(), None)]
    room.take(room.table.open_round(room.now))
    for refused in (room.table.shoes.shuffle, room.table.open_round):
        with pytest.raises(Refusal) as error:
            refused(room.now)
        assert error.value.code == "round/open"
    room.void()
    room.take(room.table.shoes.shuffle(room.now))
    assert rows(database, query) == [(False, '["a","perché"]'.encode(), bytes(32)), (True, None, None)]
    assert (room.table.shoes.seeded, room.table.shoes.dealt) == (False, 0)


@REOPENING
def test_a_new_shoe_is_dealt_from_its_first_card(database: Database, reopening: bool) -> None:
    """Four cards of the old one were dealt; also a table opened anew knows that none of the new one is."""
    room = live(room_of(database, "10 9 10 8", "10 9 10 8", reopening=reopening))
    for _ in range(2):
        room.bet(1, (0, "main", 1000))
        room.do("deal")
        assert room.do("0.0 stand") == ["house > escrow 1000", "escrow > session 1 2000"]
        room.take(room.table.shoes.shuffle(room.now))
        room.take(room.table.shoes.seed_shoe([], room.now))
        assert room.table.shoes.dealt == 0
        room.take(room.table.open_round(room.now))
    room.check()


def test_a_shoe_that_was_never_seeded_is_replaced_unrevealed(database: Database) -> None:
    """No card came from it; after a restart the newest shoe is the table's."""
    room = room_of(database, "2 2", "10 9 10 8")
    room.take(room.table.shoes.shuffle(room.now))
    room.take(room.table.shoes.shuffle(room.now))
    newest = room.table.shoes.shoe.id
    room.reopen()
    assert room.table.shoes.shoe.id == newest
    live(room)
    room.bet(1, (0, "main", 1000))
    room.do("deal")
    assert room.do("0.0 stand") == ["house > escrow 1000", "escrow > session 1 2000"]
