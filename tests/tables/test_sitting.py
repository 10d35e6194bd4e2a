"""Sitting down with money, bringing more, leaving with what is left (PLT-04)."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.errors import Refusal
from sabot.store.database import Database
from tests.support.ledger import balances, rows
from tests.support.room import BROUGHT, DEPOSITED, Room, live
from tests.support.shoes import StackedShoes

MAIN = (0, "main", 1000)
#: 20 against 17.
WIN = "10 9 10 8"


def room_of(database: Database, *cards: str, **config: Any) -> Room:
    return Room(database, "surrender", StackedShoes(*cards), **config)


@pytest.mark.rule("PLT-04")
def test_a_sitting_from_beginning_to_end(database: Database) -> None:
    """Brought from the account, played with, more brought, and what is left taken home once."""
    room = room_of(database, WIN)
    assert (room.account(), room.session()) == (DEPOSITED - BROUGHT, BROUGHT)
    room.deal(MAIN)
    room.do("0.0 stand")
    assert room.add(1, 500) == ["player 1 > session 1 500"]
    assert (room.account(), room.session()) == (DEPOSITED - BROUGHT - 500, BROUGHT + 1000 + 500)
    assert room.leave(1) == ["session 1 > player 1 11500"]
    assert room.account() == DEPOSITED + 1000
    with pytest.raises(Refusal) as error:
        room.leave(1)
    assert error.value.code == "sitting/closed"
    room.open()
    assert room.table.sittings == {}
    assert rows(database, "SELECT brought, taken FROM sittings") == [(10_500, 11_500)]
    room.check()


@pytest.mark.rule("PLT-04")
def test_the_cap_of_a_sitting(database: Database) -> None:
    """1,000.00 over the whole sitting; a new sitting begins at nothing."""
    room = room_of(database)
    room.cashier.deposit(1, "EUR", 500_000, "more", room.now)
    assert room.add(1, 100_000 - BROUGHT - 1) == ["player 1 > session 1 89999"]
    for amount in (2, 500_000):
        with pytest.raises(Refusal) as error:
            room.add(1, amount)
        assert error.value.code == "funds/over-cap"
        assert error.value.params == {"amount": amount, "brought": 99_999 + amount, "cap": 100_000}
    room.reopen()
    assert room.add(1, 1) == ["player 1 > session 1 1"]
    with pytest.raises(Refusal):
        room.add(1, 1)
    room.leave(1)
    with pytest.raises(Refusal):
        room.table.sit(1, 100_001, room.now)
    assert room.take(room.table.sit(1, 100_000, room.now)) == ["player 1 > session 1 100000"]
    room.check()


@pytest.mark.rule("PLT-04")
@pytest.mark.parametrize(("currency", "cap"), [("EUR", 100_000), ("FUN", None), ("EUR", None), ("FUN", 700)])
def test_the_operator_sets_the_cap(database: Database, currency: str, cap: int | None) -> None:
    room = room_of(database, currency=currency, bring=600, cap=cap)
    room.cashier.deposit(1, room.currency, 10**9, "more", room.now)
    if cap is None:
        assert room.add(1, 10**8) == ["player 1 > session 1 100000000"]
    else:
        with pytest.raises(Refusal) as error:
            room.add(1, cap)
        assert error.value.code == "funds/over-cap"


@pytest.mark.parametrize("amount", [0, -5, True, 1.5])
def test_what_is_brought_is_whole_cents(database: Database, amount: int) -> None:
    room = room_of(database)
    with pytest.raises(Refusal) as error:
        room.add(1, amount)
    assert error.value.code == "transfer/no-amount"
    with pytest.raises(Refusal) as error:
        room.table.sit(2, amount, room.now)
    assert error.value.code == "transfer/no-amount"
    assert room.session() == BROUGHT


def test_money_comes_during_a_round_too(database: Database) -> None:
    """5 6 against 9 8: 10.00 are staked and nothing is left, so the double waits for 10.00 more."""
    room = room_of(database, "5 9 6 8 10", bring=1000, reopening=True)
    room.deal(MAIN)
    with pytest.raises(Refusal) as refusal:
        room.do("0.0 double")
    assert refusal.value.code == "funds/insufficient"
    assert room.add(1, 700) == ["player 1 > session 1 700"]
    assert room.do("add-money 400 @1") == ["player 1 > session 1 400"]
    assert room.session() == 1100
    # 21 against 17: 10.00 more staked, 40.00 paid.
    assert room.do("0.0 double") == [
        "session 1 > escrow 1000",
        "house > escrow 2000",
        "escrow > session 1 4000",
    ]
    assert room.leave(1) == ["session 1 > player 1 4100"]
    assert room.account() == DEPOSITED + 2000
    room.check()


def test_more_than_the_account_has_is_refused_and_nothing_is_lost(database: Database) -> None:
    """The store says no; the table is thrown away and opened again."""
    room = room_of(database, WIN, cap=None)
    room.deal(MAIN)
    with pytest.raises(Refusal) as error:
        room.add(1, DEPOSITED)
    assert error.value.code == "funds/insufficient"
    room.open()
    assert (room.session(), room.account()) == (BROUGHT - 1000, DEPOSITED - BROUGHT)
    room.do("0.0 stand")
    assert room.session() == BROUGHT + 1000
    room.check()


def test_nobody_leaves_a_round_with_a_bet_in_it(database: Database) -> None:
    room = room_of(database, WIN)
    room.deal(MAIN)
    with pytest.raises(Refusal) as error:
        room.leave(1)
    assert error.value.code == "sitting/in-round"
    room.do("0.0 stand")
    assert room.leave(1) == ["session 1 > player 1 11000"]


def test_one_sitting_at_a_time(database: Database) -> None:
    room = room_of(database)
    with pytest.raises(Refusal) as error:
        room.table.sit(1, 100, room.now)
    assert error.value.code == "sitting/open"
    with pytest.raises(Refusal) as error:
        room.table.sit(99, 100, room.now)
    assert error.value.code == "player/none"
    assert list(room.table.sittings) == ["1"]


def test_who_loses_everything_leaves_with_nothing(database: Database) -> None:
    room = room_of(database, "10 9 8 10", bring=1000)
    room.deal(MAIN)
    room.do("0.0 stand")
    assert room.leave(1) == []
    assert room.account() == DEPOSITED - 1000
    assert rows(database, "SELECT brought, taken FROM sittings") == [(1000, 0)]


# At a live table a player may come and go while others play


LIVE = "6 9 5 10 8 10 10 10"


def live_room(database: Database) -> Room:
    """Player 1 has a bet; players 2 and 3 watch."""
    room = live(Room(database, "majority-eu", StackedShoes(LIVE), players=3))
    room.bet(1, MAIN)
    return room


@pytest.mark.parametrize("reopening", [False, True], ids=["", "reopened"])
def test_who_has_no_bet_may_leave_during_a_round(database: Database, reopening: bool) -> None:
    room = live_room(database)
    room.bet(2, MAIN)
    room.bet(2)
    room.add(2, 300)
    room.add(3, 40)
    assert room.leave(2) == ["session 2 > player 2 10300"]
    if reopening:
        room.reopen()
    assert room.account(2) == DEPOSITED
    with pytest.raises(Refusal):
        room.bet(2, MAIN)
    room.do("deal")
    assert room.leave(3) == ["session 3 > player 3 10040"]
    if reopening:
        room.reopen()
    with pytest.raises(Refusal):
        room.leave(1)
    # 6 5 and a ten make 21; 9 and 8 are 17.
    room.do("0.0 hit")
    assert room.session(1) == BROUGHT + 1000
    room.check()


@pytest.mark.parametrize("reopening", [False, True], ids=["", "reopened"])
def test_who_comes_back_waits_for_the_next_round(database: Database, reopening: bool) -> None:
    """The new sitting is no part of the round: its money is apart from the one that was left."""
    room = live_room(database)
    room.leave(2)
    room.take(room.table.sit(2, 77, room.now))
    if reopening:
        room.reopen()
    assert room.session(2) == 77
    with pytest.raises(Refusal) as refusal:
        room.bet(2, (0, "main", 100))
    assert refusal.value.code == "player/unknown"
    assert room.add(2, 3) == ["player 2 > session 2 3"]
    room.do("deal")
    room.do("0.0 hit")
    assert (room.session(1), room.session(2)) == (BROUGHT + 1000, 80)
    assert room.leave(2) == ["session 2 > player 2 80"]
    room.check()


def test_a_left_sitting_holds_nothing(database: Database) -> None:
    room = live_room(database)
    room.void()
    for player in (1, 2, 3):
        room.leave(player)
    kept = {name: balance for name, balance in balances(database).items() if name.startswith("session")}
    assert set(kept.values()) == {0}
    assert [room.account(player) for player in (1, 2, 3)] == [DEPOSITED] * 3
    room.check()
