"""Bots stake what they have, bet what the table takes, and play well but for a slip."""

from __future__ import annotations

from random import Random
from typing import get_args

import pytest

from sabot.bots import choices
from sabot.bots.character import Character, draw_character, think
from sabot.bots.moves import Occasion, lines
from sabot.cards import Card, Hand, parse_cards
from sabot.client import TableState
from sabot.engine import Bet
from sabot.engine.view import HandView, SpotView, TableView
from sabot.games import find
from sabot.games.rules import Action
from sabot.games.tables import BEST_TABLES
from sabot.protocol import messages
from sabot.tables.live.events import CrowdCounted
from sabot.tables.live.timers import Timers
from sabot.tables.live.view import LivePart, LiveView, SeatView

ANY: tuple[Action, ...] = ("stand", "hit", "double", "split")


def shown(
    game: str, *, own: tuple[int, ...] = (), others: tuple[int, ...] = (), balance: int = 20_000
) -> TableState:
    """A table as one of its players sees it, with seats of the own and of others."""
    seats = tuple(SeatView(spot, "2", "bob", 0, True, False, ()) for spot in others)
    live = LiveView("betting", None, "", seats, CrowdCounted(3), None, Timers())
    state = TableState.of(
        messages.Snapshot("live/one", 1, 1, 0, game, "FUN", "", find(game).options, (), live=live)
    )
    part = LivePart(own, (), None, {}, False)
    state.me = messages.OwnPart("live/one", balance, 100_000, balance, "", live=part)
    return state


def with_hand(state: TableState, cards: str, up: str) -> TableState:
    """The same with a hand on spot 0."""
    hand, dealer = Hand(parse_cards(cards)), Hand(parse_cards(up))
    view = HandView(tuple(hand.cards), hand.total, hand.soft, None)
    spot = SpotView(0, "1", "owner", 1, (view,))
    shows = HandView(tuple(dealer.cards), dealer.total, dealer.soft, None)
    state.view = TableView("decisions", shows, True, (spot,), (0, 0), (), (), None)
    return state


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("balance", [0, 90, 100, 777, 20_000, 5_000_000])
def test_a_stake_is_within_limits_and_purse(seed: int, balance: int) -> None:
    rng, options = Random(seed), find("majority-eu").options
    staked = choices.stake(rng, draw_character(rng), options, balance, options.main)
    assert staked == 0 if balance < 100 else 100 <= staked <= min(balance, 50_000)
    assert staked % options.chips[0] == 0


@pytest.mark.parametrize("seed", range(10))
def test_what_is_brought_is_part_of_the_account(seed: int) -> None:
    options = find("majority-eu").options
    assert choices.sitting(Random(seed), options, 1_999) == 0
    assert choices.sitting(Random(seed), options, 2_000) == 2_000
    assert 20_000 <= choices.sitting(Random(seed), options, 500_000) <= 125_000


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_bets_on_boxes_are_such_as_the_table_takes(seed: int, game: str) -> None:
    rng = Random(seed)
    bets = choices.bets_at_boxes(rng, Character(sides=1.0), shown(game), 20_000)
    mains = {bet.spot for bet in bets if bet.kind == "main"}
    sides = [bet for bet in bets if bet.kind != "main"]
    assert mains <= {0, 1}
    assert len(mains) >= 1 <= len(sides)
    assert all(bet.spot in mains for bet in sides)
    assert {bet.kind for bet in sides} <= {bet.name for bet in find(game).rules.side_bets}
    assert sum(bet.stake for bet in bets) <= 20_000
    assert choices.bets_at_boxes(rng, Character(), shown(game), 150) == ()


@pytest.mark.parametrize("seed", range(5))
def test_the_same_bet_stands_on_all_own_seats(seed: int) -> None:
    bets = choices.bets_at_seats(Random(seed), Character(), shown("freebet", own=(1, 4), others=(2,)), 20_000)
    mains = [bet for bet in bets if bet.kind == "main"]
    assert [bet.spot for bet in mains] == [1, 4]
    assert len({bet.stake for bet in mains}) == 1
    assert not [bet for bet in bets if bet.kind == "behind"]


def test_one_without_a_seat_bets_behind() -> None:
    (bet,) = choices.bets_at_seats(Random(1), Character(), shown("freebet", others=(2,)), 20_000)
    assert (bet.spot, bet.kind) == (2, "behind")
    assert choices.bets_at_seats(Random(1), Character(), shown("freebet"), 20_000) == ()


def test_a_bet_is_a_bet() -> None:
    """The same chance, the same bets."""
    first, second = (
        choices.bets_at_seats(Random(5), Character(), shown("freebet", own=(0,)), 20_000) for _ in range(2)
    )
    assert first == second
    assert all(isinstance(bet, Bet) for bet in first)


@pytest.mark.parametrize("cards", ["10s 6h", "As 7h", "8s 8h", "5s 6h", "2s 2h"])
@pytest.mark.parametrize("up", ["2d", "6d", "10d", "Ad"])
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_without_slips_the_best_table_decides(game: str, cards: str, up: str) -> None:
    state = with_hand(shown(game), cards, up)
    best = BEST_TABLES[game].action(Hand(parse_cards(cards)), Card(parse_cards(up)[0]), ANY)
    assert choices.decision(Random(1), Character(slips=0.0), state, 0, 0, ANY) == best
    slips = [choices.decision(Random(n), Character(slips=1.0), state, 0, 0, ANY) for n in range(3)]
    assert all(action in ANY for action in slips)


def test_nobody_is_so_careless() -> None:
    state = with_hand(shown("freebet"), "10s 9h", "6d")
    assert choices.decision(Random(1), Character(slips=1.0), state, 0, 0, ANY) == "stand"


def test_a_first_decision_is_for_two_cards() -> None:
    assert choices.legal_ahead(with_hand(shown("freebet"), "8s 8h", "6d"), 0) == ANY
    assert choices.legal_ahead(with_hand(shown("freebet"), "8s 7h", "6d"), 0) == ANY[:3]
    assert choices.legal_ahead(with_hand(shown("freebet"), "8s 2h 3d", "6d"), 0) == ()
    assert choices.legal_ahead(shown("freebet"), 0) == ()


@pytest.mark.parametrize("kind", ["bet", "decide", "vote", "insure", "anything"])
def test_thinking_takes_time_and_never_all_of_it(kind: str) -> None:
    rng = Random(3)
    times = [think(rng, draw_character(rng), kind, 12.0) for _ in range(300)]
    assert min(times) > 0.05
    assert max(times) <= 9.0
    assert max(times) > 2 * min(times)
    assert think(rng, Character(), kind, -1.0) == 0.0


@pytest.mark.parametrize("language", ["it", "en"])
@pytest.mark.parametrize("occasion", get_args(Occasion))
def test_there_is_something_to_say(language: str, occasion: Occasion) -> None:
    assert len(set(lines(language, occasion))) >= 3
    assert all(0 < len(line) <= 200 for line in lines(language, occasion))
