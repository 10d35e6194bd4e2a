"""The statistics of the shuffle: right shoes pass, wrong ones are found, and the numbers are exact."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise, permutations

import numpy as np
import pytest

from sabot.fairness import SeededShoe, SeedStream
from sabot.fairness.stream import numbered_seed
from sabot.fairness.uniform import (
    BATCH,
    CLIENT_SEED,
    Cards,
    Counts,
    ShoeCounts,
    _fisher_yates,
    chi_square_p,
    judge_pairs,
    judge_places,
    pair_moments,
    shuffled,
    tally_shoes,
)

SHOES = 2_000
#: Shoe 402 of the text "sabot": its word 41 is 4294967235, and 2**32 mod 271 words are thrown away there.
THROWS_A_WORD_AWAY = 402


def streams_of(text: str, shoes: Sequence[int]) -> list[SeedStream]:
    return [SeedStream(numbered_seed(text, number), CLIENT_SEED, "shoe") for number in shoes]


# The shuffle


@pytest.mark.parametrize("decks", [1, 2, 6, 8])
def test_many_shoes_at_once_are_dealt_card_for_card(decks: int) -> None:
    numbers = range(1, 30)
    cards = shuffled(decks, streams_of("card for card", numbers))
    for column, stream in enumerate(streams_of("card for card", numbers)):
        shoe = SeededShoe(decks, stream)
        assert cards[:, column].tolist() == [shoe.draw() for _ in range(52 * decks)]


def test_a_shoe_that_throws_a_word_away_is_dealt_card_for_card() -> None:
    numbers = [THROWS_A_WORD_AWAY - 1, THROWS_A_WORD_AWAY, THROWS_A_WORD_AWAY + 1]
    word = SeedStream(numbered_seed("sabot", THROWS_A_WORD_AWAY), CLIENT_SEED, "shoe").block(5)[4:8]
    assert int.from_bytes(word, "big") >= 2**32 - 2**32 % 271
    cards = shuffled(6, streams_of("sabot", numbers))
    for column, stream in enumerate(streams_of("sabot", numbers)):
        shoe = SeededShoe(6, stream)
        assert cards[:, column].tolist() == [shoe.draw() for _ in range(312)]


def test_cards_are_counted_by_place_and_by_neighbour() -> None:
    cards = np.array([[0, 51], [51, 51], [0, 1]], np.uint8)
    tally = ShoeCounts.of(cards)
    assert tally.shoes == 2
    assert {(k, f): int(tally.places[k, f]) for k, f in zip(*tally.places.nonzero(), strict=True)} == {
        (0, 0): 1,
        (0, 51): 1,
        (1, 51): 2,
        (2, 0): 1,
        (2, 1): 1,
    }
    assert {(a, b): int(tally.pairs[a, b]) for a, b in zip(*tally.pairs.nonzero(), strict=True)} == {
        (0, 51): 1,
        (51, 0): 1,
        (51, 51): 1,
        (51, 1): 1,
    }


# Many shoes


def test_a_text_makes_the_same_shoes_again_whoever_shuffles_them() -> None:
    shoes = BATCH + 300
    told: list[int] = []
    alone = tally_shoes(shoes, 1, "again", progress=lambda tally: told.append(tally.shoes))
    with ThreadPoolExecutor(3) as executor:
        together = tally_shoes(shoes, 1, "again", executor)
    assert told == [BATCH, shoes]
    assert alone.shoes == together.shoes == shoes
    assert (alone.places == together.places).all()
    assert (alone.pairs == together.pairs).all()
    assert alone.places.sum() == 52 * shoes
    assert alone.pairs.sum() == 51 * shoes


def test_the_shoes_of_a_text_are_numbered_from_one() -> None:
    counted, dealt = (
        tally_shoes(3, 1, "numbers"),
        ShoeCounts.of(shuffled(1, streams_of("numbers", [1, 2, 3]))),
    )
    assert (counted.places == dealt.places).all()
    assert (counted.pairs == dealt.pairs).all()


def test_without_a_text_no_two_shoes_are_the_same() -> None:
    one, other = tally_shoes(2, 1), tally_shoes(2, 1)
    assert (one.places != other.places).any()


def test_an_interruption_keeps_what_is_counted() -> None:
    def interrupt(tally: ShoeCounts) -> None:
        raise KeyboardInterrupt

    with ThreadPoolExecutor(2) as threads:
        for executor in (None, threads):
            assert 0 < tally_shoes(3 * BATCH, 1, "stop", executor, interrupt).shoes < 3 * BATCH


# The mathematics


@pytest.mark.parametrize(
    ("chi_square", "freedom", "p"),
    [
        # Two degrees of freedom: exp(-x/2). One: erfc(sqrt(x/2)). Tables: 5 % and 0.1 %.
        (2.0, 2, 0.36787944117144233),
        (40.0, 2, 2.061153622438558e-09),
        (1.0, 1, 0.31731050786291415),
        (18.307038, 10, 0.05),
        (29.588298, 10, 0.001),
        (124.342113, 100, 0.05),
        (0.0, 7, 1.0),
    ],
)
def test_p_values(chi_square: float, freedom: int, p: float) -> None:
    assert chi_square_p(chi_square, freedom) == pytest.approx(p, rel=1e-6)


@pytest.mark.parametrize("freedom", [51, 2703, 15861])
def test_p_values_of_many_degrees_follow_the_normal_law(freedom: int) -> None:
    """Wilson and Hilferty: the cube root of a chi-square is nearly normal."""
    for z, p in ((-3.0, 0.998650), (-1.0, 0.841345), (0.0, 0.5), (1.0, 0.158655), (3.0, 0.001350)):
        ninth = 2 / (9 * freedom)
        chi_square = freedom * (1 - ninth + z * ninth**0.5) ** 3
        assert chi_square_p(chi_square, freedom) == pytest.approx(p, rel=0.15 / freedom**0.5)
    around = [chi_square_p(freedom + 2 + step, freedom) for step in (-1e-9, 0, 1e-9)]
    assert around == pytest.approx([around[1]] * 3, rel=1e-7)


@pytest.mark.parametrize(("chi_square", "freedom"), [(-1.0, 3), (1.0, 0)])
def test_no_such_chi_square(chi_square: float, freedom: int) -> None:
    with pytest.raises(ValueError, match="cannot be"):
        chi_square_p(chi_square, freedom)


@pytest.mark.parametrize(("faces", "decks"), [(2, 1), (4, 1), (2, 2), (3, 2), (2, 4)])
def test_the_moments_of_pairs_are_those_of_all_orders(faces: int, decks: int) -> None:
    """Every order of a small shoe, counted: mean and covariance to the last digit, and one direction lost."""
    orders = set(permutations([face for face in range(faces) for _ in range(decks)]))
    counted = np.zeros((len(orders), faces, faces))
    for row, order in enumerate(orders):
        for first, second in pairwise(order):
            counted[row, first, second] += 1
    flat = counted.reshape(len(orders), -1)
    mean, covariance = pair_moments(faces, decks)
    assert mean.ravel() == pytest.approx(flat.mean(axis=0))
    assert covariance == pytest.approx(np.cov(flat.T, bias=True), abs=1e-12)
    assert np.linalg.matrix_rank(covariance) == (mean > 0).sum() - 1


def test_equal_neighbours_are_as_likely_as_the_cards_left() -> None:
    mean, _ = pair_moments(52, 6)
    assert mean[0, 0] == pytest.approx(311 * (6 / 312) * (5 / 311))
    assert mean[0, 1] == pytest.approx(311 * (6 / 312) * (6 / 311))
    assert mean.sum() == pytest.approx(311)


def test_the_verdict_on_places_is_a_chi_square() -> None:
    """Over many small runs its mean and variance are those of the law, which Pearson's own sum would miss by 2 %."""
    rng = np.random.default_rng(1)
    found = []
    for _ in range(400):
        cards = rng.permuted(np.repeat(np.arange(52, dtype=np.uint8)[:, None], 60, axis=1), axis=0)
        found.append(judge_places(ShoeCounts.of(cards)).chi_square)
    freedom = 51 * 51
    assert np.mean(found) == pytest.approx(freedom, abs=4 * (2 * freedom / 400) ** 0.5)
    assert np.var(found) == pytest.approx(2 * freedom, rel=0.3)


# Right shoes, and wrong ones


@pytest.mark.slow  # thousands of shoes
@pytest.mark.parametrize("decks", [1, 6])
def test_the_right_shuffle_passes(decks: int) -> None:
    tally = tally_shoes(SHOES, decks, "right")
    places, pairs = judge_places(tally), judge_pairs(tally)
    assert places.freedom == (52 * decks - 1) * 51
    assert pairs.freedom == (52 * 51 - 1 if decks == 1 else 52 * 52 - 1)
    assert 0.001 < places.p < 0.999
    assert 0.001 < pairs.p < 0.999


Steps = Callable[[np.random.Generator, int], Counts]


def off_by_one(rng: np.random.Generator, left: int) -> Counts:
    """Never the card itself, unless it is the last: Sattolo's cycle."""
    return rng.integers(min(1, left - 1), left, SHOES)


def never_the_last(rng: np.random.Generator, left: int) -> Counts:
    return rng.integers(0, max(1, left - 1), SHOES)


def short_words(rng: np.random.Generator, left: int) -> Counts:
    """Words of six bits, and none thrown away: the small numbers come more often."""
    return rng.integers(0, 64, SHOES) % left


def wrong(steps: Steps) -> Cards:
    rng = np.random.default_rng(7)
    return _fisher_yates(np.stack([steps(rng, left) for left in range(52, 0, -1)]))


@pytest.mark.parametrize("steps", [off_by_one, never_the_last, short_words])
def test_a_wrong_shuffle_is_found(steps: Steps) -> None:
    assert judge_places(ShoeCounts.of(wrong(steps))).p < 1e-6


@pytest.mark.slow  # thousands of shoes
def test_neighbours_that_stick_together_are_found_where_places_are_even() -> None:
    """A deck in order, cut at every place: each card lies everywhere equally often, each has the same neighbour."""
    cuts = ((np.arange(52)[:, None] + np.arange(40 * 52)) % 52).astype(np.uint8)
    tally = ShoeCounts.of(cuts)
    assert judge_places(tally).chi_square == 0
    assert judge_pairs(tally).p < 1e-6
