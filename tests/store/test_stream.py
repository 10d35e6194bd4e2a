"""Who owns a stream: taking it over, and two who want it at once."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from sabot.errors import Refusal
from sabot.store.commit import Committed, Outcome, Refused
from sabot.store.database import Database
from sabot.store.entry import Body, LogEntry, Stream
from sabot.store.store import Store
from sabot.store.writer import BUSY, Done, InlineWriter
from tests.support.ledger import check_chains, rows


def say(store: Store, stream: Stream) -> Outcome:
    """Write a row as the owner of a stream."""
    return store.write(stream.entry(5, "said", Body()))


def test_a_new_stream_begins_with_its_first_owner(database: Database) -> None:
    store = Store(database)
    stream = store.take("table 1", at=4)
    assert (stream.name, stream.epoch, stream.n) == ("table 1", 1, 1)
    assert rows(database, "SELECT stream, n, epoch, at, kind, body FROM log") == [
        (
            stream.id,
            1,
            1,
            4,
            "stream-owned",
            b'{"facts":[{"fact":"stream-owned","name":"table 1","owner":1}]}',
        )
    ]


def test_streams_are_apart(database: Database) -> None:
    store = Store(database)
    one, two = store.take("one", at=1), store.take("two", at=1)
    assert one.id != two.id
    for stream in (one, two, two, one):
        assert isinstance(say(store, stream), Committed)
    assert (one.n, two.n) == (3, 3)
    check_chains(database)


@pytest.mark.rule("ASR-23")
def test_taking_over_goes_on_after_the_last_row_and_fences_who_was_there(database: Database) -> None:
    store = Store(database)
    old = store.take("table", at=1)
    say(store, old)
    new = Store(database).take("table", at=2)
    assert (new.id, new.epoch, new.n) == (old.id, 2, 3)
    refused = say(store, old)
    assert isinstance(refused, Refused)
    assert refused.code == "stream/fenced"
    assert isinstance(say(store, new), Committed)
    check_chains(database)


def test_the_owner_may_take_the_stream_again(database: Database) -> None:
    """A table that is thrown away and opened again has a new epoch too."""
    store = Store(database)
    epochs = [store.take("table", at=at).epoch for at in range(4)]
    assert epochs == [1, 2, 3, 4]
    check_chains(database)


@pytest.mark.rule("ASR-23")
def test_two_takers_at_once_get_an_epoch_each_and_the_last_one_writes(database: Database) -> None:
    """Four threads take a stream that is new five times each; then the newest owner alone can write."""
    together = threading.Barrier(4)

    def take(_: int) -> list[tuple[Store, Stream]]:
        store = Store(database)
        together.wait()
        return [(store, store.take("table", at=1)) for _ in range(5)]

    with ThreadPoolExecutor(4) as pool:
        owners = sorted(
            (owner for taken in pool.map(take, range(4)) for owner in taken), key=lambda o: o[1].epoch
        )
    assert [stream.epoch for _, stream in owners] == list(range(1, 21))
    assert len({stream.id for _, stream in owners}) == 1
    outcomes = [say(store, stream) for store, stream in owners]
    assert [isinstance(outcome, Committed) for outcome in outcomes] == [False] * 19 + [True]
    check_chains(database)


class OvertakenWriter(InlineWriter):
    """A writer before whose first unit another taker comes in."""

    def __init__(self, database: Database) -> None:
        super().__init__(database)
        self.first: Stream | None = None

    def submit(self, unit: LogEntry, done: Done) -> None:
        if self.first is None:
            self.first = Store(self._database).take("table", at=1)
        super().submit(unit, done)


@pytest.mark.rule("ASR-23")
def test_a_taker_does_not_take_the_row_of_another_for_its_own(database: Database) -> None:
    """Both read the same end of the stream at the same moment: the second goes on after the first."""
    writer = OvertakenWriter(database)
    second = Store(database, writer).take("table", at=1)
    assert writer.first is not None
    assert (writer.first.epoch, writer.first.n, second.epoch, second.n) == (1, 1, 2, 2)
    check_chains(database)


class BusyWriter(InlineWriter):
    """A writer whose queue is full."""

    def submit(self, unit: LogEntry, done: Done) -> None:
        done(BUSY)


def test_a_stream_that_cannot_be_taken_says_why(database: Database) -> None:
    with pytest.raises(Refusal) as error:
        Store(database, BusyWriter(database)).take("table", at=1)
    assert error.value.code == "house/busy"
    assert rows(database, "SELECT epoch, n FROM streams") == [(0, 0)]
