"""The LINK bonus and the side bets' prizes, worked out by hand (they prove the oracle only)."""

import pytest

from tests.oracle import prizes
from tests.oracle.bonus import PRIZE_WEIGHTS, TILE_WEIGHTS, WHEEL_WEIGHTS
from tests.oracle.cards import parse
from tests.oracle.script import round_of
from tests.oracle.state import LineKey

MAIN: LineKey = ("ann", 0, 0, "initial")
LINK: LineKey = ("ann", 0, 0, "link")
BETS = "ann: main 0 1000, link 0 100"
BLACKJACK = "As 7h Kd 10c"
TO_LINK = 350 + 260 + 160 + 80 + 25
TO_MEGA_LINK = TO_LINK + 90
FIFTY = 297  # the last three of 300 tickets are 50X
CELL_FIFTY = 4700 + FIFTY


def test_weights_sum_up() -> None:
    """RET-09."""
    assert (sum(WHEEL_WEIGHTS), sum(TILE_WEIGHTS), sum(PRIZE_WEIGHTS)) == (1000, 100, 300)


@pytest.mark.parametrize(
    ("draw", "times"), [(0, 5), (349, 5), (350, 10), (609, 10), (610, 15), (770, 25), (874, 50)]
)
def test_cash_sections(draw: int, times: int) -> None:
    """LNK-22: N:1, the stake too; then the round goes on to its end."""
    seen = round_of("link", BLACKJACK, BETS, "deal", "spin 0", draws=[draw])
    assert (seen.over, seen.paid, seen.draws_used) == ("settled", {LINK: 100 + 100 * times, MAIN: 2500}, 1)


def test_no_blackjack_no_bonus() -> None:
    """LNK-35: also not after a split."""
    seen = round_of("link", "As 7h Ad 10c Ks 5s", BETS, "deal", "split 0")
    assert (seen.paid[LINK], seen.draws_used) == (0, 0)


def test_bonus_waits_for_offers_and_comes_at_its_turn() -> None:
    """LNK-20, LNK-35: spot 0 plays first, spot 1 took even money and has its bonus all the same."""
    script = [
        "ann: main 0 1000, main 1 1000, link 1 100",
        "deal",
        "insure ann 0 no",
        "even-money 1 yes",
        "stand 0",
    ]
    seen = round_of("link", "10s As Ah 9d Kd Kc", *script, "spin 1", draws=[0])
    assert seen.paid == {MAIN: 0, ("ann", 1, 0, "initial"): 2000, ("ann", 1, 0, "link"): 600}


def test_bonus_win_can_be_staked() -> None:
    """LNK-36: 1.00 is left after the bets; the wheel's 6.00 pays for the double of spot 1."""
    script = ["ann: main 0 100, link 0 100, main 1 500", "deal", "spin 0", "double 1"]
    seen = round_of("link", "As 6s 7h Kd 5d 10c 9s", *script, draws=[0], purses={"ann": 800})
    assert seen.balances == {"ann": 800 - 700 + 600 - 500 + 250 + 1000 + 1000}


def test_void_takes_a_bonus_back() -> None:
    """LNK-36, PLT-32."""
    script = ["ann: main 0 1000, link 0 100, main 1 500", "deal", "spin 0", "void"]
    seen = round_of("link", "As 6s 7h Kd 5d 10c 9s", *script, draws=[0])
    assert (seen.over, seen.paid, seen.balances) == ("voided", {}, {"ann": 100_000})


def test_three_blank_spins_pay_the_starting_prizes() -> None:
    """LNK-26..29: tiles X2; the first empty cell three times with 1X; 3 x 15 blanks; 3:1."""
    start = [TO_LINK, 0, 0, 0, *[0, 0] * 3]
    seen = round_of(
        "link", BLACKJACK, BETS, "deal", "spin 0", "continue 0", *["spin 0"] * 3, draws=start + [0] * 45
    )
    assert (seen.paid[LINK], seen.draws_used, seen.over) == (400, 55, "settled")


def test_new_prize_gives_three_spins_again() -> None:
    """LNK-27: prizes 1X in cells 17 16 15 (the last empty ones); the second spin locks 2X in cell 0."""
    start = [TO_LINK, 0, 0, 0, 17, 0, 16, 0, 15, 0]
    spins = [0] * 15 + [4800] + [0] * 14 + [0] * 14 * 3
    seen = round_of(
        "link", BLACKJACK, BETS, "deal", "spin 0", "continue 0", *["spin 0"] * 5, draws=start + spins
    )
    assert (seen.paid[LINK], seen.draws_used) == (100 * (1 + 3 + 2), 10 + 30 + 42)


def test_intro_and_table_wait() -> None:
    """LNK-26: nothing is paid before CONTINUA and the spins."""
    start = [TO_LINK, 0, 0, 0, *[0, 0] * 3]
    seen = round_of("link", BLACKJACK, BETS, "deal", "spin 0", draws=start)
    assert (seen.over, seen.paid, seen.draws_used) == ("", {}, 10)


def test_full_blocks_multiply() -> None:
    """LNK-29: starting 1X 2X 3X in cells 0 1 2, one spin fills cells 3-5 with 1X: (1+2+3+1+1+1) x 3 = 27; cell 6 4X."""
    start = [TO_LINK, 50, 0, 0, 0, 0, 0, 100, 0, 170]
    spins = [4700] * 3 + [4700 + 215] + [0] * 11 + [0] * 11 * 3
    seen = round_of(
        "link", BLACKJACK, BETS, "deal", "spin 0", "continue 0", *["spin 0"] * 4, draws=start + spins
    )
    assert seen.paid[LINK] == 100 * (1 + 27 + 4)


@pytest.mark.parametrize(("section", "blocks", "pays"), [(TO_LINK, 3, 6_900), (TO_MEGA_LINK, 6, 13_800)])
def test_highest_prizes(section: int, blocks: int, pays: int) -> None:
    """LNK-30: diamonds everywhere, 50X in every cell, GRAND for every block."""
    start = [section, *[85] * blocks, *[0, FIFTY] * blocks]
    spin, grands = [CELL_FIFTY] * (5 * blocks), [99] * blocks
    seen = round_of(
        "link", BLACKJACK, BETS, "deal", "spin 0", "continue 0", "spin 0", draws=start + spin + grands
    )
    assert (seen.paid[LINK], seen.draws_used) == (100 * (1 + pays), 1 + 9 * blocks)


def test_maximum_win_counts_the_bonus_first() -> None:
    """LNK-08: 5.00 of the wheel and 15.00 of the blackjack, at most 6.00."""
    seen = round_of("link", BLACKJACK, BETS, "deal", "spin 0", draws=[0], max_win=600)
    assert (seen.capped, seen.balances) == ({"ann": 1400}, {"ann": 100_600})


@pytest.mark.parametrize(
    ("cards", "pays"), [("4d 4d", 25), ("4h 4d", 12), ("4d 4s", 6), ("10s Ks", 0), ("4s 4c", 12)]
)
def test_pairs(cards: str, pays: int) -> None:
    """SB-10."""
    assert prizes.pair(*parse(cards)) == pays


@pytest.mark.parametrize(
    ("cards", "plus_three", "top"),
    [
        ("Qh Qh Qh", 100, 270),
        ("10s Js Qs", 40, 180),
        ("Ks As Qs", 40, 180),
        ("Ks Kh Kd", 30, 90),
        ("2s 3c 4h", 10, 0),
        ("As 3c 2h", 10, 0),
        ("Ks Ac 2h", 0, 0),
        ("2c 6c 10c", 5, 0),
        ("Qc Qc Kc", 5, 0),
    ],
)
def test_three_card_hands(cards: str, plus_three: int, top: int) -> None:
    """SB-11, SB-12."""
    assert (prizes.twenty_one_plus_three(parse(cards)), prizes.top_three(parse(cards))) == (plus_three, top)


@pytest.mark.parametrize(
    ("cards", "pays"),
    [
        ("7s 7s 7s", 200),
        ("8s 6s 7s", 100),
        ("7s 7h 7d", 50),
        ("8s 6h 7s", 25),
        ("2s 9s Ks", 15),
        ("2s 9s Kh", 3),
        ("As 9h Ad", 3),  # 11 + 9 + 1
        ("As Kh 10d", 3),  # 1 + 10 + 10
        ("As Kh 9d", 2),  # 20 with the ace low
        ("As 2h 6d", 2),  # 19 with the ace high
        ("9s 9h Ad", 2),  # 19
        ("9s 9h 9d", 0),
        ("As Ah Ad", 0),
    ],
)
def test_lucky_lucky(cards: str, pays: int) -> None:
    """SB-14."""
    assert prizes.lucky_lucky(parse(cards)) == pays


@pytest.mark.parametrize(
    ("dealer", "pays", "with_blackjack"),
    [
        ("10s 6s 10h", 2, 2),
        ("10s 2s 4s 10h", 2, 2),
        ("2s 3s 4s 5s 10h", 4, 4),
        ("2s 2h 3s 4s 5s 10h", 18, 18),
        ("2s 2h 2d 3s 3h 4s 10h", 50, 800),
        ("As 2h 2d 2c 2s 3h 4s 10h", 250, 2000),
        ("10s 7s", 0, 0),
        ("As 10s", 0, 0),
    ],
)
def test_buster(dealer: str, pays: int, with_blackjack: int) -> None:
    """SB-13."""
    assert prizes.buster(parse(dealer), with_blackjack=False) == pays
    assert prizes.buster(parse(dealer), with_blackjack=True) == with_blackjack
