"""The rules of a round, compiled: one code for every game; numbers and tables (`Lowered`) say how games differ.

`play_stream` plays rounds from a random stream, `play_cards` from given orders of cards; both run `_play_round`. All
compiled code is in this file, with `Lowered`, because numba keeps it on disk and renews it only if this file changes.

A card is a code, `16 * card + value - 1`. A hand is a state: its total, plus 32 if an ace counts 11 (COM-02). Stakes
are counted in initial bets, payments in `unit` parts of one, so that every payment is a whole number.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast

import numba
import numpy as np
import numpy.typing as npt

F = TypeVar("F", bound=Callable[..., Any])
Bytes = npt.NDArray[np.int8]
Codes = npt.NDArray[np.uint16]
Ints = npt.NDArray[np.int64]
#: An array as the kernel reads it: its items are plain numbers, as for numba.
Array = npt.NDArray[Any]


#: No function here makes an array, so none needs numba's reference counts; without them it is four times as fast.
_PLAIN: dict[str, Any] = {"_nrt": False}


def compiled(function: F) -> F:
    """Compile an entry point once per machine; the compiled code is kept on disk."""
    return cast("F", numba.njit(cache=True, nogil=True, **_PLAIN)(function))


def inlined(function: F) -> F:
    """Compile a function into whatever calls it."""
    return cast("F", numba.njit(forceinline=True, **_PLAIN)(function))


def apart(function: F) -> F:
    """Compile a function that stays a call, as few rounds need it, or only side bets do."""
    return cast("F", numba.njit(**_PLAIN)(function))


class Lowered(NamedTuple):
    """A game, its strategy and its bets, as the kernel reads them. Every field is an int or an array."""

    #: Whether the dealer's second card is dealt before the decisions (MAJ-02).
    hole_card: int
    #: Whether the dealer checks under an ace, under a ten (COM-09).
    checks_ace: int
    checks_ten: int
    #: The state on which the dealer draws beside all below 17: soft 17, or none (COM-06).
    dealer_draws_on: int
    #: Cards that win a hand not bust; 0 for none (COM-46).
    charlie: int
    #: The dealer's total that pushes: 22, or none (FRB-07).
    dealer_pushes_on: int
    #: Whether a ten-up blackjack gives back what a double added (COM-47).
    ten_up_returns_double: int
    #: Whether a Buster bet keeps the dealer drawing when every hand is bust (MAJ-06).
    buster_keeps_dealer: int
    #: Parts of an initial bet in which payments are counted; what a win and a blackjack pay in them.
    unit: int
    win: int
    blackjack: int
    #: Hands in a round.
    hands: int
    #: The first move, by first card, second card and up card: `[first, second, up]` in four bits each.
    opening: Array
    #: The same after a split, then for the free hand of a split: `[free, first, second, up]`.
    reopening: Array
    #: Whether to draw to a hand of three or more cards, then for the free hand: `[free, state, up]`.
    draws: Array
    #: The state of two cards, and of a state with one card more.
    two: Array
    add: Array
    #: Whether a side bet needs the dealer's second card, the dealer's whole hand (COM-07).
    dealer_pair: int
    buster: int
    #: Each side bet: who judges it, and whether it stands once a round instead of on each hand.
    judges: Array
    once: Array
    #: What a category of a side bet pays back, its stake included: `[bet, category]`.
    prizes: Array
    #: The category of two cards, `64 * a + b`, and of three, `4096 * a + 64 * b + c`: as poker, and added up.
    pair: Array
    poker: Array
    lucky: Array
    #: The category of a dealer bust with so many cards, `[blackjack, cards]` in five bits.
    bust: Array
    #: The bonus: outcomes with their weights. Tables are -1 and -2 on the wheel, a diamond is -1 among tiles.
    wheel: Array
    cells: Array
    first_cells: Array
    tiles: Array
    diamonds: Array
    #: Cells and first prizes of the Link and of the Mega Link table; spins given.
    tables: Array
    spins: int


class Felt(NamedTuple):
    """The arrays of a round, made once by `new_felt`."""

    #: First and second card of each hand, as codes.
    first: Array
    second: Array
    #: Hands that wait for the dealer.
    waiting: Array
    #: What the round paid back on each side bet, and how often each category came since the felt was new.
    side_paid: Array
    counts: Array
    #: Tiles and prizes of a bonus table.
    tiles: Array
    prizes: Array


def new_felt(game: Lowered) -> Felt:
    """A table without cards."""
    cells = int(game.tables[:, 0].max())
    sizes = (
        game.hands,
        game.hands,
        2 * game.hands,
        game.judges.size,
        game.prizes.shape,
        cells // BLOCK,
        cells,
    )
    return Felt(*(np.zeros(size, np.int64) for size in sizes))


STAND, HIT, DOUBLE, FREE_DOUBLE, SPLIT, FREE_SPLIT, SURRENDER, BLACKJACK = range(8)
HAND_PAIR, DEALER_PAIR, POKER, LUCKY, DEALER_BUST, BONUS = range(6)

SOFT = 32
NATURAL = SOFT + 21
TEN = 9
#: Ranks of hands above every total the dealer can have.
CHARLIE_RANK, BLACKJACK_RANK = 30, 31
#: The ranks of a round's hands are kept as a set of bits: these are totals, and bit 0 is a surrendered hand.
_TOTALS = (1 << 22) - 2
_SURRENDERED = 1
BLOCK = 6

GAMMA = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_27, _30, _31, _32 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32)
_LOW = np.uint64(0xFFFFFFFF)


# Chance


@inlined
def mix(counter: np.uint64) -> np.uint64:
    """The random word at a counter (SplitMix64: a stream is its counter, GAMMA further for each word)."""
    word = (counter ^ (counter >> _30)) * _MIX_1
    word = (word ^ (word >> _27)) * _MIX_2
    return word ^ (word >> _31)


@inlined
def below(word: np.uint64, n: np.uint64) -> np.uint64:
    """A number from 0 to n - 1, each as likely: the word's high half times n, by Lemire's method."""
    product = (word >> _32) * n
    if (product & _LOW) < n:
        least = (_LOW - n + np.uint64(1)) % n
        while (product & _LOW) < least:
            word = mix(word + GAMMA)
            product = (word >> _32) * n
    return product >> _32


class ShoeArray(NamedTuple):
    """The source of cards: in their order if `stacked`, else shuffled while drawn, by random words from `counter` on."""

    cards: Array
    stacked: bool
    counter: np.uint64


@inlined
def _draw(shoe: ShoeArray, dealt: int) -> int:
    """The next card: a random one of those left is swapped to the top (a lazy Fisher-Yates shuffle).

    The order that earlier rounds left need not be undone: the cards drawn are as random from any order.
    """
    cards = shoe.cards
    if shoe.stacked:
        return int(cards[dealt]) if dealt < cards.size else 0
    word = mix(shoe.counter + np.uint64(dealt) * GAMMA)
    at = dealt + int(below(word, np.uint64(cards.size - dealt)))
    code = int(cards[at])
    cards[at] = cards[dealt]
    cards[dealt] = code
    return code


# A hand


@inlined
def _rank(state: int) -> int:
    """The rank of a finished hand against the dealer: its total, or 0 if it is bust."""
    total = state & 31
    return total if total <= 21 else 0


@inlined
def _draw_out(
    game: Lowered, table: int, up: int, state: int, hits: bool, shoe: ShoeArray, dealt: int
) -> tuple[int, int]:
    """Draw by the table, the first card if it hits: the hand's rank, and the cards dealt (COM-45, COM-46)."""
    cards = 2
    while hits:
        state = game.add[state << 4 | (_draw(shoe, dealt) & 15)]
        dealt += 1
        cards += 1
        hits = game.draws[table << 10 | state << 4 | up] != 0 and cards != game.charlie
    if state == NATURAL and cards == game.charlie - 1:
        _draw(shoe, dealt)  # any card makes a Charlie
        return CHARLIE_RANK, dealt + 1
    rank = _rank(state)
    if cards == game.charlie:
        rank = CHARLIE_RANK if rank > 0 else 0
    return rank, dealt


@inlined
def _entry(rank: int, own: int, face: int, back: int) -> int:
    """A hand that waits for the dealer: its rank, own stakes, winning stakes, and the stakes that a double added."""
    return rank | own << 5 | face << 8 | back << 11


@inlined
def _play_split(
    game: Lowered, felt: Felt, free: int, first: int, up: int, shoe: ShoeArray, dealt: int, waiting: int
) -> tuple[int, int, int, int]:
    """Both hands of a pair: cards dealt, hands that wait for the dealer, their ranks, stakes added (COM-14)."""
    right, left = _draw(shoe, dealt) & 15, _draw(shoe, dealt + 1) & 15
    dealt += 2
    added, ranks = 1 - free, 0
    for hand in range(2):
        second = left if hand else right
        is_free = free & hand
        own, face, back = 1 - is_free, 1, 0
        move = game.reopening[is_free << 12 | first << 8 | second << 4 | up]
        state = game.two[first << 4 | second]
        if move <= HIT:
            rank, dealt = _draw_out(game, is_free, up, state, move == HIT, shoe, dealt)
        else:
            rank = _rank(game.add[state << 4 | (_draw(shoe, dealt) & 15)])
            dealt += 1
            if move == DOUBLE:
                back = own
                own += back
                face += back
                added += back
            else:
                face = 2
        if rank > 0:
            felt.waiting[waiting] = _entry(rank, own, face, back)
            waiting += 1
            ranks |= 1 << rank
    return dealt, waiting, ranks, added


@inlined
def _settle(game: Lowered, entry: int, total: int, natural: bool, up: int) -> int:
    """The payment of a hand against the dealer's finished hand, in units (COM-08, COM-46, COM-47)."""
    rank, own, face = entry & 31, (entry >> 5) & 7, (entry >> 8) & 7
    if natural:
        if rank == BLACKJACK_RANK:
            return own * game.unit
        return (entry >> 11) * game.unit if up == TEN and game.ten_up_returns_double else 0
    if rank == BLACKJACK_RANK:
        return game.unit + game.blackjack
    # The processor cannot predict who wins: bits instead of branches.
    push = ((total == rank) | (total == game.dealer_pushes_on)) & (rank != CHARLIE_RANK)
    win = ((total < rank) | (total > 21)) & (not push)
    return own * game.unit * (win | push) + face * game.win * win


# Side bets


@inlined
def _is_natural(game: Lowered, felt: Felt, hand: int) -> bool:
    """Whether a hand was dealt a blackjack."""
    return bool(game.two[(felt.first[hand] & 15) << 4 | (felt.second[hand] & 15)] == NATURAL)


@apart
def _pick(weighted: Array, counter: np.uint64) -> int:
    """The place of one of the outcomes, by weight."""
    total = 0
    for i in range(weighted.shape[0]):
        total += weighted[i, 1]
    at = int(below(mix(counter), np.uint64(total)))
    i = 0
    while at >= weighted[i, 1]:
        at -= weighted[i, 1]
        i += 1
    return i


@apart
def _play_table(game: Lowered, felt: Felt, table: int, counter: np.uint64) -> tuple[int, np.uint64]:
    """A Link or Mega Link table: what it pays to 1 (LNK-25..29)."""
    size, start = game.tables[table, 0], game.tables[table, 1]
    blocks = size // BLOCK
    tiles, prizes = felt.tiles, felt.prizes
    for block in range(blocks):
        tiles[block] = game.tiles[_pick(game.tiles, counter), 0]
        counter += GAMMA
    prizes[:size] = 0
    for taken in range(start):
        at = int(below(mix(counter), np.uint64(size - taken)))
        counter += GAMMA
        cell = 0
        while prizes[cell] or at:
            at -= prizes[cell] == 0
            cell += 1
        prizes[cell] = game.first_cells[_pick(game.first_cells, counter), 0]
        counter += GAMMA
    spins, empty = game.spins, size - start
    while True:
        locked = 0
        for cell in range(size):
            if prizes[cell] == 0:
                prizes[cell] = game.cells[_pick(game.cells, counter), 0]
                counter += GAMMA
                locked += prizes[cell] != 0
        empty -= locked
        spins = game.spins if locked else spins - 1
        if spins == 0 or empty == 0:
            break
    pays = 0
    for block in range(blocks):
        total, full = 0, True
        for cell in range(block * BLOCK, (block + 1) * BLOCK):
            total += prizes[cell]
            full = full and prizes[cell] != 0
        if full and tiles[block] >= 0:
            total *= tiles[block]
        elif full:
            total += game.diamonds[_pick(game.diamonds, counter), 0]
            counter += GAMMA
        pays += total
    return pays, counter


@apart
def _play_bonus(game: Lowered, felt: Felt, counter: np.uint64) -> tuple[int, int, np.uint64]:
    """The bonus of one blackjack: the wheel's section, what it pays to 1, and the stream after it (LNK-20..29)."""
    section = _pick(game.wheel, counter)
    counter += GAMMA
    pays = game.wheel[section, 0]
    if pays < 0:
        pays, counter = _play_table(game, felt, -1 - pays, counter)
    return section, pays, counter


@apart
def _judge_cards(game: Lowered, felt: Felt, up: int, hole: int, dealer: int, cards: int) -> None:
    """The bets on the first cards, and on the dealer's two cards and finished hand (SB-01..06, SB-13)."""
    for bet in range(game.judges.size):
        judge = game.judges[bet]
        felt.side_paid[bet] = 0
        if judge == BONUS:
            continue
        for hand in range(1 if game.once[bet] else game.hands):
            a, b, c = felt.first[hand] >> 4, felt.second[hand] >> 4, up >> 4
            if judge == HAND_PAIR:
                category = game.pair[a << 6 | b]
            elif judge == DEALER_PAIR:
                category = game.pair[c << 6 | hole >> 4]
            elif judge == POKER:
                category = game.poker[a << 12 | b << 6 | c]
            elif judge == LUCKY:
                category = game.lucky[a << 12 | b << 6 | c]
            elif dealer & 31 <= 21:
                category = 0
            else:
                category = game.bust[_is_natural(game, felt, hand) << 5 | cards]
            felt.counts[bet, category] += 1
            felt.side_paid[bet] += game.prizes[bet, category]


@apart
def _judge_bonus(game: Lowered, felt: Felt, reached: bool, luck: np.uint64) -> np.uint64:
    """The LINK bets: a blackjack plays its bonus, unless a check has ended the round (LNK-20, LNK-35)."""
    for bet in range(game.judges.size):
        if game.judges[bet] != BONUS:
            continue
        for hand in range(game.hands):
            category = 0
            if reached and _is_natural(game, felt, hand):
                section, pays, luck = _play_bonus(game, felt, luck)
                category = 1 + section
                felt.side_paid[bet] += 1 + pays
            felt.counts[bet, category] += 1
    return luck


# A round


@inlined
def _dealer_must(game: Lowered, up: int, ranks: int) -> tuple[bool, bool]:
    """Whether the dealer completes the hand, and whether the second card is still to be drawn (COM-07, MAJ-06)."""
    keeps = game.buster != 0 and (game.buster_keeps_dealer != 0 or ranks != 0)
    complete = (ranks & _TOTALS) != 0 or keeps
    due = complete or game.dealer_pair != 0 or (ranks > _TOTALS and (up == 0 or up == TEN))
    return complete, due and game.hole_card == 0


@inlined
def _play_round(
    game: Lowered, felt: Felt, shoe: ShoeArray, luck: np.uint64
) -> tuple[int, int, int, np.uint64]:
    """One round: stakes, units paid, cards dealt, and the bonus stream after it. Insurance is declined (RET-01)."""
    hands = game.hands
    for hand in range(hands):
        felt.first[hand] = _draw(shoe, hand)
    up_card = _draw(shoe, hands)
    for hand in range(hands):
        felt.second[hand] = _draw(shoe, hands + 1 + hand)
    dealt = 2 * hands + 1
    up = up_card & 15
    hole, dealer = 0, 0
    if game.hole_card:
        hole = _draw(shoe, dealt)
        dealt += 1
        dealer = game.two[up << 4 | (hole & 15)]
    found = dealer == NATURAL and ((up == 0 and game.checks_ace) or (up == TEN and game.checks_ten))

    staked, paid, waiting, ranks = hands, 0, 0, 0
    for hand in range(hands):
        first, second = felt.first[hand] & 15, felt.second[hand] & 15
        move = game.opening[first << 8 | second << 4 | up]
        if found and move != BLACKJACK:
            continue
        state = game.two[first << 4 | second]
        rank, own, face, back = 0, 1, 1, 0
        if move <= HIT:
            rank, dealt = _draw_out(game, 0, up, state, move == HIT, shoe, dealt)
        elif move == BLACKJACK:
            rank = BLACKJACK_RANK
        elif move == SURRENDER:
            paid += game.unit >> 1
            ranks |= _SURRENDERED
        elif move < SPLIT:
            rank = _rank(game.add[state << 4 | (_draw(shoe, dealt) & 15)])
            dealt += 1
            face = 2
            if move == DOUBLE:
                own, back = 2, 1
                staked += 1
        else:
            free = move - SPLIT
            dealt, waiting, split_ranks, added = _play_split(
                game, felt, free, first, up, shoe, dealt, waiting
            )
            ranks |= split_ranks
            staked += added
        if rank > 0:
            felt.waiting[waiting] = _entry(rank, own, face, back)
            waiting += 1
            ranks |= 1 << rank

    complete, second_due = _dealer_must(game, up, ranks)
    if second_due:
        hole = _draw(shoe, dealt)
        dealt += 1
        dealer = game.two[up << 4 | (hole & 15)]
    natural = dealer == NATURAL
    cards = 2
    if complete:
        while (dealer & 31) < 17 or dealer == game.dealer_draws_on:
            dealer = game.add[dealer << 4 | (_draw(shoe, dealt) & 15)]
            dealt += 1
            cards += 1
    for i in range(waiting):
        paid += _settle(game, felt.waiting[i], dealer & 31, natural, up)
    if game.judges.size:
        _judge_cards(game, felt, up_card, hole, dealer, cards)
        luck = _judge_bonus(game, felt, not found, luck)
    return staked, paid, dealt, luck


@compiled
def play_stream(
    game: Lowered,
    felt: Felt,
    cards: Array,
    rounds: int,
    counter: np.uint64,
    luck: np.uint64,
    results: Array,
    sums: Array,
) -> None:
    """Play rounds from a random stream, each from the full shoe, and count their results.

    `results[stakes - hands, units won + middle]` counts rounds; `sums[bet]` holds the sum and the sum of squares of
    a round's payments on a side bet, in its stakes.
    """
    bets = game.judges.size
    middle = results.shape[1] // 2
    for _ in range(rounds):
        staked, paid, dealt, luck = _play_round(game, felt, ShoeArray(cards, False, counter), luck)
        counter += np.uint64(dealt) * GAMMA
        results[staked - game.hands, paid - staked * game.unit + middle] += 1
        for bet in range(bets):
            back = felt.side_paid[bet]
            sums[bet, 0] += back
            sums[bet, 1] += back * back


@compiled
def play_cards(game: Lowered, felt: Felt, shoes: Array, lucks: Array, out: Array) -> None:
    """Play a round on each given order of cards; `out` gets stakes, units paid, cards dealt, then each side bet.

    Bonus draws come from `lucks`, a counter for each round. An order that is too short deals more cards than it has.
    """
    for i in range(shoes.shape[0]):
        staked, paid, dealt, _ = _play_round(game, felt, ShoeArray(shoes[i], True, GAMMA), lucks[i])
        out[i, 0] = staked
        out[i, 1] = paid
        out[i, 2] = dealt
        for bet in range(game.judges.size):
            out[i, 3 + bet] = felt.side_paid[bet]
