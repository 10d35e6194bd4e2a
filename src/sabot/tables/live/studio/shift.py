"""The presenter on shift at a studio table, and the lock of the console (STU-09)."""

from __future__ import annotations

from typing import NamedTuple

from msgspec.structs import replace

from sabot.errors import Refusal
from sabot.rounds.studio import LOCKED, SHIFT, ConsoleLocked, Shift
from sabot.tables.by_hand import HandDealing
from sabot.tables.live.events import PresenterChanged
from sabot.tables.live.play import LivePlay

#: Seconds without input after which the console is locked.
IDLE_SECONDS = 300


class StudioPerson(NamedTuple):
    """Who does something at the table."""

    id: int
    name: str = ""
    supervisor: bool = False


class PresenterShift:
    """Who deals now, and whether the console is locked; each change is a row of the log."""

    def __init__(self, play: LivePlay, dealing: HandDealing) -> None:
        self._play = play
        self._dealing = dealing
        #: The presenter's name; read back from the accounts after a restart.
        self.presenter = ""
        self._input_at = play.phases.steady

    @property
    def by(self) -> int | None:
        """The presenter on shift, by the number of the account."""
        return self._dealing.state.presenter

    def change(self, presenter: StudioPerson | None) -> None:
        """A presenter comes to the table, or the last one goes."""
        state = replace(self._dealing.state, presenter=presenter and presenter.id, locked=False)
        self._play.step.store(self._dealing.note(SHIFT, Shift(state.presenter), self._play.phases.now, state))
        self.presenter = "" if presenter is None else presenter.name
        self.entered()
        self._play.step.show(PresenterChanged(self.presenter))

    def begin(self, by: StudioPerson) -> None:
        """Take the shift; a presenter who has it already cannot unlock the console this way."""
        if by.id == self.by:
            self.check(by)
        self.change(by)

    def end(self, by: StudioPerson) -> None:
        """End the shift at an unlocked console."""
        if self.by is None:
            raise Refusal("studio/no-presenter")
        self.check(by)
        self.change(None)

    def lock(self, by: StudioPerson | None = None) -> None:
        """Lock the console; nothing is dealt until it is unlocked."""
        self._set_lock(True, by)

    def unlock(self, by: StudioPerson) -> None:
        """Unlock the console for the presenter, whose password was asked."""
        if by.id != self.by:
            raise Refusal("studio/not-presenter")
        self._set_lock(False, by)

    def _set_lock(self, locked: bool, by: StudioPerson | None) -> None:
        self.entered()
        if locked != self._dealing.state.locked:
            state = replace(self._dealing.state, locked=locked)
            detail = ConsoleLocked(locked, None if by is None else by.id)
            self._play.step.store(self._dealing.note(LOCKED, detail, self._play.phases.now, state))

    @property
    def locked(self) -> bool:
        """Whether the console is locked, by hand or because nothing was entered for five minutes."""
        idle = self._play.phases.steady - self._input_at >= IDLE_SECONDS
        return self._dealing.state.locked or (self.by is not None and idle)

    def admit(self, by: StudioPerson) -> None:
        """Refuse whoever is neither the presenter on shift nor a supervisor."""
        if not by.supervisor and by.id != self.by:
            raise Refusal("studio/no-presenter" if self.by is None else "studio/not-presenter")

    def check(self, by: StudioPerson | None) -> None:
        """Refuse cards and steps without a presenter on shift, or at a locked console; else the console stays unlocked.

        A supervisor who is not on shift may always.
        """
        if by is not None and by.supervisor and by.id != self.by:
            return
        if self.by is None:
            raise Refusal("studio/no-presenter")
        if self.locked:
            self._set_lock(True, None)
            raise Refusal("studio/locked")
        if by is not None and by.id != self.by:
            raise Refusal("studio/not-presenter")
        self.entered()

    def entered(self) -> None:
        """Something was entered just now."""
        self._input_at = self._play.phases.steady
