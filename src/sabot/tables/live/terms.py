"""Terms: the settings that a live table is run by, and whether it takes anything new (OFF-02, PLT-10)."""

from collections.abc import Callable

from msgspec import Struct
from msgspec.structs import replace

from sabot.engine import Bet
from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.tables.config import TableConfig
from sabot.tables.live.closed import WhyClosed, check_open
from sabot.tables.live.play import LivePlay
from sabot.tables.live.timers import Timers


class TableTerms(Struct, frozen=True, kw_only=True):
    """Settings that an operator may change while the table is open: each round keeps those it began with."""

    config: TableConfig
    timers: Timers
    #: Its name in the lobby.
    title: str = ""
    closed: WhyClosed = ""
    #: Whether the table is taken away: after its round all money goes back, and it is gone.
    closing: bool = False
    #: The qualities of its video, the best first; none without video (STU-20).
    video: tuple[str, ...] = ()


class TermsInUse:
    """The terms of a table now, and those that its next round will have."""

    def __init__(self, play: LivePlay, timers: Timers) -> None:
        self._play = play
        only = TableTerms(config=play.table.config, timers=timers)
        self.next: Callable[[], TableTerms] = lambda: only
        play.table.keep_options()
        self.used = replace(only, config=play.table.config)

    @property
    def is_over(self) -> bool:
        """Whether the table was taken away, and nobody has money there any more."""
        table = self._play.table
        return self.used.closing and self.next().closing and not (table.in_round or table.sittings)

    def check_open(self) -> None:
        """Refuse someone who would sit down at a table that is closed (OFF-02)."""
        check_open(self.next().closed, self._play.table.config.game.title)

    def check_bets(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Refuse more at a table, or on a side bet, that is closed; what stands may stay or be taken back (OFF-02)."""
        placed = {(bet.spot, bet.kind): bet.face for bet in self._play.bets_of(player)}
        more = {bet.kind for bet in bets if bet.face > placed.get((bet.spot, bet.kind), 0)}
        if not more:
            return
        self.check_open()
        table = self._play.table
        options = self.next().config.options or table.config.game.options
        for kind in options.side_bets_off:
            if kind in more and kind not in table.options.side_bets_off:
                raise Refusal("closed/bet", kind=kind)
