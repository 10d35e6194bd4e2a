"""The kernel and the engine play the same shuffles: stakes, payments and cards of every round must be the same.

`python -m tests.simulate.compare GAME ROUNDS` plays many by hand. Tables, hands, side bets and some rules change from
batch to batch; half of the shoes have few ranks, so that Charlies, pairs and long dealer hands are no rarity.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

import numpy as np
from msgspec.structs import replace

from sabot.cards import VALUES, Card
from sabot.engine import DEALER, Bet, Round, StackedShoe
from sabot.engine.commands import (
    DECISIONS,
    AnyCommand,
    Consent,
    Continue,
    Deal,
    EvenMoney,
    Insure,
    PlaceBets,
    Spin,
)
from sabot.engine.events import BetSettled
from sabot.games import Action, Rules, TableOptions, find
from sabot.games.options import Limits
from sabot.games.strategy import BestTable
from sabot.simulate import kernel
from sabot.simulate.lowered import Cards, codes_of, lower
from tests.simulate.tables import STRIP, random_table

STAKE = 1_000
SIDE_STAKE = 100
OPTIONS = TableOptions(main=Limits(100, 10_000), side=Limits(100, 10_000))
#: Ranks in a shoe: all, or few that make a round eventful.
RANKS = (
    tuple(range(13)),
    tuple(range(13)),
    (0, 1, 2, 12),
    (0, 9, 10, 4, 5, 7),
    (0, 1),
    (1, 7, 8, 12, 0),
)
BATCH = 250
_MAIN = ("initial", "double", "split")


def mix(counter: int) -> int:
    """SplitMix64, written again."""
    word = ((counter ^ (counter >> 30)) * 0xBF58476D1CE4E5B9) % 2**64
    word = ((word ^ (word >> 27)) * 0x94D049BB133111EB) % 2**64
    return word ^ (word >> 31)


def below(word: int, n: int) -> int:
    """A number below n from a word, by the book: the words whose number would come once too often are thrown away."""
    while (word >> 32) * n % 2**32 < 2**32 % n:
        word = mix((word + 0x9E3779B97F4A7C15) % 2**64)
    return (word >> 32) * n >> 32


@dataclass
class Luck:
    """The bonus draws of one round, as the kernel makes them."""

    counter: int

    def __call__(self, n: int) -> int:
        drawn = below(mix(self.counter), n)
        self.counter = (self.counter + 0x9E3779B97F4A7C15) % 2**64
        return drawn


def price(rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]) -> int:
    """A price nobody takes."""
    return 0


@dataclass
class Batch:
    """Rounds of one kind: rules, tables, hands and side bets."""

    rules: Rules
    best: BestTable
    free: BestTable | None
    hands: int
    side_bets: Sequence[str]

    def bets(self) -> tuple[Bet, ...]:
        """The same stakes on every hand."""
        bets = [Bet(spot, "main", STAKE) for spot in range(self.hands)]
        for name in self.side_bets:
            side_bet = self.rules.side_bet(name)
            assert side_bet is not None
            spots = [DEALER] if side_bet.once else range(self.hands)
            bets += [Bet(spot, name, SIDE_STAKE) for spot in spots]
        return tuple(bets)

    def engine(self, cards: list[int], luck: int) -> list[int]:
        """Stakes, cents paid, cards dealt and what each side bet paid, by the engine."""
        round = Round(
            self.rules,
            StackedShoe(cards),
            purses={"ada": 1_000_000},
            options=OPTIONS,
            price=price,
            draw=Luck(luck),
        )
        round.apply(PlaceBets("ada", self.bets()))
        if self.rules.backing == "boxes":
            round.apply(Consent("ada", True, True))
        round.apply(Deal())
        while not round.over:
            round.apply(self._command(round))
        assert round.phase == "settled"
        lines = [event for event in round.log if isinstance(event, BetSettled)]
        staked = sum(line.stake.own for line in lines if line.why in _MAIN)
        paid = sum(line.paid for line in lines if line.why in _MAIN)
        sides = [sum(line.paid for line in lines if line.why == name) for name in self.side_bets]
        return [staked, paid, round.shoe.dealt, *sides]

    def _command(self, round: Round) -> AnyCommand:
        """By the table; what is offered is declined."""
        if round.turn is not None:
            return DECISIONS[self._action(round, *round.turn)](*round.turn)
        if round.bonus is not None:
            spot = round.bonus.spot
            return Continue(spot) if round.bonus.stage == "intro" else Spin(spot)
        (_, spot), offer = round.offers.current
        return EvenMoney(spot, False) if offer.kind == "even-money" else Insure("ada", False)

    def _action(self, round: Round, spot: int, index: int) -> Action:
        hand = round.play.spots[spot][index]
        free_hand = index == 1 and VALUES[hand.cards[0]] in self.rules.free_split
        table = self.free if self.free and free_hand else self.best
        return table.action(hand, round.play.up, round.options_now)

    def kernel(self, shoes: Cards, lucks: list[int]) -> list[list[int]]:
        """The same of every round, by the kernel."""
        game = lower(self.rules, self.best, self.free, self.hands, self.side_bets)
        told = np.zeros((len(shoes), 3 + len(self.side_bets)), np.int64)
        kernel.play_cards(game, kernel.new_felt(game), codes_of(shoes), np.array(lucks, np.uint64), told)
        scale = np.array([STAKE, STAKE // game.unit, 1, *[SIDE_STAKE] * len(self.side_bets)])
        rows: list[list[int]] = (told * scale).tolist()
        return rows


def random_batch(rules: Rules, rng: Random) -> Batch:
    """A kind of rounds by chance; most of one or two hands."""
    if rng.random() < 0.2:
        rules = replace(
            rules,
            buster_keeps_dealer=rng.random() < 0.5,
            dealer_hits_soft_17=rng.random() < 0.5,
            blackjack_pays=rng.choice(((3, 2), (6, 5), (1, 1))),
            double_after_split=rng.random() < 0.5,
            surrender=rng.random() < 0.5,
            charlie=rng.choice((0, 5, rules.charlie)),
        )
    names = [bet.name for bet in rules.side_bets if rng.random() < 0.6]
    table = STRIP if rng.random() < 0.3 else random_table(rng)
    free = random_table(rng) if rules.free_split and rng.random() < 0.7 else None
    hands = 1 if rng.random() < 0.6 else rng.randint(1, rules.spots)
    return Batch(rules, table, free, hands, names)


def compare(game: str, rounds: int, seed: str) -> None:
    """Play so many rounds both ways; the first that differs is told."""
    rng = Random(f"{game}/{seed}")
    shuffler = np.random.default_rng(rng.getrandbits(64))
    for start in range(0, rounds, BATCH):
        count = min(BATCH, rounds - start)
        batch = random_batch(find(game).rules, rng)
        ranks = rng.choice(RANKS)
        pool = np.array([13 * suit + rank for rank in ranks for suit in range(4)] * batch.rules.decks)
        pool = np.tile(pool, -(-256 // len(pool)))
        shoes = shuffler.permuted(np.tile(pool, (count, 1)), axis=1)[:, :256]
        lucks = [rng.getrandbits(64) for _ in range(count)]
        told = batch.kernel(shoes, lucks)
        for cards, luck, by_kernel in zip(shoes.tolist(), lucks, told, strict=True):
            by_engine = batch.engine(cards, luck)
            assert by_kernel == by_engine, (
                f"{game}: {batch} {cards[:40]} {luck}: {by_kernel}, not {by_engine}"
            )


if __name__ == "__main__":
    played, wanted = sys.argv[1], int(sys.argv[2])
    compare(played, wanted, "by hand")
    print(f"{played}: {wanted:,} rounds, kernel and engine agree on every one")
