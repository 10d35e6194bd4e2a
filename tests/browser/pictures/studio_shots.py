"""Pictures of a table where a person deals: the presenter's console, and what players see of it, with its video."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from playwright.sync_api import expect

from tests.browser.support.live_house import code_of
from tests.browser.support.live_room import LiveRoom
from tests.browser.support.studio import CONSOLE, Presenter

if TYPE_CHECKING:
    from tests.browser.pictures.live_shots import Album


def _at_console(album: Album, name: str, role: str) -> Presenter:
    """Someone at the console, on the device of the album."""
    someone = Presenter(album.page().page, album.house)
    someone.touch = album.phone
    someone.register(name)
    album.house.give_role(name, role)  # type: ignore[arg-type]
    someone.open(CONSOLE)
    expect(someone.at("step")).to_be_visible()
    return someone


def _filmed(room: LiveRoom) -> None:
    """The video plays."""
    expect(room.at("video")).to_have_attribute("data-way", re.compile("whep|hls"))
    room.page.wait_for_function("() => document.querySelector('video')?.videoWidth > 0")


def studio(album: Album) -> None:
    """A round at two seats or boxes: a card is taken back, one is late, the supervisor is called."""
    house, boxes = album.house, album.house.live.boxes is not None
    start = "studio-majority" if boxes else "studio-freebet"
    eva = _at_console(album, "eva", "presenter")
    eva.press("shift")
    album.take(eva, f"{start}-01-console-shoe")
    eva.at("shoe-label").fill("A-17")
    eva.press("change-shoe")
    ada = album.player()
    _filmed(ada)
    if boxes:
        ada.sit("100", agrees=True)
    else:
        ada.sit("100", 2)
    eva.press("open-betting")
    bob = album.hall.player("en-GB")
    if boxes:
        bob.sit("100", agrees=True)
    else:
        bob.sit("100", 4)
    house.until("betting")
    for room, spot in ((ada, album.circle(2)), (bob, "circle-4")):
        room.stake(1000, *(("circle-0", "circle-1") if boxes else (spot,)))
    ada.stake(200, "side-0-21+3" if boxes else "side-21+3" if album.phone else "side-2-21+3")
    house.end("betting")
    eva.step("Carta|Card")
    eva.scan("10s")
    album.take(eva, f"{start}-02-console-cards", key=True)
    album.take(ada, f"{start}-03-next-card", key=True)
    eva.scan("9h")
    eva.press("take-back", "take-back-misread")
    expect(ada.at("corrected")).to_be_visible()
    album.take(ada, f"{start}-04-corrected")
    eva.scan("6h", "7s", "9s", "5d")
    if not boxes:
        house.make_late()
        expect(ada.at("late")).to_be_visible()
        album.take(ada, f"{start}-05-late")
        eva.page.keyboard.type(code_of("10d"))
        eva.page.keyboard.press("Enter")
    expect(ada.at("vote" if boxes else "decide")).to_be_visible()
    album.take(ada, f"{start}-06-decision", key=True)
    ada.press("proof")
    album.take(ada, f"{start}-07-shoe")
    ada.press("close")
    eva.press("call-supervisor")
    expect(ada.at("paused")).to_be_visible()
    album.take(ada, f"{start}-08-paused", key=True)
    sara = _at_console(album, "sara", "supervisor")
    album.take(sara, f"{start}-09-supervisor", key=True)
