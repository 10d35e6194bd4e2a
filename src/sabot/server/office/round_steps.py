"""The steps of a round, and who decided each (OFF-04)."""

from collections.abc import Sequence
from typing import Any, Literal

import sqlalchemy
from msgspec import Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.engine.commands import (
    AnyCommand,
    BonusCommand,
    CloseOffers,
    Consent,
    Decision,
    EvenMoney,
    Insure,
    Join,
    PlaceBets,
    Void,
)
from sabot.engine.events import BettingClosed, Mode
from sabot.errors import Refusal
from sabot.rounds.queries import RoundRow, find_round, opening_of_rows, shoe_by_id
from sabot.rounds.stored import Opening
from sabot.rounds.studio import CARD, CORRECTION, CUT_CARD, PAY, TAKE_BACK
from sabot.rounds.studio_records import card_changes
from sabot.server.tables.adapter import MALFUNCTION
from sabot.store import schema
from sabot.store.entry import decode_body
from sabot.store.register import voidings
from sabot.tables.config import Dealing

#: The player, the player before the turn, a vote, the platform for a small box, the clock, a dealer who is a person, an
#: operator, the house itself.
Decider = Literal[
    "player", "in-advance", "vote", "best-strategy", "time-out", "dealer", "operator", "platform"
]
#: Rows after a round in which its notices may stand.
_NOTICES_AFTER = 20


class RoundStep(Struct, frozen=True):
    """A row of a round: what was done, who decided it, and how many events and cents it made and moved."""

    n: int
    at: int
    kind: str
    by: Decider
    player: int | None
    spot: int | None
    hand: int | None
    moved: int
    #: Of a card that was taken back or corrected: which, and why (STU-08); `player` is the operator's number then.
    note: str = ""


class RoundProof(Struct, frozen=True):
    """What the shuffle of a round can be checked with; the seed is there once it is revealed.

    Where a person dealt there is no shuffle to check: commitment and seeds are empty (STU-30).
    """

    rules_sha256: str
    engine: int
    commitment: str
    client_seed: str
    seed: str | None
    start: int
    dealing: Dealing = "house"


class RoundSteps(Struct, frozen=True):
    """All steps of a round in order, and its proof."""

    code: str
    steps: tuple[RoundStep, ...]
    proof: RoundProof


def round_steps(connection: Connection, code: str) -> RoundSteps:
    """The steps of a round by its code."""
    head = find_round(connection, code)
    if head is None:
        raise Refusal("round/unknown", code=code)
    log = schema.log.c
    query = sqlalchemy.select(log.n, log.at, log.kind, log.body, log.player).where(log.round == code)
    found = connection.execute(query.order_by(log.n)).all()
    rows = [RoundRow(row.n, row.at, row.kind, decode_body(row.body)) for row in found]
    timed_out = _timed_out(connection, head.stream, code, rows[-1].n)
    #: A player who plays alone opens the round with the bets.
    alone = rows[0].kind == PlaceBets.__struct_config__.tag
    modes: dict[int, Mode] = {}
    steps = []
    for row, player in zip(rows, [row.player for row in found], strict=True):
        for event in row.decoded_events:
            if isinstance(event, BettingClosed):
                modes = {spot.spot: spot.mode for spot in event.spots}
        steps.append(_step(row, player, alone, modes, timed_out))
    ended = {code: head.closed_at} if head.state == "voided" and head.closed_at is not None else {}
    if (voiding := voidings(connection, ended).get(code)) is not None:
        steps = [replace(step, player=voiding.operator) if step.by == "operator" else step for step in steps]
    opening = opening_of_rows(rows)
    changes = iter(card_changes(rows, opening.start))
    for place, step in enumerate(steps):
        if step.kind in (TAKE_BACK, CORRECTION):
            change = next(changes)
            note = f"{change.place + 1}: {change.text}. {change.why}"
            steps[place] = replace(step, by="operator", player=change.by, note=note)
    return RoundSteps(code, tuple(steps), _proof(connection, opening))


def _proof(connection: Connection, opening: Opening) -> RoundProof:
    if opening.studio is not None:
        return RoundProof(opening.rules_sha256, opening.engine, "", "", None, opening.start, "studio")
    shoe = shoe_by_id(connection, opening.shoe)
    return RoundProof(
        opening.rules_sha256,
        opening.engine,
        shoe.commitment,
        shoe.client_seed,
        None if shoe.seed is None else shoe.seed.hex(),
        opening.start,
    )


def _step(
    row: RoundRow,
    player: int | None,
    alone: bool,
    modes: dict[int, Mode],
    timed_out: set[tuple[int, int, str]],
) -> RoundStep:
    command = row.command
    spot, hand = getattr(command, "spot", None), getattr(command, "hand", None)
    by = "player" if player is not None else _decider(row.kind, command, alone, modes, timed_out)
    if player is None and isinstance(command, Insure | PlaceBets | Consent | Join):
        player = int(command.player)
    moved = sum(movement.amount for movement in row.body.movements)
    return RoundStep(row.n, row.at, row.kind, by, player, spot, hand, moved)


def _decider(
    kind: str,
    command: AnyCommand | None,
    alone: bool,
    modes: dict[int, Mode],
    timed_out: set[tuple[int, int, str]],
) -> Decider:
    """Return who decided a step that no request asked for: time-out, best strategy or platform."""
    if isinstance(command, Void):
        return "operator" if command.reason == MALFUNCTION else "platform"
    if kind in (CARD, CUT_CARD, PAY):
        return "dealer"
    if isinstance(command, Decision):
        if alone or (command.spot, command.hand, kind) in timed_out:
            return "time-out"
        mode = modes.get(command.spot, "owner")
        return "in-advance" if mode == "owner" else mode
    if isinstance(command, Insure | EvenMoney | CloseOffers | BonusCommand):
        return "time-out"
    if isinstance(command, Join) or (alone and isinstance(command, PlaceBets)):
        return "player"  # whose request is that of the deal, or of sitting down
    if isinstance(command, Consent):
        return "in-advance"
    return "platform"


def _timed_out(connection: Connection, stream: int, code: str, last: int) -> set[tuple[int, int, str]]:
    """Decisions of a round that the clock made: spot, hand and action (PLT-49)."""
    notices: Any = schema.notices.c
    query = sqlalchemy.select(notices.spot, notices.hand, notices.detail).where(
        notices.stream == stream,
        notices.n <= last + _NOTICES_AFTER,
        notices.round == code,
        notices.what == "decided",
    )
    found: Sequence[Any] = connection.execute(query).all()
    return {(row.spot, row.hand, row.detail) for row in found}
