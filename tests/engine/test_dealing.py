"""Dealing, the dealer's hand and the order of a round (COM-03..12, COM-14, COM-45)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from sabot.cards import Card, decks, format_card, format_cards, parse_card
from sabot.engine import DEALER, Bet, Round, Shoe, StackedShoe
from sabot.engine.commands import Deal, Hit, PlaceBets, Stand
from sabot.engine.events import (
    Acted,
    BetSettled,
    BettingClosed,
    BonusStarted,
    CardDealt,
    CutCardShown,
    DealerEnded,
    EvenMoneyAnswered,
    HandEnded,
    HoleDealt,
    HoleShown,
    InsuranceOffered,
    Insured,
    Peeked,
    RoundSettled,
    RoundVoided,
    TurnStarted,
)
from sabot.errors import Refusal
from sabot.fairness import SeededShoe, SeedStream
from sabot.games import TableOptions, find
from sabot.games.options import OptionError, check_cut
from tests.support.table import ADA, Table, cards_of, fixed_price, one, solo, stacked

SOLO = ("surrender", "cashback", "link")
LIVE = ("freebet", "majority-eu", "majority-us")
GAMES = SOLO + LIVE
#: Games in which a dealer blackjack under a ten is found after the decisions.
LATE = ("cashback", "link", "freebet", "majority-eu", "majority-us")
HOLE = ("surrender", "cashback", "link", "freebet", "majority-us")


def two(game: str, cards: str, *commands: str, **parts: object) -> Table:
    """Spots 0 and 1 with 10.00 each, dealt and played."""
    table = Table(game, cards, **parts)  # type: ignore[arg-type]  # handed through
    if game.startswith("majority"):
        table.do("consent double split @ada")
    return table.bet((0, "main", 1000), (1, "main", 1000)).deal(*commands)


def kinds(table: Table) -> list[str]:
    """The names of all events, in order."""
    return [type(event).__name__ for event in table.round.log]


def dealer_cards(table: Table) -> int:
    """How many cards the dealer has face up."""
    return len(table.round.play.dealer.cards)


# COM-03: a blackjack beats any other 21


@pytest.mark.rule("COM-03")
@pytest.mark.parametrize("game", GAMES)
def test_blackjack_beats_a_dealer_21_of_three_cards(game: str) -> None:
    # 0: A K; 1: 10 Q stands on 20; dealer 7 7 7. The order is the same with and without a hole card.
    table = two(game, "A 10 7 K Q 7 7", "1.0 stand")
    assert table.dealer == 21
    assert table.paid(spot=0) == 2500
    assert table.paid(spot=1) == 0


@pytest.mark.rule("COM-03", "COM-47")
@pytest.mark.parametrize("game", LATE)
def test_dealer_blackjack_beats_a_21_of_three_cards(game: str) -> None:
    table = one(game, stacked(game, "7 7", "K A", "7"), "0.0 hit")
    assert table.hand() == "twenty-one"
    assert table.paid() == 0


@pytest.mark.rule("COM-03")
@pytest.mark.parametrize("cards", ["A 7 K 10", "K 7 A 10", "A 7 10 10", "J 7 A 10", "A 7 Q 10"])
def test_ace_and_any_ten_value_card_pay_as_blackjack_in_either_order(cards: str) -> None:
    assert solo("surrender", cards).paid() == 2500


# COM-04: 21 after a split


@pytest.mark.rule("COM-04")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("pair", "draws"),
    [("A A", "K 5"), ("K Q", "A 9")],  # right: 21 of two cards; left: 16, or 19
)
def test_ace_and_ten_after_a_split_pay_one_to_one(game: str, pair: str, draws: str) -> None:
    commands = ["0.0 split"] + ["0.1 stand"] * (pair == "K Q")
    table = one(game, stacked(game, pair, "10 7", draws), *commands)
    assert table.hand(hand=0) == "twenty-one"
    assert table.paid() == 2000  # 3:2 would be 2500


@pytest.mark.rule("COM-04", "COM-08")
@pytest.mark.parametrize("game", GAMES)
def test_ace_and_ten_after_a_split_push_with_a_dealer_21_of_three_cards(game: str) -> None:
    # Right A K = 21, left A 5 = 16; dealer 7 7 7.
    table = one(game, stacked(game, "A A", "7 7 7", "K 5"), "0.0 split")
    assert table.dealer == 21
    assert table.paid() == 1000
    assert table.paid("split", hand=1) == 0


@pytest.mark.rule("COM-04", "COM-47")
@pytest.mark.parametrize("game", LATE)
def test_ace_and_ten_after_a_split_lose_to_a_dealer_blackjack(game: str) -> None:
    # Both split hands make 21; a blackjack would push.
    table = one(game, stacked(game, "A A", "K A", "K Q"), "0.0 split")
    assert (table.hand(hand=0), table.hand(hand=1)) == ("twenty-one", "twenty-one")
    assert table.paid() == 0
    assert table.paid("split", hand=1) == 0


# COM-05: bust


@pytest.mark.rule("COM-05")
@pytest.mark.parametrize("game", GAMES)
def test_a_bust_hand_loses_though_the_dealer_busts_too(game: str) -> None:
    # 0: 10 6 10 = 26; 1: 10 10 stands; dealer 10 6 10 = 26.
    hole = [] if game == "majority-eu" else ["6"]
    late = ["6"] if game == "majority-eu" else []
    cards = " ".join(["10", "10", "10", "6", "10", *hole, "10", *late, "10"])
    table = two(game, cards, "0.0 hit", "1.0 stand")
    assert table.dealer == 26
    assert table.paid(spot=0) == 0
    assert table.paid(spot=1) == 2000


@pytest.mark.rule("COM-05")
@pytest.mark.parametrize("game", GAMES)
def test_a_bust_hand_ends_at_once(game: str) -> None:
    table = Table(game, "10 10 7 6 10 10 K Q J")
    table.bet((0, "main", 1000), (1, "main", 1000)).deal("0.0 hit")
    assert table.hand(spot=0) == "bust"
    assert table.round.turn == (1, 0)
    with pytest.raises(Refusal) as refused:
        table.do("0.0 stand")
    assert refused.value.code == "turn/not-yours"


@pytest.mark.rule("COM-05", "COM-47")
@pytest.mark.parametrize("game", ["cashback", "link", "majority-eu", "majority-us"])
def test_a_bust_double_loses_both_stakes_under_a_ten_up_blackjack(game: str) -> None:
    # 10 6 + K = 26; the dealer has K A, which would return the added stake of a hand not bust.
    table = one(game, stacked(game, "10 6", "K A", "K"), "0.0 double")
    if game != "majority-eu":  # the EU dealer draws no card for bust hands
        assert table.round.play.dealer.is_natural
    assert table.paid() == 0
    assert table.paid("double") == 0
    assert table.net() == -2000


@pytest.mark.rule("COM-05", "COM-47")
def test_a_bust_double_loses_both_stakes_where_the_eu_dealer_shows_the_blackjack() -> None:
    # Box 0 doubles 10 6 + K = 26; box 1 doubles 5 6 + 9 = 20 and gets the added stake back; dealer K A.
    table = two("majority-eu", "10 5 K 6 6 K 9 A", "0.0 double", "1.0 double")
    assert table.round.play.dealer.is_natural
    assert (table.paid(spot=0), table.paid("double", spot=0)) == (0, 0)
    assert (table.paid(spot=1), table.paid("double", spot=1)) == (0, 1000)


@pytest.mark.rule("COM-05", "COM-22")
@pytest.mark.parametrize("game", [game for game in GAMES if game != "freebet"])
@pytest.mark.parametrize(("dealer", "total"), [("10 6 6", 22), ("10 6 7", 23), ("10 6 K", 26)])
def test_every_dealer_bust_pays_a_hand_that_stands(game: str, dealer: str, total: int) -> None:
    table = one(game, stacked(game, "10 2", dealer), "0.0 stand")
    assert table.dealer == total
    assert table.paid() == 2000


@pytest.mark.rule("COM-05")
def test_21_is_not_bust_and_22_is() -> None:
    assert solo("surrender", "10 7 6 10 5", "0.0 hit").paid() == 2000
    assert solo("surrender", "10 7 6 10 6", "0.0 hit").paid() == 0


# COM-06: the dealer's hand


@pytest.mark.rule("COM-06")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("dealer", "total", "paid"),
    [
        ("10 7", 17, 2000),
        ("6 A", 17, 2000),  # soft 17 stands
        ("2 A 4", 17, 2000),  # soft 17 of three cards stands
        ("2 2 2 A", 17, 2000),
        ("7 A", 18, 2000),
        ("10 6 A", 17, 2000),  # 16 draws, hard 17 stands
        ("10 6 5", 21, 0),
        ("10 6 10", 26, 2000),
        ("5 A 10 5", 21, 0),  # soft 16 draws, and hard 16 again
        ("5 A A", 17, 2000),
        ("10 2 2 2 4", 20, 1000),
        ("2 2 2 2 2 2 4 3", 19, 2000),
        ("9 9", 18, 2000),
        ("10 10", 20, 1000),
    ],
)
def test_the_dealer_draws_to_16_and_stands_on_every_17(game: str, dealer: str, total: int, paid: int) -> None:
    table = one(game, stacked(game, "10 10", dealer), "0.0 stand")
    assert table.dealer == total
    assert dealer_cards(table) == len(dealer.split())
    assert table.paid() == paid


@pytest.mark.rule("COM-06")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("dealer", "total"), [("A 6", 17), ("A 5 10 3", 19), ("A 3 3", 17)])
def test_the_dealer_draws_by_the_same_rule_under_an_ace(game: str, dealer: str, total: int) -> None:
    table = one(game, stacked(game, "10 10", dealer), "all insure no @ada", "0.0 stand")
    assert table.dealer == total
    assert dealer_cards(table) == len(dealer.split())


# COM-07: whether the dealer draws


@pytest.mark.rule("COM-07")
@pytest.mark.parametrize("game", HOLE)
@pytest.mark.parametrize(
    ("hand", "draws", "commands", "how"),
    [
        ("10 6", "10", ("0.0 hit",), "bust"),
        ("10 6", "10", ("0.0 double",), "bust"),
        ("A K", "", (), "blackjack"),
    ],
)
def test_the_hole_card_is_turned_and_none_drawn_when_no_hand_needs_the_dealer(
    game: str, hand: str, draws: str, commands: Sequence[str], how: str
) -> None:
    table = one(game, stacked(game, hand, "6 6", draws), *commands)
    assert table.hand() == how
    assert [event.total for event in table.all(HoleShown)] == [12]
    assert (dealer_cards(table), table.dealer) == (2, 12)


@pytest.mark.rule("COM-07")
def test_no_card_is_drawn_for_a_surrendered_hand() -> None:
    table = solo("surrender", "10 9 6 3", "0.0 surrender")
    assert (dealer_cards(table), table.dealer) == (2, 12)


@pytest.mark.rule("COM-07")
def test_no_card_is_drawn_for_a_hand_cashed_back() -> None:
    # 1000 x 0.9, less a margin of 1 %
    table = solo("cashback", "10 9 6 3", "0.0 cashback 891")
    assert (dealer_cards(table), table.dealer) == (2, 12)


@pytest.mark.rule("COM-07")
@pytest.mark.parametrize("answer", ["yes", "no"])
def test_no_card_is_drawn_for_a_blackjack_against_an_ace(answer: str) -> None:
    table = solo("link", "A A K 3", f"0 even-money {answer}")
    assert (dealer_cards(table), table.dealer) == (2, 14)


@pytest.mark.rule("COM-07", "COM-46")
def test_no_card_is_drawn_for_a_charlie_alone() -> None:
    # 2 2 2 2 3 3 3 = 17 of seven cards
    table = solo("surrender", "2 9 2 3 2 2 3 3 3", *["0.0 hit"] * 5)
    assert table.hand() == "charlie"
    assert (dealer_cards(table), table.dealer) == (2, 12)


@pytest.mark.rule("COM-07")
@pytest.mark.parametrize(
    ("commands", "draws"),
    [
        (("1.0 stand",), ""),
        (("1.0 hit",), "5"),  # 21: stands by itself
        (("1.0 double",), "2"),
    ],
)
@pytest.mark.parametrize("game", GAMES)
def test_one_hand_that_needs_the_dealer_is_enough(game: str, commands: Sequence[str], draws: str) -> None:
    # 0: A K blackjack; 1: 10 6; dealer 9 3 and then 5 = 17.
    hole = "" if game == "majority-eu" else "3"
    late = "3" if game == "majority-eu" else ""
    table = two(game, f"A 10 9 K 6 {hole} {draws} {late} 5", *commands)
    assert (dealer_cards(table), table.dealer) == (3, 17)


@pytest.mark.rule("COM-07")
def test_a_split_hand_that_stands_is_enough_beside_one_that_busts() -> None:
    # Right 8 10 10 busts, left 8 10 stands on 18; dealer 9 3 5 = 17.
    table = solo("cashback", "8 9 8 3 10 10 10 5", "0.0 split", "0.0 hit", "0.1 stand")
    assert (dealer_cards(table), table.dealer) == (3, 17)
    assert (table.paid(), table.paid("split", hand=1)) == (0, 2000)


def eu(cards: str, *commands: str, bets: Sequence[tuple[int, str, int]] = ()) -> Table:
    """One box of an EU table with side bets."""
    return Table("majority-eu", cards).bet((0, "main", 1000), *bets).deal(*commands)


CHARLIE = "2 2 2 2 2 2 2 A"  # with 2 2 before it: ten cards, 17
HITS = ["0.0 hit"] * 8


@pytest.mark.rule("COM-07", "MAJ-06")
@pytest.mark.parametrize(
    ("cards", "commands", "bets", "drawn"),
    [
        # all bust: nothing depends on a second card
        ("10 9 6 10", ["0.0 hit"], [], 1),
        ("10 K 6 10", ["0.0 hit"], [], 1),
        ("10 A 6 10", ["all insure no @ada", "0.0 hit"], [], 1),
        ("10 A 6 10", ["close-offers", "0.0 hit"], [], 1),
        # side bets that are decided already
        ("10 K 6 10", ["0.0 hit"], [(0, "21+3", 100), (0, "player-pair", 100), (0, "lucky-lucky", 100)], 1),
        ("10 K 6 10", ["0.0 hit"], [(0, "top-3", 100)], 1),
        # an insurance: one card, though soft 13 would draw
        ("10 A 6 10 2", ["all insure yes @ada", "0.0 hit"], [], 2),
        # a dealer pair: one card, though 4 would draw
        ("10 2 6 10 2", ["0.0 hit"], [(0, "dealer-pair", 100)], 2),
        # Buster: the whole hand
        ("10 2 6 10 2 10 10", ["0.0 hit"], [(0, "buster", 100)], 4),
        # a blackjack: one card under a ten or an ace, none under another card
        ("A 9 K", [], [], 1),
        ("A 2 K", [], [], 1),
        ("A K K 2", [], [], 2),
        ("A 10 K 2", [], [], 2),
        ("A A K 2", ["all insure no @ada"], [], 2),
        ("A 9 K 2", [], [(0, "dealer-pair", 100)], 2),
        ("A 9 K 2 5 10", [], [(0, "buster", 100)], 4),
        # a Charlie: the same
        (f"2 9 2 {CHARLIE}", HITS, [], 1),
        (f"2 K 2 {CHARLIE} 2", HITS, [], 2),
        (f"2 A 2 {CHARLIE} 2", ["all insure no @ada", *HITS], [], 2),
    ],
)
def test_the_eu_dealer_draws_only_what_some_bet_depends_on(
    cards: str, commands: list[str], bets: list[tuple[int, str, int]], drawn: int
) -> None:
    table = eu(cards, *commands, bets=bets)
    assert table.round.phase == "settled"
    assert dealer_cards(table) == drawn
    assert table.shoe.dealt == len(cards.split())


@pytest.mark.rule("COM-07", "MAJ-44")
def test_a_left_hand_nobody_staked_does_not_make_the_dealer_draw() -> None:
    # Without consent nobody follows the split; the right hand 8 10 10 busts.
    table = Table("majority-eu", "8 9 8 10 10").bet((0, "main", 1000)).deal("0.0 split", "0.0 hit")
    assert table.round.phase == "settled"
    assert dealer_cards(table) == 1


@pytest.mark.rule("COM-07", "SB-13")
def test_the_us_dealer_completes_for_buster_when_all_hands_are_bust() -> None:
    cards = "10 6 6 6 10 10"  # hand 10 6 10, dealer 6 6 10 = 22
    table = Table("majority-us", cards).bet((0, "main", 1000), (0, "buster", 100)).deal("0.0 hit")
    assert table.dealer == 22
    assert table.paid("buster") == 300


# COM-08: pushes


@pytest.mark.rule("COM-08")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("hand", "dealer"),
    [("10 7", "9 8"), ("10 8", "9 9"), ("10 9", "9 4 6"), ("10 J", "Q 4 6"), ("A 6", "6 A")],
)
def test_equal_totals_push(game: str, hand: str, dealer: str) -> None:
    table = one(game, stacked(game, hand, dealer), "0.0 stand")
    assert table.paid() == 1000
    assert table.net() == 0


@pytest.mark.rule("COM-08")
@pytest.mark.parametrize("game", GAMES)
def test_21_against_21_pushes(game: str) -> None:
    table = one(game, stacked(game, "7 7", "10 6 5", "7"), "0.0 hit")
    assert table.paid() == 1000


@pytest.mark.rule("COM-08")
@pytest.mark.parametrize("game", GAMES)
def test_a_point_more_wins_and_a_point_less_loses(game: str) -> None:
    # 0: 10 8; 1: 10 6; dealer 10 7
    table = two(game, "10 10 10 8 6 7", "0.0 stand", "1.0 stand")
    assert (table.paid(spot=0), table.paid(spot=1)) == (2000, 0)


@pytest.mark.rule("COM-08")
@pytest.mark.parametrize("game", GAMES)
def test_a_doubled_hand_pushes_with_both_stakes(game: str) -> None:
    # 8 4 + 8 = 20 against 20: no free double of Free Bet
    table = one(game, stacked(game, "8 4", "K Q", "8"), "0.0 double")
    assert (table.paid(), table.paid("double")) == (1000, 1000)


@pytest.mark.rule("COM-08", "COM-03")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("up", ["ten", "ace"])
def test_blackjack_against_blackjack_pushes(game: str, up: str) -> None:
    if up == "ten":
        table = one(game, "A K Q A")
    elif game == "link":
        table = one(game, "A A Q K", "0 even-money no")
    else:
        table = one(game, "A A Q K", "all insure no @ada")
    assert table.round.play.dealer.is_natural
    assert table.paid() == 1000
    assert table.net() == 0


# COM-09: the order of a round


@pytest.mark.rule("COM-09")
def test_a_round_goes_through_its_steps_in_order() -> None:
    table = solo("surrender", "10 A 8 7 K", "0 insure yes @ada", "0.0 hit")
    *steps, last, final = kinds(table)
    assert steps == [
        "BetsPlaced",
        "BettingClosed",
        "CardDealt",
        "CardDealt",
        "CardDealt",
        "HoleDealt",
        "InsuranceOffered",
        "Insured",
        "Peeked",
        "BetSettled",  # the insurance is settled at the check (COM-33)
        "TurnStarted",
        "Acted",
        "CardDealt",
        "HandEnded",
        "HoleShown",
        "DealerEnded",
        "BetSettled",
    ]
    assert {last, final} == {"PlayerPaid", "RoundSettled"}


@pytest.mark.rule("COM-09")
@pytest.mark.parametrize("game", GAMES)
def test_no_decision_before_the_offers_are_answered(game: str) -> None:
    table = one(game, "8 A 8 7 10 10 10 10")
    assert table.round.phase == "offers"
    assert table.all(InsuranceOffered)
    assert not table.all(Peeked)
    assert not table.all(TurnStarted)
    dealt = table.shoe.dealt
    actions = ["hit", "stand", "double", "split"]
    actions += {"surrender": ["surrender"], "cashback": ["cashback 891"]}.get(game, [])
    for action in actions:
        with pytest.raises(Refusal) as refused:
            table.do(f"0.0 {action}")
        assert refused.value.code == "round/offers-open"
        assert refused.value.rule == "COM-09"
    assert table.shoe.dealt == dealt
    assert not table.all(Acted)
    assert not {move for move in table.legal() if move.startswith("0.0")}
    table.do("all insure no @ada")
    assert "0.0 hit" in table.legal()


@pytest.mark.rule("COM-09", "SUR-02")
def test_no_surrender_and_no_decision_once_the_check_found_a_blackjack() -> None:
    table = solo("surrender", "10 A 6 K", "all insure no @ada")
    assert table.round.phase == "settled"
    assert not table.all(TurnStarted)
    with pytest.raises(Refusal) as refused:
        table.do("0.0 surrender")
    assert refused.value.code == "round/over"
    assert table.paid() == 0


@pytest.mark.rule("COM-09", "SUR-02")
def test_a_check_under_a_ten_comes_before_the_first_decision() -> None:
    ended = solo("surrender", "10 K 6 A")
    assert ended.round.phase == "settled"
    assert not ended.all(TurnStarted)
    goes_on = solo("surrender", "10 K 6 9")
    names = kinds(goes_on)
    assert names.index("Peeked") < names.index("TurnStarted")


@pytest.mark.rule("COM-09")
@pytest.mark.parametrize(
    ("game", "up", "peeks"),
    [
        ("surrender", "A", True),
        ("surrender", "K", True),
        ("surrender", "9", False),
        ("cashback", "A", False),
        ("cashback", "K", False),
        ("link", "A", False),
        ("link", "K", False),
        ("freebet", "A", True),
        ("freebet", "K", False),
        ("majority-us", "A", True),
        ("majority-us", "K", False),
        ("majority-eu", "A", False),
        ("majority-eu", "K", False),
    ],
)
def test_the_dealer_checks_where_the_game_has_a_check(game: str, up: str, peeks: bool) -> None:
    table = one(game, f"10 {up} 8 7", *["all insure no @ada"] * (up == "A"))
    assert bool(table.all(Peeked)) == peeks
    assert table.round.phase == "decisions"
    assert not table.all(HoleShown)


@pytest.mark.rule("COM-09", "LNK-20")
def test_a_bonus_waits_for_the_offers_of_every_hand() -> None:
    # 0: A K with a LINK bet; 1: 10 8; dealer A.
    table = Table("link", "A 10 A K 8 7", draws=[0])
    table.bet((0, "main", 1000), (0, "link", 100), (1, "main", 1000)).deal()
    with pytest.raises(Refusal) as refused:
        table.do("0 spin")
    assert refused.value.code == "bonus/none"
    table.do("0 even-money no")
    assert not table.all(BonusStarted)
    table.do("1 insure no @ada")
    names = kinds(table)
    assert names.index("BonusStarted") > names.index("Insured")
    assert table.all(EvenMoneyAnswered)


@pytest.mark.rule("COM-09")
@pytest.mark.parametrize("game", GAMES)
def test_the_dealer_comes_after_the_last_decision_and_the_settlement_after_the_dealer(game: str) -> None:
    table = two(game, "10 10 9 8 7 6 5", "0.0 stand")
    assert not table.all(HoleShown)
    assert not table.all(DealerEnded)
    assert not table.all(BetSettled)
    table.do("1.0 stand")
    names = kinds(table)
    second = "HoleShown" if game != "majority-eu" else "CardDealt"
    last_act = max(at for at, name in enumerate(names) if name == "Acted")
    assert second in names[last_act:]
    assert last_act < names.index("DealerEnded") < names.index("BetSettled") < names.index("RoundSettled")


@pytest.mark.rule("COM-09")
@pytest.mark.parametrize("game", GAMES)
def test_stakes_are_final_at_the_deal(game: str) -> None:
    table = one(game, "10 9 8 7")
    assert table.all(BettingClosed)
    with pytest.raises(Refusal) as refused:
        table.bet((0, "main", 2000))
    assert refused.value.code == "round/not-betting"
    assert refused.value.rule == "COM-09"


# COM-10: dealing and playing order


@pytest.mark.rule("COM-10")
@pytest.mark.parametrize("game", SOLO)
def test_two_passes_from_the_rightmost_staked_hand(game: str) -> None:
    table = Table(game, "2s 3s 4s 9s 2h 3h 4h 10c 10d 10h 10s 5s")
    # placed in another order, with spots 1 and 4 empty
    table.bet((3, "main", 300), (0, "main", 100), (2, "main", 200)).deal()
    dealt = [(event.spot, format_card(event.card)) for event in table.all(CardDealt)]
    assert dealt == [
        (0, "2s"),
        (2, "3s"),
        (3, "4s"),
        (DEALER, "9s"),
        (0, "2h"),
        (2, "3h"),
        (3, "4h"),
    ]
    names = kinds(table)
    assert names.index("HoleDealt") == len(names) - 1 - names[::-1].index("CardDealt") + 1
    table.do("0.0 stand", "2.0 stand")
    assert table.round.turn == (3, 0)
    table.do("3.0 stand")
    assert [format_card(event.card) for event in table.all(HoleShown)] == ["10c"]


@pytest.mark.rule("COM-10")
@pytest.mark.parametrize("game", HOLE)
def test_the_hole_card_lies_face_down(game: str) -> None:
    table = one(game, "10s 9h 8d 5c")
    assert len(table.all(HoleDealt)) == 1
    assert parse_card("5c") not in [event.card for event in table.all(CardDealt)]
    assert format_cards(table.round.play.dealer.cards) == "9h"
    assert HoleDealt.__struct_fields__ == ()


@pytest.mark.rule("COM-10")
@pytest.mark.parametrize("game", SOLO)
def test_decisions_run_hand_by_hand_from_the_right_and_pass_blackjacks_over(game: str) -> None:
    # 0: 10 2; 1: A K; 2: 10 3; 3: K A; 4: 10 4; dealer 9 8.
    table = Table(game, "10 A 10 K 10 9 2 K 3 A 4 8 5 6")
    table.bet(*((spot, "main", 1000) for spot in range(5))).deal()
    turns = [table.round.turn]
    table.do("0.0 hit")
    turns.append(table.round.turn)
    table.do("0.0 stand")
    turns.append(table.round.turn)
    for other in ("0.0 hit", "1.0 stand", "3.0 stand", "4.0 stand"):
        with pytest.raises(Refusal) as refused:
            table.do(other)
        assert refused.value.code == "turn/not-yours"
        assert refused.value.rule == "COM-10"
    table.do("2.0 stand")
    turns.append(table.round.turn)
    table.do("4.0 stand")
    assert turns == [(0, 0), (0, 0), (2, 0), (4, 0)]
    assert table.round.phase == "settled"
    assert table.paid(spot=1) == table.paid(spot=3) == 2500


@pytest.mark.rule("COM-10", "MAJ-14")
@pytest.mark.parametrize("game", LIVE)
def test_live_spots_are_dealt_and_played_in_order_whoever_bets_first(game: str) -> None:
    table = Table(game, "2s 3s 9s 2h 3h 10c 10d 10h", purses={"ada": 5000, "bob": 5000})
    table.bet((1, "main", 1000), player="bob").bet((0, "main", 1000), player="ada").deal()
    dealt = [(event.spot, format_card(event.card)) for event in table.all(CardDealt)]
    assert dealt == [(0, "2s"), (1, "3s"), (DEALER, "9s"), (0, "2h"), (1, "3h")]
    assert table.round.turn == (0, 0)
    table.do("0.0 stand")
    assert table.round.turn == (1, 0)


@pytest.mark.rule("MAJ-02", "COM-10")
def test_the_eu_dealer_has_one_card_until_all_decisions_are_made() -> None:
    table = Table("majority-eu", "10 9 8 7 5").bet((0, "main", 1000)).deal()
    assert not table.all(HoleDealt)
    assert table.shoe.dealt == 3
    table.do("0.0 stand")
    assert [event.spot for event in table.all(CardDealt)] == [0, DEALER, 0, DEALER, DEALER]


# COM-11: a full shoe for every solo round


class Counted:
    """A shoe that remembers its cards."""

    def __init__(self, shoe: Shoe) -> None:
        self._shoe = shoe
        self.cards: list[Card] = []

    @property
    def dealt(self) -> int:
        return self._shoe.dealt

    @dealt.setter
    def dealt(self, count: int) -> None:
        self._shoe.dealt = count

    def draw(self) -> Card:
        card = self._shoe.draw()
        assert card is not None
        self.cards.append(card)
        return card


@pytest.mark.rule("COM-11", "CSH-13")
@pytest.mark.parametrize("game", SOLO)
def test_every_solo_round_takes_its_cards_from_the_full_six_decks(game: str) -> None:
    rules = find(game).rules
    orders = []
    for number in range(20):
        shoe = Counted(SeededShoe(rules.decks, SeedStream(bytes([number] * 32), "lab", "shoe")))
        round = Round(rules, shoe, purses={ADA: 100_000}, price=fixed_price(0), draw=lambda n: 0)
        round.apply(PlaceBets(ADA, tuple(Bet(spot, "main", 1000) for spot in range(5))))
        round.apply(Deal(insurance=False))
        while round.turn is not None:
            round.apply(Stand(*round.turn))
        played = len(shoe.cards)
        assert shoe.dealt == played >= 12
        rest = [shoe.draw() for _ in range(312 - played)]
        assert Counter(shoe.cards) == Counter(decks(6))
        assert len(rest) + played == 312
        orders.append(tuple(shoe.cards))
    assert len(set(orders)) == 20


@pytest.mark.rule("COM-11")
@pytest.mark.parametrize("game", SOLO)
def test_no_solo_round_starts_from_a_shoe_that_was_dealt_from(game: str) -> None:
    shoe = StackedShoe(decks(6))
    shoe.draw()
    with pytest.raises(ValueError, match="full"):
        Round(find(game).rules, shoe, purses={ADA: 1000}, price=fixed_price(0), draw=lambda n: 0)


@pytest.mark.rule("COM-11")
@pytest.mark.parametrize("game", SOLO)
def test_a_solo_shoe_has_no_cut_card(game: str) -> None:
    table = solo(game, "10 9 8 7 5", "0.0 stand", options=TableOptions(cut=1))
    assert not table.round.cut_card_out
    assert not table.all(CutCardShown)


# COM-12: the cut card


def live_round(game: str, shoe: Shoe, cut: int, burn: bool = False) -> Round:
    """A live round with a main bet of 10.00 on spot 0."""
    options = TableOptions(cut=cut, burn=burn)
    round = Round(find(game).rules, shoe, purses={ADA: 100_000}, options=options)
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1000),)))
    return round


@pytest.mark.rule("COM-12")
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_the_cut_card_is_announced_and_the_round_finished_from_the_same_shoe(game: str) -> None:
    shoe = StackedShoe(cards_of("2 9 3 5 4 10 3 5"))
    round = live_round(game, shoe, cut=5)
    assert CutCardShown() not in round.apply(Deal())
    before = round.cut_card_out
    assert CutCardShown() in round.apply(Hit(0))
    assert (before, round.cut_card_out) == (False, True)
    # 2 3 4 + 10 = 19; dealer 9 5 3 = 17: three more cards of the same shoe
    round.apply(Hit(0))
    round.apply(Stand(0))
    assert round.phase == "settled"
    assert shoe.dealt == 7
    assert round.balance(ADA) == 101_000
    assert sum(isinstance(event, CutCardShown) for event in round.log) == 1


@pytest.mark.rule("COM-12")
@pytest.mark.parametrize("game", LIVE)
def test_no_round_starts_from_a_shoe_whose_cut_card_is_out(game: str) -> None:
    shoe = StackedShoe(cards_of("10 9 10 8 10 9 10 8"))
    first = live_round(game, shoe, cut=4)
    first.apply(Deal())
    first.apply(Stand(0))
    assert first.phase == "settled"
    assert shoe.dealt == 4
    with pytest.raises(ValueError, match="change the shoe"):
        live_round(game, shoe, cut=4)
    assert shoe.dealt == 4
    live_round(game, StackedShoe(cards_of("10 9 10 8")), cut=4)


@pytest.mark.rule("COM-12")
@pytest.mark.parametrize("game", LIVE)
def test_rounds_go_on_from_one_shoe_until_the_cut_card(game: str) -> None:
    shoe = StackedShoe(cards_of("10 9 10 8 10 7 9 K"))
    first = live_round(game, shoe, cut=5)
    first.apply(Deal())
    first.apply(Stand(0))
    assert not first.cut_card_out
    second = live_round(game, shoe, cut=5)
    second.apply(Deal())
    second.apply(Stand(0))
    cards = [format_card(event.card)[:-1] for event in second.log if isinstance(event, CardDealt)]
    assert cards[:3] == ["10", "7", "9"]
    assert second.cut_card_out
    assert CutCardShown() in second.log


@pytest.mark.rule("COM-12")
def test_the_cut_card_lies_after_208_cards_unless_configured() -> None:
    game = find("freebet")
    assert game.options.cut == TableOptions().cut == 208
    shoe = StackedShoe([parse_card("5s")] * 416)
    shoe.dealt = 207
    Round(game.rules, shoe, purses={ADA: 0}, options=game.options)
    shoe.dealt = 208
    with pytest.raises(ValueError, match="208"):
        Round(game.rules, shoe, purses={ADA: 0}, options=game.options)


@pytest.mark.rule("COM-12", "MAJ-07")
def test_a_burnt_card_counts_towards_the_cut() -> None:
    shoe = StackedShoe(cards_of("K 10 9 10 8"))
    round = live_round("majority-us", shoe, cut=5, burn=True)
    assert CutCardShown() in round.apply(Deal())


@pytest.mark.rule("COM-12")
@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize("cut", [277, 300, 416, 500, 0, -1])
def test_too_few_cards_behind_the_cut_are_refused_at_start_up(game: str, cut: int) -> None:
    with pytest.raises(OptionError) as refused:
        live_round(game, StackedShoe(decks(8)), cut)
    assert str(cut) in str(refused.value)
    assert "140" in str(refused.value)


@pytest.mark.rule("COM-12")
def test_140_cards_behind_the_cut_are_enough() -> None:
    check_cut(8, 276)
    live_round("freebet", StackedShoe(decks(8)), 276)
    with pytest.raises(OptionError):
        check_cut(8, 277)


@pytest.mark.rule("COM-12", "PLT-32")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "cards", ["8", "8 6", "8 6 8", "8 6 8 10", "8 6 8 10 3", "8 6 8 10 3 2", "8 6 8 10 3 2 10"]
)
def test_a_shoe_that_runs_empty_voids_the_round_and_refunds_all(game: str, cards: str) -> None:
    table = Table(game, cards, short_shoe=True)
    if game.startswith("majority"):
        table.do("consent double split @ada")
    table.bet((0, "main", 1000), (0, "player-pair", 100), (0, "21+3", 100)).do("deal")
    while not table.round.over:
        legal = table.legal()
        table.do(next(move for move in ("0.0 split", "0.0 hit", "0.1 hit") if move in legal))
    assert table.round.phase == "voided"
    assert [event.reason for event in table.all(RoundVoided)] == ["shoe-empty"]
    assert table.net() == 0
    assert table.round.book.escrow == 0
    assert table.round.book.house == 0
    assert not table.all(BetSettled)
    assert table.round.legal() == ()


@pytest.mark.rule("COM-12", "PLT-32")
def test_a_void_gives_back_an_insurance_lost_at_the_check() -> None:
    # Insurance is lost at the check; then 10 3 hits from an empty shoe.
    table = Table("surrender", "10 A 3 7", short_shoe=True).bet((0, "main", 1000))
    table.deal("0 insure yes @ada")
    assert table.paid("insurance") == 0
    table.do("0.0 hit")
    assert table.round.phase == "voided"
    assert table.net() == 0
    assert table.round.book.house == 0


# COM-14: a split


@pytest.mark.rule("COM-14")
@pytest.mark.parametrize("game", GAMES)
def test_both_split_hands_get_their_second_card_at_once_right_first(game: str) -> None:
    cards = stacked(game, "8s 8h", "6s 10s", "2d 3d 9c 8c 10h")
    table = one(game, cards + " 10d", "0.0 split")
    dealt = [(event.spot, event.hand, format_card(event.card)) for event in table.all(CardDealt)]
    assert dealt[3:] == [(0, 0, "2d"), (0, 1, "3d")]
    hands = [format_cards(hand.cards) for hand in table.round.play.spots[0]]
    assert hands == ["8s 2d", "8h 3d"]
    # the right hand is played to its end before the left one
    assert table.round.turn == (0, 0)
    with pytest.raises(Refusal) as refused:
        table.do("0.1 hit")
    assert refused.value.code == "turn/not-yours"
    table.do("0.0 hit", "0.0 stand")
    assert table.round.turn == (0, 1)
    with pytest.raises(Refusal):
        table.do("0.0 hit")
    table.do("0.1 hit", "0.1 stand")
    hands = [format_cards(hand.cards) for hand in table.round.play.spots[0]]
    assert hands == ["8s 2d 9c", "8h 3d 8c"]


@pytest.mark.rule("COM-14", "COM-10")
def test_a_split_hand_is_played_out_before_the_next_spot() -> None:
    table = two("cashback", "8 10 9 8 7 8 10 2 9 K", "0.0 split", "0.0 stand")
    assert table.round.turn == (0, 1)
    table.do("0.1 hit")
    assert table.round.turn == (0, 1)
    table.do("0.1 stand")
    assert table.round.turn == (1, 0)


# COM-45: 21 stands by itself


@pytest.mark.rule("COM-45")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("hand", "draws"), [("10 6", "5"), ("A 5", "5"), ("5 6", "10"), ("A A", "9")])
def test_a_hit_to_21_ends_the_hand_without_a_decision(game: str, hand: str, draws: str) -> None:
    table = one(game, stacked(game, hand, "10 7", draws), "0.0 hit")
    assert table.hand() == "twenty-one"
    assert table.round.phase == "settled"
    assert len(table.all(TurnStarted)) == 1
    assert table.paid() == 2000


@pytest.mark.rule("COM-45")
@pytest.mark.parametrize("game", GAMES)
def test_a_blackjack_has_no_decision(game: str) -> None:
    table = one(game, "A 9 K 8")
    assert not table.all(TurnStarted)
    assert [event.how for event in table.all(HandEnded)] == ["blackjack"]
    assert table.round.phase == "settled"


@pytest.mark.rule("COM-45")
@pytest.mark.parametrize("game", GAMES)
def test_a_split_hand_of_21_has_no_decision(game: str) -> None:
    # Right 10 A = 21 is passed over; left K 9 decides.
    table = one(game, stacked(game, "10 K", "9 8", "A 9"), "0.0 split")
    assert table.round.turn == (0, 1)
    turns = [(event.spot, event.hand) for event in table.all(TurnStarted)]
    assert turns == [(0, 0), (0, 1)]
    table.do("0.1 stand")
    assert (table.paid(), table.paid("split", hand=1)) == (2000, 2000)


@pytest.mark.rule("COM-45")
@pytest.mark.parametrize("game", GAMES)
def test_a_soft_20_still_decides(game: str) -> None:
    table = one(game, stacked(game, "A 9", "10 7", "K"), "0.0 hit")
    assert table.round.turn == (0, 0)


@pytest.mark.rule("COM-09", "COM-32")
def test_insurance_answers_stand_in_the_log_before_the_check() -> None:
    table = Table("freebet", "10 A 8 7", purses={"ada": 5000, "bob": 5000})
    table.bet((0, "main", 1000)).bet((0, "behind", 1000), player="bob").deal("all insure yes @ada")
    assert not table.all(Peeked)
    table.do("all insure no @bob")
    names = kinds(table)
    assert [event.accepted for event in table.all(Insured)] == [True, False]
    assert max(at for at, name in enumerate(names) if name == "Insured") < names.index("Peeked")


def test_a_settled_round_takes_no_more_commands() -> None:
    table = solo("surrender", "10 9 10 8", "0.0 stand")
    assert table.all(RoundSettled)
    assert table.legal() == set()
