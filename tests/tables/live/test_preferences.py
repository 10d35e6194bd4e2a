"""What a player has set for every table: bets behind the own seats, and what the own bets behind follow (FRB-42, FRB-43)."""

from __future__ import annotations

import pytest

from sabot.tables.live.presence import Preferences
from tests.support.live_hall import Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

CLOSED = Preferences(allow_behind=False)
FOLLOWS = Preferences(follow=(True, False))


def prefer(hall: Hall, player: int, preferences: Preferences, *, changed: bool = True) -> None:
    """A player changes the settings, or comes with them."""
    hall.do(lambda: hall.live.seats.set_preferences(str(player), preferences, changed=changed))


def is_open(hall: Hall, seat: int) -> bool:
    """Whether others may bet behind a seat, as everyone sees it."""
    return next(view.behind for view in hall.view.seats if view.spot == seat)


@pytest.mark.rule("FRB-43", "PLT-43")
def test_the_ban_acts_at_the_seats_held(open_hall: OpenHall) -> None:
    """At once while no bet stands behind; with one, from the next round on. Taken back, the seats are open again."""
    hall = open_hall("freebet", "10 9 10 8 " * 2, players=2).bring_in({1: (0, 1), 2: ()}).until("betting")
    prefer(hall, 1, CLOSED)
    assert (is_open(hall, 0), is_open(hall, 1)) == (False, False)
    with hall.refuses("bet/behind-forbidden"):
        hall.bet(2, (0, "behind", 500))
    prefer(hall, 1, Preferences())
    hall.bet(2, (0, "behind", 500))
    prefer(hall, 1, CLOSED)
    assert (is_open(hall, 0), is_open(hall, 1)) == (True, False)
    hall.bet(1, (0, "main", 1000), (1, "main", 1000))
    hall.until("payout").next("betting")
    assert (is_open(hall, 0), is_open(hall, 1)) == (False, False)


def test_a_seat_is_taken_as_the_settings_say(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", players=1).come(1)
    prefer(hall, 1, CLOSED, changed=False)
    hall.sit(1, 3)
    assert not is_open(hall, 3)
    hall.until("betting")
    assert not is_open(hall, 3)


@pytest.mark.rule("FRB-42", "PLT-43")
def test_what_is_followed_is_not_forgotten_on_leaving(open_hall: OpenHall) -> None:
    """A new visit begins with the profile; an answer given at the table holds until the profile is changed."""
    hall = open_hall("freebet", players=1).come(1)
    prefer(hall, 1, FOLLOWS, changed=False)
    assert hall.part(1).consent == (True, False)
    hall.sit(1)
    hall.depart(1)
    hall.come(1)
    prefer(hall, 1, FOLLOWS, changed=False)
    assert hall.part(1).consent == (True, False)
    hall.consent(1, double=False, split=True)
    prefer(hall, 1, FOLLOWS, changed=False)
    assert hall.part(1).consent == (False, True)
    prefer(hall, 1, FOLLOWS)
    assert hall.part(1).consent == (True, False)


def test_boxes_ask_each_player_themselves(open_hall: OpenHall) -> None:
    """What is followed behind a seat says nothing of a box (MAJ-12)."""
    hall = open_hall("majority-eu", players=1).come(1)
    prefer(hall, 1, FOLLOWS)
    assert hall.part(1).consent is None
