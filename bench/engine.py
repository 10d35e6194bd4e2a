"""Rounds a second of the engine, cards handed in, beside Gymnasium's Blackjack-v1 in the same run.

Each game plays one hand of one player, all events made, by the dealer's own rule (draw below 17); the shoes are
shuffled before the clock starts. Gymnasium plays the same policy in its toy game, which has no split, double,
insurance or side bet and keeps no log. Runs alternate and the median of each is shown.

Goals: 15,000 rounds/s for a one-hand solo round, and 3 x Gymnasium.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Sequence
from random import Random

import gymnasium

from sabot.cards import Card, decks
from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import Deal, Hit, PlaceBets, Spin, Stand
from sabot.games import CATALOGUE, Rules, find

ROUNDS = 4_000
TURNS = 7


def price(rules: Rules, cards: Sequence[Card], *, split: bool, up: Card, seen: Sequence[Card]) -> int:
    """A constant price: the engine is measured here, not the odds."""
    return 900_000_000


def play(game: str, shoes: list[list[Card]], bets: PlaceBets) -> int:
    """Play a round on each shoe; the number of events."""
    rules, options = find(game).rules, find(game).options
    events = 0
    for cards in shoes:
        round = Round(
            rules,
            StackedShoe(cards),
            purses={"ada": 1_000_000},
            options=options,
            price=price,
            draw=lambda n: 0,
        )
        round.apply(bets)
        round.apply(Deal())
        while not round.over:
            if round.turn is not None:
                spot, hand = round.turn
                total = round.play.spots[spot][hand].total
                round.apply(Hit(spot, hand) if total < 17 else Stand(spot, hand))
            elif round.phase == "bonus" and round.bonus is not None:
                round.apply(Spin(round.bonus.spot))
            else:
                round.apply(round.legal()[-1])
        events += len(round.log)
    return events


def toy(env: gymnasium.Env[tuple[int, int, int], int]) -> int:
    """The same policy in Gymnasium."""
    for _ in range(ROUNDS):
        (total, _, _), _ = env.reset()
        over = False
        while not over:
            (total, _, _), _, over, _, _ = env.step(int(total < 17))
    return 0


def rate(run: Callable[[], int]) -> float:
    """Rounds a second of one run."""
    start = time.perf_counter()
    run()
    return ROUNDS / (time.perf_counter() - start)


def main() -> None:
    """Print the table."""
    env = gymnasium.make("Blackjack-v1", sab=True)
    env.reset(seed=1)
    runs: dict[str, Callable[[], int]] = {"gymnasium": lambda: toy(env)}
    events: dict[str, float] = {}
    for game in sorted(CATALOGUE):
        rng = Random(game)
        base = decks(find(game).rules.decks)
        shoes = [rng.sample(base, 40) for _ in range(ROUNDS)]
        bets = PlaceBets("ada", (Bet(0, "main", 1_000),))
        runs[game] = lambda game=game, shoes=shoes, bets=bets: play(game, shoes, bets)  # type: ignore[misc]
        events[game] = play(game, shoes, bets) / ROUNDS
    rates: dict[str, list[float]] = {name: [] for name in runs}
    for _ in range(TURNS):
        for name, run in runs.items():
            rates[name].append(rate(run))
    peer = statistics.median(rates["gymnasium"])
    print(f"{'game':<14}{'rounds/s':>10}{'x gymnasium':>13}{'events':>8}{'us/round':>10}")
    for name, seen in rates.items():
        median = statistics.median(seen)
        print(
            f"{name:<14}{median:>10,.0f}{median / peer:>13.2f}{events.get(name, 0):>8.1f}{1e6 / median:>10.1f}"
        )


if __name__ == "__main__":
    main()
