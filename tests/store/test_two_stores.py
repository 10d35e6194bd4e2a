"""Two processes on one database, as far as it can tell: what one player asks of both in the same instant is done once."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.audit import Finding, audit_store
from sabot.store.cashier import Cashier
from sabot.store.commit import Committed
from sabot.store.database import Database
from sabot.store.entry import Body, RequestKey
from sabot.store.kinds import Role
from sabot.store.register import Register, muted_since
from sabot.store.store import Store
from tests.support.cluster.races import at_once
from tests.support.cluster.stores import store_of
from tests.support.ledger import check_chains, check_ledger, rows

TIMES = 15


@pytest.fixture
def other(database: Database) -> Iterator[Database]:
    """The same database again, with connections of its own."""
    second = Database(database.url.render_as_string(hide_password=False))
    yield second
    second.close()


def findings(database: Database) -> list[Finding]:
    with database.reading() as connection:
        return audit_store(connection).findings


def cashiers(*databases: Database) -> list[Cashier]:
    return [Cashier.open(store_of(one, slot), at=1) for slot, one in enumerate(databases)]


def test_the_houses_accounts_are_opened_once(
    database: Database, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second process has looked before the first has opened them."""
    first, second = store_of(database, 0), store_of(other, 1)
    names = ["cashier/EUR", "cashier/FUN", "house/EUR", "house/FUN"]
    unseen, find = set(names), second.find_account

    def find_later(name: str) -> int | None:
        if name in unseen:
            unseen.remove(name)
            return None
        return find(name)

    monkeypatch.setattr(second, "find_account", find_later)
    for store, name in ((first, "ada"), (second, "bob")):
        Cashier.open(store, at=1).register(name, at=2)
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
        assert (debited, found) in ((None, True), ("transfer/rolled-back", False))
        assert one.balance(ada, "EUR") == 100
    check_ledger(database)
    check_chains(database)


@pytest.mark.rule("PLT-05")
def test_a_rollback_that_another_cashiers_debit_overtakes_undoes_it(
    database: Database, other: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The debit is stored after the rollback has looked for it."""
    one, two = cashiers(database, other)
    ada = one.register("ada", at=1)
    one.deposit(ada, "EUR", 100, "first", at=1)
    find = two._find

    def find_late(player: int, id: str) -> tuple[str, Body] | None:
        monkeypatch.undo()
        found = find(player, id)
        one.debit(ada, "EUR", 100, "bet", at=2)
        return found

    monkeypatch.setattr(two, "_find", find_late)
    assert two.rollback(ada, "bet", at=3)
    assert one.balance(ada, "EUR") == 100
    assert two.rollback(ada, "bet", at=4)
    assert one.balance(ada, "EUR") == 100
    check_ledger(database)
    check_chains(database)


@pytest.mark.rule("CLU-11")
def test_two_nodes_pay_in_turn(database: Database, other: Database) -> None:
    """Each has a cashier of its own: neither fences the other."""
    both = cashiers(database, other)
    ada = both[0].register("ada", at=1)
    for i in range(20):
        both[i % 2].deposit(ada, "EUR", 1, f"{i}", at=2)
    assert both[0].balance(ada, "EUR") == 20
    query = "SELECT name, epoch, n FROM streams ORDER BY name"
    assert rows(database, query) == [("cashier/node-0", 1, 13), ("cashier/node-1", 1, 11)]
    assert findings(database) == []


@pytest.mark.rule("CLU-11")
def test_registers_of_two_nodes_and_of_the_console(database: Database, other: Database) -> None:
    """None fences another; a role, a level and a mute are what was ordered last, wherever."""
    stores = store_of(database, 0), store_of(other, 1)
    cashier = Cashier.open(stores[0], at=1)
    ada, olga = cashier.register("ada", at=1), cashier.register("olga", at=1)
    one, two = (Register.open(store, at=1) for store in stores)
    console = Register.at_console(Store(other), at=1)
    orders: list[tuple[Register, Role, int | None]] = [
        (two, "presenter", 10),
        (console, "administrator", None),
        (one, "supervisor", 0),
        (two, "player", 30),
    ]
    for at, (register, role, minutes) in enumerate(orders):
        now = 10_000 * (at + 1)
        register.give_role(None, ada, role, "because", at=now)
        register.give_vip(None, ada, at, "because", at=now)
        register.protect(ada, {"loss-day": (at, now)}, at=5)
        if minutes is not None:
            register.order("mute-player", olga, "because", at=now, player=ada, minutes=minutes)
    with database.reading() as connection:
        assert muted_since(connection, 0) == {ada: 40_000 + 30 * 60_000}
    assert rows(database, f"SELECT role, vip FROM profiles WHERE player = {ada}") == [("player", 3)]
    assert rows(database, "SELECT set_at, value FROM protections ORDER BY 1") == [
        (5, 0),
        (6, 1),
        (7, 2),
        (8, 3),
    ]
    assert findings(database) == []


def test_the_audit_believes_no_role_that_was_not_given_last(database: Database) -> None:
    """Two nodes gave one within the difference of their clocks: either may be the last. An older one may not."""
    stores = store_of(database, 0), store_of(database, 1)
    ada = Cashier.open(stores[0], at=1).register("ada", at=1)
    one, two = (Register.open(store, at=1) for store in stores)
    one.give_role(None, ada, "presenter", "because", at=2_000)
    two.give_role(None, ada, "supervisor", "because", at=9_001)
    one.give_role(None, ada, "administrator", "because", at=9_000)  # stored later, by a clock that is behind
    assert findings(database) == []
    for role, right in (("supervisor", True), ("presenter", False), ("player", False)):
        with database.writing() as connection:
            connection.execute(schema.profiles.update().values(role=role))
        assert (findings(database) == []) is right


@pytest.mark.rule("MAJ-50")
def test_golden_chips_are_granted_once_through_two_nodes(database: Database, other: Database) -> None:
    stores = store_of(database, 0), store_of(other, 1)
    ada = Cashier.open(stores[0], at=1).register("ada", at=1)
    registers = [Register.open(store, at=1) for store in stores]
    for i in range(TIMES):
        grants = (
            partial(register.grant_golden, 7, ada, "EUR", 500, 2, "because", at=2, id=f"{i}")
            for register in registers
        )
        assert sorted(at_once(*grants)) == [False, True]  # type: ignore[type-var]
    assert rows(database, "SELECT sum(count) FROM golden") == [(2 * TIMES,)]
    with pytest.raises(Refusal, match="id '0'"):
        registers[1].grant_golden(7, ada, "EUR", 500, 3, "because", at=2, id="0")
    assert findings(database) == []


@pytest.mark.rule("PLT-50")
def test_limits_set_on_two_nodes_at_once_are_both_kept(database: Database, other: Database) -> None:
    registers = [Register.open(store_of(one, slot), at=1) for slot, one in enumerate((database, other))]
    for i in range(TIMES):
        settings = [partial(r.protect, 7, {"loss-day": (i, 1)}, at=2) for r in registers]
        assert at_once(*settings) == [None, None]
    assert rows(database, "SELECT set_at, value FROM protections ORDER BY 1") == [
        (2 + i, i // 2) for i in range(2 * TIMES)
    ]


@pytest.mark.rule("CLU-11")
def test_a_house_of_one_process_goes_on_with_nodes(database: Database, other: Database) -> None:
    """What the house wrote while it was of one process is read on: money, mutes, roles; and nothing is fenced."""
    alone = Store(database)
    cashier, register = Cashier.open(alone, at=1), Register.open(alone, at=1)
    ada = cashier.register("ada", at=1)
    cashier.deposit(ada, "EUR", 100, "first", at=2)
    register.give_role(None, ada, "presenter", "because", at=3)
    register.order("mute-player", 7, "because", at=3, player=ada, minutes=10)
    node = store_of(other, 0)
    cashier, register = Cashier.open(node, at=4), Register.open(node, at=4)
    cashier.deposit(ada, "EUR", 100, "first", at=5)  # was paid before
    cashier.withdraw(ada, "EUR", 40, "second", at=5)
    assert cashier.balance(ada, "EUR") == 60
    with database.reading() as connection:
        assert muted_since(connection, 0) == {ada: 3 + 600_000}
    register.order("mute-player", 7, "because", at=6, player=ada, minutes=0)
    register.give_role(None, ada, "supervisor", "because", at=6)
    with database.reading() as connection:
        assert muted_since(connection, 0) == {ada: 6}
    assert findings(database) == []


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
