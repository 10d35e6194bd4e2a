"""Around the live tables: talk, supervisors, looks and voice, the keyboard, and access for everyone."""

from __future__ import annotations

import re

import pytest
from msgspec.structs import replace
from playwright.sync_api import expect

from sabot.engine import Bet
from sabot.engine.commands import Stand
from sabot.store.kinds import Role
from tests.browser.support.guest import Guest
from tests.browser.support.live_house import LONG, TABLE
from tests.browser.support.live_room import Hall, LiveRoom, OpenHall
from tests.browser.support.room import small

pytestmark = pytest.mark.slow  # a browser

#: One seat has 20 against 9 8.
WIN = "10s 9h Kd 8c "
#: Writes down what would be heard, instead of saying it.
DEAF = """
window.heard = [];
window.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
window.speechSynthesis.getVoices = () =>
  ["en-GB", "it-IT"].map((lang) => ({ name: lang, lang, voiceURI: lang, localService: true, default: false }));
window.speechSynthesis.speak = (line) => window.heard.push(`${line.lang} ${line.volume.toFixed(1)} ${line.text}`);
"""


def operator(hall: Hall, name: str, role: Role) -> LiveRoom:
    """Someone who works on the floor, on the page for that."""
    room = hall.page()
    Guest(room.page, hall.house).register(name)
    hall.house.give_role(name, role)
    room.page.goto(f"{hall.house.url}/office/floor/{TABLE}")
    expect(room.at("reason")).to_be_visible()
    return room


@pytest.mark.rule("PLT-40", "PLT-33", "PLT-60")
def test_the_talk_at_the_table_and_a_presenter_who_looks_after_it(open_hall: OpenHall) -> None:
    """Enter or the arrow sends; the window moves, grows, is enlarged and closed; others can be hidden; a line is taken away.

    A presenter may also call the supervisor: the table is paused, and players are told.
    """
    hall = open_hall(WIN)
    ada, bob = hall.player(), hall.player("en-GB")
    ada.press("chat-open")
    ada.at("chat-text").fill("Buonasera")
    ada.type("Enter")
    expect(bob.at("chat-open")).to_have_attribute("aria-label", "Open the chat, new messages: 1")
    bob.press("chat-open")
    bob.at("chat-text").fill("Hello!")
    bob.press("chat-send")
    expect(ada.at("chat-lines")).to_contain_text(re.compile(r"Tu\s+Buonasera.*demo-.*\s+Hello!", re.DOTALL))

    window = ada.at("chat").bounding_box()
    assert window is not None
    ada.at("chat-move").focus()
    ada.type("ArrowRight", "ArrowDown")
    ada.at("chat-resize").focus()
    ada.type("ArrowRight")
    now = ada.at("chat").bounding_box()
    assert now is not None
    assert (now["x"] - window["x"], now["y"] - window["y"]) == (24, 24)
    assert (now["width"] - window["width"], now["height"] - window["height"]) == (24, 0)
    ada.page.mouse.move(now["x"] + 30, now["y"] + 15)
    ada.page.mouse.down()
    ada.page.mouse.move(now["x"] + 130, now["y"] + 65)
    ada.page.mouse.up()
    dragged = ada.at("chat").bounding_box()
    assert dragged is not None
    assert (dragged["x"] - now["x"], dragged["y"] - now["y"]) == (100, 50)
    ada.press("chat-large")
    large = ada.at("chat").bounding_box()
    assert large is not None
    assert large["height"] > 600

    ada.press("menu", "hide-chat", "close")
    expect(ada.at("chat-lines")).not_to_contain_text("Hello!")
    ada.press("menu", "hide-chat", "close", "chat-close")
    expect(ada.at("chat")).to_have_count(0)
    ada.press("chat-open", "menu")
    for left in (1, 0):  # ESC closes what lies on top first (PLT-45)
        ada.type("Escape")
        expect(ada.at("chat")).to_have_count(left)

    floor = operator(hall, "anna", "presenter")
    expect(floor.at("floor-pause")).to_have_count(0)  # that is a supervisor's
    floor.at("reason").fill("not here")
    floor.page.get_by_role("button", name=re.compile("Togli il messaggio")).first.click()
    floor.sees("floor-done", "Messaggio tolto.")
    expect(bob.at("chat-lines")).not_to_contain_text("Buonasera")
    floor.at("reason").fill("shouting")
    # What is refused stays said while the page looks at the floor again.
    floor.page.clock.install()
    floor.page.reload()
    floor.at("reason").fill("shouting")
    floor.at("minutes").fill("99999")
    floor.page.get_by_role("button", name=re.compile("Silenzia demo-")).click()
    floor.sees("floor-done", "Questi dati non sono validi")
    with floor.page.expect_response("**/office/floor") as seen:
        floor.page.clock.fast_forward(5_000)
    seen.value.finished()
    floor.sees("floor-done", "Questi dati non sono validi")
    floor.complaints.clear()  # the browser writes a refusal down by itself
    floor.at("minutes").fill("10")
    floor.page.get_by_role("button", name=re.compile("Silenzia demo-")).click()
    floor.sees("floor-done", "non può scrivere per 10 minuti")
    bob.at("chat-text").fill("Hello?")
    bob.type("Enter")
    bob.sees("chat-failure", "You cannot write for 10 minutes")

    floor.at("reason").fill("")
    expect(floor.at("floor-call")).to_be_disabled()
    assert floor.axe() == []
    floor.at("reason").fill("una carta è caduta")
    floor.press("floor-call")
    expect(floor.at("floor-done")).to_have_text("Il supervisore è stato chiamato: il tavolo è in pausa.")
    expect(ada.page.get_by_text("TAVOLO IN PAUSA")).to_be_visible()
    expect(floor.at("floor-state")).to_have_text("in pausa")
    hall.check()


@pytest.mark.rule("PLT-33", "ASR-13")
def test_a_supervisor_pauses_resumes_and_voids(open_hall: OpenHall) -> None:
    """Everyone is told; while it is paused nothing is taken; a void gives every stake back, once."""
    hall = open_hall("10s 6s 9h Kd 6d 8c " + WIN)
    ada, bob = hall.player(phone=True), hall.player("en-GB")
    ada.sit("100", 0)
    bob.sit("100", 1)
    hall.house.until("betting")
    ada.stake(1000, "circle")
    bob.stake(500, "circle-1")
    floor = operator(hall, "bruno", "supervisor")
    expect(floor.at("floor-pause")).to_be_disabled()  # without a reason
    floor.at("reason").fill("a card fell")
    floor.press("floor-pause")
    floor.sees("floor-state", "in pausa")
    expect(ada.at("paused")).to_contain_text("Stiamo controllando qualcosa")
    bob.says("One moment, please")
    expect(bob.at("circle-1")).to_be_disabled()
    expect(ada.page.locator("body")).not_to_contain_text("a card fell")
    floor.at("reason").fill("found it")
    floor.press("floor-resume")
    expect(ada.at("paused")).to_have_count(0)
    ada.press("start-now")
    bob.press("start-now")
    expect(ada.at("decide")).to_be_visible()
    ada.sees("balance", "90,00")
    floor.at("reason").fill("two cards at once")
    floor.press("floor-void", "floor-void-sure")
    floor.sees("floor-done", "Round annullato")
    expect(ada.at("voided")).to_contain_text("Ogni puntata è tornata al saldo.")
    ada.sees("balance", "100,00")
    bob.sees("balance", "100.00")
    bob.says("The round is void")
    expect(floor.at("floor-void")).to_be_disabled()
    hall.house.end("payout")
    ada.press("repeat")
    ada.sees("balance", "90,00")

    # A round that is over while the page asks is asked about no more.
    hall.house.end("betting")
    expect(ada.at("decide")).to_be_visible()
    floor.at("reason").fill("two cards again")
    floor.press("floor-void")
    expect(floor.at("floor-void-sure")).to_be_visible()
    ada.press("stand")
    ada.sees("sum", "Hai vinto")
    expect(floor.at("floor-void")).to_be_disabled()
    expect(floor.at("floor-void-sure")).to_have_count(0)
    hall.check()


@pytest.mark.rule("PLT-41")
def test_focus_hides_the_others_at_any_phase(open_hall: OpenHall) -> None:
    """Names and bets of others, their number, the talk. What stands behind whom the player has bet stays, and so does
    every card on the table: those are the game's.
    """
    hall = open_hall(WIN + "10s 6s 9h Kd 6d 8c")
    bob, ada = hall.player(), hall.player()
    bob.sit("100", 3)
    hall.house.until("betting")
    expect(ada.at("plate-3")).to_be_visible()
    off = ada.look_of("focus", "backgroundColor")
    # Without a seat: free seats stay, for sitting down.
    ada.press("focus")
    assert ada.look_of("focus", "backgroundColor") != off  # it is seen to be on
    expect(ada.at("seat-3")).to_have_count(0)
    expect(ada.at("sit-0")).to_be_visible()
    bob.stake(500, "circle-3")
    bob.press("start-now")
    expect(bob.at("decide")).to_be_visible()
    expect(ada.at("seat-3")).to_contain_text("20")
    for hidden in ("plate-3", "stake-3"):
        expect(ada.at(hidden)).to_have_count(0)
    expect(ada.at("sit-3")).to_have_count(0)
    expect(ada.page.locator(".saying")).not_to_contain_text("demo-")
    bob.press("stand")
    hall.house.end("payout")
    # With one.
    ada.press("focus")
    ada.sit("100", 0)
    hall.house.until("betting")
    expect(ada.at("plate-3")).to_be_visible()
    ada.press("focus")
    for hidden in ("seat-3", "sit-5", "crowd", "chat-open"):
        expect(ada.at(hidden)).to_have_count(0)
    expect(ada.at("seat-0")).to_be_visible()
    ada.stake(500, "circle-0")
    bob.stake(500, "circle-3")
    ada.press("start-now")
    bob.press("start-now")
    expect(ada.at("decide")).to_be_visible()
    expect(ada.at("seat-3")).to_contain_text("12")
    for hidden in ("plate-3", "stake-3", "behind-3"):
        expect(ada.at(hidden)).to_have_count(0)
    expect(ada.at("said")).to_contain_text("Posto 1")
    expect(ada.at("said")).not_to_contain_text("Posto 4")
    ada.press("focus")
    expect(ada.at("seat-3")).to_contain_text("12")
    ada.press("stand")
    expect(bob.at("decide")).to_be_visible()
    expect(ada.at("subtitle")).to_contain_text("Tocca a")
    expect(ada.at("said")).to_contain_text("Posto 4")
    with ada.page.expect_response(lambda answer: answer.request.method == "PUT"):
        ada.press("focus")
    expect(ada.at("subtitle")).to_have_count(0)
    expect(ada.at("said")).not_to_contain_text("Posto 4")
    ada.page.reload()  # it is kept in the profile
    ada.sees("seat-0", "20")
    expect(ada.at("plate-3")).to_have_count(0)
    hall.check()


def test_the_presenter_speaks_and_the_shoe_is_promised(open_hall: OpenHall) -> None:
    """In the language of the page, as loud as the settings say, not at all when AUDIO is off; subtitles always."""
    hall = open_hall(WIN * 2, timers=replace(LONG, shuffle=600))
    room = hall.page()
    room.page.add_init_script(DEAF)
    room.enter()
    room.sit("100", 0)
    room.press("shuffling-how")
    expect(room.at("full-commitment")).to_have_text(hall.house.live.table.shoes.shoe.commitment)  # type: ignore[union-attr]
    room.type("Escape")
    hall.house.when(lambda live: len(live.shoes._seeds.seeds) == 1)
    hall.house.end("shuffle")
    room.says("Fate il vostro gioco, prego.")
    room.page.wait_for_function("heard.at(-1) === 'it-IT 0.8 Fate il vostro gioco, prego.'")
    room.press("audio", "menu", "language-en", "close")
    room.says("Place your bets, please.")
    room.stake(500, "circle-0")
    room.press("start-now")
    room.says("It is your turn.")
    assert room.page.evaluate("window.heard.at(-1)") == "it-IT 0.8 Fate il vostro gioco, prego."
    # The code and the promise are in sight; the page had its part in the shuffle.
    room.sees("code", r"^\d\d:\d\d:\d\d GMT$")
    room.press("proof")
    room.sees("full-code", r"^\d{6}-\d{6}-[A-Z2-7]{4}$")
    expect(room.at("full-commitment")).to_have_text(hall.house.live.table.shoes.shoe.commitment)  # type: ignore[union-attr]
    expect(room.page.get_by_role("dialog")).to_contain_text("seeds from players: 1")
    room.type("Escape")
    # The lobby stands beside the table, and the seat stays.
    room.press("lobby")
    expect(room.at("lobby-beside")).to_contain_text("Classic Free Bet")
    room.type("Escape")
    room.press("stand")
    room.sees("sum", "You won 5.00")
    room.press("menu")
    room.page.get_by_role("link", name="CASHIER").click()
    expect(room.page.get_by_role("dialog", name="CASHIER")).to_be_visible()
    room.page.go_back()
    expect(room.page.get_by_role("dialog")).to_have_count(0)
    room.sees("sum", "You won 5.00")
    expect(room.at("leave-0")).to_be_visible()
    hall.check()


@pytest.mark.rule("PLT-45")
def test_a_round_by_keyboard_alone(open_hall: OpenHall) -> None:
    """Keys choose chips, repeat and double, undo, start and decide; arrows go to a place for chips; ESC closes."""
    hall = open_hall(WIN * 2)
    room = hall.player()
    room.at("sit-0").focus()
    room.type("Enter")
    expect(room.at("leave-0")).to_be_visible()
    hall.house.until("betting")
    expect(room.at("circle-0")).to_be_enabled()
    room.type("3", "ArrowUp")
    expect(room.at("circle-0")).to_be_focused()
    room.type("Enter", "Enter")
    room.sees("staked", "10,00")
    room.type("Control+z")
    room.sees("staked", "5,00")
    room.type("Backspace")
    room.sees("staked", "0,00")
    room.type("4", "Enter", "i")
    room.sees("decide-note", "Posto 1: 20")
    room.type("s")
    room.sees("sum", "Hai vinto 10,00")
    hall.house.end("payout")
    expect(room.at("repeat")).to_be_enabled()
    room.page.evaluate("document.activeElement.blur()")
    room.type("Space")
    room.sees("staked", "10,00")
    room.type("Space")
    room.sees("staked", "20,00")
    room.stop_clock()
    room.page.keyboard.down("Delete")
    room.sees("staked", "10,00")
    room.page.clock.fast_forward(3100)  # held for three seconds
    room.sees("staked", "0,00")
    room.page.keyboard.up("Delete")
    room.at("menu").focus()
    room.type("Enter")
    expect(room.page.get_by_role("dialog")).to_be_visible()
    room.type("Escape")
    expect(room.page.get_by_role("dialog")).to_have_count(0)
    hall.check()


@pytest.mark.rule("PLT-04", "PLT-64", "PLT-69")
def test_where_the_cap_is_reached_a_live_table_leads_out(open_hall: OpenHall) -> None:
    """200.00 are more than these limits can take, bets behind included; who leaves may bring as much again."""
    few = {"minimum": 100, "maximum": 500}
    hall = open_hall(WIN, options={"main": few, "behind": few, "side": few}, cap=20_000)
    room = hall.player()
    room.sit("200", 0)
    hall.house.until("betting")
    expect(room.at("chip-100")).to_be_visible()
    expect(room.at("chips-more")).to_have_count(0)
    room.sees("add-money", "LASCIA E SIEDITI DI NUOVO")
    room.press("add-money")
    room.sees("sit-cap", "al massimo 200,00 FUN per sessione")
    room.press("leave-again")
    room.press("sit-0")
    room.sees("add-money", "AGGIUNGI DENARO")
    room.add_up_to("200")
    room.sees("balance", "200,00")
    hall.check()


@pytest.mark.rule("PLT-04", "PLT-45")
def test_sitting_down_for_money_by_keyboard_alone(open_hall: OpenHall) -> None:
    """The keyboard arrives at the first seat; the window for the amount takes it, gives it back, and bets are next."""
    hall = open_hall(WIN, currency="EUR")
    room = hall.page()
    guest = Guest(room.page, hall.house)
    guest.register("ada")
    guest.deposit(8_000)
    guest.open(f"/live/{TABLE}")
    expect(room.at("sit-0")).to_be_focused()
    room.type("Enter")
    expect(room.at("amount")).to_be_focused()
    room.type("Escape")
    expect(room.page.get_by_role("dialog")).to_have_count(0)
    expect(room.at("sit-0")).to_be_focused()
    room.type("Enter")
    expect(room.at("amount")).to_be_focused()
    room.page.keyboard.type("50")
    room.type("Enter")
    hall.house.until("betting")
    room.sees("balance", "50,00")
    expect(room.at("circle-0")).to_be_focused()
    # The talk gives it back too.
    room.at("chat-open").focus()
    room.type("Enter")
    room.at("chat-close").focus()
    room.type("Enter")
    expect(room.at("chat")).to_have_count(0)
    expect(room.at("chat-open")).to_be_focused()


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desktop"])
def test_axe_and_targets_in_every_phase(open_hall: OpenHall, phone: bool) -> None:
    """On a phone in Italian, on a desktop in English; a neighbour sits at seat 1, and one may bet behind."""
    hall = open_hall("9s 10s 8s Ah 8d 9d 7d 9c " + WIN)
    house, room = hall.house, hall.player("it-IT" if phone else "en-GB", phone=phone)
    found: dict[str, list[str]] = {}

    def look(phase: str) -> None:
        found[phase] = [*room.axe(), *small(room.page)]

    look("looking on")
    neighbour = house.seat(0)[0]
    room.sit("100", 1, 2)
    house.until("betting")
    room.stake(500, "circle" if phone else "circle-1")
    room.stake_behind(500, "behind-0")
    house.everyone_bets([neighbour], Bet(0, "main", 1000))
    room.press("chat-open")
    room.at("chat-text").fill("!")
    room.press("chat-send")
    expect(room.at("chat-lines").locator(".own")).to_have_count(1)
    look("betting and talk")
    room.press("chat-close")
    for sheet in ("limits-box", "add-money", "proof"):
        room.press(sheet)
        look(sheet)
        room.press("close")
    house.end("betting")
    expect(room.at("accept-1")).to_be_visible()
    look("insurance")
    room.press("refuse-0", "refuse-1", "refuse-2")
    house.end("insurance")
    expect(room.at("ahead")).to_be_visible()
    room.press("ahead-2-stand")
    expect(room.at("ahead-2-stand")).to_have_attribute("aria-pressed", "true")
    look("decisions in advance")
    house.decide(neighbour, Stand(0))
    room.press("menu", "view-classic", "close")
    expect(room.at("decide")).to_be_visible()
    look("a decision in the classic view")
    room.press("stand")
    expect(room.at("sum")).to_be_visible()
    look("payout")
    room.press("menu")
    look("menu")
    assert {where: what for where, what in found.items() if what} == {}


@pytest.mark.parametrize("phone", [True, False], ids=["phone", "desktop"])
def test_axe_and_targets_at_boxes(open_hall: OpenHall, phone: bool) -> None:
    hall = open_hall("10s 9h 8d 8c", game="majority-eu", options={"vote_threshold": 1})
    room = hall.player("it-IT" if phone else "en-GB", phone=phone)
    hall.house.grant(room.number, 500, 2)
    room.press("join")
    expect(room.at("consent-yes")).to_be_visible()
    found = {"consent": [*room.axe(), *small(room.page)]}
    room.press("consent-yes")
    hall.house.until("betting")
    room.press("golden-500", "circle-0")
    found["betting"] = [*room.axe(), *small(room.page)]
    hall.house.when(lambda live: live.spots.count().boxes[0].players == 1)
    hall.house.end("betting")
    expect(room.at("vote")).to_be_visible()
    found["vote"] = [*room.axe(), *small(room.page)]
    room.press("vote-stand")
    expect(room.at("sum")).to_be_visible()
    found["payout"] = [*room.axe(), *small(room.page)]
    assert {where: what for where, what in found.items() if what} == {}
