"""What a bot means to do, from what it sees."""

from __future__ import annotations

from random import Random

import pytest
from msgspec.structs import replace

from sabot.bots.character import Character
from sabot.bots.mind import Mind
from sabot.bots.moves import purse
from sabot.client import TableState
from sabot.engine import Bet
from sabot.engine.events import Stake
from sabot.engine.view import LineView, OfferView, PlayerView
from sabot.tables.live.timers import Phase
from tests.bots.test_choices import shown, with_hand

#: Does everything there is an occasion for.
EAGER = Character(starts=1, ahead=1, rests=0, votes=1, talks=1, seeds=1)
#: Does nothing that it need not.
IDLE = Character(starts=0, ahead=0, rests=1, votes=0, talks=0, seeds=0)


def kinds(mind: Mind, state: TableState) -> list[str]:
    """Everything it does, one thing after the other."""
    done = []
    while (move := mind.next(state)) is not None:
        done.append(move.kind)
        mind.did(move)
    return done


def in_phase(state: TableState, phase: Phase) -> TableState:
    assert state.live is not None
    state.live = replace(state.live, phase=phase)
    return state


def own(state: TableState, **changes: object) -> TableState:
    """The table with another own part."""
    assert state.me is not None
    assert state.me.live is not None
    state.me = replace(state.me, live=replace(state.me.live, **changes))
    return state


def mind(character: Character = EAGER, keep_free: int = 0) -> Mind:
    return Mind(Random(1), character, keep_free)


def test_one_who_comes_sits_down() -> None:
    state = shown("freebet", balance=0)
    assert state.me is not None
    state.me = replace(state.me, balance=None)
    assert kinds(mind(), state) == ["sit"]


@pytest.mark.parametrize(
    ("game", "moves"), [("freebet", ["consent", "seat", "bet"]), ("majority-eu", ["consent", "bet"])]
)
def test_before_a_bet_there_are_things_to_settle(game: str, moves: list[str]) -> None:
    assert kinds(mind(), shown(game)) == moves
    assert kinds(mind(IDLE), shown(game)) == moves[:-1]


def test_money_is_brought_again_when_it_is_low() -> None:
    assert kinds(mind(), own(shown("majority-eu", balance=399), consent=(True, True))) == ["money", "bet"]


@pytest.mark.rule("PLT-04")
def test_no_more_is_brought_than_the_cap_leaves() -> None:
    """Bots, too: what would be over the cap is refused again and again, and where nothing is left the bot leaves."""
    state = shown("majority-eu", balance=399)
    assert state.me is not None
    state.me = replace(state.me, account=1_000_000, brought=48_000)
    assert purse(Random(1), state) > 2_000
    for cap, most in ((50_000, 2_000), (49_999, 0), (48_000, 0)):
        state.snapshot = replace(state.snapshot, cap=cap)
        assert purse(Random(1), state) == most


def test_bets_that_stand_are_left_alone_and_may_be_final() -> None:
    state = own(shown("freebet", own=(2,)), bets=(Bet(2, "main", 500),))
    assert kinds(mind(), state) == ["start"]
    assert kinds(mind(IDLE), state) == []


def test_a_seed_is_sent_once_for_each_shoe() -> None:
    """While it is shuffled, or in any round while it is shuffled aside (FRB-30)."""
    state = in_phase(shown("majority-eu"), "dealing")
    assert state.live is not None
    bot = mind()
    assert kinds(bot, state) == []
    for commitment in ("c0ffee", "beef"):
        state.live = replace(state.live, next_commitment=commitment)
        assert kinds(bot, state) == ["seed"]
        state.round = f"after {commitment}"
        assert kinds(bot, state) == []
    assert kinds(mind(IDLE), state) == []


def test_one_who_does_not_feel_like_sending_a_seed_leaves_it() -> None:
    """The whim holds for the shoe, however many rounds are dealt before its turn comes."""
    state = in_phase(shown("majority-eu"), "dealing")
    assert state.live is not None
    state.live = replace(state.live, next_commitment="c0ffee")
    sent = []
    for seed in range(12):
        bot = Mind(Random(seed), replace(IDLE, seeds=0.5))
        sent.append(kinds(bot, state))
        for round in range(6):
            assert kinds(bot, replace(state, round=str(round))) == []
    assert sorted(map(len, sent))[:: len(sent) - 1] == [0, 1]


def test_room_is_made_by_one_bot_at_a_time() -> None:
    """Of seven seats six are taken, four of them by bots: the bot on the last of these gets up."""
    for seat, gets_up in ((5, True), (3, False)):
        state = shown("freebet", others=(0, 1, 2, 3, 4, 5), own=(seat,))
        assert state.live is not None
        seats = (replace(taken, bot=taken.spot in (1, 2, 3, 5)) for taken in state.live.seats)
        state.live = replace(state.live, seats=tuple(seats))
        assert ("rise" in kinds(mind(keep_free=2), state)) is gets_up
        assert "rise" not in kinds(mind(keep_free=1), state)
    state = shown("freebet", others=(0, 1, 2, 3, 4))
    assert mind(keep_free=2).free_seats(state) == []
    assert mind(keep_free=1).free_seats(state) == [5, 6]


def test_insurance_is_answered_where_it_is_offered() -> None:
    state = in_phase(shown("majority-us"), "insurance")
    assert kinds(mind(), state) == []
    assert state.me is not None
    offers = (OfferView(0, "insurance", 250, True),)
    state.me = replace(state.me, part=PlayerView(1_000, {}, (), offers))
    assert kinds(mind(IDLE), state) == ["insure"]


def test_the_seat_in_turn_decides_and_others_may_in_advance() -> None:
    state = in_phase(with_hand(shown("freebet", own=(0,)), "10s 5h", "6d"), "decisions")
    assert kinds(mind(IDLE), state) == ["decide"]
    assert kinds(mind(), own(state, wishes={0: "stand"})) == []
    state = own(in_phase(state, "dealing"), wishes={})
    assert kinds(mind(), state) == ["wish"]
    assert kinds(mind(IDLE), state) == []


def test_one_with_a_stake_on_the_hand_votes() -> None:
    state = in_phase(with_hand(shown("majority-us"), "10s 5h", "6d"), "decisions")
    assert state.view is not None
    assert state.me is not None
    state.view = replace(state.view, spots=(replace(state.view.spots[0], mode="vote"),))
    assert kinds(mind(), state) == []
    line = LineView(0, 0, "initial", Stake(500))
    state.me = replace(state.me, part=PlayerView(1_000, {}, (line,), ()))
    assert kinds(mind(), state) == ["vote"]
    assert kinds(mind(IDLE), state) == []
    state.view = replace(state.view, spots=(replace(state.view.spots[0], mode="best-strategy"),))
    assert kinds(mind(), state) == []


def test_nothing_is_done_at_a_table_that_is_paused() -> None:
    state = shown("freebet")
    assert state.live is not None
    state.live = replace(state.live, paused="checking")
    assert kinds(mind(), state) == []


def test_one_who_has_had_enough_goes() -> None:
    for tired in (True, False):
        going, state = mind(), shown("freebet")
        going.rounds_left, going.called_away = (0, False) if tired else (9, True)
        assert kinds(going, state) == ["leave"]
        assert not going.is_gone(state)
        assert state.me is not None
        state.me = replace(state.me, balance=None)
        assert kinds(going, state) == []
        assert going.is_gone(state)
