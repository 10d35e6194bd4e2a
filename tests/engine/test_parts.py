"""What a round is made of: what is refused at its start, and the small pieces it is played with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from sabot.cards import ShoeEmptyError
from sabot.engine import Round, StackedShoe, Stake
from sabot.engine.book import Purse
from sabot.engine.commands import kebab
from sabot.engine.handlers.bonus import pick
from sabot.engine.handlers.votes import Ballot, box_move
from sabot.engine.outcome import LOSE, LinePayment, Outcome, pay
from sabot.games import TableOptions, find
from sabot.games.strategy import BestTable
from tests.support.table import ADA, Table, fixed_price, solo, voters

BOB = "bob"


def start(game: str = "surrender", **parts: Any) -> Round:
    """A round of nothing but its parts."""
    return Round(find(game).rules, StackedShoe([]), **{"purses": {ADA: 1000}, **parts})


def refusal(make: Callable[[], object]) -> str:
    """The whole sentence with which something is refused."""
    with pytest.raises(ValueError) as error:  # noqa: PT011  # every caller compares the sentence
        make()
    return str(error.value)


# What must be right about the parts


@pytest.mark.parametrize(
    ("game", "parts", "sentence"),
    [
        ("surrender", {"purses": {ADA: 1, BOB: 1}}, "a solo round has one player, not 2"),
        ("surrender", {"purses": {}}, "a solo round has one player, not 0"),
        ("cashback", {}, "a round of cashback needs a price function"),
        ("link", {"price": fixed_price(0)}, "a round of link needs a draw function for its bonus"),
        ("surrender", {"purses": {"": 1}}, "'' is no player's name: write one word of printable characters"),
        (
            "surrender",
            {"purses": {"ada b": 1}},
            "'ada b' is no player's name: write one word of printable characters",
        ),
        (
            "surrender",
            {"purses": {" ada": 1}},
            "' ada' is no player's name: write one word of printable characters",
        ),
        (
            "surrender",
            {"purses": {"a\x07": 1}},
            "'a\\x07' is no player's name: write one word of printable characters",
        ),
        ("surrender", {"purses": {ADA: -1}}, "the purse of 'ada' is -1: write whole cents from 0"),
        ("surrender", {"purses": {ADA: 10.0}}, "the purse of 'ada' is 10.0: write whole cents from 0"),
    ],
)
def test_a_round_does_not_start_without_what_it_needs(
    game: str, parts: dict[str, object], sentence: str
) -> None:
    assert refusal(lambda: start(game, **parts)) == sentence


@pytest.mark.parametrize(
    ("value", "count"),
    [(500, -1), (0, 1), (-500, 1), (500.0, 1), (500, 1.0), (True, 1), (500, True), ("5", 1)],
)
def test_golden_chips_have_a_value_and_are_counted(value: Any, count: Any) -> None:
    assert refusal(lambda: start("majority-us", golden={ADA: {value: count}})) == (
        f"{count!r} golden chips of {value!r} for 'ada': write a value above 0 and a count from 0"
    )


def test_golden_chips_belong_to_a_player_of_the_round() -> None:
    assert (
        refusal(lambda: start("majority-us", golden={BOB: {500: 1}}))
        == "golden chips for 'bob', who has brought no money"
    )


@pytest.mark.parametrize(("value", "count"), [(1, 1), (500, 0)])
def test_a_golden_chip_of_one_cent_and_none_of_a_value_are_right(value: int, count: int) -> None:
    assert start("majority-us", golden={ADA: {value: count}}).book.purse(ADA).golden == {value: count}


def test_an_empty_purse_is_a_purse() -> None:
    assert start(purses={ADA: 0}).balance(ADA) == 0


def test_a_solo_round_starts_from_a_full_shoe() -> None:
    shoe = StackedShoe([0, 1, 2])
    shoe.draw()
    assert (
        refusal(lambda: Round(find("surrender").rules, shoe, purses={ADA: 1000}))
        == "1 cards of the shoe are dealt: a solo round starts from a full one"
    )


@pytest.mark.rule("COM-12")
def test_a_live_round_does_not_start_from_a_shoe_whose_cut_card_is_out() -> None:
    shoe = StackedShoe([0] * 10)
    for _ in range(5):
        shoe.draw()

    def start_with(cut: int) -> Round:
        return Round(find("freebet").rules, shoe, purses={ADA: 1000}, options=TableOptions(cut=cut))

    assert refusal(lambda: start_with(5)) == (
        "the cut card is out after 5 cards: change the shoe before betting"
    )
    assert not start_with(6).cut_card_out


def test_options_that_name_no_bet_of_the_game_open_no_round() -> None:
    assert refusal(lambda: start(options=TableOptions(side_bets_off=("buster",)))) == (
        "there is no side bet 'buster': the game has 21+3, dealer-pair, player-pair"
    )


# The pieces


@pytest.mark.parametrize(
    ("name", "tag"), [("Hit", "hit"), ("PlaceBets", "place-bets"), ("BonusStarted", "bonus-started")]
)
def test_a_class_has_its_name_in_kebab_case_on_the_wire(name: str, tag: str) -> None:
    assert kebab(name) == tag


@pytest.mark.parametrize(("drawn", "outcome"), [(0, "a"), (1, "a"), (2, "b"), (3, "c"), (5, "c")])
def test_an_outcome_is_picked_by_its_weight(drawn: int, outcome: str) -> None:
    asked: list[int] = []

    def draw(n: int) -> int:
        asked.append(n)
        return drawn

    assert pick([("a", 2), ("b", 1), ("c", 3)], draw) == outcome
    assert asked == [6]


def test_a_draw_beyond_the_weights_is_refused() -> None:
    assert (
        refusal(lambda: pick([("a", 2), ("b", 1)], lambda n: n))
        == "a draw must be below the sum of the weights"
    )


@pytest.mark.rule("MAJ-22")
def test_a_ballot_takes_one_vote_of_a_player() -> None:
    ballot = Ballot()
    ballot.cast(ADA, "hit")
    assert refusal(lambda: ballot.cast(ADA, "hit")) == "'ada' has voted already"
    assert (ballot.tally(), ballot.cast_votes) == ((("hit", 1),), 1)


def test_a_box_moves_at_its_turn_alone() -> None:
    assert (
        refusal(lambda: box_move(start("majority-us"), BestTable({}, {}, {})))
        == "no box has a decision to make"
    )


def test_nobody_votes_where_no_hand_is_asked() -> None:
    table = Table("majority-us", "10 9 9 8").bet((0, "main", 1000))
    assert voters(table.round) == []
    assert voters(table.deal().round) == [ADA]
    assert voters(table.do("0.0 stand").round) == []


def test_a_purse_takes_back_chips_of_any_value() -> None:
    purse = Purse(0, {500: 1})
    purse.give_golden((500, 1000, 1000))
    assert purse.golden == {500: 2, 1000: 2}


def test_a_shoe_that_is_dealt_to_the_end_says_so() -> None:
    shoe = StackedShoe([0, 1])
    shoe.draw()
    shoe.draw()
    with pytest.raises(ShoeEmptyError) as error:
        shoe.draw()
    assert str(error.value) == "all 2 cards of the shoe are dealt"
    assert (shoe.dealt, shoe.left) == (2, 0)


@pytest.mark.parametrize(
    ("outcome", "payment"),
    [
        (Outcome("lose"), LinePayment(0, 0)),
        (Outcome("push"), LinePayment(701, 0, (500,))),
        (Outcome("returned"), LinePayment(701, 0, (500,))),
        (Outcome("half"), LinePayment(350, 0)),
        # Winnings are reckoned on the whole face of 12.01, the stake that comes back is the player's own.
        (Outcome("win", (1, 1)), LinePayment(701 + 1201, 1201)),
        (Outcome("even-money", (1, 1)), LinePayment(701 + 1201, 1201)),
        (Outcome("blackjack", (3, 2)), LinePayment(701 + 1801, 1801)),
        (Outcome("cashback", amount=600), LinePayment(600, 0)),
        (Outcome("cashback", amount=900), LinePayment(900, 199)),
    ],
    ids=lambda value: value.result if isinstance(value, Outcome) else "",
)
def test_what_a_line_of_own_money_and_a_golden_chip_is_paid(outcome: Outcome, payment: LinePayment) -> None:
    assert pay(Stake(701, (500,)), outcome) == payment


def test_a_side_bet_that_was_never_decided_is_lost() -> None:
    assert solo("surrender", "10 9 7 8").round.settlement.side_bets.outcome(0, "21+3") == LOSE


@pytest.mark.rule("ASR-41", "MAJ-54")
def test_what_is_given_back_may_be_staked_again() -> None:
    """A limit of 50: 30 and 10 are staked, the 10 comes back, and 20 are left."""
    purse = Purse(10_000, {500: 1}, most=5_000)
    purse.take(Stake(3_000))
    purse.take(Stake(1_000, (500,)))
    purse.give_back(Stake(1_000, (500,)))
    assert (purse.money, purse.staked, purse.left) == (7_000, 3_000, 2_000)
    assert (purse.golden, purse.golden_used) == ({500: 1}, 0)
