"""The whole round, command by command (COM-09)."""

from __future__ import annotations

from tests.oracle import bets, bonus, offers, play, settle
from tests.oracle.cards import is_ace, is_ten, total
from tests.oracle.state import Disagreement, Given, ShoeEmpty, Table, Verdict
from tests.oracle.tables import as_int, as_list

DECISIONS = ["hit", "stand", "double", "split", "surrender", "cashback"]
#: Commands after which a hand comes to a new decision, if one is in turn.
MAKES_A_TURN = ["deal", "insure", "close-offers", *DECISIONS]


def judge(given: Given) -> Verdict:
    """Play all commands and say what is paid."""
    table = Table(given)
    try:
        if table.options.burn:  # MAJ-07
            table.next_card()
        for command in given.commands:
            if table.over:
                raise Disagreement(f"the round is {table.over} before {command}")
            obey(table, command)
            go_on(table)
            if command["type"] in MAKES_A_TURN:
                open_price(table)
    except ShoeEmpty:
        void(table)
    return verdict(table)


def obey(table: Table, command: dict[str, object]) -> None:
    kind = str(command["type"])
    player = str(command.get("player", ""))
    match kind:
        case "place-bets":
            bets.place_bets(table, player, [bets.read_bet(bet) for bet in as_list(command.get("bets", []))])
        case "consent":
            table.consents[player] = {"double": bool(command["double"]), "split": bool(command["split"])}
        case "allow-behind":
            pass  # it only refuses bets (FRB-43)
        case "add-money":
            table.give(player, as_int(command["amount"]))
            table.added[player] = table.added.get(player, 0) + as_int(command["amount"])
        case "deal":
            bets.deal(table, bool(command.get("insurance", True)))
        case "insure":
            spot = command.get("spot")
            offers.insure(table, player, None if spot is None else as_int(spot), bool(command["accept"]))
        case "even-money":
            offers.even_money(table, as_int(command["spot"]), bool(command["accept"]))
        case "close-offers":
            offers.close_offers(table)
        case "vote":
            hand = (as_int(command["spot"]), as_int(command.get("hand", 0)))
            table.votes.setdefault(hand, {})[player] = str(command["action"])
        case "spin" | "continue":
            obey_bonus(table, kind, as_int(command["spot"]))
        case "void":
            void(table)
        case _ if kind in DECISIONS:
            obey_decision(table, kind, command)
        case _:
            raise Disagreement(f"{kind} is no command")


def obey_decision(table: Table, action: str, command: dict[str, object]) -> None:
    number, index = as_int(command["spot"]), as_int(command.get("hand", 0))
    if bonus_in_turn(table) is not None:
        raise Disagreement(f"{action} before the bonus of spot {bonus_in_turn(table)}")
    play.act(table, action, number, index)
    if action == "cashback" and "price" in command:
        amount = table.spot(number).hands[index].cash
        if amount != as_int(command["price"]):
            raise Disagreement(f"the price is {amount}, not {command['price']}")


def obey_bonus(table: Table, kind: str, number: int) -> None:
    if table.phase != "play" or bonus_in_turn(table) != number:
        raise Disagreement(f"{kind} on spot {number}: the bonus in turn is that of {bonus_in_turn(table)}")
    if kind == "spin":
        bonus.spin(table, number)
    else:
        bonus.go_on_to_table(table, number)


def bonus_in_turn(table: Table) -> int | None:
    """LNK-20: the first open bonus, unless a hand to its right is still to be played."""
    hand = play.turn(table)
    for spot in table.spots:
        if hand is not None and hand[0] == spot.number:
            return None
        if spot.number in table.bonuses and table.bonuses[spot.number].stage != "over":
            return spot.number
    return None


def go_on(table: Table) -> None:
    """What happens by itself: the check, the turn, the dealer, the settlement."""
    if table.phase == "offers" and not table.insurance_open and not table.even_money_open:
        if dealer_checks(table) and settle.dealer_has_blackjack(table):
            settle.settle(table)
            return
        table.phase = "play"
    if table.phase != "play" or bonus_in_turn(table) is not None:
        return
    if play.turn(table) is None:
        settle.dealer_plays(table)
        settle.settle(table)


def open_price(table: Table) -> None:
    """CSH-04, CSH-05: every decision has a price of its own, but that of a 21 (COM-45)."""
    turn = play.turn(table)
    if table.facts.cashback and table.phase == "play" and turn is not None:
        number, index = turn
        table.prices_used += total(table.spot(number).hands[index].cards) < 21


def dealer_checks(table: Table) -> bool:
    up = table.dealer[0]
    return (table.facts.checks_ace and is_ace(up)) or (table.facts.checks_ten and is_ten(up))


def void(table: Table) -> None:
    """PLT-32: as if nothing had been staked; money brought meanwhile stays."""
    for player, brought in table.given.purses.items():
        table.purses[player] = brought + table.added.get(player, 0)
    table.chips = {player: dict(chips) for player, chips in table.given.golden.items()}
    table.paid.clear()
    table.golden_back.clear()
    table.capped.clear()
    table.phase = "over"
    table.over = "voided"


def verdict(table: Table) -> Verdict:
    in_turn = play.turn(table)
    deciding = table.phase == "play" and in_turn is not None and bonus_in_turn(table) is None
    return Verdict(
        over=table.over,
        cards_used=table.cards_used,
        draws_used=table.draws_used,
        dealer=table.dealer,
        hands={
            (spot.number, index): hand.cards for spot in table.spots for index, hand in enumerate(spot.hands)
        },
        paid=table.paid,
        golden_back=table.golden_back,
        capped=table.capped,
        balances=table.purses,
        golden_left={
            player: {value: count for value, count in chips.items() if count > 0}
            for player, chips in table.chips.items()
        },
        legal=play.actions(table, *in_turn) if deciding and in_turn is not None else [],
    )
