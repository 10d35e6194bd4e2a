"""Reads of a studio table: its shoe, presenter and devices, and cards that lie face down, sealed (STU-05, STU-06)."""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import NamedTuple, TypeVar

import msgspec
import sqlalchemy
from msgspec import Raw, Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.engine.commands import Scan
from sabot.fairness.vault import VaultError
from sabot.rounds.face_down import CardSeal, FaceDown, place_of
from sabot.rounds.queries import RoundRow
from sabot.rounds.studio import (
    CARD,
    CORRECTION,
    CUT_CARD,
    DEVICE_TAKEN,
    LOCKED,
    PAY,
    SCAN_REFUSED,
    SHIFT,
    SHOE_IN_USE,
    CardRead,
    ClosedByHand,
    ConsoleLocked,
    DeviceTaken,
    HandShoeState,
    ScanRefused,
    Shift,
    StudioState,
)
from sabot.store import schema
from sabot.store.entry import Body, decode_body

_OPENED, _REFUND, _VOID = "round-opened", "refund", "void"
_KINDS = (
    _OPENED,
    CARD,
    CUT_CARD,
    SCAN_REFUSED,
    DEVICE_TAKEN,
    SHIFT,
    LOCKED,
    SHOE_IN_USE,
    PAY,
    _REFUND,
    _VOID,
)
#: Kinds of rows that end a round and tell the cards that lay face down.
ENDS = (PAY, _VOID)
_MARKED = sqlalchemy.text(schema.MARKS)

D = TypeVar("D", bound=Struct)


class Reading(NamedTuple):
    """A reading of a device, and what became of it."""

    device: str
    scan: int
    digest: str
    card: int | None = None
    why: str = ""
    params: Mapping[str, int | str] = MappingProxyType({})
    #: Whether a person named the card; None where it lies face up and it does not matter.
    typed: bool | None = None


class _Opened(Struct, frozen=True):
    """The part of an opening about the studio."""

    studio: StudioState | None = None


def studio_now(connection: Connection, stream: int, rounds: int = 1) -> tuple[StudioState, list[Reading]]:
    """Return the studio of a table, and what its devices have read since the last `rounds` rounds were opened."""
    log = schema.log.c
    opened = (
        sqlalchemy.select(log.n)
        .where(log.stream == stream, _MARKED, log.kind == _OPENED)
        .order_by(log.n.desc())
        .limit(rounds)
    )
    first = min(connection.execute(opened).scalars(), default=0)
    query = sqlalchemy.select(log.kind, log.body).where(
        log.stream == stream, log.n >= first, log.kind.in_(_KINDS)
    )
    state, read = StudioState(), list[Reading]()
    for kind, body in connection.execute(query.order_by(log.n)):
        state = _after(state, kind, decode_body(body), read)
    return state, read


def _after(state: StudioState, kind: str, body: Body, read: list[Reading]) -> StudioState:
    """The studio after a row."""
    if kind == _OPENED:
        return _detail(body, _Opened).studio or state
    if kind == CUT_CARD and not isinstance(body.detail, Raw):  # by a key of the console
        return state
    if kind in (CARD, CUT_CARD):
        one = _detail(body, CardRead)
        hidden = bool(one.digest)
        card, typed = (None, one.by is not None) if hidden else (_card(body), None)
        read.append(Reading(one.device, one.scan, one.digest, card, typed=typed))
        return replace(_numbered(state, one.device, one.scan), device=state.device or one.device)
    if kind == SCAN_REFUSED:
        refused = _detail(body, ScanRefused)
        if not refused.digest:
            return state
        about = (refused.digest, None, refused.why, refused.params, refused.typed)
        read.append(Reading(refused.device, refused.scan, *about))
        return _numbered(state, refused.device, refused.scan)
    if kind == DEVICE_TAKEN:
        taken = _detail(body, DeviceTaken)
        if taken.scan != state.numbers.get(taken.device, 0):  # it counts anew
            read[:] = (one for one in read if one.device != taken.device)
        return replace(_numbered(state, taken.device, taken.scan), device=taken.device)
    if kind == SHIFT:
        return replace(state, presenter=_detail(body, Shift).presenter, locked=False)
    if kind == LOCKED:
        return replace(state, locked=_detail(body, ConsoleLocked).locked)
    if kind == _REFUND:
        return replace(state, shoe=None)
    return replace(state, shoe=_shoe(kind, body) or state.shoe)


def _shoe(kind: str, body: Body) -> HandShoeState | None:
    if kind == SHOE_IN_USE:
        return _detail(body, HandShoeState)
    return _detail(body, ClosedByHand).shoe if isinstance(body.detail, Raw) else None


def _numbered(state: StudioState, device: str, scan: int) -> StudioState:
    return replace(state, numbers={**state.numbers, device: scan})


def _card(body: Body) -> int | None:
    """The card of a row; None where it lies face down."""
    return msgspec.json.decode(body.command, type=Scan).card if isinstance(body.command, Raw) else None


def _detail(body: Body, kind: type[D]) -> D:
    return msgspec.json.decode(body.detail, type=kind)  # type: ignore[arg-type]  # such a row has it


def face_down(
    connection: Connection, code: str, rows: Sequence[RoundRow], seal: CardSeal | None
) -> dict[int, FaceDown]:
    """The cards of a round that lay face down, by their rows: from the end of the round if it has one, else unsealed.

    `VaultError` if a card is needed that only the key of the house opens, and it is not here.
    """
    down = {}
    for row in rows:
        if row.kind in ENDS and isinstance(row.body.detail, Raw):
            ended = _detail(row.body, ClosedByHand)
            down = {one.row: FaceDown(one.card, bytes.fromhex(one.salt)) for one in ended.down}
    wanted = [row for row in rows if _is_sealed(row) and row.n not in down]
    if not wanted:
        return down
    if seal is None:
        raise VaultError("a card that lies face down needs the key of the house")
    return down | sealed_cards(connection, code, wanted, seal)


def sealed_cards(
    connection: Connection, code: str, rows: Sequence[RoundRow], seal: CardSeal
) -> dict[int, FaceDown]:
    """The cards that rows of a round dealt face down, unsealed; `VaultError` if one does not open."""
    wanted = [row.n for row in rows if _is_sealed(row)]
    rounds, sealed = schema.rounds.c, schema.sealed.c
    stream = sqlalchemy.select(rounds.stream).where(rounds.code == code).scalar_subquery()
    query = sqlalchemy.select(sealed.n, sealed.bytes).where(sealed.stream == stream, sealed.n.in_(wanted))
    found = {n: seal.open(bytes, place_of(code, n)) for n, bytes in connection.execute(query)}
    if missing := set(wanted) - found.keys():
        raise LookupError(f"the cards of rows {sorted(missing)} are not in the store")
    return found


def _is_sealed(row: RoundRow) -> bool:
    if row.kind == CARD:
        return not isinstance(row.body.command, Raw)
    return row.kind == CORRECTION and bool(row.body.facts)
