"""Help: rules, prizes, returns, limits and the best table of each game, from the rules that the engine runs."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from sabot.games import CATALOGUE, dealt_otherwise
from sabot.games.options import LIMIT_CHOICES
from sabot.games.tables import BEST_TABLES
from sabot.server.http.handlers import games
from sabot.texts import Catalogue
from tests.browser.support.guest import visit
from tests.browser.support.serve import ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]
IT = Catalogue("it")


@pytest.mark.rule("PLT-61")
def test_each_games_help_is_read_from_its_rules(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    guest.open("/")
    for game in ("surrender", "cashback", "link", "freebet", "majority-eu", "majority-us"):
        found = CATALOGUE[game]
        guest.go("/help")
        guest.press(f"help-{game}")
        expect(guest.at("best")).to_be_visible(timeout=60_000)
        guest.sees("fingerprint", found.rules.sha256)
        rules = guest.at("rules").inner_text()
        assert f"{found.rules.decks} mazzi" in rules
        assert ("RESA" in rules) == found.rules.surrender
        assert ("CASHBACK" in rules) == found.rules.cashback
        assert ("fa 22" in rules) == found.rules.dealer_22_pushes
        assert (f"arriva a {found.rules.charlie} carte" in rules) == bool(found.rules.charlie)
        if found.rules.side_bets:
            expect(guest.at("prizes").get_by_role("row").first).to_be_visible()
        prizes = guest.at("prizes").get_by_role("row").all_inner_texts()
        for bet in found.rules.side_bets:
            for category, pays in bet.prizes:
                name = IT.named("category", category, game)
                prize = re.compile(rf"{re.escape(name)}(\n.*)?\t{pays} a 1", re.I | re.S)
                assert any(prize.fullmatch(row) for row in prizes), (game, name)
        for row in games._returns(game, True):  # by the solver, and worked out once in this process
            told = guest.at(f"return-{row.bet}").inner_text()
            exact = f"{100 * row.per_stake:.2f}".replace(".", ",")
            assert f"{exact} %" in told
            if row.published is not None:
                assert f"{100 * row.published:.2f}".replace(".", ",") in told
        cells = guest.at("best").get_by_role("row").all_inner_texts()
        hard = [each.hard[16] for each in (BEST_TABLES[other.name] for other in dealt_otherwise(found))]
        aces = hard[0][:-1] + "".join(each[-1] for each in hard)  # a column for the ace of every dealing
        letters = [
            IT.named("strategy.letter", cell, game)
            for cell in re.findall("[A-Z]s?", aces.replace("d", "Ds").replace("r", "Rs"))
        ]
        assert next(row for row in cells if row.startswith("16")).split()[1:] == letters
    guest.go("/help/poker")
    guest.sees("failure", "Il gioco “poker” non esiste")


@pytest.mark.rule("PLT-11")
def test_the_limits_panel_shows_those_in_force_for_this_player(houses: Houses, page: Page) -> None:
    guest = visit(page, houses())
    for name, vip in (("ada", 0), ("bob", 2)):
        guest.register(name)
        guest.house.give_vip(name, vip)
        guest.deposit(5_000)
        guest.open("/help/surrender")
        expect(guest.at("limits-panel")).to_be_visible(timeout=60_000)
        expect(guest.at("limits-panel").get_by_role("heading")).to_have_text("LIMITI DI PUNTATA")
        for choice in LIMIT_CHOICES:
            row = guest.at(f"limit-{choice.name}")
            expect(row).to_contain_text("per te" if choice.vip <= vip else f"dal livello VIP {choice.vip}")
        expect(guest.at("limit-low")).to_contain_text("1 \u2013 100")
        guest.play(currency="EUR", amount=1_000)
        guest.open("/play/surrender")
        guest.press("limits-box")
        offered = page.get_by_role("dialog")
        for choice in LIMIT_CHOICES:
            title = re.compile(re.escape(IT.text(f"limits.{choice.name}")), re.IGNORECASE)
            if choice.vip <= vip:
                expect(offered).to_contain_text(title)
            else:
                expect(offered).not_to_contain_text(title)
    guest.open("/help/link")
    expect(guest.at("limits-panel")).to_contain_text("Vincita massima per round: 500.000,00", timeout=60_000)
    guest.open("/help/freebet")
    expect(guest.at("limits-panel")).to_contain_text("1 \u2013 5K", timeout=60_000)
