"""What moves and what is heard at a solo table."""

from __future__ import annotations

import pytest
from playwright.sync_api import Browser, expect

from tests.browser.conftest import Enter
from tests.browser.support.room import Room
from tests.browser.support.tasks import no_long_task

pytestmark = pytest.mark.slow  # a browser

#: An AudioContext that makes no sound and says so.
DEAF = """
window.heard = [];
window.contexts = 0;
const param = () => ({ value: 0, setValueAtTime() {}, exponentialRampToValueAtTime() {} });
const node = (more) => ({ connect: (to) => to, disconnect() {}, ...more });
window.AudioContext = class {
  constructor() { contexts += 1; }
  currentTime = 0;
  sampleRate = 8000;
  destination = node();
  createGain() { const gain = param(); return node({ context: this, gain }); }
  createBiquadFilter() { return node({ frequency: param(), Q: param() }); }
  createOscillator() { return node({ frequency: param(), start: () => heard.push("note"), stop() {} }); }
  createBufferSource() { return node({ start: () => heard.push("rustle") }); }
  createBuffer(_, length) { return { getChannelData: () => new Float32Array(length) }; }
  close() {}
};
"""


def moving(enter: Enter, *cards: str, **more: object) -> Room:
    room = enter(*cards, **more)
    room.page.emulate_media(reduced_motion="no-preference")
    return room


@pytest.mark.rule("ASR-50")
def test_only_transform_and_opacity_move_and_no_task_is_long(enter: Enter, browser: Browser) -> None:
    room = moving(enter, "8s 9s 9h 6h 8d Kd 8c 10c 3s 4d 9d", game="link", bring="400")
    room.watch()
    room.stake(1000, "circle-0", "circle-1", "circle-2")
    with no_long_task(browser, room.page):
        room.press("deal", "split")
        room.sees("hint", "parte 1")
    assert room.moved == {"transform", "opacity"}


@pytest.mark.rule("ASR-50")
def test_nothing_moves_where_no_motion_is_wanted(enter: Enter) -> None:
    room = enter("As 6h Kd 10c", game="link", draws=[[400]])
    room.watch()
    room.stake(1000, "circle-0", "side-0-link")
    room.press("deal", "spin", "bonus-close")
    expect(room.at("sum")).to_be_visible()
    assert room.moved == set()


def test_a_tap_on_the_felt_shows_the_cards_at_once(enter: Enter) -> None:
    room = moving(enter, "8s 9s 7s 6s 5s 9h 6h 8d Kd 8c 7c 10c 3s")
    room.stake(100, *[f"circle-{spot}" for spot in range(5)])
    room.stop_clock()
    room.press("deal")
    room.sees("hint", "[Ll]e carte")
    room.page.clock.run_for(600)
    expect(room.at("seat-0").get_by_label("otto di picche")).to_be_attached()
    assert sum(len(room.cards(f"seat-{spot}")) for spot in range(5)) < 5
    room.page.get_by_role("region", name="Tavolo").click()
    room.page.clock.run_for(1200)
    room.may("hit", "stand", "double", "surrender")


@pytest.mark.rule("PLT-42")
def test_sound_waits_for_a_touch_and_honours_mute_and_volume(enter: Enter) -> None:
    room = enter("10s 9h Kd 8c", "10s 9h Kd 8c", "10s 9h Kd 8c", bring="200")
    room.page.add_init_script(DEAF)
    room.page.reload()
    expect(room.at("chip-1000")).to_be_visible()
    assert room.page.evaluate("contexts") == 0
    room.stake(1000, "circle-0")
    room.page.wait_for_function("contexts === 1 && heard.length > 0")
    room.press("deal", "stand")
    room.sees("sum", "Hai vinto")
    room.page.wait_for_function("heard.includes('note') && heard.includes('rustle')")
    room.press("audio")
    expect(room.at("audio")).to_have_attribute("aria-pressed", "false")
    room.page.evaluate("heard.length = 0")
    room.press("repeat-deal", "stand")
    room.sees("balance", "220,00")
    assert room.page.evaluate("heard") == []
    room.press("audio")
    room.page.request.put(
        f"{room.house.url}/api/v1/settings",
        data={"sound": {"muted": False, "voice": 80, "game": 0}},
        headers=room.headers,
    )
    room.page.reload()
    room.press("repeat-deal", "stand")
    room.sees("balance", "230,00")
    assert room.page.evaluate("heard") == []


@pytest.mark.rule("PLT-42")
def test_audio_off_holds_on_other_pages_and_another_table_is_heard(enter: Enter) -> None:
    room = enter("10s 9h Kd 8c", game="cashback", by_lobby=True)

    def sounds(on: bool) -> None:
        expect(room.at("audio")).to_have_attribute("aria-pressed", str(on).lower())

    room.press("audio")
    sounds(on=False)
    room.page.go_back()
    room.press("open-table")
    sounds(on=False)
    room.page.reload()
    sounds(on=False)
    for game in ("surrender", "cashback"):
        room.press("lobby", f"play-{game}")
        expect(room.page).to_have_url(f"{room.house.url}/play/{game}")
        sounds(on=True)
