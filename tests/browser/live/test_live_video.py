"""The video of a live table in a real browser, from the camera of the studio's demo, whose pictures show the time."""

from __future__ import annotations

import json
import re
from typing import cast

import pytest
from playwright.sync_api import Request, WebSocket, expect

from tests.browser.support.filmed_house import FilmedHouse
from tests.browser.support.layout import MADE_FOR, SHORT, assert_clear
from tests.browser.support.live_room import Hall, LiveRoom, OpenHall

pytestmark = pytest.mark.slow  # a browser, and an encoder of video

#: One seat has 20 against 9 8; and again.
CARDS = "10s 9h Kd 8c " * 3
#: Milliseconds: a card may be seen so much before or after its picture; by which the scanner is before the camera.
CLOSE, LEAD = 250, 400

#: Reads the clock of the picture that is shown (`sabot.studio_demo.picture`): how old it is, ten times a second; and how much it
#: was when the first card of a round was drawn.
CLOCK = """
window.clock = () => {
  const video = document.querySelector("video");
  if (!video?.videoWidth) return null;
  const cell = video.videoWidth / 32;
  const context = new OffscreenCanvas(32 * cell, 2 * cell).getContext("2d", { willReadFrequently: true });
  context.drawImage(video, 0, 0);
  const isWhite = (at) => context.getImageData((at % 32 + 0.5) * cell, (Math.floor(at / 32) + 0.5) * cell, 1, 1).data[1] > 127;
  const bytes = Array.from({ length: 8 }, (_, byte) => [...Array(8).keys()].reduce((sum, bit) => 2 * sum + isWhite(8 * byte + bit), 0));
  const sum = bytes.slice(0, 6).reduce((crc, byte) => {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = crc & 0x8000 ? (crc << 1) ^ 0x1021 : crc << 1;
    return crc & 0xffff;
  }, 0);
  return sum === 256 * bytes[6] + bytes[7] ? bytes.slice(0, 6).reduce((time, byte) => 256 * time + byte, 0) : null;
};
window.ages = [];
setInterval(() => {
  const shown = clock();
  if (shown) ages.push(Date.now() - shown);
  if (ages.length > 50) ages.shift();
}, 100);
window.drawn = [];
let cards = 0;
new MutationObserver(() => {
  const now = document.querySelectorAll("[data-testid=dealer] .place [role=img]").length;
  if (now && !cards) drawn.push({ picture: clock(), spread: Math.max(...ages) - Math.min(...ages) });
  cards = now;
}).observe(document, { subtree: true, childList: true });
"""
#: Whether the names of the volumes have the room that they need.
LABELS = "[...document.querySelectorAll('.volume .row > span')].every((name) => name.scrollWidth <= name.clientWidth)"
#: A browser without WebRTC.
NO_WEBRTC = "delete window.RTCPeerConnection;"


class Viewer:
    """A player at a table with video."""

    def __init__(self, hall: Hall, *, phone: bool = False, script: str = "") -> None:
        self.house = cast(FilmedHouse, hall.house)
        self.room: LiveRoom = hall.page(phone=phone, script=script + CLOCK)
        #: When each deal was told, and the delays that the page has told.
        self.dealt: list[int] = []
        self.delays: list[int] = []
        #: The tokens of HLS segments.
        self.tokens: list[str] = []
        self.room.page.on("websocket", self._listen)
        self.room.page.on("request", self._note)
        self.room.enter()

    def _listen(self, socket: WebSocket) -> None:
        socket.on("framereceived", lambda text: self._hear(json.loads(text)))
        socket.on("framesent", lambda text: self._sent(json.loads(text)))

    def _note(self, request: Request) -> None:
        if request.url.endswith(".ts"):
            self.tokens.append(request.headers.get("authorization", ""))

    def _hear(self, message: dict[str, object]) -> None:
        if message["type"] == "frame" and any(
            event["type"] == "hole-dealt" for event in cast(list[dict[str, object]], message["events"])
        ):
            self.dealt.append(cast(int, message["at"]))

    def _sent(self, message: dict[str, object]) -> None:
        if message["type"] == "tell-delay":
            self.delays.append(cast(int, message["delay"]))

    def plays(self, way: str, width: int) -> None:
        """A video of this width plays, by a way that fits the pattern."""
        expect(self.room.at("video")).to_have_attribute("data-way", re.compile(f"^({way})$"))
        self.room.page.wait_for_function(
            "width => document.querySelector('video')?.videoWidth === width", arg=width
        )

    def choose(self, quality: str) -> None:
        """Choose a quality in the table's menu."""
        self.room.press("menu", f"quality-{quality}")
        self.room.page.keyboard.press("Escape")

    def sound(self) -> tuple[bool, float]:
        """Whether the video is muted, and how loud it is."""
        muted, volume = self.room.page.evaluate(
            "() => { const { muted, volume } = document.querySelector('video'); return [muted, volume]; }"
        )
        return muted, round(volume, 2)

    def check_cards_come_with_their_pictures(self) -> None:
        """Deal a round: when the first card is drawn the picture shows the time at which it is seen there.

        On a machine that is busy the pictures of one second are older than those of another: so much more is allowed.
        """
        self.room.page.wait_for_function("() => ages.length >= 50")
        self.room.stake(1000, "circle" if self.room.touch else "circle-0")
        self.house.end("betting")
        self.room.shows("dealer", "nove di cuori", "carta coperta")
        drawn = self.room.page.evaluate("drawn.at(-1)")
        apart = drawn["picture"] - self.dealt[-1] - LEAD
        assert abs(apart) < CLOSE + drawn["spread"], (apart, drawn, self.delays)
        # Nobody has less time than the rules give.
        late = self.house.live.delays.longest([str(self.room.number)])
        assert late == self.delays[-1] / 1000 > LEAD / 1000


@pytest.mark.rule("STU-20", "STU-21", "STU-22", "STU-24", "PLT-42", "PLT-43")
def test_a_table_with_its_video_by_webrtc(open_hall: OpenHall) -> None:
    """It plays, in the quality that is chosen, as loud as the settings say, and is cut, back and ended by the logout."""
    viewer = Viewer(open_hall(CARDS, house=FilmedHouse, lead=LEAD))
    room, house = viewer.room, viewer.house
    viewer.plays("whep", 1280)
    assert "index" not in room.page.evaluate(
        "performance.getEntriesByType('resource').map(({ name }) => name).filter((name) => name.includes('hls')).join()"
    )
    viewer.choose("360")
    viewer.plays("whep", 640)
    house.watched(1)
    room.sit("100", 0)
    house.until("betting")
    viewer.check_cards_come_with_their_pictures()

    for view in ("immersive", "classic"):
        room.press("menu", f"view-{view}")
        room.page.keyboard.press("Escape")
        assert_clear(room.page, view, {"it": MADE_FOR + SHORT})

    assert viewer.sound() == (False, 0.8)
    room.press("audio")
    assert viewer.sound()[0]
    room.press("audio", "menu")
    room.at("volume-voice").fill("35")
    room.at("volume-voice").dispatch_event("change")
    assert viewer.sound() == (False, 0.35)
    room.press("voice-switch")
    assert viewer.sound()[0]
    room.page.keyboard.press("Escape")
    assert not room.complaints, room.complaints

    house.cut()
    expect(room.at("video-absent")).to_have_text("Senza video: il gioco continua")
    expect(room.at("video")).to_have_count(0)
    expect(room.page.get_by_role("img", name="Presentatore")).to_be_visible()
    room.press("stand")  # play goes on
    house.until("payout")
    house.film()
    viewer.plays("whep|hls", 640)  # the camera may come back between the two ways that are tried
    expect(room.at("video-absent")).to_be_empty()
    assert viewer.sound()[0]  # the voice stays off at this table

    viewer.choose("off")
    expect(room.at("video")).to_have_count(0)
    expect(room.at("video-absent")).to_be_empty()
    house.watched(0)
    viewer.choose("auto")
    viewer.plays("whep|hls", 1280)
    room.press("menu", "log-out")
    house.watched(0)


@pytest.mark.rule("STU-20", "STU-24")
def test_a_table_with_its_video_by_hls_on_a_phone(open_hall: OpenHall) -> None:
    """Where there is no WebRTC the page falls back by itself; its cards come seconds later, with their pictures."""
    viewer = Viewer(open_hall(CARDS, house=FilmedHouse, lead=LEAD), phone=True, script=NO_WEBRTC)
    room = viewer.room
    viewer.plays("hls", 1280)
    room.sit("100", 0)
    viewer.house.until("betting")
    viewer.check_cards_come_with_their_pictures()
    assert viewer.delays[-1] > 1000
    room.press("menu")
    assert room.page.evaluate(LABELS)
    expect(room.at("quality-auto")).to_have_attribute("aria-pressed", "true")
    room.page.keyboard.press("Escape")
    room.page.goto(f"{viewer.house.url}/settings")
    expect(room.page.get_by_role("group", name="Qualità video").get_by_role("button")).to_have_text(
        ["Automatica", "720p", "360p", "Senza video"]
    )
    assert viewer.tokens
    assert all(token.startswith("Bearer ey") for token in viewer.tokens)
    assert not room.complaints, room.complaints
