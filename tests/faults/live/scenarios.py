"""Crowds for the live simulator: a few players for every crash point, hundreds for many crashes."""

from __future__ import annotations

from tests.faults.live.player import Habits
from tests.faults.live.simulation import Crowd, LiveScenario, section

CALM = Habits(pace=1.5, flaky=0.01, naughty=0.02, restless=0.0)

BOXES = section("majority", "majority-us", vote_threshold=2, burn=True)
EUROPEAN = section("majority-eu", "majority-eu", vote_threshold=3)
SEATS = section("freebet", "freebet")
#: Two shoes alternate (FRB-30), here after a few rounds, there after every one.
SHOES = section("freebet", "freebet", cut=30, shuffling_table=True)
EXCHANGED = section("majority", "majority-us", cut=4, vote_threshold=3, shuffling_table=True)

#: Where a person deals, each card a row of its own (STU-02).
BY_HAND = section("studio", "majority-us", vote_threshold=2, burn=True, dealing="studio")
SEATS_BY_HAND = section("studio-seats", "freebet", dealing="studio")

#: Three rounds, and a shoe for each.
SHUFFLED = LiveScenario(
    "shoes",
    (Crowd(EXCHANGED, 2, CALM),),
    rounds=2,
    supervised=0,
    hushed=5,
    shows=frozenset({"deal", "leave", "place-bets", "shoe-committed", "shoe-seeded"}),
    seed=8,
)

#: Each of these is run once for every fault at every commit.
FEW = (
    LiveScenario(
        "boxes",
        (Crowd(BOXES, 3, CALM),),
        rounds=1,
        supervised=0,
        hushed=5,
        shows=frozenset({"consent", "deal", "leave", "place-bets", "vote"}),
        seed=104,
    ),
    LiveScenario(
        "seats",
        (Crowd(SEATS, 4, CALM),),
        rounds=1,
        supervised=0,
        hushed=5,
        shows=frozenset({"deal", "leave", "leave-seat", "place-bets", "sit", "start-now"}),
        seed=33,
    ),
    SHUFFLED,
    LiveScenario(
        "studio",
        (Crowd(BY_HAND, 2, CALM),),
        rounds=1,
        supervised=0,
        hushed=5,
        shows=frozenset({"card", "deal", "pay", "place-bets", "shift", "shoe-in-use", "take-back"}),
        seed=9,
    ),
)

#: Everything at once, with a handful of people at each table.
PARTY = LiveScenario(
    "party",
    (
        Crowd(BOXES, 12, twins=2, vanish=1),
        Crowd(SHOES, 14, twins=2, vanish=1),
        Crowd(SEATS_BY_HAND, 5, twins=1, vanish=1),
    ),
    rounds=4,
    other_engines=0.1,
)

#: Two tables where a person deals, now and then takes a card back, corrects one, or is called away.
DEALERS = LiveScenario(
    "dealers",
    (
        Crowd(BY_HAND, 6, twins=1, vanish=1),
        Crowd(SEATS_BY_HAND, 5, twins=1, vanish=1),
    ),
    rounds=3,
    other_engines=0.1,
)


def crowd(boxes: int = 300, behind: int = 50, rounds: int = 4) -> LiveScenario:
    """Hundreds at the boxes, and seven seats with dozens behind them."""
    return LiveScenario(
        "crowd",
        (
            Crowd(EUROPEAN, boxes, twins=boxes // 20, vanish=boxes // 50),
            Crowd(SHOES, 7 + behind, twins=behind // 10, vanish=behind // 10),
        ),
        rounds=rounds,
        other_engines=0.05,
    )
