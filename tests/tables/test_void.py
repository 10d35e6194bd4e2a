"""Malfunctions: in every phase of a round a void gives everything back, exactly once (PLT-32, ASR-13)."""

from __future__ import annotations

from typing import NamedTuple

import pytest
from msgspec.structs import replace

from sabot.engine import Bet
from sabot.engine.events import RoundVoided
from sabot.errors import Refusal
from sabot.games import find
from sabot.rounds import stored
from sabot.store.database import Database
from sabot.tables import opening
from sabot.tables.table import Step
from tests.support.cluster.stores import be_node
from tests.support.ledger import rows
from tests.support.room import BROUGHT, BetWords, Room, live
from tests.support.shoes import StackedShoes

X50, LINK = 850, 875
MAIN = (0, "main", 1000)
WITH_LINK = (MAIN, (0, "link", 200))
SPARE = "10 9 10 8"


class Moment(NamedTuple):
    """A round up to some moment, and what a void moves then."""

    game: str
    cards: str
    bets: tuple[BetWords, ...]
    commands: tuple[str, ...]
    back: list[str]
    draws: tuple[int, ...] = ()


SOLO = {
    "decisions": Moment("surrender", "10 9 6 10", (MAIN,), (), ["escrow > session 1 1000"]),
    "insurance offered": Moment("surrender", "10 A 6 10", (MAIN,), (), ["escrow > session 1 1000"]),
    # 5.00 of insurance are lost by then: the house gives them back.
    "insurance lost": Moment(
        "surrender",
        "10 A 6 8",
        (MAIN,),
        ("0 insure yes @1",),
        ["house > escrow 500", "escrow > session 1 1500"],
    ),
    "one of two doubled": Moment(
        "surrender",
        "5 10 9 6 6 8 10",
        (MAIN, (1, "main", 500)),
        ("0.0 double",),
        ["escrow > session 1 2500"],
    ),
    "split": Moment("surrender", "8 9 8 9 10 9", (MAIN,), ("0.0 split",), ["escrow > session 1 2000"]),
    "cashback offered": Moment("cashback", "10 9 6 10", (MAIN,), (), ["escrow > session 1 1000"]),
    "even money offered": Moment("link", "A A K 9", (MAIN,), (), ["escrow > session 1 1000"]),
    "wheel": Moment("link", "A 9 K 8", WITH_LINK, (), ["escrow > session 1 1200"], (X50,)),
    "bonus intro": Moment(
        "link", "A 9 K 8", WITH_LINK, ("0 spin",), ["escrow > session 1 1200"], (LINK, *[0] * 9)
    ),
    "bonus table": Moment(
        "link",
        "A 9 K 8",
        WITH_LINK,
        ("0 spin", "0 continue"),
        ["escrow > session 1 1200"],
        (LINK, *[0] * 9),
    ),
    # The bonus has paid 102.00, 100.00 of them the house's: they are taken back. 20.00 still stand in escrow, so
    # the session gives 80.00 more than it gets: 100.00 to the house.
    "bonus paid": Moment(
        "link",
        "A 10 9 K 9 8",
        (MAIN, (1, "main", 1000), (0, "link", 200)),
        ("0 spin",),
        ["session 1 > escrow 8000", "escrow > house 10000"],
        (X50,),
    ),
}


def at_moment(database: Database, moment: Moment, *, reopening: bool = False) -> Room:
    shoes = StackedShoes(moment.cards, SPARE, draws=[moment.draws])
    room = Room(database, moment.game, shoes, reopening=reopening)
    room.deal(*moment.bets)
    for command in moment.commands:
        room.do(command)
    assert room.table.in_round
    return room


def voids(step: Step) -> list[RoundVoided]:
    return [event for event in step.events if isinstance(event, RoundVoided)]


@pytest.mark.sampled
@pytest.mark.rule("PLT-32", "ASR-13")
@pytest.mark.parametrize("reopening", [False, True], ids=["", "reopened"])
@pytest.mark.parametrize("name", SOLO)
def test_a_void_gives_everything_back_once(database: Database, name: str, reopening: bool) -> None:
    """All stakes and what was added, no win; the event tells the player; a second void is refused."""
    moment = SOLO[name]
    room = at_moment(database, moment, reopening=reopening)
    step = room.table.void("lightning", room.now)
    assert [event.reason for event in voids(step)] == ["lightning"]
    assert room.take(step) == moment.back
    assert (room.session(), room.house, room.escrow) == (BROUGHT, 0, 0)
    with pytest.raises(Refusal):
        room.void()
    with pytest.raises(Refusal):
        room.do("void again")
    room.reopen()
    assert (room.session(), room.ends, room.played) == (BROUGHT, ["voided"], [(1, 0, 0)])
    assert room.deal(MAIN) == ["session 1 > escrow 1000"]
    room.check()


@pytest.mark.sampled
@pytest.mark.parametrize(
    ("name", "broken"),
    [(name, "engine") for name in SOLO]
    + [
        (name, broken)
        for name in ("one of two doubled", "bonus paid")
        for broken in ("rules", "key", "cards")
    ],
)
def test_a_round_that_cannot_go_on_is_given_back_when_the_table_opens(
    database: Database, monkeypatch: pytest.MonkeyPatch, name: str, broken: str
) -> None:
    """Another engine, other rules, a lost key, or cards that do not come out again: the ledger alone gives back."""
    room = at_moment(database, SOLO[name])
    if broken == "engine":
        monkeypatch.setattr(stored, "is_known", lambda engine: False)
    elif broken == "rules":
        game = find(room.config.game.rules.name)
        other = replace(game, rules=replace(game.rules, charlie=9))
        monkeypatch.setattr(stored, "find", lambda name: other)
    elif broken == "key":
        room.shoes.lose_key()
    else:
        room.shoes._cards = ("2 3 4 5 6 7 8", SPARE)
    room.open()
    monkeypatch.undo()
    assert not room.table.in_round
    assert (room.session(), room.house, room.escrow) == (BROUGHT, 0, 0)
    assert (room.ends, room.played) == (["voided"], [(1, 0, 0)])
    kinds = rows(database, "SELECT kind FROM log WHERE round IS NOT NULL ORDER BY n DESC")
    assert kinds[0] == ("refund",)
    # Once: the table opened again finds nothing to give back, and the next shoe is dealt.
    room.reopen()
    assert room.deal(MAIN) == ["session 1 > escrow 1000"]
    room.check()


@pytest.mark.rule("CLU-22")
def test_a_round_of_a_newer_release_is_left_to_its_nodes(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As long as a node of another release lives, which can play it; nothing is written."""
    room = at_moment(database, SOLO["one of two doubled"])
    for module in (stored, opening):
        monkeypatch.setattr(module, "is_known", lambda engine: False)
    be_node(room.store, 0)
    assert room.store.node is not None
    count = "SELECT count(*) FROM log"
    before = rows(database, count)
    with pytest.raises(Refusal, match="try again"):
        room.open()  # the node of release 1 that lives is not this one
    assert rows(database, count) == before
    room.store.node = replace(room.store.node, release="1")
    room.open()
    assert (room.session(), room.ends) == (BROUGHT, ["voided"])


def test_a_round_that_was_staked_and_never_dealt_goes_back(database: Database) -> None:
    room = Room(database, "surrender", StackedShoes(SPARE, SPARE))
    first = room.table.shoes.commitment
    placed, _ = room.table.deal(1, (Bet(*MAIN),), "mine", room.now).entries
    room.store.store(placed)
    room.open()
    assert not room.table.in_round
    assert (room.session(), room.ends) == (BROUGHT, ["voided"])
    assert room.table.shoes.commitment != first
    assert rows(database, "SELECT client_seed, seed FROM shoes ORDER BY id") == [
        ("mine", bytes(32)),
        (None, None),
    ]
    room.reopen()
    assert room.deal(MAIN) == ["session 1 > escrow 1000"]
    room.check()


def test_a_win_and_a_void_in_one_command(database: Database) -> None:
    """The bonus of the last hand pays 102.00, then the dealer's 16 finds the shoe empty.

    Nothing was paid when the row is written, so an empty session can give nothing back: 22.00 are all it had.
    """
    shoes = StackedShoes("10 A 9 9 K 7", draws=[(X50,)])
    room = Room(database, "link", shoes, bring=2200)
    assert room.deal(MAIN, (1, "main", 1000), (1, "link", 200)) == ["session 1 > escrow 2200"]
    assert room.do("0.0 stand") == []
    assert room.do("1 spin") == ["escrow > session 1 2200"]
    assert (room.session(), room.ends) == (2200, ["voided"])
    room.check()


def test_money_added_in_a_voided_round_stays(database: Database) -> None:
    room = at_moment(database, SOLO["decisions"])
    room.add(1, 700)
    assert room.void() == ["escrow > session 1 1000"]
    assert room.session() == BROUGHT + 700
    room.check()


# Live rounds


CROWD_CARDS = "6 5 9 5 6 10 9 8 10 10 10 10"
#: Boxes 0 and 1 get 6 5 and 5 6 under a 9; commands after the bets.
CROWD: dict[str, tuple[tuple[str, ...], list[int]]] = {
    "betting": ((), [1000, 700, 0]),
    "decisions": (("deal",), [1000, 700, 0]),
    # Both follow: 10.00 and 7.00 more stand on box 0; Bob's 5.00 on box 1 as well.
    "doubled": (("deal", "0.0 double"), [2000, 1200, 0]),
}


def crowd(database: Database, name: str, *, reopening: bool = False) -> Room:
    room = Room(database, "majority-eu", StackedShoes(CROWD_CARDS, SPARE), players=3, reopening=reopening)
    live(room, "a", "b")
    for player in (1, 2):
        room.do(f"consent double split @{player}")
    room.bet(1, MAIN)
    room.bet(2, (0, "main", 500), (1, "main", 200))
    for command in CROWD[name][0]:
        room.do(command)
    return room


@pytest.mark.sampled
@pytest.mark.rule("PLT-32", "ASR-13")
@pytest.mark.parametrize("reopening", [False, True], ids=["", "reopened"])
@pytest.mark.parametrize("name", CROWD)
def test_a_live_void_gives_everyone_back(database: Database, name: str, reopening: bool) -> None:
    room = crowd(database, name, reopening=reopening)
    back = CROWD[name][1]
    step = room.table.void("lightning", room.now)
    assert len(voids(step)) == 1
    moved = room.take(step)
    assert moved == [f"escrow > session {i} {amount}" for i, amount in enumerate(back, 1) if amount]
    assert [room.session(i) for i in (1, 2, 3)] == [BROUGHT] * 3
    with pytest.raises(Refusal):
        room.void()
    assert (room.ends, room.played) == (["voided"], [(1, 0, 0), (2, 0, 0)])
    room.reopen()
    room.check()


@pytest.mark.sampled
@pytest.mark.parametrize("broken", ["engine", "key"])
@pytest.mark.parametrize("name", CROWD)
def test_a_live_round_that_cannot_go_on_is_given_back(
    database: Database, monkeypatch: pytest.MonkeyPatch, name: str, broken: str
) -> None:
    """Nobody knows how far its shoe was dealt, so there is a new one."""
    room = crowd(database, name)
    old = room.table.shoes.shoe.id
    if broken == "engine":
        monkeypatch.setattr(stored, "is_known", lambda engine: False)
    else:
        room.shoes.lose_key()
    room.open()
    monkeypatch.undo()
    assert [room.session(i) for i in (1, 2, 3)] == [BROUGHT] * 3
    assert (room.ends, room.played) == (["voided"], [(1, 0, 0), (2, 0, 0)])
    assert room.table.shoes.shoe.id > old
    assert not room.table.shoes.seeded
    room.reopen()
    live(room)
    assert room.bet(1, MAIN) == ["session 1 > escrow 1000"]
    room.check()
