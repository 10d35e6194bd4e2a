import hashlib
import hmac
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.cards import Card, ShoeEmptyError, decks, parse_cards, rank, suit
from sabot.fairness import SeededShoe, SeedStream
from sabot.games import CATALOGUE, Game

SEED = bytes(range(32))


def shoe_of(number: int, count: int = 1) -> SeededShoe:
    return SeededShoe(count, SeedStream(number.to_bytes(32, "big"), "uniform", "shoe"))


def draw(shoe: SeededShoe, cards: int) -> list[Card]:
    return [shoe.draw() for _ in range(cards)]


def shuffled_by_the_book(count: int, seed: bytes, client: str) -> list[int]:
    """A whole Fisher-Yates shuffle, from the description alone."""
    cards = [card for _ in range(count) for card in range(52)]
    committed = hashlib.sha256(seed).hexdigest()
    words: list[int] = []
    block = 0
    for k in range(len(cards)):
        left = len(cards) - k
        while True:
            if not words:
                text = f"sabot/1|shoe|{client}|{committed}|{block}"
                raw = hmac.new(seed, text.encode(), "sha256").digest()
                words = [int.from_bytes(raw[at : at + 4], "big") for at in range(0, 32, 4)]
                block += 1
            word = words.pop(0)
            if word < 2**32 // left * left:
                break
        j = k + word % left
        cards[k], cards[j] = cards[j], cards[k]
    return cards


def chi_square(found: Iterable[int], cells: int, draws: int) -> float:
    expected = draws / cells
    counts = Counter(found)
    return sum((counts[cell] - expected) ** 2 / expected for cell in range(cells))


def test_the_first_cards_do_not_change() -> None:
    shoe = SeededShoe(6, SeedStream(SEED, "Ferrara", "shoe"))
    assert draw(shoe, 10) == parse_cards("9c 5s Qh 2d 5h 8s 4s 10h 8s Qs")


@pytest.mark.rule("COM-13")
@given(seed=st.binary(min_size=32, max_size=32), count=st.integers(1, 8))
def test_a_lazy_shoe_deals_a_whole_shuffle(seed: bytes, count: int) -> None:
    shoe = SeededShoe(count, SeedStream(seed, "Ferrara", "shoe"))
    dealt = draw(shoe, 52 * count)
    assert dealt == shuffled_by_the_book(count, seed, "Ferrara")
    assert sorted(dealt) == sorted(decks(count))


@pytest.mark.rule("COM-01")
@pytest.mark.parametrize(
    "game", [game for game in CATALOGUE.values() if game.published], ids=lambda game: game.name
)
def test_a_shoe_holds_six_decks_solo_and_eight_live(game: Game) -> None:
    shoe = SeededShoe(game.rules.decks, SeedStream(SEED, "", "shoe"))
    expected = 8 if game.live else 6
    dealt = Counter((rank(card), suit(card)) for card in draw(shoe, 52 * expected))
    assert dealt == {(one_rank, one_suit): expected for one_rank in range(13) for one_suit in range(4)}
    with pytest.raises(ShoeEmptyError):
        shoe.draw()


def test_a_new_shoe_is_full_whatever_the_last_one_dealt() -> None:
    draw(shoe_of(1), 30)
    assert sorted(draw(shoe_of(2), 52)) == decks(1)


def test_an_empty_shoe_says_so_and_stays_empty() -> None:
    shoe = shoe_of(1)
    draw(shoe, 52)
    for _ in range(2):
        with pytest.raises(ShoeEmptyError, match="all 52 cards of the shoe are dealt"):
            shoe.draw()
    assert shoe.dealt == 52


def test_a_card_costs_one_number() -> None:
    class Counting(SeedStream):
        __slots__ = ("asked",)

        def __init__(self) -> None:
            super().__init__(SEED, "", "shoe")
            self.asked: list[int] = []

        def below(self, n: int) -> int:
            self.asked.append(n)
            return super().below(n)

    stream = Counting()
    shoe = SeededShoe(6, stream)
    assert stream.asked == []
    draw(shoe, 3)
    assert stream.asked == [312, 311, 310]
    assert shoe.dealt == 3


@pytest.mark.slow  # thousands of shoes
@pytest.mark.rule("COM-13")
def test_each_place_gets_each_card_equally_often() -> None:
    shoes = [draw(shoe_of(number), 52) for number in range(10_000)]
    # 51 degrees of freedom; the bound is one chance in a thousand for the worst of 52 (Bonferroni).
    worst_place = max(chi_square((cards[place] for cards in shoes), 52, 10_000) for place in range(52))
    worst_card = max(chi_square((cards.index(card) for cards in shoes), 52, 10_000) for card in decks(1))
    assert worst_place < 104.0
    assert worst_card < 104.0


@pytest.mark.rule("COM-13")
def test_the_first_cards_of_six_decks_are_independent() -> None:
    firsts = [draw(shoe_of(number, 6), 2) for number in range(20_000)]
    assert chi_square((first for first, _ in firsts), 52, 20_000) < 87.97  # 51 degrees of freedom, 0.1 %
    # Pairs by suit: the same suit again in 77 of 311 cases.
    same = sum(suit(first) == suit(second) for first, second in firsts)
    expected = 20_000 * 77 / 311
    assert abs(same - expected) < 3.3 * (expected * (1 - 77 / 311)) ** 0.5


@pytest.mark.parametrize("count", [0, -1])
def test_a_shoe_without_decks_is_refused(count: int) -> None:
    with pytest.raises(ValueError, match=f"a shoe has one deck or more, not {count}"):
        SeededShoe(count, SeedStream(SEED, "", "shoe"))
