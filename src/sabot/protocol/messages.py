"""The socket's language: what a player's client asks, and what it is told. JSON, one value a frame.

Every question carries an id of the client's own and, in a round, the round's code and turn: what was asked for another
moment is stale. An id with the same contents gets the same answer again, without being carried out twice.

>>> decode_ask(b'{"type":"hit","id":"a","table":"solo/surrender","round":"x","turn":2,"spot":0}')
Hit(id='a', table='solo/surrender', round='x', turn=2, spot=0, hand=0)
>>> decode_ask(b'{"type":"hit"}')
Traceback (most recent call last):
sabot.protocol.messages.WireError: Object missing required field `id`
"""

from __future__ import annotations

from typing import Any

import msgspec
from msgspec import Struct

from sabot.engine.commands import kebab
from sabot.engine.events import AnyEvent, BetSettled, PlayerPaid, SideBetDecided
from sabot.engine.view import PlayerView, TableView
from sabot.games.options import TableOptions
from sabot.protocol.fields import RequestId
from sabot.protocol.requests import (
    AddMoney,
    AllowBehind,
    AnyAsk,
    Ask,
    Cashback,
    ChooseLimits,
    Consent,
    Continue,
    Deal,
    Decide,
    Double,
    Enter,
    EvenMoney,
    Exit,
    Hit,
    InRound,
    Insure,
    Leave,
    Open,
    PlaceBets,
    PreDecide,
    Resume,
    Say,
    See,
    SendSeed,
    Sit,
    Spin,
    Split,
    Stand,
    StartNow,
    Surrender,
    Vote,
    WatchLobby,
)
from sabot.store.kinds import Currency
from sabot.tables.live.events import LiveEvent, RoundOpened, ShoeCommitted, ShoeRevealed
from sabot.tables.live.view import LivePart, LiveView

__all__ = [
    "LONGEST_FRAME",
    "SUBPROTOCOL",
    "AddMoney",
    "AllowBehind",
    "Answer",
    "AnyAsk",
    "AnyTold",
    "Ask",
    "Cashback",
    "ChooseLimits",
    "Closed",
    "Consent",
    "Continue",
    "Deal",
    "Decide",
    "Double",
    "Enter",
    "EvenMoney",
    "Exit",
    "Failure",
    "Frame",
    "Hit",
    "InRound",
    "Insure",
    "Leave",
    "Limit",
    "Lobby",
    "Me",
    "Open",
    "PlaceBets",
    "PreDecide",
    "PublicOutcome",
    "Results",
    "Resume",
    "RoundOpened",
    "Said",
    "Say",
    "See",
    "SendSeed",
    "ShoeCommitted",
    "ShoeRevealed",
    "Sit",
    "Snapshot",
    "Spin",
    "Split",
    "Stand",
    "StartNow",
    "Surrender",
    "TableEvent",
    "TableHead",
    "Told",
    "Unsaid",
    "Vote",
    "WatchLobby",
    "WireError",
    "decode_ask",
    "encode",
]

#: The subprotocol of the socket, and the longest frame a client may send.
SUBPROTOCOL = "sabot.v1"
LONGEST_FRAME = 4096


class WireError(ValueError):
    """Bytes that are no question; says what is wrong with them."""


# What is told


TableEvent = AnyEvent | LiveEvent


class Frame(Struct, frozen=True):
    """What happened at a table; `turn` is what the next question must carry."""

    table: str
    epoch: int
    seq: int
    at: int
    round: str
    turn: int
    events: tuple[TableEvent, ...]


class Told(Struct, frozen=True, tag_field="type", tag=kebab):
    """The root of all other frames."""


class Failure(Struct, frozen=True):
    """Why not: a code of the registry with its params."""

    code: str
    params: dict[str, Any] = {}


class Answer(Told, frozen=True):
    """A question was carried out, or why not."""

    id: str
    error: Failure | None = None
    #: The server's clock when it answered, so that a client can tell how far its own is off.
    at: int = 0


class Limit(Struct, frozen=True):
    """Limits the player may choose (COM-54)."""

    name: str
    main: tuple[int, int]
    side: tuple[int, int]
    #: The maximum win of a round, and the most to bring to a sitting.
    max_win: int | None = None
    cap: int | None = None


class Results(Struct, frozen=True):
    """What became of the player's bets in the round being played, or in the last one: by line, and at its end in sum."""

    settled: tuple[BetSettled, ...] = ()
    paid: PlayerPaid | None = None


class PublicOutcome(Struct, frozen=True):
    """What became of that round for everyone: its side bets, its seeds once revealed, why it was voided."""

    sides: tuple[SideBetDecided, ...] = ()
    revealed: ShoeRevealed | None = None
    voided: str | None = None


class Me(Told, frozen=True):
    """The player's own part at a table, whole; never replayed."""

    table: str
    #: Money at the table that is not staked, and money in the account; None while not sitting.
    balance: int | None
    account: int
    brought: int
    limits: str
    part: PlayerView | None = None
    results: Results = Results()
    #: At a live table.
    live: LivePart | None = None


class Snapshot(Told, frozen=True):
    """A table as it is now."""

    table: str
    epoch: int
    seq: int
    at: int
    game: str
    currency: Currency
    commitment: str
    options: TableOptions
    limits: tuple[Limit, ...]
    round: str = ""
    turn: int = 0
    view: TableView | None = None
    outcome: PublicOutcome = PublicOutcome()
    live: LiveView | None = None
    #: What the operator calls a live table.
    title: str = ""
    #: What is offered to be brought by sitting down, and the most to bring to a sitting at a live table (PLT-04).
    sitting: int = 0
    cap: int | None = None


class Said(Told, frozen=True):
    """Somebody said something at a table; outside the log and the counting of frames (PLT-40)."""

    table: str
    id: int
    player: str
    name: str
    text: str
    at: int
    #: What the speaker is to the house.
    role: str = "player"


class Unsaid(Told, frozen=True):
    """A moderator took what was said away."""

    table: str
    id: int


class TableHead(Struct, frozen=True):
    """A live table as the lobby shows it (PLT-44)."""

    table: str
    title: str
    game: str
    currency: Currency
    #: Whether the dealer's second card comes after the decisions (MAJ-01).
    eu: bool
    phase: str
    paused: bool
    #: Seats taken and in all; a table with boxes has none.
    taken: int
    seats: int
    #: Those who are there: people, and beside them programs.
    humans: int
    bots: int
    minimum: int
    maximum: int
    #: Limits of side bets, and the most that can be won in a round; None without one (PLT-10).
    side_minimum: int
    side_maximum: int
    max_win: int | None
    #: The VIP level from which a player may sit down.
    vip: int = 0


class Lobby(Told, frozen=True):
    """Every live table."""

    tables: tuple[TableHead, ...]


class Closed(Told, frozen=True):
    """The table is thrown away and read back: open it again."""

    table: str
    reason: str


AnyTold = Answer | Me | Snapshot | Closed | Said | Unsaid | Lobby

_ASK: msgspec.json.Decoder[AnyAsk] = msgspec.json.Decoder(AnyAsk)
encode = msgspec.json.Encoder().encode


class _Named(Struct):
    id: RequestId = ""


_NAMED = msgspec.json.Decoder(_Named)


def id_of(frame: bytes | str) -> str:
    """The id of a question that cannot be read, if it has one: who asked it waits for an answer to that.

    >>> id_of('{"type": "bet", "id": "17"}'), id_of("{}"), id_of("no question")
    ('17', '', '')
    """
    try:
        return _NAMED.decode(frame[:LONGEST_FRAME]).id
    except (msgspec.DecodeError, UnicodeError, RecursionError):
        return ""


def decode_ask(frame: bytes | str) -> AnyAsk:
    """The question of a frame; `WireError` for anything else."""
    if len(frame) > LONGEST_FRAME:
        raise WireError(f"a frame has at most {LONGEST_FRAME} bytes, not {len(frame)}")
    try:
        return _ASK.decode(frame)
    except (msgspec.DecodeError, UnicodeError) as error:
        raise WireError(str(error)) from None
    except RecursionError:
        raise WireError("nested too deeply") from None
