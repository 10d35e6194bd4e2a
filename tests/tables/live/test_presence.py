"""A lost connection costs nothing: no window is shortened, and who is back in time decides (PLT-31, FRB-26, MAJ-61)."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest

from sabot.engine.events import Acted
from sabot.games.options import TableOptions
from sabot.server.tables.live import LiveAdapter
from sabot.tables.live.events import CrowdCounted
from sabot.tables.live.timers import Timers
from tests.support.live_hall import BROUGHT, DEPOSITED, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

GAMES = pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
#: 6 5 under an ace, which a free double makes 21 with the 10; the dealer has 17.
ELEVEN = {"freebet": "6 A 5 6 10 ", "majority-us": "6 A 5 6 10 ", "majority-eu": "6 A 5 10 6 "}
#: How long each window is.
WINDOWS = {"betting": 15, "insurance": 8, "decisions": 12, "vote": 8}


@pytest.mark.rule("PLT-72")
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_who_looks_on_for_the_house_counts_with_money_at_the_table_only(
    open_hall: OpenHall, game: str
) -> None:
    hall = open_hall(game)
    hall.come(1)
    hall.do(lambda: hall.live.enter("2", "boss", staff=True))
    adapter = LiveAdapter(hall.live)
    assert (hall.live.attendance.headcount(), adapter.head().humans) == ((1, 0), 1)
    hall.sit(2, bring=BROUGHT)
    assert (hall.live.attendance.headcount(), adapter.head().humans) == ((2, 0), 2)
    hall.leave(2)
    assert (hall.live.attendance.headcount(), adapter.head().humans) == ((1, 0), 1)


def away(hall: Hall, seconds: float) -> None:
    """The connection of player 1 is lost, and back after so long."""
    hall.go(1)
    hall.pass_time(seconds)
    hall.come(1)


def reload(hall: Hall) -> None:
    """The page is loaded again: for half a second there is none."""
    away(hall, 0.5)


def blip(hall: Hall) -> None:
    """The line is gone for a second, and once more right after."""
    away(hall, 1)
    away(hall, 1)


def second_page(hall: Hall) -> None:
    """The page is opened once more before the first is closed."""
    hall.come(1)
    hall.go(1)


def restart(hall: Hall) -> None:
    """The house is killed and opened again; player 1 is back after two seconds."""
    hall.restart(2, 3)
    hall.pass_time(2)
    hall.come(1)


Loss = Callable[[Hall], None]
LOSSES = pytest.mark.parametrize("lose", [reload, blip, second_page, restart], ids=lambda lose: lose.__name__)


def scene(open_hall: OpenHall, game: str) -> Hall:
    """Player 1 has the first seat, or is on the first box with two others who say nothing; betting is open."""
    hall = open_hall(game, ELEVEN[game] * 2, options=TableOptions(vote_threshold=3))
    hall.bring_in({1: (0,) if game == "freebet" else (), 2: (), 3: ()})
    hall.consent(1, 2, 3, double=True, split=False).until("betting")
    hall.bet(1, (0, "main", 1000))
    for player in (2, 3):
        hall.bet(player, (0, "behind" if game == "freebet" else "main", 1000))
    return hall


def window(hall: Hall) -> float:
    """The seconds of the window that is open."""
    kind = "vote" if hall.phase == "decisions" and hall.live.table.rules.backing == "boxes" else hall.phase
    return WINDOWS[kind]


@pytest.mark.rule("PLT-31", "FRB-26", "FRB-29", "MAJ-61")
@GAMES
@LOSSES
@pytest.mark.parametrize("phase", ["betting", "insurance", "decisions"])
def test_who_is_back_in_time_decides(open_hall: OpenHall, game: str, lose: Loss, phase: str) -> None:
    """In every window, for every way to lose the connection: its end is where it was, and the answer counts.

    After a restart of the house the window is a whole one.
    """
    hall = scene(open_hall, game).until(phase)  # type: ignore[arg-type]
    end = hall.clock.steady + window(hall)
    lose(hall)
    assert hall.phase == phase
    assert hall.live.phases.due is not None
    assert hall.live.phases.due == pytest.approx(end)
    assert hall.part(1).consent == (True, False)
    if phase == "betting":
        hall.bet(1, (0, "main", 2000))
        assert hall.money(1) == [BROUGHT - 2000]
    elif phase == "insurance":
        hall.insure(1, True)
        assert hall.money(1) == [BROUGHT - 1500]
    elif game == "freebet":
        hall.play(1, "double")
        hall.until("payout")
        assert hall.money(1) == [BROUGHT + 2000]  # the double was free
    else:
        for player in (1, 2, 3):
            hall.vote(player, "stand")
        assert hall.left == 0


@pytest.mark.rule("PLT-31", "FRB-26", "FRB-31", "MAJ-22")
@GAMES
@pytest.mark.parametrize("phase", ["betting", "insurance", "decisions"])
def test_who_is_gone_for_good_has_every_window_all_the_same(
    open_hall: OpenHall, game: str, phase: str
) -> None:
    """The one who can answer is gone from its beginning: the window runs to its end, and then the clock decides.

    Insurance is refused; 11 takes the 10, and the 21 stands.
    """
    hall = scene(open_hall, game).until(phase)  # type: ignore[arg-type]
    hall.go(1, 2, 3)
    for expected in [name for name in WINDOWS if name != "vote"][list(WINDOWS).index(phase) :]:
        hall.until(expected)  # type: ignore[arg-type]
        assert hall.left == window(hall), expected
    hall.until("payout")
    assert {event.action for event in hall.heard(Acted)} <= {"hit", "double"}
    assert hall.ends[0] == "settled"
    hall.until("idle")
    hall.pass_time(1800)
    assert hall.live.table.sittings == {}
    assert hall.live.attendance.players == {}


@pytest.mark.rule("MAJ-22", "MAJ-61")
def test_a_vote_waits_for_those_who_lost_the_connection_within_the_grace(open_hall: OpenHall) -> None:
    """Two have voted for different things. The third went just now: the vote runs on. Long ago: it is over."""
    hall = scene(open_hall, "majority-us")
    hall.until("decisions").go(3)
    hall.vote(1, "stand")
    hall.vote(2, "hit")
    assert hall.left == 8
    hall.pass_time(7)
    hall.come(3)
    hall.vote(3, "hit")
    assert hall.left == 0
    hall.next("betting").consent(1, 2, 3)
    for player in (1, 2, 3):
        hall.bet(player, (0, "main", 1000))
    hall.go(3)  # at the opening of the bets: 15 s before the close
    hall.until("decisions").vote(1, "stand")
    hall.vote(2, "hit")
    assert hall.left == 0


@pytest.mark.rule("PLT-31")
def test_the_grace_is_the_operators(open_hall: OpenHall) -> None:
    """With none, one without a connection is not there at once: the table rests after the betting."""
    assert Timers().grace == 15
    for grace, opened in ((0, 1), (20, 2)):
        hall = open_hall("freebet", ELEVEN["freebet"], players=1, timers=Timers(grace=grace))
        hall.bring_in({1: (0,)}).until("betting").go(1)
        hall.until("idle")
        assert (hall.words.count("place-your-bets"), hall.view.crowd.players) == (opened, 0)


@pytest.mark.rule("PLT-31", "FRB-24")
@pytest.mark.parametrize("lose", [reload, blip, second_page], ids=lambda lose: lose.__name__)
def test_iniziare_ora_stands_over_a_reload(open_hall: OpenHall, lose: Loss) -> None:
    hall = open_hall("freebet", ELEVEN["freebet"], players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.start(1)
    lose(hall)
    assert hall.part(1).started
    with hall.refuses("bet/final"):
        hall.bet(1)
    assert hall.left > 0  # the other has a seat too
    hall.bet(2, (1, "main", 1000))
    hall.start(2)
    assert hall.left == 0


def test_what_was_decided_in_advance_stands_over_a_reload(open_hall: OpenHall) -> None:
    hall = scene(open_hall, "freebet").until("insurance")
    hall.wish(1, 0, "double")
    reload(hall)
    assert hall.part(1).wishes == {0: "double"}
    hall.until("payout")
    assert [event.action for event in hall.heard(Acted)] == ["double"]


@pytest.mark.rule("MAJ-12")
def test_an_answer_given_while_looking_on_stands_over_a_reload(open_hall: OpenHall) -> None:
    """One who has not sat down yet is remembered as long as the connection counts, and no longer."""
    hall = open_hall("majority-eu", players=2).bring_in({1: ()}).come(2).consent(2)
    hall.go(2)
    hall.pass_time(5)
    hall.come(2)
    assert hall.part(2).consent == (True, True)
    hall.go(2)
    hall.pass_time(60)
    assert "2" not in hall.live.attendance.players


@pytest.mark.rule("FRB-20")
def test_rounds_without_a_bet_are_counted_over_a_reload(open_hall: OpenHall) -> None:
    """Two rounds without a bet, a reload, and a third: the seat is lost."""
    hall = open_hall("freebet", ELEVEN["freebet"] * 4, players=2).bring_in({1: (0,), 2: (1,)})
    for number in range(3):
        hall.until("betting").bet(2, (1, "main", 1000))
        hall.until("payout")
        assert hall.part(1).seats == (0,)
        if number == 1:
            reload(hall)
    hall.next("betting")
    assert hall.part(1).seats == ()


# Seats and money of those who are gone


@pytest.mark.rule("FRB-20", "PLT-04")
def test_a_seat_and_its_money_do_not_wait_for_one_who_is_gone(open_hall: OpenHall) -> None:
    """Others play three rounds: the seat is free, and the money back in the account. One who is there keeps the money."""
    hall = open_hall("freebet", ELEVEN["freebet"] * 4).bring_in({1: (0,), 2: (1,), 3: (2,)}).until("betting")
    hall.go(1)
    for _ in range(3):
        hall.until("betting").bet(2, (1, "main", 1000))
        hall.until("payout")
    assert [seat.spot for seat in hall.view.seats] == [0, 1, 2]
    hall.next("betting")
    assert [seat.spot for seat in hall.view.seats] == [1]
    assert set(hall.live.table.sittings) == {"2", "3"}
    assert hall.account(1) == DEPOSITED
    assert hall.view.crowd.players == 2


@pytest.mark.rule("FRB-20", "PLT-04")
def test_at_a_table_where_nobody_plays_seats_are_freed_too(open_hall: OpenHall) -> None:
    """Seven who closed their pages would keep everyone from sitting down: after 15 s and three times 15 s they do not."""
    hall = open_hall("freebet", ELEVEN["freebet"], players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.go(1, 2)
    hall.pass_time(59)
    assert (hall.phase, len(hall.view.seats), hall.view.crowd.players) == ("idle", 2, 0)
    hall.pass_time(1)
    assert (hall.view.seats, hall.live.table.sittings, hall.live.attendance.players) == ((), {}, {})
    assert [hall.account(player) for player in (1, 2)] == [DEPOSITED, DEPOSITED]


@pytest.mark.rule("PLT-44")
@pytest.mark.parametrize("game", ["freebet", "majority-eu"])
def test_programs_are_counted_beside_people(open_hall: OpenHall, game: str) -> None:
    hall = open_hall(game, players=3).come(1)
    for bot in ("2", "3"):
        hall.do(partial(hall.live.enter, bot, "bot", bot=True))
    assert (hall.view.crowd.players, hall.view.crowd.bots) == (1, 2)
    hall.do(hall.live.show_crowd)
    assert hall.heard(CrowdCounted)[-1] == hall.view.crowd


@pytest.mark.rule("PLT-44")
def test_the_lobby_shows_who_holds_which_seat_and_how_the_dealer_s_last_hands_ended(
    open_hall: OpenHall,
) -> None:
    """The first dealer has 9 8, the second 10 6 and a ten: the newest stands first, eight are kept."""
    hall = open_hall("freebet", "10 9 10 8 " + "10 J Q 6 K 10h Jh Qh 6h Kh " * 5, players=2)
    adapter = LiveAdapter(hall.live)
    hall.bring_in({1: (0,)})
    hall.do(partial(hall.live.enter, "2", "bot", bot=True))
    hall.sit(2, 3)
    head = adapter.head()
    assert (head.held, head.taken, head.results) == (("person", None, None, "bot", None, None, None), 2, ())
    for shown in ([(17, False)], [(26, True), (17, False)]):
        hall.next("betting").bet(1, (0, "main", 1000))
        hall.until("decisions").play(1, "stand")
        hall.until("payout")
        assert [(hand.total, hand.bust) for hand in adapter.head().results] == shown
    for _ in range(7):
        hall.next("betting").bet(1, (0, "main", 1000))
        hall.until("decisions").play(1, "stand")
        hall.until("payout")
    assert [hand.bust for hand in adapter.head().results] == [True] * 8
