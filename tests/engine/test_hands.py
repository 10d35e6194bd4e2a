"""Splits, doubles, Charlie and the late dealer blackjack (COM-40..47), in the solo games and Majority."""

from __future__ import annotations

import pytest

from sabot.cards import format_cards
from sabot.engine.events import BetSettled, HandEnded, StakeAdded, TurnStarted
from sabot.games.tables import BEST_TABLES
from tests.support.table import ADA, Table, refused, stacked

GAMES = ("surrender", "cashback", "link", "majority-eu", "majority-us")
#: Games in which a dealer blackjack under a ten is found after the decisions.
LATE = ("cashback", "link", "majority-eu", "majority-us")
#: Games in which one under an ace is, too.
LATE_ACE = ("cashback", "link", "majority-eu")
CHARLIE_10 = ("cashback", "link", "majority-eu", "majority-us")


def play(game: str, hand: str, dealer: str, draws: str = "", *commands: str) -> Table:
    """One hand of 10.00; a box follows doubles and splits; insurance is refused."""
    table = Table(game, stacked(game, hand, dealer, draws))
    if game.startswith("majority"):
        table.do("consent double split @ada")
    table.bet((0, "main", 1000)).deal(*["all insure no @ada"] * (dealer[0] == "A"))
    return table.do(*commands)


def actions(table: Table) -> set[str]:
    """The actions of the hand whose turn it is."""
    return {option.action for option in table.all(TurnStarted)[-1].options}


def paid(table: Table) -> dict[tuple[int, str], int]:
    """What every line was paid, by hand and why."""
    return {(event.hand, event.why): event.paid for event in table.all(BetSettled)}


# COM-40: what may be split


@pytest.mark.rule("COM-40")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("hand", ["2 2", "5 5", "9 9", "A A", "10 10", "10 K", "J Q", "K J"])
def test_two_cards_of_one_value_may_be_split(game: str, hand: str) -> None:
    table = play(game, hand, "9 8")
    assert "split" in actions(table)
    assert "0.0 split" in table.legal()


@pytest.mark.rule("COM-40")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("hand", ["9 10", "2 3", "A 2", "A 9", "8 7"])
def test_other_cards_may_not_be_split(game: str, hand: str) -> None:
    table = play(game, hand, "9 8")
    assert "split" not in actions(table)
    assert refused(table, "0.0 split") == "action/not-legal"


@pytest.mark.rule("COM-40")
@pytest.mark.parametrize("game", GAMES)
def test_only_the_first_two_cards_may_be_split(game: str) -> None:
    # 4 4 4: a third card ends the right to split
    table = play(game, "4 4", "9 8", "4", "0.0 hit")
    assert refused(table, "0.0 split") == "action/not-legal"


@pytest.mark.rule("COM-40", "COM-22")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("hand", ["8 8", "10 K"])
def test_the_second_hand_gets_a_stake_equal_to_the_first(game: str, hand: str) -> None:
    # right: 8 or 10 with 10, against 17; left: with 2 (10 or 12) loses
    table = play(game, hand, "9 8", "10 2", "0.0 split")
    (added,) = table.all(StakeAdded)
    assert (added.hand, added.why, added.stake.own) == (1, "split", 1000)
    assert table.round.balance(ADA) == 98_000
    table.do("0.0 stand", "0.1 stand")
    assert paid(table) == {(0, "initial"): 2000, (1, "split"): 0}


@pytest.mark.rule("COM-40")
@pytest.mark.parametrize("game", GAMES)
def test_split_hands_are_settled_apart(game: str) -> None:
    # right 8 10 = 18 wins against 17, left 8 9 = 17 pushes
    table = play(game, "8 8", "10 7", "10 9", "0.0 split", "0.0 stand", "0.1 stand")
    assert paid(table) == {(0, "initial"): 2000, (1, "split"): 1000}
    assert table.net() == 1000


@pytest.mark.rule("COM-40", "COM-05")
@pytest.mark.parametrize("game", GAMES)
def test_one_split_hand_busts_and_the_other_plays_on(game: str) -> None:
    table = play(game, "8 8", "10 7", "6 3 10 K", "0.0 split", "0.0 hit")
    assert table.hand(hand=0) == "bust"
    assert table.round.turn == (0, 1)
    table.do("0.1 hit")  # 8 3 10 = 21
    assert paid(table) == {(0, "initial"): 0, (1, "split"): 2000}


# COM-41: once only


@pytest.mark.rule("COM-41")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("hand", "draws"), [("8 8", "8 8"), ("10 K", "Q J"), ("2 2", "2 2")])
def test_a_split_hand_cannot_be_split_again(game: str, hand: str, draws: str) -> None:
    table = play(game, hand, "9 8", draws, "0.0 split")
    assert "split" not in actions(table)
    assert refused(table, "0.0 split") == "action/not-legal"
    table.do("0.0 stand")
    assert "split" not in actions(table)
    assert refused(table, "0.1 split") == "action/not-legal"
    assert table.round.turn == (0, 1)


@pytest.mark.rule("COM-41", "COM-40")
def test_each_spot_splits_for_itself() -> None:
    # both spots hold 8 8; after spot 0 has split, spot 1 may
    table = Table("cashback", "8 8 9 8 8 8 10 10 K Q").bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0.0 split", "0.0 stand", "0.1 stand", "1.0 split", "1.0 stand", "1.1 stand")
    assert table.net() == 4000


@pytest.mark.rule("COM-41", "SUR-03")
def test_a_split_hand_cannot_be_surrendered() -> None:
    table = play("surrender", "8 8", "9 8", "7 7", "0.0 split")
    assert actions(table) == {"stand", "hit", "double"}


# COM-42: split aces


@pytest.mark.rule("COM-42")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("draws", "right", "left"),
    [
        ("9 5", 2000, 0),  # 20 and 16 against 17
        ("A A", 0, 0),  # 12 and 12: no third card, no second split
        ("6 7", 1000, 2000),  # 17 pushes, 18
        ("K A", 2000, 0),
        ("A K", 0, 2000),
    ],
)
def test_split_aces_get_one_card_each_and_stand(game: str, draws: str, right: int, left: int) -> None:
    table = play(game, "A A", "10 7", draws, "0.0 split")
    assert table.round.phase == "settled"
    assert [len(hand.cards) for hand in table.round.play.spots[0]] == [2, 2]
    assert len(table.all(TurnStarted)) == 1
    assert paid(table) == {(0, "initial"): right, (1, "split"): left}


@pytest.mark.rule("COM-42")
def test_after_split_aces_the_next_spot_decides() -> None:
    table = Table("link", "A 10 9 A 8 8 5 6").bet((0, "main", 1000), (1, "main", 1000)).deal("0.0 split")
    assert table.round.turn == (1, 0)
    assert refused(table, "0.0 double") == "turn/not-yours"
    assert refused(table, "0.1 hit") == "turn/not-yours"


# COM-43, COM-44: doubles


@pytest.mark.rule("COM-43")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("hand", ["2 3", "5 5", "6 5", "10 8", "10 10", "A 2", "A 9", "A A", "9 7"])
def test_any_first_two_cards_may_be_doubled(game: str, hand: str) -> None:
    table = play(game, hand, "9 8")
    assert "double" in actions(table)
    assert "0.0 double" in table.legal()


@pytest.mark.rule("COM-43")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("hand", "draw", "result"),
    [
        ("6 5", "10", 2000),  # 21
        ("6 5", "6", 1000),  # 17 pushes
        ("6 5", "2", 0),  # 13 stays: no second card
        ("10 6", "6", 0),  # bust
        ("A 7", "10", 2000),  # soft 18 becomes hard 18
    ],
)
def test_a_double_doubles_the_stake_gives_one_card_and_ends_the_hand(
    game: str, hand: str, draw: str, result: int
) -> None:
    table = play(game, hand, "9 8", draw, "0.0 double")
    assert table.round.phase == "settled"
    assert len(table.round.play.spots[0][0].cards) == 3
    assert paid(table) == {(0, "initial"): result, (0, "double"): result}
    assert table.net() == 2 * result - 2000


@pytest.mark.rule("COM-43")
def test_a_doubled_hand_takes_no_further_action() -> None:
    table = (
        Table("surrender", "6 10 9 5 8 8 2 K").bet((0, "main", 1000), (1, "main", 1000)).deal("0.0 double")
    )
    assert table.round.turn == (1, 0)
    for action in ("hit", "stand", "double", "surrender"):
        assert refused(table, f"0.0 {action}") == "turn/not-yours"


@pytest.mark.rule("COM-43", "LNK-07")
@pytest.mark.parametrize("game", GAMES)
def test_each_split_hand_may_be_doubled_once(game: str) -> None:
    # right 8 3 + 10 = 21, left 8 2 + 6 = 16; dealer 9 8 = 17
    table = play(game, "8 8", "9 8", "3 2 10 6", "0.0 split")
    assert "double" in actions(table)
    table.do("0.0 double")
    assert table.round.turn == (0, 1)
    assert "double" in actions(table)
    table.do("0.1 double")
    assert paid(table) == {(0, "initial"): 2000, (0, "double"): 2000, (1, "split"): 0, (1, "double"): 0}
    assert table.net() == 0


@pytest.mark.rule("COM-43")
@pytest.mark.parametrize("game", GAMES)
def test_one_split_hand_may_be_doubled_alone(game: str) -> None:
    table = play(game, "8 8", "9 8", "10 3 10", "0.0 split", "0.0 stand", "0.1 double")
    assert paid(table) == {(0, "initial"): 2000, (1, "split"): 2000, (1, "double"): 2000}


@pytest.mark.rule("COM-43", "COM-42")
@pytest.mark.parametrize("game", GAMES)
def test_split_aces_are_never_doubled(game: str) -> None:
    table = play(game, "A A", "9 8", "3 4", "0.0 split")
    assert not any(event.why == "double" for event in table.all(StakeAdded))
    assert refused(table, "0.0 double") == "round/over"


@pytest.mark.rule("COM-44")
@pytest.mark.parametrize("game", GAMES)
def test_no_double_after_a_third_card(game: str) -> None:
    table = play(game, "2 3", "9 8", "4 2", "0.0 hit")
    assert "double" not in actions(table)
    assert refused(table, "0.0 double") == "action/not-legal"
    table.do("0.0 hit")
    assert refused(table, "0.0 double") == "action/not-legal"


@pytest.mark.rule("COM-44")
@pytest.mark.parametrize("game", GAMES)
def test_no_double_after_a_third_card_of_a_split_hand(game: str) -> None:
    table = play(game, "8 8", "9 8", "2 3 2 K", "0.0 split", "0.0 hit")
    assert refused(table, "0.0 double") == "action/not-legal"
    table.do("0.0 stand")
    assert "double" in actions(table)  # the left hand has two cards


@pytest.mark.rule("COM-44", "COM-41")
@pytest.mark.parametrize("game", GAMES)
def test_after_a_third_card_only_hit_and_stand_are_left(game: str) -> None:
    table = play(game, "2 2", "9 8", "2", "0.0 hit")
    extra = {"cashback"} if game == "cashback" else set()
    assert actions(table) == {"hit", "stand"} | extra


# COM-45 with splits and doubles


@pytest.mark.rule("COM-45")
@pytest.mark.parametrize("game", GAMES)
def test_a_split_hand_that_reaches_21_stands_and_the_other_goes_on(game: str) -> None:
    table = play(game, "8 8", "10 7", "3 9 K", "0.0 split", "0.0 hit")
    assert table.hand(hand=0) == "twenty-one"
    assert table.round.turn == (0, 1)


@pytest.mark.rule("COM-45", "COM-43")
@pytest.mark.parametrize("game", GAMES)
def test_a_two_card_21_after_a_split_cannot_be_doubled(game: str) -> None:
    table = play(game, "10 10", "9 8", "A 5", "0.0 split")
    assert refused(table, "0.0 double") == "turn/not-yours"
    assert table.round.turn == (0, 1)


# COM-45 with a Charlie in sight

#: With `A A` before them a soft 21 one card short: six cards A A A A 4 3, nine cards A x 8 and a 3.
NEARLY = [("surrender", "A A 4 3")] + [(game, "A A A A A A 3") for game in CHARLIE_10]


def nearly(game: str, draws: str, dealer: str = "10 7", last: str = "") -> Table:
    """A soft 21 that one more card makes a Charlie."""
    return play(game, "A A", dealer, f"{draws} {last}", *["0.0 hit"] * len(draws.split()))


@pytest.mark.rule("COM-45", "CSH-05")
@pytest.mark.parametrize(("game", "draws"), NEARLY)
def test_a_soft_21_one_card_short_of_a_charlie_may_draw_or_stand(game: str, draws: str) -> None:
    table = nearly(game, draws)
    hand = table.round.play.spots[0][0]
    assert (hand.total, hand.soft, table.round.turn) == (21, True, (0, 0))
    assert actions(table) == {"hit", "stand"}
    assert refused(table, "0.0 double") == "action/not-legal"


@pytest.mark.rule("COM-45", "COM-46")
@pytest.mark.parametrize("last", ["A", "5", "10"])
@pytest.mark.parametrize(("game", "draws"), NEARLY)
def test_the_card_it_draws_cannot_bust_it_and_wins_against_a_dealer_21(
    game: str, draws: str, last: str
) -> None:
    """20.00 for 10.00; the one who stood on 21 would have pushed."""
    table = nearly(game, draws, last=last).do("0.0 hit")
    assert (table.hand(), paid(table)) == ("charlie", {(0, "initial"): 2000})
    table = nearly(game, draws, dealer="10 4 7").do("0.0 stand")
    assert (table.hand(), table.dealer, paid(table)) == ("stood", 21, {(0, "initial"): 1000})


@pytest.mark.rule("COM-45")
@pytest.mark.parametrize(
    ("game", "hand", "draws"),
    [
        ("surrender", "2 2", "2 3 2 10"),  # hard 21 of six cards: most cards would bust it
        ("surrender", "A A", "A 8"),  # soft 21 of four: the next card makes no Charlie
        ("link", "A A", "A A 4 3"),  # soft 21 of six, where a Charlie has ten
        ("cashback", "2 2", "2 2 2 2 2 2 5"),
        ("freebet", "A 2", "2 2 2 2"),  # no Charlie at all
    ],
)
def test_every_other_21_stands_by_itself(game: str, hand: str, draws: str) -> None:
    table = Table(game, stacked(game, hand, "10 7", draws)).bet((0, "main", 1000)).deal()
    table.do(*["0.0 hit"] * len(draws.split()))
    assert (table.hand(), table.round.over) == ("twenty-one", True)


@pytest.mark.rule("COM-45")
def test_a_split_hand_has_the_choice_too() -> None:
    """Right: 2 A A A 3 3, a soft 21 of six cards."""
    table = play("surrender", "2 2", "10 7", "A 10 A A 3 3 K", "0.0 split", *["0.0 hit"] * 4)
    assert (table.round.turn, actions(table)) == ((0, 0), {"hit", "stand"})
    assert table.do("0.0 hit").hand() == "charlie"


@pytest.mark.rule("COM-45", "MAJ-21")
@pytest.mark.parametrize(("game", "draws"), NEARLY)
def test_the_best_table_takes_the_card(game: str, draws: str) -> None:
    table = nearly(game, draws)
    hand = table.round.play.spots[0][0]
    assert BEST_TABLES[game].action(hand, table.round.play.up, ("stand", "hit")) == "hit"


@pytest.mark.rule("CSH-05", "CSH-15")
def test_no_price_is_worked_out_for_a_hand_that_cannot_be_sold() -> None:
    """At the deal and after each card but the last, which makes a soft 21."""
    draws = "A A A A A A 3"
    assert len(nearly("cashback", draws).round.tape.prices) == len(draws.split())


# COM-46: Charlie

#: With `2 2` before them: seven cards, 16.
SEVEN = "2 2 2 3 3"
#: With `2 2` before them: ten cards, 19 (2 x 9 and an ace).
TEN = "2 2 2 2 2 2 2 A"
CHARLIES = [("surrender", SEVEN)] + [(game, TEN) for game in CHARLIE_10]


@pytest.mark.rule("COM-46", "SUR-04", "CSH-10", "LNK-06", "MAJ-05")
@pytest.mark.parametrize(("game", "draws"), CHARLIES)
@pytest.mark.parametrize("dealer", ["9 8", "9 K", "7 7", "10 10", "A 9"])
def test_a_charlie_wins_one_to_one_at_once(game: str, draws: str, dealer: str) -> None:
    table = play(game, "2 2", dealer, draws, *["0.0 hit"] * len(draws.split()))
    assert table.hand() == "charlie"
    assert table.round.phase == "settled"
    assert paid(table) == {(0, "initial"): 2000}


@pytest.mark.rule("COM-46")
@pytest.mark.parametrize(("game", "draws"), CHARLIES)
def test_a_hand_of_one_card_less_is_no_charlie(game: str, draws: str) -> None:
    fewer = draws.split()[:-1]
    table = play(game, "2 2", "10 10", " ".join(fewer), *["0.0 hit"] * len(fewer))
    assert table.round.turn == (0, 0)
    table.do("0.0 stand")
    assert paid(table) == {(0, "initial"): 0}


@pytest.mark.rule("COM-46")
@pytest.mark.parametrize("game", CHARLIE_10)
def test_seven_cards_are_no_charlie_where_ten_are_needed(game: str) -> None:
    table = play(game, "2 2", "9 8", SEVEN, *["0.0 hit"] * 5)
    assert table.round.turn == (0, 0)


@pytest.mark.rule("COM-46")
@pytest.mark.parametrize(
    ("game", "draws"),
    [("surrender", "2 2 2 3 10")] + [(game, "2 2 2 2 2 2 2 10") for game in CHARLIE_10],
)
def test_the_last_card_may_still_bust_the_hand(game: str, draws: str) -> None:
    table = play(game, "2 2", "9 8", draws, *["0.0 hit"] * len(draws.split()))
    assert table.hand() == "bust"
    assert paid(table) == {(0, "initial"): 0}


@pytest.mark.rule("COM-46")
@pytest.mark.parametrize(
    ("game", "draws"),
    # 2 2 2 2 3 3 7 = 21 of seven cards; 2 x 8, A, 4 = 21 of ten
    [("surrender", "2 2 3 3 7")] + [(game, "2 2 2 2 2 2 A 4") for game in CHARLIE_10],
)
def test_a_charlie_of_21_wins_against_a_dealer_21(game: str, draws: str) -> None:
    # Spot 1 stands on 20, so that the dealer draws 7 7 7; an ordinary 21 would push.
    count = len(draws.split())
    hole, late = ("", "7") if game == "majority-eu" else ("7", "")
    table = Table(game, f"2 10 7 2 J {hole} {draws} {late} 7")
    table.bet((0, "main", 1000), (1, "main", 1000)).deal(*["0.0 hit"] * count, "1.0 stand")
    assert (table.hand(), table.round.play.spots[0][0].total) == ("charlie", 21)
    assert table.dealer == 21
    assert (table.paid(spot=0), table.paid(spot=1)) == (2000, 0)


@pytest.mark.rule("COM-46")
@pytest.mark.parametrize(("game", "draws"), CHARLIES)
def test_a_low_charlie_wins_against_a_dealer_20_and_21(game: str, draws: str) -> None:
    count = len(draws.split())
    for dealer in ("10 10", "9 5 7"):
        up, hole, *rest = dealer.split()
        early, late = ("", hole) if game == "majority-eu" else (hole, "")
        table = Table(game, f"2 10 {up} 2 9 {early} {draws} {late} {' '.join(rest)}")
        table.bet((0, "main", 1000), (1, "main", 1000)).deal(*["0.0 hit"] * count, "1.0 stand")
        assert table.dealer in (20, 21)
        assert (table.paid(spot=0), table.paid(spot=1)) == (2000, 0)


@pytest.mark.rule("COM-46", "COM-47")
@pytest.mark.parametrize("game", CHARLIE_10)
def test_a_charlie_loses_to_a_blackjack_under_a_ten(game: str) -> None:
    table = play(game, "2 2", "K A", TEN, *["0.0 hit"] * 8)
    assert table.hand() == "charlie"
    assert paid(table) == {(0, "initial"): 0}


@pytest.mark.rule("COM-46", "COM-47")
@pytest.mark.parametrize("game", LATE_ACE)
def test_a_charlie_loses_to_a_blackjack_under_an_ace(game: str) -> None:
    table = play(game, "2 2", "A K", TEN, *["0.0 hit"] * 8)
    assert table.hand() == "charlie"
    assert paid(table) == {(0, "initial"): 0}


@pytest.mark.rule("COM-46")
@pytest.mark.parametrize(
    ("game", "draws"),
    # after 2 2 | 2 2: right 2 2 and five (eight) more
    [("surrender", "2 2 2 3 3 3 A")] + [(game, "2 2 2 2 2 2 2 2 2 A") for game in CHARLIE_10],
)
def test_a_split_hand_may_be_a_charlie(game: str, draws: str) -> None:
    count = len(draws.split()) - 2
    table = play(game, "2 2", "10 10", draws, "0.0 split", *["0.0 hit"] * count, "0.1 stand")
    assert table.hand(hand=0) == "charlie"
    assert paid(table) == {(0, "initial"): 2000, (1, "split"): 0}


@pytest.mark.rule("COM-46")
def test_both_split_hands_may_be_charlies() -> None:
    draws = "2 2 2 3 3 3 A 2 3 3 3 A"
    hits = ["0.0 hit"] * 5 + ["0.1 hit"] * 5
    table = play("surrender", "2 2", "10 10", draws, "0.0 split", *hits)
    assert (table.hand(hand=0), table.hand(hand=1)) == ("charlie", "charlie")
    assert paid(table) == {(0, "initial"): 2000, (1, "split"): 2000}


@pytest.mark.rule("COM-46", "COM-47")
@pytest.mark.parametrize("game", CHARLIE_10)
def test_a_split_charlie_loses_to_a_late_blackjack(game: str) -> None:
    table = play(game, "2 2", "K A", "2 10 2 2 2 2 2 2 2 A", "0.0 split", *["0.0 hit"] * 8, "0.1 stand")
    assert table.hand(hand=0) == "charlie"
    assert paid(table) == {(0, "initial"): 0, (1, "split"): 0}


@pytest.mark.rule("COM-46")
def test_free_bet_has_no_charlie() -> None:
    table = Table("freebet", "2 10 2 10 2 2 2 3 3 A").bet((0, "main", 1000)).deal(*["0.0 hit"] * 6)
    assert table.round.turn == (0, 0)
    assert len(table.round.play.spots[0][0].cards) == 8


# COM-47: a dealer blackjack found after the decisions


@pytest.mark.rule("COM-47", "MAJ-04", "CSH-08", "LNK-03")
@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize("ten", ["10", "J", "Q", "K"])
def test_under_a_ten_the_stake_added_by_a_double_comes_back(game: str, ten: str) -> None:
    table = play(game, "6 5", f"{ten} A", "9", "0.0 double")
    assert paid(table) == {(0, "initial"): 0, (0, "double"): 1000}
    assert [event.result for event in table.all(BetSettled) if event.why == "double"] == ["returned"]
    assert table.net() == -1000


@pytest.mark.rule("COM-47")
@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize("draw", ["10", "2"])
def test_it_comes_back_on_21_and_on_13(game: str, draw: str) -> None:
    table = play(game, "6 5", "K A", draw, "0.0 double")
    assert paid(table) == {(0, "initial"): 0, (0, "double"): 1000}


@pytest.mark.rule("COM-47", "MAJ-04", "CSH-08", "LNK-03")
@pytest.mark.parametrize("game", LATE_ACE)
def test_under_an_ace_both_stakes_are_lost(game: str) -> None:
    table = play(game, "6 5", "A K", "9", "0.0 double")
    assert paid(table) == {(0, "initial"): 0, (0, "double"): 0}
    assert table.net() == -2000


@pytest.mark.rule("COM-47")
@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize(
    ("draws", "commands"), [("", ["0.0 stand"]), ("3", ["0.0 hit", "0.0 stand"]), ("5", ["0.0 hit"])]
)
def test_every_other_hand_loses_21_included(game: str, draws: str, commands: list[str]) -> None:
    table = play(game, "10 6", "K A", draws, *commands)
    assert paid(table) == {(0, "initial"): 0}


@pytest.mark.rule("COM-47")
@pytest.mark.parametrize("game", LATE)
def test_both_split_stakes_lose(game: str) -> None:
    table = play(game, "8 8", "K A", "K Q", "0.0 split", "0.0 stand", "0.1 stand")
    assert paid(table) == {(0, "initial"): 0, (1, "split"): 0}
    assert table.net() == -2000


@pytest.mark.rule("COM-47")
@pytest.mark.parametrize("game", LATE)
@pytest.mark.parametrize(
    ("draws", "commands", "expected"),
    [
        # right 8 3 + 10, left 8 2 + 9: both doubled, both added stakes back
        (
            "3 2 10 9",
            ["0.0 double", "0.1 double"],
            {(0, "initial"): 0, (0, "double"): 1000, (1, "split"): 0, (1, "double"): 1000},
        ),
        # right doubled and bust (8 7 + 10), left doubled to 19
        (
            "7 2 10 9",
            ["0.0 double", "0.1 double"],
            {(0, "initial"): 0, (0, "double"): 0, (1, "split"): 0, (1, "double"): 1000},
        ),
        # right doubled, left bust by a hit (8 7 + 10)
        (
            "3 7 10 10",
            ["0.0 double", "0.1 hit"],
            {(0, "initial"): 0, (0, "double"): 1000, (1, "split"): 0},
        ),
        # right stands, left doubled
        (
            "10 3 9",
            ["0.0 stand", "0.1 double"],
            {(0, "initial"): 0, (1, "split"): 0, (1, "double"): 1000},
        ),
    ],
)
def test_split_doubles_under_a_ten(
    game: str, draws: str, commands: list[str], expected: dict[tuple[int, str], int]
) -> None:
    table = play(game, "8 8", "K A", draws, "0.0 split", *commands)
    assert paid(table) == expected


@pytest.mark.rule("COM-47")
@pytest.mark.parametrize("game", LATE_ACE)
def test_split_doubles_under_an_ace_lose_all_four_stakes(game: str) -> None:
    table = play(game, "8 8", "A K", "3 2 10 9", "0.0 split", "0.0 double", "0.1 double")
    assert set(paid(table).values()) == {0}
    assert table.net() == -4000


@pytest.mark.rule("COM-47", "COM-08")
@pytest.mark.parametrize("game", LATE)
def test_a_blackjack_pushes_beside_a_double_that_gets_its_added_stake_back(game: str) -> None:
    # 0: A K; 1: 6 5 + 9; dealer K A
    hole, late = ("", "A") if game == "majority-eu" else ("A", "")
    table = Table(game, f"A 6 K K 5 {hole} 9 {late}")
    if game.startswith("majority"):
        table.do("consent double @ada")
    table.bet((0, "main", 1000), (1, "main", 1000)).deal("1.0 double")
    assert table.paid(spot=0) == 1000
    assert (table.paid(spot=1), table.paid("double", spot=1)) == (0, 1000)


@pytest.mark.rule("COM-47")
@pytest.mark.parametrize("game", LATE)
def test_a_dealer_21_that_is_no_blackjack_returns_nothing(game: str) -> None:
    # Doubled 20 against K 6 5 = 21
    table = play(game, "6 5", "K 6 5", "9", "0.0 double")
    assert paid(table) == {(0, "initial"): 0, (0, "double"): 0}


@pytest.mark.rule("COM-47")
@pytest.mark.parametrize("game", LATE)
def test_a_doubled_21_pushes_with_both_stakes_against_a_21_of_three_cards(game: str) -> None:
    table = play(game, "6 5", "K 6 5", "10", "0.0 double")
    assert paid(table) == {(0, "initial"): 1000, (0, "double"): 1000}


@pytest.mark.rule("COM-47", "SUR-02")
def test_with_a_check_no_decision_is_made_against_a_blackjack() -> None:
    for dealer in ("K A", "A K"):
        table = play("surrender", "6 5", dealer)
        assert table.round.phase == "settled"
        assert refused(table, "0.0 double") == "round/over"
        assert table.net() == -1000
    us = play("majority-us", "6 5", "A K")
    assert us.round.phase == "settled"
    assert us.net() == -1000


@pytest.mark.rule("COM-47", "FRB-11")
def test_free_bet_returns_no_paid_double_under_a_ten() -> None:
    table = Table("freebet", "8 K 4 A 8").bet((0, "main", 1000)).deal("0.0 double")
    assert (table.paid(), table.paid("double")) == (0, 0)


@pytest.mark.rule("COM-47", "MAJ-41")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_one_who_did_not_pay_the_double_gets_nothing_back(game: str) -> None:
    table = Table(game, stacked(game, "6 5", "K A", "9"), purses={"ada": 5000, "bob": 5000})
    table.do("consent double @ada", "consent none @bob")
    table.bet((0, "main", 1000)).bet((0, "main", 1000), player="bob").deal("0.0 double")
    assert (table.round.balance("ada"), table.round.balance("bob")) == (4000, 4000)
    assert [event.player for event in table.all(BetSettled) if event.why == "double"] == ["ada"]


# Endings


@pytest.mark.rule("COM-14", "COM-42", "COM-45")
def test_every_hand_ends_once() -> None:
    table = play("cashback", "8 8", "10 7", "3 9 K K", "0.0 split", "0.0 hit", "0.1 hit")
    assert [(event.hand, event.how, event.total) for event in table.all(HandEnded)] == [
        (0, "twenty-one", 21),
        (1, "bust", 27),
    ]
    assert [format_cards(hand.cards) for hand in table.round.play.spots[0]] == ["8s 3s Ks", "8h 9s Kh"]
