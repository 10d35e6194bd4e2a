"""Operators in the back office, each in a browser of their own."""

from __future__ import annotations

from playwright.sync_api import expect

from sabot.store.kinds import Role
from tests.browser.support.guest import PASSWORD, Guest
from tests.browser.support.live_room import Hall


def operator(hall: Hall, name: str, role: Role, path: str = "/office", language: str = "it-IT") -> Guest:
    """Someone with a role, on a page of the back office."""
    guest = Guest(hall.page(language).page, hall.house)
    guest.register(name)
    hall.house.give_role(name, role)
    guest.open(path)
    expect(guest.at("office-who")).to_contain_text(name)
    return guest


def relieve(guest: Guest, name: str) -> None:
    """Someone else who has an account goes on in the same browser: nothing is loaded again."""
    guest.press("office-out")
    expect(guest.page).to_have_url(f"{guest.house.url}/")
    guest.go("/enter?next=%2Foffice")
    guest.fill(user_name=name, password=PASSWORD)
    guest.press("log-in")


def propose(guest: Guest, reason: str) -> None:
    """Say why, and propose what the window shows."""
    guest.at("reason-propose").fill(reason)
    guest.press("propose")
    expect(guest.at("propose-window")).to_have_count(0)


def approve(guest: Guest, reason: str) -> None:
    """Approve the proposal that waits longest on the list."""
    guest.go("/office/proposals?state=open")
    guest.at("cell-subject").last.get_by_role("link").click()
    expect(guest.at("differences")).to_be_visible()
    guest.at("reason-approve").fill(reason)
    guest.press("approve")
    guest.sees("proposal-state", "approvata")
