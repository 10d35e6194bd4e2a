"""The odds of one hand: against the price of a hand, against the whole-game values, and what is refused."""

from __future__ import annotations

from itertools import combinations_with_replacement
from random import Random

import msgspec
import pytest

from sabot.cards import Card, decks, format_card
from sabot.games import CATALOGUE, find
from sabot.odds.classes import full_shoe
from sabot.odds.game import best_return, game_tables
from sabot.odds.hand import (
    Actions,
    HandError,
    HandOdds,
    KnownCard,
    hand_odds,
    known_card,
)
from sabot.odds.price import fair_value
from sabot.odds.values import Behind, action_values
from sabot.texts import Catalogue

RANKS = ["A", *map(str, range(2, 11))]

#: All but the tens and an ace of six decks.
ONLY_TENS = " ".join(["A"] * 23 + RANKS[1:9] * 24)


def known_cards(text: str) -> list[KnownCard]:
    """The cards of a text, separated by blanks or commas."""
    return [known_card(word) for word in text.replace(",", " ").split()]


def odds_of(game: str, cards: str, up: str, seen: str = "") -> HandOdds:
    return hand_odds(find(game).rules, known_cards(cards), known_card(up), known_cards(seen))


def values_of(actions: Actions) -> dict[str, float]:
    fields: dict[str, float | None] = msgspec.structs.asdict(actions)
    return {name: value for name, value in fields.items() if value is not None}


def known(cards: list[Card]) -> list[KnownCard]:
    return [known_card(format_card(card)) for card in cards]


def test_eights_against_a_ten_before_and_after_the_check() -> None:
    rules = find("classic-6").rules
    left = full_shoe(6)
    left[9] -= 1
    behind = Behind(rules, left, 9)
    after = action_values(behind, behind.row((7, 7)))
    odds = odds_of("classic-6", "8 8", "10")
    assert odds.dealer_blackjack == pytest.approx(24 / 309)
    assert odds.after_check is not None
    assert values_of(odds.after_check) == pytest.approx(after)
    chance = 24 / 309
    before = {name: (1 - chance) * value - chance for name, value in after.items()}
    assert values_of(odds.actions) == pytest.approx(before)
    assert odds.best == "split"


@pytest.mark.parametrize(
    ("game", "up", "checked"),
    [
        ("classic-6", "10", True),
        ("classic-6", "A", True),
        ("classic-6", "9", False),
        ("freebet", "A", True),
        ("freebet", "K", False),
        ("majority-us", "A", True),
        ("majority-us", "J", False),
        ("majority-eu", "A", False),
        ("link", "A", False),
    ],
)
def test_what_is_after_a_check_is_told_where_there_is_one(game: str, up: str, checked: bool) -> None:
    odds = odds_of(game, "10 6", up)
    assert (odds.after_check is not None) == checked
    assert (odds.dealer_blackjack > 0) == (up != "9")


@pytest.mark.parametrize(
    ("game", "cards", "allowed"),
    [
        ("surrender", "8 8", {"stand", "hit", "double", "split", "surrender"}),
        ("surrender", "10 6", {"stand", "hit", "double", "surrender"}),
        ("surrender", "8 5 3", {"stand", "hit"}),
        ("surrender", "A K", {"stand"}),
        ("surrender", "7 7 7", {"stand"}),
        ("surrender", "A A A A 4 3", {"stand", "hit"}),  # COM-45
        ("link", "A A A A 4 3", {"stand"}),
        ("surrender", "2 2 2 2 2 2 2", {"stand"}),
        ("classic-6", "2 2 2 2 2 2 2", {"stand", "hit"}),
        ("classic-6", "10 K", {"stand", "hit", "double", "split"}),
        ("link", "8 8", {"stand", "hit", "double", "split"}),
    ],
)
def test_which_actions_are_allowed(game: str, cards: str, allowed: set[str]) -> None:
    assert set(values_of(odds_of(game, cards, "10").actions)) == allowed


@pytest.mark.rule("COM-45")
def test_the_card_that_makes_a_charlie_of_a_soft_21_is_certain_to_win() -> None:
    odds = odds_of("surrender", "A A A A 4 3", "9")
    assert odds.best == "hit"
    assert odds.actions.hit == pytest.approx(1.0, abs=1e-12)
    assert odds.actions.stand < 1.0


def test_a_blackjack_wins_three_to_two_or_pushes() -> None:
    odds = odds_of("classic-6", "A K", "A")
    assert odds.dealer_blackjack == pytest.approx(95 / 309)
    assert odds.actions.stand == pytest.approx(1.5 * (1 - 95 / 309))
    assert odds.after_check == Actions(stand=1.5)
    assert odds_of("link", "A K", "A").after_check is None
    assert odds_of("link", "A K", "A").actions == odds.actions


def test_a_double_costs_two_stakes_and_a_free_one_one() -> None:
    paid, free = odds_of("freebet", "A 6", "6").actions, odds_of("freebet", "6 5", "6").actions
    assert paid.double is not None
    assert paid.hit is not None
    assert paid.double <= 2 * paid.hit
    assert free.double is not None
    assert free.hit is not None
    assert free.double > 2 * free.hit


def test_a_charlie_has_won_unless_the_dealer_has_blackjack() -> None:
    odds = odds_of("link", "A A A A A A A A A 2", "10")
    chance = odds.dealer_blackjack
    assert odds.actions.stand == pytest.approx(1 - 2 * chance)


def test_suits_and_the_order_of_cards_do_not_matter() -> None:
    plain, suited = odds_of("link", "8 5 3", "10", "4 5"), odds_of("link", "3h 8s 5d", "Kc", "5c 4s")
    assert plain.actions == suited.actions
    assert suited.cards == ("3h", "8s", "5d")
    assert suited.up == "Kc"


@pytest.mark.slow  # every hand of every game
@pytest.mark.parametrize("game", ["classic-6", "surrender", "link", "freebet"])
def test_all_two_card_hands_together_make_the_whole_game(game: str) -> None:
    """The best value of each deal, weighted by its chance, is composition-dependent play (RET-02)."""
    rules = find(game).rules
    shoe = [4 * rules.decks] * 9 + [16 * rules.decks]
    whole, net = sum(shoe), 0.0
    for up, rank in enumerate(RANKS):
        left = shoe.copy()
        left[up] -= 1
        for first, second in combinations_with_replacement(range(10), 2):
            ways = left[first] * (left[second] - 1 if first == second else 2 * left[second])
            chance = shoe[up] / whole * ways / ((whole - 1) * (whole - 2))
            odds = odds_of(game, f"{RANKS[first]} {RANKS[second]}", rank)
            net += chance * max(values_of(odds.actions).values())
    assert net == pytest.approx(best_return(game_tables(rules).columns).net, abs=1e-12)


@pytest.mark.parametrize("unseen", [250, 120, 60])
def test_the_best_action_is_worth_the_fair_price(unseen: int) -> None:
    """Another solver, from a shoe of which much is gone."""
    rules, chance = find("cashback").rules, Random(unseen)
    for _ in range(25):
        shoe = decks(rules.decks)
        chance.shuffle(shoe)
        first, second, up, *others = shoe
        hand, seen = [first, second], others[unseen:]
        if hand_total(hand) == 21:
            continue
        odds = hand_odds(rules, known(hand), known([up])[0], known(seen))
        fair = fair_value(rules, hand, split=False, up=up, seen=seen)
        assert max(values_of(odds.actions).values()) == pytest.approx(fair, abs=1e-9)


def test_a_shoe_of_tens_alone_has_odds() -> None:
    gone = ["A"] * 24 + RANKS[1:6] * 24 + ["7"] * 23 + ["8", "9"] * 24
    odds = odds_of("link", "10 K", "7", " ".join(gone))
    assert odds.actions == Actions(stand=1.0, hit=-1.0, double=-2.0, split=2.0)


def hand_total(hand: list[Card]) -> int:
    values = sorted(min(card % 13 + 1, 10) for card in hand)
    return sum(values) + (10 if values[0] == 1 else 0)


@pytest.mark.parametrize("game", sorted(CATALOGUE))
@pytest.mark.parametrize("up", ["A", "10", "6"])
def test_a_shoe_of_few_cards_has_odds_or_is_refused(game: str, up: str) -> None:
    rules = find(game).rules
    hand, dealer, chance = known_cards("9 7"), known_card(up), Random(game + up)
    whole = known(decks(rules.decks))
    for card in [*hand, dealer]:
        whole.remove(KnownCard(card.rank, 0))
    refused = 0
    for unseen in range(10, 70):
        chance.shuffle(whole)
        try:
            odds = hand_odds(rules, hand, dealer, whole[unseen:])
        except HandError:
            refused = unseen
        else:
            assert all(-4 <= value <= 4 for value in values_of(odds.actions).values())
    assert 22 <= refused < 50


@pytest.mark.parametrize(
    ("game", "cards", "up", "seen", "code"),
    [
        ("link", "8", "10", "", "too-few-cards"),
        ("link", "", "10", "", "too-few-cards"),
        ("link", "10 6 6", "10", "", "bust"),
        ("surrender", "A A A A A A A A", "10", "", "too-many-cards"),
        ("link", "As As", "As", "As As As As", "card-too-often"),
        ("link", "A A", "A", "A " * 22, "card-too-often"),
        ("link", "10 K", "Q", "J " * 94, "tens-too-often"),
        ("link", "10 K", "A", ONLY_TENS, "shoe-too-small"),
    ],
)
def test_impossible_hands_are_refused(game: str, cards: str, up: str, seen: str, code: str) -> None:
    with pytest.raises(HandError) as refused:
        odds_of(game, cards, up, seen)
    assert refused.value.code == code
    for language in ("it", "en"):
        assert "{" not in Catalogue(language).text(f"impossible.{code}", **refused.value.params)


@pytest.mark.parametrize("text", ["", "1", "11", "8x", "T", "10hh", "ß"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(HandError) as refused:
        known_card(text)
    assert "is not a card" in Catalogue("en").text(f"impossible.{refused.value.code}", **refused.value.params)
