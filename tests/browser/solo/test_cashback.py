"""Cashback Blackjack in a real browser."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

import pytest
from playwright.sync_api import WebSocketRoute, expect

from sabot.cards import Card
from sabot.games.rules import Rules
from tests.browser.conftest import Enter
from tests.browser.support.recorded import assert_as_recorded

pytestmark = pytest.mark.slow  # a browser

#: Two hands under an ace, with a hole card that makes no blackjack.
ACE_UP = "9s 8s Ah 9d 8d 8c"


def falling(rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]) -> int:
    """A price that every card makes lower."""
    return 1_100_000_000 - 100_000_000 * len(cards)


@pytest.mark.rule("CSH-02", "CSH-03", "CSH-04", "ASR-15")
@pytest.mark.usefixtures("on_a_phone")
def test_the_price_on_the_button_is_what_is_paid(enter: Enter) -> None:
    room = enter("5s 9h 4d 8c 3d", game="cashback", price=falling)
    room.stake(1000, "circle-0")
    room.press("deal")
    room.may("hit", "stand", "double", "cashback")
    room.sees("cashback", r"^\s*CASHBACK\s*8,91")
    room.press("hit")
    room.sees("cashback", r"^\s*CASHBACK\s*7,92")
    room.may("hit", "stand", "cashback")
    room.press("cashback")
    room.sees("sum", "Hai perso 2,08.*pagati 7,92")
    room.sees("seat-0", "venduta per")
    room.heard("Mano 1: cashback.")
    assert_as_recorded(room)


@pytest.mark.rule("CSH-04", "CSH-06", "COM-53", "ASR-15")
def test_a_split_hand_is_sold_and_its_side_bets_stay(enter: Enter) -> None:
    room = enter("8s 10h 8d 7c 9h Kd 4s", game="cashback", bring="200")
    room.stake(1000, "circle-0", "side-0-player-pair")
    for button, label in (("undo", "ANNULLA"), ("clear", "CANCELLA PUNTATE"), ("double-stakes", "RADDOPPIA")):
        room.sees(button, label)
    room.press("deal")
    for button, label in (("hit", "CARTA"), ("stand", "STAI"), ("double", "RADDOPPIA"), ("split", "DIVIDI")):
        room.sees(button, label)
    room.press("split")
    room.sees("hint", "parte 1")
    room.press("cashback")
    room.sees("hint", "parte 2")
    room.press("stand")
    room.lies("side-0-player-pair", "70 coppia rossa/nera 6 a 1")
    room.sees("sum", r"pagati 98,91")
    assert_as_recorded(room)
    room.sees("repeat", "RIPUNTA")
    room.press("repeat")
    room.sees("staked", "20,00")


@pytest.mark.rule("CSH-15")
def test_a_stale_price_is_refused_and_changes_nothing(enter: Enter) -> None:
    room = enter("10s 9h 6d 10c", game="cashback")

    def alter(socket: WebSocketRoute) -> None:
        """The first price that is sent is not the one on the button."""
        house, altered = socket.connect_to_server(), False

        def send(message: str | bytes) -> None:
            nonlocal altered
            asked = json.loads(message)
            command = asked.get("command", {})
            if command.get("type") == "cashback" and not altered:
                command["price"], altered = command["price"] + 1, True
            house.send(json.dumps(asked))

        socket.on_message(send)

    room.page.route_web_socket(re.compile("/api/v1/socket$"), alter)
    room.page.reload()
    room.stake(1000, "circle-0")
    room.press("deal", "cashback")
    room.sees("failure", "Il prezzo ora è 8,91, non 8,92")
    room.heard("Il prezzo ora è 8,91")
    room.sees("balance", "90,00")
    room.may("hit", "stand", "double", "cashback")
    room.press("cashback")
    room.sees("sum", "pagati 8,91")


@pytest.mark.rule("CSH-12", "COM-31", "COM-57")
def test_applied_to_all_a_refusal_lasts_for_the_play_session(enter: Enter) -> None:
    room = enter(*[ACE_UP] * 4, game="cashback", bring="200")
    room.stake(1000, "circle-0", "circle-1")
    room.press("deal")
    room.sees("accept", r"ACCETTO\s*\+5,00")
    room.sees("refuse", "RIFIUTO")
    room.press("apply-all")
    room.sees("accept", r"\+10,00")
    room.sees("hint", "tutte le mani che restano per 10,00")  # one amount
    room.press("accept")
    expect(room.at("insured")).to_have_count(2)
    # On the last hand that is asked the mark is there too, and says beforehand what a refusal with it does.
    room.press("stand", "stand", "repeat-deal", "refuse", "apply-all")
    room.sees("accept", r"\+5,00")
    room.sees("hint", "per 5,00.*non ti sarà più chiesto")
    room.sees("refuse", "per tutta la sessione")
    room.press("refuse", "stand", "stand")
    room.sees("insurance-off", "Assicurazione disattivata")
    room.press("menu")
    expect(room.at("insurance-switch")).not_to_be_checked()
    room.press("close")
    room.page.reload()  # the session goes on
    room.press("repeat-deal")
    room.press("stand", "stand")
    room.press("menu", "insurance-switch", "close", "repeat-deal")
    expect(room.at("accept")).to_be_enabled()


@pytest.mark.rule("COM-24", "COM-32", "LNK-09")
def test_more_money_makes_possible_what_the_balance_did_not(enter: Enter) -> None:
    room = enter(ACE_UP, game="cashback", bring="25")
    room.stake(1000, "circle-0", "circle-1")
    room.press("deal", "apply-all")
    expect(room.at("accept")).to_be_disabled()
    room.sees("accept", "saldo insufficiente")
    room.sees("poor", "Il saldo non copre assicurazione.*DENARO")  # for both hands
    room.press("apply-all")
    expect(room.at("poor")).to_be_hidden()
    room.press("accept")
    room.sees("poor", "Il saldo non copre assicurazione")
    room.press("refuse")
    room.sees("double", "saldo insufficiente")
    room.sees("poor", "Il saldo non copre RADDOPPIA")
    room.press("more-money")
    room.at("amount").fill("50")
    room.press("bring")
    expect(room.at("double")).to_be_enabled()
    room.sees("balance", "50,00")
