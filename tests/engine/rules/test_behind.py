"""Bets behind a seat of Free Bet: FRB-40 to FRB-44. Ada plays seat 0, Bob stands behind her.

Cards are: first card, up card, second card, hole card, then draws.
"""

from __future__ import annotations

import pytest

from sabot.engine import Bet, Stake
from sabot.engine.events import (
    BehindAllowed,
    BetReturned,
    BetSettled,
    CardDealt,
    InsuranceOffered,
    StakeAdded,
)
from sabot.errors import Refusal
from sabot.games.options import Limits, TableOptions
from tests.support.table import ADA, Table

BOB, CLEO = "bob", "cleo"
SETTINGS = ("consent none", "consent double", "consent split", "consent double split")
STOOD = ("0.0 stand", "0.1 stand")


def behind(
    cards: str,
    *commands: str,
    follow: str = "consent double split",
    stake: int = 1000,
    bob: int = 100_000,
) -> Table:
    """Ada with 1000 on seat 0, Bob with a stake behind her; dealt and played."""
    table = Table("freebet", cards, purses={ADA: 100_000, BOB: bob})
    table.do(f"{follow} @bob").bet((0, "main", 1000)).bet((0, "behind", stake), player=BOB)
    return table.deal(*commands)


def refusal(table: Table, *bets: Bet | tuple[int, str, int], player: str = BOB) -> str:
    """The code with which bets are refused; nothing has changed."""
    before = table.round.balance(player), dict(table.round.book.bets), len(table.round.log)
    with pytest.raises(Refusal) as refused:
        table.bet(*bets, player=player)
    assert (table.round.balance(player), dict(table.round.book.bets), len(table.round.log)) == before
    return refused.value.code


# FRB-40: who may stand behind whom, and what it pays


@pytest.mark.rule("FRB-40")
@pytest.mark.parametrize(
    ("cards", "commands", "per_thousand"),
    [
        ("10 9 10 8", ("0.0 stand",), 1000),
        ("10 9 8 9", ("0.0 stand",), 0),  # 18 against 18
        ("10 9 7 9", ("0.0 stand",), -1000),
        ("10 9 6 9 K", ("0.0 hit",), -1000),
        ("A 9 K 8", (), 1500),
        ("A 10 K A", (), 0),  # blackjack against blackjack
        ("10 6 10 10 6", ("0.0 stand",), 0),  # dealer 22
        ("10 10 10 A", ("0.0 stand",), -1000),  # a late blackjack
    ],
)
@pytest.mark.parametrize("stake", [100, 1000, 3000])
def test_a_bet_behind_pays_like_a_main_bet(
    cards: str, commands: tuple[str, ...], per_thousand: int, stake: int
) -> None:
    table = behind(cards, *commands, stake=stake)
    assert table.net(BOB) == per_thousand * stake // 1000
    assert table.net() == per_thousand


@pytest.mark.rule("FRB-40")
def test_an_odd_blackjack_behind_is_rounded_on_its_own() -> None:
    table = behind("A 9 K 8", stake=301)
    assert table.paid(player=BOB) == 301 + 451  # 451.5


@pytest.mark.rule("FRB-40")
def test_several_stand_behind_one_seat_seated_and_unseated() -> None:
    purses = {ADA: 10_000, BOB: 10_000, CLEO: 10_000, "dan": 10_000}
    table = Table("freebet", "10 9 6 10 7 10 3", purses=purses)
    table.bet((0, "behind", 500), player="dan")  # before the seat is staked, unseated
    table.bet((0, "main", 1000))
    table.bet((0, "behind", 300), (1, "main", 2000), player=BOB)  # seated
    table.bet((0, "behind", 700), player=CLEO)
    table.deal("0.0 stand", "1.0 stand")
    # 20 on seat 0 and 16 on seat 1 against 6 + 10 + 3
    nets = [table.net(player, 10_000) for player in (ADA, BOB, CLEO, "dan")]
    assert nets == [1000, 300 - 2000, 700, 500]


@pytest.mark.rule("FRB-40")
def test_one_may_stand_behind_several_seats() -> None:
    # seat 0: 10 10, seat 1: 9 8, dealer 9 9: +500 and -700
    table = Table("freebet", "10 9 9 10 8 9", purses={ADA: 10_000, CLEO: 10_000, BOB: 10_000})
    table.bet((0, "main", 1000)).bet((1, "main", 1000), player=CLEO)
    table.bet((0, "behind", 500), (1, "behind", 700), player=BOB).deal("0.0 stand", "1.0 stand")
    assert table.net(BOB, 10_000) == -200


@pytest.mark.rule("FRB-40")
@pytest.mark.parametrize(
    "bets",
    [
        [(0, "main", 1000), (0, "behind", 1000)],
        [(0, "behind", 1000), (0, "main", 1000)],
        [(0, "main", 1000), (1, "main", 1000), (1, "behind", 1000)],
    ],
)
def test_nobody_stands_behind_the_own_seat(bets: list[tuple[int, str, int]]) -> None:
    assert refusal(Table("freebet", ""), *bets, player=ADA) == "bet/behind-own-seat"


@pytest.mark.rule("FRB-40")
def test_a_seat_has_one_player_the_others_bet_behind() -> None:
    table = Table("freebet", "", purses={ADA: 10_000, BOB: 10_000}).bet((0, "main", 1000))
    assert refusal(table, (0, "main", 1000)) == "bet/seat-taken"
    table.bet((0, "behind", 1000), player=BOB)
    table.bet()  # Ada takes her bet back: the seat is free again
    table.bet((0, "main", 1000), player=BOB)
    assert refusal(table, (0, "main", 1000), player=ADA) == "bet/seat-taken"


@pytest.mark.rule("FRB-40")
def test_a_bet_behind_makes_no_one_the_seats_player() -> None:
    table = behind("10 9 6 9 5")
    assert table.round.book.owners == {0: ADA}
    assert table.round.options_now["double"].cost == 1000  # Ada's stake


@pytest.mark.rule("FRB-40")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us", "surrender"])
def test_only_free_bet_has_bets_behind(game: str) -> None:
    assert refusal(Table(game, ""), (0, "behind", 1000), player=ADA) == "bet/no-such-bet"


@pytest.mark.rule("FRB-40")
@pytest.mark.parametrize("spot", [7, -1])
def test_behind_a_seat_that_does_not_exist(spot: int) -> None:
    table = Table("freebet", "", purses={BOB: 10_000})
    assert refusal(table, (spot, "behind", 1000)) == "bet/no-such-spot"


@pytest.mark.rule("FRB-40")
def test_bets_behind_have_their_own_limits() -> None:
    options = TableOptions(main=Limits(1000, 5000), behind=Limits(200, 400))
    table = Table("freebet", "10 9 10 8", purses={ADA: 10_000, BOB: 10_000, CLEO: 10_000}, options=options)
    table.bet((0, "main", 5000))
    assert refusal(table, (0, "behind", 401)) == "bet/above-maximum"
    table.bet((0, "behind", 400), player=BOB).bet((0, "behind", 199), player=CLEO).deal()
    assert [event.player for event in table.all(BetReturned)] == [CLEO]
    assert (table.round.balance(BOB), table.round.balance(CLEO)) == (9600, 10_000)


@pytest.mark.rule("FRB-40")
def test_a_bet_behind_needs_the_money_at_once() -> None:
    table = Table("freebet", "", purses={ADA: 10_000, BOB: 999}).bet((0, "main", 1000))
    assert refusal(table, (0, "behind", 1000)) == "funds/insufficient"
    table.bet((0, "behind", 999), player=BOB)
    assert table.round.balance(BOB) == 0


# FRB-41: the seat does not play


@pytest.mark.rule("FRB-41")
def test_a_bet_behind_an_unstaked_seat_is_refunded_at_the_close() -> None:
    table = Table("freebet", "10 9 10 8", purses={ADA: 10_000, BOB: 10_000})
    table.bet((1, "behind", 500), (0, "behind", 300), player=BOB).bet((0, "main", 1000))
    table.deal()
    (returned,) = table.all(BetReturned)
    assert (returned.player, returned.bet, returned.reason) == (
        BOB,
        Bet(1, "behind", 500),
        "seat-not-playing",
    )
    first_card = table.round.log.index(table.all(CardDealt)[0])
    assert table.round.log.index(returned) < first_card
    assert table.round.balance(BOB) == 9700
    assert list(table.round.play.spots) == [0]
    assert table.do("0.0 stand").net(BOB, 10_000) == 300


@pytest.mark.rule("FRB-41")
@pytest.mark.parametrize("ada", [[], [(0, "main", 99)]])  # took it back, or stays below the minimum
def test_a_seat_whose_player_drops_out_refunds_those_behind(ada: list[tuple[int, str, int]]) -> None:
    table = Table("freebet", "10 9 10 8", purses={ADA: 10_000, BOB: 10_000, CLEO: 10_000})
    table.bet((0, "main", 1000)).bet((0, "behind", 500), player=BOB).bet((1, "main", 1000), player=CLEO)
    table.bet(*ada).deal("1.0 stand")
    assert (table.net(brought=10_000), table.net(BOB, 10_000)) == (0, 0)
    assert not [event for event in table.all(BetSettled) if event.player != CLEO]


@pytest.mark.rule("FRB-41")
def test_bets_behind_alone_start_no_round() -> None:
    table = Table("freebet", "", purses={BOB: 10_000}).bet((0, "behind", 500), player=BOB)
    with pytest.raises(Refusal) as refused:
        table.deal()
    assert refused.value.code == "bet/none"


# FRB-42: the seat's player decides; what the one behind follows

#: 12 doubled with own money draws 8: 20 against 16 + 2.
PAID_DOUBLE = "10 6 2 10 8 2"
#: Tens split with own money: right 18, left 19 against 16 + A.
PAID_SPLIT = "10 6 K 10 8 9 A"


@pytest.mark.rule("FRB-42")
@pytest.mark.parametrize("follow", SETTINGS)
def test_a_paid_double_is_followed_by_the_setting(follow: str) -> None:
    table = behind(PAID_DOUBLE, "0.0 double", follow=follow, stake=600)
    assert table.net(BOB) == (1200 if "double" in follow else 600)
    assert table.net() == 2000


@pytest.mark.rule("FRB-42")
@pytest.mark.parametrize("follow", SETTINGS)
def test_a_paid_split_is_followed_by_the_setting(follow: str) -> None:
    table = behind(PAID_SPLIT, "0.0 split", *STOOD, follow=follow, stake=600)
    assert table.net(BOB) == (1200 if "split" in follow else 600)
    assert table.net() == 2000


@pytest.mark.rule("FRB-42")
@pytest.mark.parametrize(("cards", "action"), [(PAID_DOUBLE, "double"), (PAID_SPLIT, "split")])
def test_without_a_setting_nothing_paid_is_followed(cards: str, action: str) -> None:
    table = Table("freebet", cards, purses={ADA: 100_000, BOB: 100_000})
    table.bet((0, "main", 1000)).bet((0, "behind", 600), player=BOB).deal(f"0.0 {action}")
    assert [event.player for event in table.all(StakeAdded)] == [ADA]


@pytest.mark.rule("FRB-42", "FRB-43")
def test_the_last_setting_before_the_deal_holds_and_none_is_taken_after_it() -> None:
    table = Table("freebet", PAID_DOUBLE, purses={ADA: 100_000, BOB: 100_000})
    table.bet((0, "main", 1000)).do("consent double @bob").bet((0, "behind", 600), player=BOB)
    table.do("consent none @bob").deal()
    with pytest.raises(Refusal) as refused:
        table.do("consent double @bob")
    assert refused.value.code == "consent/closed"
    assert table.do("0.0 double").net(BOB) == 600


@pytest.mark.rule("FRB-42")
@pytest.mark.parametrize(
    ("cards", "commands"), [(PAID_DOUBLE, ("0.0 double",)), (PAID_SPLIT, ("0.0 split", *STOOD))]
)
@pytest.mark.parametrize(("left_over", "won"), [(599, 600), (600, 1200)])
def test_a_follow_that_the_balance_does_not_cover_is_none(
    cards: str, commands: tuple[str, ...], left_over: int, won: int
) -> None:
    table = behind(cards, *commands, stake=600, bob=600 + left_over)
    assert table.net(BOB, 600 + left_over) == won


@pytest.mark.rule("FRB-42")
def test_insurance_can_use_up_the_money_of_a_follow() -> None:
    # 1000 staked, 500 insured, 900 left: the double of 1000 is not followed; 20 beats A + 8
    table = behind("10 A 2 8 8", "0 insure no @ada", "0 insure yes @bob", "0.0 double", bob=2400)
    assert table.net(BOB, 2400) == 1000 - 500
    assert table.net() == 2000


@pytest.mark.rule("FRB-42")
def test_a_follow_behind_can_use_up_the_money_of_the_own_seat() -> None:
    table = Table("freebet", "10 10 6 2 2 10 8", purses={ADA: 100_000, BOB: 3000})
    table.do("consent double @bob").bet((0, "main", 1000))
    table.bet((0, "behind", 1000), (1, "main", 1000), player=BOB).deal("0.0 double")
    assert table.round.balance(BOB) == 0
    assert table.round.options_now["double"].unavailable == "funds/insufficient"


@pytest.mark.rule("FRB-42")
def test_the_seats_player_cannot_double_on_the_money_of_those_behind() -> None:
    table = Table("freebet", PAID_DOUBLE, purses={ADA: 1999, BOB: 100_000}).do("consent double @bob")
    table.bet((0, "main", 1000)).bet((0, "behind", 1000), player=BOB).deal()
    with pytest.raises(Refusal) as refused:
        table.do("0.0 double")
    assert refused.value.code == "funds/insufficient"


@pytest.mark.rule("FRB-42")
@pytest.mark.parametrize("follow", SETTINGS)
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        # free double, 9 + 10 = 19 against 16 + ...
        ("5 6 4 10 10 2", ("0.0 double",), 1200),  # 18
        ("5 6 4 10 10 3", ("0.0 double",), 0),
        ("5 6 4 10 10 5", ("0.0 double",), -600),
        ("5 6 4 10 10 6", ("0.0 double",), 0),  # 22
        ("5 10 4 A 10", ("0.0 double",), -600),  # a late blackjack
        # free split, right 18 and left 19 against 16 + ...
        ("8 6 8 10 10 A A", ("0.0 split", *STOOD), 1200),  # 17
        ("8 6 8 10 10 A 2", ("0.0 split", *STOOD), 600),  # 18: right pushes, left wins
        ("8 6 8 10 10 A 3", ("0.0 split", *STOOD), -600),  # 19: right loses, left returns nothing
        ("8 6 8 10 10 A 6", ("0.0 split", *STOOD), 0),  # 22
        ("8 10 8 A 10 A", ("0.0 split", *STOOD), -600),
    ],
)
def test_free_bets_always_apply_behind(follow: str, cards: str, commands: tuple[str, ...], net: int) -> None:
    table = behind(cards, *commands, follow=follow, stake=600, bob=600)  # nothing left in the purse
    assert [(e.player, e.stake) for e in table.all(StakeAdded)] == [
        (ADA, Stake(free=1000)),
        (BOB, Stake(free=600)),
    ]
    assert table.net(BOB, 600) == net


@pytest.mark.rule("FRB-42")
@pytest.mark.parametrize(
    ("hole", "ada", "bob"),
    [
        ("K", -1000, 0),  # 600 lost, insurance 300 pays 600
        ("8", 0, -300),  # 19 against 19: Bob loses the insurance
    ],
)
def test_the_one_behind_insures_the_own_bet(hole: str, ada: int, bob: int) -> None:
    table = behind(f"10 A 9 {hole}", "0 insure no @ada", "0 insure yes @bob", stake=600)
    if not table.round.over:
        table.do("0.0 stand")
    assert (table.net(), table.net(BOB)) == (ada, bob)


@pytest.mark.rule("FRB-42")
@pytest.mark.parametrize("answer", ["0 insure no @bob", "close-offers"])
def test_the_seats_insurance_does_not_cover_the_one_behind(answer: str) -> None:
    table = behind("10 A 9 K", "0 insure yes @ada", answer, stake=600)
    assert len(table.all(InsuranceOffered)) == 1  # one window for all
    assert (table.net(), table.net(BOB)) == (0, -600)


@pytest.mark.rule("FRB-42")
def test_insurance_behind_and_on_the_own_seat_are_two() -> None:
    # seat 0: 10 9, seat 1 (Bob): 10 8, dealer blackjack; Bob insures behind only
    table = Table("freebet", "10 10 A 9 8 K", purses={ADA: 100_000, BOB: 100_000})
    table.bet((0, "main", 1000)).bet((0, "behind", 600), (1, "main", 400), player=BOB)
    table.deal("0 insure no @ada", "0 insure yes @bob", "1 insure no @bob")
    assert table.paid("insurance", player=BOB) == 900
    assert table.net(BOB) == -400


@pytest.mark.rule("FRB-42")
def test_the_seats_player_decides_alone() -> None:
    table = behind("10 6 2 10 8 2")
    assert table.round.mode(0) == "owner"
    with pytest.raises(Refusal) as refused:
        table.do("0.0 vote hit @bob")
    assert refused.value.code == "vote/none"


# FRB-43: a seat may forbid bets behind


@pytest.mark.rule("FRB-43")
def test_a_forbidden_seat_takes_no_bets_behind() -> None:
    table = Table("freebet", "", purses={ADA: 10_000, BOB: 10_000}, behind_closed=frozenset({0}))
    table.bet((0, "main", 1000))
    assert refusal(table, (0, "behind", 500)) == "bet/behind-forbidden"
    table.bet((1, "behind", 500), player=BOB)  # other seats do


@pytest.mark.rule("FRB-43")
def test_forbidding_without_bets_placed_holds_at_once() -> None:
    table = Table("freebet", "", purses={ADA: 10_000, BOB: 10_000}).bet((0, "main", 1000))
    table.bet((1, "behind", 500), player=BOB)  # behind another seat: no hindrance
    table.do("0 behind no")
    assert table.all(BehindAllowed) == [BehindAllowed(0, allowed=False, next_round=False)]
    assert refusal(table, (0, "behind", 500)) == "bet/behind-forbidden"
    table.do("0 behind yes").bet((0, "behind", 500), player=BOB)


@pytest.mark.rule("FRB-43")
def test_forbidding_with_bets_placed_waits_for_the_next_round() -> None:
    table = Table("freebet", "10 9 10 8", purses={ADA: 10_000, BOB: 10_000, CLEO: 10_000})
    table.bet((0, "main", 1000)).bet((0, "behind", 500), player=BOB).do("0 behind no")
    assert table.all(BehindAllowed) == [BehindAllowed(0, allowed=False, next_round=True)]
    table.bet((0, "behind", 700), player=CLEO)  # this round is still open
    table.deal("0.0 stand")
    assert (table.net(BOB, 10_000), table.net(CLEO, 10_000)) == (500, 700)
    assert table.round.betting.behind_closed_next == {0}

    later = Table(
        "freebet",
        "",
        purses={ADA: 10_000, BOB: 10_000},
        behind_closed=frozenset(table.round.betting.behind_closed_next),
    )
    assert refusal(later.bet((0, "main", 1000)), (0, "behind", 500)) == "bet/behind-forbidden"


@pytest.mark.rule("FRB-43")
def test_bets_taken_back_no_longer_hold_the_switch() -> None:
    table = Table("freebet", "", purses={ADA: 10_000, BOB: 10_000}).bet((0, "main", 1000))
    table.bet((0, "behind", 500), player=BOB).bet(player=BOB).do("0 behind no")
    assert refusal(table, (0, "behind", 500)) == "bet/behind-forbidden"


@pytest.mark.rule("FRB-43")
def test_allowing_again_before_the_close_leaves_the_next_round_open() -> None:
    table = Table("freebet", "", purses={ADA: 10_000, BOB: 10_000}).bet((0, "main", 1000))
    table.bet((0, "behind", 500), player=BOB).do("0 behind no", "0 behind yes")
    assert table.all(BehindAllowed)[-1] == BehindAllowed(0, allowed=True, next_round=False)
    assert table.round.betting.behind_closed_next == set()


@pytest.mark.rule("FRB-43")
@pytest.mark.parametrize(("word", "closed"), [("no", {0}), ("yes", set())])
def test_a_switch_in_play_is_for_the_next_round(word: str, closed: set[int]) -> None:
    start = frozenset() if word == "no" else frozenset({0})
    table = Table("freebet", "10 9 10 8", purses={ADA: 10_000}, behind_closed=start)
    table.bet((0, "main", 1000)).deal(f"0 behind {word}")
    assert table.all(BehindAllowed) == [BehindAllowed(0, allowed=word == "yes", next_round=True)]
    assert table.round.betting.behind_closed_next == closed


# FRB-44: not following


@pytest.mark.rule("FRB-44")
@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("10 6 2 10 8 2", 600),  # 20 against 18
        ("10 6 2 10 8 4", 0),  # 20 against 20
        ("10 6 2 10 8 5", -600),
        ("10 6 2 10 8 6", 0),  # 22
        ("10 6 2 10 K", -600),  # bust
        ("10 10 2 A 9", -600),  # 21 against a late blackjack
    ],
)
def test_not_following_a_double_the_single_stake_takes_the_doubled_hand(cards: str, net: int) -> None:
    table = behind(cards, "0.0 double", follow="consent split", stake=600)
    assert table.net(BOB) == net
    assert table.hand() in ("doubled", "bust")


@pytest.mark.rule("FRB-44")
@pytest.mark.parametrize(
    ("cards", "commands", "net"),
    [
        ("10 6 K 10 8 9 A", STOOD, 600),  # right 18, left 19 against 17
        ("10 6 K 10 8 9 2", STOOD, 0),  # 18: right pushes
        ("10 6 K 10 8 9 3", STOOD, -600),  # 19: right loses, left would push
        ("10 6 K 10 9 8 2", STOOD, 600),  # right 19 wins, left would push
        ("10 6 K 10 8 9 6", STOOD, 0),  # 22
        ("10 6 K 10 6 9 Q A", ("0.0 hit", "0.1 stand"), -600),  # right busts, left wins
        ("10 6 K 10 8 5 Q A", ("0.0 stand", "0.1 hit"), 600),  # right wins, left busts
    ],
)
def test_not_following_a_split_the_single_stake_takes_the_right_hand(
    cards: str, commands: tuple[str, ...], net: int
) -> None:
    table = behind(cards, "0.0 split", *commands, follow="consent double", stake=600)
    assert table.net(BOB) == net
    assert [event.hand for event in table.all(BetSettled) if event.player == BOB] == [0]


@pytest.mark.rule("FRB-44")
@pytest.mark.parametrize(
    ("cards", "net"),
    [
        ("10 9 K 8 A 9", 600),  # against 17: 1:1, not 3:2
        ("10 6 K 10 A 9 5", 0),  # against a 21 of three cards: push
        ("10 6 K 10 A 9 6", 0),  # against 22: push
        ("10 Q K A A 9", -600),  # against a late blackjack: lost
    ],
)
def test_not_following_a_split_a_right_hand_of_21_is_no_blackjack(cards: str, net: int) -> None:
    table = behind(cards, "0.0 split", "0.1 stand", follow="consent none", stake=600)
    assert table.hand() == "twenty-one"
    assert table.net(BOB) == net


@pytest.mark.rule("FRB-44")
@pytest.mark.parametrize(
    ("cards", "follow", "net"),
    [
        ("10 6 K 10 8 9 3", "consent split", -600),  # follows: right loses, left pushes
        ("10 6 K 10 9 8 3", "consent split", -600),  # right pushes, left loses
        ("10 6 K 10 9 8 3", "consent none", 0),
        ("10 Q K A 9 9", "consent split", -1200),  # a late blackjack takes both paid stakes
    ],
)
def test_following_a_split_takes_both_hands(cards: str, follow: str, net: int) -> None:
    assert behind(cards, "0.0 split", *STOOD, follow=follow, stake=600).net(BOB) == net


@pytest.mark.rule("FRB-44")
def test_a_doubled_hand_behind_loses_both_stakes_when_followed() -> None:
    assert behind("10 10 2 A 9", "0.0 double", stake=600).net(BOB) == -1200


# SB-08: no side bets behind


@pytest.mark.rule("SB-08")
@pytest.mark.parametrize("kind", ["player-pair", "21+3"])
@pytest.mark.parametrize("own", [[], [(1, "main", 1000)]])
def test_no_side_bets_on_bets_behind(kind: str, own: list[tuple[int, str, int]]) -> None:
    table = Table("freebet", "", purses={ADA: 10_000, BOB: 10_000}).bet((0, "main", 1000))
    assert refusal(table, *own, (0, "behind", 500), (0, kind, 100)) == "bet/no-main-bet"


@pytest.mark.rule("FRB-40")
def test_no_golden_chips_behind() -> None:
    table = Table("freebet", "", purses={ADA: 10_000, BOB: 10_000}, golden={BOB: {500: 1}})
    table.bet((0, "main", 1000))
    assert refusal(table, Bet(0, "behind", golden=(500,))) == "bet/no-golden"


# Money


@pytest.mark.rule("FRB-40", "FRB-42")
def test_a_full_seat_conserves_the_money_of_the_table() -> None:
    purses = {ADA: 5000, BOB: 5000, CLEO: 5000, "dan": 700}
    table = Table("freebet", "10 A 10 8 9 8", purses=purses).do("consent split @bob", "consent split @dan")
    table.bet((0, "main", 1000))
    for player, stake in ((BOB, 600), (CLEO, 400), ("dan", 500)):
        table.bet((0, "behind", stake), player=player)
    table.deal("0 insure yes @cleo", "close-offers", "0.0 split", *STOOD)
    # right 19 pushes, left 18 loses against A + 8; Dan cannot follow
    nets = {player: table.net(player, brought) for player, brought in purses.items()}
    assert nets == {ADA: -1000, BOB: -600, CLEO: -200, "dan": 0}
    assert table.round.book.house == 1800
    assert table.round.book.total == sum(purses.values())
