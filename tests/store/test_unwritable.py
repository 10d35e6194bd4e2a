"""A unit that holds what no database takes is refused alone: the writer and its group go on."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from sabot.errors import Refusal
from sabot.store.cashier import Cashier
from sabot.store.commit import MOST_CENTS, Committed, Refused, commit_group
from sabot.store.database import Database
from sabot.store.entry import Body, RequestKey
from sabot.store.facts import AccountOpened, PlayerRegistered
from sabot.store.store import Store
from sabot.store.writer import GroupWriter
from tests.support.store.store_house import House


@pytest.fixture
def cashier(database: Database) -> Iterator[Cashier]:
    writer = GroupWriter(database)
    yield Cashier.open(Store(database, writer), at=1)
    writer.close()


def test_a_text_that_cannot_be_stored_does_not_stop_the_writer(cashier: Cashier, database: Database) -> None:
    ada = cashier.register("ada", at=2)
    for text in ("\ud800", "a\0b"):
        with pytest.raises(Refusal) as error:
            cashier.deposit(ada, "EUR", 100, text, at=3)
        assert error.value.code == "unit/unwritable"
    cashier.deposit(ada, "EUR", 100, "good", at=4)
    assert cashier.balance(ada, "EUR") == 100


@pytest.mark.parametrize("amount", [MOST_CENTS + 1, 2**63 - 1, 2**63, 10**30])
def test_an_amount_beyond_measure_is_refused(cashier: Cashier, amount: int) -> None:
    """SQLite would go on in floats where a balance leaves 64 bits."""
    ada = cashier.register("ada", at=2)
    with pytest.raises(Refusal) as error:
        cashier.deposit(ada, "EUR", amount, "much", at=3)
    assert error.value.code == "transfer/no-amount"
    cashier.deposit(ada, "EUR", MOST_CENTS, "most", at=4)
    assert cashier.balance(ada, "EUR") == MOST_CENTS


@pytest.mark.parametrize("text", ["\ud800", "a\0b"])
@pytest.mark.parametrize("place", ["request", "fact", "secret", "key"])
def test_the_rest_of_its_group_is_stored(database: Database, place: str, text: str) -> None:
    house = House(database)
    other = house.store.take("other", at=1)
    body, secrets = Body(), {}
    if place == "fact":
        body = Body(facts=(AccountOpened(900, text, "player", "EUR", 1),))
    elif place == "secret":
        body, secrets = Body(facts=(PlayerRegistered(901, "proof"),)), {901: (text, b"salt", None)}
    elif place == "key":
        body = Body(movements=(house.move(house.ada, house.bob, 100, text),))
    request = RequestKey(1, text if place == "request" else "a", b"")
    bad = other.entry(1, "bad", body, request=request, secrets=secrets)
    good = house.unit(house.move(house.ada, house.bob, 100))
    with database.writing() as connection:  # one transaction: the group is not tried unit by unit
        outcomes = commit_group(connection, [bad, good])
    assert outcomes[0] == Refused("unit/unwritable")
    assert isinstance(outcomes[1], Committed)
    assert house.balances("ada", "bob") == (900, 600)
