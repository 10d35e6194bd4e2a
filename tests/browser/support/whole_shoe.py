"""A whole shoe at a studio table: the demo deals and films, two players and the console look at it in browsers.

`python -m tests.browser.support.whole_shoe` plays one of eight decks with its own cut card for each live game.
"""

from __future__ import annotations

import json
import re
import sys
import time
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, cast

from playwright.sync_api import expect, sync_playwright

from sabot.engine.round import Round
from sabot.games.rules import Action
from sabot.record import loads, replay
from tests.browser.support.demo_house import DemoHouse
from tests.browser.support.guest import PASSWORD, Guest
from tests.browser.support.layout import MADE_FOR, SHORT, assert_clear
from tests.browser.support.live_room import Hall, LiveRoom, OpenHall, halls
from tests.browser.support.studio import at_console

#: Most steps of a round, and rounds of a shoe.
_STEPS, _ROUNDS = 60, 80
_RANKS = [
    "ace",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "jack",
    "queen",
    "king",
]
_SUITS = ["spades", "hearts", "diamonds", "clubs"]
_HAND = "[data-testid={}] :is(.hands, .place) [role=img]"

#: Notes when the cards of each round are drawn on the page, and when they lie in the picture (`sabot.studio_demo.picture`): the
#: moment at which so many lay face up.
WATCH = """
window.drawn = [[]]; window.filmed = [[]];
const note = (seen, count) => {
  if (!count && seen.at(-1).length) seen.push([]);
  while (seen.at(-1).length < count) seen.at(-1).push(performance.now());
};
const FACES = "[data-testid=dealer] .place [role=img], [data-testid^=seat-] .hands [role=img], [data-testid^=box-] .hands [role=img]";
new MutationObserver(() => {
  const faces = [...document.querySelectorAll(FACES)].filter((card) => !card.classList.contains("down"));
  note(drawn, faces.length);
}).observe(document, { subtree: true, childList: true, attributeFilter: ["aria-label"] });
const context = new OffscreenCanvas(64, 1).getContext("2d", { willReadFrequently: true });
let watched = null;
const look = () => {
  const unit = watched.videoWidth / 64;
  context.drawImage(watched, 0, watched.videoHeight / 2 + unit / 2, watched.videoWidth, 1, 0, 0, 64, 1);
  const row = context.getImageData(0, 0, 64, 1).data;
  note(filmed, [...Array(10).keys()].filter((place) => row[4 * (2 + 6 * place + 4) + 1] > 160).length);
  watched.requestVideoFrameCallback(look);
};
setInterval(() => {
  const video = document.querySelector("video");
  if (video?.videoWidth && video !== watched) { watched = video; look(); }
}, 100);
"""
#: Milliseconds between the drawn and the filmed card, of the five of each deal that lie face up.
_APART = """
drawn.flatMap((cards, round) => cards.slice(0, 5).map((at, card) => at - filmed[round]?.[card])).filter(Number.isFinite)
"""
_CARDS = "place => [...document.querySelectorAll(place)].map((card) => card.ariaLabel)"
_SAME = "([place, cards]) => JSON.stringify([...document.querySelectorAll(place)].map((card) => card.ariaLabel)) === cards"


class Played(NamedTuple):
    """What there was of a shoe."""

    rounds: int
    cards: int
    seconds: float
    #: Milliseconds between cards on the page and in the picture.
    apart: list[float]


class WholeShoe:
    """The console and two players, from the check of the shoe to the first round of the next one."""

    def __init__(self, open_hall: OpenHall, game: str, *, cut: int | None, pace: float) -> None:
        boxes = game != "freebet"
        options = {"vote_threshold": 2} if boxes else {}
        self._boxes = boxes
        self._hall: Hall = open_hall(house=DemoHouse, game=game, options=options)
        self._house = cast(DemoHouse, self._hall.house)
        self._boss = Guest(self._hall.page("en-GB").page, self._house)
        self._boss.register("sara")
        self._house.give_role("sara", "supervisor")
        self._console = at_console(self._hall, "eva", "presenter", "en-GB")
        self._players = [self._hall.page("en-GB", phone=phone, script=WATCH) for phone in (False, True)]
        self._house.start_demo("eva", PASSWORD, pace, cut)
        for spot, room in enumerate(self._players):
            room.enter()
            room.sit("100", *(() if boxes else (spot,)), agrees=True if boxes else None)
            room.press("menu", "quality-360")
            room.page.keyboard.press("Escape")

    def play(self) -> Played:
        """Play the shoe, and a round of the next one; what every page shows is compared with the house's record."""
        began, rounds = time.monotonic(), 0
        for room in self._players:
            self._plays(room)
        first = self._until_betting()
        while self._until_betting() == first:
            rounds += 1
            assert rounds < _ROUNDS
            self._play_round(rounds)
        self._console.at("shoe").get_by_text(self._until_betting()).wait_for()
        cards = self._house.cards_read
        self._play_round(0)
        for kind, times in {
            "shoe-shuffled": 2,
            "shoe-in-use": 2,
            "shoe-counted": 1,
            "show-cut-card": 1,
        }.items():
            assert self._house.logged(kind) == times, kind
        assert self._house.logged("scan-refused") == self._house.logged("pause") == 0
        for room in self._players:
            self._plays(room)
        self._check_pages()
        self._house.check_demo()
        apart = self._players[0].page.evaluate(_APART)
        return Played(rounds, cards, time.monotonic() - began, apart)

    def _until_betting(self) -> str:
        """Wait for the presenter; gives the label of the shoe."""
        self._house.until("betting")
        return self._house.studio.console().shoe

    def _play_round(self, number: int) -> None:
        for spot, room in enumerate(self._players):
            if number == 1:
                place = f"circle-{0 if self._boxes else spot}"
                room.stake(100, "circle" if room.touch and not self._boxes else place)
            else:
                room.press("repeat")
        self._house.end("betting")
        for _ in range(_STEPS):
            live = self._house.live
            self._house.when(lambda live: live.phases.phase in ("insurance", "decisions", "payout"))
            if live.phases.phase == "payout":
                break
            self._answer(live.phases.phase == "insurance")
        self._compare()
        self._house.end("payout")

    def _answer(self, insurance: bool) -> None:
        """Refuse insurance; else the players of the hand decide, all of them alike at a box."""
        play = self._house.live.play
        turn, round = play.turn, cast(Round, play.round)
        if insurance:
            for room in self._players:
                room.page.locator("[data-testid^=refuse]").click()
        else:
            assert round.turn is not None
            spot, _ = round.turn
            action = self._choose(round)
            for room in self._players if self._boxes else [self._players[spot]]:
                room.press(f"vote-{action}" if self._boxes else action)
        phase = "insurance" if insurance else "decisions"
        self._house.when(
            lambda live: live.phases.phase != phase or (not insurance and live.play.turn != turn)
        )

    @staticmethod
    def _choose(round: Round) -> Action:
        """Pairs are split and 9 to 11 doubled where it is offered, and cards taken up to 14."""
        assert round.turn is not None
        spot, index = round.turn
        hand = round.play.spots[spot][index]
        offered = round.play.actions(hand)
        if "split" in offered:
            return "split"
        if "double" in offered and hand.total in (9, 10, 11):
            return "double"
        return "hit" if hand.total < 15 and "hit" in offered else "stand"

    def _compare(self) -> None:
        """Each page shows the cards and the money of the house's record, which replays."""
        code = self._house.live.play.code
        reply = self._boss.page.request.get(f"{self._house.url}/api/v1/office/rounds/{code}/record")
        assert reply.ok, reply.text()
        round = replay(loads(reply.text()))
        name = "box" if self._boxes else "seat"
        places = {"dealer": list(round.play.dealer.cards)}
        for spot, hands in round.play.spots.items():
            places[f"{name}-{spot}"] = [card for hand in reversed(hands) for card in hand.cards]
        for room in (*self._players, self._console):
            for place, cards in places.items():
                self._shows(room.page, place, [_name(card) for card in cards])
        for room in self._players:
            balance = self._house.live.table.balance(str(room.number))
            expect(room.at("balance")).to_contain_text(f"{balance / 100:,.2f}")
        dealt = self._house.studio.shoes.dealt
        expect(self._console.at("shoe-dealt")).to_contain_text(f"{dealt} of ")

    @staticmethod
    def _shows(page: Any, place: str, names: list[str]) -> None:
        selector = _HAND.format(place)
        text = json.dumps(names, separators=(",", ":"))
        try:
            page.wait_for_function(_SAME, arg=[selector, text])
        except Exception as error:
            raise AssertionError(f"{place} shows {page.evaluate(_CARDS, selector)}, not {names}") from error

    @staticmethod
    def _plays(room: LiveRoom) -> None:
        """The video plays, by HLS if a busy machine has cut it: its pictures go on."""
        expect(room.at("video")).to_have_attribute("data-way", re.compile("^(whep|hls)$"))
        shown = "document.querySelector('video').getVideoPlaybackQuality().totalVideoFrames"
        before = room.page.evaluate(shown)
        room.page.wait_for_function(f"before => {shown} > before + 10", arg=before)

    def _check_pages(self) -> None:
        """No page has complained, or called another host than the house and its camera."""
        for room in (*self._hall.rooms, self._boss, self._console):
            assert not room.complaints, room.complaints
            strangers = [url for url in room.strangers if not url.startswith(self._house.video_url)]
            assert not strangers, strangers

    def check_layout(self) -> None:
        """Beside the picture the presenter's name and the missing commitment lie on nothing, in either view."""
        room = self._players[0]
        for view in ("immersive", "classic"):
            room.press("menu", f"view-{view}")
            room.page.keyboard.press("Escape")
            assert_clear(room.page, view, {"en": MADE_FOR + SHORT})


def _name(card: int) -> str:
    """A card as English pages name it."""
    return f"{_RANKS[card % 13]} of {_SUITS[card // 13]}"


def main(games: list[str]) -> None:
    """Play a shoe of each game, and say how it went."""
    from tests.browser.conftest import ARGUMENTS, CHROMIUM
    from tests.browser.support.contexts import Contexts

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS)
        for game in games:
            with TemporaryDirectory() as folder, halls(Path(folder), Contexts(browser)) as open_hall:
                shoe = WholeShoe(open_hall, game, cut=None, pace=0.2)
                played = shoe.play()
                shoe.check_layout()
            apart = sorted(abs(each) for each in played.apart)
            print(
                f"{game}: {played.rounds} rounds, {played.cards} cards, {played.seconds:.0f} s; cards and pictures apart:",
                f"median {median(apart):.0f} ms, 95 % within {apart[int(0.95 * len(apart))]:.0f} ms, {len(apart)} cards",
                flush=True,
            )
        browser.close()


if __name__ == "__main__":
    main(sys.argv[1:] or ["freebet", "majority-eu", "majority-us"])
