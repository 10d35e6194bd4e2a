"""A play session over several rounds: balance, limits, the insurance switch, leaving. Amounts are cents."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sabot.cli.play.session import PlaySession
from sabot.engine import DEALER, Bet, StackedShoe
from sabot.engine.commands import Continue, Double, EvenMoney, Hit, Insure, Spin, Split, Stand
from sabot.engine.events import EvenMoneyOffered, InsuranceOffered
from sabot.engine.inputs import Chance
from sabot.errors import Refusal
from sabot.games import find
from tests.support.bench import press
from tests.support.table import Draws, cards_of, fixed_price

#: One hand of 20 against a dealer's 19: a win; and 19 against 20: a loss.
WIN = "10 9 10 10"
LOSS = "10 10 9 10"
#: An ace up without a blackjack under it.
ACE_UP = "10 A 9 7"


def stacked(*rounds: str, draws: list[int] | None = None) -> Callable[[], Chance]:
    """A shoe for each round, in order."""
    shoes = iter(rounds)
    return lambda: Chance(StackedShoe(cards_of(next(shoes))), Draws(draws or []))


def session(
    game: str, *rounds: str, balance: int = 10_000, vip: int = 0, draws: list[int] | None = None
) -> PlaySession:
    play = PlaySession(find(game), balance=balance, chance=stacked(*rounds, draws=draws), vip=vip)
    play.price = fixed_price(500_000_000)
    return play


def offers(events: tuple[object, ...]) -> int:
    return sum(isinstance(event, InsuranceOffered | EvenMoneyOffered) for event in events)


def switch(play: PlaySession) -> bool:
    return play.insurance_on


# Money


@pytest.mark.rule("COM-27", "COM-57")
def test_the_balance_goes_from_round_to_round() -> None:
    play = session("surrender", WIN, LOSS)
    press(play.slip, 0, "main", 1000)
    assert play.balance == 10_000
    play.deal()
    assert play.balance == 9_000
    play.apply(Stand(0))
    assert play.balance == 11_000
    play.deal("repeat")
    play.apply(Stand(0))
    assert play.balance == 10_000
    assert play.rounds_played == 2


@pytest.mark.rule("COM-52", "COM-55")
def test_repeat_is_without_splits_and_doubles() -> None:
    play = session("surrender", "8 9 8 10 3 2 10 10", WIN)
    press(play.slip, 0, "main", 1000)
    press(play.slip, 0, "21+3", 200)
    play.deal()
    play.apply(Split(0))
    play.apply(Double(0, 0))
    play.apply(Double(0, 1))
    assert play.slip.last == {(0, "main"): 1000, (0, "21+3"): 200}
    before = play.balance
    play.deal("repeat-and-double")
    assert before - play.balance == 2400


@pytest.mark.rule("COM-52")
def test_repeat_and_deal_is_refused_whole() -> None:
    play = session("surrender", LOSS, balance=1500)
    press(play.slip, 0, "main", 1000)
    play.deal()
    play.apply(Stand(0))
    with pytest.raises(Refusal) as error:
        play.deal("repeat")
    assert error.value.code == "funds/insufficient"
    assert play.slip.bets() == ()
    assert play.balance == 500


def test_dealing_without_chips_is_refused() -> None:
    play = session("surrender")
    with pytest.raises(Refusal) as error:
        play.deal()
    assert error.value.code == "bet/none"


@pytest.mark.rule("LNK-09")
def test_money_is_added_before_and_during_a_round() -> None:
    play = session("link", "8 9 8 10 10 10 10 10", balance=1000)
    play.add_money(500)
    assert play.balance == 1500
    press(play.slip, 0, "main", 1000)
    play.deal()
    with pytest.raises(Refusal) as error:
        play.apply(Split(0))
    assert error.value.code == "funds/insufficient"
    play.add_money(500)
    play.apply(Split(0))
    assert play.balance == 0
    for amount in (0, -100):
        with pytest.raises(Refusal) as error:
            play.add_money(amount)
        assert error.value.code == "funds/not-positive"


def test_a_shoe_that_runs_empty_gives_the_stakes_back() -> None:
    play = session("surrender", "10 9 2 10")
    press(play.slip, 0, "main", 1000)
    play.deal()
    play.apply(Hit(0))
    assert play.balance == 10_000
    assert play.slip.can("repeat")


# Limits


@pytest.mark.rule("COM-54")
def test_the_vip_level_opens_limits() -> None:
    assert [choice.name for choice in session("surrender").limit_choices] == ["low", "standard"]
    assert [choice.name for choice in session("surrender", vip=2).limit_choices] == [
        "low",
        "standard",
        "high",
        "salon",
    ]
    play = session("surrender", balance=500_000)
    assert play.limits.name == "standard"
    with pytest.raises(Refusal) as error:
        play.choose_limits("high")
    assert str(error.value) == "The limits high need VIP level 1, yours is 0: choose low, standard"
    with pytest.raises(Refusal) as error:
        play.choose_limits("huge")
    assert str(error.value) == "The limits 'huge' are not available to you: choose low, standard"


@pytest.mark.rule("COM-54")
def test_chosen_limits_bind_and_chips_go_back() -> None:
    play = session("surrender", WIN, balance=500_000, vip=1)
    press(play.slip, 0, "main", 500)
    play.choose_limits("high")
    assert play.slip.bets() == ()
    with pytest.raises(Refusal) as error:
        press(play.slip, 0, "main", 900)
    assert error.value.params["minimum"] == 1000
    press(play.slip, 0, "main", 200_000)
    play.deal()
    play.apply(Stand(0))
    assert play.balance == 700_000
    play.choose_limits("low")
    assert play.limits.main.maximum == 10_000
    assert not play.slip.can("repeat")


# The insurance switch


@pytest.mark.rule("SUR-06")
def test_surrender_switches_insurance_in_the_settings_only() -> None:
    play = session("surrender", ACE_UP, ACE_UP, ACE_UP)
    press(play.slip, 0, "main", 1000)
    assert offers(play.deal()) == 1
    play.apply(Insure("player", False))
    assert switch(play)
    play.apply(Stand(0))
    play.switch_insurance(False)
    assert offers(play.deal("repeat")) == 0
    play.apply(Stand(0))
    play.switch_insurance(True)
    assert offers(play.deal("repeat")) == 1


@pytest.mark.rule("CSH-12")
def test_cashback_refusal_for_all_lasts_until_the_settings_undo_it() -> None:
    play = session("cashback", *[ACE_UP] * 4)
    press(play.slip, 0, "main", 1000)
    play.deal()
    play.apply(Insure("player", False, 0))
    assert switch(play)
    play.apply(Stand(0))
    assert offers(play.deal("repeat")) == 1
    play.apply(Insure("player", False))
    assert not switch(play)
    play.apply(Stand(0))
    assert offers(play.deal("repeat")) == 0
    play.apply(Stand(0))
    play.switch_insurance(True)
    assert offers(play.deal("repeat")) == 1


@pytest.mark.rule("CSH-12")
def test_a_refused_refusal_switches_nothing() -> None:
    play = session("cashback", WIN)
    press(play.slip, 0, "main", 1000)
    play.deal()
    with pytest.raises(Refusal):
        play.apply(Insure("player", False))
    assert switch(play)


@pytest.mark.rule("CSH-12", "COM-31")
def test_accepting_for_all_does_not_touch_the_switch() -> None:
    play = session("cashback", ACE_UP)
    press(play.slip, 0, "main", 1000)
    play.deal()
    play.apply(Insure("player", True))
    assert switch(play)
    assert play.balance == 8_500


def test_link_has_no_switch() -> None:
    play = session("link", ACE_UP, ACE_UP)
    assert not play.game.insurance_switch
    with pytest.raises(Refusal) as error:
        play.switch_insurance(False)
    assert str(error.value) == "Insurance cannot be switched off in Blackjack Link"
    press(play.slip, 0, "main", 1000)
    play.deal()
    play.apply(Insure("player", False))
    play.apply(Stand(0))
    assert offers(play.deal("repeat")) == 1


# Reconnecting and leaving


@pytest.mark.rule("COM-57")
def test_a_reconnection_finds_the_session_as_it_was() -> None:
    play = session("cashback", ACE_UP, WIN)
    press(play.slip, 0, "main", 1000)
    play.deal()
    play.apply(Insure("player", False))
    again = play  # a reconnection is led to the same object
    assert again.in_round
    assert again.round is not None
    assert again.round.turn == (0, 0)
    again.apply(Stand(0))
    assert not again.insurance_on


@pytest.mark.rule("COM-57", "SUR-06", "CSH-12")
def test_a_new_session_offers_insurance_again() -> None:
    play = session("cashback")
    play.switch_insurance(False)
    assert session("cashback").insurance_on


def test_leaving_in_a_round_refuses_offers_and_stands() -> None:
    play = session("surrender", "10 5 A 9 5 7")
    press(play.slip, 0, "main", 1000)
    press(play.slip, 1, "main", 1000)
    play.deal()
    play.play_out()
    assert play.balance == 10_000 - 2000 + 2000
    assert not play.in_round


def test_leaving_in_a_round_refuses_even_money_and_plays_the_bonus() -> None:
    # The wheel stops on the first section, X5; the blackjack then pays 3:2 against an ace and a seven.
    play = session("link", "A A 10 7", draws=[0])
    press(play.slip, 0, "main", 1000)
    press(play.slip, 0, "link", 200)
    play.deal()
    play.play_out()
    assert play.balance == 10_000 + 1500 + 1000


def test_a_bonus_is_played_through_the_session() -> None:
    play = session("link", "A 9 10 10", draws=[0])
    press(play.slip, 0, "main", 1000)
    press(play.slip, 0, "link", 200)
    play.deal()
    with pytest.raises(Refusal) as error:
        play.apply(Continue(0))
    assert error.value.code == "bonus/press-spin"
    play.apply(Spin(0))
    assert play.balance == 10_000 + 1500 + 1000


def test_even_money_is_answered_through_the_session() -> None:
    play = session("link", "A A 10 10")
    press(play.slip, 0, "main", 1000)
    play.deal()
    play.apply(EvenMoney(0, True))
    assert play.balance == 11_000


def test_a_dealer_blackjack_ends_the_round_at_the_deal() -> None:
    play = session("surrender", "10 10 9 A")
    press(play.slip, 0, "main", 1000)
    press(play.slip, DEALER, "dealer-pair", 100)
    play.deal()
    assert not play.in_round
    assert play.balance == 8_900
    play.slip.push("repeat")
    assert play.slip.bets() == (Bet(0, "main", 1000), Bet(DEALER, "dealer-pair", 100))
