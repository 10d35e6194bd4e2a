"""Debian's Chromium against a house with chosen cards."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from tests.browser.support.contexts import ONE_PROCESS, Contexts
from tests.browser.support.live_room import OpenHall, halls
from tests.browser.support.room import PATIENCE, UNPAINTED, Room
from tests.browser.support.serve import ServedHouse
from tests.support.shoes import StackedShoes

CHROMIUM = "/usr/bin/chromium-headless-shell"
#: It runs as root here, without a screen, and calls nobody.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
#: No page of a test lives long enough for its scripts to be worth optimizing.
HURRIED = [*ARGUMENTS, *ONE_PROCESS, "--js-flags=--no-opt --no-maglev"]
PHONE = {"width": 390, "height": 844}
DESKTOP = {"width": 1440, "height": 900}

#: Opens a house with these shoes and brings a new demo player to a table of a game.
Enter = Callable[..., Room]
#: Opens a page in a browser with these settings: `new_page(locale="it-IT")`.
NewPage = Callable[..., Page]


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """One browser for the tests of this folder that follow one another, closed after them: while it is open, no other
    event loop can run in this thread.
    """
    expect.set_options(timeout=PATIENCE)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=HURRIED)
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def contexts(browser: Browser) -> Contexts:
    """Contexts that tests use one after another, each with nothing of the one before."""
    return Contexts(browser)


@pytest.fixture(params=["phone", "desktop"])
def size(request: pytest.FixtureRequest) -> str:
    """Both sizes, for tests that ask for it."""
    return str(request.param)


@pytest.fixture
def on_a_phone() -> None:
    """A phone, for tests that ask for it."""


@pytest.fixture
def browser_context_args(request: pytest.FixtureRequest) -> dict[str, Any]:
    """An Italian browser that wants no motion, so that nothing is waited for; a phone has touch."""
    asked = request.fixturenames
    args: dict[str, Any] = {"locale": "it-IT", "reduced_motion": "reduce", "viewport": DESKTOP}
    if "on_a_phone" in asked or ("size" in asked and request.getfixturevalue("size") == "phone"):
        args |= {"viewport": PHONE, "has_touch": True, "is_mobile": True}
    return args


@pytest.fixture
def new_page(contexts: Contexts) -> Iterator[NewPage]:
    """Opens pages, each as on a device of its own, with nothing stored; they end with the test."""
    with ExitStack() as stack:

        def open_page(**args: Any) -> Page:
            context = contexts.take(**args)
            stack.callback(contexts.give_back, context)
            page = context.new_page()
            page.add_init_script(UNPAINTED)
            return page

        yield open_page


@pytest.fixture
def page(new_page: NewPage, browser_context_args: dict[str, Any]) -> Page:
    """A page of the browser that is asked for."""
    return new_page(**browser_context_args)


@pytest.fixture
def houses(tmp_path: Path) -> Iterator[Callable[..., ServedHouse]]:
    """Opens houses with these shoes, and closes them after the test."""
    with ExitStack() as open_houses:
        yield lambda *cards, **more: open_houses.enter_context(ServedHouse(tmp_path, *cards, **more))


@pytest.fixture
def enter(houses: Callable[..., ServedHouse], page: Page, browser_context_args: dict[str, Any]) -> Enter:
    """The page is named last, so that it is closed before the house."""

    def open_and_enter(
        *cards: str,
        bring: str = "100",
        game: str = "surrender",
        draws: Sequence[Sequence[int]] = (),
        by_lobby: bool = False,
        **more: Any,
    ) -> Room:
        house = houses(shoes=StackedShoes(*cards, draws=draws), sitting=int(bring) * 100, **more)
        room = Room(page, house)
        room.touch = bool(browser_context_args.get("has_touch"))
        if by_lobby:
            room.enter_by_lobby(game)
        else:
            room.enter(game)
        room.sit(bring)
        return room

    return open_and_enter


@pytest.fixture
def open_hall(tmp_path: Path, contexts: Contexts) -> Iterator[OpenHall]:
    """Opens a house with a live table: `open_hall("10 9 10 8", game="freebet")`; its pages are closed before it."""
    with halls(tmp_path, contexts) as opener:
        yield opener
