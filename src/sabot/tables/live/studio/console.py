"""What the presenter's console shows of a studio table (STU-03)."""

from typing import Literal

from msgspec import Struct

from sabot.engine.events import DueCard
from sabot.engine.round import Round
from sabot.engine.shoe import HandShoe
from sabot.rounds.by_hand import card_of
from sabot.rounds.stored import StoredRound
from sabot.rounds.studio import HandShoeState
from sabot.tables.by_hand import HandDealing
from sabot.tables.live.play import LivePlay
from sabot.tables.live.studio.shift import PresenterShift
from sabot.tables.live.timers import Phase

#: What the presenter does next: come on shift, unlock, wait for the supervisor, change the shoe, open betting, wait for bets
#: or for players, or what the round waits for.
ConsoleStep = Literal[
    "shift",
    "locked",
    "paused",
    "shoe",
    "open",
    "wait",
    "betting",
    "players",
    "card",
    "hole",
    "burn",
    "turn",
    "pay",
]


class Reported(Struct, frozen=True):
    """Something that the supervisor was told: the code of a refusal, or a word of its own."""

    at: int
    what: str
    about: dict[str, int | str] = {}


class ConsoleCard(Struct, frozen=True):
    """A card of the round by its row in the log; without its face while it lies face down."""

    row: int
    card: int | None


class ConsoleView(Struct, frozen=True, kw_only=True):
    """The console, whole."""

    step: ConsoleStep
    due: DueCard | None
    phase: Phase
    until: int | None
    paused: str
    #: The code of the round being played.
    round: str
    presenter: str
    presenter_id: int | None
    locked: bool
    late: bool
    #: The device whose readings are taken, its last number, and the last number of the console.
    device: str
    scan: int
    console_scan: int
    #: The label of the shoe in use, cards dealt from it, and how many of each card; none that lies face down.
    shoe: str
    dealt: int
    gone: tuple[int, ...]
    cut_seen: bool
    cards: tuple[ConsoleCard, ...]
    reports: tuple[Reported, ...]


def console_view(
    play: LivePlay,
    dealing: HandDealing,
    shift: PresenterShift,
    *,
    late: bool,
    needs_shoe: bool,
    scan: int,
    console_scan: int,
    reports: tuple[Reported, ...],
) -> ConsoleView:
    """The console of a table; it has no card that lies face down (STU-03, STU-06)."""
    state, current = dealing.state, play.table.current
    shoe = state.shoe
    round = None if current is None or current.round.over else current.round
    gone, dealt = _gone(shoe, current, round)
    return ConsoleView(
        step=_step(play, shift, round, needs_shoe),
        due=None if round is None else round.play.due,
        phase=play.phases.phase,
        until=play.phases.until,
        paused=play.table.paused,
        round=play.code if round is not None else "",
        presenter=shift.presenter,
        presenter_id=shift.by,
        locked=shift.locked,
        late=late,
        device=state.device,
        scan=scan,
        console_scan=console_scan,
        shoe="" if shoe is None else shoe.label,
        dealt=dealt,
        gone=gone,
        cut_seen=round.cut_card_out if round is not None else shoe is not None and shoe.cut_seen,
        cards=() if round is None or current is None else _cards(current),
        reports=reports,
    )


def _gone(
    shoe: HandShoeState | None, current: StoredRound | None, round: Round | None
) -> tuple[tuple[int, ...], int]:
    """How many of each card are gone, without those that lie face down; and how many cards in all."""
    if current is None or round is None or not isinstance(round.shoe, HandShoe):
        return (() if shoe is None else shoe.gone), (0 if shoe is None else shoe.dealt)
    gone = list(round.shoe.gone)
    for row in _hidden(current):
        if (card := card_of(current, row)) is not None:
            gone[card] -= 1
    return tuple(gone), round.shoe.dealt


def _step(play: LivePlay, shift: PresenterShift, round: Round | None, needs_shoe: bool) -> ConsoleStep:
    """What the presenter does next."""
    phase = play.phases.phase
    if play.table.paused:
        return "paused"
    if shift.by is None:
        return "shift"
    if shift.locked:
        return "locked"
    if round is not None and round.play.due is not None:
        return round.play.due.what
    if phase == "shuffle" or (phase in ("idle", "payout") and needs_shoe):
        return "shoe"
    if phase in ("idle", "payout"):
        return "open" if play.phases.until is None else "wait"
    return "betting" if phase in ("betting", "closing") else "players"


def _hidden(current: StoredRound) -> list[int]:
    """The rows of cards that lie face down now."""
    turned = not current.round.play.hole_down
    return [
        row for row in current.scans.values() if row in current.down and not (turned and row in current.holes)
    ]


def _cards(current: StoredRound) -> tuple[ConsoleCard, ...]:
    """The cards of a round in their order, for corrections; without the face of one that lies face down."""
    hidden = _hidden(current)
    return tuple(
        ConsoleCard(row, None if row in hidden else card_of(current, row)) for row in current.scans.values()
    )
