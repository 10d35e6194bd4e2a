"""Many rounds over many workers, with a repeatable result.

Rounds are cut into chunks and each chunk has its own random stream. So a result depends on the seed, the rounds and the
chunk, not on the workers. The kernel releases Python's lock: a `ThreadPoolExecutor` uses every core without a second
compilation; processes or a cluster's executor work too.
"""

from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Executor
from contextlib import closing
from hashlib import blake2b
from itertools import islice
from typing import NamedTuple

import numpy as np

from sabot.games.rules import Rules
from sabot.games.sidebets import SideBet
from sabot.games.strategy import BestTable
from sabot.simulate import kernel
from sabot.simulate.kernel import Codes, Ints, Lowered
from sabot.simulate.lowered import SimulationError, categories, find_side_bets, full_shoe, lower
from sabot.simulate.result import Result, SideResult

#: Rounds of a chunk: about a tenth of a second.
CHUNK = 2_000_000
MOST_IN_CHUNK = 10**9
#: Words between the beginnings of two streams, and how many streams have room on the circle of 2^64.
_STREAM = 2**40
_STREAMS = 2**24
#: Chunks submitted together: so many that workers are seldom idle at the end of them.
_TOGETHER = 4096


class _Tally(NamedTuple):
    """The result of a chunk: rounds by stakes and result, side bets by category, sums of their payments."""

    results: Ints
    counts: Ints
    sums: Ints


def simulate(
    rules: Rules,
    rounds: int,
    *,
    strategy: BestTable,
    seed: int,
    free_strategy: BestTable | None = None,
    hands: int = 1,
    side_bets: Sequence[str] = (),
    executor: Executor | None = None,
    chunk: int = CHUNK,
    progress: Callable[[Result], None] | None = None,
) -> Result:
    """Play rounds of a game, each from a full shoe, by a table; insurance and even money are declined (RET-01).

    `free_strategy` is the table of a split's free hand. `progress` gets the result so far after each chunk. Ctrl-C
    ends the simulation early: its result is then not `complete`.

    >>> from sabot.games import find
    >>> mimic = BestTable(hard={}, soft={}, pairs={})
    >>> result = simulate(find("classic-6").rules, 1_000_000, strategy=mimic, seed=1)
    >>> result.rounds, round(result.per_initial, 2)
    (1000000, 0.94)
    """
    _check("chunk", chunk, 1, MOST_IN_CHUNK)
    _check("rounds", rounds, 1, _STREAMS // 2 * chunk)
    _check("seed", seed, 0, None)
    _check("hands", hands, 1, rules.spots)
    game = lower(rules, strategy, free_strategy, hands, side_bets)
    bets = find_side_bets(rules, side_bets)
    tally = _empty(game)
    complete = True
    try:
        with closing(_play(game, full_shoe(rules), rounds, seed, chunk, executor)) as tallies:
            for part in tallies:
                tally = _Tally(*(ours + theirs for ours, theirs in zip(tally, part, strict=True)))
                if progress is not None:
                    progress(_result(rules, bets, game, tally, int(tally.results.sum()) == rounds))
    except KeyboardInterrupt:
        complete = int(tally.results.sum()) == rounds
    return _result(rules, bets, game, tally, complete)


def prepare() -> None:
    """Compile the kernel or load it: some seconds after an installation, half a second later."""
    rules = Rules("classic-6")
    table = BestTable(hard={}, soft={}, pairs={})
    _play_chunk(lower(rules, table), full_shoe(rules), 0, 0, 0)


def stream(seed: int, number: int) -> int:
    """The counter at which a seed's stream begins; no two streams of a seed share a word."""
    base = int.from_bytes(blake2b(str(seed).encode(), digest_size=8).digest(), "big")
    return (base + number * _STREAM * int(kernel.GAMMA)) % 2**64


def _check(name: str, value: int, least: int, most: int | None) -> None:
    if type(value) is not int or value < least or (most is not None and value > most):
        reach = f"from {least}" if most is None else f"from {least} to {most}"
        raise SimulationError(f"{name} {value!r}: write a whole number {reach}")


def _play(
    game: Lowered, shoe: Codes, rounds: int, seed: int, chunk: int, executor: Executor | None
) -> Generator[_Tally, None, None]:
    """The chunks, each when it is done."""
    jobs = (
        (game, shoe, min(chunk, rounds - start), stream(seed, 2 * number), stream(seed, 2 * number + 1))
        for number, start in enumerate(range(0, rounds, chunk))
    )
    if executor is None:
        for job in jobs:
            yield _play_chunk(*job)
        return
    while together := [*islice(jobs, _TOGETHER)]:
        yield from executor.map(_play_chunk, *zip(*together, strict=True))


def _play_chunk(game: Lowered, shoe: Codes, rounds: int, cards: int, luck: int) -> _Tally:
    """One worker's part: rounds from one stream of cards and one of bonus draws."""
    tally, felt = _empty(game), kernel.new_felt(game)
    kernel.play_stream(
        game, felt, shoe.copy(), rounds, np.uint64(cards), np.uint64(luck), tally.results, tally.sums
    )
    return tally._replace(counts=felt.counts)


def _empty(game: Lowered) -> _Tally:
    """No rounds yet. A hand is split once and doubled twice at most, so it wins or loses four stakes at most."""
    most = game.hands * max(4 * game.unit, 4 * game.win, game.blackjack)
    return _Tally(
        np.zeros((3 * game.hands + 1, 2 * most + 1), np.int64),
        np.zeros(game.prizes.shape, np.int64),
        np.zeros((len(game.judges), 2), np.int64),
    )


def _result(rules: Rules, bets: Sequence[SideBet], game: Lowered, tally: _Tally, complete: bool) -> Result:
    rounds = int(tally.results.sum())
    side_bets: dict[str, SideResult] = {}
    for row, bet in enumerate(bets):
        categories_found = _pay_categories(rules, bet, tally.counts[row])
        paid, squares = (int(total) for total in tally.sums[row])
        side_bets[bet.name] = SideResult(
            bet.name, rounds, 1 if bet.once else game.hands, paid, squares, categories_found
        )
    return Result(rules.name, game.hands, game.unit, tally.results, side_bets, complete)


def _pay_categories(rules: Rules, bet: SideBet, counts: Ints) -> dict[str, int]:
    """The categories that pay on this bet, in the order of its prizes; all others are its losses."""
    seen = dict(zip(categories(rules, bet), (int(n) for n in counts), strict=False))
    paying = [name for name, _ in bet.prizes] if bet.prizes else [name for name in seen if name]
    found = {name: seen.pop(name, 0) for name in paying}
    return {**found, "": sum(seen.values())}
