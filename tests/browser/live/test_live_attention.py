"""A key acts at the table only where the player's attention is the table (PLT-68)."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.support.live_room import OpenHall

pytestmark = pytest.mark.slow  # a browser

#: Every letter of a table, in both languages, and what else acts there.
WORDS = "ciao bella sera, hytrewqasdfgp"


@pytest.mark.rule("PLT-68", "PLT-40")
def test_typing_in_the_chat_plays_nothing_at_a_table_with_seats(open_hall: OpenHall) -> None:
    """The chat takes the keyboard when it is opened; beside it no key starts, stakes or decides."""
    hall = open_hall("10s 9h 2d 8c 5h 5c")
    room = hall.player()
    room.sit("100", 0)
    hall.house.until("betting")
    room.stake(500, "circle-0")
    room.press("chat-open")
    expect(room.at("chat-text")).to_be_focused()
    room.page.keyboard.type(WORDS)
    expect(room.at("chat-text")).to_have_value(WORDS)
    expect(room.at("start-now")).to_be_enabled()
    room.sees("staked", "5,00")
    # Elsewhere in its window, and at the table beside it.
    for place in ("chat-move", "chip-500"):
        room.at(place).focus()
        room.page.keyboard.type("i")
        room.page.keyboard.press("Backspace")
    room.sees("staked", "5,00")
    expect(room.at("start-now")).to_be_enabled()
    room.type("Escape")
    expect(room.at("chat")).to_have_count(0)
    room.type("i")
    room.sees("decide-note", "Posto 1: 12")
    room.press("chat-open")
    room.page.keyboard.type(WORDS)
    room.at("chat-lines").focus()
    room.page.keyboard.type(WORDS)
    room.page.locator("section.felt").click(position={"x": 5, "y": 5})
    room.page.keyboard.type(WORDS)
    room.sees("decide-note", "Posto 1: 12")
    room.press("chat-close")
    expect(room.at("chat-open")).to_be_focused()
    room.type("s")
    room.sees("sum", "Hai")
    hall.check()


@pytest.mark.rule("PLT-68", "PLT-70", "PLT-71", "PLT-45")
def test_no_key_plays_under_a_card_that_is_open(open_hall: OpenHall) -> None:
    """The prizes of a side bet and the stakes of others are read in mid-hand; ESC closes them before what they lie over."""
    hall = open_hall("10s 9h 2d 8c 5h 5c")
    ada, bob = hall.player(), hall.player()
    ada.sit("100", 0)
    bob.sit("100", 1)
    hall.house.until("betting")
    bob.stake(500, "circle-1")
    ada.stake(500, "circle-0", "side-0-21+3")
    ada.stake_behind(500, "behind-1")
    hall.house.end("betting")
    expect(ada.at("stand")).to_be_enabled()
    for opener, card in (("side-0-21+3", "side-prizes"), ("stakes-1", "stakes-list-1")):
        ada.press(opener)
        expect(ada.at(card)).to_be_visible()
        ada.page.keyboard.type("shc")
        expect(ada.at("stand")).to_be_enabled()
        ada.type("Escape")
        expect(ada.at(card)).to_be_hidden()
    ada.press("chat-open", "side-0-21+3")
    ada.type("Escape")
    expect(ada.at("side-prizes")).to_have_count(0)
    expect(ada.at("chat")).to_be_visible()
    ada.type("Escape")
    expect(ada.at("chat")).to_have_count(0)
    ada.press("menu")
    ada.page.get_by_role("link", name="CRONOLOGIA").click()
    expect(ada.at("beside")).to_be_visible()
    ada.press("side-0-21+3")
    ada.type("Escape")
    expect(ada.at("side-prizes")).to_have_count(0)
    expect(ada.at("beside")).to_be_visible()
    ada.type("Escape")
    expect(ada.at("beside")).to_have_count(0)
    ada.type("s")
    expect(ada.at("stand")).to_have_count(0)
    hall.check()


@pytest.mark.rule("PLT-68", "PLT-40")
def test_typing_in_the_chat_votes_for_nothing(open_hall: OpenHall) -> None:
    """Three players share a box, so that it votes (MAJ-10)."""
    hall = open_hall("10s 10h 2d 9c 7s", game="majority-eu")
    ada, bob, cleo = hall.player(), hall.player(), hall.player()
    for room in (ada, bob, cleo):
        room.sit("100", agrees=True)
    hall.house.until("betting")
    for room in (ada, bob, cleo):
        room.stake(500, "circle-0")
    hall.house.when(lambda live: len(live.play.round.book.bets) == 3)  # type: ignore[union-attr]
    hall.house.end("betting")
    expect(ada.at("vote-hit")).to_be_enabled()
    ada.press("chat-open")
    expect(ada.at("chat-text")).to_be_focused()
    ada.page.keyboard.type(WORDS)
    expect(ada.at("chat-text")).to_have_value(WORDS)
    bob.press("vote-stand")
    expect(ada.at("tally-stand")).to_have_text("1 voto")
    for vote in ("hit", "double"):
        expect(ada.at(f"tally-{vote}")).to_have_text("0 voti")
    expect(ada.at("vote-hit")).to_be_enabled()
    hall.check()
