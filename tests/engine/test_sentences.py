"""What a refusal says: for every code a scene that provokes it, and its English sentence to the letter.

A refusal tells what was tried, why it is not possible and what is. `test_bad_input.py` shows that it changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from sabot.engine import AnyCommand, Bet, HandShoe
from sabot.engine.commands import (
    AddMoney,
    AllowBehind,
    BoundLoss,
    Cashback,
    CloseOffers,
    Consent,
    Continue,
    Deal,
    Double,
    EvenMoney,
    Hit,
    Insure,
    Join,
    Pay,
    PlaceBets,
    Scan,
    ShowCutCard,
    Spin,
    Split,
    Stand,
    Surrender,
    Void,
    Vote,
)
from sabot.engine.events import RoundVoided
from sabot.errors import ENGLISH, REFUSALS, Refusal, SentenceFormatter
from sabot.games import TableOptions
from sabot.games.options import GoldenOptions
from tests.support.table import ADA, ByHand, Table, solo

BOB, CYD, EVE = "bob", "cyd", "eve"
NOT_TYPED: Any = "12"  # what a careless client may send where a number belongs

#: 350 + 260 + 160 + 80 + 25 = 875 is LINK on the wheel; then three tiles, and three cells with their prizes.
LINK_TABLE = (875, *[0] * 9)


def bets(*placed: Bet | tuple[int, str, int], player: str = ADA) -> PlaceBets:
    """A set of bets."""
    return PlaceBets(player, tuple(bet if isinstance(bet, Bet) else Bet(*bet) for bet in placed))


def by_hand(cards: str, *commands: AnyCommand) -> ByHand:
    """A round of one seat that a person deals, after some cards and commands."""
    table = ByHand("freebet").bet(0)
    table.scan(cards)
    for command in commands:
        table.round.apply(command)
    return table


def turning() -> ByHand:
    """The hole card is to be turned."""
    return by_hand("10s 7s 9s 5h", Stand(0))


def betting(game: str = "surrender", **parts: Any) -> Table:
    """A table that takes bets."""
    return Table(game, "8 9 8 8", **parts)


def dealt(game: str = "surrender", cards: str = "10 9 7 8", **parts: Any) -> Table:
    """One hand of 10.00 that is asked, or the end of a round it needs no decision for."""
    return solo(game, cards, **parts)


def bounded(most: int) -> Table:
    """A dealt hand of 10.00 whose player may stake so much in the round."""
    table = dealt()
    table.round.apply(BoundLoss(ADA, most))
    return table


def over() -> Table:
    """A settled round."""
    return dealt().do("0.0 stand")


def seats() -> Table:
    """Free Bet: Ada sits at 0, Bob at 1; nobody may bet behind seat 2."""
    table = Table("freebet", "8 9 7 8", purses={ADA: 5000, BOB: 5000}, behind_closed=frozenset({2}))
    return table.bet((0, "main", 500)).bet((1, "main", 500), player=BOB)


def box(up: str = "9", **golden: Any) -> Table:
    """A Majority box of three players who vote; Eve has money and no stake."""
    options = TableOptions(golden=GoldenOptions(**golden))
    purses = dict.fromkeys((ADA, BOB, CYD, EVE), 5000)
    table = Table("majority-us", f"8 {up} 7 8", purses=purses, golden={ADA: {500: 2}}, options=options)
    for player in (ADA, BOB, CYD):
        table.bet((0, "main", 1000), player=player)
    return table


def bonus() -> Table:
    """Blackjack Link: spot 0 is a blackjack with a LINK bet, spot 1 has a decision."""
    table = Table("link", "A 10 9 K 8 7", draws=LINK_TABLE)
    return table.bet((0, "main", 1000), (0, "link", 100), (1, "main", 1000)).deal()


def two_offers() -> Table:
    """Two hands against an ace: the rightmost is asked first."""
    return Table("surrender", "10 10 A 9 9 8").bet((0, "main", 1000), (1, "main", 1000)).deal()


class Refused(NamedTuple):
    """A scene, a command that is refused in it, and what is said."""

    code: str
    scene: Callable[[], Table | ByHand]
    command: AnyCommand
    sentence: str


MAIN = (0, "main", 1000)

REFUSED = [
    # Stakes
    Refused(
        "bet/below-minimum",
        betting,
        bets((0, "main", 99)),
        "Stake 0.99 on main is below the minimum: stake from 1.00 to 500.00 (COM-23)",
    ),
    Refused(
        "bet/above-maximum",
        lambda: betting(purse=10**6),
        bets(MAIN, (0, "21+3", 10_001)),
        "Stake 100.01 on 21+3 is above the maximum: stake from 1.00 to 100.00 (COM-23)",
    ),
    Refused(
        "bet/above-maximum",
        lambda: box().bet(),
        bets(Bet(0, "main", 49_500, (500, 500))),
        "Stake 505.00 on main is above the maximum: stake from 1.00 to 500.00 (COM-23)",
    ),
    Refused(
        "bet/not-whole-cents",
        betting,
        bets((0, "main", 0)),
        "Stake 0 on main is not an amount of whole cents above 0 (COM-20)",
    ),
    Refused(
        "bet/not-whole-cents",
        box,
        bets(Bet(0, "main", 1000, (-5,))),
        "Stake -5 on main is not an amount of whole cents above 0 (COM-20)",
    ),
    Refused("bet/none", betting, Deal(), "No main bet is on the table: place one first (COM-50)"),
    Refused(
        "bet/twice",
        betting,
        bets(MAIN, (0, "21+3", 100), (0, "21+3", 200)),
        "Two equal bets 21+3 on hand 1: name each bet once, with its whole stake (COM-50)",
    ),
    Refused(
        "funds/insufficient",
        lambda: betting(purse=1500),
        bets(MAIN, (1, "main", 501)),
        "The balance 15.00 does not cover 15.01: add money first (COM-24)",
    ),
    Refused(
        "funds/insufficient",
        lambda: dealt(purse=1999),
        Double(0),
        "The balance 9.99 does not cover 10.00: add money first (COM-24)",
    ),
    Refused(
        "funds/insufficient",
        lambda: dealt(cards="10 A 9 8", purse=1499),
        Insure(ADA, True, 0),
        "The balance 4.99 does not cover 5.00: add money first (COM-24)",
    ),
    Refused(
        "limit/loss",
        lambda: bounded(1500),
        Double(0),
        "Your daily loss limit leaves 5.00 for this round: 10.00 is too much (ASR-41)",
    ),
    Refused(
        "funds/not-positive",
        betting,
        AddMoney(ADA, -300),
        "-300 is not an amount of whole cents above 0 (LNK-09)",
    ),
    # Kinds and places
    Refused(
        "bet/no-such-spot",
        betting,
        bets((5, "main", 1000)),
        "You cannot bet on hand 6 here: the numbers are 1 to 5 (COM-50)",
    ),
    Refused(
        "bet/no-such-spot",
        betting,
        bets((-1, "main", 1000)),
        "You cannot bet on the dealer here: the numbers are 1 to 5 (COM-50)",
    ),
    Refused(
        "bet/no-such-spot",
        seats,
        AllowBehind(7, True),
        "You cannot bet on seat 8 here: the numbers are 1 to 7 (COM-50)",
    ),
    Refused(
        "bet/no-such-bet",
        lambda: betting(options=TableOptions(side_bets_off=("21+3",))),
        bets(MAIN, (0, "21+3", 100)),
        "This table has no bet '21+3': it has main, player-pair, dealer-pair (SB-08)",
    ),
    Refused(
        "bet/no-such-bet",
        seats,
        bets((0, "main", 500), (0, "top-3", 100)),
        "This table has no bet 'top-3': it has main, behind, player-pair, 21+3 (SB-08)",
    ),
    Refused(
        "bet/no-such-bet",
        betting,
        bets((0, "behind", 500)),
        "This table has no bet 'behind': it has main, player-pair, 21+3, dealer-pair (SB-08)",
    ),
    Refused(
        "bet/no-main-bet",
        betting,
        bets(MAIN, (1, "player-pair", 100)),
        "The bet player-pair on hand 2 needs a main bet there first (SB-08)",
    ),
    Refused(
        "bet/needs-any-main-bet",
        betting,
        bets((-1, "dealer-pair", 100)),
        "The bet dealer-pair needs a main bet first (SB-08)",
    ),
    Refused(
        "bet/beside-dealer",
        betting,
        bets(MAIN, (0, "dealer-pair", 100)),
        "There is one bet dealer-pair for the whole round: place it beside the dealer (SB-02)",
    ),
    Refused(
        "bet/seat-taken",
        seats,
        bets((1, "main", 500)),
        "Another player plays seat 2: bet behind it instead (FRB-40)",
    ),
    Refused(
        "bet/behind-own-seat",
        seats,
        bets((0, "main", 500), (0, "behind", 500)),
        "Seat 1 is your own: you cannot bet behind your own seat (FRB-40)",
    ),
    Refused(
        "bet/behind-forbidden",
        seats,
        bets((2, "behind", 500)),
        "The player of seat 3 does not allow bets behind (FRB-43)",
    ),
    Refused("behind/no-seats", betting, AllowBehind(0, True), "This game has no bets behind (FRB-43)"),
    # Golden chips
    Refused(
        "bet/no-golden",
        lambda: betting(golden={ADA: {500: 1}}),
        bets(Bet(0, "main", 500, (500,))),
        "Golden chips can be placed only on main and side bets of a Majority table (MAJ-57)",
    ),
    Refused(
        "golden/not-held",
        box,
        bets(Bet(0, "main", 0, (500, 500, 500))),
        "You do not have 3 golden chips of 5.00: you have 2 (MAJ-50)",
    ),
    Refused(
        "golden/no-mixing",
        lambda: box(mixing=False),
        bets(Bet(0, "main", 1000, (500,))),
        "Golden and ordinary chips may not be mixed on one spot at this table (MAJ-52)",
    ),
    Refused(
        "golden/over-cap",
        lambda: box(cap=1),
        bets(Bet(0, "main", 0, (500, 500))),
        "2 golden chips is too many: this table allows 1 in a round (MAJ-51)",
    ),
    # People and time
    Refused(
        "player/unknown",
        betting,
        bets(MAIN, player=EVE),
        "'eve' has brought no money to this table (COM-27)",
    ),
    Refused(
        "player/solo", betting, Join(EVE, 500), "A solo table has one player: nobody else can join (COM-11)"
    ),
    Refused(
        "player/bad-purse",
        box,
        Join("eve lyn", 500),
        "A player cannot join like this: 'eve lyn' is no player's name: write one word of printable characters"
        " (COM-20)",
    ),
    Refused(
        "player/has-bets",
        box,
        Join(ADA, 500),
        "'ada' has bets on the table: take them back first (COM-27)",
    ),
    Refused("command/unknown", betting, NOT_TYPED, "'12' is not a command of a round (COM-53)"),
    Refused("round/not-betting", dealt, bets(MAIN), "Bets are closed: the round is being played (COM-09)"),
    Refused("round/not-betting", dealt, Deal(), "Bets are closed: the round is being played (COM-09)"),
    Refused("round/over", over, bets(MAIN), "The round is over (COM-09)"),
    Refused("round/over", over, Deal(), "The round is over (COM-09)"),
    Refused("round/over", over, Hit(0), "The round is over (COM-09)"),
    Refused("round/over", over, AddMoney(ADA, 100), "The round is over (COM-09)"),
    Refused("round/over", over, Void("again"), "The round is over (COM-09)"),
    Refused(
        "round/over", lambda: seats().do("void power"), AllowBehind(0, True), "The round is over (COM-09)"
    ),
    Refused(
        "round/bad-reason",
        dealt,
        Void(" power"),
        "The reason of a void is one line of text without blanks around it, not ' power' (PLT-32)",
    ),
    Refused(
        "round/not-dealt",
        betting,
        Stand(0),
        "The cards are not dealt yet: place bets and deal (COM-09)",
    ),
    Refused("round/offers-open", two_offers, Hit(0), "Answer the open offers first (COM-09)"),
    Refused("round/bonus-open", bonus, Stand(1), "Play the bonus first (hand 1) (LNK-20)"),
    Refused("turn/not-yours", dealt, Hit(3, 1), "It is the turn of hand 1, not of hand 4, part 2 (COM-10)"),
    Refused(
        "consent/closed",
        dealt,
        Consent(ADA, double=True, split=True),
        "The answer you gave before betting closed holds for this round (MAJ-12)",
    ),
    # Actions
    Refused(
        "action/not-legal",
        dealt,
        Split(0),
        "“split” is not possible now on hand 1: choose stand, hit, double, surrender (COM-53)",
    ),
    Refused(
        "action/not-legal",
        lambda: dealt("freebet"),
        Surrender(0),
        "“surrender” is not possible now on seat 1: choose stand, hit, double (COM-53)",
    ),
    Refused(
        "action/not-legal",
        lambda: box().deal(),
        Vote(0, player=ADA, action="split"),
        "“split” is not possible now on box 1: choose stand, hit, double (COM-53)",
    ),
    Refused(
        "cashback/stale",
        lambda: dealt("cashback"),
        Cashback(0, price=890),
        "The price is 8.91 now, not 8.90 (CSH-15)",
    ),
    Refused(
        "cashback/stale",
        lambda: dealt("cashback"),
        Cashback(0, price=NOT_TYPED),
        "The price is 8.91 now, not 12 (CSH-15)",
    ),
    # Offers
    Refused(
        "offer/none",
        dealt,
        Insure(ADA, True),
        "There is no open offer of that kind for this hand (COM-30)",
    ),
    Refused(
        "offer/none",
        two_offers,
        EvenMoney(0, True),
        "There is no open offer of that kind for this hand (COM-30)",
    ),
    Refused(
        "offer/none",
        two_offers,
        CloseOffers(),
        "There is no open offer of that kind for this hand (COM-30)",
    ),
    Refused(
        "offer/not-now", two_offers, Insure(ADA, True, 1), "Answer the open offer first (hand 1) (COM-32)"
    ),
    Refused(
        "offer/one-answer",
        lambda: box("A").deal(),
        Insure(ADA, True, 0),
        "One answer holds for both boxes: name no box (MAJ-09)",
    ),
    Refused(
        "offer/no-switch",
        seats,
        Deal(insurance=False),
        "The insurance offer can be switched off only when you play solo (SUR-06)",
    ),
    # The bonus
    Refused("bonus/none", bonus, Spin(1), "No bonus is being played on hand 2 (LNK-20)"),
    Refused("bonus/none", bonus, Continue(1), "No bonus is being played on hand 2 (LNK-20)"),
    Refused(
        "bonus/press-continue",
        lambda: bonus().do("0 spin"),
        Spin(0),
        "Press CONTINUE to enter the bonus table (LNK-26)",
    ),
    Refused("bonus/press-spin", bonus, Continue(0), "The next step of the bonus is SPIN (LNK-27)"),
    # A person deals
    Refused(
        "round/card-due", lambda: by_hand("10s"), Hit(0), "The dealer is dealing: wait for the card (STU-02)"
    ),
    Refused(
        "round/not-to-pay",
        lambda: by_hand("10s"),
        Pay(),
        "The round cannot be paid yet: the cards come first (STU-02)",
    ),
    Refused("card/by-house", betting, Scan(0), "The house deals at this table: no card is read (STU-01)"),
    Refused(
        "card/not-due",
        lambda: by_hand("10s 7s 9s 5h"),
        Scan(0),
        "No card is due: put it aside and call the supervisor (STU-07)",
    ),
    Refused(
        "card/not-in-shoe",
        lambda: ByHand("freebet", shoe=HandShoe(8, [8, *[0] * 51])).bet(0),
        Scan(0),
        "This card was dealt as often as 8 decks can hold: call the supervisor (STU-07)",
    ),
    Refused(
        "card/not-the-hole",
        turning,
        Scan(0),
        "The turned card is not the one that was dealt face down: call the supervisor (STU-06)",
    ),
    Refused(
        "shoe/cut-seen",
        lambda: by_hand("10s", ShowCutCard()),
        ShowCutCard(),
        "The cut card of this shoe was shown already (COM-12)",
    ),
    # Votes
    Refused(
        "vote/none",
        lambda: box().deal(),
        Vote(1, 0, player=ADA, action="hit"),
        "No vote is open on box 2 (MAJ-20)",
    ),
    Refused(
        "vote/no-stake",
        lambda: box().deal(),
        Vote(0, player=EVE, action="hit"),
        "Only players with a stake on box 1 can vote on it (MAJ-22)",
    ),
    Refused(
        "vote/final",
        lambda: box().deal("0.0 vote hit @ada"),
        Vote(0, player=ADA, action="stand"),
        "You have already voted hit: a vote is final (MAJ-22)",
    ),
]


@pytest.mark.parametrize("refused", REFUSED, ids=lambda refused: f"{refused.code} {refused.command}")
def test_a_refusal_says_what_why_and_what_is_possible(refused: Refused) -> None:
    table = refused.scene()
    with pytest.raises(Refusal) as error:
        table.round.apply(refused.command)
    assert error.value.code == refused.code
    assert str(error.value) == refused.sentence


def test_every_code_has_its_scene() -> None:
    assert {refused.code for refused in REFUSED} == {code for code, entry in REFUSALS.items() if entry.rule}


def test_a_refusal_keeps_its_code_and_params_for_a_log() -> None:
    error = Refusal("bet/no-such-spot", spot=5, last=4)
    assert repr(error) == "Refusal('bet/no-such-spot', {'spot': 5, 'last': 4})"
    assert (error.code, error.params, error.rule) == (
        "bet/no-such-spot",
        {"spot": 5, "last": 4},
        "COM-50",
    )


@pytest.mark.parametrize("reason", ["", " ", "power ", "\tpower", "two\nlines", "\x1b[2J"])
def test_a_void_gives_its_reason_in_one_line(reason: str) -> None:
    table = dealt()
    with pytest.raises(Refusal) as error:
        table.round.apply(Void(reason))
    assert str(error.value) == (
        f"The reason of a void is one line of text without blanks around it, not {reason!r} (PLT-32)"
    )
    assert table.round.phase == "decisions"


@pytest.mark.parametrize("reason", ["power", "a second card fell from the shoe"])
def test_a_void_tells_its_reason(reason: str) -> None:
    assert dealt().round.apply(Void(reason))[-1] == RoundVoided(reason)


# How a sentence prints what it is about


@pytest.mark.parametrize(
    ("sentence", "value", "text"),
    [
        ("{it:money}", 1250, "12.50"),
        ("{it:money}", -123_456, "-1,234.56"),
        ("{it:money}", "much", "much"),
        ("{it:money}", None, "None"),
        ("{it}", 1250, "1250"),
        ("{it!r}", "top-3", "'top-3'"),
        ("{it:>6}", "main", "  main"),
        ("{it:place}", -1, "the dealer"),
        ("{it:hand}", "none", "no hand"),
        ("{it:kind}", "main, 21+3", "main, 21+3"),
        ("{it:minute}", 1, "1 minute"),
        ("{it:minute}", 2, "2 minutes"),
        ("{it:number}", 0, "1"),
        ("{it:place}", 0, "hand 1"),
        ("{it:hand}", "1.0", "hand 2"),
        ("{it:hand}", "1.x", "no hand"),
    ],
)
def test_a_sentence_prints_a_param_by_its_kind(sentence: str, value: object, text: str) -> None:
    assert SentenceFormatter(ENGLISH).format(sentence, it=value) == text


def test_names_and_places_are_the_games_own() -> None:
    words = {
        "kind.main": "main bet",
        "kind.21+3": "three cards",
        "kind.majority.21+3": "poker",
        "kind.majority-us.21+3": "three card poker",
    }
    for game, name in (("", "three cards"), ("majority-eu", "poker"), ("majority-us", "three card poker")):
        told = SentenceFormatter(ENGLISH | words, game).format("{it:kind}", it="main, 21+3, top-3")
        assert told == f"main bet, {name}, top-3"
    assert SentenceFormatter(ENGLISH, "majority-eu").format("{it:hand}", it="0.1") == "box 1, part 2"
