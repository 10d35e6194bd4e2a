"""The dealer's hand and what every line is paid (COM-05..08, COM-20..22, COM-47, FRB-07, FRB-11, LNK-08, MAJ-54)."""

from __future__ import annotations

from tests.oracle.cards import is_ace, is_natural, is_ten, total
from tests.oracle.prizes import pays_to_one
from tests.oracle.state import MAIN_LINES, Hand, LineKey, Stake, Table

#: Hands the dealer need not draw for (COM-07); nobody has a stake on an unstaked one.
DECIDED = ["bust", "surrendered", "cashed-back", "even-money", "blackjack", "charlie", "unstaked"]


def dealer_has_blackjack(table: Table) -> bool:
    return is_natural(table.dealer)


def all_hands(table: Table) -> list[Hand]:
    return [hand for spot in table.spots for hand in spot.hands]


def has_line(table: Table, why: str) -> bool:
    return any(key[3] == why for key in table.stakes)


def dealer_must_complete(table: Table) -> bool:
    """COM-07 (a)."""
    if any(hand.how not in DECIDED for hand in all_hands(table)):
        return True
    if not has_line(table, "buster"):
        return False
    # MAJ-06 lets the operator end the round when every hand is bust; SB-13 completes it for blackjacks always.
    all_bust = all(hand.how in ("bust", "unstaked") for hand in all_hands(table))
    return table.options.buster_keeps_dealer or not all_bust


def second_card_matters(table: Table) -> bool:
    """COM-07 (b), EU dealing."""
    if has_line(table, "insurance") or has_line(table, "dealer-pair"):
        return True
    may_be_blackjack = is_ace(table.dealer[0]) or is_ten(table.dealer[0])
    return may_be_blackjack and any(hand.how in ("blackjack", "charlie") for hand in all_hands(table))


def dealer_plays(table: Table) -> None:
    if dealer_must_complete(table):
        if len(table.dealer) == 1:
            table.dealer.append(table.next_card())
        while total(table.dealer) < 17:
            table.dealer.append(table.next_card())
    elif len(table.dealer) == 1 and second_card_matters(table):
        table.dealer.append(table.next_card())


def settle(table: Table) -> None:
    """Pay every line that is not paid yet; only bonuses are."""
    for key, stake in table.stakes.items():
        if key in table.paid:
            continue
        money, chips = line_pays(table, key, stake)
        credit_line(table, key, money, chips)
    table.phase = "over"
    table.over = "settled"


def credit_line(table: Table, key: LineKey, money: int, chips: list[int]) -> None:
    """Write down what a line pays and credit it, less what is beyond the maximum win (LNK-08)."""
    player = key[0]
    table.paid[key] = money
    if chips:
        table.golden_back[key] = chips
    table.give_chips(player, chips)
    win = max(0, money - table.stakes[key].own)
    cut = 0
    if table.options.max_win is not None:
        room = max(0, table.options.max_win - table.won.get(player, 0))
        cut = max(0, win - room)
    table.won[player] = table.won.get(player, 0) + win - cut
    table.give(player, money - cut)
    if cut > 0:
        table.capped[player] = table.capped.get(player, 0) + cut


def line_pays(table: Table, key: LineKey, stake: Stake) -> tuple[int, list[int]]:
    """Money, own stake included, and golden chips that come back."""
    _, number, index, why = key
    if why in MAIN_LINES:
        hand = table.spot(number).hands[index]
        return main_line_pays(table, hand, why, stake)
    if why == "insurance":
        return (3 * stake.own if dealer_has_blackjack(table) else 0), []
    if why == "link":  # LNK-35: a blackjack's bonus has paid already
        return 0, []
    if number == -1:
        first_two, with_blackjack = table.spots[0].first_two, False  # the dealer pair asks for neither
    else:
        first_two, with_blackjack = table.spot(number).first_two, is_natural(table.spot(number).first_two)
    odds = pays_to_one(why, first_two, table.dealer, with_blackjack)
    if odds == 0:
        return 0, []
    return stake.own + odds * stake.face(), []


def main_line_pays(table: Table, hand: Hand, why: str, stake: Stake) -> tuple[int, list[int]]:
    if hand.how == "surrendered":
        return stake.own // 2, []
    if hand.how == "cashed-back":
        return hand.cash, []
    match hand_result(table, hand):
        case "win":
            return stake.own + stake.face(), []
        case "blackjack":
            return stake.own + stake.face() * 3 // 2, []
        case "push":
            return stake.own, stake.golden
    if why == "double" and added_stake_comes_back(table, hand):
        return stake.own, stake.golden
    return 0, []


def added_stake_comes_back(table: Table, hand: Hand) -> bool:
    """COM-47."""
    return (
        table.facts.returns_doubles
        and dealer_has_blackjack(table)
        and is_ten(table.dealer[0])
        and hand.how != "bust"
    )


def hand_result(table: Table, hand: Hand) -> str:
    if hand.how == "bust":
        return "lose"
    if hand.how == "even-money":
        return "win"
    if hand.is_blackjack():
        return "push" if dealer_has_blackjack(table) else "blackjack"
    if dealer_has_blackjack(table):
        return "lose"
    if hand.how == "charlie":
        return "win"
    own, dealers = total(hand.cards), total(table.dealer)
    assert dealers >= 17, "the dealer has not completed the hand"
    if table.facts.free_bets and dealers == 22:  # FRB-07
        return "push"
    if dealers > 21 or own > dealers:
        return "win"
    return "push" if own == dealers else "lose"
