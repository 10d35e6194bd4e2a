"""Replays a record and compares every hand and every cent."""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from msgspec import Struct

from sabot.cards import DECK_SIZE, Card, CardError, ShoeEmptyError, format_card, parse_cards
from sabot.engine import Bet, Price, Round, Shoe, StackedShoe
from sabot.engine.commands import DEALER, AnyCommand, Deal, Pay, PlaceBets, Scan, Void
from sabot.engine.inputs import ENGINE, Draw, is_known
from sabot.engine.shoe import HandShoe
from sabot.errors import Refusal
from sabot.fairness import SeededShoe, SeedStream, commitment
from sabot.games import find
from sabot.games.options import OptionError
from sabot.games.rules import PRICE_UNITS, Rules
from sabot.record.notation import NotationError, parse_command
from sabot.record.record import Record, RecordError, RoundPart, ShoePart, end_of, payments_of, played_hands


def replay(record: Record, rules: Rules | None = None, price: Price | None = None) -> Round:
    """Play the round of a record again; `RecordError` names the first place where it differs.

    A round by rules that differ from the catalogue's needs those rules. With a price function, cashback prices are
    worked out again; one may differ from the recorded price by at most a cent of the largest stake.
    """
    tapes = _Tapes(record, check_rules(record.round, rules), price)
    round = _open(record, tapes)
    for place, command in _script(record):
        tapes.deal_due(round)
        _apply(round, place, command)
    tapes.deal_due(round)
    if round.play.due is not None and round.play.due.what == "pay":
        round.apply(Pay())
    if not round.over:
        raise RecordError("commands", "the round is not over after the last command")
    if end_of(round) != record.round.end:
        raise RecordError("round.end", f"recorded {record.round.end!r}, the replay gives {end_of(round)!r}")
    tapes.check_used(round)
    compare("hand", record.hand, played_hands(round.play))
    compare("paid", record.paid, payments_of(round))
    if record.sha256 != record.seal():
        raise RecordError(
            "sha256", "every hand and payment agrees, but the text was changed after it was sealed"
        )
    return round


def check_rules(part: RoundPart, rules: Rules | None = None) -> Rules:
    """The rules of a recorded round; `RecordError` if they are not known."""
    if not is_known(part.engine):
        raise RecordError("round.engine", f"there is no engine {part.engine} here: this one is {ENGINE}")
    if rules is None:
        try:
            rules = find(part.game).rules
        except LookupError as error:
            raise RecordError("round.game", str(error)) from None
    if rules.sha256 != part.rules_sha256:
        raise RecordError("round.rules_sha256", f"the rules of {rules.name} here are {rules.sha256}")
    return rules


class _Tapes:
    """The recorded cards, draws and prices that the round takes, and how many of them it used."""

    def __init__(self, record: Record, rules: Rules, price: Price | None) -> None:
        self.record = record
        self.rules = rules
        largest = max((bet.stake for bet in record.bet), default=1)
        self.prices = PlayedPrices(record.prices, price, PRICE_UNITS // max(1, largest))
        self.draws = PlayedDraws(record.draws)
        part = record.shoe
        if part.start < 0 or part.start > rules.decks * DECK_SIZE:
            raise RecordError("shoe.start", f"{part.start} cards cannot have been dealt from the shoe before")
        if part.seed or part.commitment:
            self._open_seeds(part)
        else:
            self._given_order(part)
        if part.dealing == "house":
            for _ in range(part.start):
                self.shoe.draw()

    def _given_order(self, part: ShoePart) -> None:
        cards = _cards(part)
        check_copies(cards, self.rules.decks)
        order = [*([0] * part.start), *cards]
        self._to_scan = iter(cards)
        self.shoe: Shoe
        if part.dealing == "studio":
            self.shoe = HandShoe(self.rules.decks, unseen=part.start)
        elif self.record.round.end == "shoe-empty":
            self.shoe = StackedShoe(order)
        else:
            self.shoe = PlayedShoe(order, "shoe.cards")
        self.draw: Draw = self.draws

    def deal_due(self, round: Round) -> None:
        """Deal the cards that are due where a person dealt; the hole card is turned if it was."""
        turned = any(hand.spot == DEALER and " " in hand.cards for hand in self.record.hand)
        while (due := round.play.due) is not None and due.what != "pay":
            card = next(self._to_scan, None) if due.what != "turn" else round.play.hole if turned else None
            if card is None:
                return
            round.apply(Scan(card))

    def _open_seeds(self, part: ShoePart) -> None:
        if part.cards:
            raise RecordError("shoe.cards", "a shoe from seeds has no given order")
        if part.dealing != "house":
            raise RecordError("shoe.dealing", "a shoe from which a person dealt has no seeds")
        server_seed = _server_seed(part)
        try:
            self.shoe = SeededShoe(self.rules.decks, SeedStream(server_seed, part.client_seed, "shoe"))
            self.draw = SeedStream(server_seed, part.client_seed, "bonus").below
        except ValueError as error:
            raise RecordError("shoe.client_seed", str(error)) from None

    def check_used(self, round: Round) -> None:
        """Refuse unused cards, draws or prices."""
        record = self.record
        used = [
            ("prices", self.prices.used, len(record.prices)),
            ("draws", self.draws.used, len(record.draws)),
        ]
        if not record.shoe.seed:
            used.append(("shoe.cards", len(round.tape.cards), len(_cards(record.shoe))))
        for name, count, length in used:
            if count != length:
                raise RecordError(f"{name}[{count}]", f"{length} are recorded, the round uses {count}")


# Recorded cards, draws and prices, played back in order


class PlayedShoe(StackedShoe):
    """Recorded cards; `place` is their place in the record."""

    def __init__(self, cards: Iterable[int], place: str) -> None:
        super().__init__(cards)
        self._place = place

    def draw(self) -> Card:
        """The next card."""
        if self.left == 0:
            raise RecordError(f"{self._place}[{self.dealt}]", "one card more is needed than was recorded")
        return super().draw()


class PlayedDraws:
    """Recorded bonus draws."""

    def __init__(self, draws: Sequence[int]) -> None:
        self._draws = list(draws)
        self.used = 0

    def __call__(self, n: int) -> int:
        place = f"draws[{self.used}]"
        if self.used == len(self._draws):
            raise RecordError(place, "one draw more is needed than was recorded")
        drawn = self._draws[self.used]
        if not 0 <= drawn < n:
            raise RecordError(place, f"{drawn} is not from 0 to {n - 1}")
        self.used += 1
        return drawn


class PlayedPrices:
    """Recorded prices; with a price function, each is worked out again and compared."""

    def __init__(self, prices: Sequence[int], again: Price | None = None, tolerance: int = 0) -> None:
        self._prices = list(prices)
        self._again = again
        self._tolerance = tolerance
        self.used = 0

    def __call__(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int:
        place = f"prices[{self.used}]"
        if self.used == len(self._prices):
            raise RecordError(place, "one price more is needed than was recorded")
        recorded = self._prices[self.used]
        if self._again is not None:
            worth = self._again(rules, cards, split=split, up=up, seen=seen)
            if abs(worth - recorded) > self._tolerance:
                raise RecordError(place, f"recorded {recorded}, worked out again it is {worth}")
        self.used += 1
        return recorded


# Reading the record


def _cards(part: ShoePart) -> list[Card]:
    try:
        return parse_cards(part.cards)
    except CardError as error:
        raise RecordError("shoe.cards", str(error)) from None


def check_copies(cards: Sequence[Card], decks: int) -> None:
    """Refuse a card that comes more often than there are decks."""
    counts = [0] * DECK_SIZE
    for at, card in enumerate(cards):
        counts[card] += 1
        if counts[card] > decks:
            raise RecordError(
                f"shoe.cards[{at}]", f"{format_card(card)} for the {counts[card]}th time from {decks} decks"
            )


def _server_seed(part: ShoePart) -> bytes:
    try:
        seed = bytes.fromhex(part.seed)
        revealed = commitment(seed)
    except ValueError as error:
        raise RecordError("shoe.seed", str(error)) from None
    if revealed != part.commitment:
        raise RecordError("shoe.commitment", f"the seed's commitment is {revealed}")
    return seed


def _open(record: Record, tapes: _Tapes) -> Round:
    players: set[str] = set()
    for at, purse in enumerate(record.purse):
        if purse.player in players:
            raise RecordError(f"purse[{at}].player", f"{purse.player!r} has a purse already")
        players.add(purse.player)
    try:
        return Round(
            tapes.rules,
            tapes.shoe,
            purses={purse.player: purse.money for purse in record.purse},
            golden={purse.player: dict(Counter(sorted(purse.golden))) for purse in record.purse},
            options=record.options,
            price=tapes.prices,
            draw=tapes.draw,
            most={purse.player: purse.most for purse in record.purse if purse.most is not None},
        )
    except OptionError as error:
        raise RecordError("options", str(error)) from None
    except ShoeEmptyError as error:
        raise RecordError("shoe.cards", str(error)) from None
    except ValueError as error:
        place = "shoe.start" if tapes.record.shoe.start else "purse"
        raise RecordError(place, str(error)) from None


def _script(record: Record) -> list[tuple[str, AnyCommand]]:
    """The commands with their places; the bets come before the deal."""
    script: list[tuple[str, AnyCommand]] = []
    bets: list[tuple[str, AnyCommand]] = [
        ("bet", PlaceBets(player, tuple(Bet(b.spot, b.kind, b.stake, b.golden) for b in rows)))
        for player, rows in groupby(record.bet, key=attrgetter("player"))
    ]
    placed = False
    for at, text in enumerate(record.commands):
        place = f"commands[{at}] {text!r}"
        try:
            command = parse_command(text)
        except NotationError as error:
            raise RecordError(place, str(error)) from None
        if not placed and isinstance(command, Deal | Void):
            script += bets
            placed = True
        script.append((place, command))
    return script


def _apply(round: Round, place: str, command: AnyCommand) -> None:
    try:
        round.apply(command)
    except Refusal as error:
        raise RecordError(place, f"refused: {error}") from None
    except RecordError as error:
        raise RecordError(error.place, f"{error.message}, wanted by {place}") from None


def compare(name: str, recorded: Sequence[Struct], replayed: Sequence[Struct]) -> None:
    """Refuse the first difference between the recorded and the replayed rows."""
    for at, (old, new) in enumerate(zip(recorded, replayed, strict=False)):
        for key in new.__struct_fields__:
            if getattr(old, key) != getattr(new, key):
                raise RecordError(
                    f"{name}[{at}].{key}",
                    f"recorded {getattr(old, key)!r}, the replay gives {getattr(new, key)!r}",
                )
    if len(recorded) != len(replayed):
        raise RecordError(
            f"{name}[{min(len(recorded), len(replayed))}]",
            f"{len(recorded)} are recorded, the replay gives {len(replayed)}",
        )
