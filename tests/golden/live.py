"""Evenings at live tables as the web client's reducer is tested with them: frames, and the snapshots they must fold to.

A snapshot is told first. After every step there is the frame everyone got, and the snapshot one who comes then would get.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import msgspec

from sabot.engine import Bet
from sabot.games.options import GoldenOptions, TableOptions
from sabot.protocol import messages
from sabot.server.tables.live import live_snapshot
from sabot.store.database import Database
from sabot.tables.live.timers import Timers
from tests.support.live_hall import Hall

#: Codes are drawn; in the file they are numbered.
_CODE = re.compile(r"\d{6}-\d{6}-[A-Z2-7]{4}")
Step = tuple[str, Callable[[], object]]


def evening(name: str) -> str:
    """The whole file of an evening: one step a line."""
    database = Database("sqlite://", durable=False)
    try:
        lines = ",\n".join(_json(step) for step in _steps(*EVENINGS[name](database)))
    finally:
        database.close()
    codes = {code: f"round-{number}" for number, code in enumerate(dict.fromkeys(_CODE.findall(lines)), 1)}
    return "[\n" + _CODE.sub(lambda found: codes[found.group()], lines) + "\n]\n"


def _steps(hall: Hall, steps: Iterator[Step]) -> Iterator[dict[str, Any]]:
    seq = 0
    yield {"step": "the doors open", "snapshot": live_snapshot(hall.live, seq)}
    hall.forget()
    for title, act in steps:
        act()
        if hall.live.attendance.changed:
            hall.do(hall.live.show_crowd)
        frame = None
        if hall.told:
            seq += 1
            live = hall.live
            told = tuple(hall.told)
            frame = messages.Frame(
                "live/1", live.table.stream.epoch, seq, hall.now, live.play.code, live.play.turn, told
            )
        hall.forget()
        yield {"step": title, "frame": frame, "snapshot": live_snapshot(hall.live, seq)}


def _freebet(database: Database) -> tuple[Hall, Iterator[Step]]:
    """Seats, bets behind, a free split, a paid double, insurance, a pause, a void, the cut card."""
    cards = "8 10 9 8 6 9 3 10 5 " + "10 A 6 K "
    options = TableOptions(cut=12)
    hall = Hall(database, "freebet", cards, "10 9 10 8 " * 20, players=3, options=options)

    def steps() -> Iterator[Step]:
        yield "ada comes", lambda: hall.come(1, 2, 3)
        yield "ada sits down", lambda: hall.sit(1, 0)
        yield "bob sits down", lambda: hall.sit(2, 2)
        yield "cleo brings money", lambda: hall.sit(3)
        yield "betting", lambda: hall.until("betting")
        yield "bob forbids bets behind", lambda: hall.allow_behind(2, 2, False)
        yield "cleo stands behind ada", lambda: hall.bet(3, (0, "behind", 500))
        yield "ada forbids it from the next round on", lambda: hall.allow_behind(1, 0, False)
        yield "ada bets", lambda: hall.bet(1, (0, "main", 1000), (0, "21+3", 100))
        yield "bob bets", lambda: hall.bet(2, (2, "main", 1000))
        yield "ada starts", lambda: hall.start(1)
        yield "no more bets", lambda: hall.next("closing")
        yield "the deal", lambda: hall.next("dealing")
        yield "the first turn", lambda: hall.next("decisions")
        yield "a free split", lambda: hall.play(1, "split")
        yield "the right hand stands", lambda: hall.play(1, "stand")
        yield "something is looked at", hall.pause
        yield "the table goes on", hall.resume
        yield "the left hand's time is over", hall.tick
        yield "bob doubles", lambda: hall.play(2, "double")
        yield "the dealer", lambda: hall.until("dealer")
        yield "payout", lambda: hall.next("payout")
        yield "the next betting", lambda: hall.next("betting")
        yield "ada bets again", lambda: hall.bet(1, (0, "main", 1000))
        yield "insurance", lambda: hall.until("insurance")
        yield "ada insures", lambda: hall.insure(1, True)
        yield "paid", lambda: hall.until("payout")
        yield "a shuffle", lambda: hall.next("shuffle")
        yield "betting from the new shoe", lambda: hall.next("betting")
        yield "bob gets up", lambda: hall.rise(2, 2)
        yield "ada bets a third time", lambda: hall.bet(1, (0, "main", 1000))
        yield "her turn", lambda: hall.until("decisions")
        yield "the round is void", hall.void
        yield "betting once more", lambda: hall.next("betting")
        yield "nobody bets", lambda: hall.next("betting")

    return hall, steps()


def _majority(database: Database) -> tuple[Hall, Iterator[Step]]:
    """Counts, a vote that is won, one that is tied, golden chips, a split that nobody follows, a burnt card."""
    cards = "2 6 10 9 5 10 10 8 " + "2 A 9 A 10 8 " + "2 10 9 10 8 " * 4
    options = TableOptions(vote_threshold=2, burn=True, golden=GoldenOptions(cap=3))
    hall = Hall(database, "majority-eu", cards, players=3, options=options, timers=Timers(vote=5))

    def steps() -> Iterator[Step]:
        yield "all come", lambda: hall.come(1, 2, 3)
        yield "golden chips", lambda: hall.grant(1, {500: 2})
        yield "ada sits down", lambda: hall.sit(1, golden={500: 2})
        yield "bob and cleo sit down", _both(partial(hall.sit, 2), partial(hall.sit, 3))
        yield "they refuse", lambda: hall.consent(1, 2, 3, double=False, split=False)
        yield "betting", lambda: hall.until("betting")
        gold = Bet(0, "main", 0, (500,))
        yield "ada bets gold", lambda: hall.bet(1, gold, Bet(0, "buster", 200))
        yield "bob bets on both", lambda: hall.bet(2, (0, "main", 1000), (1, "main", 1000))
        yield "cleo bets", lambda: hall.bet(3, (0, "main", 1000), (0, "lucky-lucky", 100))
        yield "the deal", lambda: hall.until("dealing")
        yield "the vote", lambda: hall.next("decisions")
        yield "ada votes", lambda: hall.vote(1, "double")
        yield "bob votes", lambda: hall.vote(2, "double")
        yield "the vote is decided", hall.tick
        yield "best strategy for box 2", lambda: hall.until("dealer")
        yield "payout", lambda: hall.next("payout")
        yield "the next betting", lambda: hall.next("betting")
        main = (0, "main", 1000)
        yield "two bets", _both(partial(hall.bet, 1, main), partial(hall.bet, 2, main))
        yield "the second vote", lambda: hall.until("decisions")
        yield "one votes", lambda: hall.vote(1, "split")
        yield "the other votes", lambda: hall.vote(2, "stand")
        yield "a tie: best strategy splits, and nobody follows but who voted for it", hall.tick
        yield "the end", lambda: hall.until("payout")
        yield "the third betting", lambda: hall.next("betting")
        yield "two more bets", _both(partial(hall.bet, 3, main), partial(hall.bet, 2, main))
        yield "cleo goes away", lambda: hall.go(3)
        yield "nobody votes", lambda: hall.until("decisions")
        yield "the last payout", lambda: hall.until("payout")

    return hall, steps()


def _shoes(database: Database) -> tuple[Hall, Iterator[Step]]:
    """A shuffling table: the next shoe is promised while this one is dealt, and takes its place without a pause."""
    win, options = "10 9 10 8 " * 4, TableOptions(cut=4, vote_threshold=2)
    timers = Timers(shuffling_table=True)
    hall = Hall(database, "majority-us", win, win, win, players=2, options=options, timers=timers)
    bets = _both(partial(hall.bet, 1, (0, "main", 1000)), partial(hall.bet, 2, (1, "main", 500)))

    def steps() -> Iterator[Step]:
        yield "both come", lambda: hall.come(1, 2)
        yield "both sit down", _both(partial(hall.sit, 1), partial(hall.sit, 2))
        yield "they agree", lambda: hall.consent(1, 2)
        yield "a seed for the first shoe", lambda: hall.seed(1, "Ferrara")
        yield "betting", lambda: hall.until("betting")
        yield "a seed for the next shoe", lambda: hall.seed(2, "perché no?")
        yield "the bets", lambda: hall.bet(1, (0, "main", 1000))
        yield "the cut card", lambda: hall.until("dealing")
        yield "payout", lambda: hall.until("payout")
        yield "shoes are exchanged", lambda: hall.next("betting")
        yield "bets on the other shoe", bets
        yield "its cut card", lambda: hall.until("dealing")
        yield "something is looked at", hall.pause
        yield "the round is void", hall.void
        yield "shoes are exchanged again", lambda: hall.next("betting")

    return hall, steps()


def _both(one: Callable[[], None], other: Callable[[], None]) -> Callable[[], None]:
    """Two things in one step."""

    def act() -> None:
        one()
        other()

    return act


EVENINGS: dict[str, Callable[[Database], tuple[Hall, Iterator[Step]]]] = {
    "live-freebet": _freebet,
    "live-majority": _majority,
    "live-shoes": _shoes,
}


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()
