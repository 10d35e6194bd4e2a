"""A command sent twice: the second time its answer is looked up, not worked out."""

from __future__ import annotations

import pytest

from sabot.engine import Bet
from sabot.rounds.answers import find_answer
from sabot.store.database import Database
from sabot.store.errors import StoreError
from sabot.store.unit import Request
from tests.rounds.house import House


def test_the_same_request_has_the_same_answer(database: Database) -> None:
    house = House(database)
    ada, bob = house.player("ada"), house.player("bob")
    table = house.solo("surrender", ada)
    asked = Request(ada, "deal-1", b"digest of the contents")
    step = table.deal(ada, (Bet(0, "main", 1000),), "seed", 1, asked)
    house.keep(step)
    with database.reading() as connection:
        answer = find_answer(connection, asked)
        assert answer is not None
        assert table.current is not None
        assert (answer.stream, answer.n, answer.round) == (
            table.stream.id,
            table.stream.n,
            table.current.code,
        )
        # The bets were a row of their own; the answer is what the deal itself did.
        assert answer.events == step.events[1:]
        assert find_answer(connection, Request(ada, "deal-2", b"other")) is None
        assert find_answer(connection, Request(bob, "deal-1", asked.digest)) is None
        with pytest.raises(StoreError, match="was used before for another command"):
            find_answer(connection, Request(ada, "deal-1", b"other contents"))


def test_a_row_without_events_answers_with_none(database: Database) -> None:
    house = House(database)
    ada = house.player("ada")
    table = house.solo("surrender", ada, "FUN")
    asked = Request(ada, "more", b"digest")
    house.keep(table.add_money(str(ada), 500, 1, asked))
    with database.reading() as connection:
        answer = find_answer(connection, asked)
    assert answer is not None
    assert (answer.round, answer.events) == (None, ())
