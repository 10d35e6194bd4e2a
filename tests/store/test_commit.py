"""Writing groups of units: each is stored whole or not at all, and decided in its turn."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from msgspec.structs import replace

from sabot.store import driver
from sabot.store.commit import Committed, Outcome, Refused, commit_group
from sabot.store.database import Database
from sabot.store.driver import FEW
from sabot.store.facts import (
    AccountOpened,
    GoldenMoved,
    MoneyBrought,
    RoundClosed,
    RoundOpenedFact,
    SeatLeftFact,
    SeatTakenFact,
    ShoeCommittedFact,
    ShoeRevealedFact,
    ShoeSeededFact,
    SittingClosed,
    SittingOpened,
)
from sabot.store.writer import GroupWriter
from tests.support.ledger import check_all, rows
from tests.support.store.store_house import House, code, one, state, write, write_group


@pytest.fixture
def house(database: Database) -> House:
    return House(database)


# A unit


def test_a_unit_is_stored_whole(house: House) -> None:
    unit = house.unit(
        house.move(house.ada, house.bank, 300),
        house.move(house.bank, house.bob, 300),
        facts=(AccountOpened(house.store.ids.take("account"), "cy", "player", "EUR"),),
    )
    assert isinstance(one(house, unit), Committed)
    assert house.balances("ada", "bob", "cy") == (700, 800, 0)
    check_all(house.database)


def test_a_refused_unit_leaves_nothing(house: House) -> None:
    before = state(house)
    unit = house.unit(
        house.move(house.ada, house.bank, 300),
        house.move(house.bob, house.bank, 501),  # Bob has 5.00
        facts=(AccountOpened(house.store.ids.take("account"), "cy", "player", "EUR"),),
    )
    refused = one(house, unit)
    assert isinstance(refused, Refused)
    assert (refused.code, refused.params) == ("funds/insufficient", {"cost": 501, "balance": 500})
    assert state(house) == before


def test_money_may_pass_through_an_account_in_one_unit(house: House) -> None:
    """Each movement is covered in its turn: what came just before may go on."""
    through = house.unit(house.move(house.ada, house.bob, 1000), house.move(house.bob, house.bank, 1500))
    assert isinstance(one(house, through), Committed)
    too_early = house.unit(house.move(house.bob, house.bank, 1), house.move(house.bank, house.bob, 1))
    assert code(one(house, too_early)) == "funds/insufficient"
    assert house.balances("ada", "bob") == (0, 0)
    check_all(house.database)


def test_an_account_can_be_used_by_the_unit_that_opens_it(house: House) -> None:
    new = house.store.ids.take("account")
    unit = house.unit(
        house.move(house.ada, new, 400), facts=(AccountOpened(new, "session", "session", "EUR"),)
    )
    assert isinstance(one(house, unit), Committed)
    assert house.balances("ada", "session") == (600, 400)
    check_all(house.database)


@pytest.mark.parametrize("amount", [0, -1])
def test_an_amount_is_above_zero(house: House, amount: int) -> None:
    before = state(house)
    assert code(one(house, house.unit(house.move(house.ada, house.bob, amount)))) == "transfer/no-amount"
    assert state(house) == before


def test_a_movement_has_two_accounts_of_one_currency(house: House) -> None:
    before = state(house)
    cases = [
        (house.ada, house.ada, "transfer/no-amount"),
        (house.ada, house.fay, "transfer/currencies"),
        (house.bank, house.fay, "transfer/currencies"),
        (house.ada, 888_888, "account/unknown"),
        (888_888, house.ada, "account/unknown"),
    ]
    for debit, credit, expected in cases:
        assert code(one(house, house.unit(house.move(debit, credit, 100)))) == expected
        house.stream.n -= 1
    assert state(house) == before


def test_only_players_and_sessions_are_held_to_their_balance(house: House) -> None:
    assert isinstance(one(house, house.unit(house.move(house.bank, house.ada, 10**12))), Committed)
    assert house.balances("ada", "bank") == (1000 + 10**12, -1500 - 10**12)
    check_all(house.database)


# Groups


def test_a_refused_unit_does_not_disturb_its_group(house: House) -> None:
    other = house.store.take("other", at=2)
    third = house.store.take("third", at=2)
    outcomes = write_group(
        house.database,
        [
            house.unit(house.move(house.ada, house.bank, 100)),
            house.unit(house.move(house.bob, house.bank, 501), stream=other),
            house.unit(house.move(house.bob, house.bank, 500), stream=third),
            house.unit(house.move(house.ada, house.bank, 100)),
        ],
    )
    assert [type(outcome) for outcome in outcomes] == [Committed, Refused, Committed, Committed]
    assert house.balances("ada", "bob") == (800, 0)
    check_all(house.database)


def test_a_unit_the_database_refuses_does_not_disturb_its_group(house: House) -> None:
    """A key used twice is found only when it is written; then the group is run again, unit by unit."""
    other = house.store.take("other", at=2)
    outcomes = write_group(
        house.database,
        [
            house.unit(house.move(house.ada, house.bank, 100, key="once")),
            house.unit(house.move(house.bob, house.bank, 100, key="once"), stream=other),
            house.unit(house.move(house.ada, house.bank, 100)),
        ],
    )
    assert [type(outcome) for outcome in outcomes] == [Committed, Refused, Committed]
    assert code(outcomes[1]) == "unit/conflict"
    assert house.balances("ada", "bob") == (800, 500)
    check_all(house.database)


def test_an_overdraft_is_decided_in_the_order_of_the_units(house: House) -> None:
    """Ada has 10.00: 4.00 and 4.00 are covered, then 3.00 is not, then 2.00 is, then nothing is left."""
    streams = [house.store.take(f"table {i}", at=2) for i in range(5)]
    units = [
        house.unit(house.move(house.ada, house.bank, amount), stream=stream)
        for stream, amount in zip(streams, (400, 400, 300, 200, 1), strict=True)
    ]
    outcomes = write_group(house.database, units)
    assert [isinstance(outcome, Committed) for outcome in outcomes] == [True, True, False, True, False]
    assert isinstance(outcomes[2], Refused)
    assert outcomes[2].params == {"cost": 300, "balance": 200}
    assert house.balances("ada") == (0,)
    check_all(house.database)


def test_after_a_refused_unit_the_rest_of_its_stream_is_fenced(house: House) -> None:
    outcomes = write_group(
        house.database,
        [
            house.unit(house.move(house.ada, house.bank, 100)),
            house.unit(house.move(house.ada, house.bank, 1000)),
            house.unit(house.move(house.ada, house.bank, 100)),
        ],
    )
    assert isinstance(outcomes[0], Committed)
    assert [code(outcome) for outcome in outcomes[1:]] == ["funds/insufficient", "stream/fenced"]
    assert house.balances("ada") == (900,)


# Golden chips


@pytest.mark.rule("MAJ-50")
def test_golden_chips_of_one_value_are_added_up(house: House) -> None:
    facts = (GoldenMoved(house.ada, 500, 2), GoldenMoved(house.ada, 500, 1), GoldenMoved(house.ada, 100, 4))
    assert isinstance(one(house, house.unit(facts=facts)), Committed)
    assert isinstance(one(house, house.unit(facts=(GoldenMoved(house.ada, 500, -3),))), Committed)
    kept = rows(house.database, "SELECT stream, n, i, account, value, count FROM golden ORDER BY n, i")
    here, n, ada = house.stream.id, house.stream.n, house.ada
    assert kept == [
        (here, n - 1, 0, ada, 500, 2),
        (here, n - 1, 1, ada, 500, 1),
        (here, n - 1, 2, ada, 100, 4),
        (here, n, 0, ada, 500, -3),
    ]


@pytest.mark.rule("MAJ-50")
def test_a_golden_chip_that_is_not_held_cannot_be_given(house: House) -> None:
    assert isinstance(one(house, house.unit(facts=(GoldenMoved(house.ada, 500, 2),))), Committed)
    before = state(house)
    given = GoldenMoved(house.bob, 500, 3)
    refused = one(house, house.unit(facts=(GoldenMoved(house.ada, 500, -3), given)))
    assert isinstance(refused, Refused)
    assert (refused.code, refused.params) == ("golden/not-held", {"count": 3, "value": 500, "held": 2})
    house.stream.n -= 1
    for fact in (GoldenMoved(house.ada, 100, -1), GoldenMoved(house.bob, 500, -1)):
        assert code(one(house, house.unit(facts=(fact,)))) == "golden/not-held"
        house.stream.n -= 1
    assert state(house) == before


def test_golden_chips_are_held_by_players_and_sessions(house: House) -> None:
    """One that the same unit opens can have them at once; the bank and an account that is not there cannot."""
    new = house.store.ids.take("account")
    opened = AccountOpened(new, "session", "session", "EUR")
    assert isinstance(one(house, house.unit(facts=(opened, GoldenMoved(new, 500, 2)))), Committed)
    before = state(house)
    for account in (house.bank, 888_888):
        assert code(one(house, house.unit(facts=(GoldenMoved(account, 500, 1),)))) == "account/unknown"
        house.stream.n -= 1
    assert state(house) == before


@pytest.mark.parametrize(("value", "count"), [(0, 1), (-5, 1), (500, 0)])
def test_the_database_itself_refuses_golden_chips_of_nothing(house: House, value: int, count: int) -> None:
    before = state(house)
    assert code(one(house, house.unit(facts=(GoldenMoved(house.ada, value, count),)))) == "unit/conflict"
    assert state(house) == before


def test_golden_chips_are_decided_in_the_order_of_the_units(house: House) -> None:
    """Ada has three: two are covered, then two are not, then one is, and what came just before can go on."""
    assert isinstance(one(house, house.unit(facts=(GoldenMoved(house.ada, 500, 3),))), Committed)
    streams = [house.store.take(f"table {i}", at=2) for i in range(5)]
    units = [
        house.unit(facts=(GoldenMoved(house.ada, 500, count),), stream=stream)
        for stream, count in zip(streams, (-2, -2, -1, 1, -1), strict=True)
    ]
    outcomes = write_group(house.database, units)
    assert [isinstance(outcome, Committed) for outcome in outcomes] == [True, False, True, True, True]
    assert code(outcomes[1]) == "golden/not-held"
    assert rows(house.database, "SELECT sum(count) FROM golden") == [(0,)]


@pytest.mark.rule("MAJ-50")
def test_two_houses_on_one_players_golden_chips(house: House) -> None:
    """Two processes, as far as the database can tell: of twenty who give one chip at once, five find one."""
    assert isinstance(one(house, house.unit(facts=(GoldenMoved(house.ada, 500, 5),))), Committed)
    second = Database(house.database.url.render_as_string(hide_password=False))
    writers = (GroupWriter(house.database), GroupWriter(second))
    together = threading.Barrier(20)

    def give(i: int) -> Outcome:
        stream = house.store.take(f"table {i}", at=2)
        unit = house.unit(facts=(GoldenMoved(house.ada, 500, -1),), stream=stream)
        together.wait()
        return write(writers[i % 2], unit)

    with ThreadPoolExecutor(20) as pool:
        outcomes = list(pool.map(give, range(20)))
    assert sum(isinstance(outcome, Committed) for outcome in outcomes) == 5
    refused = [code(outcome) for outcome in outcomes if not isinstance(outcome, Committed)]
    assert refused == ["golden/not-held"] * 15
    assert rows(house.database, "SELECT sum(count) FROM golden") == [(0,)]
    for writer in writers:
        writer.close()
    second.close()


# Guarded statements


def test_a_sitting_is_left_once_and_takes_no_money_after(house: House) -> None:
    facts = (SittingOpened(1, 7, house.ada), MoneyBrought(1, 50))
    assert isinstance(one(house, house.unit(facts=facts)), Committed)
    assert isinstance(one(house, house.unit(facts=(SittingClosed(1, 50),), at=8)), Committed)
    before = state(house)
    for fact in (SittingClosed(1, 50), MoneyBrought(1, 1), SittingClosed(2, 0), MoneyBrought(2, 1)):
        assert code(one(house, house.unit(facts=(fact,), at=9))) == "unit/conflict"
        house.stream.n -= 1
    assert state(house) == before
    assert rows(house.database, "SELECT brought, taken, closed_at FROM sittings") == [(50, 50, 8)]


def test_money_brought_twice_in_one_group_counts_twice(house: House) -> None:
    assert isinstance(one(house, house.unit(facts=(SittingOpened(1, 7, house.ada),))), Committed)
    units = [house.unit(facts=(MoneyBrought(1, amount),)) for amount in (50, 70)]
    with house.database.writing() as connection:  # one transaction: the group is not tried unit by unit
        outcomes = commit_group(connection, units)
    assert [type(outcome) for outcome in outcomes] == [Committed, Committed]
    assert rows(house.database, "SELECT brought FROM sittings") == [(120,)]


@pytest.mark.parametrize("few", [0, FEW], ids=["many", "few"])
def test_cells_are_stored_as_they_are(house: House, few: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """PostgreSQL takes few rows as arrays, with quotes and commas of their own, and many by COPY."""
    monkeypatch.setattr(driver, "FEW", few)
    texts = ["", "NULL", 'a "b" \\', "{1,2}", "\\x00", "'; --", "%s è 🂡", "two\nlines\t", "\x01"]
    facts = [ShoeCommittedFact(number, text) for number, text in enumerate(texts, 1)]
    secrets = {fact.shoe: bytes(range(256)) + fact.commitment.encode() for fact in facts}
    assert isinstance(one(house, replace(house.unit(facts=tuple(facts)), secrets=secrets)), Committed)
    seeded = tuple(ShoeSeededFact(fact.shoe, fact.commitment) for fact in facts)
    assert isinstance(one(house, house.unit(facts=seeded)), Committed)
    kept = rows(house.database, "SELECT commitment, client_seed, sealed, seed FROM shoes ORDER BY id")
    assert kept == [(text, text, secrets[n], None) for n, text in enumerate(texts, 1)]
    check_all(house.database)


def test_a_seat_is_one_players_at_a_time_and_left_once(house: House) -> None:
    assert isinstance(one(house, house.unit(facts=(SeatTakenFact(1, 3, 7),))), Committed)
    before = state(house)
    for fact in (SeatTakenFact(2, 3, 8), SeatTakenFact(1, 4, 8), SeatLeftFact(2)):
        assert code(one(house, house.unit(facts=(fact,)))) == "unit/conflict"
        house.stream.n -= 1
    assert state(house) == before
    assert isinstance(one(house, house.unit(facts=(SeatLeftFact(1),), at=8)), Committed)
    assert code(one(house, house.unit(facts=(SeatLeftFact(1),), at=9))) == "unit/conflict"
    house.stream.n -= 1
    # The spot is free again, and the same spot of another table was all along.
    other = house.store.take("other", at=2)
    assert isinstance(one(house, house.unit(facts=(SeatTakenFact(2, 3, 8),), at=9)), Committed)
    assert isinstance(one(house, house.unit(facts=(SeatTakenFact(3, 3, 7),), at=9, stream=other)), Committed)
    kept = rows(house.database, "SELECT id, stream, spot, player, taken_at, left_at FROM seats ORDER BY id")
    here, there = house.stream.id, other.id
    assert kept == [(1, here, 3, 7, 5, 8), (2, here, 3, 8, 9, None), (3, there, 3, 7, 9, None)]


def test_a_seat_left_and_taken_again_in_one_group(house: House) -> None:
    """The database finds the spot taken until the seat before is left: the group is run again, unit by unit."""
    assert isinstance(one(house, house.unit(facts=(SeatTakenFact(1, 3, 7),))), Committed)
    outcomes = write_group(
        house.database,
        [house.unit(facts=(SeatLeftFact(1),), at=8), house.unit(facts=(SeatTakenFact(2, 3, 8),), at=9)],
    )
    assert [type(outcome) for outcome in outcomes] == [Committed, Committed]
    assert rows(house.database, "SELECT id, left_at FROM seats ORDER BY id") == [(1, 8), (2, None)]


def test_a_shoe_is_seeded_once_and_revealed_once(house: House) -> None:
    commit = replace(house.unit(facts=(ShoeCommittedFact(1, "c"),)), secrets={1: b"sealed"})
    assert isinstance(one(house, commit), Committed)
    for fact in (ShoeSeededFact(1, "x"), ShoeRevealedFact(1, "00ff")):
        assert isinstance(one(house, house.unit(facts=(fact,))), Committed)
        assert code(one(house, house.unit(facts=(fact,)))) == "unit/conflict"
        house.stream.n -= 1
    kept = rows(house.database, "SELECT client_seed, seeds, seed, sealed FROM shoes")
    assert kept == [("x", None, b"\x00\xff", b"sealed")]


def test_a_round_is_opened_once_and_closed_once(house: House) -> None:
    opened, closed = RoundOpenedFact("surrender", "EUR", 1), RoundClosed("settled")
    assert isinstance(one(house, house.unit(facts=(opened,), round="r")), Committed)
    assert code(one(house, house.unit(facts=(opened,), round="r"))) == "unit/conflict"
    house.stream.n -= 1
    assert isinstance(one(house, house.unit(facts=(closed,), round="r", at=8)), Committed)
    for fact in (closed, RoundClosed("voided")):
        assert code(one(house, house.unit(facts=(fact,), round="r", at=9))) == "unit/conflict"
        house.stream.n -= 1
    assert rows(house.database, "SELECT state, closed_at FROM rounds") == [("settled", 8)]


def test_a_guard_that_fails_does_not_disturb_its_group(house: House) -> None:
    other = house.store.take("other", at=2)
    outcomes = write_group(
        house.database,
        [
            house.unit(house.move(house.ada, house.bank, 100)),
            house.unit(house.move(house.bob, house.bank, 100), facts=(SittingClosed(1, 0),), stream=other),
            house.unit(house.move(house.ada, house.bank, 100)),
        ],
    )
    assert [type(outcome) for outcome in outcomes] == [Committed, Refused, Committed]
    assert code(outcomes[1]) == "unit/conflict"
    assert house.balances("ada", "bob") == (800, 500)
    check_all(house.database)


def test_an_account_is_decided_on_what_another_house_leaves(house: House) -> None:
    """Ada's 10.00 are being debited by 4.00 elsewhere: 7.00 wait for that, and are then not covered."""
    outcomes: list[Outcome] = []
    writer = GroupWriter(house.database)
    with house.database.writing() as connection:
        connection.exec_driver_sql(f"UPDATE accounts SET balance = 600 WHERE id = {house.ada}")
        writer.submit(house.unit(house.move(house.ada, house.bank, 700)), outcomes.append)
        threading.Event().wait(0.3)
        assert not outcomes
    writer.close()
    assert [code(outcome) for outcome in outcomes] == ["funds/insufficient"]
