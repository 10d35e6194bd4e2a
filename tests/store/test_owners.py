"""Who may take a stream when several nodes serve the house: nothing is taken from a node that lives."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial

import pytest
import sqlalchemy

from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.audit import Finding, audit_store
from sabot.store.commit import Committed, Refused
from sabot.store.database import Database
from sabot.store.driver import Driver
from sabot.store.entry import Body, Stream, decode_body
from sabot.store.facts import StreamOwned
from sabot.store.nodes.node import owners_of
from sabot.store.store import Store
from tests.support.cluster.races import at_once
from tests.support.cluster.stores import bury, id_of, store_of
from tests.support.ledger import check_chains, rows

TABLE = "table"


@pytest.fixture
def other(database: Database) -> Iterator[Database]:
    """The same database again, with connections of its own."""
    second = Database(database.url.render_as_string(hide_password=False))
    yield second
    second.close()


def owner(database: Database) -> int | None:
    with database.reading() as connection:
        return owners_of(connection, [TABLE])[TABLE]


def refused(store: Store) -> tuple[str, object]:
    with pytest.raises(Refusal) as error:
        store.take(TABLE, at=9)
    return error.value.code, error.value.params.get("node")


def findings(database: Database) -> list[Finding]:
    with database.reading() as connection:
        return audit_store(connection).findings


@pytest.mark.rule("CLU-03")
def test_a_table_is_not_taken_from_a_node_that_lives(database: Database, other: Database) -> None:
    """The lease of the owner has run out, and still it is the owner until it is found dead."""
    first, second = store_of(database, 0), store_of(other, 1)
    stream = first.take(TABLE, at=1)
    before = rows(database, "SELECT * FROM streams")
    assert refused(second) == ("stream/owned", id_of(first))
    assert refused(Store(other)) == ("stream/owned", id_of(first))
    assert rows(database, "SELECT * FROM streams") == before
    assert isinstance(first.write(stream.entry(2, "said", Body())), Committed)
    bury(first)
    new = second.take(TABLE, at=3)
    assert (new.epoch, owner(database)) == (stream.epoch + 1, id_of(second))
    late = first.write(stream.entry(4, "said", Body()))
    assert isinstance(late, Refused)
    assert late.code == "stream/fenced"
    check_chains(database)
    assert findings(database) == []


@pytest.mark.rule("CLU-03")
def test_a_node_that_was_found_dead_takes_nothing(database: Database) -> None:
    """Neither a table that is free nor its own; under a new id it can."""
    store = store_of(database, 0)
    store.take("other", at=1)
    bury(store)
    assert refused(store) == ("node/buried", None)
    with pytest.raises(Refusal, match="went to others"):
        store.take("other", at=2)
    store.node = store_of(database, 0).node
    assert store.take("other", at=3).epoch == 2
    assert findings(database) == []


def test_a_node_takes_its_own_table_again(database: Database) -> None:
    store = store_of(database, 0)
    assert [store.take(TABLE, at=1).epoch for _ in range(3)] == [1, 2, 3]
    assert owner(database) == id_of(store)


def test_a_table_that_was_given_up_is_anyones(database: Database, other: Database) -> None:
    first, second = store_of(database, 0), store_of(other, 1)
    stream = first.take(TABLE, at=1)
    assert not second.release(stream)
    assert not first.release(Stream(stream.id, TABLE, stream.epoch - 1, stream.n))
    assert owner(database) == id_of(first)
    assert first.release(stream)
    assert owner(database) is None
    assert findings(database) == []
    second.take(TABLE, at=2)
    assert owner(database) == id_of(second)
    assert not first.release(stream)
    check_chains(database)


def test_owners_of_many(database: Database, other: Database) -> None:
    first, second, tool = store_of(database, 0), store_of(other, 1), Store(database)
    first.take("a", at=1)
    second.take("b", at=1)
    tool.take("c", at=1)
    with database.reading() as connection:
        names = ["a", "b", "c", "none"]
        assert owners_of(connection, names) == {
            "a": id_of(first),
            "b": id_of(second),
            "c": None,
            "none": None,
        }
        assert owners_of(connection, []) == {}


def test_who_owns_a_stream_is_asked_only_when_it_is_taken(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The groups of a table that is played have no statement more."""
    store = store_of(database, 0)
    stream = store.take(TABLE, at=1)
    for name in ("owners", "nodes"):
        monkeypatch.setattr(Driver, name, lambda *_: 1 / 0)
    assert isinstance(store.write(stream.entry(2, "said", Body())), Committed)
    with pytest.raises(Refusal, match="cannot be stored"):
        store.take(TABLE, at=3)


@pytest.mark.rule("CLU-13")
def test_the_log_names_the_node_of_each_epoch(database: Database, other: Database) -> None:
    first, second = store_of(database, 0), store_of(other, 1)
    first.take(TABLE, at=1)
    bury(first)
    second.take(TABLE, at=2)
    with database.reading() as connection:
        log = connection.execute(sqlalchemy.select(schema.log).order_by("n")).all()
    facts = [(row.epoch, fact) for row in log for fact in decode_body(row.body).facts]
    assert facts == [(1, StreamOwned(TABLE, id_of(first))), (2, StreamOwned(TABLE, id_of(second)))]


def test_the_audit_finds_an_owner_that_the_log_does_not_know(database: Database) -> None:
    store = store_of(database, 0)
    store.take(TABLE, at=1)
    with database.writing() as connection:
        connection.execute(schema.streams.update().values(owner=id_of(store) + 1))
    assert [finding.message for finding in findings(database)] == [
        f"its owner is {id_of(store) + 1}, the log says {id_of(store)}"
    ]


@pytest.mark.rule("CLU-03")
@pytest.mark.parametrize("state", ["free", "dead"])
def test_of_many_takers_one_wins(database_url: str, state: str) -> None:
    """Whether the table is nobody's or a dead node's: the others are told who has it, and change nothing."""
    databases = [Database(database_url) for _ in range(8)]
    stores = [store_of(one, slot) for slot, one in enumerate(databases)]
    before = 0
    if state == "dead":
        late = store_of(databases[0], 8)
        before = late.take(TABLE, at=1).epoch
        bury(late)
    results = at_once(*(partial(store.take, TABLE, at=1) for store in stores))
    won = [store for store, result in zip(stores, results, strict=True) if isinstance(result, Stream)]
    assert len(won) == 1
    assert [result for result in results if not isinstance(result, Stream)] == ["stream/owned"] * 7
    assert rows(databases[0], "SELECT epoch, owner FROM streams") == [(before + 1, id_of(won[0]))]
    check_chains(databases[0])
    for one in databases:
        one.close()


@pytest.mark.rule("CLU-03")
@pytest.mark.parametrize(
    "database_url", ["postgresql"], indirect=True
)  # whoever waits for a lock gets it in turn
@pytest.mark.slow
def test_an_owner_that_is_found_dead_while_it_writes(database_url: str) -> None:
    """It writes on until the table is taken, and not one row after; what it was told is stored is there."""
    databases = [Database(database_url) for _ in range(3)]
    old, *others = (store_of(one, slot) for slot, one in enumerate(databases))
    for turn in range(10):
        table = f"table {turn}"
        stream = old.take(table, at=1)

        def write(stream: Stream = stream) -> int:
            """How many rows are stored before it is refused."""
            stored = 0
            while isinstance(old.write(stream.entry(2, "said", Body())), Committed):
                stored += 1
            return stored

        def take(store: Store, table: str = table) -> Stream | None:
            """The table, as soon as it can be had."""
            while True:
                try:
                    return store.take(table, at=3)
                except Refusal as error:
                    if error.params["node"] != id_of(old):
                        return None

        stored, _, *taken = at_once(write, partial(bury, old), *(partial(take, store) for store in others))
        (won,) = (stream for stream in taken if isinstance(stream, Stream))
        assert isinstance(stored, int)
        assert won.n == 1 + stored + 1
        kinds = f"SELECT epoch, kind FROM log WHERE stream = {won.id} ORDER BY n"
        assert rows(databases[0], kinds) == [
            (1, "stream-owned"),
            *[(1, "said")] * stored,
            (2, "stream-owned"),
        ]
        old.node = store_of(databases[0], 10 + turn).node  # it joins again
    check_chains(databases[0])
    assert findings(databases[0]) == []
    for one in databases:
        one.close()


def test_two_takes_of_one_node_at_once_are_two(database: Database) -> None:
    """Their rows differ, so neither takes the other's for its own."""
    store = store_of(database, 0)
    streams = at_once(*[partial(store.take, TABLE, at=1)] * 4)
    assert sorted(stream.epoch for stream in streams if isinstance(stream, Stream)) == [1, 2, 3, 4]
    check_chains(database)
