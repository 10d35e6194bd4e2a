"""Rebuild an open round from the log after a restart, or void it with refund (PLT-34)."""

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Raw

from sabot.cards import ShoeEmptyError
from sabot.engine import Price
from sabot.engine.commands import AddMoney, Join, Scan
from sabot.engine.inputs import Chance
from sabot.errors import Refusal
from sabot.rounds.by_hand import is_hole, with_another, without_last
from sabot.rounds.face_down import FaceDown
from sabot.rounds.queries import RoundRow, opening_of_rows
from sabot.rounds.stored import StoredRound, recorded_prices
from sabot.rounds.studio import CARD, CORRECTION, TAKE_BACK, Corrected
from sabot.store.entry import Body, Movement
from sabot.store.facts import Played, RoundClosed


class ReplayError(Exception):
    """A replay that differs from the stored rows; the message says where."""


def rebuild(
    code: str,
    rows: Sequence[RoundRow],
    chance: Chance,
    price: Price | None,
    down: Mapping[int, FaceDown] | None = None,
) -> StoredRound:
    """Replay a round from its rows; every event and movement must be as stored.

    `down` has the cards that lay face down, by their rows, where a person dealt.
    """
    recorded = [price for row in rows for price in row.body.prices]
    stored = StoredRound(code, opening_of_rows(rows), chance, recorded_prices(recorded, price))
    stored.down = dict(down or {})
    for row in rows:
        if row.kind in (TAKE_BACK, CORRECTION):
            stored = _changed(stored, row)
            continue
        command = row.command
        if row.kind == CARD:
            command = command or Scan(stored.down[row.n].card)
            stored.scans[len(stored.round.commands)] = row.n
        if command is None:
            continue
        # Money brought during a round comes from outside it.
        outside = int(isinstance(command, AddMoney))
        try:
            if isinstance(command, Join):
                events, body = stored.join(command, row.joined.account)
            else:
                events, body = stored.apply(command)
        except (Refusal, ShoeEmptyError, RuntimeError) as error:
            raise ReplayError(f"row {row.n}, {row.kind}: refused now: {error}") from None
        if row.n in stored.down and is_hole(events):
            stored.holes.append(row.n)
        if msgspec.json.encode(events) != row.events:
            raise ReplayError(f"row {row.n}, {row.kind}: other events than are stored")
        if row.body.movements[outside:] != body.movements:
            raise ReplayError(f"row {row.n}, {row.kind}: other movements than are stored")
    return stored


def _changed(stored: StoredRound, row: RoundRow) -> StoredRound:
    """The round after a row that took a card back or corrected one (STU-08)."""
    detail = row.body.detail
    assert isinstance(detail, Raw), "such a row says which card"
    try:
        if row.kind == TAKE_BACK:
            return without_last(stored)
        change = msgspec.json.decode(detail, type=Corrected)
        card = stored.down[row.n].card if change.after is None else change.after
        is_hole_card = change.row in stored.holes
        stored, events = with_another(stored, change.row, card)
    except Refusal as error:
        raise ReplayError(f"row {row.n}, {row.kind}: refused now: {error}") from None
    if msgspec.json.encode(events) != row.events:
        raise ReplayError(f"row {row.n}, {row.kind}: other events than are stored")
    if is_hole_card:
        stored.holes.append(row.n)
    return stored


def escrow_net(rows: Sequence[RoundRow], escrow: int) -> dict[int, int]:
    """The net that a round's movements through its escrow brought to each account; below zero, it lost."""
    net: dict[int, int] = {}
    for movement in (movement for row in rows for movement in row.body.movements):
        if escrow in (movement.debit, movement.credit):
            net[movement.debit] = net.get(movement.debit, 0) - movement.amount
            net[movement.credit] = net.get(movement.credit, 0) + movement.amount
    return net


def refund(code: str, rows: Sequence[RoundRow], escrow: int, sessions: dict[int, int]) -> Body:
    """A void from the ledger alone: every movement of the round is balanced by its opposite (PLT-32, ASR-13).

    `sessions` gives the player of each session account. Used when a round cannot be replayed.
    """
    net = escrow_net(rows, escrow)
    net.pop(escrow, None)
    back = [Movement(f"{code}/void/{id}", id, escrow, won) for id, won in net.items() if won > 0]
    back += [Movement(f"{code}/void/{id}", escrow, id, -won) for id, won in net.items() if won < 0]
    lines = tuple(Played(player, 0, 0) for account, player in sessions.items() if account in net)
    return Body(movements=tuple(back), facts=(RoundClosed("voided", lines),))
