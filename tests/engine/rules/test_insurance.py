"""Insurance: when it is offered, to whom, in which order, and when it is settled (COM-30..33)."""

from __future__ import annotations

import pytest

from sabot.engine.events import (
    BetSettled,
    DealerEnded,
    EvenMoneyOffered,
    HoleShown,
    InsuranceOffered,
    Insured,
    Peeked,
    TurnStarted,
)
from sabot.errors import Refusal
from tests.support.table import ADA, Table, one, refused, solo, stacked

SOLO = ("surrender", "cashback", "link")
LIVE = ("freebet", "majority-eu", "majority-us")
GAMES = SOLO + LIVE
CHECK = ("surrender", "freebet", "majority-us")
NO_CHECK = ("cashback", "link", "majority-eu")


def three(game: str, cards: str = "10 10 10 A 8 8 8 7", purse: int = 100_000) -> Table:
    """Three hands of 10.00, 20.00 and 30.00 under an ace, dealt."""
    stakes = ((spot, "main", 1000 * (spot + 1)) for spot in range(3))
    return Table(game, cards, purse=purse).bet(*stakes).deal()


def answers(table: Table) -> list[tuple[int, bool, int]]:
    """Every answer: spot, taken, cost."""
    return [(event.spot, event.accepted, event.cost) for event in table.all(Insured)]


# COM-30: when, at what cost, for what


@pytest.mark.rule("COM-30", "SUR-07")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("up", ["2", "5", "9", "10", "J", "Q", "K"])
def test_insurance_is_not_offered_under_another_card_than_an_ace(game: str, up: str) -> None:
    table = one(game, f"10 {up} 8 7")
    assert not table.all(InsuranceOffered)
    assert table.round.phase == "decisions"
    assert refused(table, "all insure yes @ada") == "offer/none"


@pytest.mark.rule("COM-30")
@pytest.mark.parametrize("game", GAMES)
def test_an_ace_in_the_hole_brings_no_offer(game: str) -> None:
    assert not one(game, "10 9 8 A").all(InsuranceOffered)


@pytest.mark.rule("COM-30")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("ten", ["10", "J", "Q", "K"])
def test_insurance_pays_two_to_one_against_a_blackjack(game: str, ten: str) -> None:
    table = one(game, f"9 A 8 {ten}", "all insure yes @ada", *["0.0 stand"] * (game in NO_CHECK))
    assert (table.paid(), table.paid("insurance")) == (0, 1500)
    assert table.net() == 0


@pytest.mark.rule("COM-30")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("dealer", "paid"),
    [
        ("A 9", 0),  # 20 beats 19
        ("A 5 5", 0),  # 21 of three cards is no blackjack
        ("A 6", 2000),
        ("A 3 10 10", 2000),  # bust
    ],
)
def test_insurance_is_lost_against_anything_else(game: str, dealer: str, paid: int) -> None:
    table = one(game, stacked(game, "10 9", dealer), "all insure yes @ada", "0.0 stand")
    assert (table.paid(), table.paid("insurance")) == (paid, 0)
    assert table.net() == paid - 1500


@pytest.mark.rule("COM-30")
@pytest.mark.parametrize("game", GAMES)
def test_a_refused_insurance_neither_costs_nor_pays(game: str) -> None:
    table = one(game, "10 A 9 K", "all insure no @ada", *["0.0 stand"] * (game in NO_CHECK))
    assert answers(table) == [(0, False, 0)]
    assert [event.why for event in table.all(BetSettled)] == ["initial"]
    assert table.net() == -1000


@pytest.mark.rule("COM-30", "SB-08")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("answer", ["yes", "no"])
@pytest.mark.parametrize("hole", ["K", "7"])
def test_insurance_never_affects_side_bets(game: str, answer: str, hole: str) -> None:
    # 8s 8h mixed 6:1; 8s 8h As makes no 21+3
    table = Table(game, f"8s Ac 8h {hole}")
    table.bet((0, "main", 1000), (0, "player-pair", 100), (0, "21+3", 100))
    table.deal(f"all insure {answer} @ada")
    if not table.round.over:
        table.do("0.0 stand")
    assert (table.paid("player-pair"), table.paid("21+3")) == (700, 0)


# COM-31: for one hand or for all


@pytest.mark.rule("COM-31", "COM-33")
@pytest.mark.parametrize("game", SOLO)
@pytest.mark.parametrize(
    ("commands", "taken"),
    [
        (("0 insure yes @ada", "1 insure no @ada", "2 insure yes @ada"), [500, 0, 1500]),
        (("0 insure no @ada", "1 insure yes @ada", "2 insure no @ada"), [0, 1000, 0]),
        (("all insure yes @ada",), [500, 1000, 1500]),
        (("all insure no @ada",), [0, 0, 0]),
        (("0 insure no @ada", "all insure yes @ada"), [0, 1000, 1500]),
        (("0 insure yes @ada", "all insure no @ada"), [500, 0, 0]),
        (("0 insure yes @ada", "1 insure no @ada", "all insure yes @ada"), [500, 0, 1500]),
    ],
)
def test_insurance_is_taken_for_one_hand_or_for_all(
    game: str, commands: tuple[str, ...], taken: list[int]
) -> None:
    table = three(game, "10 10 10 A 8 8 8 K").do(*commands)
    assert answers(table) == [(spot, cost > 0, cost) for spot, cost in enumerate(taken)]
    if game in NO_CHECK:
        table.do("0.0 stand", "1.0 stand", "2.0 stand")
    paid = {event.spot: event.paid for event in table.all(BetSettled) if event.why == "insurance"}
    assert paid == {spot: 3 * cost for spot, cost in enumerate(taken) if cost}
    assert table.net() == 2 * sum(taken) - 6000


@pytest.mark.rule("COM-31")
@pytest.mark.parametrize(("commands", "net"), [(["0", "1"], 0), (["1", "0"], 0), (["all"], 0)])
def test_two_seats_of_one_player_answer_apart_or_together(commands: list[str], net: int) -> None:
    table = Table("freebet", "10 10 A 8 8 K").bet((0, "main", 1000), (1, "main", 2000))
    table.deal(*(f"{spot} insure yes @ada" for spot in commands))
    assert (table.paid("insurance"), table.paid("insurance", spot=1)) == (1500, 3000)
    assert table.net() == net


@pytest.mark.rule("COM-31")
def test_one_of_two_seats_may_be_insured() -> None:
    table = Table("freebet", "10 10 A 8 8 K").bet((0, "main", 1000), (1, "main", 2000))
    table.deal("1 insure yes @ada", "0 insure no @ada")
    assert table.net() == -1000 - 2000 + 2000


@pytest.mark.rule("COM-31", "MAJ-09")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_one_answer_holds_for_both_boxes(game: str) -> None:
    table = Table(game, "10 10 A 8 8 K").bet((0, "main", 1000), (1, "main", 2000)).deal()
    assert refused(table, "0 insure yes @ada") == "offer/one-answer"
    table.do("all insure yes @ada")
    assert answers(table) == [(0, True, 500), (1, True, 1000)]
    if game == "majority-eu":
        table.do("0.0 stand", "1.0 stand")
    assert table.net() == 0


# COM-32: order, blackjacks, "all", silence


@pytest.mark.rule("COM-32")
@pytest.mark.parametrize("game", SOLO)
def test_solo_hands_are_asked_one_by_one_from_the_right(game: str) -> None:
    table = three(game)
    assert table.all(InsuranceOffered) == [InsuranceOffered(0, 500)]
    assert refused(table, "1 insure yes @ada") == "offer/not-now"
    assert refused(table, "2 insure no @ada") == "offer/not-now"
    assert refused(table, "3 insure no @ada") == "offer/none"
    table.do("0 insure yes @ada")
    assert table.all(InsuranceOffered)[1:] == [InsuranceOffered(1, 1000)]
    assert refused(table, "0 insure yes @ada") == "offer/none"
    table.do("1 insure no @ada")
    assert table.all(InsuranceOffered)[2:] == [InsuranceOffered(2, 1500)]
    assert table.round.phase == "offers"
    table.do("2 insure no @ada")
    assert table.round.turn == (0, 0)


@pytest.mark.rule("COM-32")
@pytest.mark.parametrize("game", ["surrender", "cashback", "freebet", "majority-eu", "majority-us"])
@pytest.mark.parametrize(
    ("hole", "answer", "net"),
    [
        ("K", "yes", 1000),  # push, and 500 at 2:1
        ("K", "no", 0),  # push
        ("9", "yes", 1000),  # 1500 won, 500 lost
        ("9", "no", 1500),
    ],
)
def test_a_blackjack_hand_is_offered_insurance_too(game: str, hole: str, answer: str, net: int) -> None:
    table = one(game, f"A A Q {hole}")
    assert len(table.all(InsuranceOffered)) == 1
    table.do(f"all insure {answer} @ada")
    assert table.round.phase == "settled"
    assert table.net() == net


@pytest.mark.rule("COM-32", "LNK-04")
def test_a_blackjack_of_link_is_asked_even_money_in_its_place() -> None:
    # 0: 10 8; 1: A K; 2: 10 8
    table = three("link", "10 A 10 A 8 K 8 7")
    assert refused(table, "1 even-money yes") == "offer/not-now"
    table.do("0 insure no @ada")
    assert table.all(EvenMoneyOffered) == [EvenMoneyOffered(1)]
    assert refused(table, "1 insure yes @ada") == "offer/none"
    assert refused(table, "2 insure yes @ada") == "offer/not-now"
    table.do("1 even-money yes")
    assert table.all(InsuranceOffered) == [InsuranceOffered(0, 500), InsuranceOffered(2, 1500)]


@pytest.mark.rule("COM-32", "LNK-05")
def test_all_answers_for_insurance_only_in_link() -> None:
    table = three("link", "10 A 10 A 8 K 8 7").do("all insure yes @ada")
    assert answers(table) == [(0, True, 500), (2, True, 1500)]
    assert table.round.phase == "offers"
    assert table.legal() == {"1 even-money yes", "1 even-money no"}


@pytest.mark.rule("COM-32", "COM-24")
@pytest.mark.parametrize("game", SOLO)
@pytest.mark.parametrize(("purse", "covers_all"), [(8999, False), (9000, True)])
def test_accept_all_is_enabled_only_if_the_balance_covers_all(
    game: str, purse: int, covers_all: bool
) -> None:
    table = three(game, purse=purse)  # 6000 staked, 3000 to insure all
    assert ("all insure yes @ada" in table.legal()) == covers_all
    assert {"0 insure yes @ada", "0 insure no @ada", "all insure no @ada"} <= table.legal()
    if not covers_all:
        assert refused(table, "all insure yes @ada") == "funds/insufficient"
        # after one refusal the rest is covered
        table.do("0 insure no @ada")
        assert "all insure yes @ada" in table.legal()
        table.do("all insure yes @ada")
        assert answers(table) == [(0, False, 0), (1, True, 1000), (2, True, 1500)]


@pytest.mark.rule("COM-32")
def test_live_offers_go_to_all_at_once() -> None:
    purses = {"ada": 5000, "bob": 5000, "cyd": 5000}
    table = Table("freebet", "10 10 A 8 8 K", purses=purses)
    table.bet((0, "main", 1000)).bet((1, "main", 1000), player="bob").bet((0, "behind", 1000), player="cyd")
    table.deal()
    assert len(table.all(InsuranceOffered)) == 1
    # in any order; nobody answers for another
    table.do("all insure yes @cyd", "1 insure no @bob")
    assert not table.all(Peeked)
    with pytest.raises(Refusal) as error:
        table.do("all insure no @bob")
    assert error.value.code == "offer/none"
    with pytest.raises(Refusal) as error:
        table.do("0 insure yes @bob")
    assert error.value.code == "offer/none"
    table.do("0 insure no @ada")
    assert table.round.phase == "settled"
    assert {player: table.round.balance(player) for player in purses} == {
        "ada": 4000,
        "bob": 4000,
        "cyd": 5000,
    }


@pytest.mark.rule("COM-32")
@pytest.mark.parametrize("game", LIVE)
def test_silence_refuses_in_a_live_game(game: str) -> None:
    table = Table(game, "10 A 8 K", purses={"ada": 5000, "bob": 5000})
    table.bet((0, "main", 1000))
    table.bet((0, "behind" if game == "freebet" else "main", 1000), player="bob")
    table.deal("all insure yes @ada", "close-offers")
    assert [(event.player, event.accepted, event.cost) for event in table.all(Insured)] == [
        ("ada", True, 500),
        ("bob", False, 0),
    ]
    if game == "majority-eu":
        table.do("0.0 stand")
    assert (table.round.balance("ada"), table.round.balance("bob")) == (5000, 4000)


@pytest.mark.rule("COM-32")
@pytest.mark.parametrize("game", LIVE)
def test_silence_of_all_refuses_for_all(game: str) -> None:
    table = one(game, "10 A 8 7", "close-offers")
    assert answers(table) == [(0, False, 0)]
    assert table.round.phase == "decisions"
    assert refused(table, "all insure yes @ada") == "offer/none"


@pytest.mark.rule("COM-32")
@pytest.mark.parametrize("game", SOLO)
def test_a_solo_offer_waits_for_its_answer(game: str) -> None:
    table = one(game, "10 A 8 7")
    assert refused(table, "close-offers") == "offer/none"
    assert "close-offers" not in table.legal()
    assert table.round.phase == "offers"


# COM-33: when insurance is settled


@pytest.mark.rule("COM-33")
@pytest.mark.parametrize("game", CHECK)
def test_insurance_is_settled_at_the_check(game: str) -> None:
    table = one(game, "10 A 8 7", "all insure yes @ada")
    assert Peeked(False) in table.events
    assert [(event.why, event.paid) for event in table.all(BetSettled)] == [("insurance", 0)]
    log = [type(event) for event in table.round.log]
    assert log.index(Peeked) < log.index(BetSettled) < log.index(TurnStarted)
    assert table.round.book.house == 500
    table.do("0.0 stand")  # 18 against 18
    assert table.paid("insurance") == 0
    assert table.net() == -500


@pytest.mark.rule("COM-33", "SUR-02")
@pytest.mark.parametrize("game", CHECK)
def test_an_insurance_won_at_the_check_ends_the_round(game: str) -> None:
    table = one(game, "10 A 8 K", "all insure yes @ada")
    assert table.round.phase == "settled"
    assert not table.all(TurnStarted)
    assert (table.paid("insurance"), table.net()) == (1500, 0)


@pytest.mark.rule("COM-33", "SUR-08")
def test_an_insured_hand_may_be_surrendered_after_the_check() -> None:
    table = solo("surrender", "10 A 6 7", "0 insure yes @ada", "0.0 surrender")
    assert table.net() == -500 - 500  # the insurance, and half the stake


@pytest.mark.rule("COM-33")
@pytest.mark.parametrize("game", NO_CHECK)
def test_without_a_check_insurance_waits_for_the_second_card(game: str) -> None:
    table = one(game, stacked(game, "10 2", "A K", "5"), "all insure yes @ada", "0.0 hit")
    assert not table.all(Peeked)
    assert not table.all(BetSettled)
    assert table.round.balance(ADA) == 98_500
    table.do("0.0 stand")
    log = [type(event) for event in table.round.log]
    if game != "majority-eu":
        assert log.index(HoleShown) < log.index(BetSettled)
    assert log.index(DealerEnded) < log.index(BetSettled)
    assert table.paid("insurance") == 1500


@pytest.mark.rule("COM-33")
@pytest.mark.parametrize("game", NO_CHECK)
@pytest.mark.parametrize(
    ("hand", "draws", "commands", "lost"),
    [
        ("10 6", "10", ["0.0 hit"], 1000),  # bust
        ("10 6", "10", ["0.0 double"], 2000),  # doubled and bust
        ("6 5", "9", ["0.0 double"], 2000),  # doubled: lost whole under an ace
        ("8 8", "10 10", ["0.0 split", "0.0 stand", "0.1 stand"], 2000),
        ("8 8", "3 2 K 10", ["0.0 split", "0.0 double", "0.1 double"], 4000),
        ("A A", "K Q", ["0.0 split"], 2000),
        ("10 2", "9", ["0.0 hit"], 1000),  # 21
    ],
)
def test_insurance_stands_whatever_became_of_the_hand_and_covers_the_initial_stake(
    game: str, hand: str, draws: str, commands: list[str], lost: int
) -> None:
    cards = stacked(game, hand, "A K", draws)
    table = one(game, cards, "all insure yes @ada", *commands)
    assert table.round.phase == "settled"
    assert table.paid("insurance") == 1500
    assert table.net() == 1000 - lost
    # the same against an ace and a nine: the insurance is lost, and drawn for even if every hand is bust
    other = one(game, stacked(game, hand, "A 9", draws), "all insure yes @ada", *commands)
    assert other.paid("insurance") == 0
    assert len(other.round.play.dealer.cards) == 2


@pytest.mark.rule("COM-33", "CSH-14")
@pytest.mark.parametrize(("hole", "paid"), [("K", 1500), ("9", 0)])
def test_insurance_stays_after_a_cashback(hole: str, paid: int) -> None:
    table = solo("cashback", f"10 A 6 {hole}", "0 insure yes @ada", "0.0 cashback 891")
    assert (table.paid(), table.paid("insurance")) == (891, paid)
    assert table.net() == 891 + paid - 1500


@pytest.mark.rule("COM-33", "COM-46")
@pytest.mark.parametrize("game", NO_CHECK)
@pytest.mark.parametrize(("hole", "main", "insurance"), [("K", 0, 1500), ("9", 2000, 0)])
def test_insurance_stays_with_a_charlie(game: str, hole: str, main: int, insurance: int) -> None:
    # 2 x 9 and an ace: ten cards, 19
    cards = stacked(game, "2 2", f"A {hole}", "2 2 2 2 2 2 2 A")
    table = one(game, cards, "all insure yes @ada", *["0.0 hit"] * 8)
    assert table.hand() == "charlie"
    assert (table.paid(), table.paid("insurance")) == (main, insurance)


@pytest.mark.rule("COM-33")
def test_the_insurance_of_a_split_hand_is_one_line() -> None:
    table = solo("cashback", "8 A 8 K 10 10", "0 insure yes @ada", "0.0 split", "0.0 stand", "0.1 stand")
    lines = [(event.hand, event.stake.own) for event in table.all(BetSettled) if event.why == "insurance"]
    assert lines == [(0, 500)]
