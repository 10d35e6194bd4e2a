"""What a player may still lose bounds every stake of a round; it can always be finished without more (ASR-41)."""

from __future__ import annotations

import pytest

from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import (
    AnyCommand,
    BoundLoss,
    Consent,
    Deal,
    Double,
    Insure,
    PlaceBets,
    Split,
    Stand,
)
from sabot.engine.events import LossBounded, StakeDeclined, TurnStarted
from sabot.engine.view import player_view
from sabot.games import find
from sabot.record import dumps, loads, replay, write
from tests.support.refused import refused
from tests.support.table import cards_of

ADA, BOB = "ada", "bob"


def opened(game: str, cards: str, *, most: int | None = None, purse: int = 10_000) -> Round:
    """A round with Ada and, where others may play too, Bob."""
    rules = find(game).rules
    purses = {ADA: purse} if rules.backing == "solo" else {ADA: purse, BOB: purse}
    shoe = StackedShoe(cards_of(cards))
    return Round(rules, shoe, purses=purses, most=None if most is None else {ADA: most})


def too_much(round: Round, command: AnyCommand) -> object:
    """Give a command that costs more than may be lost: the params of its refusal."""
    return refused("limit/loss", lambda: round.apply(command)).params


@pytest.mark.rule("ASR-41")
def test_bets_within_the_bound_are_taken() -> None:
    round = opened("surrender", "6 10 5 10", most=1_000)
    assert too_much(round, PlaceBets(ADA, (Bet(0, "main", 1_001),))) == {"cost": 1_001, "left": 1_000}
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000),)))
    round.apply(Deal())
    assert too_much(round, Double(0)) == {"cost": 1_000, "left": 0}
    assert not any(isinstance(move, Double) for move in round.legal())
    round.apply(Stand(0))
    assert round.over


@pytest.mark.rule("ASR-41", "COM-25")
def test_bets_that_replace_others_count_in_their_place() -> None:
    """At a live table, where what was placed before is taken already."""
    round = opened("freebet", "", most=1_000)
    round.apply(PlaceBets(ADA, (Bet(0, "main", 600),)))
    assert too_much(round, PlaceBets(ADA, (Bet(0, "main", 1_001),))) == {"cost": 1_001, "left": 1_000}
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000),)))
    assert player_view(round, ADA).left == 0
    nothing = opened("freebet", "", most=0)
    assert too_much(nothing, PlaceBets(ADA, (Bet(0, "main", 100),))) == {"cost": 100, "left": 0}


@pytest.mark.rule("ASR-41")
def test_side_bets_count_too() -> None:
    round = opened("surrender", "6 4 5 10", most=1_300)
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000), Bet(0, "21+3", 100))))
    round.apply(Deal())
    assert player_view(round, ADA).left == 200
    too_much(round, Double(0))


@pytest.mark.rule("ASR-41", "COM-31")
def test_insurance_for_all_hands_counts_as_a_whole() -> None:
    round = opened("surrender", "10 9 A 5 8 9", most=2_700)
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000), Bet(1, "main", 1_000))))
    round.apply(Deal())
    assert too_much(round, Insure(ADA, accept=True)) == {"cost": 1_000, "left": 700}
    round.apply(Insure(ADA, accept=True, spot=0))
    assert too_much(round, Insure(ADA, accept=True, spot=1)) == {"cost": 500, "left": 200}
    round.apply(Insure(ADA, accept=False, spot=1))
    assert round.phase == "decisions"


@pytest.mark.rule("ASR-41")
def test_a_bound_set_in_the_round_renews_the_options() -> None:
    round = opened("surrender", "8 10 8 9 10 10")
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000),)))
    round.apply(Deal())
    told = round.apply(BoundLoss(ADA, 1_000))
    assert told[0] == LossBounded(ADA, 0)
    assert isinstance(told[1], TurnStarted)
    assert {option.action for option in told[1].options if option.unavailable == "limit/loss"} == {
        "double",
        "split",
    }
    too_much(round, Split(0))
    assert round.apply(BoundLoss(ADA, 500)) == (LossBounded(ADA, 0),)  # what is staked stays staked
    round.apply(BoundLoss(ADA, 2_000))
    round.apply(Split(0))


@pytest.mark.rule("ASR-41", "FRB-04")
def test_a_free_bet_loses_nothing_and_is_always_offered() -> None:
    round = opened("freebet", "6 10 5 10 10", most=1_000)
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000),)))
    round.apply(Deal())
    round.apply(Double(0))
    assert round.over


@pytest.mark.rule("ASR-41", "FRB-42")
def test_at_a_live_table_the_reason_is_told_to_its_player_alone() -> None:
    """Others see that a seat cannot double, not that its player has a limit; who follows and cannot is told why."""
    round = opened("freebet", "8 10 7 10 10")
    round.apply(Consent(BOB, double=True, split=True))
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000),)))
    round.apply(PlaceBets(BOB, (Bet(0, "behind", 1_000),)))
    round.apply(BoundLoss(ADA, 1_500))
    round.apply(BoundLoss(BOB, 1_500))
    round.apply(Deal())
    assert round.options_now["double"].unavailable == "funds/insufficient"
    assert player_view(round, ADA).left == 500
    too_much(round, Double(0))
    round.apply(BoundLoss(ADA, 2_000))
    told = round.apply(Double(0))
    assert [event for event in told if isinstance(event, StakeDeclined)] == [
        StakeDeclined(BOB, 0, 0, "double", 1_000)
    ]
    assert [one.reason for one in player_view(round, BOB).declined] == ["limit/loss"]
    assert (round.balance(ADA), round.balance(BOB)) == (8_000, 9_000)


@pytest.mark.rule("ASR-41", "PLT-22")
def test_a_record_keeps_the_bounds() -> None:
    round = opened("surrender", "6 10 5 10", most=1_500)
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000),)))
    round.apply(Deal())
    round.apply(BoundLoss(ADA, 1_200))
    round.apply(Stand(0))
    record = loads(dumps(write(round, "260101-000000-AAAA")))
    assert record.purse[0].most == 1_500
    assert "bound-loss 1200 @ada" in record.commands
    assert replay(record).log == round.log


@pytest.mark.rule("ASR-41")
def test_a_bound_is_whole_cents_from_nothing_on_and_comes_before_the_end() -> None:
    round = opened("surrender", "10 10 9 8")
    for most in (-1, 1.5):
        named = refused("funds/not-positive", lambda most=most: round.apply(BoundLoss(ADA, most)))  # type: ignore[misc]
        assert named.params == {"amount": most}
    assert round.apply(BoundLoss(ADA, 0)) == (LossBounded(ADA, 0),)
    round.apply(BoundLoss(ADA, 1_000))
    round.apply(PlaceBets(ADA, (Bet(0, "main", 1_000),)))
    round.apply(Deal())
    round.apply(Stand(0))
    refused("round/over", lambda: round.apply(BoundLoss(ADA, 0)))
