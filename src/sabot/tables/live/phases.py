"""The phase of a live table, and when it ends."""

from typing import NamedTuple

from sabot.tables.live.events import PhaseChanged
from sabot.tables.live.step import StepBuilder
from sabot.tables.live.timers import Clock, Phase


class PhaseTime(NamedTuple):
    """A phase and its deadline, as `Phases` has them."""

    phase: Phase
    due: float | None
    until: int | None
    bets_closed: float | None
    left: float | None


class Phases:
    """The current phase and its deadline by two clocks."""

    def __init__(self, clock: Clock, step: StepBuilder) -> None:
        self.phase: Phase = "idle"
        #: When the phase ends: in steady seconds, and by the wall clock, as players see it.
        self.due: float | None = None
        self.until: int | None = None
        #: When betting last closed, in steady seconds.
        self.bets_closed: float | None = None
        #: Seconds left of the phase when the table was paused.
        self._left: float | None = None
        self._clock = clock
        self._step = step

    @property
    def now(self) -> int:
        """Milliseconds of UTC, for what is stored and sent."""
        return self._clock.wall_ms()

    @property
    def steady(self) -> float:
        """Seconds that only go forward, for deadlines."""
        return self._clock.monotonic()

    def is_due(self, at: float | None = None) -> bool:
        """Whether the phase has ended, now or at a moment of the steady clock.

        A request is judged by when it was read from the socket, not by when its turn in a queue came (ASR-20).
        """
        return self.due is not None and (self.steady if at is None else at) >= self.due

    def enter(self, phase: Phase, seconds: float | None) -> None:
        """Begin a phase; without seconds it has no end."""
        self.phase = phase
        self.due = None if seconds is None else self.steady + seconds
        self.until = None if seconds is None else self.now + round(1000 * seconds)
        self._step.show(PhaseChanged(phase, self.until))

    @property
    def moment(self) -> PhaseTime:
        """The phase and its deadline now."""
        return PhaseTime(self.phase, self.due, self.until, self.bets_closed, self._left)

    def restore(self, moment: PhaseTime) -> None:
        """Go on with the time of a phase that had begun before the table was read back."""
        if self.phase == moment.phase or (self.phase == "betting" and moment.phase == "closing"):
            self.phase, self.due, self.until, self.bets_closed, self._left = moment
            self._step.show(PhaseChanged(self.phase, self.until))

    def stop(self) -> None:
        """Stop the clock for a pause; a phase without an end has no time left."""
        due = None if self.until is None else self.due
        self._left = None if due is None else max(0.0, due - self.steady)
        self.due = self.until = None

    def go_on(self) -> None:
        """Go on with the time that was left."""
        self.enter(self.phase, self._left)
