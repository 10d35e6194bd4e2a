"""What the presenter's console shows of a studio table (STU-03)."""

from typing import Literal

from msgspec import Struct

from sabot.engine.events import DueCard
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
