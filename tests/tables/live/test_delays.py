"""The delay of the video: who sees the cards later has as long to decide as the rules give (STU-24)."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sabot.games.options import TableOptions
from tests.support.live_hall import Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True


def with_video(hall: Hall) -> Hall:
    """The hall's table has a video of one quality."""
    terms = replace(hall.live.terms.next(), video=("720",))
    hall.live.terms.next = lambda: terms
    hall.live.terms.used = terms
    return hall


@pytest.mark.rule("STU-24")
def test_a_seat_has_its_own_delay_on_top_of_its_time(open_hall: OpenHall) -> None:
    """12 s for a decision; the player of seat 0 sees cards 1.8 s late, that of seat 1 more than the most, 4 s."""
    hall = with_video(open_hall("freebet", "10 6 9 10 5 8 10", players=3))
    hall.bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.come(3)
    for player, delay in (("1", 1_800), ("2", 9_000), ("3", 4_000)):
        hall.live.tell_delay(player, delay)
    hall.bet(1, (0, "main", 1000))
    hall.bet(2, (1, "main", 1000))
    hall.until("decisions")
    assert (hall.hand, hall.left) == ((0, 0), 13.8)
    hall.play(1, "stand")
    assert (hall.hand, hall.left) == ((1, 0), 16.0)
    hall.live.tell_delay("2", 0)  # it holds from the next window on
    assert hall.left == 16.0


@pytest.mark.rule("STU-24")
def test_a_vote_waits_for_the_latest_of_those_who_may_vote(open_hall: OpenHall) -> None:
    """8 s for a vote: player 1 is 0.5 s late, player 2 is 2 s late; player 4 has no stake, player 3 has left the table."""
    hall = open_hall("majority-eu", "10 10 2 ", players=4, options=TableOptions(vote_threshold=2))
    with_video(hall).bring_in(dict.fromkeys((1, 2, 3, 4), ())).consent(1, 2, 3, 4, double=False, split=False)
    hall.until("betting")
    for player, delay in (("1", 500), ("2", 2_000), ("3", 4_000), ("4", 3_000)):
        hall.live.tell_delay(player, delay)
    for backer in (1, 2, 3):
        hall.bet(backer, (0, "main", 1000))
    hall.until("dealing")
    hall.live.exit("3")
    hall.until("decisions")
    assert hall.left == 10.0


@pytest.mark.rule("STU-24")
def test_insurance_waits_for_the_latest_who_is_asked(open_hall: OpenHall) -> None:
    """8 s for insurance under an ace; the player who is asked sees it 1.2 s late."""
    hall = with_video(open_hall("freebet", "10 A 9 8", players=2))
    hall.bring_in({1: (0,)}).until("betting")
    hall.live.tell_delay("1", 1_200)
    hall.bet(1, (0, "main", 1000))
    hall.until("insurance")
    assert hall.left == 9.2


def test_a_table_without_video_takes_no_delay(open_hall: OpenHall) -> None:
    """Nobody gains time where there is nothing to see late."""
    hall = open_hall("freebet", "10 9 10 8", players=1)
    hall.bring_in({1: (0,)}).until("betting")
    with hall.refuses("video/none"):
        hall.live.tell_delay("1", 4_000)
    hall.bet(1, (0, "main", 1000))
    hall.until("decisions")
    assert hall.left == 12.0
