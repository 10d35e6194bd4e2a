"""Chooses the next move of a bot from its view of the table. No socket, no clock."""

from collections.abc import Iterator
from random import Random
from typing import NamedTuple

from sabot.bots.character import Character
from sabot.bots.choices import legal_ahead
from sabot.client import TableState
from sabot.games import find
from sabot.protocol import messages
from sabot.tables.live.view import LivePart, LiveView

#: Kinds of stakes that give a vote on a hand.
_MAIN = ("initial", "double", "split")
#: A bot brings more money when it has less than this many minimum bets.
_LOW = 4


class Move(NamedTuple):
    """A move and its occasion; each occasion is used once."""

    kind: str
    occasion: str


class _Situation(NamedTuple):
    """The table as one of its players sees it."""

    state: TableState
    live: LiveView
    me: messages.OwnPart
    part: LivePart


class Mind:
    """Chooses the moves of a bot, which leaves `keep_free` seats to people."""

    def __init__(self, rng: Random, character: Character, keep_free: int = 0) -> None:
        self.rng = rng
        self.character = character
        self._keep_free = keep_free
        #: Rounds before it leaves, and whether it must leave at once.
        self.rounds_left = rng.randint(*character.rounds)
        self.called_away = False
        self._round = ""
        self._done: set[str] = set()
        self._whims: dict[str, bool] = {}

    def next(self, state: TableState) -> Move | None:
        """The move to make now, if any."""
        me, live = state.me, state.live
        if me is None or me.live is None or live is None or live.paused:
            return None
        if state.round != self._round:
            self._round = state.round
            self._forget(f"seed {live.next_commitment}")
        seen = _Situation(state, live, me, me.live)
        return next((move for move in self._moves(seen) if move.occasion not in self._done), None)

    def _forget(self, occasion: str) -> None:
        """Forget the occasions and whims of the last round, except one."""
        self._done &= {occasion}
        self._whims = {kept: whim for kept, whim in self._whims.items() if kept == occasion}

    def did(self, move: Move) -> None:
        """Mark a move as done, or refused for good."""
        self._done.add(move.occasion)

    def is_gone(self, state: TableState) -> bool:
        """Whether the bot wanted to go and has left the table."""
        return self._wants_to_go() and state.me is not None and state.me.balance is None

    def _wants_to_go(self) -> bool:
        return self.called_away or self.rounds_left <= 0

    def _feels_like(self, occasion: str, chance: float) -> bool:
        """Draw a whim once for each occasion."""
        if occasion not in self._whims:
            self._whims[occasion] = self.rng.random() < chance
        return self._whims[occasion]

    def _perhaps(self, kind: str, occasion: str, chance: float) -> Iterator[Move]:
        move = Move(kind, f"{kind} {occasion}")
        if self._feels_like(move.occasion, chance):
            yield move

    # Moves, the most important first

    def _moves(self, seen: _Situation) -> Iterator[Move]:
        round = seen.state.round
        if self._wants_to_go():
            if seen.me.balance is not None and not seen.part.leaving:
                yield Move("leave", f"leave {round}")
        elif seen.me.balance is None:
            yield Move("sit", f"sit {round} {seen.live.phase}")
        elif seen.live.phase == "betting" and not seen.part.bets:
            yield from self._before_betting(seen)
        if seen.me.balance is None:
            return
        yield from self._in_phase(seen)
        if seen.live.next_commitment:  # of the shoe at the shuffling table (FRB-30)
            yield from self._perhaps("seed", seen.live.next_commitment, self.character.seeds)

    def _in_phase(self, seen: _Situation) -> Iterator[Move]:
        round, live, part = seen.state.round, seen.live, seen.part
        match live.phase:
            case "shuffle" if live.shoe is not None and not live.shoe.client_seed:
                yield from self._perhaps("seed", live.shoe.commitment, self.character.seeds)
            case "betting" if part.seats and part.bets and not part.started:
                yield from self._perhaps("start", round, self.character.starts)
            case "insurance" if seen.me.part is not None and seen.me.part.offers:
                yield Move("insure", f"insure {round}")
            case "dealing" | "decisions":
                yield from self._decisions(seen)
            case "payout":
                yield from self._perhaps("talk", round, self.character.talks)

    def _before_betting(self, seen: _Situation) -> Iterator[Move]:
        state, me, part = seen.state, seen.me, seen.part
        options = state.snapshot.options
        if part.consent is None and not part.seats:
            yield Move("consent", "consent")
        if not part.seats and self.free_seats(state):
            yield Move("seat", f"seat {state.round}")
        if part.seats and self._makes_room(state):
            yield Move("rise", f"rise {state.round}")
        if (me.balance or 0) < _LOW * options.main.minimum:
            yield Move("money", f"money {state.round}")
        window = f"{state.round} {seen.live.until}"
        if not self._feels_like(f"rest {window}", self.character.rests):
            yield Move("bet", f"bet {window}")

    def free_seats(self, state: TableState) -> list[int]:
        """Free seats it may take; none at a table with boxes."""
        free = _free(state)
        return free if len(free) > self._keep_free else []

    def _makes_room(self, state: TableState) -> bool:
        """Whether this bot must get up: too few seats are free, and it has the last seat of a bot."""
        bots = [spot for spot, seat in state.seats.items() if seat.bot]
        return len(_free(state)) < self._keep_free and max(bots, default=-1) in state.own_seats

    def _decisions(self, seen: _Situation) -> Iterator[Move]:
        state, part, view = seen.state, seen.part, seen.state.view
        turn = view.turn if view is not None else None
        if seen.live.phase == "decisions" and turn is not None:
            spot = state.spot(turn[0])
            occasion = f"{state.round} {state.turn}"
            if turn[0] in part.seats:
                if turn[0] not in part.wishes:
                    yield Move("decide", f"decide {occasion}")
            elif spot is not None and spot.mode == "vote" and _stands_on(seen.me, turn):
                yield from self._perhaps("vote", occasion, self.character.votes)
        for own in part.seats:
            waits = turn is None or turn[0] != own or seen.live.phase == "dealing"
            if waits and own not in part.wishes and legal_ahead(state, own):
                yield from self._perhaps("wish", f"{state.round} {own}", self.character.ahead)


def _free(state: TableState) -> list[int]:
    """Seats that nobody has."""
    rules, taken = find(state.snapshot.game).rules, state.seats
    return [spot for spot in range(rules.spots) if spot not in taken] if rules.backing == "seats" else []


def _stands_on(me: messages.OwnPart, hand: tuple[int, int]) -> bool:
    """Whether the player has a stake on the hand."""
    lines = me.part.lines if me.part is not None else ()
    return any((line.spot, line.hand) == hand and line.why in _MAIN for line in lines)
