"""Side bets in play: which cards decide, when they are shown, when they are paid (SB-01..15)."""

from __future__ import annotations

import pytest

from sabot.engine import DEALER
from sabot.engine.events import (
    BetSettled,
    BonusStarted,
    CardDealt,
    DealerEnded,
    HoleShown,
    Peeked,
    SideBetDecided,
    TurnStarted,
)
from sabot.errors import Refusal
from sabot.games import TableOptions
from tests.support.table import ADA, Table, stacked

SOLO = ("surrender", "cashback", "link")
MAJORITY = ("majority-eu", "majority-us")
GAMES = (*SOLO, "freebet", *MAJORITY)
WITH_DEALER_PAIR = (*SOLO, *MAJORITY)

Side = tuple[int, str, int]


def side(game: str, cards: str, *bets: Side, commands: tuple[str, ...] = ()) -> Table:
    """One hand of 10.00 with side bets, dealt and played; a box follows doubles and splits."""
    table = Table(game, cards)
    if game.startswith("majority"):
        table.do("consent double split @ada")
    return table.bet((0, "main", 1000), *bets).deal(*commands)


def dealer_spot(game: str) -> int:
    """Where a dealer pair bet stands: beside the dealer, or on the box."""
    return DEALER if game in SOLO else 0


def decided(table: Table, kind: str) -> list[tuple[int, str, int]]:
    """The verdicts on a kind of side bet: spot, category, what it pays."""
    return [
        (event.spot, event.category, event.pays) for event in table.all(SideBetDecided) if event.kind == kind
    ]


# SB-01, SB-10: the player pair


@pytest.mark.rule("SB-01", "SB-10")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("hand", "paid"),
    [("8s 8s", 2600), ("8s 8c", 1300), ("8h 8d", 1300), ("8s 8d", 700), ("10s Ks", 0), ("8s 9s", 0)],
)
def test_player_pair(game: str, hand: str, paid: int) -> None:
    cards = stacked(game, hand, "7h 10h")
    table = side(game, cards, (0, "player-pair", 100), commands=("0.0 stand",))
    assert table.paid("player-pair") == paid


@pytest.mark.rule("SB-01")
@pytest.mark.parametrize("game", GAMES)
def test_the_player_pair_is_of_the_first_two_cards(game: str) -> None:
    # 2s 3s, then 3s: no pair; the dealer's 2s makes none either
    cards = stacked(game, "2s 3s", "2s 10h 5d", "3s")
    table = side(game, cards, (0, "player-pair", 100), commands=("0.0 hit", "0.0 stand"))
    assert table.paid("player-pair") == 0


@pytest.mark.rule("SB-01")
@pytest.mark.parametrize("game", SOLO)
def test_each_hand_has_its_own_player_pair(game: str) -> None:
    # 0: 8s 8s; 1: 9s 8h; 2: 9h 9d
    table = Table(game, "8s 9s 9h 7c 8s 8h 9d 10c")
    table.bet(*((spot, kind, 100) for spot in range(3) for kind in ("main", "player-pair")))
    table.deal("0.0 stand", "1.0 stand", "2.0 stand")
    assert [table.paid("player-pair", spot=spot) for spot in range(3)] == [2600, 0, 1300]


# SB-02, SB-15: the dealer pair


@pytest.mark.rule("SB-02", "SB-10")
@pytest.mark.parametrize("game", WITH_DEALER_PAIR)
@pytest.mark.parametrize(
    ("dealer", "paid"),
    [
        ("9s 9s", 2600),
        ("9s 9c", 1300),
        ("9s 9h", 700),
        ("10s Ks", 0),
        ("9s 8s", 0),
        ("5s 4s 5s 5h", 0),  # later cards make no pair
    ],
)
def test_dealer_pair(game: str, dealer: str, paid: int) -> None:
    cards = stacked(game, "Kh 9d", dealer)
    table = side(game, cards, (dealer_spot(game), "dealer-pair", 100), commands=("0.0 stand",))
    assert table.paid("dealer-pair", spot=dealer_spot(game)) == paid


@pytest.mark.rule("SB-02")
@pytest.mark.parametrize("game", SOLO)
def test_a_solo_round_has_one_dealer_pair_beside_the_dealer(game: str) -> None:
    table = Table(game, "10 10 9s 9 9 9h")
    mains: list[Side] = [(0, "main", 1000), (1, "main", 1000)]
    for wrong, code in (
        ([(0, "dealer-pair", 100)], "bet/beside-dealer"),
        ([(1, "dealer-pair", 100)], "bet/beside-dealer"),
        ([(DEALER, "dealer-pair", 100), (DEALER, "dealer-pair", 100)], "bet/twice"),
    ):
        with pytest.raises(Refusal) as refused:
            table.bet(*mains, *wrong)
        assert refused.value.code == code
    table.bet(*mains, (DEALER, "dealer-pair", 100)).deal("0.0 stand", "1.0 stand")
    assert [event.why for event in table.all(BetSettled)].count("dealer-pair") == 1
    assert table.paid("dealer-pair", spot=DEALER) == 700


@pytest.mark.rule("SB-02")
@pytest.mark.parametrize("game", SOLO)
def test_the_dealer_pair_needs_a_main_bet_on_any_hand(game: str) -> None:
    table = Table(game, "10 9s 9 9h")
    with pytest.raises(Refusal) as refused:
        table.bet((DEALER, "dealer-pair", 100))
    assert (refused.value.code, refused.value.rule) == ("bet/needs-any-main-bet", "SB-08")
    table.bet((4, "main", 1000), (DEALER, "dealer-pair", 100)).deal("4.0 stand")
    assert table.paid("dealer-pair", spot=DEALER) == 700


@pytest.mark.rule("SB-02")
@pytest.mark.parametrize("game", MAJORITY)
def test_each_staked_box_has_its_own_dealer_pair(game: str) -> None:
    table = Table(game, "10 10 9s 9 9 9h").bet(
        (0, "main", 1000), (1, "main", 1000), (0, "dealer-pair", 100), (1, "dealer-pair", 200)
    )
    table.deal("0.0 stand", "1.0 stand")
    assert (table.paid("dealer-pair", spot=0), table.paid("dealer-pair", spot=1)) == (700, 1400)


@pytest.mark.rule("SB-02", "SB-08")
@pytest.mark.parametrize("game", MAJORITY)
@pytest.mark.parametrize("spot", [1, DEALER])
def test_the_dealer_pair_of_a_box_needs_a_main_bet_there(game: str, spot: int) -> None:
    with pytest.raises(Refusal) as refused:
        Table(game, "10 9s 9 9h").bet((0, "main", 1000), (spot, "dealer-pair", 100))
    assert refused.value.code == "bet/no-main-bet"


@pytest.mark.rule("SB-15", "COM-07")
@pytest.mark.parametrize(("second", "paid"), [("5s", 2600), ("5c", 1300), ("5h", 700), ("6s", 0)])
@pytest.mark.parametrize(
    ("hand", "draws", "commands"),
    [("10d 6d", "10c", ("0.0 hit",)), ("Ad Kd", "", ()), ("10d 6d", "10c", ("0.0 double",))],
)
def test_the_eu_dealer_draws_the_second_card_for_a_dealer_pair(
    second: str, paid: int, hand: str, draws: str, commands: tuple[str, ...]
) -> None:
    cards = stacked("majority-eu", hand, f"5s {second}", draws)
    table = side("majority-eu", cards, (0, "dealer-pair", 100), commands=commands)
    assert len(table.round.play.dealer.cards) == 2
    assert table.paid("dealer-pair") == paid


@pytest.mark.rule("SB-15", "SB-02")
def test_the_us_dealer_turns_the_hole_card_for_a_dealer_pair_when_all_bust() -> None:
    table = side("majority-us", "10 5s 6 5s 10", (0, "dealer-pair", 100), commands=("0.0 hit",))
    assert table.paid("dealer-pair") == 2600


# SB-03, SB-11: 21+3

THREE = [
    ("7c 7c", "7c", 10_100, 27_100),
    ("5h 6h", "7h", 4100, 18_100),
    ("2s 3s", "4s", 4100, 18_100),
    ("7c 7h", "7d", 3100, 9100),
    ("9h 10h", "8d", 1100, 0),
    ("Qd Kc", "Jh", 1100, 0),
    ("2h 9h", "Kh", 600, 0),
    ("5h 5h", "9h", 600, 0),
    ("Ks 2s", "3h", 0, 0),
    ("5h 5d", "9h", 0, 0),
]


@pytest.mark.rule("SB-03", "SB-11")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("hand", "up", "paid", "_top"), THREE)
def test_21_plus_3(game: str, hand: str, up: str, paid: int, _top: int) -> None:
    cards = stacked(game, hand, f"{up} 6c 10c 10d")
    table = side(game, cards, (0, "21+3", 100), commands=("0.0 stand",))
    assert table.paid("21+3") == paid


@pytest.mark.rule("SB-04", "SB-12")
@pytest.mark.parametrize("game", MAJORITY)
@pytest.mark.parametrize(("hand", "up", "_plus", "paid"), THREE)
def test_top_3(game: str, hand: str, up: str, _plus: int, paid: int) -> None:
    cards = stacked(game, hand, f"{up} 6c 10c 10d")
    table = side(game, cards, (0, "top-3", 100), commands=("0.0 stand",))
    assert table.paid("top-3") == paid


@pytest.mark.rule("SB-03", "SB-11")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("hand", "paid"),
    [("2c 3c", 4100), ("2c 3d", 1100), ("Qc Kc", 4100), ("Qc Kd", 1100), ("Kc 2c", 600), ("Kc 2d", 0)],
)
def test_21_plus_3_with_an_ace_up_high_or_low_but_never_in_the_middle(
    game: str, hand: str, paid: int
) -> None:
    cards = stacked(game, hand, "Ac 7d")
    table = side(game, cards, (0, "21+3", 100), commands=("all insure no @ada", "0.0 stand"))
    assert table.paid("21+3") == paid


@pytest.mark.rule("SB-03")
@pytest.mark.parametrize("game", GAMES)
def test_21_plus_3_looks_at_the_up_card_and_not_at_the_second_or_a_drawn_card(game: str) -> None:
    # 5h 6h with the 9s up; the dealer's second card 7h and the drawn 4h would make straight flushes.
    cards = stacked(game, "5h 6h", "9s 7h 10d", "4h")
    table = side(game, cards, (0, "21+3", 100), commands=("0.0 hit", "0.0 stand"))
    assert table.paid("21+3") == 0


@pytest.mark.rule("SB-03")
@pytest.mark.parametrize("game", SOLO)
def test_each_hand_has_its_own_21_plus_3(game: str) -> None:
    # up 7h; 0: 5h 6h; 1: 7s 7d; 2: 2h Kh
    table = Table(game, "5h 7s 2h 7h 6h 7d Kh 10c")
    table.bet(*((spot, kind, 100) for spot in range(3) for kind in ("main", "21+3")))
    table.deal("0.0 stand", "1.0 stand", "2.0 stand")
    assert [table.paid("21+3", spot=spot) for spot in range(3)] == [4100, 3100, 600]


# SB-06, SB-14: Lucky Lucky


@pytest.mark.rule("SB-06", "SB-14")
@pytest.mark.parametrize("game", MAJORITY)
@pytest.mark.parametrize(
    ("hand", "up", "paid"),
    [
        ("7c 7c", "7c", 20_100),
        ("6h 8h", "7h", 10_100),
        ("7c 7h", "7d", 5100),
        ("8h 6s", "7d", 2600),
        ("10c 2c", "9c", 1600),
        ("10c 2c", "9d", 400),
        ("As 2h", "8d", 400),
        ("10s 8h", "2d", 300),
        ("9s 8h", "2d", 300),
        ("10s 6h", "2d", 0),
        ("10s 10h", "2d", 0),
    ],
)
def test_lucky_lucky(game: str, hand: str, up: str, paid: int) -> None:
    cards = stacked(game, hand, f"{up} 10d 10h")
    table = side(game, cards, (0, "lucky-lucky", 100), commands=("0.0 stand",))
    assert table.paid("lucky-lucky") == paid


@pytest.mark.rule("SB-06")
@pytest.mark.parametrize("game", MAJORITY)
def test_lucky_lucky_looks_at_the_up_card_only(game: str) -> None:
    # 7s 7h with the 2d up: 16; the second card 7d would make 7-7-7
    table = side(game, "7s 2d 7h 7d 10c", (0, "lucky-lucky", 100), commands=("0.0 stand",))
    assert table.paid("lucky-lucky") == 0


# SB-05, SB-13: Buster

#: A dealer hand that busts with so many cards.
BUSTS = {
    3: "10 6 10",
    4: "10 2 4 10",
    5: "2 2 2 10 10",
    6: "2 2 2 2 8 10",
    7: "2 2 2 2 2 6 10",
    8: "2 2 2 2 2 2 4 10",
    9: "2 2 2 2 2 2 2 2 10",
    11: "2 2 2 2 3 A A A A A 10",  # 11, then each ace counts 1
}


@pytest.mark.rule("SB-05", "SB-13")
@pytest.mark.parametrize("game", MAJORITY)
@pytest.mark.parametrize(
    ("count", "paid"),
    [(3, 300), (4, 300), (5, 500), (6, 1900), (7, 5100), (8, 25_100), (9, 25_100), (11, 25_100)],
)
def test_buster_pays_by_the_cards_of_the_dealers_bust(game: str, count: int, paid: int) -> None:
    cards = stacked(game, "10 9", BUSTS[count])
    table = side(game, cards, (0, "buster", 100), commands=("0.0 stand",))
    assert table.round.play.dealer.bust
    assert len(table.round.play.dealer.cards) == count
    assert table.paid("buster") == paid


@pytest.mark.rule("SB-05", "SB-13")
@pytest.mark.parametrize("game", MAJORITY)
@pytest.mark.parametrize(
    ("count", "paid"), [(3, 300), (5, 500), (6, 1900), (7, 80_100), (8, 200_100), (11, 200_100)]
)
def test_buster_beside_the_players_own_blackjack(game: str, count: int, paid: int) -> None:
    # The dealer completes the hand though only a blackjack is left.
    table = side(game, stacked(game, "A K", BUSTS[count]), (0, "buster", 100))
    assert len(table.round.play.dealer.cards) == count
    assert table.paid("buster") == paid
    assert table.paid() == 2500


@pytest.mark.rule("SB-13", "COM-03")
@pytest.mark.parametrize("game", MAJORITY)
@pytest.mark.parametrize(("count", "paid"), [(7, 5100), (8, 25_100)])
def test_a_21_that_is_no_blackjack_does_not_raise_buster(game: str, count: int, paid: int) -> None:
    drawn = side(game, stacked(game, "7 7", BUSTS[count], "7"), (0, "buster", 100), commands=("0.0 hit",))
    split = side(game, stacked(game, "A A", BUSTS[count], "K Q"), (0, "buster", 100), commands=("0.0 split",))
    for table in (drawn, split):
        assert table.hand() == "twenty-one"
        assert table.paid("buster") == paid


@pytest.mark.rule("SB-13")
@pytest.mark.parametrize("game", MAJORITY)
def test_the_blackjack_of_another_box_does_not_raise_buster(game: str) -> None:
    # 0: A K; 1: 10 9; seven dealer cards
    up, hole, *rest = BUSTS[7].split()
    table = Table(game, f"A 10 {up} K 9 {hole} {' '.join(rest)}")
    table.bet((0, "main", 1000), (0, "buster", 100), (1, "main", 1000), (1, "buster", 100)).deal("1.0 stand")
    assert (table.paid("buster", spot=0), table.paid("buster", spot=1)) == (80_100, 5100)


@pytest.mark.rule("SB-13", "MAJ-06")
@pytest.mark.parametrize("game", MAJORITY)
@pytest.mark.parametrize(("count", "paid"), [(3, 300), (5, 500), (7, 5100), (8, 25_100)])
def test_buster_is_played_out_though_every_hand_is_bust(game: str, count: int, paid: int) -> None:
    cards = stacked(game, "10 6", BUSTS[count], "K")
    table = side(game, cards, (0, "buster", 100), commands=("0.0 hit",))
    assert table.paid() == 0
    assert len(table.round.play.dealer.cards) == count
    assert table.paid("buster") == paid


@pytest.mark.rule("SB-13", "SB-05")
@pytest.mark.parametrize("game", MAJORITY)
@pytest.mark.parametrize("dealer", ["10 7", "6 A", "10 6 5", "2 2 2 2 2 2 5", "K A", "10 10"])
def test_buster_loses_when_the_dealer_stands_or_has_blackjack(game: str, dealer: str) -> None:
    table = side(game, stacked(game, "9 9", dealer), (0, "buster", 100), commands=("0.0 stand",))
    assert table.paid("buster") == 0
    assert decided(table, "buster") == [(0, "", 0)]


@pytest.mark.rule("SB-13")
@pytest.mark.parametrize("hand", ["9 9", "A K"])
def test_buster_loses_to_a_blackjack_found_at_the_us_check(hand: str) -> None:
    cards = stacked("majority-us", hand, "A K")
    table = side("majority-us", cards, (0, "buster", 100), commands=("all insure no @ada",))
    assert table.all(Peeked) == [Peeked(True)]
    assert table.round.phase == "settled"
    assert table.paid("buster") == 0


@pytest.mark.rule("SB-13")
def test_buster_under_an_ace_without_a_blackjack() -> None:
    # A 5 + 10 = 16, + 10 = 26: four cards
    for game in MAJORITY:
        cards = stacked(game, "10 9", "A 5 10 10")
        table = side(game, cards, (0, "buster", 100), commands=("all insure no @ada", "0.0 stand"))
        assert table.paid("buster") == 300


# SB-07: LINK


@pytest.mark.rule("SB-07")
@pytest.mark.parametrize(
    ("cards", "commands"),
    [
        ("10 9 9 8", ("0.0 stand",)),
        ("7 9 7 8 7", ("0.0 hit",)),  # 21 of three cards
        ("A 9 9 8", ("0.0 stand",)),
        ("A 9 A 8 K Q", ("0.0 split",)),  # 21s after a split
        ("10 9 K 8 A A", ("0.0 split",)),
        ("A 9 5 8 5", ("0.0 hit",)),
    ],
)
def test_link_loses_without_a_blackjack(cards: str, commands: tuple[str, ...]) -> None:
    table = side("link", cards, (0, "link", 100), commands=commands)
    assert table.round.phase == "settled"
    assert not table.all(BonusStarted)
    assert table.paid("link") == 0
    assert table.paid() == 2000


@pytest.mark.rule("SB-07")
def test_link_needs_the_blackjack_of_its_own_hand() -> None:
    # 0: A K without a LINK bet; 1: 10 9 with one
    table = Table("link", "A 10 9 K 9 8").bet((0, "main", 1000), (1, "main", 1000), (1, "link", 100))
    table.deal("1.0 stand")
    assert not table.all(BonusStarted)
    assert table.paid("link", spot=1) == 0


# SB-08: needs a main stake, and nothing touches it


@pytest.mark.rule("SB-08")
@pytest.mark.parametrize(
    ("game", "kind"),
    [(game, kind) for game in GAMES for kind in ("player-pair", "21+3")]
    + [(game, kind) for game in MAJORITY for kind in ("dealer-pair", "top-3", "buster", "lucky-lucky")]
    + [("link", "link")],
)
def test_a_side_bet_needs_a_main_bet_on_its_own_hand(game: str, kind: str) -> None:
    table = Table(game, "10 9 9 8")
    for bets in ([(0, kind, 100)], [(1, "main", 1000), (0, kind, 100)]):
        with pytest.raises(Refusal) as refused:
            table.bet(*bets)
        assert (refused.value.code, refused.value.rule) == ("bet/no-main-bet", "SB-08")
        assert not table.round.book.bets
    table.bet((0, "main", 1000), (0, kind, 100))


@pytest.mark.rule("SB-08")
@pytest.mark.parametrize("game", GAMES)
def test_the_main_bet_cannot_be_taken_away_from_under_a_side_bet(game: str) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 1000), (0, "21+3", 100))
    with pytest.raises(Refusal) as refused:
        table.bet((0, "21+3", 100))
    assert refused.value.code == "bet/no-main-bet"
    table.bet((0, "main", 1000)).deal("0.0 stand")
    assert [event.why for event in table.all(BetSettled)] == ["initial"]


@pytest.mark.rule("SB-08", "MAJ-08")
@pytest.mark.parametrize("game", MAJORITY)
def test_the_main_bet_of_another_player_is_not_enough(game: str) -> None:
    table = Table(game, "10 9 9 8", purses={"ada": 5000, "bob": 5000}).bet((0, "main", 1000))
    with pytest.raises(Refusal) as refused:
        table.bet((0, "21+3", 100), player="bob")
    assert refused.value.code == "bet/no-main-bet"


@pytest.mark.rule("SB-08", "FRB-40")
@pytest.mark.parametrize("kind", ["player-pair", "21+3"])
def test_there_are_no_side_bets_on_bets_behind(kind: str) -> None:
    table = Table("freebet", "10 9 9 8", purses={"ada": 5000, "bob": 5000}).bet((0, "main", 1000))
    with pytest.raises(Refusal) as refused:
        table.bet((0, "behind", 1000), (0, kind, 100), player="bob")
    assert refused.value.code == "bet/no-main-bet"


@pytest.mark.rule("SB-08", "SB-09")
@pytest.mark.parametrize(
    ("game", "dealer", "draws", "commands"),
    [
        ("surrender", "9s 10h", "", ("0.0 surrender",)),
        ("surrender", "9s 10h", "10h", ("0.0 hit",)),
        ("surrender", "9s 10h", "10h", ("0.0 double",)),
        ("surrender", "9s 10h", "10h 10c", ("0.0 split", "0.0 stand", "0.1 stand")),
        ("cashback", "9s 10h", "", ("0.0 cashback 891",)),
        ("cashback", "9s 10h", "10h", ("0.0 double",)),
        ("cashback", "9s 10h", "10h 10c", ("0.0 split", "0.0 stand", "0.1 stand")),
        ("freebet", "9s 10h", "10h 10c", ("0.0 split", "0.0 stand", "0.1 stand")),
        ("freebet", "9s 10h", "10h", ("0.0 double",)),
        ("majority-us", "9s 10h", "10h 10c", ("0.0 split", "0.0 stand", "0.1 stand")),
        ("majority-eu", "9s 10h", "10h", ("0.0 double",)),
        ("surrender", "Ks Ah", "", ()),  # the check ends the round
    ],
)
def test_nothing_that_happens_to_the_hand_touches_its_side_bets(
    game: str, dealer: str, draws: str, commands: tuple[str, ...]
) -> None:
    # 8s 8s: a perfect pair; with the dealer's spade a flush
    cards = stacked(game, "8s 8s", dealer, draws)
    table = side(game, cards, (0, "player-pair", 100), (0, "21+3", 100), commands=commands)
    assert table.round.phase == "settled"
    assert (table.paid("player-pair"), table.paid("21+3")) == (2600, 600)


@pytest.mark.rule("SB-08")
def test_even_money_does_not_touch_side_bets() -> None:
    # As Ks and the ace of spades up: a flush
    table = side("link", "As As Ks 9h", (0, "21+3", 100), commands=("0 even-money yes",))
    assert (table.paid(), table.paid("21+3")) == (2000, 600)


@pytest.mark.rule("SB-08")
@pytest.mark.parametrize("game", MAJORITY)
def test_one_who_does_not_follow_a_split_keeps_the_side_bets(game: str) -> None:
    table = Table(game, stacked(game, "8s 8s", "9s 8h", "10h"))
    table.bet((0, "main", 1000), (0, "player-pair", 100)).deal("0.0 split", "0.0 stand")
    assert table.paid("player-pair") == 2600


@pytest.mark.rule("MAJ-08")
@pytest.mark.parametrize("game", MAJORITY)
def test_a_side_bet_that_is_switched_off_is_refused(game: str) -> None:
    table = Table(game, "10 9 9 8", options=TableOptions(side_bets_off=("buster",)))
    with pytest.raises(Refusal) as refused:
        table.bet((0, "main", 1000), (0, "buster", 100))
    assert refused.value.code == "bet/no-such-bet"
    table.bet((0, "main", 1000), (0, "top-3", 100))


# SB-09: decided on the first two cards, shown in time, paid once at the settlement


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(("hand", "main"), [("8s 8c", 0), ("10s 10c", 2000)])
def test_a_side_bet_is_paid_whether_the_hand_wins_or_loses(game: str, hand: str, main: int) -> None:
    table = side(game, stacked(game, hand, "9h 8d"), (0, "player-pair", 100), commands=("0.0 stand",))
    assert (table.paid(), table.paid("player-pair")) == (main, 1300)


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", GAMES)
def test_a_side_bet_is_lost_whether_the_hand_wins_or_loses(game: str) -> None:
    for hand, main in (("10s 9c", 2000), ("10s 6c", 0), ("10s 7c", 1000)):
        table = side(game, stacked(game, hand, "9h 8d"), (0, "player-pair", 100), commands=("0.0 stand",))
        assert (table.paid(), table.paid("player-pair")) == (main, 0)


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", GAMES)
def test_it_is_decided_before_a_split(game: str) -> None:
    # 8s 8h is mixed; after the split the hands are 8s 8s and 8h 8h.
    cards = stacked(game, "8s 8h", "9c 8d", "8s 8h")
    commands = ("0.0 split", "0.0 stand", "0.1 stand")
    table = side(game, cards, (0, "player-pair", 100), (0, "21+3", 100), commands=commands)
    assert decided(table, "player-pair") == [(0, "mixed", 6)]
    assert (table.paid("player-pair"), table.paid("21+3")) == (700, 0)
    assert [event.why for event in table.all(BetSettled)].count("player-pair") == 1


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", GAMES)
def test_the_highest_category_is_paid_and_no_other(game: str) -> None:
    # 5h 6h 7h is a straight, a flush and both
    table = side(game, stacked(game, "5h 6h", "7h 10d"), (0, "21+3", 100), commands=("0.0 stand",))
    assert decided(table, "21+3") == [(0, "straight-flush", 40)]
    assert table.paid("21+3") == 4100


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", GAMES)
def test_it_is_shown_with_the_deal_and_paid_at_the_settlement(game: str) -> None:
    table = side(game, stacked(game, "8s 8c", "9h 8d"), (0, "player-pair", 100), (0, "21+3", 100))
    assert decided(table, "player-pair") == [(0, "coloured", 12)]
    assert decided(table, "21+3") == [(0, "", 0)]
    names = [type(event) for event in table.round.log]
    assert max(at for at, name in enumerate(names) if name is CardDealt) < names.index(SideBetDecided)
    assert names.index(SideBetDecided) < names.index(TurnStarted)
    assert not table.all(BetSettled)
    assert table.round.balance(ADA) == 100_000 - 1200
    table.do("0.0 stand")
    names = [type(event) for event in table.round.log]
    assert names.index(DealerEnded) < names.index(BetSettled)
    assert len(decided(table, "player-pair")) == 1


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", WITH_DEALER_PAIR)
def test_the_dealer_pair_is_not_shown_before_the_second_card(game: str) -> None:
    spot = dealer_spot(game)
    table = side(game, stacked(game, "10s 2c", "9h 9d", "3d"), (spot, "dealer-pair", 100))
    assert not table.all(SideBetDecided)
    table.do("0.0 hit")
    assert not table.all(SideBetDecided)
    table.do("0.0 stand")
    log = table.round.log
    if game == "majority-eu":
        second = [
            at for at, event in enumerate(log) if isinstance(event, CardDealt) and event.spot == DEALER
        ][1]
    else:
        (second,) = (at for at, event in enumerate(log) if isinstance(event, HoleShown))
    (shown,) = (at for at, event in enumerate(log) if isinstance(event, SideBetDecided))
    assert second < shown
    assert decided(table, "dealer-pair") == [(spot, "coloured", 12)]


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", WITH_DEALER_PAIR)
def test_the_dealer_pair_is_shown_as_soon_as_the_second_card_is(game: str) -> None:
    # 2h 2d, then 10 and 5: the verdict does not wait for the dealer's further cards
    spot = dealer_spot(game)
    cards = stacked(game, "10s 9c", "2h 2d 10c 5c")
    table = side(game, cards, (spot, "dealer-pair", 100), commands=("0.0 stand",))
    log = table.round.log
    face_up = [at for at, event in enumerate(log) if isinstance(event, CardDealt) and event.spot == DEALER]
    third = face_up[-2]
    (shown,) = (at for at, event in enumerate(log) if isinstance(event, SideBetDecided))
    assert shown < third


@pytest.mark.rule("SB-09", "SB-13")
@pytest.mark.parametrize("game", MAJORITY)
def test_buster_is_not_shown_before_the_dealers_last_card(game: str) -> None:
    table = side(game, stacked(game, "10 9", BUSTS[5]), (0, "buster", 100))
    assert not table.all(SideBetDecided)
    table.do("0.0 stand")
    names = [type(event) for event in table.round.log]
    assert max(at for at, name in enumerate(names) if name is CardDealt) < names.index(SideBetDecided)


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", MAJORITY)
def test_all_side_bets_may_stand_together(game: str) -> None:
    # 7c 7c with the 7c up; the dealer 7c 7c 10 = 24
    kinds = ("player-pair", "dealer-pair", "21+3", "top-3", "buster", "lucky-lucky")
    cards = stacked(game, "7c 7c", "7c 7c 10d")
    table = side(game, cards, *((0, kind, 100) for kind in kinds), commands=("0.0 stand",))
    assert {kind: table.paid(kind) for kind in kinds} == {
        "player-pair": 2600,
        "dealer-pair": 2600,
        "21+3": 10_100,
        "top-3": 27_100,
        "buster": 300,
        "lucky-lucky": 20_100,
    }
    assert table.paid() == 2000


@pytest.mark.rule("SB-09")
@pytest.mark.parametrize("game", MAJORITY)
def test_each_players_side_bet_is_paid_on_its_own_stake(game: str) -> None:
    table = Table(game, stacked(game, "8s 8c", "9h 8d"), purses={"ada": 5000, "bob": 5000, "cyd": 5000})
    table.bet((0, "main", 1000), (0, "player-pair", 100))
    table.bet((0, "main", 500), (0, "player-pair", 300), player="bob")
    table.bet((0, "main", 500), player="cyd").deal("0.0 stand")
    assert decided(table, "player-pair") == [(0, "coloured", 12)]
    assert table.paid("player-pair") == 1300
    assert table.paid("player-pair", player="bob") == 3900
    assert not [event for event in table.all(BetSettled) if event.player == "cyd" and event.why != "initial"]


@pytest.mark.rule("SB-09", "SUR-02")
def test_side_bets_are_settled_when_the_check_ends_the_round() -> None:
    # 8s 8s, dealer Ks Ah: a perfect pair and a flush pay, the dealer pair loses
    table = side(
        "surrender", "8s Ks 8s Ah", (0, "player-pair", 100), (0, "21+3", 100), (DEALER, "dealer-pair", 100)
    )
    assert table.round.phase == "settled"
    assert table.paid("player-pair") == 2600
    assert table.paid("21+3") == 600
    assert table.paid("dealer-pair", spot=DEALER) == 0
    assert table.net() == 2500 + 500 - 100 - 1000
