"""Solo rounds through the store: what each command moves, to the cent.

One hand is dealt as: hand, up card, hand, hole card. A stake is 10.00; the player has brought 100.00 to the session.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from sabot.engine import Bet
from sabot.errors import Refusal
from sabot.games.options import TableOptions
from sabot.store.database import Database
from tests.support.ledger import rows
from tests.support.room import BROUGHT, BetWords, Room
from tests.support.shoes import StackedShoes

X25, X50 = 770, 850
MAIN = (0, "main", 1000)
TWO = (MAIN, (1, "main", 1000))
WITH_LINK = (MAIN, (0, "link", 200))
STAKE = ["session 1 > escrow 1000"]

#: A command and what it moves; the first is the deal.
Moves = list[tuple[str, list[str]]]


class Story(NamedTuple):
    """A round: its cards, and each command with its movements."""

    game: str
    cards: str
    bets: tuple[BetWords, ...]
    moves: Moves
    draws: tuple[int, ...] = ()
    options: TableOptions | None = None


STORIES = {
    # 20 against 17: the stake doubles, half of it is the house's.
    "win": Story(
        "surrender",
        "10 9 10 8",
        (MAIN,),
        [("deal", STAKE), ("0.0 stand", ["house > escrow 1000", "escrow > session 1 2000"])],
    ),
    "lose": Story(  # 18 against 19
        "surrender", "10 9 8 10", (MAIN,), [("deal", STAKE), ("0.0 stand", ["escrow > house 1000"])]
    ),
    "push": Story(  # 19 against 19: no house in it
        "surrender", "10 9 9 10", (MAIN,), [("deal", STAKE), ("0.0 stand", ["escrow > session 1 1000"])]
    ),
    # A blackjack pays 3:2 with the deal itself.
    "blackjack": Story(
        "surrender",
        "A 9 K 8",
        (MAIN,),
        [("deal", [*STAKE, "house > escrow 1500", "escrow > session 1 2500"])],
    ),
    # 5 6 10 = 21 against 17: 10.00 more, then 40.00 come.
    "double": Story(
        "surrender",
        "5 9 6 8 10",
        (MAIN,),
        [("deal", STAKE), ("0.0 double", [*STAKE, "house > escrow 2000", "escrow > session 1 4000"])],
    ),
    # 8 8 is split to 8 10 = 18 and 8 9 = 17, against 9 9 = 18: a push and a loss.
    "split": Story(
        "surrender",
        "8 9 8 9 10 9",
        (MAIN,),
        [
            ("deal", STAKE),
            ("0.0 split", STAKE),
            ("0.0 stand", []),
            ("0.1 stand", ["escrow > session 1 1000", "escrow > house 1000"]),
        ],
    ),
    # Half of 10.00 insures; the dealer's blackjack pays it 2:1, 15.00 with its stake, and takes the 10.00.
    # The house gives 10.00 and gets 10.00: nothing moves there.
    "insurance won": Story(
        "surrender",
        "10 A 9 K",
        (MAIN,),
        [("deal", STAKE), ("0 insure yes @1", ["session 1 > escrow 500", "escrow > session 1 1500"])],
    ),
    # The check finds none: 5.00 are lost at once; then 19 against A 8 = 19.
    "insurance lost": Story(
        "surrender",
        "10 A 9 8",
        (MAIN,),
        [
            ("deal", STAKE),
            ("0 insure yes @1", ["session 1 > escrow 500", "escrow > house 500"]),
            ("0.0 stand", ["escrow > session 1 1000"]),
        ],
    ),
    "insurance refused": Story(
        "surrender",
        "10 A 9 8",
        (MAIN,),
        [("deal", STAKE), ("0 insure no @1", []), ("0.0 stand", ["escrow > session 1 1000"])],
    ),
    "even money": Story(
        "link",
        "A A K 9",
        (MAIN,),
        [("deal", STAKE), ("0 even-money yes", ["house > escrow 1000", "escrow > session 1 2000"])],
    ),
    "surrender": Story(  # half goes back
        "surrender",
        "10 9 6 10",
        (MAIN,),
        [("deal", STAKE), ("0.0 surrender", ["escrow > session 1 500", "escrow > house 500"])],
    ),
    # The price is 0.9 of the stake less one per cent: 10.00 x 0.9 x 0.99 = 8.91.
    "cashback": Story(
        "cashback",
        "10 9 6 10",
        (MAIN,),
        [("deal", STAKE), ("0.0 cashback 891", ["escrow > session 1 891", "escrow > house 109"])],
    ),
    # Spot 0 has a blackjack and the wheel says X25: 2.00 x 25 and the stake, 52.00, there and then.
    # Then 19 against 17 pays 20.00, the blackjack 25.00: 45.00, of which 20.00 stand in escrow.
    "link bonus": Story(
        "link",
        "A 10 9 K 9 8",
        (*TWO, (0, "link", 200)),
        [
            ("deal", ["session 1 > escrow 2200"]),
            ("0 spin", ["house > escrow 5000", "escrow > session 1 5200"]),
            ("1.0 stand", ["house > escrow 2500", "escrow > session 1 4500"]),
        ],
        draws=(X25,),
    ),
    # X50 wins 100.00 and the blackjack 15.00; at most 99.99 may be won: 12.00 staked come back with 99.99.
    "maximum win": Story(
        "link",
        "A 9 K 8",
        WITH_LINK,
        [
            ("deal", ["session 1 > escrow 1200"]),
            ("0 spin", ["house > escrow 9999", "escrow > session 1 11199"]),
        ],
        draws=(X50,),
        options=TableOptions(max_win=9_999),
    ),
    # 21 doubled under a ten that hides an ace: the double's 10.00 come back, the first are lost (COM-47).
    "double returned": Story(
        "link",
        "5 10 6 A 10",
        (MAIN,),
        [("deal", STAKE), ("0.0 double", [*STAKE, "escrow > session 1 1000", "escrow > house 1000"])],
    ),
    # 16 hits a shoe that has no more cards: a malfunction.
    "empty shoe": Story(
        "surrender", "10 9 6 10", (MAIN,), [("deal", STAKE), ("0.0 hit", ["escrow > session 1 1000"])]
    ),
}


def room_of(database: Database, story: Story, *, reopening: bool = False, bring: int = BROUGHT) -> Room:
    shoes = StackedShoes(story.cards, "10 9 10 8", draws=[story.draws])
    return Room(database, story.game, shoes, options=story.options, reopening=reopening, bring=bring)


def play(room: Room, story: Story) -> Moves:
    """What each command of a story moved."""
    moved: Moves = []
    for command, _ in story.moves:
        moved.append((command, room.deal(*story.bets) if command == "deal" else room.do(command)))
    return moved


@pytest.mark.sampled
@pytest.mark.parametrize("reopening", [False, True], ids=["", "reopened"])
@pytest.mark.parametrize("name", STORIES)
def test_what_a_round_moves(database: Database, name: str, reopening: bool) -> None:
    """Also when the table is opened anew after every command: the same round, the same balances (PLT-34)."""
    story = STORIES[name]
    room = room_of(database, story, reopening=reopening)
    assert play(room, story) == story.moves
    flat = [word.split(" > ") for _, moved in story.moves for word in moved]
    won = sum(int(credit.split()[-1]) for _, credit in flat if credit.startswith("session"))
    lost = sum(int(credit.split()[-1]) for debit, credit in flat if debit.startswith("session"))
    assert (room.session(), room.house) == (BROUGHT + won - lost, lost - won)
    room.check()
    # A round more, from the next shoe: 20 against 17.
    assert room.deal(MAIN) == STAKE
    assert room.do("0.0 stand") == ["house > escrow 1000", "escrow > session 1 2000"]
    assert room.session() == BROUGHT + won - lost + 1000
    room.check()


def test_each_shoe_is_committed_before_and_revealed_after_its_round(database: Database) -> None:
    room = room_of(database, STORIES["win"])
    query = "SELECT commitment, client_seed, seed FROM shoes ORDER BY id"
    first = room.table.shoes.commitment
    assert rows(database, query) == [(first, None, None)]
    room.deal(MAIN, seed="mine")
    assert rows(database, query) == [(first, "mine", None)]
    room.do("0.0 stand")
    second = room.table.shoes.commitment
    assert rows(database, query) == [(first, "mine", bytes(32)), (second, None, None)]


def test_what_the_rules_refuse_leaves_the_table_as_it_was(database: Database) -> None:
    room = room_of(database, STORIES["win"])
    for bets, code in (
        (((0, "main", 50),), "bet/below-minimum"),
        ((), "bet/none"),
        (((0, "main", BROUGHT + 100),), "funds/insufficient"),
    ):
        with pytest.raises(Refusal) as refusal:
            room.table.deal(1, tuple(Bet(*bet) for bet in bets), "x", room.now)
        assert refusal.value.code == code
    with pytest.raises(ValueError, match="seed"):
        room.table.deal(1, (Bet(*MAIN),), "a\nb", room.now)
    room.reopen()
    assert room.deal(MAIN) == STAKE
    with pytest.raises(Refusal):
        room.do("1.0 stand")
    with pytest.raises(Refusal) as error:
        room.deal(MAIN)
    assert error.value.code == "round/open"
    room.reopen()
    room.do("0.0 stand")
    with pytest.raises(Refusal):
        room.do("0.0 stand")
    room.check()


def test_the_history_has_a_line_for_each_round(database: Database) -> None:
    """Staked and paid: 12.00 and 112.00 less 0.01; a void is a line of nothing."""
    room = room_of(database, STORIES["maximum win"])
    play(room, STORIES["maximum win"])
    room.deal(MAIN)
    room.void()
    assert room.played == [(1, 1200, 11199), (1, 0, 0)]
    assert room.ends == ["settled", "voided"]
