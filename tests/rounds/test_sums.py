"""The stored sums are what the log says, each row counted once, whoever folds and however often."""

from __future__ import annotations

from collections import Counter

import pytest
import sqlalchemy

from sabot.rounds.audit import audit_house
from sabot.rounds.fold import fold, fold_all
from sabot.rounds.sums import unfolded
from sabot.rounds.tally import FinishedRound
from sabot.store import schema
from sabot.store.database import Database
from tests.support.house import VAULT, House
from tests.support.store.raw_log import RawLog
from tests.support.store.two_days import NOON, play


def stored(database: Database, table: sqlalchemy.Table) -> dict[tuple[object, ...], tuple[int, ...]]:
    keys = len(table.primary_key)
    with database.reading() as connection:
        rows = connection.execute(sqlalchemy.select(table)).all()
    return {tuple(row[:keys]): tuple(row[keys:]) for row in rows}


def all_sums(database: Database) -> list[dict[tuple[object, ...], tuple[int, ...]]]:
    tables = (schema.tallies, schema.player_days, schema.flows, schema.folded)
    return [stored(database, table) for table in tables]


def expected_tallies(log: RawLog) -> dict[tuple[object, ...], tuple[int, ...]]:
    sums: dict[tuple[object, ...], Counter[str]] = {}
    for round in log.rounds():
        kind, *parts = round.table.split("/")
        place = f"solo/{parts[1]}" if kind == "solo" else round.table
        head = (round.day, place, round.game, round.rules, round.currency)
        if round.end == "voided":
            sums.setdefault((*head, False, "voided"), Counter())["rounds"] += 1
            continue
        counted = set()
        for (player, bet), (lines, staked, paid) in round.bets.items():
            for name in ("round", bet):
                line = sums.setdefault((*head, player in log.bots, name), Counter())
                line.update(bets=lines, staked=staked, paid=paid)
                counted.add((player in log.bots, name))
        for bot, name in counted:
            sums[*head, bot, name]["rounds"] += 1
    return {key: (n["rounds"], n["bets"], n["staked"], n["paid"]) for key, n in sums.items()}


@pytest.mark.rule("OFF-14", "OFF-20")
def test_the_sums_are_those_of_the_raw_log(database: Database) -> None:
    house = House(database)
    play(house)
    fold_all(database)
    log = RawLog(database)
    assert stored(database, schema.tallies) == expected_tallies(log)
    assert {rules for *_, rules, _, _, _ in stored(database, schema.tallies)} == {
        round.rules for round in log.rounds()
    }
    days = stored(database, schema.player_days)
    paid: Counter[tuple[object, ...]] = Counter()
    for (_, player, currency), numbers in days.items():
        paid[player, currency, "in"] += numbers[5]
        paid[player, currency, "out"] += numbers[7]
    ada, told = 1, log.payments()
    assert paid[ada, "EUR", "in"] == told[ada, "EUR", "deposit"] == 10_000_000
    assert paid[ada, "EUR", "out"] == told[ada, "EUR", "withdraw"] - told[ada, "EUR", "rollback"] == 700
    flows: Counter[tuple[object, ...]] = Counter()
    for (_, currency, kind, _), (amount,) in stored(database, schema.flows).items():
        flows[kind, currency] += amount
    assert +flows == +log.balances()
    assert -flows == -log.balances()
    assert audit_house(database, vault=VAULT).findings == []


@pytest.mark.rule("OFF-20")
def test_a_players_day_has_the_hours_in_which_rounds_ended(database: Database) -> None:
    house = House(database)
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    for hour in (0, 0, 2, 13):
        house.play_solo(table, ada, NOON + hour * 3_600_000)
    fold_all(database)
    days = stored(database, schema.player_days)
    assert [numbers[3] for key, numbers in days.items() if key[1:] == (ada, "EUR") and numbers[0]] == [
        1 << 12 | 1 << 14,
        1 << 1,
    ]


@pytest.mark.parametrize("most", [1, 3, 50])
def test_batches_of_any_size_come_to_the_same(database: Database, most: int) -> None:
    play(House(database))
    with database.reading() as connection:
        whole = unfolded(connection, 1_000_000)
    taken: list[FinishedRound] = []
    while fold(database, lambda _, rounds: taken.extend(rounds), most):
        pass
    tallies, player_days, flows, _ = all_sums(database)
    assert tallies == {tuple(key): tuple(numbers) for key, numbers in whole.tallies.items()}
    assert player_days == {tuple(key): tuple(numbers) for key, numbers in whole.player_days.items()}
    assert flows == {tuple(key): (amount,) for key, amount in whole.flows.items()}
    assert taken == whole.rounds


def test_two_who_fold_the_same_rows_count_them_once(database: Database) -> None:
    """The second has read the rows before the first has stored their sums."""
    play(House(database))

    def another_comes_first(*_: object) -> None:
        raise RuntimeError("stopped before the commit")

    with pytest.raises(RuntimeError):
        fold(database, another_comes_first)
    assert all_sums(database) == [{}, {}, {}, {}]
    with database.reading() as connection:
        seen = unfolded(connection, 5)
    fold(database, None, 5)
    before = all_sums(database)
    late = pytest.MonkeyPatch()
    with late.context() as patch:
        patch.setattr("sabot.rounds.fold.unfolded", lambda *_: seen)
        assert not fold(database)
    assert all_sums(database) == before
    fold_all(database)
    assert stored(database, schema.tallies) == expected_tallies(RawLog(database))
