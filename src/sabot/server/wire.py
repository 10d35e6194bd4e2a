"""The socket's language: what a player's client asks, and what it is told. JSON, one value a frame.

Every question carries an id of the client's own and, in a round, the round's code and turn: what was asked for another
moment is stale. An id with the same contents gets the same answer again, without being carried out twice.

>>> decode_ask(b'{"type":"hit","id":"a","table":"solo/surrender","round":"x","turn":2,"spot":0}')
Hit(id='a', table='solo/surrender', round='x', turn=2, spot=0, hand=0)
>>> decode_ask(b'{"type":"hit"}')
Traceback (most recent call last):
sabot.server.wire.WireError: Object missing required field `id`
"""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from msgspec import Meta, Struct

from sabot.engine.commands import Amount, Bet, Hand, Spot, kebab
from sabot.engine.events import AnyEvent, Event
from sabot.engine.view import PlayerView, TableView
from sabot.games.options import TableOptions
from sabot.store.facts import Currency

#: The subprotocol of the socket, and the longest frame a client may send.
SUBPROTOCOL = "sabot.v1"
LONGEST_FRAME = 4096

Id = Annotated[str, Meta(min_length=1, max_length=64)]
Name = Annotated[str, Meta(min_length=1, max_length=64)]
ClientSeed = Annotated[str, Meta(max_length=64)]
Number = Annotated[int, Meta(ge=0, le=2**53 - 1)]


class WireError(ValueError):
    """Bytes that are no question; says what is wrong with them."""


# What is asked


class Ask(Struct, frozen=True, forbid_unknown_fields=True, tag_field="type", tag=kebab):
    """The root of all questions."""

    id: Id


class Open(Ask, frozen=True):
    """Open a game: the player's own table of a solo game. It is answered with a snapshot."""

    game: Name
    currency: Currency = "FUN"


class Resume(Ask, frozen=True):
    """Go on after a broken connection: with the frames missed since, or with a snapshot."""

    table: Name
    epoch: Number
    since: Number


class Sit(Ask, frozen=True):
    """Sit down with money from the account (PLT-04)."""

    table: Name
    amount: Amount


class AddMoney(Ask, frozen=True):
    """Bring more money to the table (AGGIUNGI DENARO)."""

    table: Name
    amount: Amount


class Leave(Ask, frozen=True):
    """Leave the table with what is left."""

    table: Name


class ChooseLimits(Ask, frozen=True):
    """Play with other limits, from the next round on (COM-54)."""

    table: Name
    limits: Name


class Deal(Ask, frozen=True):
    """Stake and deal. The client seed is the player's part in the shuffle (ASR-02)."""

    table: Name
    bets: tuple[Bet, ...]
    client_seed: ClientSeed
    #: Off where the player has switched the offer off (SUR-06, CSH-12).
    insurance: bool = True


class InRound(Ask, frozen=True):
    """The root of what is asked in a round: for this round, at this turn."""

    table: Name
    round: Name
    turn: Number


class Decide(InRound, frozen=True):
    """The root of decisions on a hand."""

    spot: Spot
    hand: Hand = 0


class Hit(Decide, frozen=True):
    """Take a card."""


class Stand(Decide, frozen=True):
    """Take no more cards."""


class Double(Decide, frozen=True):
    """Double the stake, take one card, stand."""


class Split(Decide, frozen=True):
    """Make two hands of a pair."""


class Surrender(Decide, frozen=True):
    """Give the hand up for half its stake (RESA)."""


class Cashback(Decide, frozen=True, kw_only=True):
    """Sell the hand for the price shown."""

    price: Amount


class Insure(InRound, frozen=True):
    """Take or refuse insurance, for one spot or for all not yet answered."""

    accept: bool
    spot: Spot | None = None


class EvenMoney(InRound, frozen=True):
    """Take or refuse even money."""

    spot: Spot
    accept: bool


class Spin(InRound, frozen=True):
    """Spin the wheel, or the empty cells of the bonus table (GIRA)."""

    spot: Spot


class Continue(InRound, frozen=True):
    """Leave the intro screen of a bonus table (CONTINUA)."""

    spot: Spot


AnyAsk = (
    Open
    | Resume
    | Sit
    | AddMoney
    | Leave
    | ChooseLimits
    | Deal
    | Hit
    | Stand
    | Double
    | Split
    | Surrender
    | Cashback
    | Insure
    | EvenMoney
    | Spin
    | Continue
)


# What is told


class RoundOpened(Event, frozen=True):
    """A round begins."""

    code: str


class ShoeCommitted(Event, frozen=True):
    """The house has committed to the next shoe."""

    commitment: str


class ShoeRevealed(Event, frozen=True):
    """The shoe is done: both seeds, for everyone to check."""

    commitment: str
    server_seed: str
    client_seed: str


TableEvent = AnyEvent | RoundOpened | ShoeCommitted | ShoeRevealed


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


class Limit(Struct, frozen=True):
    """Limits the player may choose (COM-54)."""

    name: str
    main: tuple[int, int]
    side: tuple[int, int]


class Me(Told, frozen=True):
    """The player's own part at a table, whole; never replayed."""

    table: str
    #: Money at the table that is not staked, and money in the account; None while not sitting.
    balance: int | None
    account: int
    brought: int
    limits: str
    part: PlayerView | None = None


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


class Closed(Told, frozen=True):
    """The table is thrown away and read back: open it again."""

    table: str
    reason: str


AnyTold = Answer | Me | Snapshot | Closed

_ASK: msgspec.json.Decoder[AnyAsk] = msgspec.json.Decoder(AnyAsk)
encode = msgspec.json.Encoder().encode


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
