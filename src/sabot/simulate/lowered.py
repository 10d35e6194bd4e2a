"""A game in numbers: `Rules`, a strategy and side bets, lowered to what the kernel reads.

`BestTable.action` fills the tables of moves, the judges of `games.sidebets` those of categories. So the kernel knows no
strategy and no prize of its own.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations_with_replacement, permutations, product
from math import lcm
from typing import Any

import numpy as np
import numpy.typing as npt

from sabot.cards import DECK_SIZE, VALUES, Card, Hand, decks, is_ace
from sabot.games.bonus import Bonus
from sabot.games.rules import Rules
from sabot.games.sidebets import SideBet, dealer_bust, lucky, pair, three_cards
from sabot.games.strategy import BestTable
from sabot.simulate import kernel
from sabot.simulate.kernel import Bytes, Codes, Ints, Lowered

#: Orders of cards, a row for each.
Cards = npt.NDArray[np.integer[Any]]
#: A card of each value, the ace first.
_CARDS = [Card(value) for value in range(10)]
#: In the order of the kernel's numbers for them.
_JUDGES = ("hand-pair", "dealer-pair", "poker", "lucky", "dealer-bust", "bonus")
#: A dealer's hand cannot have more cards: eleven aces are 21, ten more and a ten bust.
_MOST_CARDS = 31


class SimulationError(ValueError):
    """A simulation that cannot be run; the message says what would be right."""


def lower(
    rules: Rules,
    best: BestTable,
    free: BestTable | None = None,
    hands: int = 1,
    side_bets: Sequence[str] = (),
) -> Lowered:
    """A game and a strategy as the kernel reads them; `free` is the table of a split's free hand (RET-04)."""
    _check_hands(rules, hands)
    bets = find_side_bets(rules, side_bets)
    judges = [bet.judge for bet in bets]
    unit = lcm(rules.win_pays[1], rules.blackjack_pays[1], 2 if rules.surrender else 1)
    bonus = rules.bonus or Bonus()
    return Lowered(
        hole_card=int(rules.hole_card),
        checks_ace=int("ace" in rules.checks),
        checks_ten=int("ten" in rules.checks),
        dealer_draws_on=kernel.SOFT + 17 if rules.dealer_hits_soft_17 else -1,
        charlie=rules.charlie,
        dealer_pushes_on=22 if rules.dealer_22_pushes else -1,
        ten_up_returns_double=int(rules.ten_up_returns_double),
        buster_keeps_dealer=int(rules.buster_keeps_dealer),
        unit=unit,
        win=unit * rules.win_pays[0] // rules.win_pays[1],
        blackjack=unit * rules.blackjack_pays[0] // rules.blackjack_pays[1],
        hands=hands,
        opening=_first_moves(rules, best, split=False),
        reopening=np.concatenate([_first_moves(rules, table, split=True) for table in (best, free or best)]),
        draws=np.concatenate([_draws(rules, best), _draws(rules, free or best)]),
        two=_two(),
        add=_add(),
        dealer_pair=int("dealer-pair" in judges),
        buster=int("dealer-bust" in judges),
        judges=np.array([_JUDGES.index(judge) for judge in judges], np.int64),
        once=np.array([bet.once for bet in bets], np.int64),
        prizes=_prizes(rules, bets),
        pair=_table("hand-pair" if "hand-pair" in judges else "dealer-pair", judges),
        poker=_table("poker", judges),
        lucky=_table("lucky", judges),
        bust=_table("dealer-bust", judges),
        wheel=_weighted((_SECTIONS.get(section, section), weight) for section, weight in bonus.wheel),
        cells=_weighted(bonus.cells),
        first_cells=_weighted((prize, weight) for prize, weight in bonus.cells if prize),
        tiles=_weighted((-1 if tile == "diamond" else tile, weight) for tile, weight in bonus.tiles),
        diamonds=_weighted((dict(bonus.pays)[prize], weight) for prize, weight in bonus.diamonds),
        tables=_weighted((table.cells, table.start) for table in (bonus.link, bonus.mega_link)),
        spins=bonus.spins,
    )


def full_shoe(rules: Rules) -> Codes:
    """The cards of a full shoe as the kernel deals them."""
    return codes_of(decks(rules.decks))


def codes_of(cards: Sequence[int] | Cards) -> Codes:
    """Cards with their values, as the kernel deals them.

    >>> codes_of([0, 12, 22]).tolist()
    [0, 201, 361]
    """
    codes = np.array([card << 4 | VALUES[card] - 1 for card in range(DECK_SIZE)], np.uint16)
    return codes[np.asarray(cards, np.int64)]


def find_side_bets(rules: Rules, names: Sequence[str]) -> list[SideBet]:
    """The side bets of those names, in the game's own order."""
    known = [bet.name for bet in rules.side_bets]
    for name in names:
        if name not in known:
            raise SimulationError(
                f"{rules.name} has no side bet {name!r}: it has {', '.join(known) or 'none'}"
            )
        if names.count(name) > 1:
            raise SimulationError(f"the side bet {name!r} is named twice")
    return [bet for bet in rules.side_bets if bet.name in names]


def categories(rules: Rules, bet: SideBet) -> tuple[str, ...]:
    """The categories of a side bet, by the kernel's numbers; the first is a loss.

    >>> from sabot.games import find
    >>> from sabot.games.sidebets import PLAYER_PAIR
    >>> categories(find("link").rules, PLAYER_PAIR)
    ('', 'coloured', 'mixed', 'perfect')
    """
    if bet.judge == "bonus":
        wheel = rules.bonus.wheel if rules.bonus else ()
        return ("", *(f"x{section}" if isinstance(section, int) else section for section, _ in wheel))
    return _judged(bet.judge)[0]


def _check_hands(rules: Rules, hands: int) -> None:
    if not 1 <= hands <= rules.spots:
        raise SimulationError(f"{hands} hands: {rules.name} is played with 1 to {rules.spots}")
    # A hand takes at most 20 points and one ten, so a shoe with more points than all of them never runs empty.
    worth = sum(VALUES[card] for card in decks(rules.decks))
    if worth <= 30 * (2 * hands + 1):
        raise SimulationError(
            f"{hands} hands from {rules.decks} decks: the shoe could run empty, take more decks"
        )


# Moves


_MOVES = {
    "stand": kernel.STAND,
    "hit": kernel.HIT,
    "double": kernel.DOUBLE,
    "split": kernel.SPLIT,
    "surrender": kernel.SURRENDER,
}
_FREE = {kernel.DOUBLE: kernel.FREE_DOUBLE, kernel.SPLIT: kernel.FREE_SPLIT}
_NO_TABLE = np.zeros(1, np.int8)


def _move(rules: Rules, table: BestTable, hand: Hand, up: Card, split: bool) -> int:
    """The table's move for a hand below 21; free where the rules make it so (FRB-04, FRB-06)."""
    two_cards = len(hand.cards) == 2
    legal = rules.actions[two_cards, hand.is_pair, split]
    move = _MOVES[table.action(hand, up, legal)]
    free_double = move == kernel.DOUBLE and hand.total in rules.free_double and not hand.soft
    free_split = move == kernel.SPLIT and VALUES[hand.cards[0]] in rules.free_split
    return _FREE[move] if free_double or free_split else move


def _first_moves(rules: Rules, table: BestTable, split: bool) -> Bytes:
    """The first move of a hand that was dealt or split; split aces and 21 stand (COM-42, COM-45)."""
    moves = np.zeros((16, 16, 16), np.int8)
    for first, second, up in product(_CARDS, repeat=3):
        hand = Hand((first, second))
        if hand.is_natural and not split:
            moves[first, second, up] = kernel.BLACKJACK
        elif hand.total < 21 and not (split and is_ace(first)):
            moves[first, second, up] = _move(rules, table, hand, up, split)
    return moves.ravel()


def _draws(rules: Rules, table: BestTable) -> Bytes:
    """Whether the table draws to a hand of three cards or more, by the hand's state."""
    draws = np.zeros((64, 16), np.int8)
    for cards in combinations_with_replacement(_CARDS, 3):
        hand = Hand(cards)
        if hand.total < 21:
            for up in _CARDS:
                draws[state_of(hand), up] = _move(rules, table, hand, up, split=False) == kernel.HIT
    return draws.ravel()


def state_of(hand: Hand) -> int:
    """A hand's total, and 32 more if it is soft.

    >>> from sabot.cards import parse_cards
    >>> state_of(Hand(parse_cards("As 6d"))), state_of(Hand(parse_cards("10s 6d")))
    (49, 16)
    """
    return hand.total + kernel.SOFT * hand.soft


def _two() -> Bytes:
    states = np.zeros((16, 16), np.int8)
    for first, second in product(_CARDS, repeat=2):
        states[first, second] = state_of(Hand((first, second)))
    return states.ravel()


def _add() -> Bytes:
    """The state of a hand with one card more; a bust hand stays as it is."""
    states = np.zeros((64, 16), np.int8)
    for total, soft, card in product(range(22), (False, True), _CARDS):
        hard = total + VALUES[card] - 10 * soft
        ace = soft or is_ace(card)
        counts_11 = ace and hard <= 11
        states[total + kernel.SOFT * soft, card] = hard + (10 + kernel.SOFT) * counts_11
    return states.ravel()


# Side bets

_SECTIONS: dict[object, int] = {"link": -1, "mega-link": -2}
#: How many entries the kernel's table of a judge has for each card.
_SHAPES = {"poker": (DECK_SIZE, 64, 64), "lucky": (DECK_SIZE, 64, 64), "dealer-bust": (2, 32)}


@cache
def _judged(judge: str) -> tuple[tuple[str, ...], Bytes]:
    """The categories of a judge, and the kernel's table of their numbers by cards."""
    found: dict[tuple[int, ...], str] = {}
    if judge in ("poker", "lucky"):
        decide = three_cards if judge == "poker" else lucky
        for cards in combinations_with_replacement(range(DECK_SIZE), 3):
            found |= dict.fromkeys(permutations(cards), decide(*cards))
    elif judge == "dealer-bust":
        for natural, count in product((False, True), range(3, _MOST_CARDS)):
            found[int(natural), count] = dealer_bust(count, natural)
    else:
        found = {cards: pair(*cards) for cards in product(range(DECK_SIZE), repeat=2)}
    names = ("", *sorted({*found.values()} - {""}))
    table = np.zeros(_SHAPES.get(judge, (64, 64)), np.int8)
    for place, category in found.items():
        table[place] = names.index(category)
    return names, table.ravel()


def _table(judge: str, judges: Sequence[str]) -> Bytes:
    """The kernel's table of a judge; an empty one if no bet needs it."""
    return _judged(judge)[1] if judge in judges else _NO_TABLE


def _prizes(rules: Rules, bets: Sequence[SideBet]) -> Ints:
    """What each category pays back, stake included; the bonus pays by itself."""
    named = [categories(rules, bet) for bet in bets]
    prizes = np.zeros((len(bets), max(map(len, named), default=1)), np.int64)
    for row, (bet, names) in enumerate(zip(bets, named, strict=True)):
        for column, category in enumerate(names):
            prize = bet.prize(category)
            prizes[row, column] = 1 + prize if prize else 0
    return prizes


def _weighted(pairs: Iterable[tuple[object, int]]) -> Ints:
    """Outcomes with their weights; a draw among them takes 32 random bits."""
    outcomes = [*pairs]
    weights = sum(weight for _, weight in outcomes)
    if weights >= 2**32:
        raise SimulationError(f"bonus weights that sum to {weights}: the simulation draws below 2^32")
    return np.array(outcomes, np.int64)
