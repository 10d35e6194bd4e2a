"""Answers to insurance and even money (COM-30..33, LNK-04, LNK-05, MAJ-09)."""

from __future__ import annotations

from tests.oracle.bets import insurance_cost
from tests.oracle.state import Disagreement, Stake, Table


def insure(table: Table, player: str, number: int | None, accept: bool) -> None:
    """Without a spot, answer for all that are not answered yet."""
    answered = [
        offer
        for offer in table.insurance_open
        if offer[0] == player and (number is None or offer[1] == number)
    ]
    if not answered:
        raise Disagreement(f"no insurance is offered to {player} on spot {number}")
    for offer in answered:
        table.insurance_open.remove(offer)
        if accept:
            cost = insurance_cost(table, *offer)
            table.take(player, cost)
            table.stakes[(player, offer[1], 0, "insurance")] = Stake(cost)


def even_money(table: Table, number: int, accept: bool) -> None:
    """Taken, it fixes 1:1 whatever the dealer has."""
    if number not in table.even_money_open:
        raise Disagreement(f"even money is not offered on spot {number}")
    table.even_money_open.remove(number)
    if accept:
        table.spot(number).hands[0].how = "even-money"


def close_offers(table: Table) -> None:
    """Silence refuses (COM-32)."""
    if table.phase != "offers":
        raise Disagreement("no offer is open")
    table.insurance_open.clear()
    table.even_money_open.clear()
