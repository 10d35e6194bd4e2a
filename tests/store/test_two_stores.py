"""Two processes on one database, as far as it can tell: what one player asks of both in the same instant is done once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from sabot.errors import Refusal
from sabot.store.cashier import Cashier
from sabot.store.commit import Committed
from sabot.store.database import Database
from sabot.store.entry import Body, RequestKey
from sabot.store.store import Store
from tests.support.ledger import check_chains, check_ledger, rows
from tests.support.races import at_once

TIMES = 15


@pytest.fixture
def other(database: Database) -> Iterator[Database]:
    """The same database again, with connections of its own."""
    second = Database(database.url.render_as_string(hide_password=False))
    yield second
    second.close()


def cashiers(*databases: Database) -> list[Cashier]:
    return [Cashier.open(Store(one), at=1, name=f"cashier/{i}") for i, one in enumerate(databases)]


def test_the_houses_accounts_are_opened_once(
    database: Database, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process has looked before the first has opened them."""
    first, second = Store(database), Store(other)
    names = ["cashier/EUR", "cashier/FUN", "house/EUR", "house/FUN"]
    unseen, find = set(names), second.find_account

    def find_later(name: str) -> int | None:
        if name in unseen:
            unseen.remove(name)
            return None
        return find(name)

    monkeypatch.setattr(second, "find_account", find_later)
    for store, name in ((first, "cashier/0"), (second, "cashier/1")):
        Cashier.open(store, at=1, name=name).register(name, at=2)
    assert rows(database, "SELECT name FROM accounts WHERE player IS NULL ORDER BY name") == [
        (n,) for n in names
    ]
    check_chains(database)


@pytest.mark.rule("ASR-11")
def test_one_payment_through_two_cashiers_is_paid_once_and_answered_twice(
    database: Database, other: Database
) -> None:
    one, two = cashiers(database, other)
    ada = one.register("ada", at=1)
    for i in range(TIMES):
        paid = at_once(*(partial(c.deposit, ada, "EUR", 100, f"{i}", at=2) for c in (one, two)))
        assert paid == [None, None]
        assert one.balance(ada, "EUR") == 100 * (i + 1)
    with pytest.raises(Refusal, match="id '0'"):
        two.deposit(ada, "EUR", 101, "0", at=3)
    check_ledger(database)
    check_chains(database)


@pytest.mark.rule("PLT-05")
def test_a_debit_and_its_rollback_through_two_cashiers(database: Database, other: Database) -> None:
    """Whichever comes first: the money is there in the end, and the debit is not carried out later."""
    one, two = cashiers(database, other)
    ada = one.register("ada", at=1)
    one.deposit(ada, "EUR", 100, "first", at=1)
    for i in range(TIMES):
        id = f"bet {i}"
        debited, found = at_once(
            partial(one.debit, ada, "EUR", 100, id, at=2), partial(two.rollback, ada, id, at=2)
        )
        if (debited, found) == (None, "command/reused"):  # the debit was stored while the rollback saw none
            assert two.rollback(ada, id, at=3)
        else:
            assert (debited, found) in ((None, True), ("transfer/rolled-back", False))
        assert one.balance(ada, "EUR") == 100
    check_ledger(database)
    check_chains(database)


@pytest.mark.rule("ASR-11")
def test_one_id_at_two_tables_is_two_requests(database: Database, other: Database) -> None:
    stores = Store(database), Store(other)
    streams = [store.take(f"table {i}", at=1) for i, store in enumerate(stores)]
    for i in range(TIMES):
        asked = RequestKey.of(7, f"{i}", "hit")
        entries = [stream.entry(2, "hit", Body(), request=asked) for stream in streams]
        outcomes = at_once(*map(partial, (store.write for store in stores), entries))
        assert all(isinstance(outcome, Committed) for outcome in outcomes), outcomes
    check_chains(database)
