"""A house with something of everything in it: what an audit has to go through."""

from __future__ import annotations

from sabot.engine import Bet
from sabot.engine.commands import Consent
from sabot.store.database import Database
from tests.rounds.house import House


def furnished(database: Database) -> House:
    """Rounds settled, voided and open, solo and live; sittings closed and open; a revealed live shoe."""
    house = House(database)
    ada, bob = house.player("ada"), house.player("bob")
    for game in ("surrender", "link", "cashback"):
        table = house.solo(game, ada)
        for at in (1, 2):
            house.play_solo(table, ada, at)
        house.store.store(table.leave(str(ada), at=3))
    interrupted = house.solo("surrender", bob, "FUN")
    for at in range(4, 60):
        house.deal(interrupted, bob, at)
        if interrupted.in_round:
            break
    house.keep(interrupted.add_money(str(bob), 500, at=60))
    house.keep(interrupted.void("malfunction", at=61))
    for at in range(62, 99):
        house.deal(interrupted, bob, at)
        if interrupted.in_round:
            break
    live = house.live("majority-eu", ada, bob)
    bet = (Bet(0, "main", 1000),)
    house.play_live(live, {ada: bet, bob: bet}, at=100)
    house.shuffle(live, at=101)
    house.store.store(live.open_round(at=102))
    house.keep(live.apply(Consent(str(bob), double=True, split=True), at=103))
    return house
