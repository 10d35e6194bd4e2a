"""A whole round of each game by the accessibility tree alone: roles, names, and what the live region says."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sabot.engine import Bet
from tests.browser.support.live_room import OpenHall
from tests.browser.support.room import LISTEN, PATIENCE
from tests.browser.support.serve import ServedHouse
from tests.support.shoes import StackedShoes

pytestmark = pytest.mark.slow  # a browser


class Blind:
    """Someone who sees nothing, and answers what is said with the button of that name."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.lines: list[str] = []
        page.set_default_timeout(PATIENCE)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=re.compile(name)).first.click()

    def listen(self) -> None:
        self.page.evaluate(LISTEN)

    def hear(self) -> list[str]:
        """Wait until something more is said."""
        known = len(self.lines)
        self.page.wait_for_function("(known) => told.length > known", arg=known)
        self.lines = self.page.evaluate("told")
        return self.lines[known:]

    def play(self) -> str:
        """Answer each question until the round is paid; gives the sum as it was said."""
        while True:
            for line in self.hear():
                if line.startswith("Puntati"):
                    return line
                self.answer(line)

    def answer(self, line: str) -> None:
        if turn := re.search(r"totale \D*(\d+)\. Puoi: (.+)\.$", line):
            may = turn[2].split(", ")
            wants = "stai" if int(turn[1]) >= 17 else "carta"
            assert wants in may
            self.press(wants.upper())
        elif line.endswith("?"):
            self.press("RIFIUT")
        elif "si gira la ruota" in line:
            self.press("^GIRA")
        elif line.startswith("Il bonus paga"):
            self.press("^CONTINUA")


#: Of each solo game: its cards (one hand, in the middle), the draws of its bonus, and what is heard besides.
SOLO = {
    "Blackjack Surrender Multihand": (
        "10s Ah 5d 8c 4h",
        [],
        ["Assicuri la mano 3", "Tocca a Mano 3, totale 15"],
    ),
    "Cashback Blackjack": ("10s 9h 5d 8c 4h", [], ["Puoi: .*cashback"]),
    "Blackjack Link": ("As 9h Kd 8c", [[400]], ["si gira la ruota", "La ruota si ferma"]),
}


@pytest.mark.rule("ASR-51")
@pytest.mark.parametrize("game", SOLO)
def test_a_round_of_a_solo_game(houses: Callable[..., ServedHouse], page: Page, game: str) -> None:
    cards, draws, heard = SOLO[game]
    house = houses(shoes=StackedShoes(cards, draws=draws))
    blind = Blind(page)
    page.goto(house.url)
    page.get_by_role("link", name=f"GIOCA, {game}").click()
    expect(page.get_by_role("button", name=re.compile("DISTRIBUISCI"))).to_be_enabled()
    blind.listen()
    if draws:
        page.get_by_role("button", name=re.compile("Mano 3, LINK")).click()
    blind.press("DISTRIBUISCI")
    paid = blind.play()
    assert re.search(r"pagati [1-9]", paid)
    for words in heard:
        assert re.search(words, " ".join(blind.lines)), words
    assert len(set(blind.lines)) == len(blind.lines)  # each thing is said once
    expect(page.get_by_role("group", name="Comandi")).to_contain_text("RIPUNTA E DISTRIBUISCI")


@pytest.mark.rule("ASR-51", "PLT-45")
@pytest.mark.parametrize("hands", ["names", "keys"])
@pytest.mark.parametrize("game", ["freebet", "majority-eu"])
def test_a_round_of_a_live_game(open_hall: OpenHall, game: str, hands: str) -> None:
    """By names and what is said, or by the keyboard: the focus is always where the next step is."""
    hall = open_hall("10s 9h Kd 8c", game=game)
    room = hall.player()
    blind = Blind(room.page)
    boxes = game != "freebet"
    others = hall.house.crowd(3) if boxes else []
    if hands == "keys" and not boxes:
        hall.house.seat(*range(6))  # one seat is left, the seventh
    sit = "ENTRA IN GIOCO" if boxes else "Posto 1: SIEDITI QUI"
    place = re.compile("Postazione 1.*rincipale" if boxes else "Posto .*Puntata principale")
    blind.listen()
    if hands == "names":
        blind.press(sit)
    else:
        expect(room.at("join" if boxes else "sit-6")).to_be_focused()
        room.type("Enter")
    if boxes:  # whoever plays here answers about doubles and splits first
        expect(room.page.get_by_role("dialog")).to_be_visible()
        if hands == "names":
            blind.press("SÌ, AUTOMATICAMENTE")
        else:
            expect(room.at("question")).to_be_focused()  # on none of the answers
            room.type("Tab")
            expect(room.page.get_by_role("dialog").get_by_role("button").first).to_be_focused()
            room.type("Enter")
        expect(room.page.get_by_role("dialog")).to_have_count(0)
    hall.house.until("betting")
    circle = room.page.get_by_role("button", name=place)
    expect(circle.first).to_be_enabled()
    if hands == "names":
        blind.press("Fiche da 10,00")
        circle.first.click()
    else:
        expect(room.at("circle-0" if boxes else "circle-6")).to_be_focused()
        room.type("4", "Enter")
    expect(circle.filter(has_text="10,00").first).to_be_visible()
    if boxes:
        hall.house.everyone_bets(others, Bet(0, "main", 1000))
        hall.house.end("betting")
        hall.house.until("decisions")
        hall.house.everyone_votes(others[:2], "stand")  # the third vote of four decides
    elif hands == "names":
        blind.press("INIZIARE ORA")
    else:
        hall.house.end("betting")
    if hands == "names":
        assert "pagati 20,00" in blind.play()
        assert sum("Puoi" in line for line in blind.lines) == 1
        assert len(set(blind.lines)) == len(blind.lines)
        return
    expect(room.at("vote" if boxes else "decide")).to_be_visible()
    expect(room.page.get_by_role("group", name="Comandi")).to_be_focused()
    room.type("s")
    room.heard("pagati 20,00")
