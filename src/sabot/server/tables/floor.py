"""What the floor knows of a live table beside what the lobby shows (OFF-05)."""

from msgspec import Struct

#: The reason of a pause in which a supervisor was called to the table, as the table keeps it.
CALLED = "called"


class FloorState(Struct, frozen=True):
    """A live table as its node knows it: who looks at it, which presenters, whether it is being read back."""

    table: str
    viewers: int
    presenters: tuple[str, ...]
    down: bool
    #: The presenter on shift, where a person deals (STU-09).
    on_shift: str = ""
    #: The presenter on shift, by the account's number, while the console is locked (STU-27).
    locked: int | None = None
    #: Whether the table is paused until a supervisor looks, and whether a card that a person deals is late (OFF-07).
    called: bool = False
    late: bool = False
