"""What the screen shows of a round, beside what is recorded and paid of it (ASR-15)."""

from __future__ import annotations

import re
from collections import defaultdict
from typing import Any, NamedTuple

from playwright.sync_api import Locator, expect

from sabot.texts import Catalogue
from tests.browser.support.room import Room
from tests.support.table import card_name

DEALER = -1
#: Lines of the book that are a hand's own.
_MAIN = ("initial", "double", "split")


class Seen(NamedTuple):
    """A finished round: the cards of each hand, what each hand won, and all in sum."""

    cards: dict[tuple[int, int], list[str]]
    won: dict[tuple[int, int], str]
    sum: tuple[str, str]
    balance: str


def shown(room: Room) -> Seen:
    """The round as the page shows it."""
    cards: dict[tuple[int, int], list[str]] = {}
    won: dict[tuple[int, int], str] = {}
    for spot in range(5):
        hands = room.at(f"seat-{spot}").get_by_role("group").all()
        for index, hand in enumerate(reversed(hands)):  # the first hand of a split is the right one
            cards[spot, index] = _cards(hand)
            won[spot, index] = hand.locator(".amount").inner_text()
    cards[DEALER, 0] = room.cards("dealer")
    amounts = re.findall(r"[\d.,]*\d", room.at("sum").inner_text())
    return Seen(cards, won, (amounts[-2], amounts[-1]), _amount(room.at("balance")))


def recorded(room: Room) -> Seen:
    """The round as the house has stored it for its player."""
    code = room.at("code").get_attribute("title")
    answer = room.page.request.get(f"{room.house.url}/api/v1/history/{code}", headers=room.headers)
    assert answer.ok, answer.text()
    texts = Catalogue(room.page.locator("html").get_attribute("lang") or "it")
    cards: dict[tuple[int, int], list[str]] = defaultdict(list)
    won: dict[tuple[int, int], int] = defaultdict(int)
    paid: dict[str, Any] = {}
    for event in (event for moment in answer.json()["moments"] for event in moment["events"]):
        match event["type"]:
            case "card-dealt":
                cards[event["spot"], event["hand"]].append(card_name(texts, event["card"]))
            case "hole-shown":
                cards[DEALER, 0].append(card_name(texts, event["card"]))
            case "acted" if event["action"] == "split":
                cards[event["spot"], 1] = [cards[event["spot"], 0].pop()]
            case "bet-settled" if event["why"] in _MAIN:
                won[event["spot"], event["hand"]] += event["paid"] - event["stake"]["own"]
            case "bet-settled" if event["why"] == "link" and event["paid"]:
                won[event["spot"], 0] += event["paid"] - event["stake"]["own"]
            case "player-paid":
                paid = event
    line = answer.json()["line"]
    assert (line["staked"], line["paid"]) == (paid["staked"], paid["paid"])
    return Seen(
        dict(cards),
        {hand: _signed(texts, cents) for hand, cents in won.items()},
        (texts.amount(paid["staked"]), texts.amount(paid["paid"])),
        texts.amount(paid["balance"]),
    )


def assert_as_recorded(room: Room) -> None:
    """What the screen showed is what was recorded and paid."""
    room.at("sum").wait_for()
    written = recorded(room)
    expect(room.at("balance")).to_contain_text(written.balance)  # told after what happened
    assert shown(room) == written


def _cards(hand: Locator) -> list[str]:
    return [card.get_attribute("aria-label") or "" for card in hand.get_by_role("img").all()]


def _amount(place: Locator) -> str:
    found = re.search(r"[\d.,]*\d", place.inner_text())
    assert found is not None
    return found[0]


def _signed(texts: Catalogue, cents: int) -> str:
    """As it stands on the felt: no cents where there are none."""
    amount = texts.amount(cents) if cents % 100 else texts.amount(cents)[:-3]
    return f"+{amount}" if cents > 0 else amount.replace("-", "\N{MINUS SIGN}")
