"""A player's own record of a live round: the own bets and payments, every card that was shown, every decision.

The full record of a live round names every player's stakes; only the house keeps it. The own record has no names and no
other stakes, only counts: how many players stood on each spot, and how they voted. `check_own` deals the cards again and
computes the own payments; once the shoe is revealed, it also compares the cards with it.
"""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple

from sabot.cards import Card, CardError, format_card, parse_card
from sabot.engine import events
from sabot.engine.commands import DEALER, Bet, Player
from sabot.engine.events import AnyEvent, Event, Mode
from sabot.engine.shoe import Places
from sabot.games.options import TableOptions
from sabot.games.rules import Action
from sabot.record.record import HandPart, Part, RecordError, RoundPart, Sealed

#: What stands in place of a card that was not shown.
_BURNT, _HOLE = "burnt", "hole"
_CARD = re.compile(r"([0-9]{1,3}) (?:(burnt|hole)|(dealer|[0-6]\.[01]) (\S+))")
_DECISION = re.compile(r"([0-6])\.([01]) (hit|stand|double|split)( free)?(?:: (.+))?")


class OwnShoePart(Part, frozen=True):
    """The published data of the shoe; the seed once the shoe is done."""

    commitment: str
    client_seed: str
    seeds: tuple[str, ...]
    root: str
    start: int = 0
    seed: str = ""


class OwnStudioPart(Part, frozen=True):
    """The cards of a round that a person dealt: no shuffle was committed to (STU-30)."""

    dealing: Literal["studio"]
    #: Cards dealt from the shoe before this round.
    start: int = 0
    #: Hole cards: the commitment that players were told when it was dealt, its salt, the card (STU-06).
    holes: tuple[str, ...] = ()
    #: Cards that were taken back or corrected, by their place in the shoe (STU-08).
    corrections: tuple[str, ...] = ()


class SpotPart(Part, frozen=True):
    """A spot that was dealt: who decided for it, and how many players stood on it."""

    spot: int
    mode: Mode
    players: int


class OwnBetPart(Part, frozen=True):
    """An own bet when betting closed; if it was returned, why."""

    spot: int
    kind: str
    stake: int = 0
    golden: tuple[int, ...] = ()
    returned: str = ""


class OwnPaidPart(Part, frozen=True):
    """The result of an own line; `result = "capped"` is the amount that the maximum win cut."""

    spot: int
    hand: int
    why: str
    result: str
    paid: int
    stake: int = 0
    golden: tuple[int, ...] = ()
    free: int = 0
    golden_back: tuple[int, ...] = ()


class OwnRecord(Sealed, frozen=True, kw_only=True):
    """One live round, as one of its players may keep it."""

    kind: Literal["own"]
    sha256: str = ""
    #: Place in the shoe, hand and card; `burnt` and `hole` for what was not shown.
    cards: tuple[str, ...] = ()
    #: Hand and decision; `free` where it was, and the votes.
    decisions: tuple[str, ...] = ()
    round: RoundPart
    #: One of the two: a shoe of the house, or real cards.
    shoe: OwnShoePart | None = None
    studio: OwnStudioPart | None = None
    options: TableOptions = TableOptions()
    spot: tuple[SpotPart, ...] = ()
    bet: tuple[OwnBetPart, ...] = ()
    hand: tuple[HandPart, ...] = ()
    paid: tuple[OwnPaidPart, ...] = ()

    @property
    def start(self) -> int:
        """The place of its first card in the shoe."""
        part = self.shoe or self.studio
        return 0 if part is None else part.start


class Shown(NamedTuple):
    """A card of the record: its place, whose it is, and the card itself if it was shown."""

    place: int
    whose: str
    card: Card | None


class Decided(NamedTuple):
    """A decision of the record."""

    spot: int
    hand: int
    action: Action
    free: bool


# Writing


def write_own(
    round: RoundPart,
    shoe: OwnShoePart | OwnStudioPart,
    options: TableOptions,
    player: Player,
    events: Iterable[AnyEvent],
) -> OwnRecord:
    """The own record of a finished round, from the events that the player could see; without hands and seal."""
    seen = _Seen(shoe.start, options.burn)
    for event in events:
        seen.take(event, player)
    paid = seen.paid if round.end == "settled" else []
    return OwnRecord(
        kind="own",
        cards=tuple(f"{place} {text}" for place, text in sorted(seen.cards.items())),
        decisions=tuple(seen.decisions),
        round=round,
        shoe=shoe if isinstance(shoe, OwnShoePart) else None,
        studio=shoe if isinstance(shoe, OwnStudioPart) else None,
        options=options,
        spot=tuple(seen.spots),
        bet=tuple(
            OwnBetPart(bet.spot, bet.kind, bet.stake, bet.golden, seen.returned.get((bet.spot, bet.kind), ""))
            for bet in seen.bets
        ),
        paid=tuple(paid),
    )


class _Seen:
    """What a player saw of a round, collected from its events."""

    def __init__(self, start: int, burn: bool) -> None:
        self._places = Places(start + burn)
        self.cards: dict[int, str] = {start: _BURNT} if burn else {}
        self.decisions: list[str] = []
        self.spots: list[SpotPart] = []
        self.bets: tuple[Bet, ...] = ()
        self.returned: dict[tuple[int, str], str] = {}
        self.paid: list[OwnPaidPart] = []

    def take(self, event: AnyEvent, player: Player) -> None:
        """Add an event; a burnt card is there from the start."""
        if isinstance(event, events.CardBurnt):
            return
        if isinstance(event, events.HoleDealt):
            self.cards[self._places.next] = _HOLE
        for place, card in self._places.turned((event,)):
            self.cards[place] = f"{_whose(event)} {format_card(card)}"
        match event:
            case events.BetsPlaced(player=owner, bets=bets) if owner == player:
                self.bets = bets
            case events.BetReturned(player=owner, bet=bet, reason=reason) if owner == player:
                self.returned[bet.spot, bet.kind] = reason
            case events.BettingClosed(spots=spots):
                self.spots = [SpotPart(spot.spot, spot.mode, spot.backers) for spot in spots]
            case events.Acted():
                self.decisions.append(_decision(event))
            case events.BetSettled(player=owner) | events.WinCapped(player=owner) if owner == player:
                self.paid.append(own_payment(event))


def own_payment(event: events.BetSettled | events.WinCapped) -> OwnPaidPart:
    """The line of a record for an own payment."""
    if isinstance(event, events.WinCapped):
        return OwnPaidPart(DEALER, 0, "max-win", "capped", -event.amount)
    stake = event.stake
    line = (event.spot, event.hand, event.why, event.result, event.paid)
    return OwnPaidPart(*line, stake.own, stake.golden, stake.free, event.golden_back)


def _whose(event: Event) -> str:
    if isinstance(event, events.HoleShown) or (isinstance(event, events.CardDealt) and event.spot == DEALER):
        return "dealer"
    return f"{event.spot}.{event.hand}" if isinstance(event, events.CardDealt) else ""


def _decision(event: events.Acted) -> str:
    votes = ", ".join(f"{action} {count}" for action, count in event.tally)
    return f"{event.spot}.{event.hand} {event.action}{' free' * event.free}{f': {votes}' * bool(votes)}"


# Text


def is_own(text: str) -> bool:
    """Whether a text is an own record."""
    return any(line.strip() == 'kind = "own"' for line in text.splitlines())


def parse_shown(at: int, text: str) -> Shown:
    """A card of the record.

    >>> parse_shown(0, "12 0.1 As")
    Shown(place=12, whose='0.1', card=0)
    """
    found = _CARD.fullmatch(text)
    if found is None:
        raise RecordError(f"cards[{at}]", f"{text!r} is no card: write it like '12 0.0 As' or '13 burnt'")
    place, hidden, whose, card = found.groups()
    if hidden is not None:
        return Shown(int(place), hidden, None)
    try:
        return Shown(int(place), whose, parse_card(card))
    except CardError as error:
        raise RecordError(f"cards[{at}]", str(error)) from None


def parse_decided(at: int, text: str) -> Decided:
    """A decision of the record.

    >>> parse_decided(0, "0.1 double free: double 3, hit 1")
    Decided(spot=0, hand=1, action='double', free=True)
    """
    found = _DECISION.fullmatch(text)
    if found is None:
        raise RecordError(f"decisions[{at}]", f"{text!r} is no decision: write it like '0.0 hit'")
    spot, hand, action, free, _ = found.groups()
    return Decided(int(spot), int(hand), action, free is not None)  # type: ignore[arg-type]  # the pattern has them
