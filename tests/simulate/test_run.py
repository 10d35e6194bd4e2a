"""Simulations: repeatable, the same for any workers, interruptible, and near the exact values."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from concurrent.futures import Executor, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from distributed import Client, LocalCluster

from sabot.games import find
from sabot.games.tables import BEST_TABLES
from sabot.odds.game import game_values
from sabot.odds.sidebets import category_counts, side_bet_moments
from sabot.simulate import Result, SimulationError, prepare, simulate
from sabot.simulate.run import stream
from tests.simulate.tables import STRIP
from tests.support.players import GAMES

LINK = find("link").rules
ALL_BETS = [bet.name for bet in LINK.side_bets]


def same(one: Result, other: Result) -> bool:
    return np.array_equal(one.counts, other.counts) and one.side_bets == other.side_bets


def link(
    rounds: int = 100_000, seed: int = 1, chunk: int = 7_000, executor: Executor | None = None
) -> Result:
    return simulate(
        LINK, rounds, strategy=STRIP, seed=seed, hands=2, side_bets=ALL_BETS, chunk=chunk, executor=executor
    )


# Repeatable


def test_the_same_seed_gives_the_same_result() -> None:
    assert same(link(), link())


def test_other_seeds_and_chunks_give_other_results() -> None:
    assert not same(link(), link(seed=2))
    assert not same(link(), link(chunk=8_000))


def test_every_round_is_played() -> None:
    assert link(rounds=70_001).rounds == 70_001
    assert link(rounds=1).rounds == 1


@pytest.fixture(params=["threads", "processes", "dask"])
def executor(request: pytest.FixtureRequest) -> Iterator[Executor]:
    prepare()
    if request.param == "threads":
        with ThreadPoolExecutor(2) as pool:
            yield pool
    elif request.param == "dask":
        local = LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with local as cluster, Client(cluster) as client, client.get_executor() as pool:
            yield pool
    else:
        with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
            yield pool


@pytest.mark.slow  # other processes, and a cluster
def test_workers_change_nothing(executor: Executor) -> None:
    assert same(link(executor=executor), link())


def test_many_chunks_wait_their_turn() -> None:
    with ThreadPoolExecutor(2) as pool:
        assert same(link(chunk=200, executor=pool), link(chunk=200))


def test_streams_do_not_meet() -> None:
    gamma = 0x9E3779B97F4A7C15
    apart = [(stream(5, n) - stream(5, 0)) * pow(gamma, -1, 2**64) % 2**64 for n in range(4)]
    assert apart == [0, 2**40, 2 * 2**40, 3 * 2**40]
    assert stream(5, 0) != stream(6, 0)


def test_side_bets_and_hands_do_not_change_the_first_cards() -> None:
    """A main bet is the same with and without side bets where none makes the dealer draw."""
    plain = simulate(LINK, 50_000, strategy=STRIP, seed=3)
    staked = simulate(LINK, 50_000, strategy=STRIP, seed=3, side_bets=ALL_BETS)
    assert np.array_equal(plain.counts, staked.counts)


# Progress and interruption


def test_progress_is_told_after_each_chunk() -> None:
    told: list[tuple[int, bool]] = []
    simulate(
        LINK,
        25_000,
        strategy=STRIP,
        seed=1,
        chunk=10_000,
        progress=lambda so_far: told.append((so_far.rounds, so_far.complete)),
    )
    assert told == [(10_000, False), (20_000, False), (25_000, True)]


@pytest.fixture
def _interruptible() -> Iterator[None]:
    """A process started in the background may have been told to ignore Ctrl-C."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.usefixtures("_interruptible")
@pytest.mark.parametrize("workers", [0, 2])
def test_ctrl_c_returns_what_there_is(workers: int) -> None:
    def press(so_far: Result) -> None:
        if so_far.rounds >= 30_000:
            os.kill(os.getpid(), signal.SIGINT)

    def run(executor: Executor | None) -> Result:
        return simulate(LINK, 10**7, strategy=STRIP, seed=1, chunk=10_000, executor=executor, progress=press)

    if workers:
        with ThreadPoolExecutor(workers) as pool:
            result = run(pool)
    else:
        result = run(None)
    assert not result.complete
    assert result.rounds == 30_000


def test_ctrl_c_at_once_returns_an_empty_result() -> None:
    class Interrupted(ThreadPoolExecutor):
        def submit(self, *args: object, **kwargs: object) -> object:  # type: ignore[override]
            raise KeyboardInterrupt

    with Interrupted(1) as pool:
        result = link(executor=pool)
    assert (result.rounds, result.complete) == (0, False)
    assert np.isnan(result.per_initial)
    assert np.isnan(result.per_stake_error)


# Bad arguments


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"rounds": 0}, "rounds 0: write a whole number from 1"),
        ({"rounds": 1.5}, "rounds 1.5"),
        ({"rounds": True}, "rounds True"),
        ({"rounds": 10**9, "chunk": 10}, "rounds 1000000000: write a whole number from 1 to 83886080"),
        ({"seed": -1}, "seed -1: write a whole number from 0"),
        ({"seed": "a"}, "seed 'a'"),
        ({"chunk": 0}, "chunk 0"),
        ({"chunk": "x"}, "chunk 'x'"),
        ({"hands": 6}, "hands 6: write a whole number from 1 to 5"),
        ({"side_bets": ["buster"]}, "link has no side bet 'buster'"),
    ],
)
def test_refuses_what_makes_no_sense(arguments: dict[str, object], message: str) -> None:
    asked: dict[str, object] = {"rounds": 100, "strategy": STRIP, "seed": 1, **arguments}
    with pytest.raises(SimulationError, match=message):
        simulate(LINK, **asked)  # type: ignore[arg-type]


# Near the exact values


def z(found: float, exact: float, error: float) -> float:
    return (found - exact) / error


@pytest.mark.slow  # many rounds of every game
@pytest.mark.parametrize("game", [game for game in GAMES if find(game).rules.side_bets])
def test_side_bets_return_their_exact_value(game: str) -> None:
    rules = find(game).rules
    names = [bet.name for bet in rules.side_bets]
    result = simulate(rules, 4_000_000, strategy=STRIP, seed=11, side_bets=names)
    for bet in rules.side_bets:
        found = result.side_bets[bet.name]
        exact = side_bet_moments(bet, rules).expected
        if bet.judge not in ("dealer-bust", "bonus"):
            counts = category_counts(bet.judge, rules.decks)
            for category, _ in bet.prizes:
                chance = counts[category] / sum(counts.values())
                error = (chance * (1 - chance) / result.rounds) ** 0.5
                assert abs(z(found.categories[category] / result.rounds, chance, error)) < 4.5, (
                    f"{bet.name} {category}"
                )
        assert abs(z(found.per_stake, exact, found.per_stake_error)) < 4.5, bet.name


@pytest.mark.slow  # many rounds of every game
@pytest.mark.parametrize("game", GAMES)
def test_main_bets_return_their_exact_value(game: str) -> None:
    rules = find(game).rules
    exact = game_values(rules).table
    result = simulate(rules, 5_000_000, strategy=BEST_TABLES[game], seed=15)
    assert abs(z(result.per_stake, exact.per_stake, result.per_stake_error)) < 4.5
    assert abs(z(result.per_initial, exact.per_initial, result.per_initial_error)) < 4.5


def test_several_hands_return_what_one_does() -> None:
    one = simulate(LINK, 4_000_000, strategy=STRIP, seed=12)
    five = simulate(LINK, 1_000_000, strategy=STRIP, seed=13, hands=5)
    error = (one.per_initial_error**2 + five.per_initial_error**2) ** 0.5
    assert abs(z(one.per_initial, five.per_initial, error)) < 4.5
    # Hands against one dealer hang together: the spread falls, but less than that of five free hands.
    assert one.sd / 5**0.5 < five.sd < one.sd


def test_the_strip_table_earns_what_cashback_publishes() -> None:
    result = simulate(find("cashback").rules, 10_000_000, strategy=STRIP, seed=14)
    assert abs(z(result.per_stake, 0.9955, result.per_stake_error)) < 4.5
    assert 1.14 < result.sd < 1.15
