"""Responsible play: own limits, time-out, self-exclusion, the session clock and the reality check."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from sabot.server.config import OperatorConfig
from tests.browser.conftest import NewPage
from tests.browser.support.faults import LOOKS, faults
from tests.browser.support.guest import Guest, Played, visit
from tests.browser.support.serve import MiddayClock, ServedHouse

pytestmark = pytest.mark.slow  # a browser
Houses = Callable[..., ServedHouse]

WON, LOST = "10s 9h Kd 8c", "10s 9h 6d 10c"
ROUND = Played([(0, "main", 1_000)], [("stand", 0, 0)])


def _set(guest: Guest, kind: str, value: str) -> Locator:
    limit = guest.at(f"limit-{kind}")
    limit.get_by_test_id("value").fill(value)
    limit.get_by_test_id("set").click()
    expect(limit.get_by_test_id("set-done")).to_be_visible()
    return limit


@pytest.mark.rule("ASR-41")
def test_what_a_loss_limit_does_not_allow_is_shown_with_the_reason(houses: Houses, page: Page) -> None:
    guest = visit(page, houses("8s 9h 8d 8c", "10s Ah Kd 8c", clock=MiddayClock()))
    for name, asked, reason in (
        ("ada", ("double", "split"), "RADDOPPIA, DIVIDI"),
        ("bea", ("accept",), "assicurazione"),
    ):
        guest.register(name)
        guest.deposit(5_000)
        guest.open("/responsible")
        _set(guest, "loss-day", "12")
        guest.play(Played([(0, "main", 1_000)]), currency="EUR", amount=5_000)
        guest.open("/play/surrender?currency=EUR")
        for button in asked:
            expect(guest.at(button)).to_be_disabled()
            expect(guest.at(button)).to_contain_text("limite di perdita")
        expect(guest.at("poor")).to_have_text(f"Oltre il tuo limite di perdita giornaliero: {reason}.")
        assert guest.axe() == []
        page.context.clear_cookies()


@pytest.mark.rule("PLT-50")
def test_limits_time_out_and_self_exclusion(houses: Houses, page: Page) -> None:
    guest = visit(page, houses(LOST, LOST, clock=MiddayClock()))
    guest.register("ada")
    guest.open("/")
    guest.press("menu", "go-care")
    expect(page.get_by_text("Telefono Verde")).to_be_visible()  # information, then own limits
    operator = OperatorConfig()
    expect(guest.at("help-line")).to_contain_text("Istituto Superiore di Sanità")
    expect(guest.at("help-line")).to_have_attribute("href", operator.help_line_url)
    expect(page.get_by_role("link", name="800 558822")).to_have_attribute("href", "tel:800558822")
    expect(guest.at("exclusion-register")).to_have_attribute("href", operator.register_url)

    deposit = _set(guest, "deposit-day", "50")
    expect(deposit.get_by_test_id("set-done")).to_have_text("Impostato: vale da subito.")
    deposit = _set(guest, "deposit-day", "200")  # a looser one waits
    expect(deposit.get_by_test_id("now")).to_have_text("50,00 €")
    expect(deposit.get_by_test_id("pending")).to_have_text(re.compile("Dal .*: 200,00 €"))
    loss = _set(guest, "loss-day", "15")
    loss.get_by_test_id("lift").click()
    expect(loss.get_by_test_id("pending")).to_have_text(re.compile("Dal .*: nessun limite"))
    session = guest.at("limit-session-minutes")
    session.get_by_test_id("value").fill("0")
    session.get_by_test_id("set").click()
    expect(session.get_by_role("alert")).to_have_text("Scrivi minuti interi da 1 a 1440.")
    _set(guest, "session-minutes", "90")
    expect(session.get_by_test_id("now")).to_have_text("90 min")

    guest.open("/cashier")
    guest.fill(amount="60")
    guest.press("pay")
    guest.sees("failure", "Il tuo limite di versamento è 50,00 al giorno")
    guest.fill(amount="50")
    guest.press("pay")
    expect(guest.at("done")).to_be_visible()
    guest.play(ROUND, currency="EUR", amount=5_000)
    with pytest.raises(Exception, match="protection/loss-limit"):
        guest.play(ROUND, currency="EUR", amount=5_000)

    guest.open("/responsible")
    guest.press("pause-week", "start-pause")
    guest.sees("paused", "In pausa fino al")
    with pytest.raises(Exception, match="protection/time-out"):
        guest.play(ROUND, currency="EUR", amount=5_000)

    guest.open("/")
    guest.sees("lobby-paused", "non si punta e non si versa")
    guest.open("/responsible")
    guest.press("exclude-year", "exclude", "exclude-no")
    expect(guest.at("sure")).to_be_hidden()
    guest.press("exclude", "exclude-yes")
    expect(guest.at("demo")).to_be_visible()  # every login has ended
    guest.log_in("ada")
    guest.sees("failure", "Hai scelto l'autoesclusione dal gioco")  # no login to play
    guest.press("to-withdraw")
    expect(page).to_have_url(f"{guest.house.url}/cashier")
    guest.fill(amount="10")
    guest.press("pay")
    guest.sees("done", "Prelevati 10,00 €")
    for path in ("/", "/play/surrender", "/live/freebet-euro"):
        guest.open(path)
        guest.sees("excluded", "Autoescluso fino al")
    guest.open("/")
    expect(guest.at("excluded")).to_be_visible()
    assert faults(guest, *LOOKS) == []
    assert not guest.strangers


@pytest.mark.rule("PLT-73", "PLT-50", "OFF-17")
def test_a_locked_player_withdraws_from_the_page(houses: Houses, page: Page) -> None:
    """Login, cashier, withdrawal; nothing on the way is dead. What the house gave stands there with its reason."""
    guest = visit(page, houses(clock=MiddayClock()))
    guest.register("ada")
    guest.deposit(5_000)
    order = guest.house.order_of
    order(
        "ada",
        lambda register, ada, at: register.adjust(
            1, ada, "EUR", -750, "private", at, "a", "Doppio accredito"
        ),
    )
    order(
        "ada",
        lambda register, ada, at: register.grant_golden(
            1, ada, "EUR", 500, 3, "private", at, public="Auguri"
        ),
    )
    order("ada", lambda register, ada, at: register.lock(1, ada, True, "private", at))
    page.context.clear_cookies()
    guest.log_in("ada")
    guest.sees("failure", "Questo conto è bloccato")
    expect(guest.at("failure").get_by_role("link")).to_have_attribute("href", "/assistance")
    guest.press("to-withdraw")
    expect(page).to_have_url(f"{guest.house.url}/cashier")
    expect(guest.at("way-deposit")).to_have_count(0)
    guest.fill(amount="10")
    guest.press("pay")
    guest.sees("done", "Prelevati 10,00 €")
    movements = guest.at("movement")
    for told in (
        "Prelievo",
        "Fiche Dorate ricevute.*Auguri.*3 Fiche Dorate da 5,00 €",
        "Rettifica.*Doppio accredito.*\u22127,50 €",
    ):
        expect(movements.filter(has_text=re.compile(told, re.DOTALL))).to_have_count(1)
    expect(page.get_by_text("private")).to_have_count(0)
    guest.press("menu")
    ways = (
        guest.at("house-menu").get_by_role("link").evaluate_all("links => links.map(link => link.pathname)")
    )
    assert ways == ["/", "/history", "/cashier", "/responsible", "/help", "/fairness"]
    page.keyboard.press("Escape")
    for path in ("/", "/play/surrender", "/live/freebet-euro", "/settings", "/office"):
        guest.open(path)
        guest.sees("locked", "Il tuo conto è stato bloccato")
        assert guest.at("locked").get_by_role("link").evaluate_all(
            "links => links.map(link => link.pathname)"
        ) == [
            "/cashier",
            "/history",
            "/assistance",
        ]
    assert guest.axe() == []
    guest.open("/responsible")
    guest.sees("why-withdrawing", "Il tuo conto è stato bloccato")
    for dead in ("set", "start-pause", "exclude"):
        expect(guest.at(dead)).to_have_count(0)
    guest.open("/history")
    guest.sees("no-rounds", "Nessun round")
    assert faults(guest, *LOOKS) == []


@pytest.mark.rule("PLT-51")
def test_a_session_clock_and_a_reality_check_with_the_net_result(houses: Houses, page: Page) -> None:
    page.clock.install()
    guest = visit(page, houses(LOST, LOST, WON))
    guest.come_in()
    guest.play(ROUND, ROUND)
    guest.open("/")
    guest.sees("session", r"0:0\d")
    guest.sees("net", "\u221220,00")
    page.clock.fast_forward("00:42:00")
    guest.sees("session", r"0:4\d")
    guest.open("/play/surrender")  # it comes at the table too
    expect(guest.at("repeat-deal").or_(guest.at("deal")).first).to_be_visible()
    page.clock.fast_forward("01:01:00")
    guest.sees("reality", r"Giochi da 1 h \d+ min")
    guest.sees("reality-net", "\u221220,00 FUN")
    page.keyboard.press("Escape")  # it wants an answer
    expect(guest.at("reality")).to_be_visible()
    guest.press("reality-continue")
    expect(guest.at("reality")).to_be_hidden()
    page.clock.fast_forward("01:00:00")
    guest.press("reality-limits")
    expect(guest.at("beside")).to_contain_text("Autoesclusione")  # beside the table (PLT-48)
    page.clock.fast_forward("01:00:00")
    guest.press("reality-stop")
    expect(guest.at("demo")).to_be_visible()


@pytest.mark.rule("PLT-51")
def test_a_reality_check_answered_here_is_not_asked_again_elsewhere(
    houses: Houses, new_page: NewPage, page: Page
) -> None:
    """An hour of play by the house's own clock; the page forgets everything, and another device knows nothing."""
    house = houses()
    guest = visit(page, house)
    guest.register("ada")
    house.lengthen_sessions(61)
    guest.open("/")
    guest.sees("reality", "Giochi da 1 h")
    assert faults(guest) == []
    with page.expect_response("**/api/v1/reality-check"):
        guest.press("reality-continue")
    expect(guest.at("reality")).to_be_hidden()
    page.evaluate("localStorage.clear()")
    guest.open("/")
    guest.sees("session", r"^1:0\d$")
    expect(guest.at("reality")).to_be_hidden()
    elsewhere = visit(new_page(locale="it-IT"), house)
    elsewhere.log_in("ada")
    elsewhere.sees("session", r"^1:0\d$")
    expect(elsewhere.at("reality")).to_be_hidden()


@pytest.mark.rule("ASR-42")
@pytest.mark.usefixtures("on_a_phone")
def test_clock_balance_stake_time_and_result_are_always_in_sight(houses: Houses, page: Page) -> None:
    guest = visit(page, houses(WON))
    guest.come_in()
    guest.play(ROUND)
    guest.open("/")
    for path in ("/history", "/cashier", "/settings", "/responsible", "/help", "/fairness", "/nowhere", "/"):
        guest.go(path)
        guest.sees("balance", "4.500,00 FUN")
        guest.sees("at-tables", "510,00")
        guest.sees("net", r"\+10,00")
        guest.sees("session", r"^\d:\d\d$")
        guest.sees("clock", r"^\d\d:\d\d$")
        for what in ("balance", "net", "session", "clock"):
            expect(guest.at(what)).to_be_in_viewport()
    guest.open("/play/surrender")
    guest.press("circle-0")
    guest.sees("staked", "1,00")
    for what in ("balance", "staked", "net"):
        expect(guest.at(what)).to_be_in_viewport()
    bar, time = page.locator("dl:has([data-testid=staked])"), r"\b\d{1,2}:\d\d\b"
    expect(bar).to_have_text(
        re.compile(f"{time}.*{time}", re.DOTALL), use_inner_text=True
    )  # session and clock
    assert len(re.findall(time, bar.inner_text())) == 2
    guest.press("prizes")  # the return of each bet, before anything is staked
    for percent in ("99,66 %", "95,38 %", "93,89 %"):
        expect(page.get_by_role("dialog")).to_contain_text(percent)
