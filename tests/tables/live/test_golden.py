"""Golden chips at a Majority table: granted, brought, played, kept and given back (MAJ-50..57).

One player alone: Best Strategy decides. A golden chip is written with its face value in cents.
"""

from __future__ import annotations

from typing import Any

import pytest

from sabot.engine import Bet
from sabot.games.options import GoldenOptions, Limits, TableOptions
from sabot.rounds.history import history
from tests.support.live_hall import BROUGHT, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: Box 0 has 20 against 9 8; 18 against 18; 17 against 20.
WIN, PUSH, LOSE = "10 9 10 8 ", "10 9 8 9 ", "10 10 7 10 "
#: Box 0 doubles 11 under a 9: 21 against 17.
DOUBLE = "6 9 5 10 8 "


def gifted(
    open_hall: OpenHall,
    *cards: str,
    chips: dict[int, int],
    golden: GoldenOptions | None = None,
    **options: Any,
) -> Hall:
    """Player 1 has been granted chips, sits down with them and has agreed to doubles; the bets are open."""
    settings = TableOptions(golden=golden or GoldenOptions(), **options)
    hall = open_hall("majority-eu", *cards, players=1, options=settings).come(1)
    hall.grant(1, chips)
    hall.sit(1, golden=chips)
    return hall.consent(1).until("betting")


@pytest.mark.rule("MAJ-50", "MAJ-54")
def test_chips_are_brought_played_and_given_back(open_hall: OpenHall) -> None:
    """Three of 5.00 (granted as two and one) and one of 10.00 come with the player.

    A win of one 5.00 pays 5.00 and the chip is gone; a push brings it back; a loss takes it. A void gives it back too.
    What is left goes back to the account in kind.
    """
    hall = open_hall("majority-eu", WIN + PUSH + LOSE + WIN, players=1).come(1)
    hall.grant(1, {500: 2})
    hall.grant(1, {500: 1, 1000: 1})
    assert hall.golden(1) == {500: 3, 1000: 1}
    hall.sit(1, golden={500: 3, 1000: 1})
    hall.consent(1).until("betting")
    assert (hall.golden(1), hall.part(1).golden) == ({}, {500: 3, 1000: 1})
    seen = []
    for _ in range(3):
        hall.until("betting").bet(1, Bet(0, "main", 0, (500,)))
        assert hall.money(1)[0] in (BROUGHT, BROUGHT + 500)
        hall.until("payout")
        seen.append((hall.money(1), hall.part(1).golden))
    assert seen == [
        ([BROUGHT + 500], {500: 2, 1000: 1}),
        ([BROUGHT + 500], {500: 2, 1000: 1}),
        ([BROUGHT + 500], {500: 1, 1000: 1}),
    ]
    hall.next("betting").bet(1, Bet(0, "main", 200, (500,)), Bet(0, "player-pair", 0, (1000,)))
    assert hall.part(1).golden == {}
    hall.until("decisions").void()
    assert (hall.money(1), hall.part(1).golden) == ([BROUGHT + 500], {500: 1, 1000: 1})
    hall.leave(1)
    assert (hall.golden(1), hall.account(1)) == ({500: 1, 1000: 1}, 100_500)


@pytest.mark.rule("MAJ-56")
def test_rounds_with_golden_chips_are_marked(open_hall: OpenHall) -> None:
    """GC in the history of the player who had them; not of another in the same round, nor in a round without."""
    hall = open_hall("majority-eu", WIN * 2, players=2)
    hall.grant(1, {500: 1})
    hall.come(1, 2).sit(1, golden={500: 1})
    hall.sit(2)
    hall.consent(1, 2).until("betting").bet(1, Bet(0, "main", 0, (500,)))
    hall.bet(2, (0, "main", 1000))
    hall.until("payout").next("betting").bet(1, (0, "main", 1000))
    hall.until("payout")
    with hall.database.reading() as connection:
        marks = {player: [line.golden for line in history(connection, player).lines] for player in (1, 2)}
    assert marks == {1: [False, True], 2: [False]}
    assert hall.played == [(1, 0, 500, True), (2, 1000, 2000, False), (1, 1000, 2000, False)]


def test_what_is_not_held_cannot_be_placed(open_hall: OpenHall) -> None:
    """A placed chip that is taken back can be placed again."""
    hall = gifted(open_hall, WIN, chips={500: 2})
    with hall.refuses("golden/not-held"):
        hall.bet(1, Bet(0, "main", 0, (1000,)))
    hall.bet(1, Bet(0, "main", 0, (500, 500)))
    with hall.refuses("golden/not-held"):
        hall.bet(1, Bet(0, "main", 0, (500, 500)), Bet(1, "main", 0, (500,)))
    hall.bet(1, Bet(0, "main", 0, (500,)), Bet(1, "main", 0, (500,)))
    hall.bet(1)
    assert hall.part(1).golden == {500: 2}


@pytest.mark.rule("MAJ-51")
def test_several_chips_on_several_spots_up_to_the_cap(open_hall: OpenHall) -> None:
    """Three of four chips are allowed in a round: on both boxes and beside them. 20 and 19 against 17 pay 10.00."""
    hall = gifted(open_hall, "10 10 9 10 9 8", chips={500: 4}, golden=GoldenOptions(cap=3))
    spread = [Bet(0, "main", 0, (500,)), Bet(1, "main", 0, (500,)), Bet(1, "player-pair", 0, (500,))]
    with hall.refuses("golden/over-cap"):
        hall.bet(1, *spread, Bet(0, "21+3", 0, (500,)))
    hall.bet(1, *spread)
    hall.until("payout")
    assert (hall.money(1), hall.part(1).golden) == ([BROUGHT + 1000], {500: 1})


@pytest.mark.rule("MAJ-52", "MAJ-53")
@pytest.mark.parametrize(
    ("golden", "staked", "left"),
    [
        (GoldenOptions(), 200, {}),
        (GoldenOptions(blind=False), 700, {500: 1}),
        (GoldenOptions(cap=1), 700, {500: 1}),
    ],
    ids=["blind", "not blind", "capped"],
)
def test_a_double_that_was_agreed_to_is_paid_in_gold_where_allowed(
    open_hall: OpenHall, golden: GoldenOptions, staked: int, left: dict[int, int]
) -> None:
    """2.00 and a golden 5.00 are doubled for 7.00: the second golden chip pays 5.00 of it, or ordinary chips pay all.

    21 against 17 wins 14.00 on the face of both, and what was staked in money comes back.
    """
    hall = gifted(open_hall, DOUBLE, chips={500: 2}, golden=golden)
    hall.bet(1, Bet(0, "main", 200, (500,)))
    hall.until("decisions")
    hall.tick()
    assert (hall.live.play.paid["1"].staked, hall.part(1).golden) == (200 + staked, left)
    assert hall.money(1) == [BROUGHT + 1400]


@pytest.mark.rule("MAJ-52", "MAJ-53")
def test_where_mixing_is_off_a_spot_has_one_kind_of_chips(open_hall: OpenHall) -> None:
    """A double of a golden 5.00 is paid by the other golden one; of 10.00 with one of 5.00 left, all in money."""
    hall = gifted(open_hall, DOUBLE * 2, chips={500: 3, 1000: 1}, golden=GoldenOptions(mixing=False))
    with hall.refuses("golden/no-mixing"):
        hall.bet(1, Bet(0, "main", 200, (500,)))
    hall.bet(1, Bet(0, "main", 0, (500,)))
    hall.until("payout")
    assert (hall.money(1), hall.part(1).golden) == ([BROUGHT + 1000], {500: 1, 1000: 1})
    hall.next("betting").bet(1, Bet(0, "main", 0, (1000,)))
    hall.until("payout")
    assert (hall.money(1), hall.part(1).golden) == ([BROUGHT + 3000], {500: 1})


@pytest.mark.rule("MAJ-52", "MAJ-53")
@pytest.mark.parametrize(("extra", "staked", "left"), [(True, 0, {}), (False, 500, {500: 1})])
def test_a_double_that_was_voted_for_is_paid_in_gold_where_allowed(
    open_hall: OpenHall, extra: bool, staked: int, left: dict[int, int]
) -> None:
    """Player 1 said no to doubles, but votes for this one: the second chip pays it, or 5.00 of money do."""
    options = TableOptions(vote_threshold=1, golden=GoldenOptions(extra=extra))
    hall = open_hall("majority-eu", DOUBLE, players=1, options=options).come(1)
    hall.grant(1, {500: 2})
    hall.sit(1, golden={500: 2})
    hall.consent(1, double=False, split=False).until("betting").bet(1, Bet(0, "main", 0, (500,)))
    hall.until("decisions").vote(1, "double")
    hall.until("payout")
    assert (hall.live.play.paid["1"].staked, hall.part(1).golden) == (staked, left)
    assert hall.money(1) == [BROUGHT + 1000]


@pytest.mark.rule("MAJ-55")
def test_only_the_real_part_of_a_stake_is_insured(open_hall: OpenHall) -> None:
    """Box 0 has 3.00 and a golden 5.00: 1.50 insure it. Box 1 is all gold and is not asked for. A 9: no blackjack.

    In the second round everything is gold: there is no window at all.
    """
    hall = gifted(open_hall, "10 10 A 9 9 9 10 A 9 9", chips={500: 3})
    hall.bet(1, Bet(0, "main", 300, (500,)), Bet(1, "main", 0, (500,)))
    hall.until("insurance")
    assert hall.offers(1) == {0: 150}
    hall.insure(1, True)
    hall.until("payout")
    assert hall.money(1) == [BROUGHT - 450]
    hall.forget()
    hall.next("betting").bet(1, Bet(0, "main", 0, (500,)))
    hall.until("payout")
    assert "insurance" not in hall.phases


@pytest.mark.rule("MAJ-57")
def test_golden_chips_count_towards_the_limits(open_hall: OpenHall) -> None:
    """Main bets from 6.00 to 8.00: 4.00 and a golden 5.00 are too much; a golden 5.00 alone goes back at the close."""
    hall = gifted(open_hall, WIN, chips={500: 2}, main=Limits(600, 800))
    with hall.refuses("bet/above-maximum"):
        hall.bet(1, Bet(0, "main", 400, (500,)))
    hall.bet(1, Bet(0, "main", 0, (500,)))
    hall.next("betting")
    assert (hall.words[-2], hall.part(1).golden) == ("nobody-bet", {500: 2})
    hall.bet(1, Bet(0, "main", 300, (500,)))
    hall.until("payout")
    assert hall.money(1) == [BROUGHT + 800]


# Coming, staying, going


def test_chips_granted_at_the_table_come_with_the_next_round(open_hall: OpenHall) -> None:
    """Not in the betting that is open, nor in the same round when it opens again."""
    hall = gifted(open_hall, WIN, chips={500: 1})
    hall.grant(1, {500: 1, 1000: 2})
    assert (hall.part(1).golden, hall.golden(1)) == ({500: 1}, {})  # no other table can be brought them now
    hall.next("betting")  # nobody bet
    assert hall.part(1).golden == {500: 1}
    hall.bet(1, (0, "main", 1000))
    hall.until("payout").next("betting")
    assert (hall.part(1).golden, hall.golden(1)) == ({500: 2, 1000: 2}, {})
    assert 1 in hall.touched
    hall.bet(1, Bet(0, "main", 0, (1000,)))


def test_chips_granted_to_one_who_has_just_joined_are_not_lost(open_hall: OpenHall) -> None:
    """Player 2 sits down with one while bets are open, and is granted another before the round is over."""
    hall = open_hall("majority-eu", PUSH + WIN, players=2).bring_in({1: ()}).until("betting")
    hall.grant(2, {500: 1})
    hall.come(2).sit(2, golden={500: 1})
    hall.consent(2).bet(2, Bet(0, "main", 0, (500,)))
    hall.grant(2, {500: 1, 1000: 1})
    assert hall.part(2).golden == {}
    hall.until("payout")
    assert (hall.part(2).golden, hall.golden(2)) == ({500: 2, 1000: 1}, {})
    hall.restart(2)
    assert hall.part(2).golden == {500: 2, 1000: 1}
    hall.leave(2)
    assert hall.golden(2) == {500: 2, 1000: 1}


@pytest.mark.by_house  # a person shuffles before the betting
def test_chips_granted_while_the_shoe_is_shuffled_are_there_for_its_first_bets(open_hall: OpenHall) -> None:
    hall = open_hall("majority-eu", WIN, players=1).bring_in({1: ()})
    assert hall.phase == "shuffle"
    hall.grant(1, {500: 1})
    hall.until("betting")
    assert hall.part(1).golden == {500: 1}


def test_who_leaves_before_that_finds_them_in_the_account(open_hall: OpenHall) -> None:
    """And brings them along the next time, once."""
    hall = gifted(open_hall, WIN, chips={500: 1})
    hall.grant(1, {500: 1})
    hall.leave(1)
    assert hall.golden(1) == {500: 2}
    hall.sit(1, golden={500: 2})
    hall.bet(1, (0, "main", 1000))
    hall.until("payout").next("betting")
    assert (hall.part(1).golden, hall.golden(1)) == ({500: 2}, {})


def test_who_leaves_a_round_and_sits_down_again_sees_the_chips_of_now(open_hall: OpenHall) -> None:
    """Player 2 goes in the middle of a round and comes back without chips: they stayed in the account."""
    hall = open_hall("majority-eu", WIN, players=2)
    hall.grant(2, {500: 2})
    hall.come(1, 2).sit(1)
    hall.sit(2, golden={500: 2})
    hall.consent(1, 2).until("betting").bet(1, (0, "main", 1000))
    hall.until("decisions").leave(2)
    hall.sit(2)
    assert (hall.part(2).golden, hall.golden(2)) == ({}, {500: 2})
    hall.until("payout").next("betting")
    assert hall.part(2).golden == {}


@pytest.mark.parametrize("phase", ["betting", "closing", "dealing", "decisions", "dealer", "payout"])
def test_chips_are_still_there_after_a_restart(open_hall: OpenHall, phase: Any) -> None:
    """One of two is on the table; the push brings it back, whenever the house was killed."""
    hall = gifted(open_hall, PUSH, chips={500: 2})
    hall.bet(1, Bet(0, "main", 0, (500,)))
    hall.until(phase)
    before, paid = hall.part(1).golden, bool(hall.played)
    hall.restart(1)
    assert hall.part(1).golden == before
    if not paid:
        assert before == {500: 1}
        hall.until("payout")
    assert (hall.part(1).golden, hall.played) == ({500: 2}, [(1, 0, 0, True)])
    hall.leave(1)
    assert hall.golden(1) == {500: 2}
