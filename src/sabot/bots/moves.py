"""Sends a bot's moves to the house."""

from functools import cache
from random import Random
from typing import Literal

from sabot.bots import choices
from sabot.bots.mind import Mind, Move
from sabot.client import PlayerClient, TableState
from sabot.engine import Bet
from sabot.games import find
from sabot.texts import Catalogue

Occasion = Literal["hello", "won", "lost", "even", "bust"]


class BrokeError(Exception):
    """The account has too little money to sit down."""


async def carry_out(move: Move, client: PlayerClient, table: str, mind: Mind) -> bool:
    """Send the request of a move; True if there was one to send, `RequestError` if it is refused."""
    state, rng, character = client.tables[table], mind.rng, mind.character
    match move.kind:
        case "sit":
            await _sit(client, table, state, mind)
        case "seat":
            await client.sit(table, 0, rng.choice(mind.free_seats(state)))
        case "money":
            return await _bring_money(client, table, state, mind)
        case "rise":
            await client.leave(table, state.own_seats[-1])
        case "leave":
            await client.leave(table)
        case "consent":
            follows = rng.random() < character.follows
            await client.consent(table, follows, follows)
        case "seed":
            await client.seed(table, f"{rng.getrandbits(64):016x}")
        case "bet":
            bets = _bets(state, mind)
            if not bets:
                return False
            await client.bet(table, bets)
        case "start":
            await client.start_now(table)
        case "insure":
            await client.insure(table, rng.random() < character.insures and _can_insure(state))
        case "talk":
            await client.say(table, rng.choice(lines(character.language, _occasion(state))))
        case _:
            await _decide(move, client, table, mind)
    return True


async def _decide(move: Move, client: PlayerClient, table: str, mind: Mind) -> None:
    state, rng, character = client.tables[table], mind.rng, mind.character
    if move.kind == "wish":
        spot = int(move.occasion.rpartition(" ")[2])
        legal = choices.legal_ahead(state, spot)
        await client.pre_decide(table, spot, choices.decision(rng, character, state, spot, 0, legal))
        return
    assert state.view is not None
    assert state.view.turn is not None, "a decision has a turn"
    legal = tuple(option.action for option in state.options if option.unavailable is None)
    action = choices.decision(rng, character, state, *state.view.turn, legal)
    await (client.vote(table, action) if move.kind == "vote" else client.decide(table, action))


async def _sit(client: PlayerClient, table: str, state: TableState, mind: Mind) -> None:
    """Sit down, on a seat if one is free (FRB-20); sometimes say hello."""
    free, amount = mind.free_seats(state), purse(mind.rng, state)
    if not amount:
        raise BrokeError
    await client.sit(table, amount, mind.rng.choice(free) if free else None)
    if mind.rng.random() < mind.character.talks:
        await client.say(table, mind.rng.choice(lines(mind.character.language, "hello")))


async def _bring_money(client: PlayerClient, table: str, state: TableState, mind: Mind) -> bool:
    """Bring more money, or leave if there is none."""
    amount = purse(mind.rng, state)
    if amount:
        await client.add_money(table, amount)
    else:
        mind.rounds_left = 0
    return amount > 0


def purse(rng: Random, state: TableState) -> int:
    """Money to bring: part of what the account and the cap of the table leave (PLT-04)."""
    account, brought = (state.me.account, state.me.brought) if state.me is not None else (0, 0)
    cap = state.snapshot.cap
    most = account if cap is None else min(account, cap - brought)
    return choices.sitting(rng, state.snapshot.options, most)


def _bets(state: TableState, mind: Mind) -> tuple[Bet, ...]:
    balance = state.me.balance if state.me is not None else None
    seats = find(state.snapshot.game).rules.backing == "seats"
    choose = choices.bets_at_seats if seats else choices.bets_at_boxes
    return choose(mind.rng, mind.character, state, balance or 0)


def _can_insure(state: TableState) -> bool:
    part = state.me.part if state.me is not None else None
    return part is not None and all(offer.affordable for offer in part.offers)


def _occasion(state: TableState) -> Occasion:
    paid = state.me.results.paid if state.me is not None else None
    if state.view is not None and state.view.dealer.total > 21:
        return "bust"
    if paid is None or paid.paid == paid.staked:
        return "even"
    return "won" if paid.paid > paid.staked else "lost"


@cache
def lines(language: str, occasion: Occasion) -> tuple[str, ...]:
    """The chat lines of bots for an occasion."""
    catalogue = Catalogue(language)
    keys = sorted(key for key in catalogue.keys() if key.startswith(f"bots.{occasion}."))  # noqa: SIM118  # a catalogue is no dict
    return tuple(catalogue.text(key) for key in keys)
