"""The interface between a runtime and its table in memory, solo or live."""

from collections.abc import Mapping
from typing import NamedTuple, Protocol, TypeVar

from sabot.engine import Round
from sabot.engine.commands import Player
from sabot.engine.events import RoundVoided, SideBetDecided
from sabot.engine.view import table_view
from sabot.errors import Refusal
from sabot.protocol import messages, requests
from sabot.server.accounts.logins import Login
from sabot.server.tables.subscribers import Moves
from sabot.store.entry import RequestKey
from sabot.tables.live.events import LimitsShown, ShoeRevealed
from sabot.tables.live.phases import PhaseTime
from sabot.tables.live.presence import Preferences
from sabot.tables.live.step import LiveStep
from sabot.tables.table import Table

#: The table in memory.
T = TypeVar("T", covariant=True)

#: The reason that players are given for a round that an operator voids; the operator's own words stay in the house.
MALFUNCTION = "malfunction"


class Funds(NamedTuple):
    """The account of a player, read for a request that brings money."""

    balance: int
    #: What the table had moved of it when it was read.
    moves: Moves
    #: Golden chips that come along.
    golden: Mapping[int, int]


class Context(NamedTuple):
    """What is known of a request besides its contents."""

    #: When it was read from the socket, by the steady clock (ASR-20).
    at: float
    #: What the player's own loss limit lets be staked in the round; None where no limit bounds it (ASR-41).
    most: int | None = None
    funds: Funds | None = None


def unknown(request: requests.AnyRequest) -> Refusal:
    """Nothing that can be done at this table."""
    found = request.command if isinstance(request, requests.Act) else request
    return Refusal("command/unknown", command=type(found).__name__)


def public_outcome(round: Round, revealed: ShoeRevealed | None = None) -> messages.PublicOutcome:
    """What everyone may see of a round's results; a void takes back what was settled before it."""
    reasons = (event.reason for event in round.log if isinstance(event, RoundVoided))
    return messages.PublicOutcome(
        sides=tuple(event for event in round.log if isinstance(event, SideBetDecided)),
        revealed=revealed,
        voided=next(reasons, None),
    )


def snapshot_of(
    table: Table,
    seq: int,
    at: int,
    turn: int,
    limits: tuple[LimitsShown, ...] = (),
    revealed: ShoeRevealed | None = None,
) -> messages.Snapshot:
    """A table as everyone sees it now."""
    round = table.current.round if table.current else None
    return messages.Snapshot(
        table=table.config.name,
        epoch=table.stream.epoch,
        seq=seq,
        at=at,
        game=table.rules.name,
        currency=table.config.currency,
        commitment=table.shoes.commitment,
        options=table.options,
        limits=limits,
        sitting=table.config.sitting,
        round=table.code,
        turn=turn,
        view=None if round is None else table_view(round),
        outcome=messages.PublicOutcome() if round is None else public_outcome(round, revealed),
    )


class TableAdapter(Protocol[T]):
    """A table in memory, as its runtime uses it."""

    #: Requests that are remembered.
    kept_requests: int

    @property
    def owner(self) -> int | None:
        """The player of a solo table."""

    @property
    def table(self) -> T:
        """The table in memory."""

    @property
    def base(self) -> Table:
        """The table on the store: its settings, its stream, who sits there, the round being played."""

    @property
    def turn(self) -> int:
        """What a request in the round must carry."""

    @property
    def moment(self) -> PhaseTime | None:
        """The phase of a live table and its deadline."""

    def handle(self, request: requests.AnyRequest, player: Player, key: RequestKey, context: Context) -> None:
        """Carry out a request, or raise why not."""

    def take(self) -> LiveStep:
        """What was done since the last call."""

    def come(self, login: Login, preferences: Preferences) -> None:
        """A player's connection opens."""

    def go(self, player: Player) -> None:
        """A player's connection closes."""

    def prefer(self, player: Player, preferences: Preferences) -> None:
        """A player's settings changed."""

    def log_out(self, player: Player) -> None:
        """A player's login ended."""

    def renew(self) -> None:
        """The operator has changed settings: they are used from the next round on (PLT-10)."""

    def staked(self, player: Player) -> int:
        """The sum of a player's bets, which new bets would replace."""

    def bound_loss(self, player: Player, code: str, most: int) -> int | None:
        """Bound what a player may stake in a round; gives what is staked, None if it is not played (ASR-41)."""

    def void(self) -> None:
        """Return every stake of the round (PLT-32, ASR-13)."""

    def snapshot(self, seq: int) -> bytes:
        """The table as everyone sees it now, packed for the wire."""

    def me(self, player: Player, account: int) -> messages.OwnPart:
        """A player's own part; `account` is the money outside the table."""
