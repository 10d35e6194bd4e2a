"""Rounds that a person deals: the round says which card is due, waits for it, and goes on when it has come (STU-02)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import reduce
from random import Random

import pytest

from sabot.cards import parse_card
from sabot.engine import Bet, HandShoe, Round, StackedShoe
from sabot.engine.commands import (
    AddMoney,
    CloseOffers,
    Consent,
    Deal,
    Double,
    Hit,
    Insure,
    Pay,
    PlaceBets,
    Scan,
    ShowCutCard,
    Split,
    Stand,
    Void,
)
from sabot.engine.events import AnyEvent, CardAwaited, CutCardShown, DueCard
from sabot.engine.view import EMPTY, fold, table_view
from sabot.errors import Refusal
from sabot.games import find
from sabot.record import loads, replay, write
from sabot.record.record import dumps
from tests.support.players import GAMES, EventfulTable, RandomTable, dealt_again, opened_by_hand
from tests.support.table import ADA, ByHand

ROUNDS = 60


# What is due, and when


@pytest.mark.rule("STU-02")
def test_the_round_says_for_whom_each_card_is() -> None:
    """Two passes over seats 1 and 3 and the dealer, the hole card last (COM-10, FRB-01)."""
    table = ByHand("freebet").bet(0, 2)
    due = []
    for card in ("10s", "9s", "7s", "8s", "9h", "10h"):
        due.append(table.due())
        table.scan(card)
    pass_ = [DueCard("card", 0), DueCard("card", 2)]
    assert due == [*pass_, DueCard("card", -1), *pass_, DueCard("hole")]
    assert (table.due(), table.round.phase, table.round.turn) == (None, "decisions", (0, 0))


@pytest.mark.rule("STU-02")
def test_everything_before_a_card_is_visible() -> None:
    """A double shows the decision and its stake at once; the card ends the hand."""
    table = ByHand("freebet").bet(0)
    table.scan("10s 7s 6s 10h")
    assert [event.__struct_config__.tag for event in table.round.apply(Double(0))] == [
        *("acted", "stake-added", "card-awaited")
    ]
    assert table.round.balance(ADA) == 98_000
    assert (table.round.phase, table.round.turn, table.due()) == ("cards", None, DueCard("card", 0))
    assert [event.__struct_config__.tag for event in table.scan("3s")] == [
        *("card-dealt", "hand-ended", "card-awaited")
    ]
    assert table.due() == DueCard("turn")


@pytest.mark.rule("STU-02", "COM-14")
def test_both_hands_of_a_split_get_their_card_right_before_left() -> None:
    table = ByHand("freebet").bet(0)
    table.scan("8s 7s 8h 10h")
    table.round.apply(Split(0))
    assert table.due() == DueCard("card", 0, 0)
    table.scan("10s")
    assert table.due() == DueCard("card", 0, 1)
    table.scan("9s")
    assert table.round.turn == (0, 0)
    assert [hand.total for hand in table.round.play.spots[0]] == [18, 17]


@pytest.mark.rule("STU-02")
@pytest.mark.parametrize(
    ("game", "spot", "decision"), [("freebet", 2, Hit), ("majority-eu", 1, Hit), ("majority-eu", 1, Double)]
)
def test_a_card_is_due_for_the_hand_that_decided(game: str, spot: int, decision: type[Hit | Double]) -> None:
    """The left hand of a split."""
    table = ByHand(game)
    if game == "majority-eu":
        table.round.apply(Consent(ADA, double=True, split=True))
    table.bet(spot)
    table.scan("8s 7s 8h" if game == "majority-eu" else "8s 7s 8h 10h")
    table.round.apply(Split(spot))
    table.scan("10s 3s")
    table.round.apply(Stand(spot, 0))
    table.round.apply(decision(spot, 1))
    assert table.due() == DueCard("card", spot, 1)
    table.scan("2d")
    assert [hand.total for hand in table.round.play.spots[spot]] == [18, 13]


@pytest.mark.rule("STU-02", "COM-06")
def test_the_dealers_second_card_is_due_where_there_is_no_hole_card() -> None:
    table = ByHand("majority-eu").bet(0)
    table.scan("10s 7s 9h")
    table.round.apply(Stand(0))
    assert table.due() == DueCard("card", -1)
    table.scan("5h")
    assert table.due() == DueCard("card", -1)
    table.scan("6h")
    assert table.due() == DueCard("pay")


@pytest.mark.rule("STU-02", "COM-06")
def test_the_dealer_turns_draws_and_pays() -> None:
    """19 against 7 and 5: the hole card is turned, the dealer draws to 19, and then the push is paid."""
    table = ByHand("freebet").bet(0)
    table.scan("10s 7s 9s 5h")
    table.round.apply(Stand(0))
    assert table.due() == DueCard("turn")
    table.scan("5h")
    assert table.due() == DueCard("card", -1)
    table.scan("4h")
    assert table.due() == DueCard("card", -1)
    table.scan("3h")  # 7 + 5 + 4 + 3 = 19
    assert (table.due(), table.round.over) == (DueCard("pay"), False)
    assert table.round.legal() == (Pay(),)
    assert table.refuses(Scan(parse_card("2s"))) == "card/not-due"
    assert table.round.balance(ADA) == 99_000
    table.round.apply(Pay())
    assert (table.round.phase, table.round.balance(ADA)) == ("settled", 100_000)


@pytest.mark.rule("STU-02", "MAJ-07")
def test_a_round_that_begins_with_a_burnt_card_opens_betting_when_it_lies() -> None:
    table = ByHand("majority-eu", burn=True)
    assert (table.round.phase, table.due()) == ("cards", DueCard("burn"))
    assert table.refuses(PlaceBets(ADA, (Bet(0, "main", 1_000),))) == "round/not-betting"
    table.scan("5s")
    assert (table.round.phase, table.due()) == ("betting", None)


def test_nothing_can_be_decided_while_a_card_is_due() -> None:
    """Money can be brought, and a malfunction ends the round."""
    table = ByHand("freebet").bet(0)
    table.scan("10s")
    assert table.refuses(Hit(0)) == "round/card-due"
    assert table.refuses(Stand(0)) == "round/card-due"
    assert table.refuses(Deal()) == "round/not-betting"
    assert table.refuses(Insure(ADA, True)) == "offer/none"
    assert table.refuses(CloseOffers()) == "offer/none"
    assert table.refuses(Pay()) == "round/not-to-pay"
    table.round.apply(AddMoney(ADA, 500))
    assert table.due() == DueCard("card", -1)
    table.round.apply(Void("malfunction"))
    assert (table.round.phase, table.due(), table.round.balance(ADA)) == ("voided", None, 100_500)
    assert table.refuses(Scan(parse_card("9s"))) == "card/not-due"
    assert table.refuses(ShowCutCard()) == "round/over"
    assert reduce(fold, table.round.log, EMPTY) == table_view(table.round)  # no card is due any more


# The shoe


@pytest.mark.rule("STU-07")
def test_a_shoe_counts_every_card_that_comes_out() -> None:
    """Two decks have two kings of spades, however many cards were not seen."""
    king = parse_card("Ks")
    shoe = HandShoe(2, unseen=10)
    assert (shoe.dealt, shoe.cut_seen) == (10, False)
    for dealt in (11, 12):
        assert shoe.can_hold(king)
        shoe.put(king)
        assert (shoe.draw(), shoe.dealt) == (king, dealt)
    assert not shoe.can_hold(king)


def test_a_card_that_the_shoe_cannot_contain_is_refused() -> None:
    """The ninth king of spades of eight decks."""
    gone = [0] * 52
    king = parse_card("Ks")
    gone[king] = 8
    table = ByHand("freebet", shoe=HandShoe(8, gone)).bet(0)
    assert table.shoe.dealt == 8
    assert table.refuses(Scan(king)) == "card/not-in-shoe"
    assert table.due() == DueCard("card", 0)
    assert Scan(king) not in table.round.legal()
    assert len(table.round.legal()) == 51
    table.scan("Kh")
    assert table.due() == DueCard("card", -1)


def test_a_card_that_nobody_waits_for_is_refused() -> None:
    table = ByHand("freebet")
    assert table.refuses(Scan(0)) == "card/not-due"
    table.bet(0).scan("10s 7s 9s 5h")
    assert table.refuses(Scan(0)) == "card/not-due"
    house = Round(find("freebet").rules, StackedShoe([]), purses={ADA: 1_000})
    for command in (Scan(0), Pay(), ShowCutCard()):
        with pytest.raises(Refusal, match="The house deals"):
            house.apply(command)


def test_the_second_reading_of_the_hole_card_must_agree() -> None:
    table = ByHand("freebet").bet(0)
    table.scan("10s 7s 9s 5h")
    table.round.apply(Stand(0))
    assert table.refuses(Scan(parse_card("5s"))) == "card/not-the-hole"
    assert table.refuses(Pay()) == "round/not-to-pay"
    assert table.shoe.dealt == 4
    table.scan("5h")
    assert table.shoe.dealt == 4  # read twice, dealt once


@pytest.mark.rule("COM-12")
def test_the_cut_card_is_seen_and_not_counted() -> None:
    """Where a person deals the cut card itself says that the shoe is changed, wherever it was put."""
    shoe = HandShoe(8, unseen=400)
    table = ByHand("freebet", shoe=shoe).bet(0)
    table.scan("10s")
    assert table.round.apply(ShowCutCard()) == (CutCardShown(),)
    assert table.due() == DueCard("card", -1)
    assert table.round.cut_card_out
    assert table.refuses(ShowCutCard()) == "shoe/cut-seen"
    with pytest.raises(ValueError, match="the cut card is out"):
        ByHand("freebet", shoe=shoe)


# The same rounds as the house deals


def _without_waits(events: Sequence[AnyEvent]) -> list[AnyEvent]:
    return [event for event in events if not isinstance(event, CardAwaited | CutCardShown)]


def tables(game: str, kind: type[RandomTable] = EventfulTable, count: int = ROUNDS) -> Iterator[RandomTable]:
    """Rounds that the house has dealt to their end; an empty shoe is a key of its own where a person deals."""
    for seed in range(count):
        table = kind(game, Random(f"by hand {game} {seed}"))
        for _ in table.play():
            pass
        if table.round.phase == "settled" or isinstance(table.round.commands[-1], Void):
            yield table


@pytest.mark.rule("STU-02")
@pytest.mark.parametrize("game", GAMES)
def test_dealt_by_hand_a_round_is_the_same(game: str) -> None:
    """Same events but for the waits, same hands, same balances; what is folded is what is seen."""
    waits = 0
    for table in tables(game):
        view, after, round = EMPTY, 0, table.round
        for round in dealt_again(table):
            for event in round.log[after:]:
                view = fold(view, event)
            after = len(round.log)
            waits += round.play.due is not None
            assert (round.phase == "cards") == (round.play.due is not None)
            if not round.ballot.cast_votes:
                assert view == table_view(round)
        assert _without_waits(round.log) == _without_waits(table.round.log)
        assert round.tape.cards == table.round.tape.cards
        assert {player: round.balance(player) for player in table.players} == {
            player: table.round.balance(player) for player in table.players
        }
    assert waits > ROUNDS


@pytest.mark.rule("STU-02", "PLT-34")
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_a_round_is_rebuilt_from_its_commands_at_every_card(game: str) -> None:
    for table in tables(game, count=12):
        for now in dealt_again(table):
            again = opened_by_hand(table)
            for command in now.commands:
                again.apply(command)
            assert again.log == now.log
            assert table_view(again) == table_view(now)
            assert again.legal() == now.legal()


@pytest.mark.rule("STU-02")
@pytest.mark.parametrize("game", GAMES)
def test_the_record_holds_the_cards_as_they_came_and_replays(game: str) -> None:
    """It has no command of the dealer's, says who dealt, and replays to the cent."""
    for number, table in enumerate(tables(game, RandomTable, 20)):
        *_, round = dealt_again(table)
        record = write(round, f"260101-120000-{number:04}")
        text = dumps(record)
        assert 'dealing = "studio"' in text
        assert not any("scan" in command or "pay" in command for command in record.commands)
        assert replay(loads(text), table.rules).log[-1] == round.log[-1]


@pytest.mark.rule("STU-02", "PLT-32")
@pytest.mark.parametrize("cards", ["", "10s", "10s 7s 9s", "10s 7s 9s 5h", "10s 7s 9s 5h 5h"])
def test_a_round_voided_while_a_card_was_due_replays(cards: str) -> None:
    """Before any card, in the middle of the deal, before and after the hole card is turned."""
    table = ByHand("freebet").bet(0)
    table.scan(" ".join(cards.split()[:4]))
    if len(cards.split()) >= 4:
        table.round.apply(Stand(0))
        table.scan(" ".join(cards.split()[4:]))
    assert table.due() is not None
    table.round.apply(Void("malfunction"))
    record = write(table.round, "260101-120000-0001")
    assert replay(loads(dumps(record))).log[-1] == table.round.log[-1]
