"""Pictures of every phase of the live tables: `python -m tests.browser.pictures.live_shots docs/play/live-screens`.

They are for people to look at: on a phone and on a laptop, in Italian; key moments also on a phone that lies on its side,
on a larger screen, and in English. Cards, bets and players are chosen; what the clock says is not. Beside the folder
stands the page that shows them.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from msgspec.structs import replace
from playwright.sync_api import Browser, expect, sync_playwright

from sabot.engine import Bet
from tests.browser.conftest import ARGUMENTS, CHROMIUM
from tests.browser.pictures.shot import LANGUAGES, PHONE, SCREEN, Device, photograph, prepare, shown
from tests.browser.pictures.studio_shots import studio
from tests.browser.support.contexts import Contexts
from tests.browser.support.filmed_house import FilmedHouse
from tests.browser.support.guest import Guest, Played
from tests.browser.support.live_house import LONG, TABLE, LiveHouse
from tests.browser.support.live_room import Hall, LiveRoom, halls
from tests.browser.support.room import Room

_PASSWORD = "correct horse battery"
_SIDES = ("21+3", "player-pair", "dealer-pair", "top-3", "buster", "lucky-lucky")
_TIMERS = replace(LONG, shuffle=90, betting=60, insurance=60, decision=60, vote=60)


class Album:
    """The pictures of one evening on one device, in one language; in English of its key moments only."""

    def __init__(self, hall: Hall, folder: Path, device: Device, language: str) -> None:
        self.hall = hall
        self.house: LiveHouse = hall.house
        self.phone = device.touch
        self._device = device
        self._language = language
        self._folder = folder
        #: Whether more than the key moments is wanted.
        self.whole = language == "it"

    def player(self) -> LiveRoom:
        """One whose page is looked at."""
        room = self.page()
        room.enter()
        return room

    def page(self) -> LiveRoom:
        """A page on the device."""
        return self.hall.page(LANGUAGES[self._language], phone=self.phone, **self._device.context)

    def take(self, room: Room, name: str, *, key: bool = False) -> None:
        """Pictures of a page as it is."""
        if key or self.whole:
            photograph(room.page, self._folder, name, self._device, language=self._language, key=key)

    def circle(self, spot: int) -> str:
        """The place of the main bet."""
        return "circle" if self.phone else f"circle-{spot}"


def free_bet(album: Album) -> None:
    """An evening at seats 3 and 6, with Bob at seat 1 and bots at 2 and 7."""
    house = album.house
    ada = album.player()
    album.take(ada, "freebet-01-looking-on")
    ada.press("sit-2", "add-money")
    album.take(ada, "freebet-02-sitting-down")
    ada.at("amount").fill("100")
    ada.press("bring")
    expect(ada.at("shuffling")).to_be_visible()
    album.take(ada, "freebet-03-shuffle")
    ada.press("sit-5")
    bob = album.hall.player("en-GB")
    bob.sit("100", 0)
    house.seat(1, 6)
    house.end("shuffle")
    house.until("betting")
    ada.stake(1000, album.circle(2))
    ada.stake(200, "side-21+3" if album.phone else "side-2-21+3")
    ada.stake_behind(500, "behind-0")
    bob.stake(1000, "circle-0")
    bob.stake_behind(200, "behind-2")
    bob.press("start-now")
    expect(ada.at("stake-0")).to_be_visible()
    album.take(ada, "freebet-04-betting", key=True)
    house.end("betting")
    expect(bob.at("decide")).to_be_visible()
    ada.press("ahead-5-stand")
    album.take(ada, "freebet-05-deciding-in-advance")
    bob.press("stand")
    expect(ada.at("decide")).to_be_visible()
    album.take(ada, "freebet-06-decision", key=True)
    ada.press("split")
    ada.sees("decide-note", "parte? 1")
    album.take(ada, "freebet-07-free-split", key=True)
    ada.press("hit")
    ada.sees("decide-note", "parte? 2")
    ada.press("stand")
    expect(ada.at("sum")).to_be_visible()
    album.take(ada, "freebet-08-payout-and-dealer-22", key=True)
    if not album.whole:
        return
    house.end("payout")
    expect(ada.at("repeat")).to_be_enabled()
    ada.press("repeat")
    house.when(lambda live: len(live.play.round.book.bets) == 1)  # type: ignore[union-attr]
    house.order(lambda live: live.pause("looking"))
    expect(ada.at("paused")).to_be_visible()
    album.take(ada, "freebet-09-paused")
    house.order(lambda live: live.resume())
    bob.stake(500, "circle-0")
    house.when(lambda live: len(live.play.round.book.bets) == 2)  # type: ignore[union-attr]
    house.end("betting")
    expect(ada.at("insurance")).to_be_visible()
    album.take(ada, "freebet-10-insurance")
    house.order(lambda live: live.void("malfunction"))
    expect(ada.at("voided")).to_be_visible()
    album.take(ada, "freebet-11-void")
    _around(album, ada, bob)


def _around(album: Album, ada: LiveRoom, bob: LiveRoom) -> None:
    """Talk, menus, views, and a broken line."""
    bob.press("chat-open")
    bob.at("chat-text").fill("Good luck everyone!")
    bob.press("chat-send")
    ada.press("chat-open")
    ada.at("chat-text").fill("Buona fortuna!")
    ada.press("chat-send")
    expect(ada.at("chat-lines")).to_contain_text("Buona fortuna")
    album.take(ada, "freebet-12-talk")
    ada.press("chat-close", "menu")
    album.take(ada, "freebet-13-menu")
    ada.press("view-classic", "close", "proof")
    album.take(ada, "freebet-14-shoe")
    ada.press("close")
    album.house.end("payout")
    expect(ada.at("repeat")).to_be_enabled()
    album.take(ada, "freebet-15-classic-view")
    ada.press("focus")
    album.take(ada, "freebet-16-focus")
    number = ada.number
    ada.page.context.set_offline(True)
    album.house.drop(number)
    expect(ada.at("lost")).to_be_visible()
    album.take(ada, "freebet-17-line-lost")


def majority(album: Album) -> None:
    """An evening at boxes, with golden chips and a crowd of nine."""
    house = album.house
    ada = album.player()
    house.grant(ada.number, 500, 3)
    house.grant(ada.number, 1000, 1)
    album.take(ada, "majority-01-looking-on")
    ada.press("join")
    expect(ada.at("consent")).to_be_visible()
    album.take(ada, "majority-02-consent")
    ada.press("consent-yes")
    expect(ada.at("consent")).to_be_hidden()
    bots = house.crowd(9)
    house.end("shuffle")
    house.until("betting")
    house.everyone_bets(bots, Bet(0, "main", 1000), Bet(0, "main", 1000), Bet(1, "main", 500))
    ada.stake(1000, "circle-0")
    ada.stake(200, *(f"side-0-{name}" for name in _SIDES))
    ada.press("golden-500", "circle-1", "side-1-buster")
    expect(ada.at("count-0")).to_contain_text("7")
    album.take(ada, "majority-03-betting", key=True)
    ada.press("golden-info")
    album.take(ada, "majority-04-golden-chips")
    ada.press("close")
    house.end("betting")
    expect(ada.at("insurance")).to_be_visible()
    album.take(ada, "majority-05-insurance")
    ada.press("accept")
    house.end("insurance")
    expect(ada.at("vote")).to_be_visible()
    house.everyone_votes([bots[0], bots[1], bots[3]], "split", "hit", "split")
    expect(ada.at("tally-split")).to_contain_text("2")
    album.take(ada, "majority-06-vote", key=True)
    ada.press("vote-split")
    ada.sees("vote-note", "Hai votato|voted")
    album.take(ada, "majority-07-voted")
    house.end("decisions")
    ada.sees("vote-note", "parte? 1")
    album.take(ada, "majority-08-split")
    for _ in range(6):
        if house.live.phases.phase == "decisions":
            house.end("decisions")
    expect(ada.at("sum")).to_be_visible()
    album.take(ada, "majority-09-payout", key=True)
    ada.press("menu", "view-classic", "close")
    house.end("payout")
    expect(ada.at("repeat")).to_be_enabled()
    ada.press("repeat")
    ada.sees("count-0", "1 giocatore|1 player")
    album.take(ada, "majority-10-classic-view-and-best-strategy")


def floor(album: Album) -> None:
    """The supervisor's page."""
    ada = album.player()
    ada.sit("100", 0)
    album.house.end("shuffle")
    ada.press("chat-open")
    ada.at("chat-text").fill("Buonasera a tutti")
    ada.press("chat-send")
    room = album.page()
    reply = room.page.request.post(
        f"{album.house.url}/api/v1/register",
        data={"name": "sala", "password": _PASSWORD, "born": "1990-12-31", "terms": "1"},
        headers={"Origin": album.house.url},
    )
    assert reply.ok
    album.house.give_role("sala", "supervisor")
    room.page.goto(f"{album.house.url}/office/floor/{TABLE}")
    expect(room.at("floor-talk")).to_contain_text("Buonasera")
    room.at("reason").fill("una carta è caduta")
    room.press("floor-void")
    album.take(room, "floor-01-supervision")
    _office(album, room)


def _office(album: Album, room: LiveRoom) -> None:
    """The back office of a house where someone has played for euros."""
    someone = Guest(album.page().page, album.house)
    someone.register("carla")
    someone.deposit(30_000)
    rounds = [Played([(0, "main", 1_000 * stake)], [("stand", 0, 0)]) for stake in range(1, 5)]
    someone.play(*rounds, currency="EUR", amount=20_000)
    number = someone.page.evaluate("fetch('/api/v1/me').then((reply) => reply.json())")["player"]
    for name, path, there in (
        ("overview", "", "today-staked"),
        ("games", "/games", "switch-all"),
        ("player", f"/players/{number}", "total-EUR"),
        ("report", "/reports/performance", "report"),
    ):
        room.page.goto(f"{album.house.url}/office{path}")
        expect(room.at(there).first).to_be_visible()
        album.take(room, f"office-{name}")


#: Dealt to seats 1, 3 and 6: 20, a pair of eights and 15 against 9 and 8; then under an ace. The dealer makes 22 first.
_FREEBET = "10s 8s 9h 6d Kd 8d 6c 10c 3h 10d 10h 6s " + "10s 9s 5s Ah 7d 8d 6h 9c"
_MAJORITY = "8s 9h Ad 8d 7c 3h 10c 10d 2s 5s 6s 7h 4d 3d 9c" + " 10s 9h Kd 8c" * 3


class Evening(NamedTuple):
    """A game, its cards, and what is looked at; without cards a person deals them, and a camera is there."""

    title: str
    game: str
    cards: str
    show: Callable[[Album], None]


EVENINGS = (
    Evening("Classic Free Bet", "freebet", _FREEBET, free_bet),
    Evening("Majority Rules", "majority-eu", _MAJORITY, majority),
    Evening("The floor", "freebet", "10s 9h Kd 8c" + " | 10s 9h Kd 8c" * 4, floor),
    Evening("The studio", "freebet", "", studio),
    Evening("The studio, Majority Rules", "majority-eu", "", studio),
)


@contextmanager
def _album(
    browser: Browser, folder: Path, device: Device, language: str, evening: Evening
) -> Iterator[Album]:
    with TemporaryDirectory() as place, halls(Path(place), Contexts(browser)) as open_hall:
        settings = {"game": evening.game, "timers": _TIMERS}
        if evening.cards:
            hall = open_hall(*evening.cards.split(" | "), **settings)
        else:
            hall = open_hall(house=FilmedHouse, dealing="studio", options={"vote_threshold": 2}, **settings)
        yield Album(hall, folder, device, language)


def write_page(file: Path, folder: Path) -> None:
    """The page that shows them."""
    lines = [
        "# Live screens",
        "",
        "Every phase of the live tables: on a phone and on a laptop; key moments also on a phone that lies on its side, on a",
        "larger screen, and in English. `make shots` takes the pictures again.",
    ]
    for title, start in (
        ("Classic Free Bet", "freebet"),
        ("Majority Rules", "majority"),
        ("The floor", "floor"),
        ("The studio, Classic Free Bet", "studio-freebet"),
        ("The studio, Majority Rules", "studio-majority"),
        ("The back office", "office"),
    ):
        lines += ["", f"## {title}"]
        names = sorted(
            picture.stem.removesuffix("-laptop") for picture in folder.glob(f"{start}-*-laptop.webp")
        )
        for name in names:
            words = name.removeprefix(f"{start}-").lstrip("0123456789-").replace("-", " ").capitalize()
            lines += ["", f"### {words}", "", *shown(folder, name, f"{title}, {words}")]
    file.write_text("\n".join(lines) + "\n", "utf-8")


def main(arguments: list[str]) -> None:
    """Take the pictures into a folder; after it stand the titles of the evenings, if not all are wanted."""
    folder, *titles = Path(arguments[0]), *arguments[1:]
    prepare(folder, whole=not titles)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for evening in EVENINGS:
            if titles and evening.title not in titles:
                continue
            for language in LANGUAGES if evening.show is not floor else ("it",):
                for device in (PHONE, SCREEN):
                    print(evening.title, language, *device.sizes, flush=True)
                    with _album(browser, folder, device, language, evening) as album:
                        evening.show(album)
        browser.close()
    write_page(folder.parent / "live-screens.md", folder)


if __name__ == "__main__":
    main(sys.argv[1:])
