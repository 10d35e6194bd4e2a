"""Random tables and random legal play, for properties and for the oracle: everything from one seed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random

from msgspec.structs import replace

from sabot.cards import Card
from sabot.engine import Bet, HandShoe, Round, StackedShoe
from sabot.engine.commands import (
    DEALER,
    DECISIONS,
    AddMoney,
    AllowBehind,
    AnyCommand,
    BoundLoss,
    CloseOffers,
    Consent,
    Deal,
    Join,
    Pay,
    PlaceBets,
    Scan,
    Void,
)
from sabot.engine.events import DueCard
from sabot.errors import Refusal
from sabot.games import Rules, TableOptions, find
from sabot.games.options import GoldenOptions, Limits
from tests.support.table import Table

GAMES = ("surrender", "cashback", "link", "freebet", "majority-eu", "majority-us", "classic-6", "classic-8")
#: Ranks that make a round eventful: pairs, soft hands, blackjacks, long hands.
_DECKS: tuple[tuple[int, ...], ...] = (
    tuple(range(13)),
    (0, 9, 10, 11, 12, 4, 5, 7),
    (0, 1, 2, 3, 12),
    (7, 2, 9, 12, 0),
    (9, 10, 12, 8, 0),
)


class RandomTable:
    """A table of a game with random options, players, bets and cards; `play` plays it out."""

    behind_closed: frozenset[int] = frozenset()

    def __init__(self, game: str, rng: Random) -> None:
        self.game = game
        self.rng = rng
        self.rules: Rules = find(game).rules
        keeps = rng.random()
        if keeps < 0.05:
            self.rules = replace(self.rules, buster_keeps_dealer=False)
        self.cards = self._cards()
        self.options = self._options()
        if 0.05 <= keeps < 0.2:
            self.options = replace(self.options, buster_keeps_dealer=False)
        self.players = (
            ["ada"] if self.rules.backing == "solo" else ["ada", "bob", "cy", "dee"][: rng.randint(1, 4)]
        )
        self.purses = {player: rng.choice((1_000, 3_000, 12_345, 100_000)) for player in self.players}
        self.golden = {
            player: {value: rng.randint(0, 3) for value in (500, 200, 700)}
            for player in self.players
            if self.rules.backing == "boxes" and rng.random() < 0.6
        }
        self.round = Round(
            self.rules,
            StackedShoe(self.cards),
            purses=self.purses,
            golden=self.golden,
            options=self.options,
            price=self._price,
            draw=rng.randrange if rng.random() < 0.5 else self._generous_draw,
        )

    def _cards(self) -> list[int]:
        """A shuffled shoe of few ranks, none more often than the shoe has it; now and then too short."""
        rng, ranks = self.rng, self.rng.choice(_DECKS)
        pool = [13 * suit + rank for rank in ranks for suit in range(4)] * self.rules.decks
        rng.shuffle(pool)
        return pool if rng.random() < 0.97 else pool[: rng.randint(4, 14)]

    def _options(self) -> TableOptions:
        rng = self.rng
        golden = GoldenOptions(
            mixing=rng.random() < 0.6,
            extra=rng.random() < 0.6,
            blind=rng.random() < 0.6,
            cap=rng.choice((None, 1, 3)),
        )
        return TableOptions(
            main=Limits(200, 20_000),
            behind=Limits(150, 20_000),
            side=Limits(100, 5_000),
            insurance=rng.random() < 0.9,
            max_win=rng.choice((None, None, 700, 3_000)),
            cashback_margin=rng.choice((0, 100, 250)),
            golden=golden,
            vote_threshold=rng.randint(1, 4),
            burn=rng.random() < 0.2 and self.rules.backing != "solo",
            side_bets_off=("top-3",) if rng.random() < 0.2 and self.rules.side_bet("top-3") else (),
        )

    def _price(
        self, rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]
    ) -> int:
        return self.rng.randrange(2_000_000_000)

    def _generous_draw(self, n: int) -> int:
        """Draws that like the rare end of a list: Mega Link, diamonds, full tables."""
        return n - 1 - self.rng.randrange(n) // self.rng.choice((1, 4, 50))

    # Betting

    def bets(self, player: str) -> tuple[Bet, ...]:
        """A random set of bets; it may be refused."""
        rng, rules = self.rng, self.rules
        bets: list[Bet] = []
        for spot in range(rules.spots):
            if rng.random() > (0.9 if rules.spots <= 2 else 0.45):
                continue
            behind = rules.backing == "seats" and rng.random() < 0.5
            bets.append(
                self._bet(player, spot, "behind" if behind else "main", (150, 201, 500, 505, 1_000, 3_333))
            )
            for side in rules.side_bets:
                if not side.once and not behind and rng.random() < 0.3:
                    bets.append(self._bet(player, spot, side.name, (50, 100, 115, 500)))
        if bets and any(side.once for side in rules.side_bets) and rng.random() < 0.4:
            bets.append(Bet(DEALER, "dealer-pair", rng.choice((100, 301))))
        return tuple(bets)

    def _bet(self, player: str, spot: int, kind: str, stakes: tuple[int, ...]) -> Bet:
        rng = self.rng
        chips = [value for value, count in self.golden.get(player, {}).items() if count]
        if chips and rng.random() < 0.4:
            golden = tuple(rng.choices(chips, k=rng.randint(1, 2)))
            return Bet(spot, kind, rng.choice((0, 0, 300)), golden)
        return Bet(spot, kind, rng.choice(stakes))

    def _bet_until_staked(self) -> Iterator[AnyCommand]:
        for _ in range(200):
            for player in self.players:
                if self.rng.random() < 0.5 and self.rules.backing != "solo":
                    yield Consent(player, self.rng.random() < 0.6, self.rng.random() < 0.6)
                yield PlaceBets(player, self.bets(player))
            if self.round.can(Deal()):
                return
        first = PlaceBets(self.players[0], (Bet(0, "main", 500),))
        assert self.round.can(first)
        yield first

    # Playing

    def script(self) -> Iterator[AnyCommand]:
        """Commands that may be tried, most of them legal, until the round is over."""
        rng, round = self.rng, self.round
        yield from self._bet_until_staked()
        yield Deal(insurance=rng.random() < 0.9 or self.rules.backing != "solo")
        while not round.over:
            if rng.random() < 0.02:
                yield AddMoney(rng.choice(self.players), rng.randint(1, 2_000))
            if rng.random() < 0.004:
                yield Void("lightning")
                return
            if round.turn is not None and self.rules.backing == "boxes":
                for player in self.players:
                    votes = round.legal_votes(player)
                    if votes and rng.random() < 0.7:
                        yield rng.choice(votes)
            moves = [
                move for move in round.legal() if not isinstance(move, CloseOffers) or rng.random() < 0.2
            ]
            yield rng.choice(self._prefer(moves or list(round.legal())))

    def _prefer(self, moves: list[AnyCommand]) -> list[AnyCommand]:
        """Split and double more often than chance would: that is where rules meet."""
        rare = [move for move in moves if type(move) in (DECISIONS["split"], DECISIONS["double"])]
        return rare if rare and self.rng.random() < 0.4 else moves

    def play(self) -> Iterator[AnyCommand]:
        """Play the round out and give each command that was taken, after it was."""
        for command in self.script():
            try:
                self.round.apply(command)
            except Refusal:
                continue
            yield command


class EventfulTable(RandomTable):
    """A random table with what happens around the cards too: an early cut card, loss limits, late players, voids."""

    def _options(self) -> TableOptions:
        return replace(super()._options(), cut=self.rng.choice((4, 9, 208)))

    def script(self) -> Iterator[AnyCommand]:
        """The same, with other commands between them."""
        for command in super().script():
            while self.rng.random() < 0.2:
                yield self._beside()
            if self.round.over:
                return
            yield command

    def _beside(self) -> AnyCommand:
        rng = self.rng
        player = rng.choice(self.players)
        if self.round.phase != "betting" and rng.random() < 0.1:
            return Void("lightning")
        commands = (
            BoundLoss(player, rng.choice((0, 500, 2_000, 50_000))),
            AllowBehind(rng.randrange(self.rules.spots), rng.random() < 0.5),
            Join(rng.choice((player, "eve")), rng.choice((500, 9_000))),
        )
        return rng.choice(commands)


# The same rounds, dealt by hand


def dealt_again(table: RandomTable | Table) -> Iterator[Round]:
    """A round that the house dealt, dealt again by hand: the round after each command and each card."""
    told = table.round
    cards = iter(told.tape.cards)
    round = opened_by_hand(table)
    yield from _feed(round, cards)
    for command in told.commands:
        round.apply(command)
        yield round
        yield from _feed(round, cards)
    if round.play.due == DueCard("pay"):
        round.apply(Pay())
        yield round


def opened_by_hand(table: RandomTable | Table) -> Round:
    """The round of a table as it was opened, with a shoe from which a person deals."""
    prices, draws = iter(table.round.tape.prices), iter(table.round.tape.draws)
    return Round(
        table.rules,
        HandShoe(table.rules.decks),
        purses=table.purses,
        golden=table.golden,
        options=table.options,
        price=lambda *hand, **seen: next(prices),
        draw=lambda n: next(draws),
        behind_closed=table.behind_closed,
    )


def _feed(round: Round, cards: Iterator[Card]) -> Iterator[Round]:
    """Read what is due, as long as there are cards."""
    while (due := round.play.due) is not None and due.what != "pay":
        card = round.play.hole if due.what == "turn" else next(cards, None)
        if card is None:
            return
        round.apply(Scan(card))
        yield round
