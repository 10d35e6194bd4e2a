"""What is shown of a round, whole: the table as everyone sees it and a player's own part, at each stage of a round."""

from __future__ import annotations

import pytest

from sabot.cards import parse_cards
from sabot.engine import Bet
from sabot.engine.events import Means, Option, Result, Stake
from sabot.engine.view import (
    BonusView,
    HandView,
    LineView,
    OfferView,
    PlayerView,
    SpotView,
    TableView,
    player_view,
    table_view,
)
from sabot.errors import Refusal
from sabot.games.bonus import Tile
from sabot.games.options import TableOptions
from tests.support.table import ADA, Table

BOB, CYD = "bob", "cyd"
STAND, HIT = Option("stand"), Option("hit")


def hand(
    cards: str,
    total: int,
    soft: bool = False,
    ended: str | None = None,
    doubled: Means | None = None,
    split: Means | None = None,
    result: Result | None = None,
) -> HandView:
    """A hand as it is shown."""
    return HandView(tuple(parse_cards(cards)), total, soft, ended, doubled, split, result)


NO_CARDS = hand("", 0)


# Results


def test_what_became_of_each_hand_is_seen_by_everyone() -> None:
    """A bust hand, and a pair whose second hand is a free bet; the dealer's 22 gives the rest back (FRB-07)."""
    table = Table("freebet", "10s 8s 6h 6d 8d 10d 9h 3h Kc 6s 6c", purses={ADA: 2000, BOB: 2000})
    table.bet((0, "main", 1000)).bet((3, "main", 500), player=BOB).deal()
    table.do("0.0 hit", "3.0 split", "3.0 hit", "3.0 stand", "3.1 stand")
    spots = table_view(table.round).spots
    assert [(spot.spot, spot.stake) for spot in spots] == [(0, 1000), (3, 500)]
    found = [(hand.result, hand.split) for spot in spots for hand in spot.hands]
    assert found == [("lose", None), ("push", None), ("push", "free")]


# Before the deal


def test_before_the_deal_the_table_is_empty() -> None:
    table = Table("surrender", "").bet((0, "main", 1000), (0, "21+3", 200))
    assert table_view(table.round) == TableView(
        phase="betting", dealer=NO_CARDS, hole=False, spots=(), turn=None, options=(), tally=(), bonus=None
    )
    # A solo stake is taken at the deal: the purse is whole and no line is open.
    assert player_view(table.round, ADA) == PlayerView(balance=100_000, golden={}, lines=(), offers=())


def test_a_live_stake_is_on_the_table_at_once_and_seen_by_its_player_alone() -> None:
    table = Table(
        "majority-eu", "", purses={ADA: 5000, BOB: 7000}, golden={ADA: {1000: 1, 500: 2}, BOB: {2500: 1}}
    )
    table.bet(Bet(1, "main", 300, (500,)), (1, "top-3", 200)).bet((0, "main", 400), player=BOB)
    assert player_view(table.round, ADA) == PlayerView(
        balance=4500,
        golden={500: 1, 1000: 1},
        lines=(LineView(1, 0, "initial", Stake(300, (500,))), LineView(1, 0, "top-3", Stake(200))),
        offers=(),
    )
    assert player_view(table.round, BOB) == PlayerView(
        balance=6600, golden={2500: 1}, lines=(LineView(0, 0, "initial", Stake(400)),), offers=()
    )


def test_a_value_of_which_no_golden_chip_is_left_is_not_shown() -> None:
    table = Table("majority-eu", "", golden={ADA: {1000: 1, 500: 1, 200: 3}})
    table.bet(Bet(0, "main", 0, (500,)))
    golden = player_view(table.round, ADA).golden
    assert list(golden.items()) == [(200, 3), (1000, 1)]


def test_who_brought_no_money_has_nothing_to_see() -> None:
    with pytest.raises(Refusal, match="'eve' has brought no money"):
        player_view(Table("surrender", "").round, "eve")


# Offers


def test_open_offers_with_what_they_cost() -> None:
    table = Table("surrender", "10s 7h Ad 9s 8h Kc", purse=3500)
    table.bet((0, "main", 1000), (2, "main", 2000)).deal()
    assert table_view(table.round) == TableView(
        phase="offers",
        dealer=hand("Ad", 11, soft=True),
        hole=True,
        spots=(
            SpotView(0, ADA, "owner", 1, (hand("10s 9s", 19),), 1000),
            SpotView(2, ADA, "owner", 1, (hand("7h 8h", 15),), 2000),
        ),
        turn=None,
        options=(),
        tally=(),
        bonus=None,
    )
    # 5.00 are left: they cover the first insurance to the cent, and not the second.
    assert player_view(table.round, ADA) == PlayerView(
        balance=500,
        golden={},
        lines=(LineView(0, 0, "initial", Stake(1000)), LineView(2, 0, "initial", Stake(2000))),
        offers=(OfferView(0, "insurance", 500, True), OfferView(2, "insurance", 1000, False)),
    )
    table.do("0 insure yes @ada")
    assert player_view(table.round, ADA) == PlayerView(
        balance=0,
        golden={},
        lines=(
            LineView(0, 0, "initial", Stake(1000)),
            LineView(0, 0, "insurance", Stake(500)),
            LineView(2, 0, "initial", Stake(2000)),
        ),
        offers=(OfferView(2, "insurance", 1000, False),),
    )


def test_even_money_costs_nothing() -> None:
    table = Table("link", "As 9h Ad Ks 8h 5c", purse=2000)
    table.bet((0, "main", 1000), (1, "main", 1000)).deal()
    assert table_view(table.round).spots[0] == SpotView(
        0, ADA, "owner", 1, (hand("As Ks", 21, soft=True, ended="blackjack"),), 1000
    )
    assert player_view(table.round, ADA).offers == (
        OfferView(0, "even-money", 0, True),
        OfferView(1, "insurance", 500, False),
    )


def test_an_offer_is_seen_by_the_player_it_is_put_to() -> None:
    table = Table("majority-us", "10s Ah 9s Kc", purses={ADA: 2000, BOB: 650, CYD: 9000})
    table.bet((0, "main", 1000)).bet((0, "main", 600), player=BOB).deal()
    offers = {player: player_view(table.round, player).offers for player in (ADA, BOB, CYD)}
    assert offers == {
        ADA: (OfferView(0, "insurance", 500, True),),
        BOB: (OfferView(0, "insurance", 300, False),),
        CYD: (),
    }


# Decisions


def test_a_split_hand_at_its_turn() -> None:
    table = Table("surrender", "8s 9h 8d 7c Ah 4c", purse=3000).bet((0, "main", 1000))
    table.deal("0.0 split", "0.0 stand")
    assert table_view(table.round) == TableView(
        phase="decisions",
        dealer=hand("9h", 9),
        hole=True,
        spots=(
            SpotView(
                0,
                ADA,
                "owner",
                1,
                (hand("8s Ah", 19, soft=True, ended="stood"), hand("8d 4c", 12, split="money")),
                1000,
            ),
        ),
        turn=(0, 1),
        options=(STAND, HIT, Option("double", cost=1000)),
        tally=(),
        bonus=None,
    )
    assert player_view(table.round, ADA) == PlayerView(
        balance=1000,
        golden={},
        lines=(LineView(0, 0, "initial", Stake(1000)), LineView(0, 1, "split", Stake(1000))),
        offers=(),
    )


def test_a_seat_with_a_bet_behind_and_a_free_double() -> None:
    table = Table("freebet", "5s 10s 9h 6d 9c 8s 5d", purses={ADA: 2000, BOB: 2000})
    table.bet((1, "main", 1000)).bet((1, "behind", 600), (4, "main", 100), player=BOB).deal()
    assert table_view(table.round) == TableView(
        phase="decisions",
        dealer=hand("9h", 9),
        hole=True,
        spots=(
            SpotView(1, ADA, "owner", 2, (hand("5s 6d", 11),), 1000),
            SpotView(4, BOB, "owner", 1, (hand("10s 9c", 19),), 100),
        ),
        turn=(1, 0),
        options=(STAND, HIT, Option("double", free=True)),
        tally=(),
        bonus=None,
    )
    # A free bet stands beside the stake it follows.
    table.do("1.0 double")
    assert table_view(table.round).spots[0].hands == (hand("5s 6d 5d", 16, ended="doubled", doubled="free"),)
    assert player_view(table.round, BOB) == PlayerView(
        balance=1300,
        golden={},
        lines=(
            LineView(1, 0, "initial", Stake(600)),
            LineView(1, 0, "double", Stake(free=600)),
            LineView(4, 0, "initial", Stake(100)),
        ),
        offers=(),
    )


def test_a_box_that_votes_has_no_owner_and_shows_its_tally() -> None:
    table = Table("majority-eu", "8s 10s 9h 7d 9c", purses=dict.fromkeys((ADA, BOB, CYD), 5000))
    for player in (ADA, BOB, CYD):
        table.bet((0, "main", 1000), player=player)
    table.bet((0, "main", 1000), (1, "main", 500)).deal("0.0 vote stand @bob", "0.0 vote hit @ada")
    table.do("0.0 vote hit @cyd")
    assert table_view(table.round) == TableView(
        phase="decisions",
        dealer=hand("9h", 9),
        # The EU dealer has no card face down.
        hole=False,
        spots=(
            SpotView(0, None, "vote", 3, (hand("8s 7d", 15),)),
            SpotView(1, None, "best-strategy", 1, (hand("10s 9c", 19),)),
        ),
        turn=(0, 0),
        options=(STAND, HIT, Option("double")),
        tally=(("hit", 2), ("stand", 1)),
        bonus=None,
    )


# The bonus


def test_a_bonus_at_each_of_its_stages() -> None:
    # The wheel stops at LINK (875); tiles 3, diamond and 2; prizes 1, 2 and 15 on the cells 17, 0 and 7.
    opening = [875, 50, 85, 0, 17, 0, 0, 100, 6, 288]
    # The first spin locks a 50 on cell 1, the first that is empty; the next three lock nothing.
    first = [4999, *[0] * 14]
    nothing = [0] * 14
    table = Table("link", "As 9h Kd 7c", draws=[*opening, *first, *nothing, *nothing, *nothing])
    table.bet((0, "main", 1000), (0, "link", 100)).deal()
    spots = (SpotView(0, ADA, "owner", 1, (hand("As Kd", 21, soft=True, ended="blackjack"),), 1000),)

    def shown(bonus: BonusView) -> TableView:
        return TableView(
            phase="bonus",
            dealer=hand("9h", 9),
            hole=True,
            spots=spots,
            turn=None,
            options=(),
            tally=(),
            bonus=bonus,
        )

    assert table_view(table.round) == shown(BonusView(0, "wheel", None, (), (), 0))
    assert table.round.bonus is not None
    assert table.round.bonus.pays == 0

    tiles: tuple[Tile, ...] = (3, "diamond", 2)
    cells: tuple[tuple[int, int], ...] = ((0, 2), (7, 15), (17, 1))
    assert table_view(table.do("0 spin").round) == shown(BonusView(0, "intro", "link", tiles, cells, 3))
    assert table_view(table.do("0 continue").round) == shown(BonusView(0, "table", "link", tiles, cells, 3))

    cells = ((0, 2), (1, 50), (7, 15), (17, 1))
    assert table_view(table.do("0 spin").round) == shown(BonusView(0, "table", "link", tiles, cells, 3))
    assert table_view(table.do("0 spin").round) == shown(BonusView(0, "table", "link", tiles, cells, 2))
    assert table_view(table.do("0 spin").round) == shown(BonusView(0, "table", "link", tiles, cells, 1))

    # 2 + 50 + 15 + 1 = 68 to 1, and a blackjack at 3:2.
    view = table_view(table.do("0 spin").round)
    assert (view.phase, view.bonus) == ("settled", None)
    assert player_view(table.round, ADA).balance == 100_000 + 6800 + 1500


def test_the_bonus_of_another_spot() -> None:
    table = Table("link", "10s As 9h 9d Kd 7c").bet((1, "main", 1000), (3, "main", 1000), (3, "link", 100))
    table.deal("1.0 stand")
    assert table_view(table.round).bonus == BonusView(3, "wheel", None, (), (), 0)


def test_mega_link_is_named() -> None:
    table = Table("link", "As 9h Kd 7c", draws=[965, *[0] * 6, *[0] * 12])
    table.bet((0, "main", 1000), (0, "link", 100)).deal("0 spin")
    assert table_view(table.round).bonus == BonusView(
        0, "intro", "mega-link", (2,) * 6, tuple((cell, 1) for cell in range(6)), 3
    )


# After the end


def test_after_the_end_all_cards_lie_open() -> None:
    table = Table("surrender", "10s 9h 8s 8c").bet((0, "main", 1000), (0, "21+3", 100))
    table.deal("0.0 stand")
    assert table_view(table.round) == TableView(
        phase="settled",
        dealer=hand("9h 8c", 17),
        hole=False,
        spots=(SpotView(0, ADA, "owner", 1, (hand("10s 8s", 18, ended="stood", result="win"),), 1000),),
        turn=None,
        options=(),
        tally=(),
        bonus=None,
    )
    # 8-9-10 is a straight: 10 to 1.
    assert player_view(table.round, ADA) == PlayerView(balance=102_000, golden={}, lines=(), offers=())


def test_a_void_leaves_the_cards_and_gives_everything_back() -> None:
    options = TableOptions(vote_threshold=1)
    table = Table("majority-us", "10s 9h 8s 8c", golden={ADA: {500: 2}}, options=options)
    table.bet(Bet(0, "main", 1000, (500,))).deal("0.0 vote hit @ada", "void power")
    assert table_view(table.round) == TableView(
        phase="voided",
        dealer=hand("9h", 9),
        hole=True,
        spots=(SpotView(0, None, "vote", 1, (hand("10s 8s", 18),)),),
        turn=None,
        options=(),
        tally=(),
        bonus=None,
    )
    assert player_view(table.round, ADA) == PlayerView(balance=100_000, golden={500: 2}, lines=(), offers=())


def test_a_void_ends_a_bonus() -> None:
    table = Table("link", "As 9h Kd 7c").bet((0, "main", 1000), (0, "link", 100)).deal("void power")
    assert table_view(table.round).bonus is None
