"""Money: rounding, limits, funds, when stakes are taken and wins credited (COM-20..27)."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from sabot.engine import Bet
from sabot.engine.commands import AddMoney, Insure, PlaceBets
from sabot.engine.events import (
    BetReturned,
    BetSettled,
    BettingClosed,
    CardDealt,
    InsuranceOffered,
    Insured,
    MoneyAdded,
    Option,
    PlayerPaid,
    RoundSettled,
    StakeAdded,
    TurnStarted,
)
from sabot.errors import Refusal
from sabot.games import TableOptions, find
from sabot.games.options import Limits
from tests.support.table import ADA, Table, solo

SOLO = ("surrender", "cashback", "link")
LIVE = ("freebet", "majority-eu", "majority-us")
GAMES = SOLO + LIVE
#: Limits from one cent, so that odd stakes can be placed.
CENTS = TableOptions(main=Limits(1, 50_000), side=Limits(1, 50_000), behind=Limits(1, 50_000))


def refusal(table: Table, command: str) -> Refusal:
    """The error a command is refused with."""
    with pytest.raises(Refusal) as refused:
        table.do(command)
    return refused.value


def option(table: Table, action: str) -> Option:
    """The option of the last turn."""
    (found,) = (option for option in table.all(TurnStarted)[-1].options if option.action == action)
    return found


# COM-20: whole cents, rounded down once for each bet


@pytest.mark.rule("COM-20", "COM-22")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("stake", "paid"), [(1, 2), (3, 7), (101, 252), (99, 247), (100, 250), (333, 832)])
def test_a_blackjack_on_an_odd_stake_is_rounded_down(game: str, stake: int, paid: int) -> None:
    # 101 x 3/2 = 151.5
    table = solo(game, "A 9 K 8", stake=stake, options=CENTS)
    assert table.paid() == paid
    assert table.net() == paid - stake
    assert table.round.book.house == stake - paid


@pytest.mark.rule("COM-20", "SUR-03")
@pytest.mark.parametrize(("stake", "paid"), [(1, 0), (3, 1), (101, 50), (999, 499), (1000, 500)])
def test_resa_on_an_odd_stake_is_rounded_down(stake: int, paid: int) -> None:
    table = solo("surrender", "10 9 6 8", "0.0 surrender", stake=stake, options=CENTS)
    assert table.paid() == paid
    assert table.round.book.house == stake - paid


@pytest.mark.rule("COM-20")
def test_each_bet_is_rounded_on_its_own() -> None:
    # Three blackjacks at 1.01: 3 x 151 = 453; in one sum it would be 454.
    table = Table("surrender", "A A A 9 K K K 8", options=CENTS)
    table.bet(*((spot, "main", 101) for spot in range(3))).deal()
    assert [table.paid(spot=spot) for spot in range(3)] == [252, 252, 252]
    assert table.net() == 453
    assert table.round.book.house == -453


@pytest.mark.rule("COM-20")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_each_player_of_a_box_is_rounded_alone(game: str) -> None:
    table = Table(game, "A 9 K 8", purses={"ada": 1000, "bob": 1000}, options=CENTS)
    table.bet((0, "main", 101)).bet((0, "main", 103), player="bob").deal()
    assert table.paid() == 252
    assert table.paid(player="bob") == 257  # 154.5 won
    assert table.round.book.house == -151 - 154


@pytest.mark.rule("COM-20")
def test_two_resa_are_rounded_each() -> None:
    table = Table("surrender", "10 10 9 6 6 8", options=CENTS)
    table.bet((0, "main", 101), (1, "main", 101)).deal("0.0 surrender", "1.0 surrender")
    assert table.net() == 100 - 202


@pytest.mark.rule("COM-20")
def test_a_cashback_is_rounded_down_once() -> None:
    # 333 x 0.777777777 x 0.99 = 256.41; rounded before the margin it would be 258 x 0.99 = 255.42
    table = solo("cashback", "10 9 6 8", stake=333, price=777_777_777, options=CENTS)
    table.do("0.0 cashback 256")
    assert table.paid() == 256
    assert table.round.book.house == 77


@pytest.mark.rule("COM-20")
@pytest.mark.parametrize("game", GAMES)
def test_every_amount_is_a_whole_number(game: str) -> None:
    table = solo(game, "A 9 K 8", stake=101, options=CENTS)
    amounts = [event.paid for event in table.all(BetSettled)]
    amounts += [event.stake.own for event in table.all(BetSettled)]
    amounts += [
        amount for event in table.all(PlayerPaid) for amount in (event.staked, event.paid, event.balance)
    ]
    amounts += [table.round.book.house, table.round.balance(ADA)]
    assert {type(amount) for amount in amounts} == {int}


@pytest.mark.rule("COM-20")
@pytest.mark.parametrize("stake", [100.5, 100.0, True, "100", None])
def test_a_stake_that_is_no_whole_number_is_refused(stake: object) -> None:
    bet = Bet(0, "main", stake)  # type: ignore[arg-type]  # that is the point
    table = Table("surrender", "10 9 6 8", options=CENTS)
    with pytest.raises(Refusal) as refused:
        table.bet(bet)
    assert (refused.value.code, refused.value.rule) == ("bet/not-whole-cents", "COM-20")


# COM-21, COM-22: what odds mean


@pytest.mark.rule("COM-21", "COM-22")
@pytest.mark.parametrize("game", GAMES)
def test_a_win_pays_the_stake_and_once_the_stake(game: str) -> None:
    table = solo(game, "10 9 9 8", "0.0 stand")
    assert (table.paid(), table.net()) == (2000, 1000)


@pytest.mark.rule("COM-21", "COM-22")
@pytest.mark.parametrize("game", GAMES)
def test_a_blackjack_pays_three_to_two(game: str) -> None:
    table = solo(game, "A 9 K 8")
    assert (table.paid(), table.net()) == (2500, 1500)


@pytest.mark.rule("COM-21", "COM-22", "COM-30")
@pytest.mark.parametrize("game", GAMES)
def test_an_insurance_pays_two_to_one(game: str) -> None:
    late = ["0.0 stand"] if game in ("cashback", "link", "majority-eu") else []
    table = solo(game, "10 A 9 K", "all insure yes @ada", *late)
    # cost 500: 500 + 1000; the main stake is lost
    assert table.paid("insurance") == 1500
    assert table.paid() == 0
    assert table.net() == 0


@pytest.mark.rule("COM-21", "COM-22")
@pytest.mark.parametrize("game", GAMES)
def test_a_doubled_hand_pays_one_to_one_on_both_stakes(game: str) -> None:
    table = Table(game, "8 9 4 8 8")
    if game.startswith("majority"):
        table.do("consent double @ada")
    table.bet((0, "main", 1000)).deal("0.0 double")  # 8 4 8 = 20 against 17
    assert (table.paid(), table.paid("double"), table.net()) == (2000, 2000, 2000)


@pytest.mark.rule("COM-21")
@pytest.mark.parametrize("game", GAMES)
def test_a_side_bet_of_n_to_one_gives_its_stake_back_too(game: str) -> None:
    table = Table(game, "8s 9c 8h 8d").bet((0, "main", 1000), (0, "player-pair", 100)).deal("0.0 stand")
    assert table.paid("player-pair") == 700  # 6:1 and the stake


# COM-23: limits


@pytest.mark.rule("COM-23")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("stake", "code"), [(500, ""), (2000, ""), (2001, "bet/above-maximum")])
def test_the_maximum_is_the_most_a_main_bet_may_be(game: str, stake: int, code: str) -> None:
    table = Table(game, "10 9 9 8", options=TableOptions(main=Limits(500, 2000)))
    if not code:
        table.bet((0, "main", stake)).deal()
        return
    with pytest.raises(Refusal) as refused:
        table.bet((0, "main", stake))
    assert (refused.value.code, refused.value.rule) == (code, "COM-23")


@pytest.mark.rule("COM-23", "COM-25")
@pytest.mark.parametrize("game", SOLO)
@pytest.mark.parametrize(
    ("stake", "code"),
    [
        (499, "bet/below-minimum"),
        (1, "bet/below-minimum"),
        (2001, "bet/above-maximum"),
        (10**9, "bet/above-maximum"),
    ],
)
def test_a_solo_stake_outside_the_limits_is_refused_with_the_limits(game: str, stake: int, code: str) -> None:
    table = Table(game, "10 9 9 8", purse=10**10, options=TableOptions(main=Limits(500, 2000)))
    table.bet((0, "main", 700))
    log = list(table.round.log)
    with pytest.raises(Refusal) as refused:
        table.bet((0, "main", 1000), (1, "main", stake))
    assert refused.value.code == code
    assert "5.00" in str(refused.value)
    assert "20.00" in str(refused.value)
    # nothing of the set is placed: the bet before it stands
    assert table.round.log == log
    assert table.round.book.bets == {ADA: (Bet(0, "main", 700),)}


@pytest.mark.rule("COM-23")
def test_double_split_and_insurance_may_go_beyond_the_maximum() -> None:
    options = TableOptions(main=Limits(500, 1000))
    doubled = solo("surrender", "8 9 4 8 8", "0.0 double", options=options)
    assert (doubled.paid(), doubled.paid("double")) == (2000, 2000)
    split = solo("surrender", "8 9 8 8 K K", "0.0 split", "0.0 stand", "0.1 stand", options=options)
    assert (split.paid(), split.paid("split", hand=1)) == (2000, 2000)
    insured = solo("surrender", "10 A 9 K", "0 insure yes @ada", options=options)
    assert insured.paid("insurance") == 1500


@pytest.mark.rule("COM-23")
def test_a_split_and_two_doubles_put_four_stakes_at_the_maximum() -> None:
    # 8 8: right 8 3 + 10 = 21, left 8 2 + 10 = 20; dealer 9 8 = 17
    options = TableOptions(main=Limits(500, 1000))
    table = solo("cashback", "8 9 8 8 3 2 10 K", "0.0 split", "0.0 double", "0.1 double", options=options)
    assert table.net() == 4000


@pytest.mark.rule("COM-23", "COM-26")
def test_an_insurance_may_be_below_the_minimum() -> None:
    table = solo("surrender", "10 A 9 K", "0 insure yes @ada", stake=100)
    assert table.paid("insurance") == 150  # 50 at 2:1, with a table minimum of 100


OWN_LIMITS = TableOptions(
    main=Limits(1000, 2000),
    behind=Limits(300, 400),
    side=Limits(100, 200),
    side_by_name={"21+3": Limits(50, 60)},
)


@pytest.mark.rule("COM-23")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("kind", "most"), [("player-pair", 200), ("21+3", 60)])
def test_each_side_bet_has_its_own_maximum(game: str, kind: str, most: int) -> None:
    table = Table(game, "10 9 9 8", options=OWN_LIMITS).bet((0, "main", 1000), (0, kind, most))
    with pytest.raises(Refusal) as refused:
        table.bet((0, "main", 1000), (0, kind, most + 1))
    assert refused.value.code == "bet/above-maximum"
    assert refused.value.params["kind"] == kind
    assert refused.value.params["maximum"] == most


@pytest.mark.rule("COM-23", "COM-25")
@pytest.mark.parametrize("game", SOLO)
@pytest.mark.parametrize(("kind", "least"), [("player-pair", 100), ("21+3", 50)])
def test_each_side_bet_has_its_own_minimum(game: str, kind: str, least: int) -> None:
    table = Table(game, "10 9 9 8", options=OWN_LIMITS).bet((0, "main", 1000), (0, kind, least))
    with pytest.raises(Refusal) as refused:
        table.bet((0, "main", 1000), (0, kind, least - 1))
    assert refused.value.code == "bet/below-minimum"
    assert refused.value.params["minimum"] == least


@pytest.mark.rule("COM-23", "COM-25")
@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize(("kind", "least"), [("player-pair", 100), ("21+3", 50)])
def test_each_live_side_bet_is_held_against_its_own_minimum_at_the_close(
    game: str, kind: str, least: int
) -> None:
    for stake, returned in ((least, 0), (least - 1, 1)):
        table = Table(game, "10 9 9 8", options=OWN_LIMITS).bet((0, "main", 1000), (0, kind, stake)).deal()
        assert len(table.all(BetReturned)) == returned


@pytest.mark.rule("COM-23")
def test_a_bet_behind_has_its_own_limits() -> None:
    table = Table("freebet", "10 9 9 8", purses={"ada": 9000, "bob": 9000}, options=OWN_LIMITS)
    table.bet((0, "main", 1000)).bet((0, "behind", 400), player="bob")
    with pytest.raises(Refusal) as refused:
        table.bet((0, "behind", 401), player="bob")
    assert refused.value.code == "bet/above-maximum"
    table.bet((0, "behind", 299), player="bob").deal()
    assert [event.reason for event in table.all(BetReturned)] == ["below-minimum"]
    least = Table("freebet", "10 9 9 8", purses={"ada": 9000, "bob": 9000}, options=OWN_LIMITS)
    least.bet((0, "main", 1000)).bet((0, "behind", 300), player="bob").deal()
    assert not least.all(BetReturned)


@pytest.mark.rule("COM-23")
def test_free_bet_takes_from_1_to_5000_euro() -> None:
    # the limits its regulation prints
    assert find("freebet").options.main == Limits(100, 500_000)
    table = Table("freebet", "10 9 9 8", purse=10**6).bet((0, "main", 500_000))
    with pytest.raises(Refusal):
        table.bet((0, "main", 500_001))


# COM-24: what the balance does not cover


@pytest.mark.rule("COM-24")
@pytest.mark.parametrize("game", [*SOLO, "freebet"])
@pytest.mark.parametrize(("action", "cards"), [("double", "8 9 4 8"), ("split", "K 9 Q 8")])
@pytest.mark.parametrize(("purse", "short"), [(1000, True), (1999, True), (2000, False)])
def test_an_uncovered_option_is_shown_as_unavailable_with_its_reason(
    game: str, action: str, cards: str, purse: int, short: bool
) -> None:
    table = solo(game, cards, purse=purse)
    shown = option(table, action)
    assert shown.cost == 1000
    assert shown.unavailable == ("funds/insufficient" if short else None)
    assert (f"0.0 {action}" in table.legal()) == (not short)
    assert "0.0 hit" in table.legal()
    if short:
        error = refusal(table, f"0.0 {action}")
        assert (error.code, error.rule) == ("funds/insufficient", "COM-24")
        assert f"{(purse - 1000) / 100:.2f}" in str(error)
        assert "10.00" in str(error)
        assert "add money" in str(error)
        assert table.round.balance(ADA) == purse - 1000


@pytest.mark.rule("COM-24")
@pytest.mark.parametrize("game", SOLO)
def test_money_added_makes_the_option_available(game: str) -> None:
    table = solo(game, "8 9 4 8 8", purse=1000)
    assert option(table, "double").unavailable
    table.do("add-money 999 @ada")
    assert option(table, "double").unavailable
    table.do("add-money 1 @ada")
    assert option(table, "double").unavailable is None
    assert [event.balance for event in table.all(MoneyAdded)] == [999, 1000]
    table.do("0.0 double")
    assert table.round.balance(ADA) == 4000


@pytest.mark.rule("COM-24")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("purse", "covered"), [(1499, False), (1500, True)])
def test_an_uncovered_insurance_cannot_be_taken(game: str, purse: int, covered: bool) -> None:
    table = solo(game, "10 A 9 8", purse=purse)
    assert table.all(InsuranceOffered)
    assert ("all insure yes @ada" in table.legal()) == covered
    assert "all insure no @ada" in table.legal()
    if not covered:
        error = refusal(table, "all insure yes @ada")
        assert (error.code, error.rule) == ("funds/insufficient", "COM-24")
        assert table.round.balance(ADA) == purse - 1000
        assert not table.all(Insured)


@pytest.mark.rule("COM-24")
def test_one_stake_may_take_the_money_the_next_would_need() -> None:
    # 25.00: two hands and one insurance, then nothing for a double
    table = Table("surrender", "8 8 A 4 4 7", purse=2500).bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0 insure yes @ada")
    assert "1 insure yes @ada" not in table.legal()
    table.do("1 insure no @ada")
    assert option(table, "double").unavailable == "funds/insufficient"


@pytest.mark.rule("COM-24", "FRB-04", "FRB-06")
@pytest.mark.parametrize(("cards", "action"), [("6 9 5 8", "double"), ("8 9 8 8", "split")])
def test_a_free_option_needs_no_balance(cards: str, action: str) -> None:
    table = solo("freebet", cards, purse=1000)
    shown = option(table, action)
    assert (shown.cost, shown.free, shown.unavailable) == (0, True, None)
    assert f"0.0 {action}" in table.legal()


@pytest.mark.rule("COM-24", "MAJ-40")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
@pytest.mark.parametrize("action", ["double", "split"])
@pytest.mark.parametrize(("purse", "follows"), [(1999, False), (2000, True)])
def test_a_box_follows_as_far_as_the_balance_covers(
    game: str, action: str, purse: int, follows: bool
) -> None:
    table = Table(game, "8 9 8 8 3 2", purse=purse).do("consent double split @ada").bet((0, "main", 1000))
    table.deal()
    assert option(table, action).unavailable is None  # the box decides, whoever can pay
    table.do(f"0.0 {action}")
    assert [event.why for event in table.all(StakeAdded)] == [action] * follows


# COM-25: stakes outside the limits


@pytest.mark.rule("COM-25")
@pytest.mark.parametrize("game", LIVE)
def test_a_live_stake_below_the_minimum_goes_back_at_the_close_with_its_side_bets(game: str) -> None:
    table = Table(game, "10 9 9 8", purses={"ada": 1000, "bob": 1000})
    table.bet((0, "main", 99), (0, "player-pair", 100), (0, "21+3", 100))
    table.bet((1, "main", 100), (1, "21+3", 100), player="bob")
    assert table.round.balance("ada") == 1000 - 299
    table.deal()
    assert table.round.balance("ada") == 1000
    returned = {(event.player, event.bet.kind): event.reason for event in table.all(BetReturned)}
    assert returned == {
        ("ada", "main"): "below-minimum",
        ("ada", "player-pair"): "no-main-bet",
        ("ada", "21+3"): "no-main-bet",
    }
    # the spot is not dealt, and nothing of it is settled later
    assert [spot.spot for event in table.all(BettingClosed) for spot in event.spots] == [1]
    assert {event.spot for event in table.all(CardDealt)} == {-1, 1}
    table.do("1.0 stand")
    assert {event.player for event in table.all(BetSettled)} == {"bob"}
    assert table.round.balance("ada") == 1000


@pytest.mark.rule("COM-25")
@pytest.mark.parametrize("game", LIVE)
def test_a_live_side_bet_below_its_minimum_goes_back_alone(game: str) -> None:
    table = Table(game, "8s 9c 8h 8d").bet((0, "main", 1000), (0, "player-pair", 99), (0, "21+3", 100)).deal()
    assert [event.bet.kind for event in table.all(BetReturned)] == ["player-pair"]
    assert table.round.balance(ADA) == 100_000 - 1100
    table.do("0.0 stand")
    assert {event.why for event in table.all(BetSettled)} == {"initial", "21+3"}


@pytest.mark.rule("COM-25")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_one_small_stake_leaves_the_box_to_the_others(game: str) -> None:
    table = Table(game, "10 9 9 8", purses={"ada": 1000, "bob": 1000, "cyd": 1000})
    table.bet((0, "main", 100)).bet((0, "main", 99), (0, "buster", 100), player="bob")
    table.bet((1, "main", 50), player="cyd").deal()
    (closed,) = table.all(BettingClosed)
    assert [(spot.spot, spot.backers, spot.staked) for spot in closed.spots] == [(0, 1, 100)]
    assert (table.round.balance("bob"), table.round.balance("cyd")) == (1000, 1000)
    table.do("0.0 stand")
    assert {event.player for event in table.all(BetSettled)} == {"ada"}


@pytest.mark.rule("COM-25")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_the_dealer_pair_of_a_box_goes_back_with_its_main_stake(game: str) -> None:
    table = Table(game, "10 9 9 8")
    table.bet((0, "main", 100), (1, "main", 99), (1, "dealer-pair", 100), (1, "buster", 100)).deal()
    assert [event.bet.kind for event in table.all(BetReturned)] == ["main", "dealer-pair", "buster"]
    assert table.round.balance(ADA) == 100_000 - 100


@pytest.mark.rule("COM-25")
@pytest.mark.parametrize("game", LIVE)
def test_nothing_is_dealt_when_every_live_stake_is_too_small(game: str) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 99))
    assert refusal(table, "deal").code == "bet/none"
    assert not table.all(BettingClosed)
    assert table.round.book.total == 100_000
    table.bet((0, "main", 100)).deal()
    assert table.all(BettingClosed)


@pytest.mark.rule("COM-25", "FRB-41")
def test_a_bet_behind_a_seat_whose_stake_is_too_small_goes_back() -> None:
    table = Table("freebet", "10 9 9 8", purses={"ada": 1000, "bob": 1000, "cyd": 1000})
    table.bet((0, "main", 99)).bet((0, "behind", 500), player="bob").bet(
        (1, "main", 100), player="cyd"
    ).deal()
    assert [(event.player, event.reason) for event in table.all(BetReturned)] == [
        ("ada", "below-minimum"),
        ("bob", "seat-not-playing"),
    ]
    assert (table.round.balance("ada"), table.round.balance("bob")) == (1000, 1000)


# COM-26: what insurance costs


@pytest.mark.rule("COM-26", "COM-20")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("stake", "cost"), [(2, 1), (3, 1), (100, 50), (101, 50), (999, 499), (1000, 500)])
def test_insurance_costs_half_the_stake_rounded_down_and_pays_two_to_one(
    game: str, stake: int, cost: int
) -> None:
    late = ["0.0 stand"] if game in ("cashback", "link", "majority-eu") else []
    table = solo(game, "10 A 9 K", stake=stake, options=CENTS)
    if game in SOLO:
        assert table.all(InsuranceOffered) == [InsuranceOffered(0, cost)]
    table.do("all insure yes @ada")
    assert [event.cost for event in table.all(Insured)] == [cost]
    table.do(*late)
    assert table.paid("insurance") == 3 * cost
    assert table.net() == 2 * cost - stake


@pytest.mark.rule("COM-26")
@pytest.mark.parametrize("game", GAMES)
def test_an_insurance_of_no_cost_is_not_offered(game: str) -> None:
    table = solo(game, "10 A 9 K", stake=1, options=CENTS)
    assert not table.all(InsuranceOffered)
    assert table.round.phase != "offers"


@pytest.mark.rule("COM-26")
def test_only_hands_whose_insurance_costs_something_are_asked() -> None:
    table = Table("surrender", "10 10 10 A 9 9 9 8", options=CENTS)
    table.bet((0, "main", 1), (1, "main", 2), (2, "main", 1)).deal()
    assert table.all(InsuranceOffered) == [InsuranceOffered(1, 1)]
    table.do("1 insure no @ada")
    assert table.round.phase == "decisions"


@pytest.mark.rule("COM-26")
@pytest.mark.parametrize("game", GAMES)
def test_every_chip_is_an_even_number_of_cents(game: str) -> None:
    chips = find(game).options.chips
    assert chips
    assert all(chip % 2 == 0 for chip in chips)


# COM-27: when money moves


@pytest.mark.rule("COM-27")
@pytest.mark.parametrize("game", SOLO)
def test_solo_stakes_are_taken_at_the_deal(game: str) -> None:
    table = Table(game, "10 10 9 9 9 8", purse=2200)
    table.bet((0, "main", 1000), (0, "21+3", 100), (-1, "dealer-pair", 100), (1, "main", 1000))
    assert table.round.balance(ADA) == 2200
    assert table.round.book.escrow == 0
    table.deal()
    assert table.round.balance(ADA) == 0
    assert table.round.book.escrow == 2200


@pytest.mark.rule("COM-27")
@pytest.mark.parametrize("game", LIVE)
def test_live_stakes_are_taken_when_placed(game: str) -> None:
    table = Table(game, "10 10 9 9 9 8", purse=2200)
    table.bet((0, "main", 1000), (0, "21+3", 100), (0, "player-pair", 100))
    assert (table.round.balance(ADA), table.round.book.escrow) == (1000, 1200)
    # a new set takes the place of the old one, whose money counts towards it
    table.bet((0, "main", 2200))
    assert (table.round.balance(ADA), table.round.book.escrow) == (0, 2200)
    table.bet()
    assert (table.round.balance(ADA), table.round.book.escrow) == (2200, 0)
    table.bet((0, "main", 1000)).deal()
    assert (table.round.balance(ADA), table.round.book.escrow) == (1200, 1000)


@pytest.mark.rule("COM-27", "COM-24")
@pytest.mark.parametrize("game", GAMES)
def test_bets_the_balance_does_not_cover_are_refused_together(game: str) -> None:
    table = Table(game, "10 9 9 8", purse=1099)
    with pytest.raises(Refusal) as refused:
        table.bet((0, "main", 1000), (0, "21+3", 100))
    assert refused.value.code == "funds/insufficient"
    assert (table.round.balance(ADA), table.round.book.escrow) == (1099, 0)
    table.bet((0, "main", 1000))


@pytest.mark.rule("COM-27")
@pytest.mark.parametrize("game", [*SOLO, "freebet"])
def test_further_stakes_are_taken_when_the_action_is_accepted(game: str) -> None:
    table = solo(game, "K 9 Q 8 5 6 K 10", "0.0 split")
    assert table.round.balance(ADA) == 98_000
    (added,) = table.all(StakeAdded)
    assert (added.why, added.hand, added.stake.own, added.balance) == ("split", 1, 1000, 98_000)
    if game == "freebet":  # no double after a split
        return
    table.do("0.0 double")
    assert table.round.balance(ADA) == 97_000
    added = table.all(StakeAdded)[-1]
    assert (added.why, added.hand, added.stake.own, added.balance) == ("double", 0, 1000, 97_000)


@pytest.mark.rule("COM-27")
@pytest.mark.parametrize("game", GAMES)
def test_insurance_is_taken_when_it_is_accepted(game: str) -> None:
    table = solo(game, "10 A 9 8", "all insure yes @ada")
    assert [(event.cost, event.balance) for event in table.all(Insured)] == [(500, 98_500)]
    assert table.round.balance(ADA) == 98_500


@pytest.mark.rule("COM-27")
def test_half_a_stake_from_resa_cannot_be_staked_in_the_same_round() -> None:
    table = Table("surrender", "10 8 9 6 4 8 K", purse=1500).bet((0, "main", 1000), (1, "main", 500))
    table.deal("0.0 surrender")
    assert table.round.balance(ADA) == 0
    assert not table.all(BetSettled)
    assert option(table, "double").unavailable == "funds/insufficient"
    assert refusal(table, "1.0 double").code == "funds/insufficient"
    table.do("1.0 stand")
    assert table.round.balance(ADA) == 500  # the second hand, 12 against 17, loses


@pytest.mark.rule("COM-27", "CSH-02")
def test_a_cashback_cannot_be_staked_in_the_same_round() -> None:
    table = Table("cashback", "10 8 9 6 4 8", purse=2000).bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0.0 cashback 891")
    assert table.round.balance(ADA) == 0
    assert option(table, "double").unavailable == "funds/insufficient"
    table.do("1.0 stand")
    assert table.round.balance(ADA) == 891


@pytest.mark.rule("COM-27")
@pytest.mark.parametrize("game", SOLO)
def test_a_blackjack_and_a_won_side_bet_cannot_be_staked_in_the_same_round(game: str) -> None:
    # 0: As Ks blackjack; 1: 8 4 with a pair of nothing; 21+3 of spot 0: flush with the 9 of spades
    table = Table(game, "As 8 9s Ks 4 8", purse=2100)
    table.bet((0, "main", 1000), (0, "21+3", 100), (1, "main", 1000)).deal()
    assert table.round.balance(ADA) == 0
    assert "1.0 double" not in table.legal()
    table.do("1.0 stand")
    assert table.paid("21+3") == 600
    assert table.round.balance(ADA) == 2500 + 600


@pytest.mark.rule("COM-27")
def test_even_money_cannot_be_staked_in_the_same_round() -> None:
    table = Table("link", "A 8 A K 4 8", purse=2000).bet((0, "main", 1000), (1, "main", 1000))
    table.deal("0 even-money yes")
    assert table.round.balance(ADA) == 0
    assert "1 insure yes @ada" not in table.legal()
    table.do("1 insure no @ada", "1.0 stand")
    assert table.round.balance(ADA) == 2000


@pytest.mark.rule("COM-27")
@pytest.mark.parametrize("game", GAMES)
def test_all_payments_come_together_at_the_settlement(game: str) -> None:
    # 0: A K blackjack; 1: 10 9 stands and wins; dealer 9 8
    table = Table(game, "A 10 9 K 9 8").bet((0, "main", 1000), (1, "main", 1000)).deal()
    assert table.round.balance(ADA) == 98_000
    table.do("1.0 stand")
    settled = [type(event) for event in table.events]
    assert settled.count(BetSettled) == 2
    assert RoundSettled in settled
    assert table.round.balance(ADA) == 98_000 + 2500 + 2000
    (paid,) = table.all(PlayerPaid)
    assert (paid.staked, paid.paid, paid.balance) == (2000, 4500, 102_500)


# Every cent, at every step

Bets = Sequence[tuple[str, tuple[int, str, int]]]
PLAYERS = {"ada": 20_000, "bob": 10_001, "cyd": 777}
SCENARIOS: dict[str, tuple[str, str, Bets, Sequence[str]]] = {
    "odd stakes": (
        "surrender",
        # 0: A K; 1: 10 6; 2: 8 8; dealer A 7 under an ace; right 8 3 doubled, left 8 9
        "A 10 8 A K 6 8 7 3 9 10",
        [
            ("ada", (0, "main", 101)),
            ("ada", (1, "main", 103)),
            ("ada", (2, "main", 105)),
            ("ada", (2, "player-pair", 11)),
            ("ada", (-1, "dealer-pair", 13)),
        ],
        [
            "deal",
            "0 insure yes @ada",
            "all insure yes @ada",
            "1.0 surrender",
            "2.0 split",
            "2.0 double",
            "2.1 stand",
        ],
    ),
    "a dealer blackjack under a ten": (
        "cashback",
        "8 K 8 A 3 2 10 10",
        [("ada", (0, "main", 101)), ("ada", (-1, "dealer-pair", 7))],
        ["deal", "0.0 split", "add-money 55 @ada", "0.0 double", "0.1 double"],
    ),
    "free bets and followers": (
        "freebet",
        # 0: 8 8 splits free, 8 3 and 8 9 2; 2: 6 5 7 doubled free; dealer 9 8
        "8 6 9 8 5 8 3 9 2 7",
        [
            ("ada", (0, "main", 501)),
            ("bob", (0, "behind", 303)),
            ("cyd", (0, "behind", 99)),
            ("cyd", (2, "main", 101)),
            ("cyd", (2, "21+3", 100)),
            ("ada", (2, "behind", 777)),
            ("bob", (5, "behind", 100)),
        ],
        ["consent double split @bob", "deal", "0.0 split", "0.0 stand", "0.1 hit", "0.1 stand", "2.0 double"],
    ),
    "a box with followers, a stranger and a poor one": (
        "majority-eu",
        # box 0: 8 8 split 3 2; both doubled; box 1: A K; dealer K A
        "8 A K 8 K 3 2 10 10 A",
        [
            ("ada", (0, "main", 1001)),
            ("bob", (0, "main", 303)),
            ("bob", (1, "main", 303)),
            ("bob", (1, "buster", 101)),
            ("cyd", (0, "main", 401)),
            ("cyd", (1, "main", 99)),
        ],
        [
            "consent double split @ada",
            "consent double split @cyd",
            "deal",
            "0.0 split",
            "0.0 double",
            "0.1 double",
        ],
    ),
    "a void": (
        "majority-us",
        "8 A 8 7 3 2 10",
        [("ada", (0, "main", 1001)), ("bob", (0, "main", 303)), ("bob", (0, "21+3", 101))],
        [
            "consent double split @ada",
            "deal",
            "all insure yes @ada",
            "all insure yes @bob",
            "0.0 split",
            "void power",
        ],
    ),
}


@pytest.mark.rule("COM-20", "COM-27")
@pytest.mark.parametrize("name", SCENARIOS)
def test_purses_and_stakes_and_house_sum_up_at_every_step(name: str) -> None:
    game, cards, bets, commands = SCENARIOS[name]
    players = {"ada": PLAYERS["ada"]} if game in SOLO else PLAYERS
    table = Table(game, cards, purses=players, options=CENTS if game in SOLO else None)
    round = table.round

    def held() -> int:
        stakes = sum(stake.own for stake in round.book.lines.values())
        return sum(map(round.balance, players)) + stakes + round.book.house

    brought = sum(players.values())
    for player in players:
        table.bet(*(bet for who, bet in bets if who == player), player=player)
        assert held() == round.book.total == brought
    for command in commands:
        table.do(command)
        brought += sum(event.amount for event in table.events if isinstance(event, MoneyAdded))
        assert held() == round.book.total == brought
        assert min(map(round.balance, players)) >= 0
    assert round.over
    assert not round.book.lines
    # the sums told to the players are the money moved
    for paid in table.all(PlayerPaid):
        added = sum(event.amount for event in table.all(MoneyAdded) if event.player == paid.player)
        assert (
            round.balance(paid.player)
            == players[paid.player] + added - paid.staked + paid.paid
            == paid.balance
        )
    assert round.book.house == sum(paid.staked - paid.paid for paid in table.all(PlayerPaid))


@pytest.mark.rule("COM-20")
def test_what_each_bet_of_the_odd_round_pays() -> None:
    game, cards, bets, commands = SCENARIOS["odd stakes"]
    table = Table(game, cards, options=CENTS).bet(*(bet for _, bet in bets)).do(*commands)
    # dealer A 7 = 18
    assert table.dealer == 18
    assert table.paid("insurance", spot=0) == table.paid("insurance", spot=1) == 0
    assert table.paid(spot=0) == 252  # 101 + 151
    assert table.paid(spot=1) == 51  # half of 103
    assert table.paid(spot=2) == 210  # 8 3 10 = 21
    assert table.paid("double", spot=2) == 210
    assert table.paid("split", spot=2, hand=1) == 0  # 8 9 = 17
    assert table.paid("player-pair", spot=2) == 77  # 8 8 of spades and hearts: mixed, 6:1
    assert table.paid("dealer-pair", spot=-1) == 0
    staked = 101 + 103 + 105 + 11 + 13 + 50 + 51 + 52 + 105 + 105
    assert table.net() == 252 + 51 + 210 + 210 + 77 - staked


@pytest.mark.rule("COM-27")
def test_money_is_only_taken_from_players_who_brought_some() -> None:
    table = Table("surrender", "10 9 9 8")
    for command in (PlaceBets("bob", (Bet(0, "main", 1000),)), AddMoney("bob", 100)):
        with pytest.raises(Refusal) as refused:
            table.round.apply(command)
        assert refused.value.code == "player/unknown"
    table = solo("surrender", "10 A 9 8")
    with pytest.raises(Refusal) as refused:
        table.round.apply(Insure("bob", True))
    assert refused.value.code == "player/unknown"
