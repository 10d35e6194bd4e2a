"""What the floor knows of a live table beside what the lobby shows (OFF-05)."""

from msgspec import Struct


class FloorState(Struct, frozen=True):
    """A live table as its node knows it: who looks at it, which presenters, whether it is being read back."""

    table: str
    viewers: int
    presenters: tuple[str, ...]
    down: bool
    #: The presenter on shift, where a person deals (STU-09).
    on_shift: str = ""
