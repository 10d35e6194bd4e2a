"""The engine and the oracle, which shares no code with it, agree on random rounds of every game."""

from __future__ import annotations

from random import Random

import msgspec
import pytest
from hypothesis import settings

from sabot.engine.events import BetSettled, WinCapped
from tests.oracle import Given, judge
from tests.support.players import GAMES, RandomTable


def given(table: RandomTable, commands: list[object]) -> Given:
    """What the oracle is told: everything that went in, nothing that came out."""
    tape = table.round.tape
    options = msgspec.to_builtins(table.options)
    options["buster_keeps_dealer"] = table.options.played(table.rules).buster_keeps_dealer
    for kind in ("main", "behind", "side"):
        limits = getattr(table.options, kind)
        options[kind] = [limits.minimum, limits.maximum]
    return Given(
        game=table.game,
        purses=dict(table.purses),
        golden={player: dict(chips) for player, chips in table.golden.items()},
        options=options,
        cards=list(table.cards),
        draws=list(tape.draws),
        prices=list(tape.prices),
        commands=[msgspec.to_builtins(command) for command in commands],
    )


def compare(game: str, seed: int) -> None:
    """One random round: cards, payments and balances agree."""
    table = RandomTable(game, Random(f"{game}/{seed}"))
    commands: list[object] = list(table.play())
    round = table.round
    verdict = judge(given(table, commands))
    said = f"{game}, seed {seed}"
    assert verdict.over == round.phase, said
    assert verdict.cards_used == round.shoe.dealt, said
    assert verdict.dealer == round.play.dealer.cards or round.phase == "voided", said
    if round.phase == "settled":
        settled = [event for event in round.log if isinstance(event, BetSettled)]
        paid = {(e.player, e.spot, e.hand, e.why): e.paid for e in settled}
        assert len(paid) == len(settled), f"{said}: a line was settled twice"
        assert verdict.paid == paid, said
        capped: dict[str, int] = {}
        for event in round.log:
            if isinstance(event, WinCapped):
                capped[event.player] = capped.get(event.player, 0) + event.amount
        assert verdict.capped == capped, said
        hands = {(spot, i): hand.cards for spot, i, hand in round.play.hands()}
        assert verdict.hands == hands, said
    assert verdict.balances == {player: round.balance(player) for player in table.players}, said
    golden = {player: {v: n for v, n in chips.items() if n} for player, chips in verdict.golden_left.items()}
    held = {
        player: {v: n for v, n in purse.golden.items() if n} for player, purse in round.book.purses.items()
    }
    assert {p: chips for p, chips in golden.items() if chips} == {p: c for p, c in held.items() if c}, said


@pytest.mark.parametrize("game", GAMES)
def test_agrees_on_random_rounds(game: str) -> None:
    for seed in range(1_000):
        compare(game, seed)


@pytest.mark.slow  # thousands of rounds by two engines
@pytest.mark.parametrize("game", GAMES)
def test_agrees_on_many_random_rounds(game: str) -> None:
    """The same rounds in every run; in `make faults` others, and more of them."""
    first, count = (1_000, 1_500) if settings().derandomize else (Random().randrange(10**9), 6_000)
    for seed in range(first, first + count):
        compare(game, seed)
