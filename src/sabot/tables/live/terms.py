"""Terms: the settings that a live table is run by, and whether it takes anything new (OFF-02, PLT-10)."""

from msgspec import Struct

from sabot.tables.config import TableConfig
from sabot.tables.live.closed import WhyClosed
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
