"""Nothing of a player's changes silently: it is told at the table until it was seen, and in the history (PLT-49)."""

from __future__ import annotations

from typing import Any

import pytest

from sabot.games.rules import Action
from sabot.rounds.history import NoticeLine, history, notices, round_view
from tests.support.live_hall import BROUGHT, DEPOSITED, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: 6 5 under an ace; a 10 makes 21 against 17.
ELEVEN = "6 A 5 6 10 "
WIN = "10 9 10 8 "


def told(hall: Hall, player: int) -> list[tuple[Any, ...]]:
    """What a player has not seen yet."""
    fields = ("what", "spot", "detail", "amount")
    return [tuple(getattr(notice, name) for name in fields) for notice in hall.part(player).notices]


def listed(hall: Hall, player: int) -> list[NoticeLine]:
    """What the player's history tells of it, oldest first."""
    with hall.database.reading() as connection:
        return list(reversed(notices(connection, player, history(connection, player), None)))


@pytest.mark.rule("PLT-49", "PLT-31", "FRB-26", "FRB-31")
def test_what_the_time_out_decided_is_told_until_it_was_seen(open_hall: OpenHall) -> None:
    """Player 1 is away: insurance is refused and 11 takes a card. On return the page has both, also after a reload."""
    hall = open_hall("freebet", ELEVEN, players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.until("insurance").go(1)
    hall.until("payout")
    code = hall.live.play.code
    hall.come(1)
    expected = [("insurance-refused", 0, "", 0), ("decided", 0, "hit", 0)]
    assert told(hall, 1) == expected
    hall.go(1)
    hall.come(1)
    assert told(hall, 1) == expected
    first, second = hall.part(1).notices
    assert {first.round, second.round} == {code}
    hall.do(lambda: hall.live.notices.see("1", first.number))
    assert hall.part(1).notices == (second,)
    hall.do(lambda: hall.live.notices.see("1", second.number))
    assert (told(hall, 1), told(hall, 2)) == ([], [])
    with hall.database.reading() as connection:
        view = round_view(connection, code, 1)
        assert [(line.what, line.spot, line.hand, line.detail) for line in view.notices] == [
            ("insurance-refused", 0, 0, ""),
            ("decided", 0, 0, "hit"),
        ]
    assert [line.what for line in listed(hall, 1)] == ["insurance-refused", "decided"]
    assert listed(hall, 2) == []


@pytest.mark.rule("PLT-49", "PLT-31")
def test_what_was_not_seen_is_told_after_a_restart(open_hall: OpenHall) -> None:
    """The house is killed, twice. Player 1 has seen the first of two by then, and after a day nothing is news."""
    hall = open_hall("freebet", ELEVEN, players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.until("insurance").go(1)
    hall.until("payout")
    before = hall.part(1).notices
    assert len(before) == 2
    hall.restart(1, 2)
    assert hall.part(1).notices == before
    assert hall.part(2).notices == ()
    rows = hall.live.table.stream.n
    # What a page asks a silent house: none is seen, nothing is written.
    hall.do(lambda: hall.live.notices.see("1", 0))
    assert (hall.part(1).notices, hall.live.table.stream.n) == (before, rows)
    hall.do(lambda: hall.live.notices.see("1", before[0].number))
    hall.restart(1)
    assert hall.part(1).notices == before[1:]
    assert [line.what for line in listed(hall, 1)] == ["insurance-refused", "decided"]
    hall.do(lambda: hall.live.notices.see("1", 2**53 - 1))  # more than there is to see
    rows = hall.live.table.stream.n
    hall.do(lambda: hall.live.notices.see("1", before[1].number))  # again: nothing is written
    assert hall.live.table.stream.n == rows
    hall.restart(1)
    assert hall.part(1).notices == ()


def test_what_was_not_seen_is_no_news_after_a_day(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN, players=1).bring_in({1: (4,)}).until("betting")
    hall.go(1)
    hall.pass_time(3600)
    hall.restart(1)
    assert [what for what, *_ in told(hall, 1)] == ["seat-lost", "money-returned"]
    hall.go(1)
    hall.pass_time(24 * 3600)
    hall.restart(1)
    assert told(hall, 1) == []


def test_what_a_player_decided_is_no_news(open_hall: OpenHall) -> None:
    """Neither at the turn nor in advance."""
    hall = open_hall("freebet", "10 9 9 10 9 8 9", players=2).bring_in({1: (0,), 2: (1,)}).until("betting")
    for player, seat in ((1, 0), (2, 1)):
        hall.bet(player, (seat, "main", 1000))
    hall.until("dealing").wish(2, 1, "stand")
    hall.until("decisions").play(1, "stand")
    hall.until("payout")
    assert (told(hall, 1), told(hall, 2)) == ([], [])


@pytest.mark.rule("PLT-49", "FRB-27", "ASR-41")
@pytest.mark.parametrize("limited", [False, True], ids=["no money", "loss limit"])
@pytest.mark.parametrize(
    ("cards", "wanted", "done"),
    [("10 9 2 8 5", "double", "hit"), ("10 9 K 8", "split", "stand")],
    ids=["double", "split"],
)
def test_a_decision_in_advance_that_became_another_is_told(
    open_hall: OpenHall, cards: str, wanted: Action, done: Action, limited: bool
) -> None:
    """All 10.00 that player 1 has or may lose are staked: what was decided in advance cannot be paid."""
    hall = open_hall("freebet", cards, players=1).come(1)
    hall.sit(1, 0, bring=5000 if limited else 1000)
    hall.until("betting").bet(1, (0, "main", 1000))
    if limited:
        hall.do(lambda: hall.live.play.bound_loss("1", hall.live.play.code, 1000))
    hall.until("dealing").wish(1, 0, wanted)
    hall.next("decisions").tick()
    what = "limit-reached" if limited else "not-covered"
    assert told(hall, 1) == [(what, 0, f"{wanted} {done}", 1000)]
    hall.until("payout")
    with hall.database.reading() as connection:
        lines = round_view(connection, hall.live.play.code, 1).notices
    assert [(line.what, line.spot, line.detail, line.amount) for line in lines] == told(hall, 1)


@pytest.mark.rule("PLT-49", "FRB-27")
def test_a_decision_at_the_turn_that_became_another_is_told(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", "10 9 2 8 5", players=1).come(1)
    hall.sit(1, 0, bring=1000)
    hall.until("betting").bet(1, (0, "main", 1000))
    hall.until("decisions").play(1, "double")
    assert told(hall, 1) == [("not-covered", 0, "double hit", 1000)]


@pytest.mark.rule("PLT-49", "FRB-42", "FRB-43", "ASR-41")
def test_a_double_that_could_not_be_followed_is_told(open_hall: OpenHall) -> None:
    """Behind seat 0, 2 follows; 3 has no money left, 4 may lose no more; 5 chose not to: a no is told too (FRB-43)."""
    hall = open_hall("freebet", "5 9 3 8 10 ", players=5)
    hall.bring_in({1: (0,), 2: (), 3: (), 4: (), 5: ()}).until("betting")
    hall.consent(2, 3, 4)
    hall.bet(1, (0, "main", 1000))
    for player, stake in ((2, 400), (3, 9900), (4, 400), (5, 9900)):
        hall.bet(player, (0, "behind", stake))
    hall.do(lambda: hall.live.play.bound_loss("4", hall.live.play.code, 400))
    hall.until("decisions").play(1, "double")
    hall.until("payout")
    assert [told(hall, player) for player in (1, 2)] == [[], []]
    assert told(hall, 5) == [("not-followed", 0, "double", 0)]
    assert told(hall, 3) == [("not-covered", 0, "double", 0)]
    assert told(hall, 4) == [("limit-reached", 0, "double", 0)]
    with hall.database.reading() as connection:
        lines = round_view(connection, hall.live.play.code, 4).notices
    assert [(line.what, line.detail) for line in lines] == [("limit-reached", "double")]


@pytest.mark.rule("PLT-49", "FRB-43")
def test_a_split_that_was_not_followed_is_told_and_a_free_one_is_followed_by_all(open_hall: OpenHall) -> None:
    """10 10 against a 9 is split for money: 2 follows, 3 chose not to. In the next round 8 8 is split for nothing."""
    hall = open_hall("freebet", "10 9 10 8 9 9 8 9 8 8 10 10 ", players=3)
    hall.bring_in({1: (0,), 2: (), 3: ()}).until("betting").consent(2)
    for cards in ("paid", "free"):
        hall.until("betting").bet(1, (0, "main", 1000))
        for player in (2, 3):
            hall.bet(player, (0, "behind", 400))
        hall.until("decisions").play(1, "split")
        assert told(hall, 3) == [("not-followed", 0, "split", 0)], cards
        assert told(hall, 2) == []
        hall.until("payout")


@pytest.mark.rule("PLT-49", "MAJ-41")
def test_a_split_of_a_box_that_could_not_be_followed_is_told(open_hall: OpenHall) -> None:
    """8 8 under a 9 at box 1: all three vote for the split, and 3 has nothing left to follow it with."""
    hall = (
        open_hall("majority-eu", "8 9 8 10 9 9", players=3).bring_in({1: (), 2: (), 3: ()}).consent(1, 2, 3)
    )
    hall.until("betting")
    for player, stake in ((1, 1000), (2, 1000), (3, BROUGHT)):
        hall.bet(player, (0, "main", stake))
    hall.until("decisions")
    for player in (1, 2, 3):
        hall.vote(player, "split")
    hall.tick()
    assert [told(hall, player) for player in (1, 2)] == [[], []]
    assert told(hall, 3) == [("not-covered", 0, "split", 0)]


@pytest.mark.rule("PLT-49", "FRB-41", "COM-25")
def test_bets_that_go_back_are_told(open_hall: OpenHall) -> None:
    """Behind a seat that is left; then at the close behind one that does not play, and one below the minimum."""
    hall = open_hall("freebet", WIN * 2).bring_in({1: (0,), 2: (1,), 3: ()}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.bet(3, (0, "behind", 300), (1, "behind", 500))
    hall.rise(2, 1)
    assert told(hall, 3) == [("bet-returned", 1, "seat-left", 500)]
    hall.sit(2, 1)
    hall.bet(3, (0, "behind", 300), (1, "behind", 400))
    hall.bet(2, (1, "main", 99))
    hall.until("dealing")
    assert told(hall, 2) == [("bet-returned", 1, "below-minimum", 99)]
    assert told(hall, 3)[1:] == [("bet-returned", 1, "seat-not-playing", 400)]
    assert [(line.round, line.detail, line.amount) for line in listed(hall, 3)] == [
        (hall.live.play.code, "seat-left", 500),
        (hall.live.play.code, "seat-not-playing", 400),
    ]
    assert hall.money(2, 3) == [BROUGHT, BROUGHT - 300]


@pytest.mark.rule("PLT-49", "FRB-34")
def test_bets_that_go_back_because_nobody_plays_are_told(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN, players=2).bring_in({1: (0,), 2: ()}).until("betting")
    hall.bet(2, (0, "behind", 500))
    hall.next("betting")
    assert told(hall, 2) == [("bet-returned", 0, "nobody-plays", 500)]
    assert hall.money(2) == [BROUGHT]


@pytest.mark.rule("PLT-49", "FRB-20")
def test_a_lost_seat_is_told(open_hall: OpenHall) -> None:
    """To one who is there; one who left it, or the table, knows."""
    hall = open_hall("freebet", WIN * 4).bring_in({1: (0,), 2: (1,), 3: (2,)})
    for _ in range(3):
        hall.until("betting").bet(2, (1, "main", 1000))
        hall.until("decisions").play(2, "stand")
        hall.until("payout")
    hall.rise(3, 2)
    hall.leave(3)
    hall.next("betting")
    assert told(hall, 1) == [("seat-lost", 0, "", 0)]
    assert hall.money(1) == [BROUGHT]
    assert (told(hall, 2), listed(hall, 3)) == ([], [])


@pytest.mark.rule("PLT-49", "PLT-04")
@pytest.mark.parametrize("game", ["freebet", "majority-eu"])
def test_money_that_goes_back_is_told_to_one_who_was_away(open_hall: OpenHall, game: str) -> None:
    """Whenever the player comes back to the table; and it stands in the history."""
    hall = open_hall(game, WIN, players=1).bring_in({1: (4,) if game == "freebet" else ()}).until("betting")
    hall.go(1)
    hall.pass_time(3600)
    assert hall.account(1) == DEPOSITED
    hall.come(1)
    lost = [("seat-lost", 4, "", 0)] if game == "freebet" else []
    assert told(hall, 1) == [*lost, ("money-returned", -1, "", BROUGHT)]
    assert listed(hall, 1)[-1].amount == BROUGHT
    assert listed(hall, 1)[-1].game == game


def test_so_much_is_remembered_and_no_more(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", WIN, players=2).bring_in({1: (0,), 2: ()}).until("betting")
    for number in range(25):
        hall.bet(2, (0, "behind", 500 + number))
        hall.rise(1, 0)
        hall.sit(1, 0)
    assert [amount for _, _, _, amount in told(hall, 2)] == list(range(505, 525))
