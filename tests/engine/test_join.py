"""Who comes while bets are open plays with the rest; who comes later waits (FRB-29, MAJ-13)."""

from __future__ import annotations

import pytest

from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import Consent, Deal, Join, PlaceBets, Stand
from sabot.engine.events import PlayerJoined
from sabot.errors import Refusal
from sabot.games import find
from sabot.record import dumps, loads, write
from sabot.record.replay import replay
from tests.support.refused import refused
from tests.support.table import cards_of


def opened(**more: object) -> Round:
    """A round of Majority with one player, 10 9 against 8 10."""
    return Round(find("majority-us").rules, StackedShoe(cards_of("10 8 9 10")), purses={"ada": 5_000}, **more)  # type: ignore[arg-type]


@pytest.mark.rule("MAJ-13")
def test_one_who_joins_while_bets_are_open_is_paid_like_the_others() -> None:
    """19 against 18: 10.00 pay 20.00, 7.00 pay 14.00."""
    round = opened()
    round.apply(PlaceBets("ada", (Bet(0, "main", 1_000),)))
    assert round.apply(Join("bob", 700)) == (PlayerJoined("bob", 700),)
    round.apply(PlaceBets("bob", (Bet(0, "main", 700),)))
    round.apply(Deal())
    with pytest.raises(Refusal, match="Bets are closed"):
        round.apply(Join("cy", 900))
    round.apply(Stand(0))
    assert (round.balance("ada"), round.balance("bob")) == (6_000, 1_400)
    refused("round/over", lambda: round.apply(Join("cy", 900)))
    assert round.book.total == 5_700


def test_one_who_comes_back_has_the_purse_of_now() -> None:
    round = opened()
    round.apply(Join("ada", 100, {500: 1}))
    with pytest.raises(Refusal, match="does not cover"):
        round.apply(PlaceBets("ada", (Bet(0, "main", 200),)))
    round.apply(PlaceBets("ada", (Bet(0, "main", 100, (500,)),)))
    with pytest.raises(Refusal, match="take them back first"):
        round.apply(Join("ada", 9_000))
    assert round.balance("ada") == 0


@pytest.mark.parametrize("golden", [{-5: 1}, {5: -1}, {0: 2}])
def test_chips_without_worth_are_refused(golden: dict[int, int]) -> None:
    with pytest.raises(Refusal) as refused:
        opened().apply(Join("bob", 100, golden))
    assert refused.value.code == "player/bad-purse"


@pytest.mark.rule("MAJ-12")
def test_what_was_agreed_before_holds_for_the_round() -> None:
    round = opened(consents={"ada": Consent("ada", double=True, split=False)})
    assert round.book.consents["ada"].double
    round.apply(Consent("ada", double=False, split=False))
    assert not round.book.consents["ada"].double


def test_a_record_tells_who_joined_and_what_was_agreed() -> None:
    round = opened(consents={"ada": Consent("ada", double=True, split=True)})
    round.apply(Join("bob", 700, {500: 2}))
    round.apply(PlaceBets("bob", (Bet(0, "main", 100, (500,)),)))
    round.apply(PlaceBets("ada", (Bet(0, "main", 1_000),)))
    round.apply(Deal())
    round.apply(Stand(0))
    record = loads(dumps(write(round, "x")))
    assert record.commands[:2] == ("consent double split @ada", "join 700 500x2 @bob")
    again = replay(record)
    assert [again.balance(player) for player in ("ada", "bob")] == [6_000, 1_300]
    assert again.book.purses["bob"].golden[500] == 1
