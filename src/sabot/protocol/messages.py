"""Messages of the house over the socket: responses to requests, frames of events, snapshots, a player's own part."""

from typing import Any, Literal

from msgspec import Struct

from sabot.engine.commands import Bet, kebab
from sabot.engine.events import AnyEvent, BetSettled, DealerEnded, PlayerPaid, SideBetDecided
from sabot.engine.view import PlayerView, TableView
from sabot.games.options import TableOptions
from sabot.store.kinds import Currency
from sabot.tables.live.closed import WhyClosed
from sabot.tables.live.events import LimitsShown, LiveEvent, ShoeRevealed
from sabot.tables.live.view import LivePart, LiveView, Notice

TableEvent = AnyEvent | LiveEvent


class Message(Struct, frozen=True, tag_field="type", tag=kebab):
    """The root of all messages."""


class Frame(Message, frozen=True):
    """What happened at a table; `turn` is what the next request must carry."""

    table: str
    epoch: int
    seq: int
    at: int
    round: str
    turn: int
    events: tuple[TableEvent, ...]


class Failure(Struct, frozen=True):
    """The reason of a refusal: a code of the registry with its params."""

    code: str
    params: dict[str, Any] = {}


class Response(Message, frozen=True, tag="answer"):
    """The response to a request: carried out, or refused."""

    id: str
    error: Failure | None = None
    #: The server's clock when it answered, so that a client knows how far its own is off.
    at: int = 0


class Results(Struct, frozen=True):
    """The player's results in the current or the last round: each settled bet and, at the end, the sums."""

    settled: tuple[BetSettled, ...] = ()
    paid: PlayerPaid | None = None


class PublicOutcome(Struct, frozen=True):
    """What everyone may see of that round's results: side bets, revealed seeds, why it was voided."""

    sides: tuple[SideBetDecided, ...] = ()
    revealed: ShoeRevealed | None = None
    voided: str | None = None


class OwnPart(Message, frozen=True, tag="me"):
    """The player's own part at a table. It is always sent whole, and never replayed."""

    table: str
    #: Money at the table that is not staked, and money in the account; None while not sitting.
    balance: int | None
    account: int
    brought: int
    limits: str
    part: PlayerView | None = None
    results: Results = Results()
    #: The bets last dealt, which are repeated (COM-52, MAJ-57).
    last: tuple[Bet, ...] = ()
    #: At a solo table: whether insurance is offered in this play session (SUR-06, CSH-12, COM-57).
    insurance: bool = True
    #: At a solo table: what was done while the player was away, until the player sits down again (PLT-49).
    notices: tuple[Notice, ...] = ()
    #: At a live table.
    live: LivePart | None = None


class Snapshot(Message, frozen=True):
    """A table as it is now."""

    table: str
    epoch: int
    seq: int
    at: int
    game: str
    currency: Currency
    commitment: str
    options: TableOptions
    limits: tuple[LimitsShown, ...]
    round: str = ""
    turn: int = 0
    view: TableView | None = None
    outcome: PublicOutcome = PublicOutcome()
    live: LiveView | None = None
    #: The name that the operator gives a live table.
    title: str = ""
    #: The amount suggested at sitting down, and the most to bring to a live table in one sitting (PLT-04).
    sitting: int = 0
    cap: int | None = None
    #: Why the table takes no new bets; empty if it does (OFF-02).
    closed: WhyClosed = ""
    #: The qualities of a live table's video, the best first (STU-20).
    video: tuple[str, ...] = ()


class Said(Message, frozen=True):
    """A chat line (PLT-40). It is not in the log and has no frame number."""

    table: str
    id: int
    player: str
    name: str
    text: str
    at: int
    #: The speaker's role.
    role: str = "player"


class Unsaid(Message, frozen=True):
    """A moderator removed a chat line."""

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
    #: Seats that are taken, and all seats; 0 at a table with boxes.
    taken: int
    seats: int
    #: People and bots at the table.
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
    #: Why the table takes no new bets; empty if it does (OFF-02).
    closed: WhyClosed = ""
    #: Who holds each seat, from the first; a table with boxes has none.
    held: tuple[Literal["person", "bot"] | None, ...] = ()
    #: How the dealer's last hands ended, the newest first.
    results: tuple[DealerEnded, ...] = ()
    #: The qualities of its video, the best first (STU-20).
    video: tuple[str, ...] = ()


class Lobby(Message, frozen=True):
    """Every live table."""

    tables: tuple[TableHead, ...]


class Closed(Message, frozen=True):
    """The house reads the table back from the log and shows it again; with `closed/table` it is gone for good."""

    table: str
    reason: str


AnyMessage = Response | Frame | OwnPart | Snapshot | Closed | Said | Unsaid | Lobby
