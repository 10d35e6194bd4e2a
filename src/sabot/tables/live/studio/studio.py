"""The studio of a live table: a person deals real cards, and the table waits for them (STU).

Everything that happens here is a row of the table's log. A reading that is refused has a row too, uses its number up and
is told to the supervisor; only gaps and other devices use no number.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from msgspec.structs import replace

from sabot.engine.commands import DEALER, Pay, ShowCutCard
from sabot.engine.events import AnyEvent, CardDealt, HandEnded, HoleShown, SideBetDecided
from sabot.engine.round import Round
from sabot.engine.shoe import HandShoe
from sabot.engine.view import table_view
from sabot.errors import Refusal
from sabot.rounds.by_hand import last_card
from sabot.rounds.stored import StoredRound
from sabot.rounds.studio import (
    CUT,
    DEVICE_TAKEN,
    UNKNOWN,
    DeviceTaken,
)
from sabot.tables.by_hand import HandDealing
from sabot.tables.live.events import (
    CardCorrected,
    DealerAwaited,
    HoleOpened,
    HoleSealed,
)
from sabot.tables.live.play import LivePlay
from sabot.tables.live.studio.console import ConsoleView, Reported, console_view
from sabot.tables.live.studio.shift import PresenterShift, StudioPerson
from sabot.tables.live.studio.shoes import CHECK, StudioShoes
from sabot.tables.live.timers import Phase
from sabot.tables.live.view import StudioView
from sabot.tables.table import Step

#: The device of the presenter's console: keyboard, picker, and a scanner that types.
CONSOLE = "console"
#: Seconds after which a late card is told again (STU-10).
AGAIN_SECONDS = 30
#: Reports that the console shows.
KEPT_REPORTS = 8


class StudioCourse(NamedTuple):
    """What the table does when something has happened in the studio."""

    #: The round has gone on, or stands at another place.
    follow: Callable[[], None]
    open_betting: Callable[[], None]
    between_rounds: Callable[[], None]
    pause: Callable[[str], None]
    void: Callable[[str], None]


class Studio:
    """The presenter, the devices and the cards of one table."""

    def __init__(self, play: LivePlay, dealing: HandDealing, course: StudioCourse) -> None:
        self._play = play
        self._dealing = dealing
        self._course = course
        self.shift = PresenterShift(play, dealing)
        self.shoes = StudioShoes(play, dealing, self.shift, course, self._report)
        #: Whether a card is late, and whether the round stands at another place than when the table was paused.
        self.late = False
        self.moved = False
        self._reports: deque[Reported] = deque(maxlen=KEPT_REPORTS)

    # Cards

    def scan(
        self, device: str, number: int, card: int, *, typed: bool = False, by: StudioPerson | None = None
    ) -> None:
        """A device has read a card; a number that came before gets its answer again and deals nothing (STU-05).

        The card may be `CUT`, the cut card, or `UNKNOWN`: a code that stands on nothing.
        `typed` says that a person named the card: one that lies face down needs a supervisor in a pause (STU-06).
        """
        dealing = self._dealing
        if by is not None:
            self.shift.admit(by)
        try:
            known = dealing.answer(device, number, card, typed)
        except Refusal as refusal:
            self._refuse(refusal, device, number)
            return
        if known is not None:
            if known.why:
                raise Refusal(known.why, **known.params)
            return
        active = dealing.state.device
        if active and device != active:
            self._refuse(Refusal("scan/other-device", device=active), device, number)
        expected = dealing.state.numbers.get(device, 0) + 1
        if number != expected:
            self._refuse(Refusal("scan/gap", scan=number, expected=expected), device, number)
        current = self._play.table.current
        try:
            self._check_reading(typed, by)
            if card == UNKNOWN:
                raise Refusal("scan/unknown")
            if current is None or current.round.over:
                raise Refusal("card/not-due")
            if card == CUT:
                events, entry = dealing.read_cut_card(current, device, number, self._now)
            else:
                named = by.id if typed and by is not None and by.supervisor else None
                events, entry = dealing.read(current, device, number, card, self._now, named)
        except Refusal as refusal:
            self._refuse(refusal, device, number, card, typed)
            return
        self.shift.entered()
        self._play.carry(Step(events, (entry,)))
        if card == CUT:
            return
        self._play.turn += 1
        self._show_card(current, events)
        self._go_on()

    def _check_reading(self, typed: bool, by: StudioPerson | None) -> None:
        round = self._play.round
        due = None if round is None else round.play.due
        paused = bool(self._play.table.paused)
        if typed and due is not None and due.what in ("hole", "burn"):
            if by is None or not by.supervisor or not paused:
                raise Refusal("card/by-hand")
            return
        self._play.check_open()
        self.shift.check(by)

    def _refuse(
        self, refusal: Refusal, device: str, number: int, card: int | None = None, typed: bool = False
    ) -> None:
        """Note a refused reading, tell the supervisor, and raise; a card that is not the hole card stops the table.

        A device that goes on sending the same number in vain is told so and noted once.
        """
        about: dict[str, int | str] = {"device": device, "scan": number}
        last = self._reports[-1] if self._reports else None
        if card is None and last is not None and (last.what, last.about) == (refusal.code, about):
            raise refusal
        self._play.step.store(self._dealing.refuse(refusal, device, number, card, self._now, typed))
        self._report(refusal.code, **about)
        if refusal.code == "card/not-the-hole" and not self._play.table.paused:
            self._course.pause(CHECK)
        raise refusal

    def _show_card(self, current: StoredRound, events: tuple[AnyEvent, ...]) -> None:
        """Show the commitment to a face-down card, or its opening; players whose hand has grown or ended see their part."""
        step, owners = self._play.step, current.round.book.owners
        if current.round.play.due is None:  # the cards lie: a blackjack has nothing more to decide
            step.touch(*owners.values())
        for event in events:
            if isinstance(event, CardDealt | HandEnded) and event.spot in owners:
                step.touch(owners[event.spot])
            elif isinstance(event, HoleShown):
                step.show(HoleOpened(event.card, current.down[current.holes[-1]].salt.hex()))
        if current.round.play.hole_down and len(current.holes) and self._is_new_hole(current):
            step.show(HoleSealed(self._commitment(current)))

    def _is_new_hole(self, current: StoredRound) -> bool:
        """Whether the last command laid the hole card down."""
        return current.scans.get(len(current.round.commands) - 1) == current.holes[-1]

    @staticmethod
    def _commitment(current: StoredRound | None) -> str:
        """The commitment to the hole card of a round; empty before it is dealt."""
        if current is None or not current.holes:
            return ""
        play = current.round.play
        dealt = play.hole_down or any(isinstance(event, HoleShown) for event in current.round.log)
        return current.down[current.holes[-1]].commitment if dealt else ""

    def pay(self, by: StudioPerson) -> None:
        """The dealer pays: the round is settled."""
        self._check_hand(by)
        self._play.apply(Pay())
        self._course.follow()

    def show_cut_card(self, by: StudioPerson) -> None:
        """The cut card came out: the shoe is changed after this round (COM-12)."""
        self._check_hand(by)
        self._play.apply(ShowCutCard())

    def shoe_empty(self, by: StudioPerson) -> None:
        """The shoe has no card left for the one that is due: the round is void (COM-12).

        One that must still have cards stops the table: the supervisor decides (STU-07).
        """
        self._check_hand(by)
        round = self._play.round
        due = None if round is None else round.play.due
        if (
            round is None
            or due is None
            or due.what in ("turn", "pay")
            or not isinstance(round.shoe, HandShoe)
        ):
            raise Refusal("card/not-due")
        if not round.shoe.cut_seen:
            self._play.apply(ShowCutCard())
        if self.shoes.check_count(0, round.shoe.dealt):
            self._course.void("shoe-empty")

    def open_betting(self, by: StudioPerson) -> None:
        """The presenter opens betting, once everything else is done."""
        self._check_hand(by)
        self._dealing.shoe  # noqa: B018  # refused without one
        self._course.open_betting()

    # Corrections

    def take_back(self, by: StudioPerson, why: str) -> None:
        """Take the last card back, while no player has acted on it (STU-08)."""
        self.shift.check(by)
        current = self._current()
        row = last_card(current)
        self._change(*self._dealing.take_back(current, by.id, why, self._now))
        self._report("card-corrected", by=by.id, row=row)

    def correct(self, by: StudioPerson, row: int, card: int, why: str) -> None:
        """A supervisor puts another card in the place of one, in a pause (STU-08)."""
        if not by.supervisor or not self._play.table.paused:
            raise Refusal("card/supervisor")
        current = self._current()
        self._change(*self._dealing.correct(current, row, card, by.id, why, self._now))
        self._report("card-corrected", by=by.id, row=row)

    def _current(self) -> StoredRound:
        current = self._play.table.current
        if current is None or current.round.over:
            raise Refusal("card/acted-on")
        return current

    def _change(self, after: StoredRound, entry: object) -> None:
        """Go on with the round as it stands after a correction; everyone is shown it."""
        play, had = self._play, self.view()
        play.restore(after)
        play.step.store(entry)  # type: ignore[arg-type]
        play.step.show(
            CardCorrected(
                table_view(after.round),
                tuple(event for event in after.round.log if isinstance(event, SideBetDecided)),
                after.round.shoe.dealt,
            )
        )
        has = self.view()
        if (has.commitment, has.salt) != (had.commitment, had.salt):
            play.step.show(HoleSealed(has.commitment))
            if has.salt:
                play.step.show(HoleOpened(after.down[after.holes[-1]].card, has.salt))
        self._go_on()

    def _go_on(self) -> None:
        """Go on after a card; in a pause, when it is over."""
        self.on_time()
        if self._play.table.paused:
            self.moved = True
        else:
            self._course.follow()

    # Time

    def remind(self) -> None:
        """A card is late: players and the supervisor are told, and again after a while (STU-10)."""
        if not self.late:
            self.late = True
            self._play.step.show(DealerAwaited(True))
        self._report("dealer-late")
        self._play.phases.due = self._play.phases.steady + AGAIN_SECONDS

    def on_time(self) -> None:
        """What was awaited has come."""
        if self.late:
            self.late = False
            self._play.step.show(DealerAwaited(False))

    # The shift

    def begin_shift(self, by: StudioPerson) -> None:
        """Take the shift; the console tells a presenter who is replaced (STU-27)."""
        before = self.shift.by
        self.shift.begin(by)
        for told in [report for report in self._reports if report.about.get("presenter") == by.id]:
            self._reports.remove(told)  # is back
        self._tell_replaced("shift-taken", before, by)

    def end_shift(self, by: StudioPerson) -> None:
        """End the shift; the console tells a presenter whose shift a supervisor has ended."""
        before = self.shift.by
        self.shift.end(by)
        self._tell_replaced("shift-ended", before, by)

    def _tell_replaced(self, what: str, before: int | None, by: StudioPerson) -> None:
        if before not in (None, by.id):
            about: dict[str, int | str] = {"presenter": before or 0, "by": by.id, "name": by.name}
            self._reports.append(Reported(self._now, what, about))

    def _check_hand(self, by: StudioPerson) -> None:
        self._play.check_open()
        self.shift.check(by)

    # Devices

    def take_device(self, device: str, by: StudioPerson, last: int | None = None) -> None:
        """Read from another device from now on; `last` sets the last number it has used."""
        self.shift.check(by)
        state, used = self._dealing.state, self.last_scan(device)
        number = used if last is None else last
        if number != used:
            self._dealing.forget(device)
        state = replace(state, device=device, numbers={**state.numbers, device: number})
        detail = DeviceTaken(device, number, by.id)
        self._play.step.store(self._dealing.note(DEVICE_TAKEN, detail, self._now, state))

    def last_scan(self, device: str) -> int:
        """The last number that a device has used."""
        return self._dealing.state.numbers.get(device, 0)

    def call_supervisor(self, by: int) -> None:
        """The supervisor was called to the table, and told by those who paused it; the console shows it."""
        self._reports.append(Reported(self._now, "supervisor-called", {"by": by}))

    # What is shown

    @property
    def _now(self) -> int:
        return self._play.phases.now

    def _report(self, what: str, **about: int | str) -> None:
        self._play.step.alarm(what, **about)
        self._reports.append(Reported(self._now, what, about))

    def view(self) -> StudioView:
        """The studio as everyone sees it."""
        current = self._play.table.current
        commitment, salt = self._commitment(current), ""
        if commitment and current is not None and not current.round.play.hole_down:
            salt = current.down[current.holes[-1]].salt.hex()
        return StudioView(self.shift.presenter, self.late, commitment, salt)

    def console(self) -> ConsoleView:
        """What the presenter's console shows."""
        state = self._dealing.state
        return console_view(
            self._play,
            self._dealing,
            self.shift,
            late=self.late,
            needs_shoe=self.shoes.is_due,
            scan=self.last_scan(state.device),
            console_scan=self.last_scan(CONSOLE),
            reports=tuple(self._reports),
        )


def waiting_phase(round: Round, now: Phase) -> Phase:
    """The phase in which a table waits for what is due: a burnt card before betting, the deal, or the dealer's hand."""
    due = round.play.due
    assert due is not None
    if due.what == "burn":
        return now if now in ("idle", "payout") else "idle"
    if due.what in ("turn", "pay") or (due.what == "card" and due.spot == DEALER and round.play.dealer.cards):
        return "dealer"
    return "dealing"
