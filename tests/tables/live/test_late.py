"""A bet that comes too late by the server's clock is refused, and written down (ASR-20)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.ledger import rows
from tests.support.live_hall import BROUGHT, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: The first seat or box has 20 against 9 8.
WIN = "10 9 10 8 "


def late_bets(hall: Hall) -> list[tuple[Any, Any]]:
    """When late bets came in by the log, and what it says of them."""
    found = rows(hall.database, "SELECT at, body FROM log WHERE kind = 'late-bet' ORDER BY n")
    return [(at, json.loads(bytes(body))["detail"]) for at, body in found]  # type: ignore[call-overload]


@pytest.mark.rule("ASR-20")
@pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
def test_a_late_bet_is_refused_and_logged(open_hall: OpenHall, game: str) -> None:
    """The close is at 15 s. At 14.999 s a bet of 10.00 is taken; at 15 s one of 20.00 is not, whether or not the owner
    of the table has looked at the clock; nor later, nor one for a round that is over.
    """
    hall = open_hall(game, WIN, players=1).bring_in({1: (0,) if game == "freebet" else ()})
    hall.consent(1).until("betting")
    first, end = hall.live.play.code, hall.now + 15_000
    hall.pass_time(14.999)
    hall.bet(1, (0, "main", 1000))
    assert (hall.now, late_bets(hall)) == (end - 1, [])
    hall.clock.steady += 0.001
    seen = []
    for phase in ("betting", "closing", "dealing", "decisions", "dealer", "payout"):
        hall.until(phase)
        with hall.refuses("bet/late"):
            hall.bet(1, (0, "main", 2000))
        seen.append((hall.now, phase, first))
        assert hall.money(1) == [BROUGHT + 1000 if hall.round.over else BROUGHT - 1000]
    hall.next("betting")
    with hall.refuses("bet/late"):
        hall.bet(1, (0, "main", 2000), code=first)
    seen.append((hall.now, "betting", hall.live.play.code))
    wanted = [{"spot": 0, "kind": "main", "stake": 2000, "golden": []}]
    assert late_bets(hall) == [
        (at, {"player": "1", "round": first, "bets": wanted, "now": now, "phase": phase, "late_ms": at - end})
        for at, phase, now in seen
    ]
    assert seen[0][0] == end
    assert hall.part(1).bets == ()


@pytest.mark.rule("ASR-20")
def test_what_was_read_in_time_is_not_late_when_its_turn_comes_after_the_close(open_hall: OpenHall) -> None:
    """The owner takes it up 300 ms after the close, before it closes the phase; what was read at the close is late."""
    hall = open_hall("freebet", WIN, players=1).bring_in({1: (0,)}).until("betting")
    due = hall.live.phases.due
    assert due is not None
    hall.clock.steady = due + 0.3
    hall.bet(1, (0, "main", 1000), at=due - 0.064)
    with hall.refuses("bet/late"):
        hall.bet(1, (0, "main", 2000), at=due)
    with hall.refuses("table/not-now"):
        hall.live.start_now("1", hall.live.play.code, at=due)
    hall.live.start_now("1", hall.live.play.code, at=due - 0.001)
    assert hall.money(1) == [BROUGHT - 1000]
    assert [late["late_ms"] for _, late in late_bets(hall)] == [0]


def test_what_is_refused_for_another_reason_is_not_called_late(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN, players=1).bring_in({1: (0,)}).until("betting")
    with hall.refuses("seat/not-yours"):
        hall.bet(1, (1, "main", 1000))
    hall.pause()
    with hall.refuses("table/paused"):
        hall.bet(1, (0, "main", 1000))
    assert late_bets(hall) == []
