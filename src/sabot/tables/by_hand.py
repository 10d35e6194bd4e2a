"""Cards that a person deals at a table: each reading a row, and one that lies face down sealed (STU-02, STU-05, STU-06)."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

import msgspec
from msgspec import UNSET, Raw, Struct
from msgspec.structs import replace
from sqlalchemy import Connection

from sabot.engine import AnyEvent
from sabot.engine.commands import Scan, ShowCutCard
from sabot.engine.events import HoleShown
from sabot.errors import Refusal
from sabot.games.rules import Rules
from sabot.rounds import studio_queries
from sabot.rounds.by_hand import card_of, is_hole, last_card, shoe_after, with_another, without_last
from sabot.rounds.face_down import CardSeal, place_of
from sabot.rounds.stored import StoredRound
from sabot.rounds.studio import (
    CARD,
    CORRECTION,
    CUT,
    CUT_CARD,
    SCAN_REFUSED,
    SHOE_IN_USE,
    TAKE_BACK,
    CardRead,
    ClosedByHand,
    Corrected,
    HandShoeState,
    ScanRefused,
    StudioState,
    TakenBack,
    Turned,
)
from sabot.store.entry import Body, LogEntry, Stream
from sabot.store.facts import SEALED_CARD, CardSealed
from sabot.tables.config import Tools

#: Answers that are kept of each device, for readings that are sent again.
KEPT_ANSWERS = 64
#: Rounds whose readings a table that is read back answers again: each that is played has four cards or more.
_KEPT_ROUNDS = KEPT_ANSWERS // 4


class Answer(NamedTuple):
    """What became of a reading: nothing refused, or why."""

    digest: str
    why: str = ""
    params: Mapping[str, int | str] = MappingProxyType({})
    #: Whether a person named the card; None where it lies face up and it does not matter.
    typed: bool | None = None


class HandDealing:
    """The studio of a table as its log has it, and the rows of what is dealt there."""

    def __init__(self, stream: Stream, rules: Rules, tools: Tools) -> None:
        self._stream = stream
        self._rules = rules
        self._seal = tools.seal
        self.state = StudioState()
        #: Answers to the last readings, by device and number (STU-05).
        self._answers: dict[tuple[str, int], Answer] = {}

    def load(self, connection: Connection) -> None:
        """Read the studio and the answers to its last readings from the log."""
        self.state, read = studio_queries.studio_now(connection, self._stream.id, _KEPT_ROUNDS)
        for one in read:
            card = one.card
            digest = one.digest if card is None else self._digest(one.device, one.scan, card)
            self._know(one.device, one.scan, Answer(digest, one.why, one.params, one.typed))

    @property
    def seal(self) -> CardSeal:
        """The seal of the house."""
        if self._seal is None:
            raise Refusal("studio/no-key")
        return self._seal

    @property
    def shoe(self) -> HandShoeState:
        """The shoe in use."""
        if self.state.shoe is None or self.state.shoe.cut_seen:
            raise Refusal("shoe/none")
        return self.state.shoe

    def round_ended(self, current: StoredRound) -> Raw:
        """The detail of the last row of a round: the shoe after it, and the hole cards that are no secret any more."""
        shoe = shoe_after(current)
        self.state = replace(self.state, shoe=shoe)
        holes = [(row, current.down[row]) for row in current.holes]
        return _raw(ClosedByHand(shoe, tuple(Turned(row, one.card, one.salt.hex()) for row, one in holes)))

    # Readings

    def _digest(self, device: str, scan: int, card: int) -> str:
        return self.seal.digest(f"{self._stream.id}/{device}/{scan}", card)

    def answer(self, device: str, scan: int, card: int, typed: bool) -> Answer | None:
        """The answer to a reading that came before; another card under its number is refused.

        Whoever names cards one after the other must not find the one that a scanner read face down (STU-06).
        """
        known = self._answers.get((device, scan))
        if known is None:
            return None
        same_way = known.typed is None or known.typed == typed
        place = f"{self._stream.id}/{device}/{scan}"
        if not (same_way and self.seal.is_digest(known.digest, place, card)):
            raise Refusal("scan/reused", scan=scan)
        return known

    def keep(self, device: str, scan: int, answer: Answer) -> None:
        """Keep the answer to a reading, whose number is used up."""
        self._know(device, scan, answer)
        self.state = replace(self.state, numbers={**self.state.numbers, device: scan})

    def _take(self, device: str, scan: int, answer: Answer) -> None:
        """Keep the answer to a reading that is taken; the first such device is the one that is read from then on."""
        self.keep(device, scan, answer)
        self.state = replace(self.state, device=self.state.device or device)

    def _know(self, device: str, scan: int, answer: Answer) -> None:
        self._answers.pop((device, scan - KEPT_ANSWERS), None)
        self._answers[device, scan] = answer

    def forget(self, device: str) -> None:
        """A device begins to count anew."""
        self._answers = {key: answer for key, answer in self._answers.items() if key[0] != device}

    def read(
        self, current: StoredRound, device: str, scan: int, card: int, at: int, by: int | None
    ) -> tuple[tuple[AnyEvent, ...], LogEntry]:
        """Deal the card that is due: its events and its row; `Refusal` if it is not the one, and nothing has changed."""
        due = current.round.play.due
        face_down = due is not None and due.what in ("hole", "burn")
        digest = self._digest(device, scan, card)
        down = self.seal.lay(card) if face_down else None
        events, body = current.apply(Scan(card))
        row = self._stream.n + 1
        current.scans[len(current.round.commands) - 1] = row
        detail = CardRead(device, scan, by=by)
        secrets: dict[int, object] = {}
        if down is not None:
            current.down[row] = down
            if is_hole(events):
                current.holes.append(row)
            detail = replace(detail, commitment=down.commitment, digest=digest)
            body = replace(body, command=UNSET, facts=(*body.facts, CardSealed()))
            secrets = {SEALED_CARD: self.seal.seal(down, place_of(current.code, row))}
        elif any(isinstance(event, HoleShown) for event in events):
            detail = replace(detail, salt=current.down[current.holes[-1]].salt.hex())
        self._take(device, scan, Answer(digest, typed=by is not None if face_down else None))
        body = replace(body, detail=_raw(detail))
        return events, self._stream.entry(at, CARD, body, round=current.code, secrets=secrets)

    def read_cut_card(
        self, current: StoredRound, device: str, scan: int, at: int
    ) -> tuple[tuple[AnyEvent, ...], LogEntry]:
        """The cut card was read: its events and its row (COM-12)."""
        events, body = current.apply(ShowCutCard())
        digest = self._digest(device, scan, CUT)
        self._take(device, scan, Answer(digest, typed=False))
        body = replace(body, detail=_raw(CardRead(device, scan, digest=digest)))
        return events, self._stream.entry(at, CUT_CARD, body, round=current.code)

    def refuse(
        self, refusal: Refusal, device: str, scan: int, card: int | None, at: int, typed: bool
    ) -> LogEntry:
        """The row of a reading that was refused; with a card, its number is used up and a repetition is answered alike."""
        params = {name: value for name, value in refusal.params.items() if isinstance(value, int | str)}
        detail = ScanRefused(device, scan, refusal.code, params)
        if card is not None:
            digest = self._digest(device, scan, card)
            self.keep(device, scan, Answer(digest, refusal.code, params, typed))
            detail = replace(detail, digest=digest, typed=typed)
        return self._stream.entry(at, SCAN_REFUSED, Body(detail=_raw(detail)))

    # Changes

    def take_back(self, current: StoredRound, by: int, why: str, at: int) -> tuple[StoredRound, LogEntry]:
        """Take the last card back, if nothing was done after it (STU-08)."""
        row = last_card(current)
        before = without_last(current)
        detail = _raw(TakenBack(row, by, why))
        return before, self._stream.entry(at, TAKE_BACK, Body(detail=detail), round=current.code)

    def correct(
        self, current: StoredRound, row: int, card: int, by: int, why: str, at: int
    ) -> tuple[StoredRound, LogEntry]:
        """Put another card in the place of one; of a hole card that still lies face down neither is told (STU-08)."""
        hidden = row in current.down and (current.round.play.hole_down or row not in current.holes)
        down = self.seal.lay(card) if row in current.down else None
        after, events = with_another(current, row, card)
        detail, facts = Corrected(row, by, why), (CardSealed(),) if down is not None else ()
        secrets: dict[int, object] = {}
        n = self._stream.n + 1
        if down is not None:
            after.down[n] = down
            if row in after.holes:
                after.holes.append(n)
            detail = replace(detail, commitment=down.commitment)
            secrets = {SEALED_CARD: self.seal.seal(down, place_of(current.code, n))}
        if not hidden:
            detail = replace(detail, before=card_of(current, row), after=card)
        body = Body(detail=_raw(detail), events=_raw(events), facts=facts)
        return after, self._stream.entry(at, CORRECTION, body, round=current.code, secrets=secrets)

    # The studio

    def note(self, kind: str, detail: Struct, at: int, state: StudioState) -> LogEntry:
        """The row of a change of the studio."""
        self.state = state
        return self._stream.entry(at, kind, Body(detail=_raw(detail)))

    def use(self, shoe: HandShoeState, at: int) -> LogEntry:
        """Deal from another shoe from now on."""
        return self.note(SHOE_IN_USE, shoe, at, replace(self.state, shoe=shoe))

    def spoil(self) -> None:
        """Nobody knows what is gone of the shoe: another one is needed."""
        self.state = replace(self.state, shoe=None)


def _raw(detail: object) -> Raw:
    return Raw(msgspec.json.encode(detail))
