"""Betting and the deal (COM-10, COM-25, COM-27, FRB-01, FRB-41, MAJ-14)."""

from __future__ import annotations

from tests.oracle.cards import is_ace
from tests.oracle.state import Bet, Bonus, Disagreement, Hand, Spot, Stake, Table
from tests.oracle.tables import as_int, as_list


def read_bet(wire: object) -> Bet:
    assert isinstance(wire, dict)
    golden = [as_int(chip) for chip in as_list(wire.get("golden", []))]
    return Bet(as_int(wire["spot"]), str(wire["kind"]), Stake(as_int(wire.get("stake", 0)), golden))


def place_bets(table: Table, player: str, bets: list[Bet]) -> None:
    """Replace all bets of a player. Live stakes are taken now, solo ones at the deal (COM-27)."""
    if table.phase != "betting":
        raise Disagreement("bets are closed")
    if table.facts.solo:
        table.bets[player] = bets
        return
    for bet in table.bets.get(player, []):
        give_back(table, player, bet)
    table.bets[player] = bets
    for bet in bets:
        table.take(player, bet.stake.own)
        table.take_chips(player, bet.stake.golden)


def give_back(table: Table, player: str, bet: Bet) -> None:
    table.give(player, bet.stake.own)
    table.give_chips(player, bet.stake.golden)


def minimum(table: Table, kind: str) -> int:
    if kind == "main":
        return table.options.minimum_main
    if kind == "behind":
        return table.options.minimum_behind
    return table.options.minimum_side


def return_small_bets(table: Table) -> None:
    """COM-25: what is below its minimum goes back, a main stake with its side bets."""
    for player, bets in table.bets.items():
        small_mains = [
            bet.spot for bet in bets if bet.kind == "main" and bet.stake.face() < minimum(table, "main")
        ]
        kept = []
        for bet in bets:
            too_small = bet.stake.face() < minimum(table, bet.kind)
            loses_its_main = bet.kind != "behind" and bet.spot in small_mains
            if too_small or loses_its_main:
                give_back(table, player, bet)
            else:
                kept.append(bet)
        table.bets[player] = kept


def return_idle_bets_behind(table: Table, playing: list[int]) -> None:
    """FRB-41."""
    for player, bets in table.bets.items():
        for bet in bets:
            if bet.kind == "behind" and bet.spot not in playing:
                give_back(table, player, bet)
        table.bets[player] = [bet for bet in bets if bet.kind != "behind" or bet.spot in playing]


def put_on_lines(table: Table) -> None:
    for player, bets in table.bets.items():
        for bet in bets:
            why = "initial" if bet.kind in ("main", "behind") else bet.kind
            table.stakes[(player, bet.spot, 0, why)] = bet.stake


def deal(table: Table, insurance: bool) -> None:
    """Close betting, deal, and open the offers."""
    if table.phase != "betting":
        raise Disagreement("the cards are dealt already")
    if table.facts.solo:
        for player, bets in table.bets.items():
            table.take(player, sum(bet.stake.own for bet in bets))
    else:
        return_small_bets(table)
    playing = sorted({bet.spot for bets in table.bets.values() for bet in bets if bet.kind == "main"})
    return_idle_bets_behind(table, playing)
    if not playing:
        raise Disagreement("no spot plays")
    put_on_lines(table)
    table.spots = [Spot(number, [Hand([])]) for number in playing]
    table.phase = "offers"
    deal_cards(table)
    open_bonuses(table)
    if is_ace(table.dealer[0]):
        open_offers(table, insurance and table.options.insurance)


def deal_cards(table: Table) -> None:
    for spot in table.spots:
        spot.hands[0].cards.append(table.next_card())
    table.dealer.append(table.next_card())
    for spot in table.spots:
        spot.hands[0].cards.append(table.next_card())
    if table.facts.hole_card:
        table.dealer.append(table.next_card())
    for spot in table.spots:
        spot.first_two = list(spot.hands[0].cards)
        if spot.hands[0].is_blackjack():
            spot.hands[0].how = "blackjack"


def open_bonuses(table: Table) -> None:
    """LNK-20: every blackjack with a LINK bet has a bonus to play."""
    for _, number, _, why in table.stakes:
        if why == "link" and table.spot(number).hands[0].how == "blackjack":
            table.bonuses[number] = Bonus()


def open_offers(table: Table, insurance: bool) -> None:
    """Insurance for every insurable stake; in Link even money for blackjacks instead (COM-30, COM-32, LNK-04)."""
    for player, number, _, why in table.stakes:
        if why != "initial":
            continue
        if table.facts.even_money and table.spot(number).hands[0].how == "blackjack":
            table.even_money_open.append(number)
        elif insurance and insurance_cost(table, player, number) > 0:
            table.insurance_open.append((player, number))


def insurance_cost(table: Table, player: str, number: int) -> int:
    """Half of the own money in the initial stake, rounded down (COM-26, MAJ-55)."""
    return table.stakes[(player, number, 0, "initial")].own // 2
