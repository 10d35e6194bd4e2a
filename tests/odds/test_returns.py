"""Every bet of every game has its published return (RET-01, RET-05, RET-07)."""

from __future__ import annotations

import pytest

from sabot.games import CATALOGUE, find
from sabot.odds.returns import bet_returns, ordinary_table_return, own_free_table_return
from sabot.odds.sidebets import side_bet_moments

#: Computed values that are known not to round to the published two decimals, and why.
EXPLAINED = {
    ("cashback", "main"),  # the ordinary table's figure
    ("majority-us", "main"),  # the figure of EU dealing
    ("majority-eu", "lucky-lucky"),  # rounded to one decimal
    ("majority-us", "lucky-lucky"),
}
SLOW = pytest.mark.slow  # its free hands are solved too
GAMES = [pytest.param(game, marks=SLOW) if game == "freebet" else game for game in sorted(CATALOGUE)]


@pytest.mark.slow  # every return of every bet is computed
@pytest.mark.rule("RET-05", "RET-07")
@pytest.mark.parametrize("game", GAMES)
def test_every_bet_returns_what_is_published(game: str) -> None:
    rows = bet_returns(find(game))
    assert [row.bet for row in rows] == ["main", *(bet.name for bet in find(game).rules.side_bets)]
    for row in rows:
        if row.published is not None and (game, row.bet) not in EXPLAINED:
            assert round(row.per_stake, 4) == row.published, row
        assert row.per_initial <= row.per_stake
        assert row.per_stake_cd >= row.per_stake
        assert row.sd > 1
        if row.bet != "main":
            assert row.per_stake == row.per_initial == row.per_stake_cd == row.per_initial_cd


@pytest.mark.slow  # two games solved twice
@pytest.mark.rule("RET-05")
def test_the_two_numbers_of_cashback_and_of_free_bet() -> None:
    cashback, link = bet_returns(find("cashback"))[0], bet_returns(find("link"))[0]
    assert cashback.per_stake == link.per_stake
    assert round(ordinary_table_return(find("cashback").rules), 4) == cashback.published == 0.9955
    freebet = find("freebet")
    assert own_free_table_return(freebet.rules) > bet_returns(freebet)[0].per_stake


def test_a_side_bets_sd_follows_from_its_counts() -> None:
    rules = find("surrender").rules
    pair = rules.side_bet("player-pair")
    assert pair is not None
    # Of 311 second cards 5 make a perfect, 6 a coloured and 12 a mixed pair.
    expected = (5 * 26 + 6 * 13 + 12 * 7) / 311
    squares = (5 * 26**2 + 6 * 13**2 + 12 * 7**2) / 311
    assert side_bet_moments(pair, rules) == pytest.approx((expected, (squares - expected**2) ** 0.5))
