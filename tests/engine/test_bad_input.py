"""What a round refuses: each refusal has a code, a rule and a sentence, and changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

import pytest

from sabot.cards import CardError
from sabot.engine import DEALER, AnyCommand, Bet, Round, StackedShoe
from sabot.engine.commands import (
    DECISIONS,
    AddMoney,
    AllowBehind,
    Cashback,
    CloseOffers,
    Consent,
    Continue,
    Deal,
    Double,
    EvenMoney,
    Hit,
    Insure,
    PlaceBets,
    Spin,
    Split,
    Stand,
    Surrender,
    Void,
    Vote,
)
from sabot.engine.events import RoundSettled
from sabot.errors import Refusal
from sabot.games import TableOptions, UnknownGameError, find
from sabot.games.options import Limits, OptionError
from sabot.record.notation import NotationError, parse_command
from tests.support.table import ADA, Table, cards_of, fixed_price, solo

SOLO = ("surrender", "cashback", "link")
GAMES = (*SOLO, "freebet", "majority-eu", "majority-us")
LAST_SPOT = {"surrender": 4, "cashback": 4, "link": 4, "freebet": 6, "majority-eu": 1, "majority-us": 1}


def state(round: Round) -> object:
    """Everything a refused command must leave as it was."""
    book = round.book
    return (
        list(round.log),
        list(round.commands),
        round.phase,
        round.turn,
        round.legal(),
        dict(round.options_now),
        dict(round.offers.open),
        round.shoe.dealt,
        book.total,
        book.house,
        dict(book.lines),
        dict(book.bets),
        dict(book.owners),
        {
            player: (purse.money, dict(purse.golden), purse.golden_used)
            for player, purse in book.purses.items()
        },
        {hand: list(players) for hand, players in book.backers.items() if players},
        [list(hand.cards) for _, _, hand in round.play.hands()],
    )


def refuse(table: Table, command: AnyCommand, code: str, rule: str = "") -> Refusal:
    """The command is refused with this code, by `apply`, `verify` and `can` alike, and nothing has changed."""
    round = table.round
    before = state(round)
    with pytest.raises(Refusal) as refused:
        round.apply(command)
    with pytest.raises(Refusal) as verified:
        round.verify(command)
    assert not round.can(command)
    assert state(round) == before
    error = refused.value
    assert error.code == verified.value.code == code
    assert re.fullmatch(r"[A-Z]{2,3}-\d\d", error.rule)
    assert error.rule == (rule or error.rule)
    text = str(error)
    assert text == str(verified.value)
    assert text.endswith(f"({error.rule})")
    assert len(text.split()) >= 4
    assert not set("{}") & set(text)
    return error


def bets(*placed: Bet | tuple[int, str, int], player: str = ADA) -> PlaceBets:
    """A set of bets."""
    return PlaceBets(player, tuple(bet if isinstance(bet, Bet) else Bet(*bet) for bet in placed))


# Stakes


@pytest.mark.rule("COM-20")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("stake", [0, -1, -1000, 99.5, 1000.0, True, False, "1000", None, float("nan")])
@pytest.mark.parametrize("kind", ["main", "21+3"])
def test_a_stake_is_an_amount_of_whole_cents_above_zero(game: str, stake: object, kind: str) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    bad = Bet(0, kind, stake)  # type: ignore[arg-type]  # that is the point
    placed = (bad,) if kind == "main" else (Bet(0, "main", 1000), bad)
    error = refuse(table, PlaceBets(ADA, placed), "bet/not-whole-cents", "COM-20")
    assert kind in str(error)
    assert table.round.book.bets == {ADA: (Bet(0, "main", 500),)}


@pytest.mark.rule("COM-23", "COM-25")
@pytest.mark.parametrize("game", SOLO)
@pytest.mark.parametrize(
    ("bad", "code", "words"),
    [
        ((0, "main", 99), "bet/below-minimum", ["0.99", "1.00", "500.00"]),
        ((0, "main", 50_001), "bet/above-maximum", ["500.01", "1.00", "500.00"]),
        ((0, "21+3", 99), "bet/below-minimum", ["0.99", "1.00", "100.00"]),
        ((0, "21+3", 10_001), "bet/above-maximum", ["100.01", "1.00", "100.00"]),
        ((DEALER, "dealer-pair", 10_001), "bet/above-maximum", ["100.01", "1.00", "100.00"]),
    ],
)
def test_a_refused_stake_names_the_limits(
    game: str, bad: tuple[int, str, int], code: str, words: list[str]
) -> None:
    table = Table(game, "10 9 9 8", purse=10**7).bet((0, "main", 500))
    placed = [bad] if bad[1] == "main" else [(0, "main", 1000), bad]
    error = refuse(table, bets(*placed), code, "COM-23")
    assert all(word in str(error) for word in words)
    assert bad[1] in str(error)


@pytest.mark.rule("COM-23", "COM-25")
@pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
def test_a_live_stake_above_the_maximum_is_refused(game: str) -> None:
    options = TableOptions(main=Limits(100, 2000))
    table = Table(game, "10 9 9 8", options=options).bet((0, "main", 500))
    refuse(table, bets((0, "main", 2001)), "bet/above-maximum", "COM-23")
    assert table.round.balance(ADA) == 99_500


@pytest.mark.rule("COM-24", "COM-27")
@pytest.mark.parametrize("game", GAMES)
def test_bets_beyond_the_balance_are_refused(game: str) -> None:
    table = Table(game, "10 9 9 8", purse=1500).bet((0, "main", 500))
    error = refuse(table, bets((0, "main", 1000), (1, "main", 501)), "funds/insufficient", "COM-24")
    assert "15.00" in str(error)
    assert "15.01" in str(error)


# Kinds and places


@pytest.mark.rule("SB-08")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", ["", "MAIN", "insurance", "double", "initial", "jackpot", "21 + 3"])
def test_an_unknown_bet_is_refused_with_those_the_table_has(game: str, kind: str) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    error = refuse(table, bets((0, "main", 1000), (0, kind, 100)), "bet/no-such-bet", "SB-08")
    assert "player-pair" in str(error)


@pytest.mark.rule("SB-08", "SB-04", "SB-05", "SB-06", "SB-07")
@pytest.mark.parametrize(
    ("game", "kind"),
    [(game, kind) for game in (*SOLO, "freebet") for kind in ("top-3", "buster", "lucky-lucky")]
    + [(game, "link") for game in GAMES if game != "link"]
    + [("freebet", "dealer-pair")]
    + [(game, "behind") for game in GAMES if game != "freebet"],
)
def test_the_bets_of_other_games_are_unknown(game: str, kind: str) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    refuse(table, bets((0, "main", 1000), (0, kind, 100)), "bet/no-such-bet")


@pytest.mark.rule("SB-08")
@pytest.mark.parametrize("game", GAMES)
def test_a_side_bet_without_a_main_bet_is_refused(game: str) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    refuse(table, bets((0, "player-pair", 100)), "bet/no-main-bet", "SB-08")
    refuse(table, bets((0, "main", 500), (1, "player-pair", 100)), "bet/no-main-bet", "SB-08")
    refuse(table, bets((0, "main", 500), (DEALER, "player-pair", 100)), "bet/no-main-bet", "SB-08")


@pytest.mark.rule("SB-02", "SB-08")
@pytest.mark.parametrize("game", SOLO)
def test_the_dealer_pair_stands_beside_the_dealer_and_not_alone(game: str) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    refuse(table, bets((0, "main", 500), (0, "dealer-pair", 100)), "bet/beside-dealer", "SB-02")
    refuse(table, bets((DEALER, "dealer-pair", 100)), "bet/needs-any-main-bet", "SB-08")


@pytest.mark.rule("COM-50")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spot", [None, -1, -2, 7, 99, True, "0", 0.0])
def test_there_are_no_other_spots(game: str, spot: object) -> None:
    last = LAST_SPOT[game]
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    wrong = last + 1 if spot is None else spot
    bad = Bet(wrong, "main", 1000)  # type: ignore[arg-type]  # that is the point
    error = refuse(table, PlaceBets(ADA, (bad,)), "bet/no-such-spot", "COM-50")
    assert f"1 to {last + 1}" in str(error)


@pytest.mark.rule("COM-50")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("spot", [-2, 7, 99, True, 1.0, "1"])
def test_a_side_bet_on_no_spot_is_refused(game: str, spot: object) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    bad = Bet(spot, "player-pair", 100)  # type: ignore[arg-type]  # that is the point
    refuse(table, bets((0, "main", 500), (1, "main", 500), bad), "bet/no-such-spot", "COM-50")


@pytest.mark.rule("COM-50")
@pytest.mark.parametrize("game", SOLO)
def test_one_to_five_hands_each_with_its_own_stake(game: str) -> None:
    for count in range(1, 6):
        cards = " ".join(["10"] * count + ["9"] + ["9"] * count + ["8"])
        table = Table(game, cards).bet(*((spot, "main", 100 * (spot + 1)) for spot in range(count)))
        table.deal(*(f"{spot}.0 stand" for spot in range(count)))
        assert [table.paid(spot=spot) for spot in range(count)] == [200 * (spot + 1) for spot in range(count)]
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    six: list[tuple[int, str, int]] = [(spot, "main", 1000) for spot in range(6)]
    refuse(table, bets(*six), "bet/no-such-spot", "COM-50")


@pytest.mark.rule("COM-50")
@pytest.mark.parametrize("game", GAMES)
def test_a_bet_is_named_once(game: str) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    refuse(table, bets((0, "main", 1000), (0, "main", 1000)), "bet/twice", "COM-50")
    refuse(table, bets((0, "main", 1000), (0, "21+3", 100), (0, "21+3", 100)), "bet/twice", "COM-50")


@pytest.mark.rule("COM-50")
@pytest.mark.parametrize("game", GAMES)
def test_no_deal_without_a_main_bet(game: str) -> None:
    table = Table(game, "10 9 9 8")
    assert Deal() not in table.round.legal()
    refuse(table, Deal(), "bet/none", "COM-50")
    table.bet((0, "main", 500)).bet()
    refuse(table, Deal(), "bet/none", "COM-50")


@pytest.mark.rule("FRB-40", "FRB-43")
def test_what_a_bet_behind_may_not_be() -> None:
    purses = {"ada": 5000, "bob": 5000}
    table = Table("freebet", "10 9 9 8", purses=purses, behind_closed=frozenset({2}))
    table.bet((0, "main", 500)).bet((1, "main", 500), player="bob")
    refuse(table, bets((0, "main", 500), player="bob"), "bet/seat-taken", "FRB-40")
    refuse(table, bets((0, "main", 500), (0, "behind", 500)), "bet/behind-own-seat", "FRB-40")
    refuse(table, bets((0, "main", 500), (2, "behind", 500)), "bet/behind-forbidden", "FRB-43")
    refuse(table, bets((0, "main", 500), (7, "behind", 500)), "bet/no-such-spot", "COM-50")


@pytest.mark.rule("COM-20")
def test_golden_chips_are_held_and_belong_to_majority() -> None:
    for game in (*SOLO, "freebet"):
        table = Table(game, "10 9 9 8", golden={ADA: {500: 1}}).bet((0, "main", 500))
        refuse(table, bets(Bet(0, "main", 500, (500,))), "bet/no-golden", "MAJ-57")
    table = Table("majority-us", "10 9 9 8", golden={ADA: {500: 1}}).bet((0, "main", 500))
    refuse(table, bets(Bet(0, "main", 0, (500, 500))), "golden/not-held", "MAJ-50")
    refuse(table, bets(Bet(0, "main", 0, (700,))), "golden/not-held", "MAJ-50")
    refuse(table, bets(Bet(0, "main", 1000, (-500,))), "bet/not-whole-cents", "COM-20")
    refuse(table, bets(Bet(0, "main", 1000, (0,))), "bet/not-whole-cents", "COM-20")


# People


@pytest.mark.rule("COM-27")
@pytest.mark.parametrize("game", GAMES)
def test_an_unknown_player_can_do_nothing(game: str) -> None:
    table = Table(game, "10 A 9 8").bet((0, "main", 500))
    refuse(table, bets((0, "main", 1000), player="eve"), "player/unknown", "COM-27")
    refuse(table, AddMoney("eve", 1000), "player/unknown", "COM-27")
    refuse(table, Consent("eve", double=True, split=True), "player/unknown", "COM-27")
    table.deal()
    error = refuse(table, Insure("eve", True), "player/unknown", "COM-27")
    assert "eve" in str(error)
    with pytest.raises(Refusal):
        table.round.balance("eve")


@pytest.mark.rule("COM-20")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("amount", [0, -1, 0.5, 100.0, True, "5", None])
def test_money_comes_in_whole_cents(game: str, amount: object) -> None:
    table = Table(game, "10 9 9 8").bet((0, "main", 500))
    bad = AddMoney(ADA, amount)  # type: ignore[arg-type]  # that is the point
    refuse(table, bad, "funds/not-positive", "LNK-09")


# Time


@pytest.mark.rule("COM-09")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "action", [Hit(0), Stand(0), Double(0), Split(0), Surrender(0), Cashback(0, price=500)]
)
def test_no_decision_before_the_deal(game: str, action: AnyCommand) -> None:
    refuse(Table(game, "8 9 8 8").bet((0, "main", 500)), action, "round/not-dealt", "COM-09")


@pytest.mark.rule("COM-09", "COM-30")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Insure(ADA, True), "offer/none"),
        (Insure(ADA, False, 0), "offer/none"),
        (EvenMoney(0, True), "offer/none"),
        (CloseOffers(), "offer/none"),
        (Spin(0), "bonus/none"),
        (Continue(0), "bonus/none"),
        (Vote(0, player=ADA, action="hit"), "round/not-dealt"),
    ],
)
def test_nothing_else_before_the_deal(game: str, command: AnyCommand, code: str) -> None:
    refuse(Table(game, "8 A 8 8").bet((0, "main", 500)), command, code)


@pytest.mark.rule("COM-09")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("up", ["9", "A"])
def test_no_bets_and_no_second_deal_after_the_deal(game: str, up: str) -> None:
    table = Table(game, f"10 {up} 9 8").bet((0, "main", 500)).deal()
    refuse(table, bets((0, "main", 1000)), "round/not-betting", "COM-09")
    refuse(table, bets((0, "main", 500), (0, "21+3", 100)), "round/not-betting", "COM-09")
    refuse(table, bets(), "round/not-betting", "COM-09")
    refuse(table, Deal(), "round/not-betting", "COM-09")
    refuse(table, Consent(ADA, double=True, split=True), "consent/closed", "MAJ-12")


ENDS: dict[str, Callable[[Table], object]] = {
    "settled": lambda table: table.do("0.0 stand"),
    "voided": lambda table: table.do("void power"),
}


@pytest.mark.rule("COM-09")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize(
    ("command", "code"),
    [
        (Hit(0), "round/over"),
        (Stand(0), "round/over"),
        (Double(0), "round/over"),
        (Split(0), "round/over"),
        (Surrender(0), "round/over"),
        (Cashback(0, price=1), "round/over"),
        (Deal(), "round/over"),
        (bets((0, "main", 1000)), "round/over"),
        (AddMoney(ADA, 100), "round/over"),
        (Void("again"), "round/over"),
        (Vote(0, player=ADA, action="hit"), "round/over"),
        (Insure(ADA, True), "offer/none"),
        (Spin(0), "bonus/none"),
        (Consent(ADA, double=True, split=True), "consent/closed"),
    ],
)
def test_nothing_after_the_end(game: str, end: str, command: AnyCommand, code: str) -> None:
    table = Table(game, "10 9 9 8 7 7").bet((0, "main", 500)).deal()
    ENDS[end](table)
    assert table.round.legal() == ()
    refuse(table, command, code)


@pytest.mark.rule("COM-10")
@pytest.mark.parametrize("game", GAMES)
def test_acting_out_of_turn(game: str) -> None:
    place = {"seats": "seat", "boxes": "box"}.get(find(game).rules.backing, "hand")
    table = Table(game, "8 8 9 8 8 8").bet((0, "main", 500), (1, "main", 500)).deal()
    for action in (Hit(1), Stand(1), Double(1), Split(1), Hit(0, 1), Stand(4), Hit(DEALER), Hit(99)):
        error = refuse(table, action, "turn/not-yours", "COM-10")
        assert f"turn of {place} 1" in str(error)
    table.do("0.0 stand")
    error = refuse(table, Hit(0), "turn/not-yours", "COM-10")
    assert f"turn of {place} 2" in str(error)


@pytest.mark.rule("COM-09")
@pytest.mark.parametrize("game", GAMES)
def test_decisions_wait_for_open_offers(game: str) -> None:
    table = Table(game, "8 A 8 7").bet((0, "main", 500)).deal()
    for action in (Hit(0), Stand(0), Double(0), Split(0), Surrender(0), Cashback(0, price=1)):
        refuse(table, action, "round/offers-open", "COM-09")


# Actions


@pytest.mark.parametrize(
    ("game", "action"),
    [(game, Surrender(0)) for game in GAMES if game != "surrender"]
    + [(game, Cashback(0, price=445)) for game in GAMES if game != "cashback"],
)
def test_the_actions_of_other_games_are_not_possible(game: str, action: AnyCommand) -> None:
    table = solo(game, "10 9 6 8", stake=500)
    error = refuse(table, action, "action/not-legal", "COM-53")
    assert "hit" in str(error)
    assert "stand" in str(error)


@pytest.mark.rule("COM-44", "COM-40", "SUR-03")
@pytest.mark.parametrize("game", GAMES)
def test_a_hand_of_three_cards_only_hits_and_stands(game: str) -> None:
    table = solo(game, "2 9 2 8 2", stake=500)
    table.do("0.0 hit")
    for action in (Double(0), Split(0), Surrender(0)):
        refuse(table, action, "action/not-legal", "COM-53")


@pytest.mark.rule("COM-40", "COM-41")
@pytest.mark.parametrize("game", GAMES)
def test_a_split_that_is_none(game: str) -> None:
    refuse(solo(game, "8 9 7 8"), Split(0), "action/not-legal", "COM-53")
    table = Table(game, "8 9 8 8 8 8 8")
    table.do("consent split @ada").bet((0, "main", 1000)).deal("0.0 split")
    refuse(table, Split(0), "action/not-legal", "COM-53")


@pytest.mark.rule("FRB-03")
def test_free_bet_doubles_no_split_hand() -> None:
    table = Table("freebet", "8 9 8 8 3 3").bet((0, "main", 1000)).deal("0.0 split")
    refuse(table, Double(0), "action/not-legal", "COM-53")


@pytest.mark.rule("COM-24")
@pytest.mark.parametrize("game", [*SOLO, "freebet"])
def test_an_action_the_balance_does_not_cover(game: str) -> None:
    table = solo(game, "K 9 Q 8", stake=1000, purse=1999)
    for action in (Double(0), Split(0)):
        error = refuse(table, action, "funds/insufficient", "COM-24")
        assert "9.99" in str(error)
        assert "10.00" in str(error)


@pytest.mark.rule("CSH-15")
@pytest.mark.parametrize("price", [0, 890, 892, 10**9])
def test_a_price_that_is_not_the_one_shown(price: int) -> None:
    error = refuse(solo("cashback", "10 9 6 8"), Cashback(0, price=price), "cashback/stale", "CSH-15")
    assert "8.91" in str(error)


# Offers


@pytest.mark.rule("COM-30", "COM-32", "LNK-04")
def test_answers_nobody_asked_for() -> None:
    table = Table("link", "10 A 10 A 9 K 8 7").bet(*((spot, "main", 1000) for spot in range(3))).deal()
    refuse(table, EvenMoney(0, True), "offer/none", "COM-30")
    refuse(table, EvenMoney(1, True), "offer/not-now", "COM-32")
    refuse(table, Insure(ADA, True, 2), "offer/not-now", "COM-32")
    refuse(table, Insure(ADA, True, 1), "offer/none", "COM-30")
    refuse(table, Insure(ADA, True, 4), "offer/none", "COM-30")
    refuse(table, Insure(ADA, True, DEALER), "offer/none", "COM-30")
    refuse(table, CloseOffers(), "offer/none", "COM-30")


@pytest.mark.rule("COM-24", "COM-32")
def test_an_insurance_the_balance_does_not_cover() -> None:
    table = Table("surrender", "10 10 A 9 9 8", purse=2999).bet((0, "main", 1000), (1, "main", 1000)).deal()
    refuse(table, Insure(ADA, True), "funds/insufficient", "COM-24")
    table.do("0 insure yes @ada")
    refuse(table, Insure(ADA, True, 1), "funds/insufficient", "COM-24")


# Votes, seats, bonus


def test_votes_that_do_not_count() -> None:
    purses = dict.fromkeys(("ada", "bob", "cyd", "eve"), 5000)
    table = Table("majority-us", "8 9 7 8", purses=purses)
    for name in ("ada", "bob", "cyd"):
        table.bet((0, "main", 1000), player=name)
    table.deal()
    refuse(table, Vote(0, player="eve", action="hit"), "vote/no-stake", "MAJ-22")
    refuse(table, Vote(0, player=ADA, action="split"), "action/not-legal", "COM-53")
    refuse(table, Vote(0, player=ADA, action="surrender"), "action/not-legal", "COM-53")
    refuse(table, Vote(1, player=ADA, action="hit"), "vote/none", "MAJ-20")
    table.do("0.0 vote hit @ada")
    refuse(table, Vote(0, player=ADA, action="stand"), "vote/final", "MAJ-22")


@pytest.mark.parametrize("game", GAMES)
def test_no_vote_where_none_is_open(game: str) -> None:
    refuse(solo(game, "8 9 7 8"), Vote(0, player=ADA, action="hit"), "vote/none", "MAJ-20")


@pytest.mark.rule("FRB-43")
@pytest.mark.parametrize("game", [*SOLO, "majority-eu", "majority-us"])
def test_no_bets_behind_where_there_are_no_seats(game: str) -> None:
    refuse(Table(game, "8 9 7 8").bet((0, "main", 500)), AllowBehind(0, True), "behind/no-seats", "FRB-43")


@pytest.mark.rule("COM-50")
@pytest.mark.parametrize("spot", [-1, 7])
def test_only_seats_that_exist_allow_bets_behind(spot: int) -> None:
    table = Table("freebet", "8 9 7 8").bet((0, "main", 500))
    refuse(table, AllowBehind(spot, True), "bet/no-such-spot", "COM-50")


@pytest.mark.parametrize("game", GAMES)
def test_no_bonus_where_none_is_played(game: str) -> None:
    table = solo(game, "8 9 7 8")
    refuse(table, Spin(0), "bonus/none", "LNK-20")
    refuse(table, Continue(0), "bonus/none", "LNK-20")


@pytest.mark.rule("LNK-20")
def test_a_bonus_is_played_before_anything_else() -> None:
    # 0: A K with a LINK bet; 1: 10 8. The draw of the wheel: 350 + 260 + 160 + 80 + 25 = 875 opens LINK.
    table = Table("link", "A 10 9 K 8 7", draws=[875, *[0] * 9])
    table.bet((0, "main", 1000), (0, "link", 100), (1, "main", 1000)).deal()
    for action in (Hit(1), Stand(1), Double(1), Hit(0)):
        refuse(table, action, "round/bonus-open", "LNK-20")
    refuse(table, Insure(ADA, True), "round/bonus-open", "LNK-20")
    refuse(table, Spin(1), "bonus/none", "LNK-20")
    refuse(table, Continue(0), "bonus/press-spin", "LNK-27")
    table.do("0 spin")
    refuse(table, Spin(0), "bonus/press-continue", "LNK-26")
    refuse(table, bets((0, "main", 1000)), "round/not-betting", "COM-09")


# Every command in every state: what `legal` lists is taken, all else is refused


def vocabulary(round: Round) -> Iterator[AnyCommand]:
    """Every command but bets, money, consents and voids, on spots that are and are not."""
    yield Deal()
    yield CloseOffers()
    for spot in range(-1, 8):
        for accept in (True, False):
            yield EvenMoney(spot, accept)
            for player in round.book.purses:
                yield Insure(player, accept, spot)
        yield Spin(spot)
        yield Continue(spot)
        for hand in (0, 1):
            for kind in DECISIONS.values():
                yield kind(spot, hand)
            for price in {
                0,
                445,
                891,
                round.options_now["cashback"].pays if "cashback" in round.options_now else 1,
            }:
                yield Cashback(spot, hand, price=price)
    for player in round.book.purses:
        yield Insure(player, True)
        yield Insure(player, False)


STATES: dict[str, tuple[str, tuple[str, ...]]] = {
    "betting": ("8 8 9 8 8 7", ()),
    "first decision": ("8 8 9 8 8 7", ("deal",)),
    "offers": ("8 8 A 8 8 7", ("deal",)),
    "after the offers": ("8 8 A 8 8 7", ("deal", "all insure no @ada")),
    "three cards": ("2 8 9 2 8 7 2", ("deal", "0.0 hit")),
    "split": ("8 8 9 8 8 7 2 2", ("deal", "0.0 split")),
    "the left hand": ("8 8 9 8 8 7 2 2", ("deal", "0.0 split", "0.0 stand")),
    "the second spot": ("8 8 9 8 8 7 2 2", ("deal", "0.0 stand")),
    "settled": ("10 10 9 10 10 8", ("deal", "0.0 stand", "1.0 stand")),
    "voided": ("10 10 9 10 10 8", ("deal", "void power")),
}


@pytest.mark.rule("COM-09", "COM-10")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("purse", [2000, 2500, 100_000])
def test_whatever_is_not_legal_is_refused_and_changes_nothing(game: str, name: str, purse: int) -> None:
    cards, commands = STATES[name]
    extra = 1000 if "0.0 split" in commands else 0
    table = Table(game, cards, purse=purse + extra)
    if game.startswith("majority"):
        table.do("consent split @ada")
    table.bet((0, "main", 1000), (1, "main", 1000)).do(*commands)
    round = table.round
    legal = set(round.legal())
    before = state(round)
    for move in vocabulary(round):
        taken = round.can(move)
        assert taken == (move in legal), move
        if not taken:
            with pytest.raises(Refusal) as refused:
                round.apply(move)
            assert refused.value.rule in str(refused.value)
    assert state(round) == before
    assert bool(legal) == (not round.over)


# Cards, purses, games


@pytest.mark.rule("COM-01")
@pytest.mark.parametrize("card", [-1, 52, 10_000])
def test_an_unknown_card_is_no_part_of_a_shoe(card: int) -> None:
    with pytest.raises(CardError, match="is no card"):
        StackedShoe([0, 1, card])
    with pytest.raises(CardError, match="1x"):
        cards_of("10 9 1x 8")


@pytest.mark.rule("COM-20")
@pytest.mark.parametrize("money", [-1, 10.5, 100.0, True, "100", None])
def test_a_purse_holds_whole_cents(money: object) -> None:
    purses = {ADA: money}
    with pytest.raises(ValueError, match="whole cents"):
        Round(find("surrender").rules, StackedShoe([]), purses=purses)  # type: ignore[arg-type]  # that is the point


def test_a_round_is_refused_without_the_parts_it_needs() -> None:
    shoe = StackedShoe([])
    with pytest.raises(ValueError, match="one player"):
        Round(find("surrender").rules, shoe, purses={"ada": 1, "bob": 1})
    with pytest.raises(ValueError, match="price"):
        Round(find("cashback").rules, shoe, purses={ADA: 1})
    with pytest.raises(ValueError, match="draw"):
        Round(find("link").rules, shoe, purses={ADA: 1}, price=fixed_price(0))
    with pytest.raises(UnknownGameError, match="surrender"):
        find("poker")


@pytest.mark.rule("COM-23")
@pytest.mark.parametrize(("least", "most"), [(0, 100), (-1, 100), (200, 100)])
def test_limits_that_are_none(least: int, most: int) -> None:
    with pytest.raises(OptionError, match="minimum"):
        Limits(least, most)


@pytest.mark.parametrize(
    "text", ["", "hit", "0 hit", "0.2 hit", "0.0 jump", "deal now", "all insure @ada", "0.0 cashback -1"]
)
def test_a_text_that_is_no_command(text: str) -> None:
    with pytest.raises(NotationError, match="is no command"):
        parse_command(text)


def test_a_refused_command_does_not_disturb_the_round() -> None:
    table = solo("surrender", "10 9 9 8")
    refuse(table, Split(0), "action/not-legal")
    table.do("0.0 stand")
    assert table.all(RoundSettled)
    assert table.paid() == 2000
