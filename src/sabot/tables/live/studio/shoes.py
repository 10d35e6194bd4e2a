"""The shoes of a studio table: put into use, counted, and their history (STU-07)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Literal

from sabot.errors import Refusal
from sabot.rounds.studio import HandShoeState, ShoeStep
from sabot.tables.by_hand import HandDealing
from sabot.tables.live.events import HandShoeChanged
from sabot.tables.live.play import LivePlay
from sabot.tables.live.studio.shift import PresenterShift, StudioPerson

if TYPE_CHECKING:
    from sabot.tables.live.studio.studio import StudioCourse

#: The reason that players see for a pause.
CHECK = "malfunction"


class StudioShoes:
    """The shoe in use, and the steps of every shoe that comes to the table."""

    def __init__(
        self,
        play: LivePlay,
        dealing: HandDealing,
        shift: PresenterShift,
        course: StudioCourse,
        report: Callable[..., None],
    ) -> None:
        """`report` tells the supervisor something."""
        self._play = play
        self._dealing = dealing
        self._shift = shift
        self._course = course
        self._report = report

    @property
    def in_use(self) -> bool:
        """Whether a shoe is in use."""
        return self._dealing.state.shoe is not None

    @property
    def dealt(self) -> int:
        """The number of cards that are dealt from the shoe in use."""
        current, shoe = self._play.table.current, self._dealing.state.shoe
        if current is not None and not current.round.over:
            return current.round.shoe.dealt
        return 0 if shoe is None else shoe.dealt

    @property
    def is_due(self) -> bool:
        """Whether the shoe must be changed before the next betting (COM-12)."""
        shoe = self._dealing.state.shoe
        return shoe is None or shoe.cut_seen

    def change(self, by: StudioPerson, label: str) -> None:
        """Deal from another shoe from now on, which is whole and cut."""
        self._shift.check(by)
        table = self._play.table
        if table.in_round:
            raise Refusal("round/open")
        table.shoes.reserve()
        shoe = HandShoeState(table.shoes.reserved, label)
        table.shoes.reserved = 0
        self._play.step.store(self._dealing.use(shoe, self._now))
        self._play.step.show(HandShoeChanged())
        if self._play.phases.phase == "shuffle" and not table.paused:
            self._course.between_rounds()

    def note(
        self, by: StudioPerson, what: Literal["arrived", "checked", "shuffled", "retired"], label: str
    ) -> None:
        """A step in the history of a shoe (STU-07)."""
        self._shift.check(by)
        self._note(what, 0, label, by)

    def count(self, by: StudioPerson, counted: int) -> None:
        """The cards behind the cut card were counted: with those dealt they must be the shoe's decks (STU-07)."""
        self._shift.check(by)
        shoe, table = self._dealing.state.shoe, self._play.table
        if shoe is None or table.in_round:
            raise Refusal("shoe/none")
        self._note("counted", shoe.id, shoe.label, by, counted)
        self.check_count(counted, shoe.dealt)

    def check_count(self, counted: int, dealt: int) -> bool:
        """Whether the cards of a shoe are its decks; else the table is paused, and the supervisor told (STU-07)."""
        table = self._play.table
        if counted + dealt == 52 * table.rules.decks:
            return True
        self._report("shoe-miscounted", counted=counted, dealt=dealt)
        if not table.paused:
            self._course.pause(CHECK)
        return False

    def _note(self, what: str, shoe: int, label: str, by: StudioPerson, counted: int | None = None) -> None:
        detail = ShoeStep(shoe, label, by.id, counted)
        entry = self._dealing.note(f"shoe-{what}", detail, self._now, self._dealing.state)
        self._play.step.store(entry)

    @property
    def _now(self) -> int:
        return self._play.phases.now
