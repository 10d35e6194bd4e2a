"""Numbers: never given twice, whoever asks."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

from sabot.store.database import Database
from sabot.store.ids import Ids


def test_numbers_begin_at_one_and_count_by_kind(database: Database) -> None:
    ids = Ids(database, block=3)
    assert [ids.take("shoe") for _ in range(7)] == [1, 2, 3, 4, 5, 6, 7]
    assert [ids.take("account") for _ in range(2)] == [1, 2]


def test_another_process_takes_a_block_of_its_own(database: Database) -> None:
    """The rest of a block is skipped when its process ends."""
    first, second = Ids(database, block=3), Ids(database, block=5)
    taken = [first.take("x"), second.take("x"), first.take("x"), first.take("x"), first.take("x")]
    assert taken == [1, 4, 2, 3, 9]
    assert Ids(database, block=1).take("x") == 12


def test_no_number_is_given_twice(database: Database) -> None:
    """Six threads on two sources, in small blocks: 300 numbers, all different."""
    sources = [Ids(database, block=4), Ids(database, block=7)]
    with ThreadPoolExecutor(6) as pool:
        taken = list(pool.map(lambda i: sources[i % 2].take("x"), range(300)))
    assert len(set(taken)) == 300
    assert min(taken) >= 1
