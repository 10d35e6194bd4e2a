"""The books of a day agree with the ledger to the cent, and a closed day stays as it was closed."""

from __future__ import annotations

import threading
from datetime import date

import pytest
import sqlalchemy
from sqlalchemy import text

from sabot.engine import Bet
from sabot.errors import Refusal
from sabot.rounds.audit import audit_house
from sabot.rounds.day_close import (
    GRACE_MS,
    ClosedDay,
    DayChangedError,
    DayLine,
    check_day,
    close_day,
    closed_day,
    day_before,
    day_sums,
)
from sabot.store import schema
from sabot.store.database import Database
from tests.support.house import BROUGHT, VAULT, House

DAY = date(2026, 8, 29)
NOON = 1_788_004_800_000
MIDNIGHT = NOON + 12 * 3_600_000
LATER = MIDNIGHT + GRACE_MS


@pytest.fixture
def house(database: Database) -> House:
    return House(database)


def sums(house: House, day: date = DAY) -> tuple[DayLine, ...]:
    with house.store.database.reading() as connection:
        return day_sums(connection, day)


def house_won(house: House, currency: str) -> int:
    """What the ledger moved to the house's account, less what it took from there."""
    account = house.store.account(f"house/{currency}")
    transfers = schema.transfers.c
    with house.store.database.reading() as connection:
        return sum(
            sign * int(connection.execute(sqlalchemy.select(total).where(side == account)).scalar() or 0)
            for sign, side in ((1, transfers.credit), (-1, transfers.debit))
            for total in (sqlalchemy.func.sum(transfers.amount),)
        )


def log_rows(house: House) -> int:
    with house.store.database.reading() as connection:
        return int(connection.execute(text("SELECT count(*) FROM log")).scalar_one())


def a_day(house: House) -> None:
    """Rounds of four games on one day: real money, play money, golden chips, a void."""
    ada, bob = house.player("ada"), house.player("bob")
    for game in ("surrender", "cashback"):
        solo = house.solo(game, ada)
        for at in range(5):
            house.play_solo(solo, ada, NOON + at)
    fun = house.solo("link", bob, "FUN")
    for at in range(4):
        house.play_solo(fun, bob, NOON + at)
    settled = len(line_codes(house))
    house.deal_until_open(fun, bob, NOON)
    house.void(fun, NOON)
    assert len(line_codes(house)) > settled
    live = house.live("majority-eu", ada, bob)
    house.golden(live, ada, 500, 2, NOON)
    house.store.store(live.open_round(NOON))
    house.bet(live, ada, (Bet(0, "main", 0, (500,)), Bet(1, "main", 700)), NOON)
    house.bet(live, bob, (Bet(1, "main", 300), Bet(1, "buster", 200)), NOON)
    house.deal_live(live, NOON)
    house.finish(live, NOON)


def line_codes(house: House) -> list[str]:
    with house.store.database.reading() as connection:
        return list(connection.execute(sqlalchemy.select(schema.rounds.c.code)).scalars())


# The sums


def test_the_books_of_a_day_are_the_ledgers(house: House) -> None:
    a_day(house)
    lines = sums(house)
    assert [(line.currency, line.game, line.voided) for line in lines] == [
        ("EUR", "cashback", 0),
        ("EUR", "majority-eu", 0),
        ("EUR", "surrender", 0),
        ("FUN", "link", 1),
    ]
    assert [line.rounds for line in lines[:3]] == [5, 1, 5]
    for currency in ("EUR", "FUN"):
        held = sum(line.hold for line in lines if line.currency == currency)
        assert held == house_won(house, currency)
    assert all(line.staked > 0 and line.hold == line.staked - line.paid for line in lines)


def test_a_round_belongs_to_the_day_it_ended_on(house: House) -> None:
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    for at in (MIDNIGHT - 1, MIDNIGHT):
        house.play_solo(table, ada, at)
    house.deal_until_open(table, ada, MIDNIGHT - 1)
    today = sums(house)
    house.finish(table, MIDNIGHT + 5)
    assert sums(house) == today
    assert sums(house, date(2026, 8, 30))[0].rounds >= 2
    assert sums(house, date(2026, 8, 28)) == ()


def test_what_bots_play_is_in_the_ledger_but_not_in_the_books(house: House) -> None:
    """Ada and a bot at one table; then the bot alone: two rounds, and of the stakes Ada's 10.00."""
    ada, bot = house.player("ada"), house.cashier.register("demo-1", at=0, demo=True, bot=True)
    house.cashier.deposit(bot, "FUN", BROUGHT, "demo", at=0)
    live = house.live("majority-eu", ada, bot, currency="FUN")
    first = house.play_live(live, {ada: (Bet(0, "main", 1_000),), bot: (Bet(0, "main", 700),)}, NOON)
    second = house.play_live(live, {bot: (Bet(1, "main", 300),)}, NOON + 1)
    played = schema.played.c
    with house.store.database.reading() as connection:
        query = sqlalchemy.select(played.code, played.player, played.staked, played.paid)
        lines = {(code, player): money for code, player, *money in connection.execute(query)}
    assert lines.keys() == {(first, ada), (first, bot), (second, bot)}
    staked, paid = lines[first, ada]
    assert sums(house) == (DayLine("majority-eu", "FUN", 2, 0, 1_000, paid),)
    assert staked == 1_000
    assert house_won(house, "FUN") == sum(staked - paid for staked, paid in lines.values())
    assert sum(staked for staked, _ in lines.values()) == 2_000
    assert audit_house(house.store.database, vault=VAULT).findings == []


def test_shares_and_published_returns() -> None:
    line = DayLine("link", "EUR", 10, 0, 10_000, 9_000)
    assert (line.hold, line.held, line.published) == (1_000, 0.1, 0.9957)
    assert DayLine("link", "EUR", 10, 0, 10_000, 12_500).held == -0.25
    nothing = DayLine("classic-6", "EUR", 0, 1, 0, 0)
    assert (nothing.hold, nothing.held, nothing.published) == (0, None, None)
    assert DayLine("forgotten", "EUR", 1, 0, 1, 1).published is None


def test_the_last_day_that_is_over() -> None:
    assert day_before(MIDNIGHT - 1) == date(2026, 8, 28)
    assert day_before(MIDNIGHT) == DAY


# Closing


def test_to_close_a_day_writes_its_sums_and_all_ends(house: House) -> None:
    a_day(house)
    before, streams = log_rows(house), schema.streams.c
    with house.store.database.reading() as connection:
        heads = connection.execute(sqlalchemy.select(streams.name, streams.n, streams.head)).all()
    closed = close_day(house.store.database, DAY, LATER)
    assert (closed.at, closed.closing.day, closed.closing.lines) == (LATER, "2026-08-29", sums(house))
    ends = {(name, end.n, end.hash) for name, end in closed.closing.anchors.items()}
    assert ends == {(name, n, bytes(head).hex()) for name, n, head in heads}
    # One row to own the stream of the house, one for the day.
    assert log_rows(house) == before + 2
    assert audit_house(house.store.database, vault=VAULT, anchors=closed.closing.anchors).findings == []


def test_to_close_a_day_again_writes_nothing(house: House) -> None:
    a_day(house)
    first = close_day(house.store.database, DAY, LATER)
    after = log_rows(house)
    assert close_day(house.store.database, DAY, LATER + 5_000) == first
    assert log_rows(house) == after
    # Another day is a row of its own, with the row before among the ends.
    second = close_day(house.store.database, date(2026, 8, 28), LATER + 5_000)
    assert (second.closing.lines, second.closing.anchors["house"].n) == ((), 2)
    with house.store.database.reading() as connection:
        assert closed_day(connection, DAY) == first
        assert closed_day(connection, date(2026, 8, 27)) is None


@pytest.mark.parametrize("at", [NOON, MIDNIGHT, LATER - 1])
def test_a_day_that_is_not_over_stays_open(house: House, at: int) -> None:
    with pytest.raises(Refusal, match="The day 2026-08-29 is not over"):
        close_day(house.store.database, DAY, at)
    with house.store.database.reading() as connection:
        assert closed_day(connection, DAY) is None


def test_a_closed_day_that_changed_is_an_error(house: House) -> None:
    """A round is slipped into a day that was closed."""
    a_day(house)
    closed = close_day(house.store.database, DAY, LATER)
    after = log_rows(house)
    ada = house.player("late")
    table = house.solo("surrender", ada, "FUN")
    house.play_solo(table, ada, NOON)
    played = log_rows(house)
    for look in (_close_again, _check):
        with pytest.raises(DayChangedError) as error:
            look(house)
        ((was, now),) = error.value.changes
        assert was is None
        assert now is not None
        assert (now.game, now.currency, now.rounds) == ("surrender", "FUN", 1)
    assert log_rows(house) == played > after
    with house.store.database.reading() as connection:
        assert closed_day(connection, DAY) == closed


def _close_again(house: House) -> ClosedDay | None:
    return close_day(house.store.database, DAY, LATER + 1)


def _check(house: House) -> ClosedDay | None:
    with house.store.database.reading() as connection:
        return check_day(connection, DAY)


def test_two_who_close_a_day_at_once_agree(house: House, database_url: str) -> None:
    a_day(house)
    answers: list[ClosedDay] = []
    ready = threading.Barrier(4)

    def close() -> None:
        own = Database(database_url)
        ready.wait()
        answers.append(close_day(own, DAY, LATER))
        own.close()

    threads = [threading.Thread(target=close) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 4
    assert all(answer == answers[0] for answer in answers)
    with house.store.database.reading() as connection:
        count = connection.execute(text("SELECT count(*) FROM log WHERE kind = 'day-closed'")).scalar()
    assert count == 1
    assert audit_house(house.store.database, vault=VAULT).findings == []
