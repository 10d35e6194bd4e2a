"""Checks a player's own record: the cards against the shoe, the hands against the cards, the money against the hands.

The engine's `Play` deals the cards again and its `Settlement` settles the own lines. Other players' stakes are not
needed: they change no hand, no recorded decision and no own payment.
"""

import re
from collections.abc import Sequence
from contextlib import suppress
from hashlib import sha256

import msgspec

from sabot.cards import Card, CardError, parse_card
from sabot.engine.book import Book
from sabot.engine.commands import DEALER, Player
from sabot.engine.events import BetSettled, CardDealt, Event, Stake, WinCapped, means
from sabot.engine.inputs import Tape
from sabot.engine.play import Play
from sabot.engine.settlement import Settlement
from sabot.fairness.live import ProofError, ShoePromise, check_shoe, seeds_digest
from sabot.games.rules import Rules
from sabot.record.own import (
    Decided,
    OwnPaidPart,
    OwnRecord,
    OwnStudioPart,
    Shown,
    own_payment,
    parse_decided,
    parse_shown,
)
from sabot.record.record import HandPart, RecordError, played_hands
from sabot.record.replay import PlayedShoe, check_copies, check_rules, compare

#: The player whose record it is.
_ME: Player = "me"
_ON_HANDS = ("initial", "double", "split")
#: A hole card that was promised: the commitment, the salt, the card.
_HOLE = re.compile(r"([0-9a-f]{64}) ([0-9a-f]{32}) (\S+)")


def check_own(record: OwnRecord, rules: Rules | None = None) -> None:
    """Check a record against itself, its rules and its shoe; `RecordError` names the first place that differs."""
    known = check_rules(record.round, rules)
    if known.backing == "solo":
        raise RecordError("round.game", f"{known.name} is played alone: its record is whole")
    spots = [spot.spot for spot in record.spot]
    if spots != sorted(set(spots).intersection(range(known.spots))):
        raise RecordError("spot", f"the spots are 0 to {known.spots - 1}, each once, in their order")
    shown = [parse_shown(at, text) for at, text in enumerate(record.cards)]
    _check_places(record, shown)
    _check_shoe(record, known, shown)
    if record.round.end == "settled":
        again = _Replay(record, known, shown)
        again.run()
        compare("hand", record.hand, played_hands(again.play))
        compare("paid", record.paid, again.paid)
    elif record.paid:
        raise RecordError("paid[0]", "a round that is void pays nothing")
    if record.sha256 != record.seal():
        raise RecordError("sha256", "everything agrees, but the text was changed after it was sealed")


def sealed_own(record: OwnRecord, rules: Rules | None = None) -> OwnRecord:
    """The record with its hands, made from its cards and decisions, and with the hash of its contents.

    The hands are left out if the rules of the round are no longer known.
    """
    hands: tuple[HandPart, ...] = ()
    if record.round.end == "settled":
        shown = [parse_shown(at, text) for at, text in enumerate(record.cards)]
        with suppress(RecordError):
            again = _Replay(record, check_rules(record.round, rules), shown)
            again.run()
            hands = played_hands(again.play)
    return msgspec.structs.replace(record, hand=hands).sealed()


def _check_places(record: OwnRecord, shown: Sequence[Shown]) -> None:
    """Check that the places follow each other, and that only hidden cards are hidden."""
    start = record.start
    for at, card in enumerate(shown):
        if card.place != start + at:
            raise RecordError(f"cards[{at}]", f"place {start + at} is missing")
        burnt = at == 0 and record.options.burn
        if (card.whose == "burnt") != burnt:
            raise RecordError(f"cards[{at}]", "one card is burnt, the first, if the table burns any")
        if card.whose == "hole" and record.round.end == "settled":
            raise RecordError(f"cards[{at}]", "the hole card is turned before a round is settled")


def _check_shoe(record: OwnRecord, rules: Rules, shown: Sequence[Shown]) -> None:
    shoe, studio = record.shoe, record.studio
    seen = {card.place: card.card for card in shown if card.card is not None}
    check_copies([*seen.values()], rules.decks)
    if studio is not None:
        _check_holes(studio, shown)
        return
    if shoe is None:
        raise RecordError("shoe", "a record says where its cards come from")
    try:
        digest = seeds_digest(shoe.seeds)
        if shoe.seed and digest == shoe.client_seed:
            promise = ShoePromise(rules.decks, shoe.commitment, shoe.seeds, shoe.client_seed, shoe.root)
            check_shoe(promise, bytes.fromhex(shoe.seed), seen)
    except ProofError as error:
        raise RecordError("shoe", str(error)) from None
    except ValueError as error:
        raise RecordError("shoe.seed", str(error)) from None
    if digest != shoe.client_seed:
        raise RecordError("shoe.client_seed", f"the digest of these seeds is {digest}")


def _check_holes(studio: OwnStudioPart, shown: Sequence[Shown]) -> None:
    """Check what players were promised of the hole card against the card, and against the one that was turned (STU-06)."""
    card = None
    for at, text in enumerate(studio.holes):
        place = f"studio.holes[{at}]"
        found = _HOLE.fullmatch(text)
        if found is None:
            raise RecordError(place, "write a commitment, a salt and a card")
        try:
            card = parse_card(found[3])
        except CardError as error:
            raise RecordError(place, str(error)) from None
        if sha256(bytes.fromhex(found[2]) + bytes((card,))).hexdigest() != found[1]:
            raise RecordError(place, "this card with this salt is not the one committed to")
    dealer = [one.card for one in shown if one.whose == "dealer"]
    if card is not None and len(dealer) > 1 and dealer[1] != card:
        raise RecordError("studio.holes", "the hole card that was turned is not the one committed to")


def _go_on() -> None:
    """Every card is known: the next step is taken by its caller."""


class _Replay:
    """Replays the round from what its player knows."""

    def __init__(self, record: OwnRecord, rules: Rules, shown: Sequence[Shown]) -> None:
        self._record = record
        #: Whose each card is.
        self._owners = [card.whose for card in shown]
        # Any card will do for one that was not shown.
        self._shoe = PlayedShoe([card.card or Card(0) for card in shown], "cards")
        #: The results of the own lines.
        self.paid: list[OwnPaidPart] = []
        self.play = Play(rules, self._shoe, [], self._handle)
        book = Book(rules, record.options, Tape({_ME: 0}), self._handle)
        for at, line in enumerate(record.paid):
            if line.result != "capped":
                self._check_line(at, line)
                stake = Stake(line.stake, line.golden, line.free)
                book.open_line(_ME, line.spot, line.hand, line.why, stake)
        self._settlement = Settlement(self.play, book, self._handle)

    def run(self) -> None:
        """Deal, decide, finish the dealer, settle."""
        record, play = self._record, self.play
        if record.options.burn:
            play.burn(_go_on)
        play.deal([spot.spot for spot in record.spot], _go_on)
        self._check_bets()
        self._settlement.side_bets.decide_at_deal()
        for at, text in enumerate(record.decisions):
            self._decide(f"decisions[{at}]", parse_decided(at, text))
        self._settlement.finish_dealer(_go_on)
        self._draw_for_others()
        waits = play.next_open()
        if waits is not None and not (play.checks and play.dealer.is_natural):
            raise RecordError("decisions", f"the hand {waits[0]}.{waits[1]} has not ended")
        for at, line in enumerate(record.paid):
            if line.why in _ON_HANDS and line.hand >= len(play.spots[line.spot]):
                raise RecordError(f"paid[{at}].hand", f"spot {line.spot} was not split")
        self._settlement.pay_all()

    def _handle(self, event: Event) -> None:
        """Check that each card goes where the record has it, and collect payments."""
        if isinstance(event, CardDealt):
            at = self._shoe.dealt - 1
            whose = "dealer" if event.spot == DEALER else f"{event.spot}.{event.hand}"
            if self._owners[at] != whose:
                raise RecordError(f"cards[{at}]", f"this card goes to {whose}")
        elif isinstance(event, BetSettled | WinCapped):
            self.paid.append(own_payment(event))

    def _decide(self, place: str, decided: Decided) -> None:
        play, spot, hand = self.play, decided.spot, decided.hand
        if play.next_open() != (spot, hand):
            raise RecordError(place, f"it is not the turn of {spot}.{hand}")
        held = play.spots[spot][hand]
        if decided.action not in play.actions(held):
            raise RecordError(place, f"{decided.action} is not legal for {spot}.{hand}")
        match decided.action:
            case "hit":
                play.hit(spot, hand, _go_on)
            case "stand":
                play.end(spot, hand, "stood")
            case "double":
                self._check_free(place, decided, play.double_is_free(held))
                play.double(spot, hand, means(decided.free), _go_on)
            case "split":
                self._check_free(place, decided, play.split_is_free(held))
                after = self._shoe.dealt + 1
                play.split(
                    spot, self._owners[after : after + 1] == [f"{spot}.1"], means(decided.free), _go_on
                )

    @staticmethod
    def _check_free(place: str, decided: Decided, free: bool) -> None:
        if decided.free != free:
            raise RecordError(place, f"it is {'free' if free else 'not free'}")

    def _draw_for_others(self) -> None:
        """Draw on for other players' bets, where no hand and no own bet needs it (COM-07, MAJ-06)."""
        if self._shoe.left and len(self.play.dealer.cards) == 1:
            self.play.second_card(True, _go_on)
        if self._shoe.left:
            self.play.end_dealer(True, _go_on)
        if self._shoe.left:
            raise RecordError(f"cards[{self._shoe.dealt}]", "nobody draws this card")

    # The own lines

    def _check_line(self, at: int, line: OwnPaidPart) -> None:
        """Check that a line stands on a dealt spot, and that a raise is as large as its bet."""
        place = f"paid[{at}]"
        if line.spot not in {spot.spot for spot in self._record.spot}:
            raise RecordError(place, f"spot {line.spot} was not dealt")
        if line.hand not in (0, 1):
            raise RecordError(f"{place}.hand", f"there is no hand {line.hand}")
        if line.why not in ("double", "split", "insurance"):
            return
        first = {one.spot: one for one in self._record.paid if one.why == "initial"}.get(line.spot)
        if first is None:
            raise RecordError(place, f"there is no own bet on spot {line.spot}")
        face = line.stake + sum(line.golden) + line.free
        due = first.stake // 2 if line.why == "insurance" else first.stake + sum(first.golden)
        if face != due:
            raise RecordError(f"{place}.stake", f"recorded {face}, the bet makes it {due}")

    def _check_bets(self) -> None:
        """Check that every bet that stood has its line, and every line its bet."""
        record = self._record
        bets = {
            (bet.spot, "initial" if bet.kind in ("main", "behind") else bet.kind): (bet.stake, bet.golden)
            for bet in record.bet
            if not bet.returned
        }
        lines = {
            (line.spot, line.why): (line.stake, line.golden)
            for line in record.paid
            if line.why not in ("double", "split", "insurance", "max-win")
        }
        if bets != lines:
            raise RecordError("bet", f"the bets are {bets}, the lines paid are {lines}")
