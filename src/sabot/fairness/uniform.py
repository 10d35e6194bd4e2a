"""Tests that shoes are uniform: shuffles many of them and judges the counts of their cards (ASR-05).

All words come from `SeedStream.block`. The shuffle is that of `SeededShoe`, for thousands of shoes together;
`SeededShoe` itself deals the rare shoe for which a word must be thrown away.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import islice
from math import erfc, exp, fsum, lgamma, log, sqrt

import numpy as np
from numpy.typing import NDArray

from sabot.cards import DECK_SIZE
from sabot.fairness.shoe import SeededShoe
from sabot.fairness.stream import SeedStream, new_seed, numbered_seed

Cards = NDArray[np.uint8]
Counts = NDArray[np.int64]

CLIENT_SEED = "rng-test"
#: Fewest shoes for a meaningful chi-square.
FEWEST_SHOES = 1000
#: Shoes shuffled together: their cards fit the processor's cache.
BATCH = 1024
#: Batches submitted together: so many that workers are seldom idle at the end of them.
_TOGETHER = 1024
_BLOCK_WORDS = 8


@dataclass(frozen=True)
class ShoeCounts:
    """How often each face lay in each place, and how often each face followed each other, over some shoes."""

    shoes: int
    #: ``places[k, face]``
    places: Counts
    #: ``pairs[face, next face]``
    pairs: Counts

    @classmethod
    def empty(cls, decks: int) -> ShoeCounts:
        """No shoes yet."""
        places = np.zeros((decks * DECK_SIZE, DECK_SIZE), np.int64)
        return cls(0, places, np.zeros((DECK_SIZE, DECK_SIZE), np.int64))

    @classmethod
    def of(cls, cards: Cards) -> ShoeCounts:
        """Count shoes: ``cards[k, shoe]``."""
        size, shoes = cards.shape
        places = cards + DECK_SIZE * np.arange(size)[:, None]
        pairs = cards[:-1] * np.int64(DECK_SIZE) + cards[1:]
        return cls(shoes, _count(places, size), _count(pairs, DECK_SIZE))

    def __add__(self, other: ShoeCounts) -> ShoeCounts:
        return ShoeCounts(self.shoes + other.shoes, self.places + other.places, self.pairs + other.pairs)


def _count(cells: Counts, rows: int) -> Counts:
    counts = np.bincount(cells.ravel(), minlength=rows * DECK_SIZE)
    return counts.reshape(rows, DECK_SIZE).astype(np.int64)


# Shuffling


def shuffled(decks: int, streams: Sequence[SeedStream]) -> Cards:
    """The shoes of these streams, ``cards[k, shoe]``: card for card what `SeededShoe` deals.

    >>> cards = shuffled(1, [SeedStream(bytes(32), "my seed", "shoe")])
    >>> shoe = SeededShoe(1, SeedStream(bytes(32), "my seed", "shoe"))
    >>> cards[:, 0].tolist() == [shoe.draw() for _ in range(52)]
    True
    """
    size = decks * DECK_SIZE
    words = np.stack([_words(stream, size) for stream in streams], axis=1)
    left = np.arange(size, 0, -1, dtype=np.uint64)[:, None]
    unfair = (words >= 2**32 - 2**32 % left).any(axis=0)
    cards = _fisher_yates((words % left).astype(np.int64))
    for shoe in map(int, np.flatnonzero(unfair)):
        dealer = SeededShoe(decks, streams[shoe])
        cards[:, shoe] = [dealer.draw() for _ in range(size)]
    return cards


def _words(stream: SeedStream, count: int) -> NDArray[np.uint32]:
    """The first words of a stream, without using them up."""
    blocks = b"".join(map(stream.block, range(-(-count // _BLOCK_WORDS))))
    return np.frombuffer(blocks, ">u4", count).astype(np.uint32)


def _fisher_yates(steps: Counts) -> Cards:
    """Shoes in which card ``k`` has changed places with card ``k + steps[k, shoe]``, for every ``k`` in turn."""
    size, shoes = steps.shape
    column = np.arange(shoes)
    cards = np.repeat((np.arange(size) % DECK_SIZE).astype(np.uint8), shoes)
    for k in range(size):
        there = (steps[k] + k) * shoes + column
        here = cards[k * shoes : (k + 1) * shoes]
        picked = cards[there]
        cards[there] = here
        here[:] = picked
    return cards.reshape(size, shoes)


# Counting


def tally_shoes(
    shoes: int,
    decks: int,
    text: str | None = None,
    executor: Executor | None = None,
    progress: Callable[[ShoeCounts], None] | None = None,
) -> ShoeCounts:
    """Shuffle and count shoes, each from a new seed; with a text, from the seeds of `numbered_seed`.

    ``progress`` gets the tally after each batch. Ctrl-C ends the count early.
    """
    tally = ShoeCounts.empty(decks)
    batches = ((decks, text, first, min(BATCH, shoes - first)) for first in range(0, shoes, BATCH))
    try:
        for part in _parts(batches, executor):
            tally += part
            if progress is not None:
                progress(tally)
    except KeyboardInterrupt:
        pass
    return tally


def _parts(
    batches: Iterator[tuple[int, str | None, int, int]], executor: Executor | None
) -> Iterator[ShoeCounts]:
    """The counts of the batches, each when it is done."""
    if executor is None:
        yield from (_tally_batch(*batch) for batch in batches)
        return
    while together := [*islice(batches, _TOGETHER)]:
        yield from executor.map(_tally_batch, *zip(*together, strict=True))


def _tally_batch(decks: int, text: str | None, first: int, shoes: int) -> ShoeCounts:
    """One worker's part."""
    numbers = range(first + 1, first + shoes + 1)
    seeds = [new_seed() if text is None else numbered_seed(text, number) for number in numbers]
    return ShoeCounts.of(shuffled(decks, [SeedStream(seed, CLIENT_SEED, "shoe") for seed in seeds]))


# Judging


@dataclass(frozen=True)
class Verdict:
    """A chi-square, its degrees of freedom, and the chance of a larger one if shoes are uniform."""

    chi_square: float
    freedom: int
    p: float


def judge_places(tally: ShoeCounts) -> Verdict:
    """Whether every face lies in every place equally often.

    The cells are not independent: in each shoe a place has one card and a face all its copies. With n cards in the
    shoe, X[k, f] = 1 where place k has face f has the covariance

        1/(n - 1) * (I - J/n) x d (I - J/52)        (I the identity, J all ones, d decks, x the Kronecker product)

    which is the same in every direction it has: n - 1 times 51 of them. So Pearson's sum, which takes the variance
    for d/n, is (n - 1)/n of a chi-square with (n - 1) * 51 degrees of freedom.
    """
    size, faces = tally.places.shape
    expected = tally.shoes / faces
    pearson = float(((tally.places - expected) ** 2).sum() / expected)
    return _verdict(pearson * (size - 1) / size, (size - 1) * (faces - 1))


def judge_pairs(tally: ShoeCounts) -> Verdict:
    """Whether each face follows each other as often as it should, over all neighbours in the shoes.

    Neighbours overlap and cards are not replaced, so the counts of a shoe depend on each other and Pearson's sum is no
    chi-square. The difference from the expected counts is measured by the inverse of the exact covariance
    (`pair_moments`) instead. Only the total is fixed, so one degree of freedom is lost; one deck has no equal
    neighbours, and those cells are left out.
    """
    faces = len(tally.pairs)
    mean, covariance = pair_moments(faces, len(tally.places) // faces)
    possible = mean.ravel() > 0
    off = (tally.pairs - tally.shoes * mean).ravel()[possible]
    # Ones in the only direction without variance make the matrix invertible; `off` has no part in it.
    spread = covariance[np.ix_(possible, possible)] + 1
    chi_square = float(off @ np.linalg.solve(spread, off)) / tally.shoes
    return _verdict(chi_square, int(possible.sum()) - 1)


def pair_moments(faces: int, decks: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Mean and covariance of the pairs of one shoe, row ``a * faces + b`` for face ``b`` right after face ``a``.

    Take the n cards as different. One given card follows another with chance 1/n, a second such pair comes beside it
    with chance 1/(n(n - 1)) if it can: not if both begin with the same card, end with the same card, or are each other
    reversed. So n(n - 1) times the covariance of two pairs (s, t) and (u, v) is

        n [same pair] - [s = u] - [t = v] - [s = v and t = u] + 1/n

    and the sum of that over the copies of the faces is theirs.
    """
    size = faces * decks
    others = decks - np.eye(faces)  # cards of face b that may lie beside one card of face a
    ordered = decks * others  # ordered pairs of cards of faces a and b
    covariance = np.multiply.outer(ordered, ordered) / size
    same = np.einsum("abab->ab", covariance)  # views into it
    same += size * ordered
    reversed_pair = np.einsum("abba->ab", covariance)
    reversed_pair -= ordered
    same_first = np.einsum("abae->abe", covariance)
    same_first -= decks * np.einsum("ab,ae->abe", others, others)
    same_second = np.einsum("abcb->abc", covariance)
    same_second -= decks * np.einsum("ab,cb->abc", others, others)
    covariance /= size * (size - 1)
    return ordered / size, covariance.reshape(faces**2, faces**2)


def chi_square_p(chi_square: float, freedom: int) -> float:
    """The p-value of a chi-square: the upper incomplete gamma function, which is a finite sum for whole degrees.

    >>> round(chi_square_p(3.841459, 1), 6), round(chi_square_p(87.968, 51), 6)
    (0.05, 0.001)
    """
    if freedom < 1 or chi_square < 0:
        raise ValueError(f"a chi-square of {chi_square} with {freedom} degrees of freedom cannot be")
    x = chi_square / 2
    if x == 0:
        return 1.0
    first = erfc(sqrt(x)) if freedom % 2 else 0.0
    halves = range(freedom % 2, freedom - 1, 2)
    return min(1.0, first + fsum(exp(k / 2 * log(x) - x - lgamma(k / 2 + 1)) for k in halves))


def _verdict(chi_square: float, freedom: int) -> Verdict:
    return Verdict(chi_square, freedom, chi_square_p(chi_square, freedom))
