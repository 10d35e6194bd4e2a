"""Changes from the back office, seen at the tables: two people, limits, switches, tables."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from sabot.server.config import OfficeConfig
from tests.browser.support.guest import visit
from tests.browser.support.live_house import TABLE
from tests.browser.support.live_room import OpenHall
from tests.browser.support.room import small
from tests.browser.support.staff import approve, operator, propose

pytestmark = pytest.mark.slow  # a browser


@pytest.mark.rule("OFF-02", "OFF-10", "OFF-16", "PLT-10")
def test_two_people_change_what_is_played(open_hall: OpenHall) -> None:
    """A limit changes while a round is open, a game is closed under play, a table is opened and taken away."""
    hall = open_hall("10s 6s 9h Kd 6d " + "10s 9h Kd 8c " * 3)
    ada = hall.player()
    ada.sit("100", 0)
    hall.house.until("betting")
    ada.stake(1000, "circle-0")
    ada.press("start-now")
    expect(ada.at("decide")).to_be_visible()
    sara, ugo = operator(hall, "sara", "supervisor", "/office/games"), operator(hall, "ugo", "administrator")

    # A limit, while the round is open: who proposes does not approve, and the open round keeps its own.
    expect(sara.at("change-large_win")).to_be_visible()
    expect(sara.at("change-alone_amount")).to_have_count(
        0
    )  # what binds administrators is theirs to change (OFF-17)
    sara.press(f"change-{TABLE}")
    sara.at("table-main-minimum").fill("20")
    propose(sara, "the evening begins")
    sara.sees("proposed", "attende un'altra persona")
    sara.go("/office/proposals/1")
    expect(sara.at("approve")).to_have_count(0)
    approve(ugo, "agreed")
    expect(ugo.at("differences")).to_contain_text("20,00")
    expect(ada.at("limits-box")).not_to_contain_text("20")
    ada.press("stand")
    hall.house.end("payout")
    hall.house.until("betting")
    expect(ada.at("limits-box")).to_contain_text("20")

    # The game is closed under play: the round is finished, and nothing new is taken.
    ada.stake(2500, "circle-0")
    ada.press("start-now")
    expect(ada.at("decide")).to_be_visible()
    ugo.go("/office/games")
    expect(ugo.at("change-alone_amount")).to_be_visible()
    ugo.press("switch-freebet-turn")
    expect(ugo.at("propose-window")).to_contain_text("Per chiudere basta una persona")
    propose(ugo, "something is wrong")
    ugo.sees("proposed", "in vigore")
    sara.go("/office/games")
    sara.sees("switch-freebet-state", "chiuso")
    sara.sees("switch-all-state", "aperti")
    sara.sees("switch-freebet-player-pair-state", "aperta")
    ada.press("stand")
    ada.sees("sum", "Hai vinto 25,00")
    hall.house.end("payout")
    hall.house.when(lambda live: live.phases.phase == "idle" and live.terms.used.closed == "game")

    # A table is opened from the page, and taken away again.
    sara.press("new-table")
    sara.at("table-name").fill("two")
    sara.at("table-game").select_option("majority-eu")
    # Bots that were written for a table of play money do not come to one for euros.
    sara.at("table-currency").select_option("FUN")
    sara.at("table-bots").fill("3")
    sara.at("table-currency").select_option("EUR")
    propose(sara, "one more table")
    approve(ugo, "good")
    ugo.go("/office/floor")
    expect(ugo.at("floor-two")).to_be_visible()
    ugo.go("/office/games")
    ugo.press("end-two")
    propose(ugo, "nobody came")
    approve(sara, "yes")
    sara.go("/office/floor")
    expect(sara.at(f"floor-{TABLE}")).to_be_visible()
    expect(sara.at("floor-two")).to_have_count(0)


@pytest.mark.rule("OFF-02")
def test_a_table_is_taken_away_under_play(open_hall: OpenHall) -> None:
    """The round is finished and the money goes back; the page says so and leads to the lobby, where closed games say why."""
    hall = open_hall("10s 9h Kd 8c", office=OfficeConfig(second_factor=False, two_people=False))
    ada = hall.player()
    ada.sit("100", 0)
    hall.house.until("betting")
    ada.stake(1000, "circle-0")
    ada.press("start-now")
    expect(ada.at("decide")).to_be_visible()
    ugo = operator(hall, "ugo", "administrator", "/office/games")
    ugo.press(f"end-{TABLE}")
    propose(ugo, "the room is needed")
    ugo.press("switch-surrender-turn")
    propose(ugo, "a question of the laboratory")
    ada.press("stand")
    ada.sees("sum", "Hai vinto 10,00")
    hall.house.end("payout")
    ada.sees("oops", "TAVOLO CHIUSO.*scegline un altro nella lobby.*110,00")
    ada.press("to-lobby")
    guest = visit(ada.page, hall.house)
    expect(guest.within("game-surrender", "closed")).to_contain_text("al momento è chiuso")
    expect(guest.within("game-link", "closed")).to_have_count(0)
    expect(ada.at(f"table-{TABLE}")).to_have_count(0)
    hall.check()


#: Counts the tones that are made.
_HEAR = """
window.tones = 0;
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...when) {
  window.tones += 1;
  return start.apply(this, when);
};
"""


@pytest.mark.rule("OFF-07")
def test_who_is_needed_is_seen_and_heard(open_hall: OpenHall) -> None:
    """A call, an alarm and a proposal show on any page of the office, ring, and lead there with one press."""
    hall = open_hall("10s 9h Kd 8c")
    piero = operator(hall, "piero", "presenter", f"/office/floor/{TABLE}")
    ugo = operator(hall, "ugo", "administrator")
    sara = operator(hall, "sara", "supervisor")
    sara.page.add_init_script(_HEAR)
    sara.page.clock.install()
    sara.open("/office/reports")
    expect(sara.at("report-performance")).to_be_visible()
    expect(sara.at("needs")).to_be_empty()
    sara.at("needs").press("Shift")  # a page that nobody has touched is not heard

    def again() -> int:
        """The page looks again; gives how many tones were heard so far."""
        with sara.page.expect_response("**/office/needed"):
            sara.page.clock.fast_forward(4_001)
        return int(sara.page.evaluate("window.tones"))

    assert again() == 0
    # The presenter calls: it rings until the supervisor has been there, and again while nobody comes.
    piero.at("reason").fill("a card fell")
    piero.press("floor-call")
    piero.sees("floor-done", "Supervisore chiamato|stato chiamato")
    again()
    sara.sees("need-call", f"Supervisore chiamato: {TABLE}")
    rung = again()
    assert rung > 0
    for _ in range(4):
        again()
    assert again() > rung
    assert sara.axe() == []
    sara.press("need-call")
    expect(sara.page).to_have_url(f"{hall.house.url}/office/floor/{TABLE}")
    expect(sara.at(f"called-{TABLE}")).to_be_visible()
    sara.at("reason").fill("it was dry")
    sara.press("floor-resume")
    again()
    expect(sara.at("need-call")).to_have_count(0)

    # An alarm: on every page until it was looked at, and in the same list on the floor and on the overview.

    async def alarm() -> None:
        events = hall.house.people.house.events
        events.note("unavailable", "alarm", part="bus")
        await events.flush()

    hall.house.run(alarm())
    quiet = int(sara.page.evaluate("window.tones"))
    assert again() > quiet
    sara.sees("need-alarm", "Nuovi allarmi: 1")
    floor = sara.at("alarms").inner_text()
    sara.go("/office/overview")
    expect(sara.at("alarms")).to_be_visible()
    assert sara.at("alarms").inner_text() == floor
    sara.press("need-alarm")
    expect(sara.page).to_have_url(re.compile("/office/events.severity=alarm"))
    expect(sara.at("need-alarm")).to_have_count(0)

    # A proposal of another, and not one's own.
    ugo.go("/office/games")
    ugo.press("change-large_win")
    ugo.at("setting-value").fill("777")
    propose(ugo, "the regulator asks")
    again()
    expect(sara.at("need-proposal")).to_be_visible()
    ugo.page.reload()
    expect(ugo.at("today-staked").or_(ugo.at("switch-all"))).to_be_visible()
    expect(ugo.at("need-proposal")).to_have_count(0)
    sara.page.set_viewport_size({"width": 390, "height": 844})
    assert small(sara.page) == []
    sara.press("need-proposal")
    expect(sara.at("approve")).to_be_visible()
    sara.at("reason-approve").fill("agreed")
    sara.press("approve")
    again()
    expect(sara.at("need-proposal")).to_have_count(0)
