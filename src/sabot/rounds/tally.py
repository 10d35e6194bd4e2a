"""The tally of a finished round: what each bet staked and paid, from the events in the log (OFF-13, OFF-20).

A main bet is one bet with its doubles and splits, because that is what a published return speaks of. Insurance and
each side bet are bets of their own, and so is the part of a win that the maximum win cut, as a payment below zero.
"""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

import msgspec
from msgspec import Raw, Struct

from sabot.engine import AnyEvent
from sabot.engine.events import BetSettled, WinCapped
from sabot.games import CATALOGUE
from sabot.games.options import TableOptions
from sabot.store.entry import Body
from sabot.store.facts import RoundClosed

#: The bet that a stake belongs to, where it has not the name of its line.
_BETS = {"initial": "main", "double": "main", "split": "main"}
#: What the maximum win cut from payments (LNK-08), as a line of its own.
CUT = "max-win"
#: How an encoded event begins that says what a line paid.
_PAYS = (b'{"type":"bet-settled"', b'{"type":"win-capped"')

_EVENTS: msgspec.json.Decoder[list[AnyEvent]] = msgspec.json.Decoder(list[AnyEvent])


class BetLine(NamedTuple):
    """A player's bets of one kind in a round: own money staked, golden chips and free bets beside it, money paid."""

    player: int
    bet: str
    #: Lines of the bet: hands, doubles and splits count each.
    lines: int
    staked: int
    golden: int
    free: int
    paid: int
    #: The part of the stakes that was placed before the cards.
    initial: int


class FinishedRound(NamedTuple):
    """A round that is over: where and by which rules it was played, and what everyone staked and was paid."""

    code: str
    stream: int
    #: The table, `live/NAME`; solo tables of a game are one place, `solo/GAME`.
    place: str
    game: str
    #: SHA-256 of the rule set as the table plays it, which covers the weights of its draws.
    rules: str
    currency: str
    closed_at: int
    voided: bool
    #: Everyone who had a bet.
    players: tuple[int, ...]
    lines: tuple[BetLine, ...]


class OpenedWith(Struct, frozen=True):
    """The option of a round's opening that changes the rules it is played by."""

    buster_keeps_dealer: bool


class OpenedBy(Struct, frozen=True):
    """The part of a round's opening that says by which rules it is played."""

    game: str
    rules_sha256: str
    options: OpenedWith

    @property
    def rules(self) -> str:
        """SHA-256 of the rules as the table plays them: of the game's own, or of those that its options make of them."""
        game = CATALOGUE.get(self.game)
        if game is None or game.rules.sha256 != self.rules_sha256:
            return self.rules_sha256
        return TableOptions(buster_keeps_dealer=self.options.buster_keeps_dealer).played(game.rules).sha256


_OPENED_BY = msgspec.json.Decoder(OpenedBy)


def place_of(table: str) -> str:
    """The place of a table in sums, by the name of its stream.

    >>> place_of("solo/7/link/EUR"), place_of("live/freebet")
    ('solo/link', 'live/freebet')
    """
    kind, *parts = table.split("/")
    return f"solo/{parts[1]}" if kind == "solo" and len(parts) == 3 else table


def bet_lines(events: Iterable[AnyEvent]) -> tuple[BetLine, ...]:
    """What each player's bets staked and paid, in the order of their first events."""
    sums: dict[tuple[int, str], list[int]] = {}
    for event in events:
        if isinstance(event, BetSettled):
            line = sums.setdefault((int(event.player), _BETS.get(event.why, event.why)), [0] * 6)
            stake = event.stake
            initial = 0 if event.why in ("double", "split") else stake.own
            for i, number in enumerate((1, stake.own, sum(stake.golden), stake.free, event.paid, initial)):
                line[i] += number
        elif isinstance(event, WinCapped):
            sums.setdefault((int(event.player), CUT), [0] * 6)[4] -= event.amount
    return tuple(BetLine(*key, *numbers) for key, numbers in sums.items())


def rules_of(first: Body) -> OpenedBy:
    """The game and rules of a round, from its first row."""
    if not isinstance(first.detail, Raw):
        raise ValueError("the first row of the round does not say how it was opened")
    return _OPENED_BY.decode(first.detail)


def paying_events(bodies: Iterable[Body]) -> Iterable[AnyEvent]:
    """The events of those rows that have a payment or a loss in them; the others need not be decoded."""
    for body in bodies:
        if isinstance(body.events, Raw):
            encoded = bytes(body.events)
            if any(start in encoded for start in _PAYS):
                yield from _EVENTS.decode(encoded)


def finished_round(
    code: str, stream: int, table: str, currency: str, at: int, bodies: Sequence[Body]
) -> FinishedRound:
    """The tally of a round whose last row closes it, from all its rows."""
    opened = rules_of(bodies[0])
    closed = next(fact for fact in bodies[-1].facts if isinstance(fact, RoundClosed))
    voided = closed.end == "voided"
    return FinishedRound(
        code,
        stream,
        place_of(table),
        opened.game,
        opened.rules,
        currency,
        at,
        voided,
        tuple(played.player for played in closed.played),
        () if voided else bet_lines(paying_events(bodies)),
    )
