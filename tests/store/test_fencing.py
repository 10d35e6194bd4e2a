"""What a group refuses or finds again: other owners, places that are taken, requests that were answered."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sabot.store.commit import Committed, Refused, Repeated
from sabot.store.database import Database
from sabot.store.entry import Body, LogEntry, RequestKey
from sabot.store.facts import StreamOwned
from tests.support.ledger import check_all, rows
from tests.support.store.store_house import House, code, one, state, write_group


@pytest.fixture
def house(database: Database) -> House:
    return House(database)


# Fencing


@pytest.mark.rule("ASR-23")
def test_an_owner_whose_epoch_is_gone_writes_nothing(house: House) -> None:
    """Neither a row nor a cent, alone or in one group with the new owner; the new owner goes on."""
    old = house.stream
    new = house.store.take("table", at=9)
    assert (new.epoch, new.n) == (old.epoch + 1, old.n + 1)
    before = state(house)
    # The old owner's next place is the one the new owner has taken; and the one after it, too.
    for _ in range(3):
        stale = house.unit(house.move(house.ada, house.bank, 100), stream=old)
        assert code(one(house, stale)) == "stream/fenced"
    assert state(house) == before
    old.n = new.n
    outcomes = write_group(
        house.database,
        [
            house.unit(house.move(house.ada, house.bank, 100), stream=old),
            house.unit(house.move(house.ada, house.bank, 200), stream=new),
            house.unit(house.move(house.ada, house.bank, 100), stream=old),
        ],
    )
    assert [type(outcome) for outcome in outcomes] == [Refused, Committed, Refused]
    assert house.balances("ada") == (800,)
    check_all(house.database)


@pytest.mark.rule("ASR-23")
@pytest.mark.parametrize("digest", [b"a" * 32, b"b" * 32])
def test_an_owner_whose_epoch_is_gone_is_fenced_whatever_was_asked_of_the_next(
    house: House, digest: bytes
) -> None:
    """Its player asked the new owner again, under the same id, for the same or for something else: that is no fault of the player's."""
    old = house.stream
    new = house.store.take("table", at=9)
    first = house.unit(house.move(house.ada, house.bank, 100), stream=new, request=asked())
    assert isinstance(one(house, first), Committed)
    before = state(house)
    stale = house.unit(house.move(house.ada, house.bank, 100), stream=old, request=asked(digest=digest))
    assert code(one(house, stale)) == "stream/fenced"
    assert state(house) == before


@pytest.mark.parametrize("step", [-3, -1, 1, 5])
def test_a_unit_out_of_its_place_is_fenced(house: House, step: int) -> None:
    before = state(house)
    unit = house.unit(house.move(house.ada, house.bank, 100))
    assert code(one(house, replace(unit, n=unit.n + step))) == "stream/fenced"
    assert state(house) == before


@pytest.mark.parametrize("step", [-1, 1])
def test_a_unit_of_another_epoch_is_fenced(house: House, step: int) -> None:
    unit = house.unit(house.move(house.ada, house.bank, 100))
    assert code(one(house, replace(unit, epoch=unit.epoch + step))) == "stream/fenced"


def test_an_unknown_stream_is_refused(house: House) -> None:
    unit = replace(house.unit(), stream=777_777)
    assert code(one(house, unit)) == "stream/unknown"


# A lost answer


def test_a_unit_handed_in_again_is_found_and_not_written_again(house: House) -> None:
    unit = house.unit(house.move(house.ada, house.bank, 100))
    first = one(house, unit)
    later = house.unit(house.move(house.ada, house.bank, 50))
    one(house, later)
    before = state(house)
    assert one(house, unit) == first
    assert write_group(house.database, [unit, later])[0] == first
    assert state(house) == before


def test_the_first_unit_of_a_stream_is_found_again(house: House) -> None:
    """There is no row before it."""
    stream = house.store.take("other", at=2)
    body = Body(facts=(StreamOwned("other", owner=1, before=1),))
    first = LogEntry(stream=stream.id, epoch=1, n=1, at=2, kind="stream-owned", body=body)
    stored = rows(house.database, f"SELECT hash FROM log WHERE stream = {stream.id}")
    assert [(outcome.hash,) for outcome in [one(house, first)] if isinstance(outcome, Committed)] == stored
    assert code(one(house, replace(first, at=3))) == "stream/fenced"
    assert code(one(house, replace(first, n=0))) == "stream/fenced"


def test_another_unit_for_a_taken_place_is_not_taken_for_the_first(house: House) -> None:
    unit = house.unit(house.move(house.ada, house.bank, 100))
    one(house, unit)
    movement = unit.body.movements[0]
    body = replace(unit.body, movements=(replace(movement, amount=101),))
    for changed in (replace(unit, body=body), replace(unit, at=6), replace(unit, kind="other")):
        assert code(one(house, changed)) == "stream/fenced"
    assert house.balances("ada") == (900,)


# Requests


def asked(id: str = "click", digest: bytes = b"a" * 32, player: int = 7) -> RequestKey:
    return RequestKey(player, id, digest)


def test_a_repeated_request_is_answered_by_its_row(house: House) -> None:
    first = house.unit(house.move(house.ada, house.bank, 100), request=asked())
    one(house, first)
    before = state(house)
    again = house.unit(house.move(house.ada, house.bank, 100), request=asked())
    assert one(house, again) == Repeated(first.stream, first.n)
    assert state(house) == before


def test_a_request_for_something_else_is_refused(house: House) -> None:
    one(house, house.unit(house.move(house.ada, house.bank, 100), request=asked()))
    before = state(house)
    other = house.unit(house.move(house.ada, house.bank, 200), request=asked(digest=b"b" * 32))
    assert code(one(house, other)) == "command/reused"
    assert state(house) == before


def test_requests_inside_one_group(house: House) -> None:
    """A repeat, another thing, another player's, another id; and the same id at another table."""
    stream, first = house.stream, house.stream.n
    requests = (asked(), asked(), asked(digest=b"b" * 32), asked(player=8), asked("other"))
    units = []
    for request, n in zip(
        requests, (1, 2, 2, 2, 3), strict=True
    ):  # the place of one that is not stored is the next one's
        stream.n = first + n - 1
        units.append(house.unit(house.move(house.ada, house.bank, 100), request=request))
    elsewhere = house.store.take("another table", at=2)
    units.append(house.unit(house.move(house.ada, house.bank, 100), stream=elsewhere, request=asked()))
    outcomes = write_group(house.database, units)
    assert isinstance(outcomes[0], Committed)
    assert outcomes[1] == Repeated(units[0].stream, units[0].n)
    assert code(outcomes[2]) == "command/reused"
    assert all(isinstance(outcome, Committed) for outcome in outcomes[3:])
    assert house.balances("ada") == (600,)
    check_all(house.database)


def test_a_refused_request_can_be_asked_again(house: House) -> None:
    refused = house.unit(house.move(house.ada, house.bank, 1001), request=asked())
    assert code(one(house, refused)) == "funds/insufficient"
    house.stream.n -= 1
    one(house, house.unit(house.move(house.bank, house.ada, 1)))
    again = house.unit(house.move(house.ada, house.bank, 1001), request=asked())
    assert isinstance(one(house, again), Committed)
    assert house.balances("ada") == (0,)
