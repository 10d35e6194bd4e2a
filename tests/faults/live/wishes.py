"""What a sensible player asks for next, from what the page shows and nothing else."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

from sabot.engine import Bet
from sabot.engine.commands import DECISIONS
from sabot.engine.events import Option
from sabot.engine.handlers.votes import VOTABLE
from sabot.games import find
from sabot.games.rules import Action
from sabot.protocol import messages, requests
from tests.faults.live.fold import live_of

#: What is brought to a table, in cents; with little a double is soon too much.
BROUGHT = (2_000, 5_000, 20_000)


class Sight(NamedTuple):
    """What a page shows, and chance."""

    table: messages.Snapshot
    me: messages.OwnPart
    player: str
    rng: Random
    id: str

    @property
    def phase(self) -> str:
        """What the table is doing."""
        return live_of(self.table).phase

    @property
    def seats(self) -> tuple[int, ...]:
        """The player's own seats."""
        return self.me.live.seats if self.me.live is not None else ()

    @property
    def bets(self) -> tuple[Bet, ...]:
        """The player's own bets."""
        return self.me.live.bets if self.me.live is not None else ()

    def may(self, chance: float) -> bool:
        """Whether something comes to mind."""
        return self.rng.random() < chance


def next_wish(sight: Sight) -> requests.AnyRequest | None:
    """The next thing a player wants; None to wait."""
    own, name, id = sight.me.live, sight.table.table, sight.id
    at_boxes = find(sight.table.game).rules.backing == "boxes"
    if sight.me.balance is None or own is None:
        return _sit(sight, at_boxes) if sight.me.account else None
    if own.consent is None or sight.may(0.02):
        return requests.ConsentRequest(id, name, sight.may(0.7), sight.may(0.7))
    if sight.me.balance < 1_000 and sight.me.account and sight.may(0.5):
        return requests.AddMoneyRequest(id, name, min(sight.me.account, sight.rng.choice(BROUGHT)))
    match sight.phase:
        case "shuffle" if sight.may(0.5):
            return requests.SendSeed(id, name, f"{sight.player} {sight.rng.random()}")
        case "betting" if not own.started:
            return _bet(sight, at_boxes)
        case "insurance" if sight.me.part is not None and sight.me.part.offers:
            spot = None if at_boxes or sight.may(0.5) else sight.me.part.offers[0].spot
            return requests.InsureRequest(id, name, sight.table.round, sight.table.turn, sight.may(0.5), spot)
        case "dealing" | "decisions":
            return (_vote(sight) if at_boxes else _decide(sight)) or _mix_in(sight)
    return _mix_in(sight)


def _mix_in(sight: Sight) -> requests.AnyRequest | None:
    """A part in the shuffle of the shoe that is shuffled aside, where there is one (FRB-30)."""
    if live_of(sight.table).next_commitment and sight.may(0.2):
        return requests.SendSeed(sight.id, sight.table.table, f"{sight.player} {sight.rng.random()}")
    return None


def _sit(sight: Sight, at_boxes: bool) -> requests.AnyRequest | None:
    amount = min(sight.me.account, sight.rng.choice(BROUGHT))
    return requests.Sit(sight.id, sight.table.table, amount, None if at_boxes else _free_seat(sight, 0.7))


def _free_seat(sight: Sight, eager: float) -> int | None:
    taken = {seat.spot for seat in live_of(sight.table).seats}
    free = [spot for spot in range(7) if spot not in taken]
    return sight.rng.choice(free) if free and sight.may(eager) else None


# Betting


def _bet(sight: Sight, at_boxes: bool) -> requests.AnyRequest | None:
    id, name, code = sight.id, sight.table.table, sight.table.round
    if sight.bets and sight.may(0.7):
        if not at_boxes and sight.seats and sight.may(0.4):
            return requests.StartNow(id, name, code)
        return None
    if not at_boxes and not sight.bets and sight.may(0.15):
        return _seat_wish(sight)
    if sight.bets and sight.may(0.2):
        return requests.PlaceBetsRequest(id, name, code, ())
    bets = _on_boxes(sight) if at_boxes else _at_seats(sight)
    return requests.PlaceBetsRequest(id, name, code, bets) if bets else None


def _seat_wish(sight: Sight) -> requests.AnyRequest | None:
    """A seat more or less, or bets behind it."""
    id, name = sight.id, sight.table.table
    if sight.seats and sight.may(0.6):
        spot = sight.rng.choice(sight.seats)
        return (
            requests.Leave(id, name, spot)
            if sight.may(0.3)
            else requests.AllowBehindRequest(id, name, spot, sight.may(0.6))
        )
    free = _free_seat(sight, 1.0)
    more = min(sight.me.account, 500) if sight.may(0.5) else 0
    return None if free is None else requests.Sit(id, name, more, free)


def _on_boxes(sight: Sight) -> tuple[Bet, ...]:
    rules = find(sight.table.game).rules
    spots = sight.rng.choice(((0,), (1,), (0, 1)))
    bets: list[Bet] = []
    chips = dict(sight.me.live.golden) if sight.me.live is not None else {}
    for bet in sight.bets:
        for chip in bet.golden:
            chips[chip] = chips.get(chip, 0) + 1
    for spot in spots:
        golden = tuple(value for value, count in chips.items() if count and sight.may(0.3))[:1]
        for value in golden:
            chips[value] -= 1
        bets.append(Bet(spot, "main", _stake(sight, 400, odd=0.05), golden))
        bets += [Bet(spot, side.name, _stake(sight, 100)) for side in rules.side_bets if sight.may(0.15)]
    return tuple(bets)


def _at_seats(sight: Sight) -> tuple[Bet, ...]:
    stake, rules = _stake(sight, 400, odd=0.05), find(sight.table.game).rules
    bets = [Bet(spot, "main", stake) for spot in sight.seats if sight.seats]
    for spot in sight.seats:
        bets += [Bet(spot, side.name, _stake(sight, 100)) for side in rules.side_bets if sight.may(0.2)]
    others = [seat.spot for seat in live_of(sight.table).seats if seat.player != sight.player and seat.behind]
    if others and sight.may(0.5 if sight.seats else 0.9):
        behind = sight.rng.sample(others, min(len(others), sight.rng.choice((1, 1, 2))))
        bets += [Bet(spot, "behind", _stake(sight, 200, odd=0.05)) for spot in behind]
    return tuple(bets)


def _stake(sight: Sight, usual: int, odd: float = 0.0) -> int:
    """A usual stake, or now and then one that is too small to stand when betting closes."""
    return 50 if sight.may(odd) else usual * sight.rng.choice((1, 1, 2))


# In the round


def _vote(sight: Sight) -> requests.AnyRequest | None:
    view, own = sight.table.view, sight.me.live
    if view is None or view.turn is None or own is None or own.vote is not None or sight.phase != "decisions":
        return None
    spot, hand = view.turn
    mode = next(one.mode for one in view.spots if one.spot == spot)
    if mode != "vote" or not any((bet.spot, bet.kind) == (spot, "main") for bet in own.bets):
        return None
    action = _any_of(sight, view.options)
    if action not in VOTABLE:
        return None
    table = sight.table
    return requests.VoteRequest(sight.id, table.table, table.round, table.turn, spot, action, hand)


def _decide(sight: Sight) -> requests.AnyRequest | None:
    view, table = sight.table.view, sight.table
    if view is None or view.turn is None:
        return None
    spot, hand = view.turn
    if spot in sight.seats and sight.phase == "decisions":
        command = DECISIONS[_any_of(sight, view.options)](spot, hand)
        return requests.Act(sight.id, table.table, table.round, table.turn, command)
    later = [one for one in sight.seats if one > spot]
    if not later:
        return None
    wish: Action | None = sight.rng.choice(("hit", "stand", "double", "split", None))
    return requests.PreDecide(sight.id, table.table, table.round, sight.rng.choice(later), wish)


def _any_of(sight: Sight, options: tuple[Option, ...]) -> Action:
    return sight.rng.choice([option.action for option in options])
