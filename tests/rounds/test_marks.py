"""How a live table stands beside its rounds: paused or not, its shoes, and the cards that were turned."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import event

from sabot.fairness.live import ShoePromise
from sabot.games.options import TableOptions
from sabot.rounds.marks import round_cards, seeded_before, shoes_now, shoes_of, why_paused
from sabot.store.database import Database
from tests.support.room import Room, live
from tests.support.shoes import StackedShoes

EU = "majority-eu"
#: Box 0 has 20 against a nine, the dealer's second card makes 17.
ROUND = "10 9 K 8"


def played(room: Room) -> str:
    """A round of player 1, stood."""
    live(room)
    code: str = room.table.current.code
    room.bet(1, (0, "main", 1000))
    room.do("deal")
    room.do("0.0 stand")
    return code


@pytest.mark.parametrize("reopening", [False, True], ids=["", "reopened"])
def test_a_pause_is_read_back(database: Database, reopening: bool) -> None:
    room = Room(database, EU, StackedShoes(ROUND), reopening=reopening)
    stream = room.table.stream.id

    def kept() -> str:
        with database.reading() as connection:
            return why_paused(connection, stream)

    assert (room.table.paused, kept()) == ("", "")
    for reason in ("looking", "another"):
        room.take(room.table.pause(reason, room.now))
        live(room) if reason == "looking" else room.bet(1, (0, "main", 100))
        assert (room.table.paused, kept()) == (reason, reason)
        room.take(room.table.resume(room.now))
        assert (room.table.paused, kept()) == ("", "")
    room.check()


def test_the_shoe_in_use_and_the_one_before(database: Database) -> None:
    """Committed to, seeded, dealt from, revealed; the rounds are those of the shoe."""
    room = Room(database, EU, StackedShoes(f"{ROUND} {ROUND}", ROUND))
    stream = room.table.stream.id

    def found() -> Any:
        with database.reading() as connection:
            return shoes_of(connection, stream, 8)

    assert found() == (None, None, "")
    room.take(room.table.shoes.shuffle(room.now))
    in_use, done, _ = found()
    first = room.table.shoes.shoe
    assert (in_use, done) == ((first.id, ShoePromise(8, first.commitment), ()), None)
    room.take(room.table.shoes.seed_shoe(["a", "perché"], room.now))
    promise = found()[0].promise
    assert (promise.decks, promise.commitment, promise.seeds) == (8, first.commitment, ("a", "perché"))
    codes = [played(room), played(room)]
    in_use, done, _ = found()
    assert (in_use.rounds, done) == (tuple(codes), None)
    room.take(room.table.shoes.shuffle(room.now))
    in_use, done, _ = found()
    assert (in_use.id, in_use.promise.client_seed, in_use.rounds) == (room.table.shoes.shoe.id, "", ())
    assert (done.promise, done.server_seed) == (promise, bytes(32).hex())
    room.take(room.table.shoes.seed_shoe([], room.now))
    code = played(room)
    assert found()[0].rounds == (code,)
    assert found()[1] == done
    with database.reading() as connection:
        assert seeded_before(connection, stream, 10**6).shoe == in_use.id  # type: ignore[union-attr]
        assert seeded_before(connection, stream, 1) is None


@pytest.mark.rule("FRB-30")
@pytest.mark.parametrize("reopening", [False, True], ids=["", "reopened"])
def test_a_shoe_that_waits_is_not_the_one_in_use(database: Database, reopening: bool) -> None:
    """It is committed to in the middle of the first one's rounds; exchanged, it is in use, and its rounds are its own."""
    room = Room(database, EU, StackedShoes(f"{ROUND} {ROUND}", ROUND, ROUND), reopening=reopening)
    stream = room.table.stream.id

    def found() -> Any:
        with database.reading() as connection:
            shoes = shoes_of(connection, stream, 8)
            assert shoes_now(connection, stream) == (
                room.table.shoes.shoe.id,
                room.table.shoes.waiting.id if room.table.shoes.waiting else None,
            )
        return shoes

    def committed() -> tuple[str, str]:
        return room.table.shoes.shoe.commitment, room.table.shoes.waiting.commitment

    room.take(room.table.shoes.shuffle(room.now))
    room.take(room.table.shoes.seed_shoe([], room.now))
    first = played(room)
    room.take(room.table.shoes.commit_next(room.now))
    in_use, done, waits = found()
    assert ((in_use.promise.commitment, waits), done) == (committed(), None)
    second = played(room)
    assert found().in_use.rounds == (first, second)
    old = found().in_use.promise
    room.take(room.table.shoes.exchange(["perché"], room.now, commit=True))
    in_use, done, next_one = found()
    assert ((in_use.promise.commitment, next_one), in_use.rounds) == (committed(), ())
    assert in_use.promise.commitment == waits
    assert (in_use.promise.seeds, room.table.shoes.dealt) == (("perché",), 0)
    assert done.promise == old
    third = played(room)
    assert (found().in_use.rounds, found().before, found().next) == ((third,), done, next_one)
    with database.reading() as connection:
        assert seeded_before(connection, stream, 10**6).shoe == in_use.id  # type: ignore[union-attr]
    room.take(room.table.shoes.exchange([], room.now))
    assert (found().in_use.promise.commitment, found().next) == (next_one, "")
    room.check()


def test_a_shoe_that_was_spoilt_by_a_lost_key(database: Database) -> None:
    """The round is given back and a new shoe is committed to in the same row; the old one stays sealed."""
    room = live(Room(database, EU, StackedShoes(ROUND, ROUND)))
    room.bet(1, (0, "main", 1000))
    room.shoes.lose_key()
    room.open()
    with database.reading() as connection:
        in_use, done, _ = shoes_of(connection, room.table.stream.id, 8)
    assert in_use is not None
    assert in_use.promise == ShoePromise(8, room.table.shoes.shoe.commitment)
    assert in_use.rounds == ()
    assert done is None


@pytest.mark.parametrize("burn", [0, 1], ids=["", "burnt"])
def test_the_cards_of_a_round_have_their_places(database: Database, burn: int) -> None:
    """Box 0 twice, the up card, the hole card when it is turned; a burnt card has a place and no face."""
    options = TableOptions(burn=bool(burn))
    cards = " ".join(["2c"] * burn + [ROUND] + ["2c"] * burn + [ROUND])
    room = Room(database, "majority-us", StackedShoes(cards), options=options)

    def found() -> Any:
        with database.reading() as connection:
            return round_cards(connection, room.table.current.code)

    live(room)
    assert found() == (burn, ())
    for start in (burn, 4 + 2 * burn):
        if start > burn:
            live(room)
        room.bet(1, (0, "main", 1000))
        room.do("deal")
        dealt = found()
        assert (dealt.dealt, [place for place, _ in dealt.turned]) == (
            start + 4,
            [start, start + 1, start + 2],
        )
        room.do("0.0 stand")
        ended = found()
        assert ended.turned == (*dealt.turned, (start + 3, room.table.current.round.play.dealer.cards[1]))


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)  # PostgreSQL plans by the size of a table
def test_the_rows_of_a_crowd_are_not_read(database: Database) -> None:
    """Each question is answered from the index of marks."""
    asked: list[tuple[str, Any]] = []

    def listen(connection: Any, cursor: Any, statement: str, params: Any, *rest: Any) -> None:
        asked.append((statement, params))

    with database.reading() as connection:
        event.listen(connection.engine, "before_cursor_execute", listen)
        why_paused(connection, 1)
        shoes_of(connection, 1, 8)
        shoes_now(connection, 1)
        seeded_before(connection, 1, 5)
        event.remove(connection.engine, "before_cursor_execute", listen)
        assert len(asked) == 4
        for statement, params in asked:
            plan = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", params).all()
            assert ["USING INDEX log_marks" in row.detail for row in plan] == [True]
