"""A scripted round told step by step: command, events, table, money, legal moves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import msgspec

from sabot.cards import format_cards
from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import AnyCommand, PlaceBets
from sabot.engine.view import HandView, TableView, player_view, table_view
from sabot.games import find
from sabot.record.notation import format_command, parse_command
from tests.support.table import ADA, Draws, cards_of, fixed_price

FOLDER = Path(__file__).parent


@dataclass
class Scene:
    """One round: its cards, bets and commands."""

    title: str
    cards: str
    bets: dict[str, list[Bet]]
    commands: list[str]
    purses: dict[str, int] = field(default_factory=lambda: {ADA: 100_000})
    golden: dict[str, dict[int, int]] = field(default_factory=dict)
    draws: list[int] = field(default_factory=list)


def tell(game: str, scene: Scene) -> Iterator[str]:
    """The lines of one scene."""
    round = Round(
        find(game).rules,
        StackedShoe(cards_of(scene.cards)),
        purses=scene.purses,
        golden=scene.golden,
        options=find(game).options,
        price=fixed_price(850_000_000),
        draw=Draws(list(scene.draws)),
    )
    yield f"## {scene.title}"
    yield from _state(round)
    for player, bets in scene.bets.items():
        yield from _step(round, f"bets of {player}", PlaceBets(player, tuple(bets)))
    for text in scene.commands:
        yield from _step(round, text, parse_command(text))
    assert round.over, f"{game}: {scene.title} does not end"


def _step(round: Round, said: str, command: AnyCommand) -> Iterator[str]:
    yield ""
    yield f"> {said}"
    yield from (f"  {msgspec.json.encode(event).decode()}" for event in round.apply(command))
    yield from _state(round)


def _state(round: Round) -> Iterator[str]:
    view = table_view(round)
    yield f"= {view.phase}"
    yield from _cards(view)
    for player in round.book.purses:
        mine = player_view(round, player)
        stakes = ", ".join(f"{line.spot}.{line.hand} {line.why} {line.stake.face}" for line in mine.lines)
        yield f"  {player}: {mine.balance}" + (f" [{stakes}]" if stakes else "")
    yield "  legal: " + (", ".join(map(_name, round.legal())) or "nothing")


def _cards(view: TableView) -> Iterator[str]:
    if view.dealer.cards:
        yield f"  dealer {_hand(view.dealer)}" + (" + one face down" if view.hole else "")
    for spot in view.spots:
        for index, hand in enumerate(spot.hands):
            turn = " <" if view.turn == (spot.spot, index) else ""
            yield f"  {spot.spot}.{index} {_hand(hand)} {hand.ended or ''}".rstrip() + turn


def _hand(hand: HandView) -> str:
    return f"{format_cards(hand.cards)} = {'soft ' if hand.soft else ''}{hand.total}"


def _name(move: AnyCommand) -> str:
    return f"bets of {move.player}" if isinstance(move, PlaceBets) else format_command(move)


def playthrough(game: str, scenes: list[Scene]) -> str:
    """The whole file of a game."""
    lines = [f"# {find(game).title} ({game})", ""]
    for scene in scenes:
        lines += [*tell(game, scene), ""]
    return "\n".join(lines)
