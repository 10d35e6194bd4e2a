"""A game in numbers: moves, states and categories are those of the rules."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from sabot.cards import Hand, parse_card, parse_cards
from sabot.games import find
from sabot.games.bonus import Bonus
from sabot.games.sidebets import BUSTER, LINK, LUCKY_LUCKY, TOP_3
from sabot.games.strategy import BestTable
from sabot.simulate import kernel
from sabot.simulate.lowered import SimulationError, categories, lower, state_of
from tests.simulate.tables import STRIP


def opening(game: str, cards: str, up: str, table: BestTable = STRIP) -> int:
    first, second = (min(card % 13, 9) for card in parse_cards(cards))
    shown = min(parse_card(up) % 13, 9)
    return int(lower(find(game).rules, table).opening[first << 8 | second << 4 | shown])


@pytest.mark.parametrize(
    ("game", "cards", "up", "move"),
    [
        ("surrender", "10s 6s", "10h", kernel.SURRENDER),
        ("classic-6", "10s 6s", "10h", kernel.HIT),
        ("classic-6", "8s 8h", "10h", kernel.SPLIT),
        ("freebet", "8s 8h", "10h", kernel.FREE_SPLIT),
        ("freebet", "6s 5h", "6h", kernel.FREE_DOUBLE),
        ("freebet", "As 7h", "6h", kernel.DOUBLE),
        ("link", "6s 5h", "6h", kernel.DOUBLE),
        ("link", "Ks As", "6h", kernel.BLACKJACK),
        ("link", "Ks Qs", "6h", kernel.STAND),
    ],
)
def test_the_first_move_is_the_tables(game: str, cards: str, up: str, move: int) -> None:
    assert opening(game, cards, up) == move


def test_ten_values_are_split_with_an_own_stake_in_free_bet() -> None:
    table = BestTable(hard={}, soft={}, pairs={10: "PPPPPPPPPP"})
    assert opening("freebet", "Ks Js", "5h", table) == kernel.SPLIT


def test_split_aces_and_21_stand() -> None:
    always_hit = BestTable(hard={}, soft=dict.fromkeys(range(12, 22), "HHHHHHHHHH"), pairs={})
    game = lower(find("classic-6").rules, always_hit)
    assert not game.reopening[0 << 8 | 4 << 4 | 5], "an ace and a five after a split"
    assert not game.reopening[9 << 8 | 0 << 4 | 5], "a ten and an ace after a split"
    assert game.reopening[5 << 8 | 0 << 4 | 5] == kernel.HIT, "a six and an ace after a split"
    assert not game.draws[state_of(Hand(parse_cards("As 5s 5h"))) << 4 | 5], "21 of three cards"


def test_the_free_hand_has_its_own_table() -> None:
    timid = BestTable(hard=dict.fromkeys(range(4, 22), "SSSSSSSSSS"), soft={}, pairs={})
    game = lower(find("freebet").rules, STRIP, timid)
    at = 5 << 8 | 3 << 4 | 9  # a six and a four against a ten
    assert game.reopening[at] == kernel.HIT
    assert game.reopening[1 << 12 | at] == kernel.STAND
    state = state_of(Hand(parse_cards("6s 2s 2h"))) << 4 | 9
    assert game.draws[state]
    assert not game.draws[1 << 10 | state]


def test_payments_are_whole_units() -> None:
    rules = replace(find("surrender").rules, blackjack_pays=(6, 5))
    game = lower(rules, STRIP)
    assert (game.unit, game.win, game.blackjack) == (10, 10, 12)


def test_categories_are_those_that_pay() -> None:
    rules = find("majority-eu").rules
    for bet in (TOP_3, BUSTER, LUCKY_LUCKY):
        assert {name for name, _ in bet.prizes} <= {*categories(rules, bet)}
    link = find("link").rules
    assert categories(link, LINK) == ("", "x5", "x10", "x15", "x25", "x50", "link", "mega-link")


def test_refuses_a_bet_the_game_does_not_have() -> None:
    with pytest.raises(SimulationError, match="freebet has no side bet 'link': it has player-pair, 21\\+3"):
        lower(find("freebet").rules, STRIP, side_bets=["link"])


def test_refuses_a_bet_named_twice() -> None:
    with pytest.raises(SimulationError, match="'21\\+3' is named twice"):
        lower(find("freebet").rules, STRIP, side_bets=["21+3", "21+3"])


@pytest.mark.parametrize("hands", [0, 6])
def test_refuses_more_hands_than_the_game_deals(hands: int) -> None:
    with pytest.raises(SimulationError, match="link is played with 1 to 5"):
        lower(find("link").rules, STRIP, hands=hands)


def test_refuses_a_shoe_that_could_run_empty() -> None:
    rules = replace(find("freebet").rules, decks=1)
    with pytest.raises(SimulationError, match="could run empty"):
        lower(rules, STRIP, hands=7)


def test_refuses_bonus_weights_it_cannot_draw() -> None:
    rules = replace(find("link").rules, bonus=Bonus(tiles=((2, 2**32),)))
    with pytest.raises(SimulationError, match="sum to 4294967296"):
        lower(rules, STRIP, side_bets=["link"])
