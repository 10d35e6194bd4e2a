"""The nodes of a house: joining, renewing, and being found dead."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import partial

import pytest
import sqlalchemy

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.audit import audit_store
from sabot.store.database import Database
from sabot.store.nodes.joining import ANYONE, SLOTS, JoinRule, check_vault, house_id
from sabot.store.nodes.membership import LEASE_MS, Membership
from sabot.store.nodes.node import BuriedError, Node, NodeError, TakenError
from sabot.store.store import Store
from tests.support.clock import PATIENCE
from tests.support.cluster.races import at_once
from tests.support.ledger import rows

#: A lease that outlasts every test, and one that has run out as soon as it is written.
LONG, RUN_OUT = 3_600_000, -1
ALONE = JoinRule(most=1)

Make = Callable[..., Membership]


@pytest.fixture
def member(database: Database) -> Iterator[Make]:
    """Makes processes that may join the house; how fast the machine is says nothing of them."""
    with ExitStack() as stack:

        def make(lease_ms: int = LONG, monotonic: Callable[[], float] = lambda: 0.0) -> Membership:
            made = Membership(database, lease_ms=lease_ms, patience=PATIENCE, monotonic=monotonic)
            stack.callback(made.close)
            return made

        yield make


def join(membership: Membership, name: str) -> Node:
    return membership.join(name, "1.0", "")


def healthy(membership: Membership) -> Membership:
    """With as many renewals as it takes to judge others."""
    for _ in range(4):
        membership.renew()
    return membership


def test_a_node_gets_the_lowest_free_slot(member: Make) -> None:
    members = [member() for _ in range(4)]
    nodes = [join(one, name) for one, name in zip(members, "abc", strict=False)]
    assert [node.slot for node in nodes] == [0, 1, 2]
    members[1].leave()
    new = join(members[3], "d")
    assert new.slot == 1
    assert new.id not in {node.id for node in nodes}
    assert [node.name for node in members[0].living()] == ["a", "d", "c"]


def test_nodes_that_join_at_once_have_slots_of_their_own(member: Make) -> None:
    members = [member() for _ in range(6)]
    nodes = at_once(*(partial(join, one, f"node-{i}") for i, one in enumerate(members)))
    assert sorted(node.slot for node in nodes if isinstance(node, Node)) == list(range(6))


def test_there_is_an_end_of_slots(member: Make, database: Database) -> None:
    one = member()
    for i in range(SLOTS):
        join(one, f"node-{i}")
    with pytest.raises(NodeError, match="32 nodes"):
        join(one, "one-more")


@pytest.mark.parametrize("name", ["", "a/b", "a b", "console", "x" * 65])
def test_a_name_that_would_not_do_in_a_streams_name(member: Make, name: str) -> None:
    with pytest.raises(NodeError, match="is no name of a node"):
        join(member(), name)


def test_a_name_is_used_once(member: Make) -> None:
    """Unless the lease of who has it has run out: that node is found dead, and its slot is free."""
    first, second = member(), member()
    join(first, "a")
    with pytest.raises(TakenError, match="a node named 'a' serves this house already"):
        join(second, "a")
    expired = join(member(lease_ms=RUN_OUT), "b")
    new = join(second, "b")
    assert (new.slot, new.id > expired.id) == (expired.slot, True)


@pytest.mark.rule("CLU-03")
def test_a_lease_that_has_run_out_kills_nobody_by_itself(member: Make, database: Database) -> None:
    """A healthy node must find the other dead; whoever comes back before that goes on."""
    late, other = member(lease_ms=RUN_OUT), member()
    node = join(late, "late")
    join(other, "other")
    for _ in range(3):
        other.renew()
        assert other.bury() == []  # too few renewals to be sure of itself
    late.renew()
    Store(database, node=node).take("table", at=1)
    other.renew()
    assert other.bury() == [node.id]
    assert other.bury() == []
    with pytest.raises(BuriedError):
        late.renew()
    with pytest.raises(Refusal, match="went to others"):
        Store(database, node=node).take("table", at=2)
    assert Store(database, node=other.node).take("table", at=3).epoch == 2
    again = join(late, "late")
    assert again.id > node.id


@pytest.mark.rule("CLU-03", "CLU-20")
def test_a_look_finds_the_dead_and_says_who_lives_and_owns(member: Make, database: Database) -> None:
    late, other = member(lease_ms=RUN_OUT), member()
    dead, node = join(late, "late"), join(other, "other")
    Store(database, node=dead).take("a", at=1)
    Store(database, node=node).take("b", at=1)
    Store(database, node=node).take("c", at=1)
    names = ["a", "b", "none"]
    living, owners = other.look(names)  # it is not sure of itself
    assert ([one.name for one in living], owners) == (
        ["late", "other"],
        {"a": dead.id, "b": node.id, "none": None},
    )
    living, owners = healthy(other).look(names)
    assert ([one.name for one in living], owners) == (["other"], {"a": None, "b": node.id, "none": None})
    living, owners = other.look([])
    assert ([one.name for one in living], owners) == (["other"], {})


class Ticking:
    """A clock that goes on with each look at it."""

    def __init__(self) -> None:
        self.now, self.seconds = 0.0, 0.4

    def __call__(self) -> float:
        self.now += self.seconds
        return self.now


def test_who_is_slow_itself_buries_nobody(member: Make) -> None:
    clock = Ticking()
    slow = member(monotonic=clock)
    join(member(lease_ms=RUN_OUT), "late")
    join(slow, "slow")
    healthy(slow)
    clock.seconds = 1.0
    slow.renew()
    assert slow.bury() == []
    clock.seconds = 0.4
    assert len(healthy(slow).bury()) == 1


def test_who_could_not_renew_buries_nobody(
    member: Make, database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = member()
    join(member(lease_ms=RUN_OUT), "late")
    join(one, "one")
    healthy(one)
    with monkeypatch.context() as patch:
        patch.setattr(one, "_change_own", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            one.renew()
    assert one.bury() == []
    one.renew()
    assert one.bury() == []
    assert len(healthy(one).bury()) == 1


def test_a_buried_node_buries_nobody(member: Make) -> None:
    dead, other, late = member(lease_ms=RUN_OUT), member(), member(lease_ms=RUN_OUT)
    join(dead, "dead")
    join(other, "other")
    healthy(dead)
    assert len(healthy(other).bury()) == 1
    join(late, "late")
    assert dead.bury() == []
    dead.leave()  # nothing to leave
    assert [node.name for node in other.living()] == ["late", "other"]


def test_what_a_node_says_of_itself(member: Make, database: Database) -> None:
    one = member()
    node = one.join("a", "1.2", "abc")
    first = one.renew({"tables": 3, "sockets": 700})
    one.drain()
    (said,) = member().living()
    assert said == Node(node.id, 0, "a", "1.2", "abc", first, True, {"tables": 3, "sockets": 700})
    store = Store(database, node=node)
    store.take("table", at=1)
    with pytest.raises(Refusal, match="Another server"):
        Store(database).take("table", at=2)
    one.leave()
    assert member().living() == []
    assert Store(database).take("table", at=3).epoch == 2
    with database.reading() as connection:
        assert audit_store(connection).findings == []


def test_the_offset_to_the_databases_clock(database: Database) -> None:
    """A machine whose clock stands still at 1970."""
    one = Membership(database, patience=PATIENCE, clock=lambda: 0, database_clock=lambda: 5_000_000_000_000)
    join(one, "a")
    until = one.renew()
    assert one.offset_ms == until - LEASE_MS
    assert one.offset_ms > 1_700_000_000_000
    one.close()


def run_out(database: Database) -> None:
    """All leases have run out."""
    with database.writing() as connection:
        connection.execute(schema.nodes.update().values(until=0))


@pytest.mark.parametrize("alone", [False, True])
def test_a_node_that_was_killed_is_waited_for(member: Make, database: Database, alone: bool) -> None:
    killed = join(member(), "a")
    waits: list[float] = []

    def wait(seconds: float) -> None:
        waits.append(seconds)
        if len(waits) == 3:
            run_out(database)

    node = member().claim("a", "", "", ALONE if alone else ANYONE, wait=wait)
    assert (node.slot, node.id > killed.id, len(waits)) == (0, True, 3)


def test_a_lease_runs_out_by_the_databases_clock(member: Make) -> None:
    """Nothing else tells the second node when the first is to be held dead."""
    killed = join(member(lease_ms=50), "a")
    assert member().claim("a", "", "", wait=lambda _: None).id > killed.id


@pytest.mark.parametrize(("name", "alone"), [("a", False), ("b", True)])
def test_a_second_house_on_one_database_is_refused(member: Make, name: str, alone: bool) -> None:
    """The other is seen to renew its lease: it lives."""
    first = member()
    join(first, "a")

    def wait(_: float) -> None:
        first.lease_ms += 1  # a renewal within the same millisecond is one too
        first.renew()

    with pytest.raises(TakenError, match="'a' serves this"):
        member().claim(name, "", "", ALONE if alone else ANYONE, wait=wait)


def test_a_house_has_one_id(database: Database) -> None:
    ids = at_once(*[partial(house_id, database)] * 4)
    assert len(set(ids)) == 1
    assert len(str(ids[0])) == 16


def test_nodes_have_the_key_of_the_house(database: Database) -> None:
    check_vault(database, [])  # nobody has one yet
    check_vault(database, ["first"])
    check_vault(database, ["first", "older"])
    for keys, reason in (
        ([], "no vault key.*first"),
        (["other", "older"], "is other, that of the house is first"),
    ):
        with pytest.raises(NodeError, match=reason):
            check_vault(database, keys)
    check_vault(database, ["newer", "first"])
    with pytest.raises(NodeError, match="is newer"):
        check_vault(database, ["first"])
    assert rows(database, "SELECT name, value FROM house") == [("vault", "newer")]


def test_two_living_nodes_with_one_slot_are_refused_by_the_database(database: Database) -> None:
    node = dict(zip(schema.nodes.columns.keys(), (1, "a", 0, "", "", 0, None, False, "{}"), strict=True))
    dead = [node | {"id": id, "dead_at": 5} for id in (2, 3)]
    with database.writing() as connection:
        connection.execute(sqlalchemy.insert(schema.nodes), [node, *dead])
    for same in ({"slot": 1}, {"name": "b"}):
        with pytest.raises(sqlalchemy.exc.IntegrityError), database.writing() as connection:
            connection.execute(sqlalchemy.insert(schema.nodes), node | {"id": 4} | same)
