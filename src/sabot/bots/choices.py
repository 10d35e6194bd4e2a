"""A bot's bets and decisions: stakes that suit its purse, and the best strategy with a few errors."""

from collections.abc import Iterator, Sequence
from random import Random

from sabot.bots.character import Character
from sabot.cards import Card, Hand
from sabot.client import TableState
from sabot.engine import Bet
from sabot.games import find
from sabot.games.options import Limits, TableOptions
from sabot.games.rules import Action
from sabot.games.tables import BEST_TABLES

#: Most chips of one kind on a bet.
_PILE = 4
#: Totals on which people err.
_IN_DOUBT = range(12, 18)


def sitting(rng: Random, options: TableOptions, account: int) -> int:
    """Money to sit down with: part of the account, at least twenty bets; 0 if the account has less."""
    least = 20 * options.main.minimum
    if account < least:
        return 0
    wanted = max(least, int(account * rng.uniform(0.05, 0.25)))
    return wanted - wanted % options.chips[0] or least


def stake(rng: Random, character: Character, options: TableOptions, balance: int, limits: Limits) -> int:
    """A pile of one kind of chip, near the usual stake of the character; 0 if the balance does not cover it.

    >>> options = find("majority-eu").options
    >>> stake(Random(1), Character(stake=0.02), options, 100_000, options.main)
    2500
    """
    target = min(balance, balance * character.stake * rng.lognormvariate(0.0, 0.4))
    chips = [chip for chip in options.chips if chip <= target] or [options.chips[0]]
    chip = rng.choice(chips[-2:])
    pile = chip * min(_PILE, max(1, int(target / chip)))
    wanted = min(max(pile, limits.minimum), limits.maximum)
    return wanted if wanted <= balance else 0


def bets_at_boxes(rng: Random, character: Character, state: TableState, balance: int) -> tuple[Bet, ...]:
    """A main bet on one or both boxes, sometimes with side bets (MAJ-08, MAJ-10)."""
    spots = rng.choices(((0,), (1,), (0, 1)), (5, 4, 2))[0]
    return _main_and_sides(rng, character, state, spots, balance)


def bets_at_seats(rng: Random, character: Character, state: TableState, balance: int) -> tuple[Bet, ...]:
    """The same main bet on all own seats (FRB-22); a bet behind without a seat (FRB-40)."""
    if not state.own_seats:
        return tuple(_behind(rng, character, state, balance))
    return _main_and_sides(rng, character, state, state.own_seats, balance)


def _main_and_sides(
    rng: Random, character: Character, state: TableState, spots: Sequence[int], balance: int
) -> tuple[Bet, ...]:
    options = state.snapshot.options
    main = stake(rng, character, options, balance // (2 * len(spots)), options.main)
    if not main:
        return ()
    left = balance - main * len(spots)
    return (
        *(Bet(spot, "main", main) for spot in spots),
        *_sides(rng, character, state, rng.choice(spots), left),
    )


def _behind(rng: Random, character: Character, state: TableState, balance: int) -> Iterator[Bet]:
    open_seats = [spot for spot, seat in state.seats.items() if seat.behind]
    options = state.snapshot.options
    amount = stake(rng, character, options, balance // 2, options.behind)
    if open_seats and amount:
        yield Bet(rng.choice(open_seats), "behind", amount)


def _sides(rng: Random, character: Character, state: TableState, spot: int, left: int) -> Iterator[Bet]:
    options, rules = state.snapshot.options, find(state.snapshot.game).rules
    if rng.random() >= character.sides:
        return
    names = [bet.name for bet in rules.side_bets if bet.name not in options.side_bets_off and not bet.once]
    for name in rng.sample(names, min(len(names), rng.choice((1, 1, 2)))):
        limits = options.limits(name)
        amount = min(max(rng.choice(options.chips[:2]), limits.minimum), limits.maximum)
        if amount <= left:
            left -= amount
            yield Bet(spot, name, amount)


# Decisions


def decision(
    rng: Random, character: Character, state: TableState, spot: int, hand: int, legal: tuple[Action, ...]
) -> Action:
    """The best table's action, or sometimes a common error."""
    view = state.view
    found = state.spot(spot)
    assert view is not None
    assert found is not None, f"spot {spot} does not play"
    cards = Hand(Card(card) for card in found.hands[hand].cards)
    best = BEST_TABLES[state.snapshot.game].action(cards, Card(view.dealer.cards[0]), legal)
    return slip(best, cards.total, legal) if rng.random() < character.slips else best


def slip(best: Action, total: int, legal: tuple[Action, ...]) -> Action:
    """A common error in place of the best action; nobody hits 19 or stands on 8.

    >>> slip("stand", 16, ("hit", "stand")), slip("stand", 19, ("hit", "stand")), slip("double", 11, ("hit", "stand"))
    ('hit', 'stand', 'hit')
    """
    other: dict[Action, Action] = {"double": "hit", "split": "stand" if total > 16 else "hit"}
    if total in _IN_DOUBT:
        other |= {"hit": "stand", "stand": "hit"}
    meant = other.get(best, best)
    return meant if meant in legal else best


def legal_ahead(state: TableState, spot: int) -> tuple[Action, ...]:
    """Actions of a seat's first two cards before its turn; none once they are played (FRB-25)."""
    found = state.spot(spot)
    if found is None or len(found.hands) != 1 or len(found.hands[0].cards) != 2:
        return ()
    if found.hands[0].ended is not None:
        return ()
    pair = Hand(Card(card) for card in found.hands[0].cards).is_pair
    return find(state.snapshot.game).rules.actions[True, pair, False]
