"""Records: a round as text, played again to the cent (PLT-22), and no change to it that goes unseen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from itertools import count
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import AnyCommand, PlaceBets
from sabot.engine.events import BonusStarted
from sabot.engine.inputs import ENGINE
from sabot.fairness import SeededShoe, SeedStream, commitment
from sabot.games import Rules, TableOptions, find
from sabot.games.options import GoldenOptions
from sabot.record import (
    Record,
    RecordError,
    Seeds,
    dumps,
    loads,
    replay,
    write,
)
from sabot.record.notation import parse_command
from sabot.record.record import BetPart, HandPart, PaidPart, PursePart
from tests.support.players import GAMES, RandomTable
from tests.support.table import Draws, cards_of, fixed_price

BetRow = tuple[str, int, str, int] | tuple[str, int, str, int, tuple[int, ...]]


def played(
    game: str,
    cards: str,
    bets: Sequence[BetRow],
    *commands: str,
    purses: dict[str, int] | None = None,
    golden: dict[str, dict[int, int]] | None = None,
    options: TableOptions | None = None,
    rules: Rules | None = None,
    draws: Sequence[int] = (),
    worth: int = 400_000_000,
) -> Round:
    """A round over stacked cards, played by commands in record notation; bets are (player, spot, kind, stake, chips)."""
    round = Round(
        rules or find(game).rules,
        StackedShoe(cards_of(cards)),
        purses=purses or {"ada": 100_000},
        golden=golden,
        options=options or find(game).options,
        price=fixed_price(worth),
        draw=Draws(list(draws)),
    )
    for player in dict.fromkeys(row[0] for row in bets):
        placed = tuple(Bet(*row[1:]) for row in bets if row[0] == player)
        round.apply(PlaceBets(player, placed))
    for command in commands:
        round.apply(parse_command(command))
    return round


def balances(round: Round) -> dict[str, int]:
    return {player: purse.money for player, purse in round.book.purses.items()}


def chips(round: Round) -> dict[str, dict[int, int]]:
    return {
        player: {value: count for value, count in purse.golden.items() if count}
        for player, purse in round.book.purses.items()
    }


def survives(round: Round, seeds: Seeds | None = None, rules: Rules | None = None) -> Record:
    """The round goes through text and is played again: the same money, the same chips, the same events."""
    record = write(round, "251115-101500-A7QX", seeds)
    text = dumps(record)
    assert loads(text) == record
    assert dumps(loads(text)) == text
    again = replay(loads(text), rules)
    assert balances(again) == balances(round)
    assert chips(again) == chips(round)
    assert again.log[-1] == round.log[-1]
    return record


# Rounds of every shape, worked out by hand

MAIN = [("ada", 0, "main", 1000)]
X25, LINK = 770, 875

SHAPES: dict[str, tuple[Callable[[], Round], dict[str, int]]] = {
    # 8-8 split; 8-3-10 doubled wins 2 x 1000, 8-8 stands and wins: the dealer is bust.
    "splits and doubles": (
        partial(
            played, "surrender", "8 6 8 10 3 8 10 K", MAIN, "deal", "0.0 split", "0.0 double", "0.1 stand"
        ),
        {"ada": 103_000},
    ),
    # insurance 500 pays 1000, the main stake is lost; spot 1 refuses and loses.
    "insurance": (
        partial(
            played,
            "surrender",
            "10 10 A 8 8 K",
            [*MAIN, ("ada", 1, "main", 600)],
            "deal",
            "0 insure yes @ada",
            "1 insure no @ada",
        ),
        {"ada": 100_000 - 1000 - 500 + 1500 - 600},
    ),
    "surrender": (partial(played, "surrender", "10 9 6 10", MAIN, "deal", "0.0 surrender"), {"ada": 99_500}),
    "insurance switched off": (
        partial(played, "surrender", "10 A 8 K", MAIN, "deal no-insurance"),
        {"ada": 99_000},
    ),
    # 0.4 of 10.00 less 1 %: 3.96; then spot 1 stands on 19 and pushes.
    "cashback": (
        partial(
            played,
            "cashback",
            "10 10 9 6 9 10",
            [*MAIN, ("ada", 1, "main", 1000)],
            "deal",
            "0.0 cashback 396",
            "1.0 stand",
        ),
        {"ada": 99_396},
    ),
    # even money 10.00, X25 on 2.00 is 50.00
    "cash bonus": (
        partial(
            played,
            "link",
            "A A K Q",
            [*MAIN, ("ada", 0, "link", 200)],
            "deal",
            "0 even-money yes",
            "0 spin",
            draws=[X25],
        ),
        {"ada": 106_000},
    ),
    # Link table: 1 + 2 + 50 on cells 0 1 2, then 15 on cell 17, then nothing: 68:1 on 1.00; the blackjack 15.00
    "link table": (
        partial(
            played,
            "link",
            "A 9 K 8",
            [*MAIN, ("ada", 0, "link", 100)],
            "deal",
            "0 spin",
            "0 continue",
            *["0 spin"] * 4,
            draws=[LINK, 0, 0, 0, 0, 0, 0, 100, 0, 299, *[0] * 14, 4990, *[0] * 14 * 3],
        ),
        {"ada": 100_000 + 6_800 + 1_500},
    ),
    # 3:2 on 10.00 would be 15.00, a perfect pair 25:1; at most 20.00 is won in the round: 15.00 and 5.00
    "maximum win": (
        partial(
            played,
            "link",
            "A 7h 9 K 7h 8",
            [*MAIN, ("ada", 1, "main", 1000), ("ada", 1, "player-pair", 100)],
            "deal",
            "1.0 stand",
            options=TableOptions(max_win=2000),
        ),
        {"ada": 100_000 + 2000 - 1000},
    ),
    # 5 brought first, 995 more for the double
    "added money": (
        partial(
            played,
            "link",
            "5 9 6 8 10",
            MAIN,
            "deal",
            "add-money 995 @ada",
            "0.0 double",
            purses={"ada": 1005},
        ),
        {"ada": 4000},
    ),
    "void": (
        partial(
            played,
            "link",
            "A 9 9 K 8 8",
            [*MAIN, ("ada", 1, "main", 700)],
            "deal",
            "void the lights went out",
        ),
        {"ada": 100_000},
    ),
    "void after a bonus": (
        partial(
            played,
            "link",
            "A 9 9 K 8 8",
            [*MAIN, ("ada", 0, "link", 200), ("ada", 1, "main", 700)],
            "deal",
            "0 spin",
            "void lightning",
            draws=[X25],
        ),
        {"ada": 100_000},
    ),
    "an empty shoe": (partial(played, "surrender", "10 9 6", MAIN, "deal"), {"ada": 100_000}),
    # ada's free double on 11: 9-2-10 = 21 wins 2000; bob behind follows without being asked: it is free.
    "free bets and bets behind": (
        partial(
            played,
            "freebet",
            "9 9 2 10 10",
            [("ada", 0, "main", 1000), ("bob", 0, "behind", 500)],
            "deal",
            "0.0 double",
            purses={"ada": 5000, "bob": 5000},
        ),
        {"ada": 7000, "bob": 6000},
    ),
    # A paid split of tens: bob behind has consented and follows, cy has not and keeps the right hand: 10-9 and 10-7
    # against 18.
    "following a split": (
        partial(
            played,
            "freebet",
            "10 9 J 9 9 7",
            [("ada", 0, "main", 1000), ("bob", 0, "behind", 500), ("cy", 0, "behind", 300)],
            "consent double split @bob",
            "consent none @cy",
            "deal",
            "0.0 split",
            "0.0 stand",
            "0.1 stand",
            purses={"ada": 5000, "bob": 5000, "cy": 5000},
        ),
        {"ada": 5000, "bob": 5000, "cy": 5300},
    ),
    # Below the minimum of 1.00: bob's stake goes back when betting closes.
    "a stake too small": (
        partial(
            played,
            "freebet",
            "10 9 9 8",
            [("ada", 0, "main", 1000), ("bob", 1, "main", 50)],
            "deal",
            "0.0 stand",
            purses={"ada": 5000, "bob": 5000},
        ),
        {"ada": 6000, "bob": 5000},
    ),
    # Three on box 0 vote hit, stand, hit; 10-6-5 = 21 wins against 9-10.
    "votes": (
        partial(
            played,
            "majority-us",
            "10 9 6 10 5",
            [(player, 0, "main", 1000) for player in ("ada", "bob", "cy")],
            "deal",
            "0.0 vote hit @ada",
            "0.0 vote stand @bob",
            "0.0 vote hit @cy",
            "0.0 hit",
            purses={"ada": 1000, "bob": 2000, "cy": 3000},
        ),
        {"ada": 2000, "bob": 3000, "cy": 4000},
    ),
    # 5.00 golden and 5.00 own: the win of 10.00 is money, the golden chip is gone; bob's 17 loses his.
    "golden chips": (
        partial(
            played,
            "majority-eu",
            "10 10 9 9 7 9",
            [("ada", 0, "main", 500, (500,)), ("bob", 1, "main", 0, (200, 200))],
            "deal",
            "0.0 stand",
            "1.0 stand",
            purses={"ada": 1000, "bob": 1000},
            golden={"ada": {500: 2}, "bob": {200: 3}},
            options=TableOptions(golden=GoldenOptions(cap=3)),
        ),
        {"ada": 1000 - 500 + 1500, "bob": 1000},
    ),
    "a burnt card": (
        partial(
            played,
            "majority-us",
            "Ks 10 9 9 8",
            MAIN,
            "deal",
            "0.0 stand",
            options=TableOptions(burn=True),
        ),
        {"ada": 101_000},
    ),
    "side bets": (
        partial(
            played,
            "majority-eu",
            "7h 7h 7h 10 K",
            [
                *MAIN,
                *(
                    ("ada", 0, kind, 100)
                    for kind in ("21+3", "top-3", "lucky-lucky", "player-pair", "buster")
                ),
            ],
            "deal",
            "0.0 stand",
        ),
        # 14 beats 7-10 never: lost; 100, 270, 200 and 25 to 1; the dealer stands on 17 and buster is lost
        {"ada": 100_000 - 1000 + 10_000 + 27_000 + 20_000 + 2_500 - 100},
    ),
    "classic six": (partial(played, "classic-6", "A 9 K 8", MAIN, "deal"), {"ada": 101_500}),
    "classic eight": (partial(played, "classic-8", "10 9 9 10", MAIN, "deal", "0.0 stand"), {"ada": 100_000}),
}


@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize("shape", SHAPES)
def test_a_round_replays_to_the_cent(shape: str) -> None:
    play, expected = SHAPES[shape]
    round = play()
    assert balances(round) == expected
    survives(round)


def test_the_shapes_are_of_every_game() -> None:
    assert {play().rules.name for play, _ in SHAPES.values()} == set(GAMES)


@pytest.mark.rule("PLT-22")
def test_a_round_voided_before_the_deal_replays() -> None:
    """No card was dealt, so the record has none: it is still a record of a given order."""
    survives(played("surrender", "10 9 6 10", MAIN, "void the lights went out"))


@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=40)
@given(seed=st.integers(0, 2**32))
def test_any_round_replays_to_the_cent(game: str, seed: int) -> None:
    table = RandomTable(game, Random(seed))
    for _ in table.play():
        pass
    survives(table.round, rules=table.rules)


# From seeds

SERVER_SEED = bytes(range(32))


def seeded(game: str, client_seed: str, skip: int = 0) -> Round:
    """A round dealt from seeds, from a fresh shoe or from the middle of one."""
    rules = find(game).rules
    shoe = SeededShoe(rules.decks, SeedStream(SERVER_SEED, client_seed, "shoe"))
    for _ in range(skip):
        shoe.draw()
    return Round(
        rules,
        shoe,
        purses={"ada": 1_000_000},
        options=find(game).options,
        price=fixed_price(400_000_000),
        draw=SeedStream(SERVER_SEED, client_seed, "bonus").below,
    )


def play_on(round: Round, rng: Random) -> Round:
    """Main and side bets on every spot, then any legal move until the end."""
    sides = [bet.name for bet in round.rules.side_bets if not bet.once]
    bets = [Bet(spot, kind, 500) for spot in range(round.rules.spots) for kind in ("main", *sides)]
    round.apply(PlaceBets("ada", tuple(bets)))
    round.apply(parse_command("deal"))
    while not round.over:
        moves: Sequence[AnyCommand] = round.legal()
        round.apply(rng.choice(moves))
    return round


@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", range(6))
def test_a_round_from_seeds_replays_to_the_cent(game: str, number: int) -> None:
    client_seed = f"client {number}"
    live = find(game).live
    round = play_on(seeded(game, client_seed, skip=60 * number % 200 if live else 0), Random(number))
    record = survives(round, Seeds(SERVER_SEED, client_seed))
    assert record.shoe.cards == ""
    assert (record.shoe.seed, record.shoe.commitment) == (SERVER_SEED.hex(), commitment(SERVER_SEED))
    assert record.draws == ()


@pytest.mark.rule("PLT-22")
def test_a_bonus_from_seeds_is_drawn_again() -> None:
    """The draws are not written down: they come from the seeds, apart from the shoe's."""
    for number in count():
        round = play_on(seeded("link", f"bonus {number}"), Random(number))
        if any(isinstance(event, BonusStarted) for event in round.log):
            break
    assert round.tape.draws
    survives(round, Seeds(SERVER_SEED, f"bonus {number}"))


def test_a_given_order_says_so() -> None:
    record = write(SHAPES["surrender"][0](), "CODE")
    assert record.shoe.cards == "10s 9s 6s 10h"
    assert (record.shoe.seed, record.shoe.commitment, record.shoe.client_seed) == ("", "", "")


# Writing and reading


def test_the_text_of_a_record() -> None:
    round = played("surrender", "10s 9h 6d Kc", MAIN, "deal", "0.0 surrender", purses={"ada": 1000})
    record = write(round, "251115-101500-A7QX")
    before, _, rest = dumps(record).partition("[options]")
    assert (
        before + rest.partition("\n\n")[2]
        == f"""\
sha256 = "{record.sha256}"
commands = ["deal", "0.0 surrender"]

[round]
code = "251115-101500-A7QX"
game = "surrender"
rules_sha256 = "{find("surrender").rules.sha256}"
engine = {ENGINE}
end = "settled"

[shoe]
cards = "10s 9h 6d Kc"

[[purse]]
player = "ada"
money = 1000

[[bet]]
player = "ada"
spot = 0
kind = "main"
stake = 1000

[[hand]]
spot = 0
hand = 0
cards = "10s 6d"
ended = "surrendered"

[[hand]]
spot = -1
hand = 0
cards = "9h Kc"
ended = ""

[[paid]]
player = "ada"
spot = 0
hand = 0
why = "initial"
stake = 1000
result = "half"
paid = 500
"""
    )


@pytest.mark.rule("MAJ-06")
def test_a_dealer_that_buster_does_not_keep_drawing_is_replayed_so() -> None:
    bets = [("ada", 0, "main", 1_000), ("ada", 0, "buster", 100)]
    options = TableOptions(buster_keeps_dealer=False)
    round = played("majority-eu", "10s 6s 6h Kd", bets, "deal", "0.0 hit", options=options)
    record = loads(dumps(write(round, "251115-101500-A7QY")))
    assert record.options == options
    assert replay(record).balance("ada") == round.balance("ada")


@given(code=st.text(st.characters(codec="utf-8")), reason=st.text(st.characters(codec="utf-8")))
def test_any_text_in_it_is_read_back(code: str, reason: str) -> None:
    record = write(SHAPES["void"][0](), code)
    record = replace(record, commands=(*record.commands[:-1], f"void {reason}")).sealed()
    assert loads(dumps(record)) == record


def test_a_round_that_is_not_over_has_no_record() -> None:
    with pytest.raises(ValueError, match="round CODE is not over"):
        write(played("surrender", "10 9 6 10", MAIN, "deal"), "CODE")


def test_a_void_round_paid_nothing() -> None:
    assert write(SHAPES["void after a bonus"][0](), "CODE").paid == ()


def test_a_cut_win_is_a_line_of_its_own() -> None:
    paid = write(SHAPES["maximum win"][0](), "CODE").paid
    assert [(line.why, line.result, line.paid) for line in paid] == [
        ("initial", "blackjack", 2500),
        ("initial", "lose", 0),
        ("player-pair", "win", 2600),
        ("max-win", "capped", -2000),
    ]


@pytest.mark.rule("PLT-22")
def test_other_rules_are_replayed_by_those_rules_only() -> None:
    """A round of rules outside the catalogue replays with them, and with no others."""
    rules = replace(find("classic-6").rules, blackjack_pays=(6, 5))
    record = write(played("classic-6", "A 9 K 8", MAIN, "deal", rules=rules), "CODE")
    assert replay(record, rules).balance("ada") == 101_200
    with pytest.raises(RecordError) as refusal:
        replay(record)
    assert refusal.value.place == "round.rules_sha256"


@pytest.mark.rule("PLT-22")
def test_rules_that_are_not_the_records_are_refused() -> None:
    """A loss is a loss under many rules: the hash, not the result, says which were played."""
    record = write(played("classic-6", "10 9 6 10", MAIN, "deal", "0.0 stand"), "CODE")
    with pytest.raises(RecordError) as refusal:
        replay(record, replace(find("classic-6").rules, blackjack_pays=(6, 5)))
    assert refusal.value.place == "round.rules_sha256"


# Tampering

Edit = Callable[[Record], Record]


def part(name: str, **values: object) -> Edit:
    """Other values in a table of the record."""
    return lambda record: replace(record, **{name: replace(getattr(record, name), **values)})


def row(name: str, at: int, **values: object) -> Edit:
    """Other values in one row of a list of tables."""

    def edit(record: Record) -> Record:
        rows = list(getattr(record, name))
        rows[at] = replace(rows[at], **values)
        return replace(record, **{name: tuple(rows)})

    return edit


def items(name: str, at: int, *put: Any, cut: int = 0) -> Edit:
    """Other items in a list: from `at` on, `cut` of them leave and these come in."""

    def edit(record: Record) -> Record:
        old = getattr(record, name)
        assert at + cut <= len(old)
        return replace(record, **{name: (*old[:at], *put, *old[at + cut :])})

    return edit


SPLIT = "splits and doubles"  # cards 8 6 8 10 3 8 10 K; commands deal, 0.0 split, 0.0 double, 0.1 stand

#: What is changed in which shape, and the place that is named although the record is sealed anew.
TAMPERED: list[tuple[str, Edit, str]] = [
    # payments
    (SPLIT, row("paid", 0, paid=2001), "paid[0].paid"),
    (SPLIT, row("paid", 2, paid=1999), "paid[2].paid"),
    (SPLIT, row("paid", 1, result="push"), "paid[1].result"),
    (SPLIT, row("paid", 1, stake=999), "paid[1].stake"),
    (SPLIT, row("paid", 0, player="bob"), "paid[0].player"),
    (SPLIT, row("paid", 0, spot=1), "paid[0].spot"),
    (SPLIT, row("paid", 0, hand=1), "paid[0].hand"),
    (SPLIT, row("paid", 0, why="insurance"), "paid[0].why"),
    (SPLIT, row("paid", 0, golden_back=(500,)), "paid[0].golden_back"),
    (SPLIT, items("paid", 2, cut=1), "paid[2]"),
    (SPLIT, items("paid", 3, PaidPart("ada", 0, 0, "21+3", 100, "win", 600)), "paid[3]"),
    ("maximum win", items("paid", 3, cut=1), "paid[3]"),
    ("maximum win", row("paid", 3, paid=-1999), "paid[3].paid"),
    ("void", items("paid", 0, PaidPart("ada", 0, 0, "initial", 1000, "win", 2000)), "paid[0]"),
    # hands
    (SPLIT, row("hand", 0, cards="8s 3s 9h"), "hand[0].cards"),
    (SPLIT, row("hand", 1, ended="bust"), "hand[1].ended"),
    (SPLIT, row("hand", 2, cards="6s 10s Kh"), "hand[2].cards"),
    (SPLIT, items("hand", 0, cut=1), "hand[0].hand"),
    (SPLIT, items("hand", 3, HandPart(1, 0, "", "")), "hand[3]"),
    # cards
    (SPLIT, part("shoe", cards="8s 6s 8h 10s 3s 8d 10h Qs"), "hand[2].cards"),
    (SPLIT, part("shoe", cards="9s 6s 8h 10s 3s 8d 10h Ks"), "commands[1] '0.0 split'"),
    (SPLIT, part("shoe", cards="8s 6s 8h 10s 3s 8d 10h Ks 2s"), "shoe.cards[8]"),
    (SPLIT, part("shoe", cards="8s 6s 8h 10s 3s 8d 10h"), "shoe.cards[7]"),
    (SPLIT, part("shoe", cards="8s 8s 8s 8s 8s 8s 8s"), "shoe.cards[6]"),  # seven from six decks
    (SPLIT, part("round", end="voided"), "round.end"),
    (SPLIT, part("round", end="shoe-empty"), "round.end"),
    ("void", part("round", end="settled"), "round.end"),
    (SPLIT, part("shoe", cards="8s 6s 8h 10s 3s 8d 10h 1s"), "shoe.cards"),
    (SPLIT, part("shoe", cards="8s 6s 8h 10s 3s 8d 10h Ks Zz"), "shoe.cards"),
    # commands
    (SPLIT, items("commands", 2, "0.0 hit", cut=1), "hand[0].ended"),  # 21 all the same, not doubled
    (SPLIT, items("commands", 3, "0.1 hit", cut=1), "shoe.cards[8]"),
    (SPLIT, items("commands", 3, cut=1), "commands"),
    (SPLIT, items("commands", 1, cut=1), "commands[2] '0.1 stand'"),
    (SPLIT, items("commands", 0, cut=1), "commands[0] '0.0 split'"),
    (SPLIT, items("commands", 4, "0.1 hit"), "commands[4] '0.1 hit'"),
    (SPLIT, items("commands", 1, "deal"), "commands[1] 'deal'"),
    (SPLIT, items("commands", 1, "0.1 stand"), "commands[1] '0.1 stand'"),
    (SPLIT, items("commands", 0, "deal no-insurance", "deal", cut=1), "commands[1] 'deal'"),
    (SPLIT, items("commands", 2, "0.0 pray", cut=1), "commands[2] '0.0 pray'"),
    (SPLIT, items("commands", 4, "void it was not my day"), "commands[4] 'void it was not my day'"),
    (SPLIT, items("commands", 3, "void it was not my day", cut=1), "round.end"),
    ("insurance", items("commands", 1, "0 insure no @ada", cut=1), "paid[2]"),
    ("insurance", items("commands", 1, "0 insure yes @bob", cut=1), "commands[1] '0 insure yes @bob'"),
    ("added money", items("commands", 1, "add-money 994 @ada", cut=1), "commands[2] '0.0 double'"),
    ("votes", items("commands", 2, "0.0 vote stand @ada", cut=1), "commands[2] '0.0 vote stand @ada'"),
    ("following a split", items("commands", 0, "consent double @bob", cut=1), "paid[4]"),
    # bets
    (SPLIT, row("bet", 0, stake=1001), "paid[0].stake"),
    (SPLIT, row("bet", 0, stake=99), "bet"),
    (SPLIT, row("bet", 0, stake=-1000), "bet"),
    (SPLIT, row("bet", 0, spot=1), "commands[1] '0.0 split'"),
    (SPLIT, row("bet", 0, spot=5), "bet"),
    (SPLIT, row("bet", 0, kind="21+3"), "bet"),
    (SPLIT, row("bet", 0, player="bob"), "bet"),
    (SPLIT, row("bet", 0, golden=(500,)), "bet"),
    (SPLIT, items("bet", 1, BetPart("ada", 0, "21+3", 100)), "paid[1].hand"),
    (SPLIT, items("bet", 0, cut=1), "commands[0] 'deal'"),
    ("side bets", items("bet", 2, cut=1), "paid[2].why"),
    ("golden chips", row("bet", 0, stake=1000, golden=()), "paid[0].paid"),
    # purses
    (SPLIT, row("purse", 0, money=999), "bet"),
    (SPLIT, row("purse", 0, money=1999), "commands[1] '0.0 split'"),
    (SPLIT, row("purse", 0, money=-1), "purse"),
    (SPLIT, row("purse", 0, player="bob"), "bet"),
    (SPLIT, items("purse", 0, cut=1), "purse"),
    (SPLIT, items("purse", 1, PursePart("bob", 1000)), "purse"),
    ("golden chips", row("purse", 0, golden=()), "bet"),
    # prices
    ("cashback", items("prices", 0, 402_000_000, cut=1), "commands[1] '0.0 cashback 396'"),
    ("cashback", items("prices", 1, cut=1), "prices[1]"),
    ("cashback", items("prices", 2, 400_000_000), "prices[2]"),
    ("cashback", items("commands", 1, "0.0 cashback 397", cut=1), "commands[1] '0.0 cashback 397'"),
    # draws
    ("cash bonus", items("draws", 0, 0, cut=1), "paid[0].paid"),
    ("cash bonus", items("draws", 0, 1000, cut=1), "draws[0]"),
    ("cash bonus", items("draws", 0, -1, cut=1), "draws[0]"),
    ("cash bonus", items("draws", 0, cut=1), "draws[0]"),
    ("cash bonus", items("draws", 1, 0), "draws[1]"),
    ("link table", items("draws", 24, 4999, cut=1), "paid[0].paid"),  # 50X instead of 15X on cell 17
    # a given order has no commitment
    (SPLIT, part("shoe", commitment=commitment(bytes(32))), "shoe.cards"),
    # the round
    (SPLIT, part("round", rules_sha256="0" * 64), "round.rules_sha256"),
    (SPLIT, part("round", game="classic-6"), "round.rules_sha256"),
    (SPLIT, part("round", game="poker"), "round.game"),
    (SPLIT, part("round", engine=ENGINE + 1), "round.engine"),
    (SPLIT, part("round", engine=0), "round.engine"),
    # options
    ("maximum win", part("options", max_win=2001), "paid[3].paid"),
    ("maximum win", part("options", max_win=None), "paid[3]"),
    ("cashback", part("options", cashback_margin=0), "commands[1] '0.0 cashback 396'"),
    ("votes", part("options", vote_threshold=4), "commands[1] '0.0 vote hit @ada'"),
    ("a burnt card", part("options", burn=False), "shoe.cards[4]"),
    ("a burnt card", part("options", cut=400), "options"),
]  # fmt: skip


def refusal_of(record: Record) -> RecordError:
    """What is said of a record that was changed, through its text."""
    with pytest.raises(RecordError) as refusal:
        replay(loads(dumps(record)))
    assert str(refusal.value).startswith(f"{refusal.value.place}: ")
    return refusal.value


def assert_at(refusal: RecordError, place: str) -> None:
    """The refusal names the place, or one inside it."""
    named = refusal.place
    assert named == place or named.startswith((f"{place}.", f"{place}["))


@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize(
    ("shape", "edit", "place"),
    TAMPERED,
    ids=[f"{shape}-{place}-{number}" for number, (shape, _, place) in enumerate(TAMPERED)],
)
def test_a_change_is_refused_at_its_place_even_if_sealed_anew(shape: str, edit: Edit, place: str) -> None:
    record = write(SHAPES[shape][0](), "CODE")
    changed = edit(record)
    assert changed != record
    assert_at(refusal_of(changed.sealed()), place)
    refusal_of(changed)  # and with its old seal all the more


@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize(
    ("shape", "edit"),
    [
        (SPLIT, part("round", code="251115-101500-B000")),
        (SPLIT, row("purse", 0, money=200_000)),
        (SPLIT, row("purse", 0, golden=(500,))),
        (SPLIT, part("options", max_win=10**9)),
        (SPLIT, part("options", cashback_margin=1)),
        (SPLIT, part("shoe", client_seed="mine")),
        ("cashback", items("prices", 0, 400_000_001, cut=1)),  # the same 3.96
        ("cashback", items("prices", 1, 500_000_000, cut=1)),  # an offer not taken
        ("cash bonus", items("draws", 0, 771, cut=1)),  # X25 as well
        ("void", items("commands", 1, "void it was not my day", cut=1)),
        (SPLIT, lambda record: replace(record, sha256="")),
        (SPLIT, lambda record: replace(record, sha256="0" * 64)),
        (SPLIT, lambda record: replace(record, sha256=record.sha256.upper())),
    ],
)
def test_a_change_without_effect_breaks_the_seal(shape: str, edit: Edit) -> None:
    """What no hand and no payment shows, the hash over the whole does."""
    refusal = refusal_of(edit(write(SHAPES[shape][0](), "CODE")))
    assert refusal.place == "sha256"
    assert "changed after it was sealed" in str(refusal)


OTHER_SEED = bytes(32)
SEEDED: list[tuple[dict[str, object], str]] = [
    ({"seed": OTHER_SEED.hex()}, "shoe.commitment"),
    ({"commitment": commitment(OTHER_SEED)}, "shoe.commitment"),
    ({"commitment": ""}, "shoe.commitment"),
    ({"commitment": commitment(SERVER_SEED).upper()}, "shoe.commitment"),
    ({"seed": OTHER_SEED.hex(), "commitment": commitment(OTHER_SEED)}, "commands"),  # other cards: not over
    ({"client_seed": "another"}, "commands"),
    ({"start": 1}, "shoe.start"),  # a solo round starts from a full shoe
    ({"seed": "ab"}, "shoe.seed"),
    ({"seed": "no hex"}, "shoe.seed"),
    ({"seed": ""}, "shoe.seed"),
    ({"client_seed": "a|b"}, "shoe.client_seed"),
    ({"client_seed": "x" * 65}, "shoe.client_seed"),
    ({"start": 400}, "shoe.start"),
    ({"start": -1}, "shoe.start"),
]


@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize(("values", "place"), SEEDED, ids=[str(values)[:60] for values, _ in SEEDED])
def test_another_seed_is_refused(values: dict[str, object], place: str) -> None:
    round = seeded("surrender", "client")
    round.apply(PlaceBets("ada", (Bet(0, "main", 1000),)))
    round.apply(parse_command("deal"))
    while not round.over:
        round.apply(round.legal()[0])
    record = write(round, "CODE", Seeds(SERVER_SEED, "client"))
    changed = part("shoe", **values)(record)
    assert_at(refusal_of(changed.sealed()), place)
    refusal_of(changed)


# Bad text


def text_of(shape: str = SPLIT) -> str:
    return dumps(write(SHAPES[shape][0](), "CODE"))


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('sha256 = "', 'sha512 = "', "text"),
        ("[round]\n", "[round]\nwhen = 1\n", "round"),
        ("[shoe]\n", "[shoe]\nspare = 1\n", "shoe"),
        ("[[purse]]\n", "[[purse]]\nname = 'Ada'\n", "purse[0]"),
        ("[[bet]]\n", "[[bet]]\nnote = 'x'\n", "bet[0]"),
        ("[[hand]]\n", "[[hand]]\nnote = 'x'\n", "hand[0]"),
        ("[[paid]]\n", "[[paid]]\nnote = 'x'\n", "paid[0]"),
        ("[shoe]\n", "[extra]\nx = 1\n\n[shoe]\n", "text"),
    ],
)
def test_an_unknown_key_is_refused(old: str, new: str, place: str) -> None:
    text = text_of()
    assert old in text
    with pytest.raises(RecordError, match="unknown field") as refusal:
        loads(text.replace(old, new, 1))
    assert refusal.value.place == place


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[options]\n", "[options]\ntip = 1\n"),
        ("main = {minimum", "main = {note = 1, minimum"),
        ("golden = {mixing", "golden = {note = 1, mixing"),
    ],
)
def test_an_unknown_option_is_refused(old: str, new: str) -> None:
    """It is not in the seal, so it would pass unseen."""
    text = text_of("maximum win")
    assert old in text
    with pytest.raises(RecordError, match="unknown field"):
        loads(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("stake = 1000", "stake = 1000.0", "bet[0].stake"),
        ("stake = 1000", 'stake = "1000"', "bet[0].stake"),
        ("stake = 1000", "stake = true", "bet[0].stake"),
        ("stake = 1000", "stake = []", "bet[0].stake"),
        ("money = 100000", "money = 1e5", "purse[0].money"),
        ("money = 100000", "money = inf", "purse[0].money"),
        ('code = "CODE"', "code = 1", "round.code"),
        ('code = "CODE"', "code = 2025-11-15", "round.code"),
        (f"engine = {ENGINE}", f'engine = "{ENGINE}"', "round.engine"),
        ('commands = ["deal"', "commands = [1", "commands[0]"),
        ('game = "surrender"\n', "", "round"),
        ("[shoe]\n", "[[shoe]]\n", "shoe"),
        ("[round]\n", "[[round]]\n", "round"),
    ],
)
def test_a_wrong_type_is_refused_by_name(old: str, new: str, place: str) -> None:
    text = text_of()
    assert old in text
    with pytest.raises(RecordError) as refusal:
        loads(text.replace(old, new, 1))
    assert refusal.value.place == place


@pytest.mark.parametrize(
    "text",
    [
        "this is no record",
        "{}",
        '{"round": {}}',
        "[round",
        "commands = [",
        "a = 1\na = 2",
        "\x00",
        "a = " + "[" * 5000 + "]" * 5000,
    ],
    ids=["words", "braces", "json", "header", "list", "twice", "nul", "deep"],
)
def test_what_is_not_toml_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match=r"not TOML|nested too deeply") as refusal:
        loads(text)
    assert refusal.value.place == "text"


@pytest.mark.parametrize("text", ["", "# nothing\n", "commands = []"])
def test_a_text_without_a_round_is_refused(text: str) -> None:
    with pytest.raises(RecordError, match="missing required field `round`"):
        loads(text)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('"0.0 double"', '"add-money ' + "9" * 5000 + ' @ada"'),
        ('"0.0 double"', '""'),
        ('"0.0 double"', '"0.0 double\\n"'),
    ],
    ids=["endless number", "empty", "line end"],
)
def test_a_bad_command_is_refused_at_its_place(old: str, new: str) -> None:
    with pytest.raises(RecordError) as refusal:
        replay(loads(text_of().replace(old, new, 1)))
    assert refusal.value.place.startswith("commands[2] ")


@pytest.mark.rule("PLT-22")
@settings(max_examples=300)
@given(
    shape=st.sampled_from(sorted(SHAPES)),
    where=st.floats(0, 1, exclude_max=True),
    cut=st.integers(0, 3),
    put=st.text('0123456789abcdehs.-_"=[]{}@ \n', max_size=3),
)
@pytest.mark.slow
def test_a_changed_text_is_the_same_record_or_refused(shape: str, where: float, cut: int, put: str) -> None:
    """Whatever is typed over a record: it is refused as a record, or it says what it said before."""
    text = text_of(shape)
    at = int(where * len(text))
    changed = text[:at] + put + text[at + cut :]
    try:
        record = loads(changed)
        replay(record)
    except RecordError:
        return
    assert record == loads(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x" * 4_000_001, "more than 4000000"),
        (".".join("a" * 30_000) + " = 1", "a key has too many parts"),
        ("n = " + "9" * 5_000, "a number is too long"),
    ],
    ids=["long", "dots", "number"],
)
def test_a_text_that_would_take_too_long_is_refused_at_once(text: str, said: str) -> None:
    with pytest.raises(RecordError, match=said):
        loads(text)


@pytest.mark.rule("PLT-22", "COM-12")
def test_a_shoe_that_ran_empty_replays() -> None:
    record = survives(played("surrender", "10 6 10 10", MAIN, "deal", "0.0 stand"))
    assert record.round.end == "shoe-empty"


@pytest.mark.rule("PLT-22", "PLT-32")
def test_bets_of_a_round_voided_before_the_deal_are_written_down() -> None:
    record = survives(played("majority-eu", "10 6 10 10", MAIN, "void no light"))
    assert record.bet == (BetPart("ada", 0, "main", 1000),)
    assert record.round.end == "voided"
