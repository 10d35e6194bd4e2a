"""The keyboard at a solo table: every shortcut, and a whole round of each game with nothing else."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Enter
from tests.browser.support.recorded import assert_as_recorded
from tests.browser.support.room import Room

pytestmark = pytest.mark.slow  # a browser

#: Of each game: the cards of two hands, the bonus draws, the keys after the deal, and what the sum says.
ROUNDS = {
    # Hand 1 refuses insurance, hand 2 too; then RESA, and RADDOPPIA to 20.
    "surrender": ("10s 6s Ah 6d 5d 8c 9h", [], ["n", "n", "e", "r"], "Hai vinto 15,00"),
    # "Applica a tutte", ACCETTO; CASHBACK; DIVIDI, CARTA, STAI, STAI.
    "cashback": ("10s 8s Ah 6d 8d 8c 2h 3h 9h", [], ["t", "a", "b", "d", "c", "s", "s"], "Hai"),
    # ALLA PARI; GIRA to a cash prize, closed with ESC; then PRENDI CARTA and STAI.
    "link": ("As 8s Ah Kd 4d 8c 7h", [[400]], ["a", "n", "g", "Escape", "c", "s"], "Hai vinto"),
}
#: The letter that deals.
DEAL = {"it": "i", "en": "l"}
#: The letters of the other language.
ENGLISH = {"link": (["y", "n", "i", "Escape", "h", "s"], "You won")}


#: The keys on the page, with what each does. GIRA is SALTA while something turns.
_SHOWN = """() => [...document.querySelectorAll("[data-key]")]
    .map(({ dataset }) => [dataset.key, dataset.testid.replace("skip", "spin")])"""


def use(room: Room, *keys: str) -> dict[str, set[str]]:
    """Press keys, each when its button can be pressed, or ESC when there is something to close; gives all meanings seen."""
    meanings: dict[str, set[str]] = {}
    for key in keys:
        waits = (
            "dialog[open]" if key == "Escape" else f'[data-key="{key}"]:enabled:not([aria-disabled="true"])'
        )
        room.page.locator(waits).wait_for()
        for shown, does in room.page.evaluate(_SHOWN):
            meanings.setdefault(shown, set()).add(does)
        room.type(key)
    return meanings


@pytest.mark.rule("ASR-50", "PLT-45", "PLT-46", "ASR-15")
@pytest.mark.parametrize(
    ("game", "language"), [("surrender", "it"), ("cashback", "it"), ("link", "it"), ("link", "en")]
)
def test_a_whole_round_with_the_keyboard_alone(enter: Enter, game: str, language: str) -> None:
    cards, draws, keys, result = ROUNDS[game]
    room = enter(cards, game=game, draws=draws)
    if language == "en":
        keys, result = ENGLISH[game]
        room.press("menu", "language-en", "close")
        room.type("ArrowLeft")
    room.type("4")  # the chip of 10; the keyboard stands at the first hand
    expect(room.at("circle-0")).to_be_focused()
    room.type("Enter", "ArrowLeft", "Enter")
    expect(room.at("circle-1")).to_be_focused()
    if game == "link":
        room.type("1", "ArrowRight", "ArrowDown", "ArrowRight", "Enter")
        room.lies("side-0-link", "1")
    room.lies("circle-0", "10")
    meanings = use(room, DEAL[language], *keys)
    room.sees("sum", result)
    assert {key: does for key, does in meanings.items() if len(does) > 1} == {}
    assert_as_recorded(room)


@pytest.mark.rule("PLT-45", "COM-55")
def test_space_repeats_and_then_doubles_and_undo_held_clears(enter: Enter) -> None:
    room = enter("10s 9h Kd 8c", bring="900")
    for key, chip in zip("7654321", (10_000, 5_000, 2_500, 1_000, 500, 200, 100), strict=True):
        room.type(key)
        expect(room.at(f"chip-{chip}")).to_be_visible()
        expect(room.at(f"chip-{chip}")).to_have_attribute("aria-pressed", "true")
    # The rack turns under the keyboard, which stays on a chip.
    room.at("chip-100").focus()
    room.type("7")
    expect(room.at("chip-10000")).to_be_focused()
    room.stake(1000, "circle-0")
    room.stake(200, "side-0-21+3")
    use(room, "i", "s")
    room.sees("sum", "Hai vinto 8,00")
    room.type("Space")
    room.sees("staked", "12,00")
    room.type("Space")
    room.sees("staked", "24,00")
    room.type("Space")
    room.sees("staked", "48,00")
    for undo, left in (("Control+z", "24,00"), ("Delete", "12,00"), ("Backspace", "0,00")):
        room.type(undo)
        room.sees("staked", left)
    room.type("Space", "x", "Meta+z")
    room.sees("staked", "12,00")
    room.type("x", "x")
    room.stop_clock()
    room.page.keyboard.down("Backspace")
    room.sees("staked", "24,00")
    room.page.clock.fast_forward(2900)
    room.sees("staked", "24,00")
    room.page.clock.fast_forward(200)
    room.sees("staked", "0,00")
    room.page.keyboard.up("Backspace")


@pytest.mark.rule("PLT-45", "ASR-50")
def test_keys_are_for_a_pop_up_while_it_is_open_and_tab_leads_through_a_round(enter: Enter) -> None:
    room = enter("10s 9h Kd 8c")
    room.stake(100, "circle-0")
    for sheet in ("menu", "prizes", "limits-box", "proof", "add-money"):
        room.press(sheet)
        expect(room.page.get_by_role("dialog")).to_be_visible()
        expect(room.page.get_by_role("dialog").locator(":focus")).to_have_count(1)  # it takes the keyboard
        room.type("Delete", "i", "Escape")
        expect(room.page.get_by_role("dialog")).to_have_count(0)
        expect(room.at(sheet)).to_be_focused()  # and gives it back
    room.sees("staked", "1,00")
    expect(room.at("deal")).to_be_enabled()
    # On a button the keyboard stands on, space presses it.
    room.at("circle-0").focus()
    room.type("Tab", "Shift+Tab", "Space")
    room.sees("staked", "2,00")
    room.at("deal").focus()
    room.type("Enter")
    room.may("hit", "stand", "double", "split", "surrender")
    room.type("Tab")  # the keyboard waits before the first of the new buttons
    expect(room.at("hit")).to_be_focused()
    room.type("Tab", "Enter")
    room.sees("sum", "Hai vinto 2,00")
