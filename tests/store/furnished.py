"""A house with something of everything in it: what an audit has to go through."""

from __future__ import annotations

from sabot.engine import Bet
from sabot.engine.commands import Consent
from sabot.rounds.fold import fold_all
from sabot.server.accounts.logins import Device, issue
from sabot.store import schema
from sabot.store.cashier import Cashier, account_name
from sabot.store.database import Database
from sabot.store.entry import Body
from sabot.store.facts import AccountOpened, AnyFact, GoldenMoved, Noticed, SeatLeftFact, SeatTakenFact
from sabot.store.nodes.joining import check_vault
from sabot.store.register import Register
from tests.support.cluster.stores import bury, store_of
from tests.support.house import House


def furnished(database: Database) -> House:
    """Rounds settled, voided and open, solo and live; sittings and seats closed and open; a revealed live shoe."""
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
    _furnish_people(house, bob)
    _furnish_seats(house, ada, bob)
    _furnish_node(house, ada)
    fold_all(database)
    return house


def _furnish_people(house: House, bob: int) -> None:
    """A role, a VIP level, golden chips and limits; a demo player, a bot; and what is outside the log."""
    register = Register.open(house.store, at=104)
    fay = house.cashier.register("fay", at=105, password_hash="$argon2id$…", born="1990-12-31", terms="1")
    house.cashier.register("demo-1", at=106, demo=True)
    house.cashier.register("demo-2", at=106, demo=True, bot=True)
    register.give_role(None, fay, "administrator", "the first of all", at=107)
    register.give_role(fay, bob, "presenter", "hired", at=108)
    register.give_role(fay, bob, "supervisor", "knows the tables", at=109)
    register.give_vip(fay, bob, 2, "plays a lot", at=110)
    register.grant_golden(fay, bob, "EUR", 500, 3, "a birthday", at=110)
    register.protect(bob, {"loss-day": (5_000, 111), "deposit-day": (9_000, 111)}, at=111)
    register.protect(bob, {"loss-day": (None, 1_000_000)}, at=111)
    register.accept_terms(bob, "2", at=112)
    register.answer_reality_check(bob, at=112)
    with house.store.database.writing() as connection:
        issue(connection, fay, Device("127.0.0.1", "test"), at=112, expires_at=999)
        connection.execute(schema.settings.insert().values(player=fay, value=b'{"focus":true}'))


def _furnish_node(house: House, ada: int) -> None:
    """A node that was killed, with a cashier of its own."""
    node = store_of(house.store.database, 0)
    Cashier.open(node, at=120).deposit(ada, "EUR", 100, "on a node", at=121)
    bury(node)
    check_vault(house.store.database, ["00ff"])


def _furnish_seats(house: House, ada: int, bob: int) -> None:
    """Two seats, one of them lost and told so; and of two golden chips that went to a session one came back."""
    stream = house.store.take("live/freebet", at=113)
    own, session = house.store.account(account_name(bob, "EUR")), house.store.ids.take("account")
    rows: list[tuple[AnyFact, ...]] = [
        (
            SeatTakenFact(house.store.ids.take("seat"), 4, ada),
            SeatTakenFact(house.store.ids.take("seat"), 2, bob),
        ),
        (SeatLeftFact(1), Noticed(ada, "seat-lost", "freebet", "EUR", spot=4)),
        (
            AccountOpened(session, "session/golden", "session", "EUR", bob),
            GoldenMoved(own, 500, -2),
            GoldenMoved(session, 500, 2),
        ),
        (GoldenMoved(session, 500, -1), GoldenMoved(own, 500, 1)),
    ]
    for at, facts in enumerate(rows, 114):
        house.store.store(stream.entry(at, "seats", Body(facts=facts)))
