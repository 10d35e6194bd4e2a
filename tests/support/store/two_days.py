"""Two days of play with something of everything that the figures of the back office tell apart."""

from __future__ import annotations

from sabot.engine import Bet
from tests.support.house import House

NOON = 1_788_004_800_000
DAY_MS = 86_400_000
SIDES = (Bet(0, "main", 1_000), Bet(0, "player-pair", 100), Bet(1, "main", 500))


def play(house: House) -> None:
    """Two days of four games: a bot among people, a void, golden chips, a withdrawal that came back."""
    ada, bob = house.player("ada"), house.player("bob")
    bot = house.cashier.register("bot", at=NOON, demo=True, bot=True)
    house.cashier.deposit(bot, "FUN", 10_000_000, "first", at=NOON)
    for day in range(2):
        at = NOON + day * DAY_MS
        cashback = house.solo("cashback", ada)
        for turn in range(4):
            house.play_solo(cashback, ada, at + turn, SIDES)
        house.store.store(cashback.leave(str(ada), at + 5))
    link = house.solo("link", bob, "FUN")
    for turn in range(3):
        house.play_solo(link, bob, NOON + turn)
    house.deal_until_open(link, bob, NOON)
    house.void(link, NOON)
    live = house.live("majority-eu", ada, bot, bob, currency="FUN")
    bet = (Bet(0, "main", 1_000),)
    for turn in range(3):
        house.play_live(live, {ada: bet, bob: bet, bot: bet}, NOON + turn)
    house.play_live(live, {bot: bet}, NOON + 4)
    house.golden(live, bob, 500, 2, NOON)
    house.play_live(live, {bob: (Bet(0, "main", 0, (500,)),)}, NOON + 5)
    house.cashier.withdraw(ada, "EUR", 700, "out", at=NOON)
    house.cashier.withdraw(ada, "EUR", 800, "back", at=NOON)
    house.cashier.rollback(ada, "back", at=NOON + 1)
