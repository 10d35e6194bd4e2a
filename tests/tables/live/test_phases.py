"""What a live table does when, and for how long."""

from __future__ import annotations

import msgspec
import pytest

from sabot.engine.commands import DEALER
from sabot.engine.events import BettingClosed, CardBurnt, CardDealt, CutCardShown, RoundVoided
from sabot.errors import Refusal
from sabot.fairness.vault import Vault
from sabot.games.options import TableOptions
from sabot.rounds.history import round_record
from sabot.tables.config import Dealing
from sabot.tables.live.events import RoundOpened, ShoeCommitted, ShoeRevealed, ShoeSeeded
from sabot.tables.live.timers import Phase, Timers
from tests.support.hand_dealt import EVA
from tests.support.ledger import rows
from tests.support.live_hall import BROUGHT, OPENED, Hall, OpenHall

#: Whoever deals (STU-01).
BOTH_KINDS = True

#: Seat 0 has 20 against 9 8: one round that a stand wins.
WIN = "10 9 10 8 "
#: The same under an ace with a nine below: 20 against 20.
ACE = "10 A 10 9 "


#: Phases that end by the clock whoever deals, and those of the dealer.
CLOCKED: tuple[Phase, ...] = ("betting", "closing", "insurance", "decisions", "payout")
DEALERS: tuple[Phase, ...] = ("dealing", "dealer")


def phases_of(hall: Hall, count: int) -> list[tuple[str, float]]:
    """The phases from now on, each with the seconds it is given."""
    found = []
    for _ in range(count):
        found.append((hall.phase, hall.left))
        hall.tick()
    return found


@pytest.mark.by_house  # the pace of its dealer
def test_a_round_of_a_seat_from_shuffle_to_payout(open_hall: OpenHall) -> None:
    """Four cards at 0.6 s each are dealt in 2.4 s; the hole card is turned in 0.6 s."""
    hall = open_hall("freebet", WIN * 2, players=1).bring_in({1: (0,)})
    hall.until("betting")
    hall.bet(1, (0, "main", 1000))
    assert phases_of(hall, 3) == [("betting", 15), ("closing", 1), ("dealing", 2.4)]
    assert hall.phase == "decisions"
    hall.play(1, "stand")
    assert phases_of(hall, 3) == [("dealer", 0.6), ("payout", 4), ("betting", 15)]
    assert hall.phases == [
        *("idle", "shuffle", "betting", "closing", "dealing", "decisions", "dealer", "payout", "betting"),
        "closing",
    ]
    assert hall.words == ["shuffle", "place-your-bets", "no-more-bets", "place-your-bets", "no-more-bets"]
    assert hall.money(1) == [BROUGHT + 1000]


def test_under_an_ace_there_is_a_window_for_insurance(open_hall: OpenHall) -> None:
    hall = open_hall("freebet", ACE, players=1).bring_in({1: (0,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.until("insurance")
    assert phases_of(hall, 1) == [("insurance", 8)]
    assert (hall.phase, hall.left) == ("decisions", 12)


@pytest.mark.rule("FRB-34")
def test_nothing_is_dealt_for_nobody(open_hall: OpenHall) -> None:
    """Free Bet's timers are 15, 8 and 12 seconds; a stake below the minimum of 1.00 is none, and goes back.

    The bets are open for another 15 seconds in the same round, and whoever sat down in the meantime is in it.
    """
    assert msgspec.structs.asdict(Timers()) | {"betting": 15, "insurance": 8, "decision": 12} == (
        msgspec.structs.asdict(Timers())
    )
    hall = open_hall("freebet", ACE, players=2).bring_in({1: (0,)}).until("betting")
    code = hall.live.play.code
    hall.bet(1, (0, "main", 99))
    assert hall.money(1) == [BROUGHT - 99]
    hall.until("closing")
    hall.bring_in({2: (1,)})
    assert phases_of(hall, 1) == [("closing", 1)]
    assert (hall.phase, hall.left, hall.live.play.code) == ("betting", 15, code)
    assert hall.words[-3:] == ["no-more-bets", "nobody-bet", "place-your-bets"]
    assert hall.heard(BettingClosed) == []
    assert hall.heard(CardDealt) == []
    assert (hall.money(1, 2), hall.escrow, hall.live.table.shoes.dealt) == ([BROUGHT, BROUGHT], 0, 0)
    hall.bet(2, (1, "main", 1000))
    hall.until("insurance")
    assert hall.left == 8
    hall.until("decisions")
    assert hall.left == 12
    assert (hall.ends, hall.live.play.code) == (["open"], code)


def test_a_table_without_anybody_rests_and_wakes(open_hall: OpenHall) -> None:
    """Who only looks does not wake it; who sits does. When the last one is gone the empty round is closed."""
    hall = open_hall("majority-eu", WIN, players=2)
    assert (hall.phase, hall.live.phases.due) == ("idle", None)
    hall.come(1, 2)
    assert hall.phase == "idle"
    hall.stop_at("shuffle")
    hall.sit(1)
    assert hall.phase == "shuffle"
    hall.until("betting")
    hall.go(1)
    hall.until("idle")
    assert hall.ends == ["voided"]
    assert hall.heard(RoundVoided) == [RoundVoided("nobody plays")]
    hall.pass_time(600)
    assert hall.phase == "idle"
    hall.come(1)
    assert (hall.phase, hall.words[-1]) == ("betting", "place-your-bets")


def test_the_operator_sets_the_timers(open_hall: OpenHall) -> None:
    timers = Timers(
        shuffle=2, betting=3, closing=4, pace=0.5, insurance=5, decision=6, vote=7, payout=8, absence=9
    )
    hall = open_hall("freebet", ACE, players=1, timers=timers).bring_in({1: (0,)})
    hall.until("betting").bet(1, (0, "main", 1000))
    seen = {phase: hall.until(phase).left for phase in CLOCKED}
    assert seen == {"betting": 3, "closing": 4, "insurance": 5, "decisions": 6, "payout": 8}


@pytest.mark.by_house  # the pace of its dealer, and the shuffle
def test_the_operator_sets_the_pace(open_hall: OpenHall) -> None:
    timers = Timers(shuffle=2, pace=0.5)
    hall = open_hall("freebet", ACE, players=1, timers=timers).bring_in({1: (0,)})
    assert hall.left == 2
    hall.until("betting").bet(1, (0, "main", 1000))
    assert [hall.until(phase).left for phase in DEALERS] == [2, 0.5]


@pytest.mark.rule("ASR-40")
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_bets_are_never_repeated_by_themselves(open_hall: OpenHall, game: str) -> None:
    """Who does nothing in the next betting has nothing on the table, however long the clock runs.

    Agreeing to follow others' doubles and splits stakes nothing either: it is for rounds one has bet in. A solo table has
    no clock; it deals when it is told to.
    """
    hall = open_hall(game, WIN * 2, players=1)
    if game == "freebet":
        hall.bring_in({1: (0,)})
    else:
        hall.bring_in({1: ()}).consent(1)
    hall.until("betting").bet(1, (0, "main", 1000))
    hall.until("payout").next("betting")
    money = hall.money(1)
    for _ in range(2):
        assert hall.part(1).bets == ()
        hall.next("closing")
        hall.tick()
        assert hall.words[-2:] == ["nobody-bet", "place-your-bets"]
    assert (hall.money(1), hall.escrow) == (money, 0)


@pytest.mark.rule("FRB-28")
def test_a_code_is_made_of_the_time_of_opening(open_hall: OpenHall, dealing: Dealing) -> None:
    """The hall opens at 10:40:00 GMT; at the house's pace the first betting begins when 5 s of shuffling are over.

    The round lasts 15 + 1 + 2.4 s, 12 s until the time is over, 0.6 + 4 s: the second opens 35 s later. A person who deals at
    once has changed the shoe in no time, and the round takes 15 + 1 + 12 + 4 = 32 s.
    """
    assert OPENED % 86_400_000 == (10 * 3600 + 40 * 60) * 1000
    opened = ("104005", "104040") if dealing == "house" else ("104000", "104032")
    hall = open_hall("freebet", WIN * 2, players=1).bring_in({1: (0,)}).until("betting")
    first = hall.live.play.code
    hall.bet(1, (0, "main", 1000))
    hall.until("payout").next("betting")
    second = hall.live.play.code
    assert (first[7:13], second[7:13]) == opened
    assert [event.code for event in hall.heard(RoundOpened)] == [first, second]
    assert rows(hall.database, "SELECT code FROM rounds ORDER BY opened_at") == [(first,), (second,)]
    for code in (first, second):
        assert (code[:7], len(code)) == ("260829-", 18)


def test_rounds_of_one_second_have_codes_of_their_own(open_hall: OpenHall) -> None:
    timers = Timers(
        shuffle=0.001, betting=0.001, closing=0.001, pace=0.001, decision=0.001, payout=0.001, absence=0.001
    )
    hall = open_hall("freebet", WIN * 5, players=1, timers=timers).bring_in({1: (0,)})
    for _ in range(5):
        hall.until("betting").bet(1, (0, "main", 1000))
        hall.until("payout")
    codes = [event.code for event in hall.heard(RoundOpened)]
    assert {code[7:13] for code in codes} == {"104000"}
    assert len(set(codes)) == 5


# The shoe


@pytest.mark.by_house  # its cut card is a number of cards
@pytest.mark.rule("COM-12")
def test_the_shoe_is_changed_after_the_round_with_the_cut_card(open_hall: OpenHall) -> None:
    """The cut card lies behind 6 cards. The second round takes cards 5 to 8: it is announced and played to its end.

    Only then the shoe is replaced, before the next betting, and the third round is dealt from the first card of the
    new one: 9 9 against 10 7 wins, where the old shoe would have gone on with 2 2 2 2.
    """
    options = TableOptions(cut=6)
    hall = open_hall("freebet", WIN * 2 + "2 2 2 2", "9 10 9 7", players=1, options=options)
    hall.bring_in({1: (0,)}).until("betting")
    hall.bet(1, (0, "main", 1000))
    hall.until("payout")
    assert (hall.live.table.shoes.dealt, hall.heard(CutCardShown)) == (4, [])
    hall.next("betting").bet(1, (0, "main", 1000))
    hall.forget()
    hall.until("dealing")
    assert hall.words == ["no-more-bets", "last-round"]
    assert hall.heard(CutCardShown) == [CutCardShown()]
    assert hall.heard(ShoeCommitted) == []
    hall.until("payout")
    assert (hall.live.table.shoes.dealt, hall.money(1)) == (8, [BROUGHT + 2000])
    hall.forget()
    hall.next("betting")
    assert hall.phases == ["shuffle", "betting"]
    assert hall.words == ["shuffle", "place-your-bets"]
    assert len(hall.heard(ShoeRevealed)) == len(hall.heard(ShoeCommitted)) == len(hall.heard(ShoeSeeded)) == 1
    assert hall.live.table.shoes.dealt == 0
    hall.bet(1, (0, "main", 1000))
    hall.until("payout")
    assert hall.money(1) == [BROUGHT + 3000]


@pytest.mark.by_house  # its cut card is a number of cards
def test_a_cut_card_that_comes_last_is_announced_too(open_hall: OpenHall) -> None:
    """The eighth card is the dealer's last one: the shoe is changed all the same."""
    hall = open_hall("freebet", WIN * 2, WIN, players=1, options=TableOptions(cut=8)).bring_in({1: (0,)})
    for _ in range(2):
        hall.until("betting").bet(1, (0, "main", 1000))
        hall.until("payout")
    assert hall.words.count("last-round") == 1
    hall.next("shuffle")


@pytest.mark.rule("MAJ-07")
def test_a_card_is_burnt_before_each_betting(open_hall: OpenHall) -> None:
    """The first card of each round goes away face down: 2, then box 0 has 10 10 against 9 8; then 3."""
    options = TableOptions(burn=True, cut=100)
    hall = open_hall("majority-eu", "2 10 9 10 8 3 10 9 10 8", WIN, players=1, options=options)
    hall.bring_in({1: ()}).consent(1).until("betting")
    assert hall.heard(CardBurnt) == [CardBurnt()]
    assert hall.view.shoe is not None
    assert hall.view.shoe.dealt == 1
    for round in (1, 2):
        hall.until("betting").bet(1, (0, "main", 1000))
        hall.until("payout")
        assert len(hall.heard(CardBurnt)) == round
    assert hall.money(1) == [BROUGHT + 2000]
    assert hall.words.count("last-round") == 0


@pytest.mark.by_house  # its cut card is a number of cards
@pytest.mark.rule("COM-12", "MAJ-07")
def test_a_burnt_card_is_a_card_before_the_cut_card(open_hall: OpenHall) -> None:
    """Five cards are used, and the cut card lies behind nine: the second round's burnt card and three dealt ones reach it."""
    options = TableOptions(burn=True, cut=9)
    hall = open_hall("majority-eu", "2 10 9 10 8 3 10 9 10 8", WIN, players=1, options=options)
    hall.bring_in({1: ()}).consent(1)
    for said in (0, 1):
        hall.until("betting").bet(1, (0, "main", 1000))
        hall.until("payout")
        assert hall.words.count("last-round") == said
    hall.next("shuffle")


@pytest.mark.by_hand  # the house reveals its shoe
@pytest.mark.rule("MAJ-07", "STU-06")
def test_a_burnt_card_is_in_the_record_when_its_shoe_is_no_longer_in_use(open_hall: OpenHall) -> None:
    """As with a shoe of the house, which is revealed then."""
    hall = open_hall("majority-eu", "2 10 9 10 8", WIN, players=1, options=TableOptions(burn=True))
    hall.bring_in({1: ()}).consent(1).until("betting").bet(1, (0, "main", 1000))
    hall.until("payout")
    code, vault, studio = hall.live.play.code, Vault(bytes(32)), hall.live.studio
    assert studio is not None
    with hall.database.reading() as connection, pytest.raises(Refusal, match="still in use"):
        round_record(connection, code, afterwards=vault)
    hall.do(lambda: studio.shoes.change(EVA, "the next"))
    with hall.database.reading() as connection:
        with pytest.raises(Refusal, match="still in use"):
            round_record(connection, code)
        record = round_record(connection, code, afterwards=vault)
    assert record.shoe.cards.split()[0][:-1] == "2"


def test_a_card_is_burnt_once_for_bets_that_open_twice(open_hall: OpenHall) -> None:
    hall = open_hall("majority-us", "2 10 9 10 8", players=1, options=TableOptions(burn=True))
    hall.bring_in({1: ()}).consent(1).until("betting").next("betting")
    assert hall.heard(CardBurnt) == [CardBurnt()]
    hall.bet(1, (0, "main", 1000))
    hall.until("dealing")
    assert [event.spot for event in hall.heard(CardDealt)] == [0, DEALER, 0]
