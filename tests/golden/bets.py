"""Random sets of bets as a page would ask for, with what the house says: the page's own checks are held to it.

Left out is what no page asks for: equal bets, stakes of nothing, side bets of other games or on a place that has none of
their kind, golden chips away from boxes, main bets of others, bets behind own seats or those that forbid them, and a solo
deal of nothing. So is the loss limit of the player: what it leaves is counted anew for each request, and no page knows it.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from msgspec.structs import replace

from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import DEALER, PlaceBets
from sabot.errors import Refusal
from sabot.games import Rules, TableOptions, find
from sabot.games.options import LIMIT_CHOICES, GoldenOptions, LimitChoice, Limits
from sabot.protocol.codec import failure_of
from sabot.tables.live.events import LimitsShown
from tests.support.table import ADA

GAMES = ("surrender", "cashback", "link", "freebet", "majority-eu")
CASES = 120
STAKES = (100, 200, 500, 1_000, 1_500, 2_500, 5_000)


def cases() -> Iterator[dict[str, Any]]:
    """A set of bets, what it is measured by, and the refusal, if it is one."""
    for game in GAMES:
        rng = Random(f"bets {game}")
        for _ in range(CASES):
            yield _case(find(game).rules, rng)


def racks() -> Iterator[dict[str, Any]]:
    """Tables with the chips that fit their limits: all that ship, and random ones (PLT-69)."""
    for name in GAMES:
        game, rng = find(name), Random(f"racks {name}")
        own = [game.options] if game.live else [game.with_limits(choice) for choice in LIMIT_CHOICES]
        for _ in range(CASES // 2):
            options = replace(
                game.options,
                behind=_wide(rng),
                side_by_name={bet.name: _wide(rng) for bet in game.rules.side_bets if rng.random() < 0.3},
            )
            own.append(
                replace(game, options=options).with_limits(LimitChoice("own", 0, _wide(rng), _wide(rng)))
            )
        for options in own:
            yield {"game": name, "options": options, "seats": [1] if game.rules.backing == "seats" else None}


def _wide(rng: Random) -> Limits:
    minimum = rng.choice((10, 50, 100, 150, 200, 700, 1_000, 2_500, 10_000, 33_300))
    return Limits(minimum, minimum * rng.choice((1, 2, 3, 7, 10, 50, 99, 500, 5_000)))


def _case(rules: Rules, rng: Random) -> dict[str, Any]:
    options = shown = _options(rules, rng)
    limit = None
    if rules.backing == "solo" and rng.random() < 0.7:  # chosen since the page was told the options
        choice = LimitChoice("chosen", 0, _limits(rng), _limits(rng), rng.choice((None, 70_000)))
        options = shown.with_limits(choice)
        main, side = ((each.minimum, each.maximum) for each in (choice.main, choice.side))
        limit = LimitsShown(choice.name, main, side, options.max_win)
    funds = rng.choice((2_000, 5_000, 12_000, 100_000))
    boxes = rules.backing == "boxes"
    golden = {value: rng.randint(0, 5) for value in (200, 500)} if boxes else {}
    seats = sorted(rng.sample(range(rules.spots), rng.randint(1, 2))) if rules.backing == "seats" else None
    price = (lambda *hand, **seen: 0) if rules.cashback else None
    round = Round(
        rules,
        StackedShoe([]),
        purses={ADA: funds},
        golden={ADA: golden},
        options=options,
        price=price,
        draw=rng.randrange,
    )
    if rules.backing != "solo":  # what stands there already is replaced
        before = PlaceBets(ADA, tuple(_bets(rules, rng, seats, golden)))
        if round.can(before):
            round.apply(before)
    bets = tuple(_bets(rules, rng, seats, golden))
    return {
        "game": rules.name,
        "options": shown,
        "limit": limit,
        "funds": funds,
        "golden": golden,
        "seats": seats,
        "bets": bets,
        "refusal": _refusal(round, bets),
    }


def _refusal(round: Round, bets: tuple[Bet, ...]) -> object:
    try:
        round.verify(PlaceBets(ADA, bets))
    except Refusal as refusal:
        return failure_of(refusal)
    return None


def _options(rules: Rules, rng: Random) -> TableOptions:
    names = [bet.name for bet in rules.side_bets]
    options = TableOptions(
        main=_limits(rng),
        behind=_limits(rng),
        side=_limits(rng),
        golden=GoldenOptions(mixing=rng.random() < 0.5, cap=rng.choice((None, None, None, 0, 2))),
    )
    if rng.random() < 0.3:
        options = replace(options, side_by_name={rng.choice(names): _limits(rng)})
    return options.without(*rng.sample(names, rng.choice((0, 0, 0, 1, 2))))


def _limits(rng: Random) -> Limits:
    return Limits(rng.choice((100, 100, 200, 500)), rng.choice((2_000, 5_000, 50_000)))


def _bets(rules: Rules, rng: Random, seats: list[int] | None, golden: dict[int, int]) -> list[Bet]:
    """At least one bet, in the order in which the page asks for them."""
    bets = list(_spots(rules, rng, seats, golden))
    if not bets:
        bets = [Bet(seat, "main", STAKES[0]) for seat in seats or [0]]
    if rules.backing == "solo":
        return bets
    return sorted(bets, key=lambda bet: (bet.kind != "main", bet.spot, bet.kind))


def _spots(rules: Rules, rng: Random, seats: list[int] | None, golden: dict[int, int]) -> Iterator[Bet]:
    everywhere = rng.choice(STAKES) if rng.random() < 0.8 else 0  # at seats, one main bet for all own ones
    played, often, stray = rng.choice((0.1, 0.6, 0.8)), rng.choice((0.1, 0.3)), rng.random() < 0.2
    for spot in range(rules.spots):
        if seats is not None and spot not in seats:
            if rng.random() < 0.2:
                yield Bet(spot, "behind", rng.choice(STAKES))
            continue
        if seats is not None and everywhere:
            yield Bet(spot, "main", everywhere)
        elif seats is None and rng.random() < played:
            yield _bet(spot, "main", rng, golden)
        elif not stray:
            continue
        for side in rules.side_bets:
            if not side.once and rng.random() < often:
                yield _bet(spot, side.name, rng, golden)
    yield from (
        _bet(DEALER, side.name, rng, golden) for side in rules.side_bets if side.once and rng.random() < often
    )


def _bet(spot: int, kind: str, rng: Random, golden: dict[int, int]) -> Bet:
    if golden and rng.random() < 0.3:
        chips = sorted(rng.choices((*golden,), k=rng.randint(1, 2)))
        return Bet(spot, kind, rng.choice((0, 300)), tuple(chips))
    return Bet(spot, kind, rng.choice(STAKES))
