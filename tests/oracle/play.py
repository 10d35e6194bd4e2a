"""Decisions on hands (COM-14, COM-40..46, SUR-03, CSH-02..05, FRB-03..06, MAJ-40..44, MAJ-53)."""

from __future__ import annotations

from itertools import combinations

from tests.oracle.cards import is_ace, is_soft, is_ten, same_value, total
from tests.oracle.state import Disagreement, Hand, Stake, Table

PRICE_UNIT = 10**9
BASIS_POINTS = 10_000


def turn(table: Table) -> tuple[int, int] | None:
    """The hand that decides now: the first that is not finished."""
    for spot in table.spots:
        for index, hand in enumerate(spot.hands):
            if hand.how == "":
                return (spot.number, index)
    return None


def actions(table: Table, number: int, index: int) -> list[str]:
    """What the cards allow and, where one player decides, that player's balance covers."""
    hand = table.spot(number).hands[index]
    found = ["hit", "stand"]
    if total(hand.cards) == 21:  # COM-45: only a hand that the next card makes a Charlie is asked; CSH-05
        return found
    two_cards = len(hand.cards) == 2
    may_double = two_cards and (not hand.from_split or table.facts.double_after_split)
    if may_double and (is_free_double(table, hand) or decider_can_pay(table, number, index)):
        found.append("double")
    may_split = two_cards and not hand.from_split and same_value(hand.cards[0], hand.cards[1])
    if may_split and (is_free_split(table, hand) or decider_can_pay(table, number, index)):
        found.append("split")
    if table.facts.surrender and two_cards and not hand.from_split:
        found.append("surrender")
    if table.facts.cashback:
        found.append("cashback")
    return sorted(found)


def decider_can_pay(table: Table, number: int, index: int) -> bool:
    """MAJ-23, MAJ-44: a box acts whoever can pay."""
    if table.facts.boxes:
        return True
    owner = table.owner(number)
    return table.purses[owner] >= table.main_stake(owner, number, index).own


def is_free_double(table: Table, hand: Hand) -> bool:
    """FRB-04."""
    return table.facts.free_bets and not is_soft(hand.cards) and total(hand.cards) in (9, 10, 11)


def is_free_split(table: Table, hand: Hand) -> bool:
    """FRB-06."""
    return table.facts.free_bets and not is_ten(hand.cards[0])


def act(table: Table, action: str, number: int, index: int) -> None:
    """Carry out a decision on the hand in turn."""
    if table.phase != "play" or turn(table) != (number, index):
        raise Disagreement(f"{action} on {number}.{index}: the turn is {turn(table)} in phase {table.phase}")
    if action not in actions(table, number, index):
        raise Disagreement(f"{action} on {number}.{index}: possible are {actions(table, number, index)}")
    hand = table.spot(number).hands[index]
    match action:
        case "hit":
            take_card(table, hand)
        case "stand":
            hand.how = "stood"
        case "double":
            double(table, number, index)
        case "split":
            split(table, number)
        case "surrender":
            hand.how = "surrendered"
        case "cashback":
            hand.how = "cashed-back"
            hand.cash = cashback_amount(table, number, index)
    table.votes.pop((number, index), None)


def take_card(table: Table, hand: Hand) -> None:
    hand.cards.append(table.next_card())
    if total(hand.cards) > 21:
        hand.how = "bust"
    elif table.facts.charlie and len(hand.cards) == table.facts.charlie:
        hand.how = "charlie"
    elif total(hand.cards) == 21 and not may_become_charlie(table, hand):  # COM-45
        hand.how = "stood"


def may_become_charlie(table: Table, hand: Hand) -> bool:
    """COM-45: whatever the next card is, a soft 21 is not bust by it; it must be the card that wins."""
    missing = table.facts.charlie - len(hand.cards)
    return is_soft(hand.cards) and missing == 1 and not hand.doubled


def double(table: Table, number: int, index: int) -> None:
    hand = table.spot(number).hands[index]
    free = is_free_double(table, hand)
    for player in table.players_on(number, index):
        add_stake(table, player, number, index, "double", free)
    hand.doubled = True
    take_card(table, hand)
    if hand.how == "":
        hand.how = "stood"


def split(table: Table, number: int) -> None:
    spot = table.spot(number)
    free = is_free_split(table, spot.hands[0])
    for player in table.players_on(number, 0):
        add_stake(table, player, number, 0, "split", free)
    first, second = spot.hands[0].cards
    right, left = Hand([first], from_split=True), Hand([second], from_split=True)
    spot.hands = [right, left]
    take_card(table, right)
    if table.players_on(number, 1):
        take_card(table, left)
    else:
        left.how = "unstaked"  # MAJ-44
    if is_ace(first):  # COM-42
        for hand in spot.hands:
            hand.how = hand.how or "stood"


def add_stake(table: Table, player: str, number: int, index: int, why: str, free: bool) -> None:
    """A further stake as large as the one on the hand, if this player follows. That of a split is on hand 1."""
    key = (player, number, 1 if why == "split" else index, why)
    there = table.main_stake(player, number, index)
    if free:
        table.stakes[key] = Stake(free=there.face())
        return
    if not wants_to_follow(table, player, number, index, why):
        return
    chips = golden_payment(table, player, there, voted(table, player, number, index, why), why)
    own = there.face() - sum(chips)
    if table.purses[player] < own:
        return
    table.take(player, own)
    table.take_chips(player, chips)
    table.stakes[key] = Stake(own, chips)


def voted(table: Table, player: str, number: int, index: int, action: str) -> bool:
    """MAJ-42: for that very action, in the ballot on this decision."""
    return table.votes.get((number, index), {}).get(player) == action


def wants_to_follow(table: Table, player: str, number: int, index: int, action: str) -> bool:
    consents = table.consents.get(player, {}).get(action, False)
    if table.facts.boxes:
        return consents or voted(table, player, number, index, action)
    return player == table.owner(number) or consents


def golden_payment(table: Table, player: str, there: Stake, has_voted: bool, action: str) -> list[int]:
    """The golden chips that pay the doubling of a stake (MAJ-53); none where ordinary chips pay all of it."""
    rules = table.options.golden
    has_consented = table.consents.get(player, {}).get(action, False)
    allowed = (has_voted and rules.extra) or (has_consented and rules.blind)
    if not there.golden or not allowed:
        return []
    used = sum(len(stake.golden) for key, stake in table.stakes.items() if key[0] == player)
    held = [value for value in table.chips.get(player, {}) for _ in range(table.held(player, value))]
    most = len(held) if rules.cap is None else max(0, rules.cap - used)
    chips = best_chips(held, there.face(), most)
    if sum(chips) < there.face() and not rules.mixing:
        return []
    return chips


def best_chips(held: list[int], to_pay: int, most: int) -> list[int]:
    """PLT-65, by trying every choice: nearest to the amount, then the fewest, then from the largest on."""
    choices: list[tuple[int, ...]] = [
        some
        for count in range(min(most, len(held)) + 1)
        for some in combinations(sorted(held, reverse=True), count)
        if sum(some) <= to_pay
    ]
    best = max(choices, key=lambda some: (sum(some), -len(some), some))
    return list(best)


def cashback_amount(table: Table, number: int, index: int) -> int:
    """RET-11, on this hand's own stake, at the price of the decision that is open."""
    stake = table.main_stake(table.owner(number), number, index).own
    price = table.given.prices[table.prices_used - 1]
    kept = BASIS_POINTS - table.options.cashback_margin
    return max(0, stake * price * kept // (PRICE_UNIT * BASIS_POINTS))
