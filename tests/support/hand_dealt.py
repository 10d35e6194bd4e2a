"""A hall whose stacked cards are dealt by a person, who does at once whatever is due (STU-01)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ParamSpec

from sabot.fairness.vault import Vault
from sabot.rounds.face_down import CardSeal
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
        #: The phase in which the dealer's hands rest: a test looks at a table that waits for them.
        self._rests: Phase | None = None
        super().__init__(database, game, *cards, dealing="studio", **settings)
        self._deal()

    def _do(self, act: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> None:
        super()._do(act, *args, **kwargs)
        self._deal()

    @property
    def pace(self) -> float:
        """No clock waits for a card that a person has put down."""
        return 0.0

    def lose_key(self) -> None:
        """The key of the cards that lie face down is gone."""
        self.seal = CardSeal(Vault(b"another key of thirty-two bytes!"))

    def restart(self, *back: int) -> None:
        """Kill the process; the dealer goes on where the log ends."""
        super().restart(*back)
        self._deal()

    def stop_at(self, phase: Phase) -> None:
        """Let the dealer's hands rest in a phase that waits for them."""
        self._rests = phase

    def until(self, phase: Phase) -> Hall:
        """Pass time up to a phase; what ends one of the dealer's is still to come."""
        self.stop_at(phase)
        if self.phase != phase:
            self._deal()
        return super().until(phase)

    def tick(self) -> None:
        """Let the dealer go on, or else the clock."""
        if self._rests is not None and self._is_resting():
            self._rests = None
            self._deal()
        else:
            super().tick()

    def pass_time(self, seconds: float) -> None:
        """Let the dealer go on, and then the clock; in less time than a card takes the hands still rest."""
        if seconds >= self.timers.pace:
            self._rests = None
        self._deal()
        super().pass_time(seconds)

    def _is_resting(self) -> bool:
        """Whether the phase has come in which the hands rest; while cards are dealt, before the last one."""
        if self.phase != self._rests or self.phase not in ("shuffle", "dealing", "dealer"):
            return False
        return self.phase != "dealing" or self._missing() == 1

    def _missing(self) -> int:
        """How many cards the deal still needs, or the hand that takes one."""
        play = self.round.play
        hands = [hand for spot in play.spots.values() for hand in spot]
        players = sum(max(0, 2 - len(hand.cards)) for hand in hands)
        hole = self.round.rules.hole_card and play.hole is None
        return max(1, players + (not play.dealer.cards) + hole)

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
        if self._rests is not None and self._is_resting():
            return None
        if step in ("card", "hole", "burn", "turn"):
            card = self.round.play.hole if step == "turn" else next(self._cards, None)
            if card is None:
                return self._void
            return lambda: studio.scan(DEVICE, studio.console().scan + 1, card)
        if step in ("shoe", "open") and not self.live.sittings.any_present():
            return None
        steps: dict[str, Callable[[], None]] = {
            "shift": lambda: studio.shift.change(EVA),
            "locked": lambda: studio.shift.unlock(EVA),
            "shoe": self._change_shoe,
            "open": lambda: studio.open_betting(EVA),
            "pay": lambda: studio.pay(EVA),
        }
        return steps.get(step)

    def _void(self) -> None:
        """The stacked cards are at their end: a real shoe would have more, so the supervisor voids the round."""
        assert self.live.studio is not None
        self.live.studio.shoe_empty(EVA)
        self.live.void("shoe-empty")

    def _change_shoe(self) -> None:
        assert self.live.studio is not None
        self._cards = iter(self._shoes_left.pop(0) if self._shoes_left else ())
        self.live.studio.shoes.change(EVA, "stacked")
