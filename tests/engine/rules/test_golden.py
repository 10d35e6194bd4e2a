"""Golden chips at a Majority table: MAJ-50 to MAJ-57. Tables are EU unless a rule needs the check.

One box's cards are: first card, up card, second card, in US dealing the hole card, then draws.
"""

from __future__ import annotations

import pytest

from sabot.engine import Bet, Stake
from sabot.engine.events import (
    BetReturned,
    BetSettled,
    InsuranceOffered,
    PlayerPaid,
    RoundSettled,
    StakeAdded,
)
from sabot.engine.view import player_view
from sabot.errors import Refusal
from sabot.games.options import GoldenOptions, Limits, TableOptions
from tests.support.table import ADA, Table

BOB = "bob"
EU, US = "majority-eu", "majority-us"
STYLES = pytest.mark.parametrize("game", [EU, US])

Chips = dict[int, int]


def table_with(
    cards: str,
    chips: Chips,
    *,
    game: str = EU,
    purse: int = 100_000,
    mixing: bool = True,
    extra: bool = True,
    blind: bool = True,
    cap: int | None = None,
    limits: Limits | None = None,
) -> Table:
    """A table at which Ada holds golden chips; one player is enough for a vote."""
    options = TableOptions(
        golden=GoldenOptions(mixing=mixing, extra=extra, blind=blind, cap=cap),
        vote_threshold=1,
        main=limits or Limits(),
        side=limits or Limits(100, 10_000),
    )
    return Table(game, cards, purses={ADA: purse, BOB: 100_000}, golden={ADA: chips}, options=options)


def held(table: Table, player: str = ADA) -> Chips:
    """The menu: the golden chips a player holds, by value."""
    return player_view(table.round, player).golden


def main(*golden: int, own: int = 0, spot: int = 0) -> Bet:
    """A main bet of own money and golden chips."""
    return Bet(spot, "main", own, golden)


def refusal(table: Table, *bets: Bet | tuple[int, str, int]) -> str:
    """The code with which bets are refused; money and chips stay where they were."""
    before = table.round.balance(ADA), held(table), dict(table.round.book.lines)
    with pytest.raises(Refusal) as refused:
        table.bet(*bets)
    assert (table.round.balance(ADA), held(table), dict(table.round.book.lines)) == before
    return refused.value.code


# MAJ-50: the menu


@pytest.mark.rule("MAJ-50")
def test_chips_are_placed_like_others_and_counted_down() -> None:
    table = table_with("", {500: 3, 1000: 1})
    assert held(table) == {500: 3, 1000: 1}
    table.bet(main(500, 500))
    assert held(table) == {500: 1, 1000: 1}
    assert table.round.balance(ADA) == 100_000  # no money was taken


@pytest.mark.rule("MAJ-50")
@pytest.mark.parametrize(
    "golden",
    [
        (700,),  # a value never granted
        (500, 500),  # more than there are
        (1000,),  # two halves are no whole
    ],
)
def test_only_chips_held_can_be_placed(golden: tuple[int, ...]) -> None:
    chips = {500: 1} if len(golden) == 2 else {500: 2}
    assert refusal(table_with("", chips), main(*golden)) == "golden/not-held"


@pytest.mark.rule("MAJ-50")
def test_one_chip_cannot_lie_on_two_spots() -> None:
    bets = (main(500), Bet(1, "main", 0, (500,)))
    assert refusal(table_with("", {500: 1}), *bets) == "golden/not-held"


@pytest.mark.rule("MAJ-50")
def test_chips_are_each_players_own() -> None:
    table = table_with("", {500: 1})
    with pytest.raises(Refusal) as refused:
        table.bet(main(500), player=BOB)
    assert refused.value.code == "golden/not-held"


@pytest.mark.rule("MAJ-50")
@pytest.mark.parametrize("value", [0, -500])
def test_a_chip_has_a_value(value: int) -> None:
    assert refusal(table_with("", {500: 1}), main(value, own=1000)) == "bet/not-whole-cents"


@pytest.mark.rule("MAJ-50")
def test_a_chip_that_comes_back_is_added_to_those_of_its_value() -> None:
    table = table_with("10 9 8 9", {500: 2}).bet(main(500)).deal("0.0 stand")  # 18 against 18
    assert held(table) == {500: 2}


# MAJ-51: several chips, and the cap


@pytest.mark.rule("MAJ-51")
def test_several_chips_on_several_spots() -> None:
    # box 0: 20, box 1: 17, dealer 9 + 9; the perfect pair pays 25:1
    table = table_with("10s 10h 9s 10s 7h 9h", {500: 2, 200: 1, 100: 2})
    table.bet(main(500, 100), main(500, 200, spot=1), Bet(0, "player-pair", 0, (100,)))
    assert held(table) == {}
    table.deal("0.0 stand", "1.0 stand")
    # 600 and 100 x 25 in money; the 700 on box 1 are gone
    assert table.net() == 600 + 2500
    assert held(table) == {}


@pytest.mark.rule("MAJ-51")
@pytest.mark.parametrize(
    "bets",
    [
        [main(100, 100, 100)],
        [main(100), main(100, spot=1), Bet(1, "21+3", 0, (100,))],
        [main(100, 100), Bet(0, "21+3", 0, (100,))],
    ],
)
def test_the_cap_counts_all_chips_of_the_round(bets: list[Bet]) -> None:
    assert refusal(table_with("", {100: 9}, cap=2), *bets) == "golden/over-cap"
    table_with("", {100: 9}, cap=3).bet(*bets)


@pytest.mark.rule("MAJ-51")
def test_chips_taken_back_do_not_count_towards_the_cap() -> None:
    table = table_with("8 9 3 8 8", {1000: 3}, cap=2).do("consent double @ada")
    for _ in range(3):
        table.bet(main(1000))  # replaced each time
    table.deal("0.0 double")
    assert [event.stake for event in table.all(StakeAdded)] == [Stake(0, (1000,))]


@pytest.mark.rule("MAJ-51")
def test_the_cap_is_each_players_own() -> None:
    options = TableOptions(golden=GoldenOptions(cap=1))
    golden = {ADA: {100: 1}, BOB: {100: 1}}
    table = Table(EU, "", purses={ADA: 1000, BOB: 1000}, golden=golden, options=options)
    table.bet(main(100)).bet(main(100), player=BOB)


@pytest.mark.rule("MAJ-51")
def test_without_a_cap_all_may_be_placed() -> None:
    table = table_with("", {100: 50})
    table.bet(main(*[100] * 50))
    assert held(table) == {}


# MAJ-52: what the operator allows


@pytest.mark.rule("MAJ-52")
@pytest.mark.parametrize("mixing", [True, False])
def test_mixing_on_one_spot(mixing: bool) -> None:
    table = table_with("", {500: 2}, mixing=mixing)
    if mixing:
        table.bet(main(500, own=300))
        assert (table.round.balance(ADA), held(table)) == (99_700, {500: 1})
    else:
        assert refusal(table, main(500, own=300)) == "golden/no-mixing"
        assert refusal(table, (0, "main", 1000), Bet(0, "21+3", 100, (500,))) == "golden/no-mixing"


@pytest.mark.rule("MAJ-52")
def test_without_mixing_different_spots_may_differ() -> None:
    table = table_with("", {500: 2}, mixing=False)
    table.bet(main(500), (0, "21+3", 200), (1, "main", 300), Bet(1, "21+3", 0, (500,)))
    assert (table.round.balance(ADA), held(table)) == (99_500, {})


@pytest.mark.rule("MAJ-52")
@pytest.mark.parametrize("action", ["double", "split"])
@pytest.mark.parametrize(
    ("extra", "blind", "voted", "golden"),
    [
        # voted for in the round: `extra`; authorised during betting: `blind`
        (True, False, True, True),
        (False, True, True, False),
        (True, False, False, False),
        (False, True, False, True),
        (False, False, True, False),
        (False, False, False, False),
    ],
)
def test_doubles_splits_and_blind_actions_in_gold_each_only_if_allowed(
    action: str, extra: bool, blind: bool, voted: bool, golden: bool
) -> None:
    # where golden chips are not allowed the stake is ordinary money
    table = table_with("8 9 8 10 10 9", {1000: 2}, extra=extra, blind=blind)
    table.do("consent none @ada" if voted else "consent double split @ada").bet(main(1000)).deal()
    table.do(*([f"0.0 vote {action} @ada"] if voted else []), f"0.0 {action}")
    (added,) = table.all(StakeAdded)
    assert added.stake == (Stake(0, (1000,)) if golden else Stake(1000))


@pytest.mark.rule("MAJ-52", "MAJ-53")
@pytest.mark.parametrize(
    ("extra", "blind", "golden"),
    [(True, True, True), (True, False, True), (False, True, True), (False, False, False)],
)
def test_a_vote_takes_nothing_from_what_was_agreed_to(extra: bool, blind: bool, golden: bool) -> None:
    """Who agreed beforehand and votes for it too may pay in gold if either is allowed."""
    table = table_with("8 9 3 10 10 9", {1000: 2}, extra=extra, blind=blind)
    table.do("consent double split @ada").bet(main(1000)).deal("0.0 vote double @ada", "0.0 double")
    (added,) = table.all(StakeAdded)
    assert added.stake == (Stake(0, (1000,)) if golden else Stake(1000))


@pytest.mark.rule("MAJ-52")
def test_an_ordinary_bet_is_never_doubled_in_gold() -> None:
    table = table_with("8 9 3 8 8", {1000: 2}).do("consent double @ada").bet((0, "main", 1000))
    table.deal("0.0 double")
    assert [event.stake for event in table.all(StakeAdded)] == [Stake(1000)]
    assert held(table) == {1000: 2}


# MAJ-53: how a double or split of a golden bet is paid


def double_paid(
    chips: Chips, bet: Bet, *, purse: int = 100_000, mixing: bool = True, cap: int | None = None
) -> Stake:
    """What stands on the double of a bet; nothing where it is refused."""
    table = table_with("8 9 3 8 8", chips, purse=purse, mixing=mixing, cap=cap)
    table.do("consent double @ada").bet(bet).deal("0.0 double")
    return next((event.stake for event in table.all(StakeAdded)), Stake())


@pytest.mark.rule("MAJ-53")
@pytest.mark.parametrize(
    ("left", "added"),
    [
        ({1000: 1}, Stake(0, (1000,))),
        ({500: 2}, Stake(0, (500, 500))),
        ({1000: 1, 500: 2}, Stake(0, (1000,))),  # from the largest
        ({600: 1, 400: 1}, Stake(0, (600, 400))),
        ({600: 1, 500: 2}, Stake(0, (500, 500))),  # what fits exactly (PLT-65)
        ({2000: 1, 300: 2}, Stake(400, (300, 300))),  # none that exceeds what is to pay
        ({700: 3}, Stake(300, (700,))),
        ({500: 1, 200: 1, 100: 1}, Stake(200, (500, 200, 100))),
        ({100: 12}, Stake(0, (100,) * 10)),
        ({2000: 5}, Stake(1000)),
        ({}, Stake(1000)),
    ],
)
def test_golden_chips_from_the_largest_then_ordinary_ones(left: Chips, added: Stake) -> None:
    chips = {**left, 1000: left.get(1000, 0) + 1}
    assert double_paid(chips, main(1000)) == added


@pytest.mark.rule("MAJ-53")
@pytest.mark.parametrize(
    ("left", "added"),
    [
        ({1000: 1}, Stake(0, (1000,))),
        ({600: 1, 400: 1}, Stake(0, (600, 400))),
        ({700: 1}, Stake(1000)),
        ({600: 1, 500: 2}, Stake(0, (500, 500))),
        ({}, Stake(1000)),
    ],
)
def test_without_mixing_all_golden_or_all_ordinary(left: Chips, added: Stake) -> None:
    chips = {**left, 1000: left.get(1000, 0) + 1}
    assert double_paid(chips, main(1000), mixing=False) == added


@pytest.mark.rule("MAJ-53", "MAJ-51")
@pytest.mark.parametrize(
    ("cap", "mixing", "added"),
    [
        (1, True, Stake(1000)),  # reached by the bet itself
        (1, False, Stake(1000)),
        (2, True, Stake(600, (400,))),
        (2, False, Stake(1000)),
        (3, True, Stake(200, (400, 400))),
        (3, False, Stake(1000)),
        (4, True, Stake(0, (400, 400, 200))),
        (4, False, Stake(0, (400, 400, 200))),
    ],
)
def test_where_the_cap_is_reached_the_rest_is_ordinary(cap: int, mixing: bool, added: Stake) -> None:
    assert double_paid({1000: 1, 400: 2, 200: 5}, main(1000), cap=cap, mixing=mixing) == added


@pytest.mark.rule("MAJ-53")
def test_a_mixed_bet_is_doubled_at_its_face_value() -> None:
    # 300 + 500: of 800 to pay, 500 in gold
    assert double_paid({500: 3}, main(500, own=300)) == Stake(300, (500,))


@pytest.mark.rule("MAJ-53")
@pytest.mark.parametrize(
    ("chips", "purse", "mixing", "added"),
    [
        ({1000: 1}, 999, True, None),  # no golden chip left, no money
        ({1000: 1}, 1000, True, Stake(1000)),
        ({1000: 1, 700: 1}, 299, True, None),  # the rest of 300 is not covered
        ({1000: 1, 700: 1}, 300, True, Stake(300, (700,))),
        ({1000: 1, 700: 1}, 999, False, None),
        ({1000: 2}, 0, False, Stake(0, (1000,))),
    ],
)
def test_what_the_balance_does_not_cover_is_refused(
    chips: Chips, purse: int, mixing: bool, added: Stake | None
) -> None:
    table = table_with("8 9 3 8 8", chips, purse=purse, mixing=mixing).do("consent double @ada")
    table.bet(main(1000))
    table.deal("0.0 double")
    assert [event.stake for event in table.all(StakeAdded)] == ([added] if added else [])
    used = [1000, *(added.golden if added else ())]
    # 19 against 17: golden chips that were staked are gone, the others untouched
    assert sum(held(table).values()) == sum(chips.values()) - len(used)


@pytest.mark.rule("MAJ-53")
def test_a_golden_split_is_paid_in_gold_and_each_hand_may_be_doubled_so() -> None:
    table = table_with("8 9 8 3 2 8 8 8", {1000: 3}).do("consent double split @ada").bet(main(1000))
    table.deal("0.0 split", "0.0 double", "0.1 double")
    # the third chip pays the first double; the second is ordinary money
    assert [(e.hand, e.why, e.stake) for e in table.all(StakeAdded)] == [
        (1, "split", Stake(0, (1000,))),
        (0, "double", Stake(0, (1000,))),
        (1, "double", Stake(1000)),
    ]
    # 19 and 18 against 17: four wins of 1000
    assert table.net() == 4000
    assert held(table) == {}


@pytest.mark.rule("MAJ-53")
def test_after_a_split_in_ordinary_chips_the_left_hand_is_an_ordinary_bet() -> None:
    table = table_with("8 9 8 3 2 8 8 8", {1000: 1, 2000: 1}).do("consent double split @ada").bet(main(1000))
    table.deal("0.0 split")
    assert table.round.book.stake_on(ADA, 0, 1) == Stake(1000)


# MAJ-54: win, push, loss, return


@pytest.mark.rule("MAJ-54")
@pytest.mark.parametrize(
    ("cards", "net", "back"),
    [
        ("10 9 10 8", 1000, False),  # win: the winnings in money, the chip not
        ("10 9 8 9", 0, True),  # push: the chip
        ("10 9 7 9", 0, False),  # loss: it is gone
        ("A 9 K", 1500, False),
        ("A 10 K A", 0, True),
        ("10 10 8 A", 0, False),  # a late blackjack
    ],
)
def test_an_all_golden_bet(cards: str, net: int, back: bool) -> None:
    table = table_with(cards, {1000: 1}).bet(main(1000)).deal()
    if not table.round.over:
        table.do("0.0 stand")
    assert table.net() == net
    assert held(table) == ({1000: 1} if back else {})
    (settled,) = table.all(BetSettled)
    assert settled.golden_back == ((1000,) if back else ())


@pytest.mark.rule("MAJ-54")
@pytest.mark.parametrize(
    ("cards", "net", "back"),
    [
        # 300 own and 500 golden: winnings are reckoned on 800
        ("10 9 10 8", 800, False),
        ("10 9 8 9", 0, True),
        ("10 9 7 9", -300, False),
        ("A 9 K", 1200, False),
    ],
)
def test_a_mixed_bet(cards: str, net: int, back: bool) -> None:
    table = table_with(cards, {500: 1}).bet(main(500, own=300)).deal()
    if not table.round.over:
        table.do("0.0 stand")
    assert table.net() == net
    assert held(table) == ({500: 1} if back else {})


@pytest.mark.rule("MAJ-54")
def test_a_mixed_blackjack_is_rounded_once_on_its_face_value() -> None:
    # 101 own and 101 golden: 3:2 on 202 is 303, on each part alone 151.5
    table = table_with("A 9 K", {101: 1}).bet(main(101, own=101)).deal()
    assert table.paid() == 101 + 303


@pytest.mark.rule("MAJ-54")
@STYLES
def test_a_returned_double_comes_back_in_kind(game: str) -> None:
    # ten up, blackjack after the decisions: the bet is gone, the added stake comes back
    cards = "8 10 3 A 8" if game == US else "8 10 3 8 A"
    table = table_with(cards, {1000: 1, 700: 1}, game=game).do("consent double @ada").bet(main(1000))
    table.deal("0.0 double")
    assert table.round.over
    assert table.net() == 0  # the 300 of the added stake
    assert held(table) == {700: 1}


@pytest.mark.rule("MAJ-54")
def test_a_golden_double_that_loses_is_gone_and_one_that_pushes_comes_back() -> None:
    for second, kept in (("10", {1000: 2}), ("A", {})):  # 19 against 19 and 20
        table = table_with(f"8 9 3 8 {second}", {1000: 2}).do("consent double @ada").bet(main(1000))
        table.deal("0.0 double")
        assert (table.net(), held(table)) == (0, kept)


@pytest.mark.rule("MAJ-54")
@pytest.mark.parametrize(
    "before",
    [
        (),
        ("deal",),
        ("deal", "0.0 split"),
        ("deal", "0.0 split", "0.0 double"),
    ],
)
def test_a_void_gives_back_in_kind(before: tuple[str, ...]) -> None:
    table = table_with("8 9 8 3 2 8", {1000: 2, 200: 1}).do("consent double split @ada")
    table.bet(main(1000, own=500), Bet(0, "21+3", 0, (200,))).do(*before)
    assert table.round.balance(ADA) < 100_000
    table.do("void test")
    assert (table.net(), held(table)) == (0, {1000: 2, 200: 1})


@pytest.mark.rule("MAJ-54")
def test_a_void_after_the_check_gives_back_insurance_and_chips() -> None:
    table = table_with("10 A 9 7", {500: 1}, game=US).bet(main(500, own=1000))
    table.deal("all insure yes @ada", "void test")
    assert (table.net(), held(table)) == (0, {500: 1})


@pytest.mark.rule("MAJ-54")
def test_a_replaced_bet_goes_back_in_kind() -> None:
    table = table_with("", {1000: 1, 500: 1}).bet(main(1000, 500, own=300))
    table.bet(main(1000, spot=1), Bet(1, "21+3", 200, (500,)))  # the same chips elsewhere
    assert (table.round.balance(ADA), held(table)) == (99_800, {})
    table.bet()
    assert (table.round.balance(ADA), held(table)) == (100_000, {1000: 1, 500: 1})


@pytest.mark.rule("MAJ-54")
@pytest.mark.parametrize(
    ("kind", "cards", "net"),
    [
        ("player-pair", "7s 10h 7s 10c", 2500 - 1000),
        ("player-pair", "7s 10h 8s 10c", -1000),
        ("21+3", "7s 9s 8s 10c", 4000 - 1000),
        ("lucky-lucky", "7s 7h 7d 10c", 5000 - 1000),
        ("top-3", "7s 7h 7d 10c", 9000 - 1000),
        ("dealer-pair", "7s 9s 8h 9s", 2500 - 1000),
        ("buster", "10s 6s 7h 10c 10d", 200 + 1000),
    ],
)
def test_golden_side_bets_pay_money_and_keep_the_chip(kind: str, cards: str, net: int) -> None:
    # 1000 own on the main bet, which loses to all but the bust dealer
    table = table_with(cards, {100: 1}).bet((0, "main", 1000), Bet(0, kind, 0, (100,))).deal("0.0 stand")
    assert table.net() == net
    assert held(table) == {}


@pytest.mark.rule("MAJ-54")
def test_a_mixed_side_bet_returns_its_own_part_on_a_win() -> None:
    table = table_with("7s 10h 7s 10c", {100: 1}).bet((0, "main", 1000), Bet(0, "player-pair", 200, (100,)))
    # 25:1 on 300 and 200 back
    assert table.deal("0.0 stand").paid("player-pair") == 7500 + 200


@pytest.mark.rule("MAJ-54")
def test_each_bet_of_a_split_is_settled_in_kind_on_its_own() -> None:
    # right 18 wins, left 17 pushes against 17
    table = table_with("8 9 8 10 9 8", {1000: 2}).do("consent split @ada").bet(main(1000))
    table.deal("0.0 split", "0.0 stand", "0.1 stand")
    assert (table.net(), held(table)) == (1000, {1000: 1})


# MAJ-55: insurance


@pytest.mark.rule("MAJ-55")
@STYLES
def test_an_all_golden_stake_is_not_offered_insurance(game: str) -> None:
    table = table_with("10 A 9 7", {1000: 1}, game=game).bet(main(1000)).deal()
    assert table.round.turn == (0, 0)
    assert not table.all(InsuranceOffered)


@pytest.mark.rule("MAJ-55")
def test_beside_others_an_all_golden_player_is_refused() -> None:
    table = table_with("10 A 9 7", {1000: 1}, game=US).bet(main(1000)).bet((0, "main", 1000), player=BOB)
    table.deal()
    with pytest.raises(Refusal) as refused:
        table.do("all insure yes @ada")
    assert refused.value.code == "offer/none"
    table.do("all insure yes @bob")
    assert table.round.turn == (0, 0)  # nobody else was asked


@pytest.mark.rule("MAJ-55")
@STYLES
@pytest.mark.parametrize(
    ("second", "net"),
    [
        ("K", 0),  # 600 lost, the insurance of 300 pays 600
        ("8", -300),  # 19 against 19: the insurance is lost
    ],
)
def test_of_a_mixed_stake_the_real_part_is_insured(game: str, second: str, net: int) -> None:
    table = table_with(f"10 A 9 {second}", {1000: 1}, game=game).bet(main(1000, own=600))
    table.deal("all insure yes @ada")
    assert table.round.over or table.do("0.0 stand").round.over
    (insurance,) = [event.stake for event in table.all(BetSettled) if event.why == "insurance"]
    assert insurance == Stake(300)
    assert table.net() == net


@pytest.mark.rule("MAJ-55")
@pytest.mark.parametrize(("own", "offered"), [(1, False), (2, True), (3, True)])
def test_a_real_part_too_small_to_insure_is_not_offered(own: int, offered: bool) -> None:
    table = table_with("10 A 9 7", {1000: 1}).bet(main(1000, own=own)).deal()
    assert bool(table.all(InsuranceOffered)) is offered
    if offered:
        table.do("all insure yes @ada", "0.0 stand")
        assert table.paid("insurance") == 0
        assert table.net() == 1000 + own - 1  # half of 2 and of 3 is 1


@pytest.mark.rule("MAJ-55", "MAJ-09")
@STYLES
def test_one_answer_insures_the_real_part_of_both_boxes(game: str) -> None:
    table = table_with("10 10 A 9 8 K", {1000: 2}, game=game)
    table.bet(main(1000, own=400), main(1000, own=600, spot=1)).deal("all insure yes @ada")
    if game == EU:
        table.do("0.0 stand", "1.0 stand")
    assert [table.paid("insurance", spot=spot) for spot in (0, 1)] == [600, 900]
    assert table.net() == 0


# MAJ-56: the mark GC


@pytest.mark.rule("MAJ-56")
@pytest.mark.parametrize(
    ("bets", "marked"),
    [
        ([(0, "main", 1000)], False),
        ([main(500)], True),
        ([main(500, own=500)], True),
        ([(0, "main", 1000), Bet(0, "21+3", 0, (500,))], True),
        ([(0, "main", 1000), Bet(1, "main", 0, (500,))], True),
    ],
)
def test_a_round_with_golden_chips_is_marked(bets: list[Bet | tuple[int, str, int]], marked: bool) -> None:
    table = table_with("10 10 9 10 10 8", {500: 1}).bet(*bets).bet((1, "main", 1000), player=BOB)
    table.deal("0.0 stand", "1.0 stand")
    assert {event.player: event.golden for event in table.all(PlayerPaid)} == {ADA: marked, BOB: False}
    assert [event.golden for event in table.all(RoundSettled)] == [marked]


@pytest.mark.rule("MAJ-56")
@pytest.mark.parametrize("cards", ["10 9 10 8", "10 9 8 9", "10 9 7 9"])
def test_the_mark_stands_whatever_the_result(cards: str) -> None:
    table = table_with(cards, {500: 1}).bet(main(500)).deal("0.0 stand")
    assert [event.golden for event in table.all(PlayerPaid)] == [True]


@pytest.mark.rule("MAJ-56")
def test_chips_that_went_back_before_the_deal_are_no_mark() -> None:
    table = table_with("10 9 10 8", {500: 1}).bet(main(500)).bet((0, "main", 1000)).deal("0.0 stand")
    assert [event.golden for event in table.all(PlayerPaid)] == [False]
    assert [event.golden for event in table.all(RoundSettled)] == [False]


@pytest.mark.rule("MAJ-56")
def test_the_settlement_tells_the_chips_of_each_bet() -> None:
    table = table_with("10 9 10 8", {500: 1}).bet(main(500, own=300)).deal("0.0 stand")
    (settled,) = table.all(BetSettled)
    assert settled.stake == Stake(300, (500,))


# MAJ-57: where they go, and the limits


@pytest.mark.rule("MAJ-57")
@pytest.mark.parametrize(
    "kind", ["main", "21+3", "player-pair", "dealer-pair", "top-3", "buster", "lucky-lucky"]
)
@STYLES
def test_golden_chips_go_on_main_and_side_bets(game: str, kind: str) -> None:
    table = table_with("", {500: 1}, game=game)
    table.bet(*([] if kind == "main" else [(0, "main", 1000)]), Bet(0, kind, 0, (500,)))
    assert held(table) == {}


@pytest.mark.rule("MAJ-57")
@pytest.mark.parametrize("game", ["freebet", "surrender", "cashback", "link"])
def test_other_games_take_none(game: str) -> None:
    table = Table(game, "", golden={ADA: {500: 1}})
    assert refusal(table, main(500, own=1000)) == "bet/no-golden"


@pytest.mark.rule("MAJ-57")
@pytest.mark.parametrize(
    ("bet", "allowed"),
    [
        (main(500, 500), True),
        (main(500, own=500), True),
        (main(500, own=501), False),
        (main(500, 500, own=1), False),
        (main(500, 500, 500), False),
    ],
)
def test_the_maximum_is_on_face_value(bet: Bet, allowed: bool) -> None:
    table = table_with("", {500: 3}, limits=Limits(100, 1000))
    side = Bet(0, "21+3", bet.stake, bet.golden)
    if allowed:
        table.bet(bet)
        table.bet((0, "main", 1000), side)
    else:
        assert refusal(table, bet) == "bet/above-maximum"
        assert refusal(table, (0, "main", 1000), side) == "bet/above-maximum"


@pytest.mark.rule("MAJ-57")
@pytest.mark.parametrize(
    ("bet", "plays"),
    [
        (main(500), True),
        (main(200, own=300), True),
        (main(200, own=299), False),
        (main(200, 200), False),
    ],
)
def test_the_minimum_is_on_face_value_and_less_goes_back_in_kind(bet: Bet, plays: bool) -> None:
    table = table_with("10 9 10 8", {500: 1, 200: 2}, limits=Limits(500, 1000))
    table.bet(bet).bet((0, "main", 500), player=BOB).deal()
    assert bool(table.all(BetReturned)) is not plays
    if not plays:
        assert (table.round.balance(ADA), held(table)) == (100_000, {500: 1, 200: 2})


@pytest.mark.rule("MAJ-57")
def test_doubles_in_gold_may_pass_the_maximum() -> None:
    table = table_with("8 9 3 8 8", {1000: 2}, limits=Limits(100, 1000)).do("consent double @ada")
    table.bet(main(1000)).deal("0.0 double")
    assert table.net() == 2000


def test_the_smallest_golden_chip_is_worth_one_cent() -> None:
    table = table_with("10 9 10 8", {1: 1})
    table.bet(main(1, own=99), player=ADA)
    assert held(table) == {}
