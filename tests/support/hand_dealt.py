"""A hall whose stacked cards are dealt by a person, who does at once whatever is due (STU-01)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

from sabot.store.database import Database
from sabot.tables.live.studio import StudioPerson
from sabot.tables.live.timers import Phase
from tests.support.live_hall import Hall
from tests.support.table import cards_of

EVA = StudioPerson(8, "Eva")
DEVICE = "shoe-1"
P = ParamSpec("P")


class HandDealtHall(Hall):
    """The same hall, players and cards; each card is read by a device."""

    def __init__(self, database: Database, game: str, *cards: str, **settings: Any) -> None:
        self._shoes_left = [cards_of(text) for text in cards]
        self._cards: Iterator[int] = iter(())
        #: Whether the dealer's hands rest: a test looks at a table that waits for a card.
        self._rests = False
        super().__init__(database, game, *cards, dealing="studio", **settings)
        self._deal()

    def _do(self, act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        super()._do(act, *args, **kwargs)
        self._deal()

    def restart(self, *back: int) -> None:
        """Kill the process; the dealer goes on where the log ends."""
        super().restart(*back)
        self._deal()

    def until(self, phase: Phase) -> Hall:
        """Pass time up to a phase; in one of the dealer's the cards are still to come."""
        self._rests = phase in ("dealing", "dealer")
        return super().until(phase)

    def tick(self) -> None:
        """Let the dealer go on, or else the clock."""
        if self._rests and self.phase in ("dealing", "dealer"):
            self._rests = False
            self._deal()
        else:
            super().tick()

    def pass_time(self, seconds: float) -> None:
        """Let the dealer go on, and then the clock."""
        self._rests = False
        self._deal()
        super().pass_time(seconds)

    def _deal(self) -> None:
        """Do what the console says, as long as there is something to do."""
        for _ in range(200):
            act = self._next()
            if act is None:
                return
            act()
            self._take()
        raise AssertionError(f"the dealer has no end, in phase {self.phase}")

    def _next(self) -> Callable[[], None] | None:
        studio = self.live.studio
        assert studio is not None
        step = studio.console().step
        if self._rests and self.phase in ("dealing", "dealer"):
            return None
        if step in ("card", "hole", "burn", "turn"):
            card = self.round.play.hole if step == "turn" else next(self._cards, None)
            if card is None:
                return lambda: studio.shoe_empty(EVA)
            return lambda: studio.scan(DEVICE, studio.console().scan + 1, card)
        if step == "open" and not self.live.sittings.any_present():
            return None
        steps: dict[str, Callable[[], None]] = {
            "shift": lambda: studio.shift.change(EVA),
            "locked": lambda: studio.shift.unlock(EVA),
            "shoe": self._change_shoe,
            "open": lambda: studio.open_betting(EVA),
            "pay": lambda: studio.pay(EVA),
        }
        return steps.get(step)

    def _change_shoe(self) -> None:
        assert self.live.studio is not None
        self._cards = iter(self._shoes_left.pop(0) if self._shoes_left else ())
        self.live.studio.change_shoe(EVA, "stacked")
