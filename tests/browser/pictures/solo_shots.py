"""What is to be seen at the solo tables: each moment of a round, and of the Link bonus."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.pictures.shot import Shot, stacked
from tests.browser.support.guest import Guest

#: Three hands: 16 against a ten to surrender, a pair of eights to split, a 20.
_HARD = "10s 8s Ks 10h 6d 8d Qh 7c 3h 10d 9s 9c 5d 5h"
#: The dealer's ace: a blackjack of one's own beside a 16.
_ACE = "As 10s Ah Kd 6d 9c 5h 4s"
_BLACKJACK = "As 9s 6h Kd 9d 10c 8s"
#: The wheel stops on LINK: tiles X2, diamond, X3, prizes of 1X, 50X and 5X; then a spin that locks three.
_LINK = [900, 0, 85, 60, 0, 0, 16, 299, 0, 250, 4800, 4870, 4915, *[0] * 60]
_X10 = [400]


def _sit(guest: Guest, game: str) -> None:
    guest.enter(game)
    guest.sit("200")


def _bring(guest: Guest) -> None:
    guest.register("ada")
    guest.deposit(20_000)
    guest.open("/play/surrender")
    expect(guest.at("bring")).to_be_visible()


def _stake(guest: Guest) -> None:
    _sit(guest, "surrender")
    guest.stake(1000, "circle-0", "circle-1", "circle-2")
    guest.stake(200, "side-0-21+3", "side-1-player-pair")


def _surrender(guest: Guest) -> None:
    _stake(guest)
    guest.press("deal")
    expect(guest.at("surrender")).to_be_enabled()


def _split(guest: Guest) -> None:
    _surrender(guest)
    guest.press("surrender", "split")
    expect(guest.at("hit")).to_be_enabled()


def _insurance(guest: Guest) -> None:
    _sit(guest, "surrender")
    guest.stake(1000, "circle-0", "circle-1")
    guest.press("deal")
    expect(guest.at("accept")).to_be_visible()


def _cashback(guest: Guest) -> None:
    _sit(guest, "cashback")
    guest.stake(1000, "circle-0", "circle-1", "circle-2")
    guest.press("deal")
    expect(guest.at("cashback")).to_be_enabled()


def _limits(guest: Guest) -> None:
    _sit(guest, "surrender")
    guest.press("limits-box")


def _wheel(guest: Guest) -> None:
    _sit(guest, "link")
    guest.stake(1000, "circle-0", "circle-1")
    guest.stake(200, "side-0-link", "side-1-link", "side-dealer-dealer-pair")
    guest.press("deal")
    expect(guest.at("spin")).to_be_enabled()


def _link_opens(guest: Guest) -> None:
    _wheel(guest)
    guest.press("spin")
    expect(guest.at("bonus-intro")).to_be_visible()


def _link_table(guest: Guest) -> None:
    _link_opens(guest)
    guest.press("continue", "spin")
    guest.sees("said", "(Nuovi premi|New prizes): 3")


def _link_win(guest: Guest) -> None:
    _wheel(guest)
    guest.press("spin")
    expect(guest.at("bonus-win")).to_be_visible()


SOLO = (
    Shot("solo-bring", "Money is brought to a table", _bring, whole=False),
    Shot("solo-betting", "Chips on three hands and two side bets", _stake, whole=False, key=True),
    Shot("solo-surrender", "A decision, with RESA", _surrender, whole=False, shoes=stacked(_HARD)),
    Shot(
        "solo-split", "A hand given up, a pair divided", _split, whole=False, key=True, shoes=stacked(_HARD)
    ),
    Shot(
        "solo-insurance", "Insurance, hand by hand or for all", _insurance, whole=False, shoes=stacked(_ACE)
    ),
    Shot("solo-cashback", "The price of a hand", _cashback, whole=False, shoes=stacked(_HARD)),
    Shot("solo-limits", "Limits to choose from", _limits, whole=False),
    Shot(
        "link-wheel",
        "The wheel of Blackjack Link",
        _wheel,
        whole=False,
        key=True,
        shoes=stacked(_BLACKJACK, draws=[_LINK]),
    ),
    Shot(
        "link-opens",
        "The Link table opens",
        _link_opens,
        whole=False,
        shoes=stacked(_BLACKJACK, draws=[_LINK]),
    ),
    Shot(
        "link-table",
        "Prizes on the Link table",
        _link_table,
        whole=False,
        shoes=stacked(_BLACKJACK, draws=[_LINK]),
    ),
    Shot(
        "link-win",
        "A multiplier of the wheel",
        _link_win,
        whole=False,
        shoes=stacked(_BLACKJACK, draws=[_X10]),
    ),
)
