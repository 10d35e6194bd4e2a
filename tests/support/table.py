"""A small table for tests: cards and commands as text, results as cents.

Cards are written in dealing order; where a rule does not name suits the rank alone will do (a `5` is the five of
spades, then of hearts, … so that no card is asked for more often than a deck has it).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

import pytest

from sabot.cards import RANKS, SUITS, Card, parse_card
from sabot.engine import AnyCommand, AnyEvent, Bet, HandShoe, Price, Round, StackedShoe
from sabot.engine.commands import Deal, PlaceBets, Scan
from sabot.engine.events import BetSettled, DueCard, RoundVoided, WinCapped
from sabot.engine.view import table_view
from sabot.errors import Refusal
from sabot.games import Rules, TableOptions, find
from sabot.record.notation import format_command, parse_command
from sabot.texts import Catalogue

ADA = "ada"
E = TypeVar("E")


def cards_of(text: str) -> list[Card]:
    """Cards by name, or by rank with the suits in turn."""
    counts: dict[str, int] = {}
    cards = []
    for word in text.split():
        if word in RANKS:
            suit = SUITS[counts.get(word, 0) % 4]
            counts[word] = counts.get(word, 0) + 1
            word += suit
        cards.append(parse_card(word))
    return cards


def card_name(texts: Catalogue, card: int) -> str:
    """A card in the words of a language, as a page reads it out."""
    suit, rank = divmod(card, 13)
    names = {"rank": texts.text(f"rank.{RANKS[rank].lower()}"), "suit": texts.text(f"suit.{SUITS[suit]}")}
    return texts.text("card.name", **names)


def voters(round: Round) -> list[str]:
    """Players with a stake on the hand in turn (MAJ-22)."""
    return list(round.book.backers[round.turn]) if round.turn else []


def fixed_price(worth: int) -> Price:
    """A price function that always answers the same (1 + V), in 1e-9 stakes."""

    def price(rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]) -> int:
        return worth

    return price


@dataclass
class Draws:
    """Bonus draws from a list; a draw that does not fit fails the test."""

    values: list[int] = field(default_factory=list)

    def __call__(self, n: int) -> int:
        value = self.values.pop(0)
        assert 0 <= value < n, f"draw {value} of {n}"
        return value


class Table:
    """A round of a game over stacked cards."""

    def __init__(
        self,
        game: str,
        cards: str,
        *,
        purse: int = 100_000,
        purses: Mapping[str, int] | None = None,
        golden: Mapping[str, Mapping[int, int]] | None = None,
        options: TableOptions | None = None,
        rules: Rules | None = None,
        price: Price | int = 900_000_000,
        draws: Sequence[int] = (),
        behind_closed: frozenset[int] = frozenset(),
        short_shoe: bool = False,
    ) -> None:
        self._short_shoe = short_shoe
        self.draws = Draws(list(draws))
        self.shoe = StackedShoe(cards_of(cards))
        self.rules = rules or find(game).rules
        self.purses = purses or {ADA: purse}
        self.golden = golden
        self.options = options or find(game).options
        self.behind_closed = behind_closed
        self.round = Round(
            self.rules,
            self.shoe,
            purses=self.purses,
            golden=golden,
            options=self.options,
            price=fixed_price(price) if isinstance(price, int) else price,
            draw=self.draws,
            behind_closed=behind_closed,
        )

    def bet(self, *bets: Bet | tuple[int, str, int], player: str = ADA) -> Table:
        """Place bets: `(spot, kind, stake)`."""
        placed = tuple(bet if isinstance(bet, Bet) else Bet(*bet) for bet in bets)
        self.round.apply(PlaceBets(player, placed))
        return self

    def do(self, *commands: str) -> Table:
        """Apply commands in record notation."""
        for command in commands:
            self.events = self.round.apply(parse_command(command))
            assert not self.ran_empty or self._short_shoe, f"the cards ran out at {command!r}"
        return self

    @property
    def ran_empty(self) -> bool:
        """Whether the shoe had no card left."""
        return any(event.reason == "shoe-empty" for event in self.all(RoundVoided))

    def deal(self, *commands: str) -> Table:
        """Deal and go on with these commands."""
        return self.do("deal", *commands)

    def paid(self, why: str = "initial", spot: int = 0, hand: int = 0, player: str = ADA) -> int:
        """What a line was paid, its stake included."""
        line = (player, spot, hand, why)
        settled = [e for e in self.all(BetSettled) if (e.player, e.spot, e.hand, e.why) == line]
        assert len(settled) == 1, f"{line} was settled {len(settled)} times"
        return settled[0].paid

    def net(self, player: str = ADA, brought: int = 100_000) -> int:
        """What the player won or lost in the round."""
        return self.round.balance(player) - brought

    def all(self, kind: type[E]) -> list[E]:
        """Every event of a kind."""
        return [event for event in self.round.log if isinstance(event, kind)]

    def capped(self, player: str = ADA) -> int:
        """What the maximum win cut."""
        return sum(event.amount for event in self.all(WinCapped) if event.player == player)

    def legal(self) -> set[str]:
        """The moves that are legal now, as words."""
        return {format_command(move) for move in self.round.legal() if not isinstance(move, PlaceBets)}

    def hand(self, spot: int = 0, hand: int = 0) -> str:
        """How a hand ended."""
        return self.round.play.spots[spot][hand].ended or ""

    @property
    def dealer(self) -> int:
        """The dealer's total."""
        return self.round.play.dealer.total


def solo(game: str, cards: str, *commands: str, stake: int = 1000, **parts: object) -> Table:
    """One hand of a solo game with a main bet, dealt and played."""
    table = Table(game, cards, **parts)  # type: ignore[arg-type]  # handed through
    return table.bet((0, "main", stake)).deal(*commands)


def one(game: str, cards: str, *commands: str) -> Table:
    """Spot 0 with 10.00, dealt and played; a box follows doubles and splits."""
    table = Table(game, cards)
    if game.startswith("majority"):
        table.do("consent double split @ada")
    return table.bet((0, "main", 1000)).deal(*commands)


def stacked(game: str, hand: str, dealer: str, draws: str = "") -> str:
    """One hand, the dealer's cards and what the hand draws, in the dealing order of the game."""
    first, second = hand.split()
    up, hole, *rest = dealer.split()
    if game == "majority-eu":
        return " ".join([first, up, second, draws, hole, *rest])
    return " ".join([first, up, second, hole, draws, *rest])


def refused(table: Table, command: str, code: str = "") -> str:
    """The code with which a command is refused, this one if it is given; nothing changes."""
    before = _state(table)
    with pytest.raises(Refusal) as error:
        table.do(command)
    assert _state(table) == before
    assert code in ("", error.value.code)
    return error.value.code


def _state(table: Table) -> tuple[object, ...]:
    round = table.round
    return (list(round.log), len(round.commands), table.net(), table.shoe.dealt, round.turn, round.legal())


class ByHand:
    """A round of a game from a shoe that a person deals from."""

    def __init__(self, game: str, *, burn: bool = False, shoe: HandShoe | None = None) -> None:
        rules = find(game).rules
        self.shoe = shoe or HandShoe(rules.decks)
        self.round = Round(rules, self.shoe, purses={ADA: 100_000}, options=TableOptions(burn=burn))

    def bet(self, *spots: int) -> ByHand:
        """A main bet of 10.00 on each spot, and no more bets."""
        self.round.apply(PlaceBets(ADA, tuple(Bet(spot, "main", 1_000) for spot in spots)))
        self.round.apply(Deal())
        return self

    def scan(self, cards: str) -> tuple[AnyEvent, ...]:
        """Read cards one after the other; gives the events of the last."""
        events: tuple[AnyEvent, ...] = ()
        for card in cards_of(cards):
            events = self.round.apply(Scan(card))
        return events

    def due(self) -> DueCard | None:
        """What is awaited."""
        return self.round.play.due

    def refuses(self, command: AnyCommand) -> str:
        """The code of a refusal; nothing has changed."""
        before = (table_view(self.round), list(self.round.log), self.shoe.dealt)
        with pytest.raises(Refusal) as refused:
            self.round.apply(command)
        assert (table_view(self.round), self.round.log, self.shoe.dealt) == before
        return refused.value.code
