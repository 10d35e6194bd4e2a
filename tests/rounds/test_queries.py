"""What a table finds again: the seats that are taken, and the golden chips that accounts hold."""

from __future__ import annotations

import pytest

from sabot.rounds.queries import golden_of, seats_of
from sabot.store.database import Database
from sabot.store.entry import Body, Stream
from sabot.store.facts import AnyFact, GoldenMoved, SeatLeftFact, SeatTakenFact
from tests.support.house import House


def note(house: House, stream: Stream, *facts: AnyFact) -> None:
    house.store.store(stream.entry(1, "note", Body(facts=facts)))


def test_taken_seats_in_the_order_of_their_spots(database: Database) -> None:
    house = House(database)
    table, other = house.store.take("one", at=0), house.store.take("other", at=0)
    note(house, table, SeatTakenFact(1, 5, 7), SeatTakenFact(2, 0, 8), SeatTakenFact(3, 2, 7))
    note(house, other, SeatTakenFact(4, 0, 9))
    note(house, table, SeatLeftFact(3))
    note(house, table, SeatTakenFact(5, 2, 9))
    with database.reading() as connection:
        assert list(seats_of(connection, table.id)) == [(2, 0, 8), (5, 2, 9), (1, 5, 7)]
        assert list(seats_of(connection, other.id)) == [(4, 0, 9)]
        assert list(seats_of(connection, 999)) == []


@pytest.mark.rule("MAJ-50")
def test_golden_chips_of_accounts(database: Database) -> None:
    house = House(database)
    ada, bob, cy = (house.store.account(f"player/{house.player(name)}/EUR") for name in ("ada", "bob", "cy"))
    stream = house.store.take("any", at=0)
    note(house, stream, GoldenMoved(ada, 500, 3), GoldenMoved(ada, 100, 2), GoldenMoved(ada, 500, 1))
    note(house, stream, GoldenMoved(ada, 100, -2), GoldenMoved(bob, 500, 6), GoldenMoved(cy, 50, 1))
    with database.reading() as connection:
        assert golden_of(connection, {ada, cy, 999}) == {ada: {500: 4}, cy: {50: 1}}
        assert golden_of(connection, [bob]) == {bob: {500: 6}}
        assert golden_of(connection, []) == {}
