"""The boxes of a Majority table: who is counted, who decides, who follows (MAJ-03, 09..14, 20..23, 30, 40..44, 60, 61).

Dealt EU style: a card to each staked box, the dealer's, a second card to each box; the dealer's second comes at the end.
"""

from __future__ import annotations

import pytest

from sabot.engine import Bet
from sabot.engine.commands import DEALER, Insure
from sabot.engine.events import Acted, BettingClosed, CardDealt, HandEnded, InsuranceOffered, TurnStarted
from sabot.games.options import TableOptions
from sabot.games.rules import Action
from sabot.tables.live.events import BoxCount, CrowdCounted, SpotStakes, StakeSum
from tests.support.live_hall import BROUGHT, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: Box 0 has 20 against 9 8.
WIN = "10 9 10 8 "
#: Box 0 has 6 5 under a 9, which Best Strategy doubles; the 10 makes 21 against 9 8.
DOUBLE = "6 9 5 10 8 "
#: Box 0 has 10 2 under a 10: Best Strategy takes a card.
TWELVE = "10 10 2 "
#: Box 0 has 8 8 under a 9, which Best Strategy splits.
EIGHTS = "8 9 8 "


def crowd(open_hall: OpenHall, *cards: str, players: int = 3, threshold: int = 3, **settings: object) -> Hall:
    """Players who sit at the table and have said no to everything, when the bets are open."""
    options = TableOptions(vote_threshold=threshold)
    hall = open_hall("majority-eu", *cards, players=players, options=options, **settings)
    hall.bring_in(dict.fromkeys(range(1, players + 1), ()))
    return hall.consent(*range(1, players + 1), double=False, split=False).until("betting")


def all_bet(hall: Hall, players: int, *bets: tuple[int, str, int]) -> Hall:
    """Players stake the same, by default 10.00 on box 0."""
    for player in range(1, players + 1):
        hall.bet(player, *(bets or [(0, "main", 1000)]))
    return hall


def acted(hall: Hall) -> list[Action]:
    """What the boxes did."""
    return [event.action for event in hall.heard(Acted)]


# Counts and modes (MAJ-10..14)


@pytest.mark.rule("MAJ-10")
def test_two_boxes_are_shared_and_counted(open_hall: OpenHall) -> None:
    """Players 1 and 2 are on box 0, 2 and 3 on box 1; with player 4 box 0 reaches its vote.

    One hand for each box: 20 and 19 against 17 win everything.
    """
    hall = crowd(open_hall, "10 10 9 10 9 8", players=5)
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (0, "main", 500), (1, "main", 300))
    hall.bet(3, (1, "main", 700))
    assert hall.view.crowd == CrowdCounted(
        5, boxes=(BoxCount(0, 2, "best-strategy"), BoxCount(1, 2, "best-strategy"))
    )
    hall.bet(4, (0, "main", 200))
    assert hall.live.attendance.changed
    hall.live.show_crowd()
    hall.come(5)
    assert hall.heard(CrowdCounted) == [
        CrowdCounted(5, boxes=(BoxCount(0, 3, "vote"), BoxCount(1, 2, "best-strategy")))
    ]
    hall.until("dealing")
    (closed,) = hall.heard(BettingClosed)
    assert [(box.spot, box.owner, box.backers, box.staked) for box in closed.spots] == [
        (0, None, 3, 1700),
        (1, None, 2, 1000),
    ]
    hall.until("payout")
    assert [event.spot for event in hall.heard(CardDealt)] == [0, 1, DEALER, 0, 1, DEALER]
    assert hall.money(1, 2, 3, 4, 5) == [11_000, 10_800, 10_700, 10_200, BROUGHT]


@pytest.mark.rule("MAJ-11")
def test_the_number_at_the_close_picks_the_mode(open_hall: OpenHall) -> None:
    """Three players are a vote by default; the third is gone before the close, or after it, or was never there."""
    assert TableOptions().vote_threshold == 3
    hall = crowd(open_hall, WIN * 3)
    modes = []
    for case in ("withdraws", "disconnects", "stays away"):
        hall.until("betting")
        all_bet(hall, 2 if case == "stays away" else 3)
        if case == "withdraws":
            hall.bet(3)
        hall.until("dealing")
        if case == "disconnects":
            hall.go(3, 2)
        hall.until("decisions")
        modes.append((hall.round.mode(0), hall.left))
        hall.until("payout")
    assert modes == [("best-strategy", 0.6), ("vote", 8), ("best-strategy", 0.6)]
    assert [closed.spots[0].mode for closed in hall.heard(BettingClosed)] == [mode for mode, _ in modes]


def test_the_threshold_is_the_operators(open_hall: OpenHall) -> None:
    hall = all_bet(crowd(open_hall, WIN, players=2, threshold=2), 2)
    assert hall.view.crowd.boxes == (BoxCount(0, 2, "vote"), BoxCount(1, 0, "best-strategy"))
    hall.bet(2)
    assert hall.view.crowd.boxes[0] == BoxCount(0, 1, "best-strategy")


@pytest.mark.rule("MAJ-12")
def test_nobody_bets_before_saying_what_the_box_may_do(open_hall: OpenHall) -> None:
    """What is in force at the close holds for the round. Best Strategy doubles 11: 21 against 17.

    Player 1 agrees and changes that after the close; 2 did not and changes that before it; 3 agreed and takes it back
    in time: 10.00 + 10.00, 10.00 + 10.00 and 10.00 are won. In the next round the last answers hold without being
    asked for: 10.00, 10.00 + 10.00 and 10.00.
    """
    options = TableOptions(vote_threshold=9)
    hall = open_hall("majority-eu", DOUBLE * 2, options=options).bring_in({1: (), 2: (), 3: ()})
    hall.until("betting")
    with hall.refuses("consent/needed"):
        hall.bet(1, (0, "main", 1000))
    hall.consent(1, 3).consent(2, double=False, split=False)
    all_bet(hall, 3)
    hall.consent(2)
    hall.consent(3, double=False, split=True)
    assert [hall.part(player).consent for player in (1, 2, 3)] == [(True, True), (True, True), (False, True)]
    hall.until("closing").consent(1, double=False, split=False)
    hall.until("payout")
    assert (acted(hall), hall.money(1, 2, 3)) == (["double"], [12_000, 12_000, 11_000])
    all_bet(hall.next("betting"), 3)
    hall.until("payout")
    assert hall.money(1, 2, 3) == [13_000, 14_000, 12_000]


def test_an_answer_given_before_sitting_down_is_in_force(open_hall: OpenHall) -> None:
    """Player 2 answers while looking on, sits down in the betting, and follows the double: 20.00 won."""
    hall = crowd(open_hall, DOUBLE, players=2, threshold=9)
    hall.leave(2)
    hall.consent(2)
    hall.sit(2)
    all_bet(hall, 2)
    hall.until("payout")
    assert hall.money(1, 2) == [BROUGHT + 1000, BROUGHT + 2000]


@pytest.mark.rule("MAJ-13")
def test_late_comers_wait_and_who_places_nothing_sits_out(open_hall: OpenHall) -> None:
    """Player 2 has no bet; player 3 sits down in the round, player 4 when bets are closed: they bet in the next."""
    hall = open_hall("majority-eu", WIN * 2, players=4).bring_in({1: (), 2: ()}).until("betting")
    hall.come(3, 4).consent(1, 2, 3, 4)
    hall.bet(1, (0, "main", 1000))
    hall.until("closing").sit(4)
    hall.until("decisions").sit(3)
    for player in (3, 4):
        with hall.refuses("bet/late"):
            hall.bet(player, (0, "main", 1000))
        with hall.refuses("player/unknown"):
            hall.vote(player, "stand")
    hall.until("payout")
    assert hall.played == [(1, 1000, 2000, False)]
    assert hall.money(1, 2, 3, 4) == [11_000, BROUGHT, BROUGHT, BROUGHT]
    all_bet(hall.next("betting"), 4)
    hall.until("payout")
    assert hall.money(1, 2, 3, 4) == [12_000, 11_000, 11_000, 11_000]


@pytest.mark.rule("MAJ-14")
def test_box_one_comes_before_box_two(open_hall: OpenHall) -> None:
    """In dealing and in decisions; in the second round only the second box is staked and dealt."""
    hall = crowd(open_hall, "10 10 9 9 8 8 " + WIN, players=1)
    hall.bet(1, (0, "main", 1000), (1, "main", 1000))
    hall.until("payout")
    assert [event.spot for event in hall.heard(CardDealt)] == [0, 1, DEALER, 0, 1, DEALER]
    assert [(event.spot, event.hand) for event in hall.heard(TurnStarted)] == [(0, 0), (1, 0)]
    hall.forget()
    hall.next("betting").bet(1, (1, "main", 1000))
    hall.until("payout")
    assert [event.spot for event in hall.heard(CardDealt)] == [1, DEALER, 1, DEALER]


# Votes (MAJ-20..23)


@pytest.mark.rule("MAJ-20")
def test_votes_decide_each_step_of_a_hand(open_hall: OpenHall) -> None:
    """Five players have 2 3 under a 9, 8 s for each vote.

    Three of five for a card close the first vote: 3 - 0 is more than the two still out. A margin of 2 - 1 is not more
    than the two still out: the second vote runs to its timer, and the most votes win. At the third all have voted:
    more than half stand. Cards 4 and 8 make 17 against 9 8.
    """
    hall = all_bet(crowd(open_hall, "2 9 3 4 8 8", players=5), 5).until("decisions")
    assert hall.left == 8
    hall.vote(1, "hit")
    hall.vote(2, "hit")
    assert (hall.left, hall.view.crowd.tally) == (8, (("hit", 2),))
    hall.vote(3, "hit")
    assert hall.left == 0
    hall.tick()
    assert (acted(hall), hall.left) == (["hit"], 8 + hall.pace)
    assert hall.view.crowd.tally == ()
    hall.vote(4, "hit")
    hall.vote(1, "stand")
    hall.vote(2, "hit")
    hall.pass_time(7.9 + hall.pace)
    assert acted(hall) == ["hit"]
    hall.pass_time(0.1)
    assert (acted(hall), hall.cards(0), hall.left) == (["hit", "hit"], 4, 8 + hall.pace)
    for player in (1, 3):
        hall.vote(player, "stand")
    for player in (2, 4):
        hall.vote(player, "hit")
    assert hall.left == 8 + hall.pace
    hall.vote(5, "stand")
    assert hall.left == 0
    hall.until("payout")
    assert acted(hall) == ["hit", "hit", "stand"]
    assert [event.tally for event in hall.heard(Acted)] == [
        (("hit", 3),),
        (("hit", 2), ("stand", 1)),
        (("stand", 3), ("hit", 2)),
    ]
    assert hall.money(1, 2, 3, 4, 5) == 5 * [BROUGHT]


def test_nine_of_twenty_beat_six_and_five(open_hall: OpenHall) -> None:
    """Nobody has more than half. After 9, 6 and 2 votes the three still out could make it a tie, after one more not."""
    hall = all_bet(crowd(open_hall, "6 9 5 10 8", players=20), 20).until("decisions")
    counts: list[tuple[Action, int]] = [("stand", 9), ("double", 6), ("hit", 5)]
    votes = [action for action, count in counts for _ in range(count)]
    for player, action in enumerate(votes, 1):
        assert hall.left == (8 if player <= 18 else 0)
        hall.vote(player, action)
    hall.tick()
    assert hall.heard(Acted) == [Acted(0, 0, "stand", tally=(("stand", 9), ("double", 6), ("hit", 5)))]


def test_a_margin_that_only_equals_the_votes_still_out_waits(open_hall: OpenHall) -> None:
    """Two of four: the other two could make it a tie."""
    hall = all_bet(crowd(open_hall, TWELVE + "10 5", players=4), 4).until("decisions")
    hall.vote(1, "stand")
    hall.vote(2, "stand")
    assert hall.left == 8
    hall.depart(4)
    assert hall.left == 0


@pytest.mark.rule("MAJ-21")
@pytest.mark.parametrize(
    "votes",
    [(), ((1, "stand"), (2, "double")), ((1, "stand"), (2, "hit"), (3, "double"))],
    ids=["silence", "tie of others", "tie with it"],
)
def test_a_tie_and_silence_go_to_best_strategy(
    open_hall: OpenHall, votes: tuple[tuple[int, Action], ...]
) -> None:
    """10 2 under a 10 takes a card, whatever the tie is between; those who did not vote follow: 22, all lose."""
    hall = all_bet(crowd(open_hall, TWELVE + "10", players=4), 4).until("decisions")
    for player, action in votes:
        hall.vote(player, action)
    hall.pass_time(8)
    assert acted(hall) == ["hit"]
    hall.until("payout")
    assert hall.money(1, 2, 3, 4) == 4 * [9_000]


def test_one_who_does_not_vote_follows_the_others(open_hall: OpenHall) -> None:
    """Player 1 votes for a card on 12 at the end of the time, the others say nothing: a 9 makes 21 of all hands."""
    hall = all_bet(crowd(open_hall, TWELVE + "9 10"), 3).until("decisions")
    hall.vote(1, "hit")
    hall.until("payout")
    assert hall.money(1, 2, 3) == 3 * [11_000]


@pytest.mark.rule("MAJ-22")
def test_who_may_vote_for_what(open_hall: OpenHall) -> None:
    """Players 1 to 3 are on box 0, 4 is on box 1 only; 5 on box 0 lost the connection long ago and is not counted.

    One vote each, final, for what the hand allows, at its time.
    """
    hall = crowd(open_hall, "10 9 10 2 9 8 8", players=5)
    all_bet(hall, 3)
    hall.bet(4, (1, "main", 1000))
    hall.bet(5, (0, "main", 1000))
    hall.go(5)
    hall.until("decisions")
    before = hall.live.play.turn
    with hall.refuses("vote/no-stake"):
        hall.vote(4, "hit")
    for action in ("split", "surrender"):
        with hall.refuses("action/not-legal"):
            hall.vote(1, action)
    with hall.refuses("command/stale"):
        hall.vote(1, "hit", turn=before - 1)
    hall.vote(1, "hit")
    assert (hall.part(1).vote, hall.part(2).vote) == ("hit", None)
    with hall.refuses("vote/final"):
        hall.vote(1, "stand")
    hall.vote(2, "stand")
    assert (hall.left, hall.view.crowd.tally) == (8, (("hit", 1), ("stand", 1)))
    hall.vote(3, "hit")
    assert hall.left == 0  # the one who is away could not vote
    hall.tick()
    with hall.refuses("command/stale"):
        hall.vote(2, "stand", turn=before)
    assert hall.part(1).vote is None


def test_one_who_leaves_is_not_waited_for_and_may_vote_when_back(open_hall: OpenHall) -> None:
    """One who lost the connection is."""
    hall = all_bet(crowd(open_hall, TWELVE + "2 10"), 3).until("decisions")
    hall.vote(1, "hit")
    hall.vote(2, "stand")
    hall.go(3)
    assert hall.left == 8
    hall.come(3)
    hall.depart(3)
    assert hall.left == 0  # one each: Best Strategy takes a card
    hall.come(3)
    hall.vote(3, "stand")
    hall.tick()
    assert acted(hall) == ["stand"]


def test_a_vote_stands_when_its_player_goes(open_hall: OpenHall) -> None:
    hall = all_bet(crowd(open_hall, TWELVE + "10"), 3).until("decisions")
    hall.vote(1, "stand")
    hall.depart(1, 2, 3)
    assert hall.left == 0
    hall.tick()
    assert acted(hall) == ["stand"]


def test_in_best_strategy_nobody_hastens_the_cards_by_going(open_hall: OpenHall) -> None:
    """What the dealer shows takes its time, whoever leaves meanwhile."""
    hall = all_bet(crowd(open_hall, TWELVE + "2 10", players=2), 2).until("decisions")
    assert hall.left == 0.6
    hall.go(2)
    assert hall.left == 0.6


@pytest.mark.rule("MAJ-23")
def test_poor_and_unwilling_players_vote_all_the_same(open_hall: OpenHall) -> None:
    """Players 1 and 2 said no, player 2 has staked everything; both vote for the double, and it is done.

    Player 1 voted for it: 10.00 + 10.00 win 20.00. Player 2 cannot pay: 100.00 win 100.00. Player 3 said no and voted
    for a card: 10.00 win 10.00. 21 against 17.
    """
    hall = crowd(open_hall, DOUBLE)
    for player, stake in ((1, 1000), (2, 10_000), (3, 1000)):
        hall.bet(player, (0, "main", stake))
    hall.until("decisions").vote(2, "double")
    hall.vote(3, "hit")
    hall.vote(1, "double")
    hall.until("payout")
    assert hall.heard(Acted) == [Acted(0, 0, "double", tally=(("double", 2), ("hit", 1)))]
    assert hall.money(1, 2, 3) == [12_000, 20_000, 11_000]


# What others staked (PLT-71)


@pytest.mark.rule("PLT-71", "MAJ-10")
def test_everybody_sees_how_much_is_staked_on_each_box_and_side_bet(open_hall: OpenHall) -> None:
    """In sums, for any number of players; golden chips count at face value, what went back does not."""
    hall = open_hall("majority-eu", "10 9 9 9 10 10 ", players=3)
    hall.grant(3, {500: 1})
    hall.come(3)
    hall.sit(3, golden={500: 1})
    hall.bring_in({1: (), 2: ()}).consent(1, 2, 3).until("betting")
    hall.bet(1, (0, "main", 1000), (0, "buster", 100))
    hall.bet(2, (0, "main", 400), (0, "buster", 50), (1, "main", 300))
    hall.bet(3, Bet(0, "main", 0, (500,)))
    assert not hall.view.stakes
    hall.until("dealing")
    assert hall.view.stakes == (
        SpotStakes(0, (StakeSum("main", 3, 1900), StakeSum("buster", 1, 100))),
        SpotStakes(1, (StakeSum("main", 1, 300),)),
    )
    hall.restart()
    assert [spot.sums[0].amount for spot in hall.view.stakes] == [1900, 300]
    hall.until("payout")
    assert not hall.view.stakes


# Best Strategy (MAJ-30)


@pytest.mark.rule("MAJ-30")
@pytest.mark.parametrize(
    ("game", "cards", "actions"),
    [
        ("majority-eu", "6 9 5 10 8", ["double"]),
        ("majority-eu", "10 10 2 4 10 7", ["hit", "hit"]),
        ("majority-eu", "10 6 2 10 10", ["stand"]),
        ("majority-eu", "8 9 8 10 10 8", ["split", "stand", "stand"]),
        ("majority-eu", "A 10 7 2 7", ["hit", "stand"]),
        ("majority-eu", "A A A 9 7", ["hit"]),
        ("majority-us", "A A A 7 10 10", ["split"]),
    ],
)
def test_below_the_threshold_the_table_decides(
    open_hall: OpenHall, game: str, cards: str, actions: list[Action]
) -> None:
    """Everything but insurance, one step after the other, with nobody asked; aces under an ace differ by style.

    16 of three cards under a 10 takes another, soft 18 under a 10 takes a card and soft 20 stands.
    """
    hall = open_hall(game, cards, players=2).bring_in({1: (), 2: ()}).consent(1, 2).until("betting")
    all_bet(hall, 2)
    hall.until("decisions")
    while hall.phase == "decisions":
        with hall.refuses("vote/none"):
            hall.vote(1, "stand")
        assert hall.left <= 1.8  # two cards of a split are shown
        hall.tick()
    assert acted(hall) == actions


# Following the box (MAJ-40..44)


@pytest.mark.rule("MAJ-40", "MAJ-41", "MAJ-42", "MAJ-43")
def test_who_follows_a_split(open_hall: OpenHall) -> None:
    """8 8 under a 9. Player 1 agreed; 2 did not; 3 did not but votes for the split; 4 agreed and has no money left.

    The right hand gets a 10, the left one a 9: 18 and 17 against 9 9 = 18. Right pushes, left loses: 1 and 3 lose
    their second 10.00. All four vote on the right hand, 1 and 3 alone on the left.
    """
    hall = crowd(open_hall, EIGHTS + "10 9 9", players=4)
    hall.consent(1, 4)
    for player, stake in ((1, 1000), (2, 1000), (3, 1000), (4, 10_000)):
        hall.bet(player, (0, "main", stake))
    hall.until("decisions").vote(3, "split")
    hall.vote(1, "split")
    hall.vote(2, "hit")
    hall.vote(4, "split")
    hall.tick()
    assert hall.hand == (0, 0)
    assert hall.money(1, 2, 3, 4) == [8_000, 9_000, 8_000, 0]
    assert (hall.phase, hall.left) == ("decisions", 8 + 2 * hall.pace)
    for player in (1, 2, 3):
        hall.vote(player, "stand")
    hall.tick()
    assert hall.hand == (0, 1)
    for player in (2, 4):
        with hall.refuses("vote/no-stake"):
            hall.vote(player, "stand")
    hall.vote(1, "stand")
    assert hall.left == 8
    hall.vote(3, "stand")
    assert hall.left == 0
    hall.until("payout")
    assert hall.money(1, 2, 3, 4) == [9_000, BROUGHT, 9_000, BROUGHT]


@pytest.mark.rule("MAJ-44")
def test_what_nobody_pays(open_hall: OpenHall) -> None:
    """Nobody agreed: Best Strategy splits 8 8, and the left hand gets no card; the right one's 18 loses against 19.

    Then it doubles 11: one card, 21, and everyone stands with 10.00, which win.
    """
    hall = all_bet(crowd(open_hall, EIGHTS + "10 10 " + DOUBLE, players=2), 2)
    hall.until("payout")
    assert acted(hall) == ["split", "stand"]
    assert HandEnded(0, 1, "unstaked", 8) in hall.heard(HandEnded)
    assert [event.hand for event in hall.heard(CardDealt) if event.spot == 0] == [0, 0, 0]
    assert hall.money(1, 2) == 2 * [9_000]
    all_bet(hall.next("betting"), 2)
    hall.until("payout")
    assert acted(hall)[2:] == ["double"]
    assert hall.money(1, 2) == 2 * [BROUGHT]


# Insurance (MAJ-03, MAJ-09)


@pytest.mark.rule("MAJ-03")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_insurance_is_everyones_own_whatever_the_mode(open_hall: OpenHall, game: str) -> None:
    """Box 0 votes, box 1 does not; under the ace each of four players is asked for half the stake.

    The dealer has a blackjack: US at once, EU after the decisions. 20 on both boxes loses; who insured has as much as
    before: 1 and 4; who refused or said nothing loses 10.00.
    """
    hall = (
        open_hall(game, "10 10 A 10 10 K", players=4)
        .bring_in({1: (), 2: (), 3: (), 4: ()})
        .consent(1, 2, 3, 4)
    )
    all_bet(hall.until("betting"), 3)
    hall.bet(4, (1, "main", 1000))
    hall.until("insurance")
    assert hall.heard(InsuranceOffered) == [InsuranceOffered(None, 0)]
    assert {1, 2, 3, 4} <= set(hall.touched)
    assert [hall.offers(player) for player in (1, 4)] == [{0: 500}, {1: 500}]
    hall.insure(1, True)
    hall.insure(2, False)
    hall.insure(4, True)
    assert (hall.phase, hall.left) == ("insurance", 8)
    hall.stop_at("dealer")
    hall.tick()
    assert hall.phase == ("dealer" if game == "majority-us" else "decisions")
    hall.until("payout")
    assert hall.money(1, 2, 3, 4) == [BROUGHT, 9_000, 9_000, BROUGHT]


def test_where_the_operator_offers_none_there_is_no_window(open_hall: OpenHall) -> None:
    """US: the dealer looks all the same, and has a blackjack."""
    options = TableOptions(insurance=False)
    hall = open_hall("majority-us", "10 A 10 K", players=1, options=options).bring_in({1: ()}).consent(1)
    hall.until("betting").bet(1, (0, "main", 1000))
    hall.until("payout")
    assert "insurance" not in hall.phases
    assert acted(hall) == []
    assert hall.money(1) == [9_000]


@pytest.mark.rule("MAJ-09")
def test_one_answer_for_both_boxes(open_hall: OpenHall) -> None:
    """10.00 on box 0 and 6.00 on box 1 are insured together for 8.00; nobody else is there: the window closes.

    19 and 20 against A 9 = 20: 10.00 and 8.00 lost, 6.00 back.
    """
    hall = crowd(open_hall, "10 10 A 9 10 9", players=1)
    hall.bet(1, (0, "main", 1000), (1, "main", 600))
    hall.until("insurance")
    with hall.refuses("offer/one-answer"):
        hall.live.insure(hall.live.play.code, hall.live.play.turn, Insure("1", True, 0))
    hall.insure(1, True)
    assert (hall.phase, hall.money(1)) == ("decisions", [7_600])
    with hall.refuses("table/not-now"):
        hall.insure(1, False)
    hall.until("payout")
    assert hall.money(1) == [8_200]


def test_a_second_answer_is_refused(open_hall: OpenHall) -> None:
    hall = all_bet(crowd(open_hall, "10 A 10 9", players=2), 2).until("insurance")
    hall.insure(1, True)
    with hall.refuses("offer/none"):
        hall.insure(1, False)
    hall.depart(2)
    assert hall.left == 0


# Betting, leaving (MAJ-60, MAJ-61)


@pytest.mark.rule("MAJ-60")
def test_a_timer_bounds_betting_and_everything_is_paid_at_the_end(open_hall: OpenHall) -> None:
    """MAJ-60: several chips on several spots at once. 10s 10h is a pair, the dealer's 9 8 none.

    Main bets of 10.00 and 5.00 win 15.00, the coloured pair is paid with them at the end.
    """
    hall = crowd(open_hall, "10s 10s 9 10h 9 8", players=1)
    assert hall.left == 15
    hall.bet(1, (0, "main", 1000), (1, "main", 500), (0, "player-pair", 100), (1, "dealer-pair", 100))
    assert (hall.money(1), hall.escrow) == ([8_300], 1_700)
    hall.until("closing")
    assert hall.words[-1] == "no-more-bets"
    with hall.refuses("bet/late"):
        hall.bet(1)
    hall.until("dealing")
    assert hall.money(1) == [8_300]
    while not hall.played:
        assert (hall.money(1), hall.escrow) == ([8_300], 1_700)
        hall.tick()
    (played,) = hall.played
    assert hall.money(1) == [8_300 + int(str(played[2]))]
    assert hall.live.play.paid["1"].paid == played[2]
    assert {event.why: event.paid for event in hall.live.play.results["1"] if event.spot == 0} == {
        "initial": 2000,
        "player-pair": 700,
    }


@pytest.mark.rule("MAJ-61", "PLT-31")
def test_who_leaves_keeps_bets_and_consent(open_hall: OpenHall) -> None:
    """Player 1 leaves and 2 loses the connection, both with bets, when betting opens: neither votes or insures.

    11 under the ace: player 3 alone is there, refuses insurance and votes for the double. Player 2 could come back and
    insure until the window's end, and would be counted for the vote up to 15 s after the loss. Player 1 and 2 agreed to
    the double and pay it: 21 against A 6 = 17. Each has 20.00 more; player 1 takes 120.00 home when the round is over.
    """
    hall = crowd(open_hall, "6 A 5 10 6").consent(1, 2, 3)
    all_bet(hall, 3)
    hall.leave(1)
    assert hall.part(1).leaving
    hall.go(1, 2)
    hall.until("insurance")
    hall.insure(3, False)
    assert (hall.phase, hall.left) == ("insurance", 8)
    hall.tick()
    assert hall.left == 8
    hall.vote(3, "double")
    assert hall.left == 0
    hall.until("payout")
    assert hall.heard(Acted) == [Acted(0, 0, "double", tally=(("double", 1),))]
    assert hall.money(1, 2, 3) == 3 * [12_000]
    hall.next("betting")
    assert hall.account(1) == 90_000 + 12_000
    assert "1" not in hall.live.table.sittings
    hall.come(2)
    assert hall.part(2).consent == (True, True)
    hall.bet(2, (0, "main", 1000))
    assert hall.part(2).bets == (Bet(0, "main", 1000),)
