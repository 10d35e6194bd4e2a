"""The pages of the back office by every role: shown, or refused with a reason; in both languages, at every size."""

from __future__ import annotations

import pytest
from playwright.sync_api import ViewportSize, expect

from sabot.store.kinds import Role
from tests.browser.support.guest import Guest, Played
from tests.browser.support.live_house import TABLE
from tests.browser.support.live_room import OpenHall
from tests.browser.support.room import small
from tests.browser.support.staff import relieve

pytestmark = pytest.mark.slow  # a browser

#: Pages for readers, and what is on each when it is there.
READERS = {
    "overview": "today-staked",
    "games": "switch-all",
    "proposals": "proposals-none",
    "players": "players",
    "rounds": "rounds",
    "chat": "talk-none",
    "events": "events-csv",
    "monitoring": "alarms-waiting",
    "reports": "report-performance",
    "self-check": "parts",
    "users": "users",
}
EVERYONE = {"floor": f"floor-{TABLE}", "security": "own-role"}
PAGES = READERS | EVERYONE
DESK: ViewportSize = {"width": 1280, "height": 800}
UPRIGHT: ViewportSize = {"width": 390, "height": 844}
LYING: ViewportSize = {"width": 844, "height": 390}
#: Buttons and fields that change something in the house, and where each role has them.
CHANGING = "[data-testid$=-turn], [data-testid=new-table], [data-testid=give-role], [data-testid=check-now], [data-testid^=reason]"
CHANGED = {"games", "self-check"}
#: Who is registered; the last one comes in first.
STAFF: dict[str, Role] = {
    "carla": "player",
    "piero": "presenter",
    "ugo": "administrator",
    "sara": "supervisor",
    "anna": "auditor",
}


@pytest.mark.rule("OFF-01", "OFF-06", "PLT-60", "ASR-50", "ASR-51")
def test_every_page_by_every_role(open_hall: OpenHall) -> None:
    """Auditors see all and change nothing, presenters see the floor, a refused page says so, players see no office."""
    hall = open_hall("10s 9h Kd 8c", "10s 9h 9d 8c")
    guest = Guest(hall.page().page, hall.house)
    for name, role in STAFF.items():
        guest.register(name)
        hall.house.give_role(name, role)
        if role == "player":
            guest.deposit(5_000)
            guest.play(Played([(0, "main", 1_000)], [("stand", 0, 0)]), currency="EUR", amount=5_000)
    guest.open("/office")
    guest.sees("office-who", "anna revisore")
    changing = guest.page.locator(f"main :is({CHANGING})")

    # An auditor: everything, in Italian at a desk, in English on a phone either way up.
    for page, there in PAGES.items():
        guest.press(f"office-{page}")
        expect(guest.at(there).first).to_be_visible()
        expect(changing).to_have_count(0)
        assert guest.axe() == [], page
    guest.press("language-en")
    guest.page.set_viewport_size(UPRIGHT)
    for page, there in PAGES.items():
        guest.press("office-menu")
        guest.within("office-pages", f"office-{page}").click()
        expect(guest.at(there).first).to_be_visible()
        assert small(guest.page) == [], page
        assert guest.axe() == [], page
        for size in (LYING, UPRIGHT):
            guest.page.set_viewport_size(size)
            assert guest.page.evaluate("document.documentElement.scrollWidth <= innerWidth"), (page, size)
    hall.check()

    # Those who change: everything, with what changes it.
    guest.page.set_viewport_size(DESK)
    for name in ("sara", "ugo"):
        relieve(guest, name)
        for page, there in PAGES.items():
            guest.press(f"office-{page}")
            expect(guest.at(there).first).to_be_visible()
            if page in CHANGED:
                expect(changing.first).to_be_visible()
        expect(guest.at("failure")).to_have_count(0)

    # A presenter: the floor and the own access; what is refused says who may.
    relieve(guest, "piero")
    expect(guest.page.locator("[data-testid^=office-]:is(nav a)")).to_have_count(len(EVERYONE))
    for page in READERS:
        guest.go(f"/office/{page}")
        guest.sees("refused", "presenter.*supervisor, administrator, auditor")
    for page, there in EVERYONE.items():
        guest.press(f"office-{page}")
        expect(guest.at(there).first).to_be_visible()

    # A player: no office at all.
    relieve(guest, "carla")
    guest.sees("oops", "work here")
    expect(guest.at("office-who")).to_have_count(0)
