"""The price against a plain enumeration that shares no code with it, and against what a rule book would say."""

from collections.abc import Sequence
from functools import cache

import msgspec
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from sabot.cards import Card, decks, format_cards, parse_card, parse_cards
from sabot.games import Rules, find
from sabot.games.rules import PRICE_UNITS
from sabot.odds.price import _best, fair_value, prepare, price

CASHBACK = find("cashback").rules
LINK = find("link").rules

Shoe = tuple[int, ...]  # how many are left that count 1, 2, … 10
Hand = tuple[int, ...]  # what each card counts, the ace 1


def points(card: int) -> int:
    return min(card % 13 + 1, 10)


def total_of(hand: Hand) -> int:
    total = sum(hand)
    return total + 10 if 1 in hand and total + 10 <= 21 else total


def draws(shoe: Shoe) -> list[tuple[float, int, Shoe]]:
    whole = sum(shoe)
    return [
        (left / whole, at + 1, (*shoe[:at], left - 1, *shoe[at + 1 :]))
        for at, left in enumerate(shoe)
        if left
    ]


@cache
def dealer_by_enumeration(hard: int, ace: bool, cards: int, shoe: Shoe) -> dict[str, float]:
    """The chances of the dealer's totals; card by card, the hole card being the first one drawn."""
    total = hard + 10 if ace and hard <= 11 else hard
    if cards == 2 and total == 21:
        return {"blackjack": 1.0}
    if total >= 17:
        return {str(total) if total <= 21 else "bust": 1.0}
    chances: dict[str, float] = {}
    for chance, card, after in draws(shoe):
        for outcome, then in dealer_by_enumeration(hard + card, ace or card == 1, cards + 1, after).items():
            chances[outcome] = chances.get(outcome, 0.0) + chance * then
    return chances


class Enumeration:
    """The value of a hand by trying every action on every card."""

    def __init__(self, up: int, charlie: int = 10) -> None:
        self.up, self.charlie = up, charlie
        self.known: dict[tuple[Hand, Shoe, str], float] = {}

    def settle(self, hand: Hand, shoe: Shoe, doubled: bool = False) -> float:
        stake = 2 if doubled else 1
        if sum(hand) > 21:
            return -stake
        result = 0.0
        for outcome, chance in dealer_by_enumeration(self.up, self.up == 1, 1, shoe).items():
            if outcome == "blackjack":
                lost = 1 if self.up == 10 else stake
                result -= chance * lost
            elif outcome == "bust" or len(hand) == self.charlie or total_of(hand) > int(outcome):
                result += chance * stake
            elif total_of(hand) < int(outcome):
                result -= chance * stake
        return result

    def best(self, hand: Hand, shoe: Shoe, kind: str) -> float:
        """`kind` says which hand it is: whole, half (of a split) or ace (of split aces)."""
        if sum(hand) > 21:
            return -1.0
        key = (tuple(sorted(hand)), shoe, kind)
        if key not in self.known:
            self.known[key] = max(self.options(hand, shoe, kind))
        return self.known[key]

    def options(self, hand: Hand, shoe: Shoe, kind: str) -> list[float]:
        if len(hand) == 1:
            return [
                sum(chance * self.best((*hand, card), after, kind) for chance, card, after in draws(shoe))
            ]
        values = [self.settle(hand, shoe)]
        if total_of(hand) == 21 or len(hand) == self.charlie or kind == "ace":
            return values
        values.append(
            sum(chance * self.best((*hand, card), after, kind) for chance, card, after in draws(shoe))
        )
        if len(hand) == 2:
            values.append(
                sum(
                    chance * self.settle((*hand, card), after, doubled=True)
                    for chance, card, after in draws(shoe)
                )
            )
        if len(hand) == 2 and hand[0] == hand[1] and kind == "whole":
            values.append(2 * self.best(hand[:1], shoe, "ace" if hand[0] == 1 else "half"))
        return values


def by_enumeration(
    cards: Sequence[int], up: int, left: Sequence[int], *, split: bool, charlie: int = 10
) -> float:
    shoe = tuple(sum(points(card) == value for card in left) for value in range(1, 11))
    hand = tuple(map(points, cards))
    kind = "whole" if not split else "ace" if hand[0] == 1 else "half"
    return Enumeration(points(up), charlie).best(hand, shoe, kind)


def without(cards: Sequence[Card], gone: Sequence[Card]) -> list[Card]:
    left = list(cards)
    for card in gone:
        left.remove(card)
    return left


def value(cards: str, up: str, seen: str = "", *, split: bool = False, rules: Rules = CASHBACK) -> float:
    return fair_value(rules, parse_cards(cards), split=split, up=parse_card(up), seen=parse_cards(seen))


def value_of_left(cards: str, up: str, left: str) -> float:
    """The value where only some cards are left."""
    gone = [*parse_cards(cards), parse_card(up), *parse_cards(left)]
    return value(cards, up, format_cards(without(decks(6), gone)))


@st.composite
def small_shoes(draw: st.DrawFn) -> tuple[list[Card], Card, list[Card]]:
    """A hand, an up card and ten or so unseen cards, enough to play everything out."""
    cards = draw(st.permutations(decks(1)))
    size = draw(st.integers(2, 4))
    return cards[:size], cards[size], cards[size + 1 : size + 1 + draw(st.integers(8, 14))]


@pytest.mark.slow  # many small shoes, every deal enumerated
@pytest.mark.rule("CSH-03", "CSH-15", "RET-11")
@settings(max_examples=150)
@given(deal=small_shoes(), split=st.booleans())
def test_small_shoes_agree_with_the_enumeration(
    deal: tuple[list[Card], Card, list[Card]], split: bool
) -> None:
    cards, up, left = deal
    hand = tuple(map(points, cards))
    assume(total_of(hand) < 21 and sum(map(points, left)) >= 38)
    assume(not (split and hand[0] == 1 and len(hand) > 2))
    seen = without(decks(6), [*cards, up, *left])
    assert fair_value(CASHBACK, cards, split=split, up=up, seen=seen) == pytest.approx(
        by_enumeration(cards, up, left, split=split), abs=1e-9
    )


@pytest.mark.parametrize("up", ["As", "2s", "6s", "7s", "10s"])
@pytest.mark.parametrize("pair", ["A", "2", "5", "8", "K"])
def test_pairs_in_small_shoes_agree_with_the_enumeration(pair: str, up: str) -> None:
    cards, left = f"{pair}h {pair}d", "Ac Ad 2h 2c 3s 3h 4c 6d 7h 8h 9c 10h Jd"
    assert value_of_left(cards, up, left) == pytest.approx(
        by_enumeration(parse_cards(cards), parse_card(up), parse_cards(left), split=False), abs=1e-9
    )


@pytest.mark.rule("CSH-03", "CSH-15", "RET-11")
@pytest.mark.parametrize(
    ("cards", "up", "seen", "split"),
    [
        ("10s 6h", "Kd", "", False),
        ("10s 6h", "As", "5c 9d 2h 2d", False),
        ("9s 2h", "10d", "Ah", False),
        ("6s 3h 5d", "7c", "10h Jh Qs 4d", False),
        ("7s 4h", "9c", "7h 2c", True),
        ("10h 7c", "Ad", "", True),
        ("As Kh 9d", "10c", "", False),
        ("Ah 8c", "Ac", "As 3d", True),
        ("9h 9s", "10s", "", False),
    ],
)
def test_full_shoes_agree_with_the_enumeration(cards: str, up: str, seen: str, split: bool) -> None:
    hand, dealer, others = parse_cards(cards), parse_card(up), parse_cards(seen)
    for rules in (CASHBACK, LINK):
        left = without(decks(rules.decks), [*hand, dealer, *others])
        assert fair_value(rules, hand, split=split, up=dealer, seen=others) == pytest.approx(
            by_enumeration(hand, dealer, left, split=split), abs=1e-9
        )
    dealer_by_enumeration.cache_clear()


@pytest.mark.slow  # every hand of the game
def test_the_whole_game_returns_what_the_rule_book_says() -> None:
    """Over every deal of a full shoe: 99.57 % of the money staked is about 99.5 % of the initial bet (RET-01, RET-02)."""
    result = weight = 0.0
    shoe = [4 * 6] * 9 + [16 * 6]
    for up in range(10):
        for first in range(10):
            for second in range(first, 10):
                left, ways = list(shoe), 1.0 if first == second else 2.0
                for which in (up, first, second):
                    ways *= left[which]
                    left[which] -= 1
                cards = [Card(first), Card(second + 13)]
                if (first, second) == (0, 9):
                    dealer_blackjack = {0: left[9], 9: left[0]}.get(up, 0) / sum(left)
                    expected = 1.5 * (1 - dealer_blackjack)
                else:
                    expected = fair_value(LINK, cards, split=False, up=Card(up + 26), seen=[])
                result, weight = result + ways * expected, weight + ways
    assert weight == 312 * 311 * 310
    assert 0.9945 < 1 + result / weight < 0.9957


def test_a_hard_twenty_is_worth_much_and_a_sixteen_little() -> None:
    assert 0.69 < value("10s Kh", "6d") < 0.72
    assert -0.58 < value("10s 6h", "10d") < -0.56
    assert value("As Ah", "6d") > 0.6


@pytest.mark.rule("RET-11")
def test_every_card_in_sight_counts() -> None:
    tens_gone = "10h 10h Jh Jh Qh Qh Kh Kh 10d 10d Jd Jd"
    assert (
        value("10s 6h", "9c", tens_gone) > value("10s 6h", "9c") > value("10s 6h", "9c", "5h 5d 4h 4d 3h 3d")
    )


def test_jacks_and_kings_are_tens() -> None:
    assert value("10s 6h", "Kd", "Qc") == value("6d Js", "10h", "Jd")


@pytest.mark.rule("CSH-15")
def test_the_half_of_a_split_is_priced_alone_without_another_split() -> None:
    assert value("8s 8h", "6d") > value("8s 8h", "6d", "8d 3c", split=True)
    assert value("10s 10h", "10d", "", split=True) == pytest.approx(value("10s Jh", "10d"), abs=1e-12)


def test_split_aces_stand_on_their_second_card() -> None:
    assert value("As 5h", "10d", split=True) < value("5h As", "10d", split=True)
    assert value("As 5h", "6d", split=True) < value("As 5h", "6d")


def test_a_pair_is_split_where_two_hands_are_better() -> None:
    without_split = value("8s 8h", "7d", split=True)
    assert value("8s 8h", "7d") > without_split + 0.2


def test_no_double_after_a_split_where_the_game_has_none() -> None:
    no_double = msgspec.structs.replace(CASHBACK, double_after_split=False)
    assert value("6s 5h", "6d", split=True, rules=no_double) < value("6s 5h", "6d", split=True)
    assert value("6s 5h", "6d", rules=no_double) == value("6s 5h", "6d")
    assert value("3s 3h", "6d", rules=no_double) < value("3s 3h", "6d")


def test_no_double_after_a_third_card() -> None:
    assert value("2s 3s 6h", "6d") < value("5s 6h", "6d") - 0.2


EIGHT_NINES = "9s 9h 9d 9c 9s 9h 9d 9c"
SEVEN_NINES = "9s 9h 9d 9c 9s 9h 9d"


def test_a_double_lost_to_a_blackjack_under_an_ace_loses_both_stakes() -> None:
    # A nine makes 21: 7 of 8 hole cards lose to it, one is the blackjack. The ten busts.
    found = value_of_left("7s 5h", "As", f"{EIGHT_NINES} Kc")
    assert found == pytest.approx(8 / 9 * (14 - 2) / 8 - 2 / 9, abs=1e-12)


def test_a_double_lost_to_a_blackjack_under_a_ten_loses_one_stake() -> None:
    # A nine makes 21: 7 of 8 hole cards lose to it, one is the blackjack. The ace makes 13 against 19.
    found = value_of_left("7s 5h", "Ks", f"{EIGHT_NINES} Ac")
    assert found == pytest.approx(8 / 9 * (14 - 1) / 8 - 2 / 9, abs=1e-12)


def test_a_double_that_busts_loses_both_stakes_whatever_the_dealer_has() -> None:
    # A nine makes 21, as above; the ace makes 13 against 19 or 20; the ten busts, also under a blackjack.
    found = value_of_left("7s 5h", "Ks", f"{SEVEN_NINES} Qc Ac")
    assert found == pytest.approx(7 / 9 * (14 - 1) / 8 - 2 / 9 - 2 / 9, abs=1e-12)


def test_a_game_that_returns_no_double_is_worse_under_a_ten_only() -> None:
    harsh = msgspec.structs.replace(CASHBACK, ten_up_returns_double=False)
    assert value("6s 5h", "10d", rules=harsh) < value("6s 5h", "10d")
    assert value("6s 5h", "Ad", rules=harsh) == value("6s 5h", "Ad")
    assert value("6s 5h", "9d", rules=harsh) == value("6s 5h", "9d")


def test_a_dealer_who_draws_on_soft_17_is_honoured() -> None:
    # Only sixes are left: the dealer stands on ace and six, or draws on to 19.
    cards, up, left = parse_cards("10s 8h"), parse_card("As"), parse_cards("6s 6h 6d 6c 6s 6h 6d 6c")
    seen = without(decks(6), [*cards, up, *left])
    draws_on = msgspec.structs.replace(CASHBACK, dealer_hits_soft_17=True)
    assert fair_value(CASHBACK, cards, split=False, up=up, seen=seen) == pytest.approx(1, abs=1e-12)
    assert fair_value(draws_on, cards, split=False, up=up, seen=seen) == pytest.approx(-1, abs=1e-12)


def test_a_charlie_wins_against_all_but_a_blackjack() -> None:
    # Nine cards that make 12; of the 302 unseen only the 96 tens bust it, and behind an ace they make the blackjack.
    nine = "As Ah Ad Ac As Ah 2s 2h 2d"
    assert value(nine, "6d") == pytest.approx((206 - 96) / 302, abs=1e-12)
    assert value(nine, "Ad") == pytest.approx(206 / 302 * (301 - 2 * 96) / 301 - 96 / 302, abs=1e-12)
    plain = msgspec.structs.replace(CASHBACK, charlie=0)
    assert value(nine, "6d", rules=plain) < value(nine, "6d")


@pytest.mark.rule("COM-45")
def test_a_soft_21_that_may_become_a_charlie_is_worth_a_win() -> None:
    """Only threes are left: eight aces are 18, then 21, then a Charlie; the dealer's 6 becomes 21."""
    cards, up, left = parse_cards("As Ah Ad Ac As Ah Ad Ac"), parse_card("6d"), parse_cards("3s 3h 3d 3c") * 4
    seen = without(decks(6), [*cards, up, *left])
    assert fair_value(CASHBACK, cards, split=False, up=up, seen=seen) == pytest.approx(1, abs=1e-12)


def test_a_split_hand_can_become_a_charlie() -> None:
    assert value("2d As Ah Ad Ac As Ah 2s 2h", "6d", split=True) == pytest.approx((206 - 96) / 302, abs=1e-12)


@pytest.mark.rule("CSH-03", "RET-11")
@pytest.mark.parametrize(
    ("cards", "up"), [("10s 6h", "Kd"), ("10s Kh", "6d"), ("5s 6h", "6d"), ("8s 8h", "Ad")]
)
def test_the_price_is_the_stake_and_the_value_rounded_down(cards: str, up: str) -> None:
    found = price(CASHBACK, parse_cards(cards), split=False, up=parse_card(up), seen=[])
    assert isinstance(found, int)
    assert 0 <= (1 + value(cards, up)) * PRICE_UNITS - found < 1


@pytest.mark.rule("CSH-03")
def test_a_hand_that_cannot_win_has_price_nothing() -> None:
    # Every card left is a ten: the dealer has 20, and a card busts the hand.
    cards, up, left = parse_cards("10s 6h"), parse_card("Ks"), parse_cards("10s 10h 10d 10c Js Jh")
    seen = without(decks(6), [*cards, up, *left])
    assert fair_value(CASHBACK, cards, split=False, up=up, seen=seen) == -1.0
    assert price(CASHBACK, cards, split=False, up=up, seen=seen) == 0


@settings(max_examples=40)
@given(cards=st.permutations(decks(2)), seen=st.integers(0, 60))
def test_a_price_is_between_nothing_and_the_win_of_two_doubled_hands(cards: list[Card], seen: int) -> None:
    hand = cards[:2]
    if total_of(tuple(map(points, hand))) < 21:
        found = price(CASHBACK, hand, split=False, up=cards[2], seen=cards[3 : 3 + seen])
        assert 0 <= found <= 5 * PRICE_UNITS


@pytest.mark.parametrize("name", ["surrender", "freebet", "majority-us", "classic-6"])
def test_games_with_a_check_have_no_price(name: str) -> None:
    with pytest.raises(
        ValueError, match=f"{name} has no price for a hand: there is one only without a dealer check"
    ):
        value("10s 6h", "Kd", rules=find(name).rules)


@pytest.mark.parametrize(
    ("cards", "split", "message"),
    [
        ("", False, "a hand has two cards or more before it has a price, not 0"),
        ("As", True, "a hand has two cards or more before it has a price, not 1"),
        ("As Kh", False, "As Kh makes 21: a hand of 21 or more has no decision, so no price"),
        ("10s 6h 9d", False, "10s 6h 9d makes 25"),
        ("As Ah Ad Ac As Ah Ad Ac As 3d", False, "is a Charlie of 10 cards: it has no decision"),
        ("As 5h 2d", True, "As 5h 2d cannot come from a split: split aces receive one card each"),
        ("7s 7s 6s", False, "7s is seen 7 times, but a shoe of 6 decks has it 6 times"),
    ],
)
def test_a_hand_without_a_decision_is_refused(cards: str, split: bool, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        value(cards, "7d", "7s 7s 7s 7s 7s" if message.startswith("7s") else "", split=split)


def test_a_number_that_is_no_card_is_refused() -> None:
    with pytest.raises(ValueError, match="60 is no card"):
        fair_value(CASHBACK, [Card(60), Card(1)], split=False, up=Card(2), seen=[])


def test_a_shoe_too_small_to_play_out_is_refused() -> None:
    with pytest.raises(ValueError, match="only 3 cards are unseen: too few to play out the hand"):
        value_of_left("10s 6h", "Ks", "10s 10h 10d")


def test_hands_that_are_alone_are_known_before_they_are_dealt() -> None:
    prepare(CASHBACK)
    worked_out = _best.cache_info().misses
    for text, up in (("10s 6h", "Kd"), ("2s 2h", "2d"), ("As 7h", "9c"), ("Jd 10c", "As")):
        price(CASHBACK, parse_cards(text), split=False, up=parse_card(up), seen=[])
    assert _best.cache_info().misses == worked_out
