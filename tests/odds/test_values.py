"""The exact analysis against the naive enumeration, and what must hold for any shoe."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.games import CATALOGUE, Rules, find
from sabot.odds.classes import Floats
from sabot.odds.values import Behind, SplitHand, action_values
from tests.odds.naive import (
    CARDS,
    FREE_HAND,
    Bet,
    Hand,
    Naive,
    Shoe,
    Worth,
    checks,
    dealer,
    decks,
    draws,
    forget,
    total,
    without,
)

#: Cashback is Link to the odds, as is shown below, and a shoe that is given has no number of decks.
GAMES = sorted(CATALOGUE.keys() - {"cashback", "classic-8"})
#: A game's name says nothing to the odds: two that differ in nothing else are one.
DIFFERENT = ["classic-6", "freebet", "link", "majority-us", "surrender"]
#: The dealer's cards of daily work; `make test` takes them all.
SOME_CARDS = [card if card in (1, 6, 10) else pytest.param(card, marks=pytest.mark.slow) for card in CARDS]

#: What no game here has, but a rule set may.
OTHERS = (
    Rules("hits soft 17", dealer_hits_soft_17=True),
    Rules("charlie 5", charlie=5, checks=("ten",), ten_up_returns_double=True),
    Rules("no double after split", double_after_split=False, checks=(), surrender=True),
    Rules("22 pushes", dealer_22_pushes=True, checks=("ace",), free_double=(9, 10, 11)),
)


@pytest.fixture(autouse=True)
def _memory() -> Iterator[None]:
    yield
    forget()


def array(shoe: Shoe) -> Floats:
    return np.array(shoe, dtype=np.float64)


def analysed(rules: Rules, shoe: Shoe, up: int, hand: Hand) -> dict[str, float]:
    """The values by `sabot.odds`, the hand and the up card being taken from `shoe`."""
    behind = Behind(rules, array(without(shoe, up)), up - 1, stand_everywhere=True)
    values = action_values(behind, behind.row(tuple(card - 1 for card in hand)))
    return {str(action): value for action, value in values.items()}


def enumerated(rules: Rules, shoe: Shoe, up: int, hand: Hand) -> dict[str, float]:
    return Naive(rules, up, without(shoe, up, *hand)).values(hand)


def some_shoe(rng: Random, cards: int) -> Shoe:
    counts = [1] * 10
    for card in rng.choices(CARDS, weights=[1] * 9 + [4], k=cards - 10):
        counts[card - 1] += 1
    return tuple(counts)


def some_hands(rng: Random, shoe: Shoe, up: int) -> list[Hand]:
    """A pair, two cards that make 8 to 11, and a hand of two to five cards, each if the shoe has one."""
    left = without(shoe, up)
    pairs = [(card, card) for card in CARDS if left[card - 1] >= 2]
    twos = [
        (a, b) for a in CARDS for b in range(a + 1, 11) if 8 <= a + b <= 11 and left[a - 1] and left[b - 1]
    ]
    pile = rng.sample(CARDS, counts=left, k=5)
    longer = tuple(pile[: rng.randint(2, 5)])
    while sum(longer) > 21 or (len(longer) == 2 and total(longer) == 21):
        longer = (*longer[:-2], longer[-2]) if len(longer) > 2 else tuple(rng.sample(CARDS, counts=left, k=2))
    return [rng.choice(hands) for hands in (pairs, twos) if hands] + [longer]


def assert_agree(rng: Random, rules: Rules, shoe: Shoe, up: int) -> None:
    for hand in some_hands(rng, shoe, up):
        expected = enumerated(rules, shoe, up, hand)
        assert analysed(rules, shoe, up, hand) == pytest.approx(expected, abs=1e-9), (rules.name, shoe, hand)


@pytest.mark.rule("RET-03", "RET-04")
@pytest.mark.parametrize("up", SOME_CARDS)
def test_small_shoes_agree_with_the_enumeration(up: int) -> None:
    """All games from one shoe: the dealer's draws are enumerated once for all of them."""
    rng = Random(f"small {up}")
    shoe = some_shoe(rng, rng.randint(20, 26))
    for game in GAMES:
        assert_agree(rng, find(game).rules, shoe, up)


@pytest.mark.slow  # larger shoes, every deal enumerated
@pytest.mark.parametrize("up", CARDS)
def test_more_rules_and_larger_shoes_agree_with_the_enumeration(up: int) -> None:
    rng = Random(f"larger {up}")
    shoe = some_shoe(rng, rng.randint(26, 32))
    for rules in (*(find(game).rules for game in DIFFERENT), *OTHERS):
        assert_agree(rng, rules, shoe, up)


@pytest.mark.slow  # plain enumeration
@pytest.mark.rule("RET-03")
@pytest.mark.parametrize(
    ("game", "up", "hand"),
    [
        ("link", 10, (10, 6)),
        ("link", 1, (5, 6)),
        ("cashback", 10, (1, 7)),
        ("cashback", 9, (9, 9)),
        ("surrender", 10, (8, 7)),
        ("surrender", 1, (10, 6)),
        ("surrender", 10, (1, 1, 1, 2, 2, 5)),
        ("freebet", 10, (10, 7)),
        ("freebet", 1, (10, 7)),
        ("freebet", 8, (9, 9)),
        ("freebet", 10, (10, 10)),
        ("freebet", 9, (6, 5)),
        ("majority-eu", 1, (8, 8)),
        ("majority-us", 1, (8, 8)),
        ("majority-us", 10, (6, 5)),
        ("classic-8", 7, (10, 5)),
        ("classic-6", 10, (10, 2, 4)),
    ],
)
def test_full_shoes_agree_with_the_enumeration(game: str, up: int, hand: Hand) -> None:
    rules = find(game).rules
    shoe = decks(rules.decks)
    assert analysed(rules, shoe, up, hand) == pytest.approx(enumerated(rules, shoe, up, hand), abs=1e-9)


@pytest.mark.parametrize("rules", OTHERS, ids=lambda rules: rules.name)
@pytest.mark.parametrize("up", [1, 6, 10])
def test_rules_no_game_here_has_agree_with_the_enumeration(rules: Rules, up: int) -> None:
    rng = Random(f"{rules.name} {up}")
    shoe = some_shoe(rng, 22)
    for hand in some_hands(rng, shoe, up):
        assert analysed(rules, shoe, up, hand) == pytest.approx(
            enumerated(rules, shoe, up, hand), abs=1e-9
        ), hand


@pytest.mark.parametrize("up", [4, 6])
def test_a_21_after_a_split_is_not_doubled_though_it_would_pay(up: int) -> None:
    """So rich in tens that a doubled soft 21 would most often be 21 again."""
    rules, shoe = find("link").rules, (3, 3, 1, 1, 1, 2, 2, 2, 1, 13)
    assert analysed(rules, shoe, up, (10, 10)) == pytest.approx(
        enumerated(rules, shoe, up, (10, 10)), abs=1e-9
    )


def test_a_charlie_of_few_points_wins_against_all_but_a_blackjack() -> None:
    """Five cards that count 11: no hand of the games here is so long and so low, but a rule set may have it."""
    rules, shoe = OTHERS[1], (4,) * 9 + (16,)
    behind = Behind(rules, array(without(shoe, 1)), 0)
    hand = (2, 2, 2, 2, 3)
    left = without(shoe, 1, *hand)
    blackjack = left[9] / sum(left)
    assert action_values(behind, behind.row(tuple(card - 1 for card in hand))) == pytest.approx(
        {"stand": 1 - 2 * blackjack}, abs=1e-12
    )


@pytest.mark.parametrize("game", DIFFERENT)
@pytest.mark.parametrize("up", [1, 10])
def test_a_shoe_that_is_nearly_out_of_small_cards_is_analysed_all_the_same(game: str, up: int) -> None:
    rules, hand = find(game).rules, (5, 6)
    shoe = some((1, 0, 0, 0, 1, 1, 1, 0, 0, 12), up)
    assert analysed(rules, shoe, up, hand) == pytest.approx(enumerated(rules, shoe, up, hand), abs=1e-9)


# A split is twice one of its hands


def _both(
    table: Naive,
    hands: tuple[Hand, Hand],
    state: tuple[Shoe, tuple[float, ...]],
    bets: tuple[Bet, Bet],
    play: Callable[[Hand], bool],
) -> Worth:
    """Both hands of a split on one table, card by card in the order of COM-14, the dealer after them."""
    shoe, holes = state
    needy = [at for at in (0, 1) if len(hands[at]) == 1]
    needy += [at for at in (0, 1) if total(hands[at]) < 21 and play(hands[at])]
    if not needy:
        return table.settle(hands[0], shoe, holes, bets[0]) + table.settle(hands[1], shoe, holes, bets[1])
    result, at = Worth(0.0, 0.0), needy[0]
    for card, after, then in draws(shoe, holes):
        drawn = (*hands[at], card)
        result += _both(table, (drawn, hands[1]) if at == 0 else (hands[0], drawn), (after, then), bets, play)
    return result


@pytest.mark.slow  # many hands solved
@pytest.mark.rule("RET-04")
@pytest.mark.parametrize(
    ("game", "up"), [("link", 10), ("link", 6), ("surrender", 1), ("freebet", 1), ("freebet", 7)]
)
@pytest.mark.parametrize("pair", [8, 9, 10])
def test_two_split_hands_played_one_after_the_other_are_worth_twice_one(
    game: str, up: int, pair: int
) -> None:
    """Exact, not an approximation, for a play that ignores the other hand's cards."""

    def hits(hand: Hand) -> bool:
        return total(hand) < 14

    rules = find(game).rules
    shoe = (2, 1, 1, 1, 1, 1, 1, 3, 3, 6)
    unseen = without(shoe, up, pair, pair)
    table = Naive(rules, up, unseen, choose=lambda hand, legal: "hit" if hits(hand) else "stand")
    bets = (Bet(), FREE_HAND if pair in rules.free_split else Bet())
    together = _both(table, ((pair,), (pair,)), (unseen, table.holes), bets, hits)
    assert together == pytest.approx(table.worths((pair, pair))["split"], abs=1e-12)


# What must hold for any shoe

shoes = st.tuples(*[st.integers(1, 12)] * 9, st.integers(2, 40))
ups = st.sampled_from(CARDS)


def behind_of(game: str, shoe: Shoe, up: int) -> Behind:
    return Behind(find(game).rules, array(without(shoe, up)), up - 1, stand_everywhere=True)


def possible(behind: Behind) -> np.typing.NDArray[np.intp]:
    """The rows of hands whose cards are there, at least two of them."""
    tree = behind.tree
    there = (tree.counts <= behind.left).all(axis=1) & (tree.size >= 2)
    return np.intersect1d(np.flatnonzero(there), behind.rows)


def some(shoe: Shoe, up: int) -> Shoe:
    """The shoe with one card more of the up card, so that none runs out."""
    return tuple(count + (card == up) for card, count in zip(CARDS, shoe, strict=True))


@pytest.mark.parametrize("game", DIFFERENT)
@settings(max_examples=15)
@given(shoe=shoes, up=ups)
def test_chances_and_values_keep_their_bounds(game: str, shoe: Shoe, up: int) -> None:
    behind = behind_of(game, some(shoe, up), up)
    rows, tiny = possible(behind), 1e-12
    win, lose = behind.win[rows], behind.lose[rows]
    assert win.min() >= -tiny
    assert lose.min() >= -tiny
    assert (win + lose).max() <= 1 + tiny
    assert behind.stand[rows] == pytest.approx(win - lose, abs=1e-12)
    best, hit = behind.play(behind.stand, -1.0)
    assert np.abs(best[rows]).max() <= 1 + tiny
    assert (best[rows] >= np.where(behind.policy[rows] == 0, -1, hit[rows]) - tiny).all()
    double = behind.double()[rows[behind.tree.size[rows] == 2]]
    assert np.abs(double).max() <= 2 + tiny
    for pair in np.flatnonzero(behind.left >= 2):
        assert abs(SplitHand(behind.rules, behind.left, behind.up, int(pair)).both) <= 4


@pytest.mark.parametrize("game", DIFFERENT)
@settings(max_examples=10)
@given(
    shoe=shoes, up=ups, hand=st.sampled_from([(10, 10), (10, 9), (1, 7), (10, 7), (6, 9), (5, 10, 6), (2, 9)])
)
def test_the_chances_of_standing_are_those_of_the_dealer(game: str, shoe: Shoe, up: int, hand: Hand) -> None:
    rules = find(game).rules
    whole = tuple(count + (card == up) + hand.count(card) for card, count in zip(CARDS, shoe, strict=True))
    behind = behind_of(game, whole, up)
    row = behind.row(tuple(card - 1 for card in hand))
    left = without(whole, up, *hand)
    barred = {1: 10, 10: 1}.get(up)
    win = lose = push = weight = 0.0
    for hole in CARDS:
        chance = left[hole - 1] / sum(left)
        if hole == barred:
            if not checks(rules, up):
                lose, weight = lose + chance, weight + chance
            continue
        weight += chance
        for end, share in dealer(False, up + hole, 1 in (up, hole), without(left, hole)).items():
            if end == total(hand) or (end == 22 and rules.dealer_22_pushes):
                push += chance * share
            elif total(hand) < end <= 21:
                lose += chance * share
            else:
                win += chance * share
    assert win + lose + push == pytest.approx(weight, abs=1e-12)
    assert (behind.win[row], behind.lose[row]) == pytest.approx((win / weight, lose / weight), abs=1e-12)
    forget()


@pytest.mark.parametrize("game", DIFFERENT)
@settings(max_examples=15)
@given(shoe=shoes, up=ups)
def test_a_hand_that_cannot_bust_never_gains_by_standing(game: str, shoe: Shoe, up: int) -> None:
    """So the analysis need not look at it: it wins by standing only if the dealer busts, and a card drawn first
    makes that no less likely. The same for a soft hand below 17."""
    behind = behind_of(game, some(shoe, up), up)
    tree, rows = behind.tree, possible(behind)
    safe = rows[(tree.total[rows] < 12) | (tree.soft[rows] & (tree.total[rows] < 17))]
    safe = safe[behind.policy[safe] != 0]
    _, hit = behind.play(behind.stand, -1.0)
    assert (hit[safe] >= behind.stand[safe] - 1e-12).all()
    _, hit = behind.play(behind.win, 0.0)
    assert (hit[safe] >= behind.win[safe] - 1e-12).all()


@pytest.mark.slow  # many hands solved
@pytest.mark.parametrize("game", DIFFERENT)
@settings(max_examples=10)
@given(shoe=shoes, up=ups)
def test_the_skipped_hands_change_no_value(game: str, shoe: Shoe, up: int) -> None:
    everywhere = behind_of(game, some(shoe, up), up)
    skipping = Behind(everywhere.rules, everywhere.left, up - 1)
    rows = possible(everywhere)
    twos = rows[everywhere.tree.size[rows] == 2]
    for stand, bust in (("stand", -1.0), ("win", 0.0)):
        best, hit = everywhere.play(getattr(everywhere, stand), bust)
        also_best, also_hit = skipping.play(getattr(skipping, stand), bust)
        assert also_best[rows] == pytest.approx(best[rows], abs=1e-12)
        assert also_hit[rows] == pytest.approx(hit[rows], abs=1e-12)
    assert skipping.double()[twos] == pytest.approx(everywhere.double()[twos], abs=1e-12)


@pytest.mark.rule("RET-03")
@pytest.mark.parametrize("game", DIFFERENT)
@settings(max_examples=8)
@given(shoe=shoes, up=ups)
def test_a_card_burnt_unseen_changes_nothing_and_one_seen_never_hurts(game: str, shoe: Shoe, up: int) -> None:
    """Averaged over the next card, standing and doubling are worth what they are without it; hitting no less."""
    whole = some(
        tuple(count + 6 for count in shoe), up
    )  # six more, so that every hand below is there after a burn
    behind = behind_of(game, whole, up)
    tree = behind.tree
    rows = np.flatnonzero((tree.size == 2) & (tree.total < 21))
    stand, double, best = (np.zeros(len(rows)) for _ in range(3))
    weights = np.zeros(len(rows))
    for card in CARDS:
        burnt = behind_of(game, without(whole, card), up)
        left = behind.left - tree.counts[rows]
        weight = left[:, card - 1] / left.sum(axis=1)
        if behind.checked:  # the burnt card is one more unseen card; a blackjack was not found all the same
            weight = weight * [1 - burnt.blackjack_after(int(row)) for row in rows]
        weights += weight
        stand += weight * burnt.stand[rows]
        double += weight * burnt.double()[rows]
        best += weight * burnt.play(burnt.stand, -1.0)[0][rows]
    assert stand / weights == pytest.approx(behind.stand[rows], abs=1e-10)
    assert double / weights == pytest.approx(behind.double()[rows], abs=1e-10)
    assert (best / weights >= behind.play(behind.stand, -1.0)[0][rows] - 1e-12).all()


def test_the_name_and_the_side_bets_of_a_game_are_nothing_to_the_odds() -> None:
    """Cashback and Link are one game to the odds, and so are a check under no card and no hole card (RET-05)."""
    link = find("link").rules
    as_link = {"side_bets": (), "bonus": None, "even_money": False, "name": "plain", "cashback": False}
    plain = msgspec.structs.replace(link, **as_link)
    assert msgspec.structs.replace(find("cashback").rules, **as_link) == plain
    drawn_late = msgspec.structs.replace(plain, hole_card=False)
    for rules in (link, drawn_late):
        assert analysed(rules, decks(6), 10, (8, 8)) == analysed(plain, decks(6), 10, (8, 8))
