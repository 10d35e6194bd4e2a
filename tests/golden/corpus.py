"""The corpus that the page's folds and checks are proved with: random rounds, evenings and bets, made from seeds.

    python -m tests.golden.corpus build/corpus.json.gz
    python -m tests.golden.corpus surrender 7          # a round or an evening to read: every event, and what it makes

Each event comes with a hash of what the house shows after it, so that a difference in any field of any game is found.
Everything that is hashed was folded in Python and compared with the views of the engine and the tables themselves.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Iterable, Iterator
from hashlib import sha256
from itertools import chain
from pathlib import Path
from random import Random
from typing import Any, get_args

from msgspec import to_builtins
from msgspec.structs import replace

from sabot.client import TableState
from sabot.engine import Round
from sabot.engine.events import Event
from sabot.engine.view import EMPTY, TableView, fold, table_view
from sabot.games import find
from sabot.protocol import messages
from sabot.server.tables.adapter import public_outcome
from sabot.server.tables.solo import results
from sabot.tables.config import Dealing
from tests.golden.bets import cases, racks
from tests.support.players import GAMES, EventfulTable, dealt_again
from tests.tables.live.at_random.evenings import evening

ROUNDS, BY_HAND = 250, 40
EVENINGS, STEPS = 12, 150
#: Steps after which a page is opened anew, and goes on from the snapshot of that moment.
REOPENED = 40


#: Events, what everyone sees after each, and the outcome.
Steps = Iterator[tuple[list[Event], list[TableView], list[object]]]


def digest(*shown: object) -> str:
    """A hash of what is shown, the same for the page: keys in order, no spaces."""
    plain = to_builtins(shown, str_keys=True)
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return sha256(text.encode()).hexdigest()[:12]


def round_steps(game: str, seed: int) -> Steps:
    """The events of each command of a round, what everyone sees after each, and the outcome at the end of them.

    At a solo table the player's own results belong to it.
    """
    table = EventfulTable(game, Random(f"{game} {seed}"))
    yield from _steps(table.round, chain((None,), table.play()))  # what happens before any command, too


def by_hand_steps(game: str, seed: int) -> Steps:
    """The same of a round that a person deals, card by card (STU-02)."""
    table = EventfulTable(game, Random(f"{game} {seed}"))
    for _ in table.play():
        pass
    rounds = dealt_again(table)
    yield from _steps(first := next(rounds), chain((first,), rounds))


def _steps(round: Round, steps: Iterable[object]) -> Steps:
    view, after = EMPTY, 0
    solo = not find(round.rules.name).live
    for _ in steps:
        events: list[Event] = list(round.log[after:])
        after = len(round.log)
        views = [view := fold(view, event) for event in events]
        assert view == replace(table_view(round), tally=())  # votes are told with the crowd
        yield events, views, [public_outcome(round), *([results(round, "ada")] if solo else [])]


def round_entry(game: str, seed: int, steps: Steps) -> dict[str, Any]:
    """A round of the corpus."""
    told = [
        {"events": events, "views": [digest(view) for view in views], "outcome": digest(*outcome)}
        for events, views, outcome in steps
    ]
    return {"game": game, "seed": seed, "steps": told}


def picture(table: messages.Snapshot) -> tuple[object, ...]:
    """What of a live table is hashed: all that can change. Timers cannot; they have fractions, which are written in two ways."""
    live = to_builtins(table.live, str_keys=True)
    del live["timers"]
    return (table.round, table.turn, table.seq, table.commitment, table.view or EMPTY, table.outcome, live)


def evening_steps(game: str, seed: int, dealing: Dealing) -> Iterator[dict[str, Any]]:
    """An evening as pages are told it: frames, own parts, snapshots for those who come, and what they must show then."""
    state: TableState | None = None
    for number, step in enumerate(evening(game, seed, STEPS, dealing)):
        reopened = step.frame is None or number % REOPENED == 0
        if step.frame is not None and state is not None:
            state.advance(step.frame)
            assert replace(state.picture(), at=step.snapshot.at) == step.snapshot
        if reopened:
            state = TableState.of(step.snapshot)
        told = step.parts if reopened else {player: step.parts[player] for player in step.touched}
        yield {
            "frame": step.frame,
            "snapshot": step.snapshot if reopened else None,
            "told": to_builtins(told, str_keys=True),  # now: golden chips of a sitting change
            "table": digest(*picture(step.snapshot)),
            "parts": {player: digest(part) for player, part in step.parts.items()},
        }


def corpus() -> dict[str, Any]:
    """All of it, and the names of the events that must be in it."""
    live = [game for game in GAMES if find(game).live]
    return {
        "events": sorted(str(event.__struct_config__.tag) for event in get_args(messages.TableEvent)),
        "rounds": [
            *(round_entry(game, seed, round_steps(game, seed)) for game in GAMES for seed in range(ROUNDS)),
            *(round_entry(game, seed, by_hand_steps(game, seed)) for game in live for seed in range(BY_HAND)),
        ],
        "evenings": [
            {"game": game, "seed": seed, "steps": list(evening_steps(game, seed, dealing))}
            for dealing in get_args(Dealing)
            for game in live
            for seed in range(EVENINGS)
        ],
        "bets": list(cases()),
        "racks": list(racks()),
    }


def show(game: str, seed: int) -> None:
    """Print a round, event by event, with what everyone sees after each."""
    for events, views, _ in round_steps(game, seed):
        for event, view in zip(events, views, strict=True):
            print(event, view, sep="\n    ")


if __name__ == "__main__":
    if len(sys.argv) == 3:
        show(sys.argv[1], int(sys.argv[2]))
    else:
        target = Path(sys.argv[1])
        target.parent.mkdir(parents=True, exist_ok=True)
        text = json.dumps(to_builtins(corpus(), str_keys=True), separators=(",", ":"), ensure_ascii=False)
        target.write_bytes(gzip.compress(text.encode(), 6))
