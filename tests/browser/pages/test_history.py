"""History: every round, opened to all that it was, with its record and its proof."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, Route, expect

from sabot.record import loads, replay
from tests.browser.pictures.shots import BONUS, SPLIT
from tests.browser.support.guest import Guest, Played, visit
from tests.browser.support.seeded import SeededShoes
from tests.browser.support.serve import ServedHouse
from tests.fairness.independent import check_record

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]

WON, LOST = "10s 9h Kd 8c", "10s 9h 6d 10c"
ROUND = Played([(0, "main", 1_000)], [("stand", 0, 0)])


@pytest.mark.rule("PLT-20", "PLT-21", "PLT-70")
@pytest.mark.usefixtures("on_a_phone")
def test_rounds_newest_first_each_opened_in_full(houses: Houses, page: Page) -> None:
    guest = visit(page, houses("8s 8d 7h 8h 3c 9h Kd 10h 10s 6c", "9s Ah 9d Kc", *[WON] * 20))
    guest.open("/history")
    expect(guest.at("demo")).to_be_visible()  # login required
    guest.demo("/history")
    expect(guest.at("no-rounds")).to_be_visible()
    bets = [(0, "main", 1_000), (1, "main", 2_000), (0, "player-pair", 500), (-1, "dealer-pair", 200)]
    decisions = [("split", 0, 0), ("stand", 0, 0), ("stand", 0, 1), ("double", 1, 0)]
    split = guest.play(Played(bets, decisions))
    insured = [{"type": "insure", "accept": True, "spot": 0}]
    guest.play(Played([(0, "main", 1_000)], insured), *[ROUND] * 20)
    guest.open("/")
    guest.press("menu", "go-history")
    lines = guest.at("round")
    expect(lines).to_have_count(20)
    expect(lines.first).to_contain_text("Blackjack Surrender Multihand")
    codes = guest.at("game-code")
    expect(codes.first).to_have_text(re.compile(r"^PARTITA \d\d:\d\d:\d\d GMT$"))
    expect(guest.at("columns")).to_be_hidden()  # a phone names each figure where it stands
    expect(lines.first).to_contain_text(re.compile(r"Puntato 10,00 FUN.*Pagato 20,00 FUN.*\+10,00", re.S))
    guest.press("more")
    expect(lines).to_have_count(22)
    expect(lines.nth(20)).to_contain_text(re.compile(r"Puntato 15,00 FUN.*Pagato 15,00 FUN", re.S))  # insured
    guest.sees("totals-FUN", r"Round\s+22.*Puntato\s+282,00 FUN")
    expect(guest.at("thumbnails").first.get_by_role("img")).to_have_count(4)
    guest.at("filter-game").select_option("link")
    expect(guest.at("no-rounds")).to_be_visible()
    guest.press("filter-clear", "more")
    expect(lines).to_have_count(22)
    named = guest.at("row-side")
    expect(named).to_have_count(1)  # what the round won with, named in its row
    expect(lines.nth(21).locator(named)).to_have_text("coppia del giocatore: coppia rossa/nera 6\xa0a\xa01")
    lines.nth(21).click()

    expect(page).to_have_url(f"{guest.house.url}/history/{split}")
    expect(page.get_by_text(f"Partita {':'.join(re.findall('..', split.split('-')[1]))} GMT")).to_be_visible()
    guest.sees("round-code", split)
    cards = [
        "sette di cuori, nove di cuori, sei di fiori",
        "otto di quadri, tre di fiori, dieci di picche",
        "otto di cuori, dieci di cuori",
        "otto di picche, re di quadri",
    ]
    guest.shows("round-cards", *", ".join(cards).split(", "))
    rows = guest.at("round-bets").get_by_role("row")
    expect(rows).to_have_count(8)
    assert [re.sub(r"\s+", " ", row).strip() for row in rows.all_inner_texts()[1:]] == [
        "Principale Mano 1, parte 1 10,00 vinta 20,00",
        "Principale Mano 2 20,00 vinta 40,00",
        "Coppia del giocatore Mano 1 5,00 vinta: coppia rossa/nera 6 a 1 35,00",
        "Coppia del croupier Banco 2,00 persa 0,00",
        "Dividi Mano 1, parte 2 10,00 vinta 20,00",
        "Raddoppia Mano 2 20,00 vinta 40,00",
        "In tutto 67,00 155,00",
    ]
    for said in (
        "Mano 1: otto di picche, totale 8.",
        "Mano 1, coppia del giocatore: coppia rossa/nera, paga 6 a 1.",
        "Mano 1, parte 1: divide.",
        "Mano 2: raddoppia.",
        "Il banco gira nove di cuori, totale 16.",
        "Il banco sballa con 22.",
        "Puntati 67,00, pagati 155,00.",
    ):
        expect(guest.at("round-steps")).to_contain_text(said, use_inner_text=True)


@pytest.mark.rule("PLT-21")
def test_a_bonus_step_by_step_and_its_proof(houses: Houses, page: Page) -> None:
    guest = visit(page, houses(shoes=SeededShoes()))
    guest.come_in()
    spins = [{"type": kind, "spot": 0} for kind in ("spin", "continue", *["spin"] * 6)]
    code = guest.play(Played([(0, "main", 1_000), (0, "link", 500)], spins, BONUS), game="link")
    guest.open("/history")
    guest.sees("row-bonus", "Bonus Link 23 a 1")  # in its row
    expect(guest.at("columns")).to_contain_text(re.compile("partita", re.I))
    guest.open(f"/history/{code}")
    steps = guest.at("round-bonus").get_by_role("listitem")
    expect(steps.last).to_have_text("Il bonus paga 23 a 1.")
    assert steps.all_inner_texts()[1:3] == [
        "La ruota si ferma su MEGA LINK.",
        "Si apre il tavolo MEGA LINK: premi 1X 2X 2X 3X 1X 4X, riquadri X3 X2 X2 diamante X2 X3.",
    ]
    guest.press("check")
    guest.sees("verdict", "Tutto torna")
    guest.sees("findings", "Ogni giro del bonus viene dagli stessi semi")


def _split_round(guest: Guest) -> str:
    bets = [(0, "main", 1_000), (1, "main", 2_000)]
    decisions = [("split", 0, 0), ("stand", 0, 0), ("stand", 0, 1), ("double", 1, 0)]
    return guest.play(Played(bets, decisions, SPLIT))


def test_the_page_checks_a_round_without_a_network(houses: Houses, page: Page, tmp_path: Path) -> None:
    guest = visit(page, houses(shoes=SeededShoes()))
    guest.demo("/play/surrender")
    guest.press("menu")
    expect(guest.at("commitment")).to_have_text(re.compile("^[0-9a-f]{64}$"))
    promised = guest.at("commitment").inner_text()
    guest.open(f"/history/{_split_round(guest)}")
    with page.expect_download() as download:
        guest.press("download")
    text = Path(download.value.path()).read_text("utf-8")
    replay(loads(text))
    assert check_record(text) == 10
    page.context.set_offline(True)
    guest.press("check")
    guest.sees("verdict", "Tutto torna.*10 carte")
    guest.fill(written=promised)
    guest.sees("written-verdict", "È l'impegno che ti eri scritto")
    guest.fill(written=promised[::-1])
    guest.sees("written-verdict", "Non è l'impegno")
    page.context.set_offline(False)

    guest.open("/fairness")
    guest.fill(record=text)
    guest.press("check-record")
    guest.sees("verdict", "Tutto torna")
    guest.fill(record=text.replace('cards = "8s', 'cards = "As', 1))
    guest.press("check-record")
    guest.sees("verdict", "NON TORNA")
    guest.sees("findings", "Mano 1: nel verbale As .*, dal sabot 8s")
    guest.fill(record="hello")
    guest.press("check-record")
    guest.sees("unreadable", "non è un verbale")


@pytest.mark.rule("PLT-20", "PLT-21")
def test_every_round_has_a_code_that_help_says_to_quote(houses: Houses, page: Page) -> None:
    """And one with golden chips, one that was voided and one that is not ours are marked."""
    guest = visit(page, houses(WON, LOST, "10s 9h"))
    guest.come_in()
    codes = {guest.play(ROUND), guest.play(ROUND)}
    assert len(codes) == 2

    def gild(route: Route) -> None:
        """As the house tells it of a round with golden chips (MAJ-56)."""
        told = route.fetch().json()
        told["lines"][0]["golden"] = True
        route.fulfill(json=told)

    page.route("**/api/v1/history?*", gild)
    guest.open("/history")
    expect(guest.at("round")).to_have_count(2)
    expect(guest.at("round").nth(0).get_by_text("GC", exact=True)).to_be_visible()
    expect(guest.at("round").nth(1).get_by_text("GC", exact=True)).to_be_hidden()
    for line in guest.at("round").all():
        code = (line.get_attribute("href") or "").rpartition("/")[2]
        assert code in codes
        codes.remove(code)
        assert re.fullmatch(r"\d{6}-\d{6}-[A-Z2-7]{4}", code)
    guest.at("round").first.click()
    expect(page.get_by_text(re.compile(r"Partita \d\d:\d\d:\d\d GMT"))).to_be_visible()
    expect(page.get_by_text("È ciò che l'assistenza ti chiede")).to_be_visible()
    guest.open("/help/surrender")
    expect(page.get_by_text("Citalo all'assistenza")).to_be_visible()
    guest.open("/play/surrender")
    guest.sees("code", r"\d\d:\d\d:\d\d")
    guest.play(Played([(0, "main", 1_000)]))
    guest.open("/history")
    expect(guest.at("round").first).to_contain_text("annullato")
    guest.at("round").first.click()
    expect(page.get_by_text("Round annullato per un malfunzionamento")).to_be_visible()
    guest.open("/history/260829-104000-K7QA")
    guest.sees("failure", "Il round")
