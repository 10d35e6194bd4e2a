import hashlib
import hmac
from collections import Counter
from itertools import islice

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.fairness import SeedStream, commitment
from sabot.fairness.stream import Purpose

SEED = bytes(range(32))


def words_by_the_book(seed: bytes, client: str, purpose: str) -> list[int]:
    """The first words of a stream, from the description alone."""
    words = []
    for i in range(50):
        text = "|".join(["sabot/1", purpose, client, hashlib.sha256(seed).hexdigest(), str(i)])
        block = hmac.new(seed, text.encode("utf-8"), hashlib.sha256).digest()
        words += [int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4)]
    return words


class Forced(SeedStream):
    """A stream of words that a test has chosen."""

    __slots__ = ("words",)

    def __init__(self, *words: int) -> None:
        super().__init__(SEED, "", "shoe")
        self.words = words

    def block(self, index: int) -> bytes:
        return b"".join(word.to_bytes(4, "big") for word in (*self.words, *[0] * 8)[:8])


def test_the_vectors_do_not_change() -> None:
    stream = SeedStream(SEED, "Ferrara", "shoe")
    assert commitment(SEED) == "630dcd2966c4336691125448bbb25b4ff412a49c732db2c8abc1b8581bd710dd"
    assert stream.block(0).hex() == "90dc42b7bc43a5f6ebc688cc09ad02fa41c4b5f9178a10398f649bd53e288417"
    assert stream.block(1).hex() == "65c407b2de2d70f8cbf3175cc5837b4158757fb86294c573df4428933e08f71b"
    assert [stream.below(52) for _ in range(12)] == [47, 14, 8, 42, 9, 1, 49, 15, 46, 40, 48, 33]


@pytest.mark.parametrize("purpose", ["shoe", "bonus"])
@pytest.mark.parametrize("client", ["", "Ferrara", "perché no?", "x" * 64])
def test_words_are_those_of_the_book(client: str, purpose: Purpose) -> None:
    stream = SeedStream(SEED, client, purpose)
    assert [stream.below(2**32) for _ in range(400)] == words_by_the_book(SEED, client, purpose)


@given(seed=st.binary(min_size=32, max_size=32), bounds=st.lists(st.integers(1, 2**32), max_size=40))
def test_numbers_are_the_words_without_the_unfair_ones(seed: bytes, bounds: list[int]) -> None:
    stream, words = SeedStream(seed, "any", "bonus"), iter(words_by_the_book(seed, "any", "bonus"))
    for n in bounds:
        fair = 2**32 // n * n
        expected = next(islice((word % n for word in words if word < fair), 1), None)
        assert stream.below(n) == expected
        assert 0 <= expected < n


def test_the_same_seeds_give_the_same_numbers() -> None:
    one, other = (SeedStream(SEED, "Ferrara", "shoe") for _ in range(2))
    assert [one.below(1000) for _ in range(100)] == [other.below(1000) for _ in range(100)]


def test_every_part_of_the_key_changes_the_stream() -> None:
    streams = [
        SeedStream(SEED, "Ferrara", "shoe"),
        SeedStream(SEED, "Ferrara", "bonus"),
        SeedStream(SEED, "ferrara", "shoe"),
        SeedStream(SEED[::-1], "Ferrara", "shoe"),
    ]
    assert len({stream.below(2**32) for stream in streams}) == 4


def test_drawing_for_one_purpose_leaves_the_other_alone() -> None:
    shoe, bonus = SeedStream(SEED, "Ferrara", "shoe"), SeedStream(SEED, "Ferrara", "bonus")
    for _ in range(100):
        shoe.below(7)
    assert bonus.below(2**32) == words_by_the_book(SEED, "Ferrara", "bonus")[0]


@pytest.mark.rule("COM-13", "ASR-01")
def test_a_word_that_would_favour_small_numbers_is_thrown_away() -> None:
    # 2**32 is 10 * 429496729 + 6: the last six words would make 0 to 5 likelier.
    assert Forced(4294967295, 4294967290, 4294967289, 7).below(10) == 9
    assert Forced(4294967290, 3).below(10) == 3
    # Above one half of the range, nearly every other word is thrown away.
    assert Forced(2**31 + 1, 2**32 - 1, 2**31).below(2**31 + 1) == 2**31


def test_a_power_of_two_throws_no_word_away() -> None:
    assert Forced(2**32 - 1).below(2**32) == 2**32 - 1
    assert Forced(2**32 - 1).below(1) == 0
    assert Forced(2**32 - 1).below(8) == 7


@pytest.mark.rule("COM-13")
def test_numbers_below_a_large_bound_have_no_modulo_bias() -> None:
    # Of the words, taken modulo 3 * 2**30, a third of the numbers would come twice as often as the others.
    stream, third = SeedStream(SEED, "bias", "bonus"), 2**30
    drawn = Counter(stream.below(3 * third) // third for _ in range(30_000))
    chi_square = sum((drawn[part] - 10_000) ** 2 / 10_000 for part in range(3))
    assert chi_square < 13.8  # 2 degrees of freedom, one chance in a thousand


@pytest.mark.parametrize("n", [0, -1, 2**32 + 1])
def test_a_bound_out_of_range_is_refused(n: int) -> None:
    with pytest.raises(
        ValueError, match=f"a number below {n} cannot be drawn: the bound is from 1 to 4294967296"
    ):
        SeedStream(SEED, "", "shoe").below(n)


@pytest.mark.parametrize("length", [0, 31, 33])
def test_a_server_seed_of_another_length_is_refused(length: int) -> None:
    for make in (commitment, lambda seed: SeedStream(seed, "", "shoe")):
        with pytest.raises(ValueError, match=f"a server seed has 32 bytes, not {length}"):
            make(bytes(length))


@pytest.mark.parametrize(
    ("client", "message"),
    [
        ("x" * 65, "at most 64 characters, not 65"),
        ("a|b", r"printable characters other than '\|', not '\|'"),
        ("tab\there", r"not '\\t'"),
        ("\ud800", r"not '\\ud800'"),
    ],
)
def test_a_client_seed_that_could_be_misread_is_refused(client: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        SeedStream(SEED, client, "shoe")


def test_an_unknown_purpose_is_refused() -> None:
    with pytest.raises(ValueError, match="'wheel' is no purpose: a stream is for shoe or bonus"):
        SeedStream(SEED, "", "wheel")  # type: ignore[arg-type]
