"""All that was ever shown of a table, by whoever saw it first: everyone else must have seen the same."""

from __future__ import annotations

from typing import NamedTuple, get_args

import msgspec

from sabot.engine.commands import Player
from sabot.engine.events import AnyEvent, BehindAllowed, PlayerPaid, Private
from sabot.protocol import messages
from sabot.tables.live.events import RoundOpened
from tests.faults.live.fold import advance, comparable

#: What a round itself tells everyone. Whether a seat takes bets behind is told between rounds too.
OF_A_ROUND = tuple(
    kind for kind in get_args(AnyEvent) if not issubclass(kind, Private) and kind is not BehindAllowed
)


class Stretch(NamedTuple):
    """What was shown of a round under one epoch: from its opening, or from how the table stood then."""

    round: str
    base: messages.Snapshot | None
    events: list[bytes]


class Epoch:
    """What one owner has told."""

    def __init__(self) -> None:
        self.tables: dict[int, messages.Snapshot] = {}
        self.frames: dict[int, messages.Frame] = {}

    def show(self, told: messages.Snapshot) -> messages.Snapshot:
        """Someone was shown the table; those who folded it together from frames have the same."""
        return self._note(told.seq, told)

    def tell(self, frame: messages.Frame) -> messages.Snapshot:
        """Someone was told a frame; gives the table after it."""
        known = self.frames.setdefault(frame.seq, frame)
        assert known is frame or known == frame, f"two frames {frame.seq} of epoch {frame.epoch}"
        if known is frame or frame.seq not in self.tables:
            return self._note(frame.seq, advance(self.tables[frame.seq - 1], frame))
        return self.tables[frame.seq]

    def _note(self, seq: int, table: messages.Snapshot) -> messages.Snapshot:
        known = self.tables.setdefault(seq, table)
        if known is not table:
            folded, told = comparable(known), comparable(table)
            other = [
                f"frame {seq}, {name}: {getattr(folded, name)}\n  and also {getattr(told, name)}"
                for name in messages.Snapshot.__struct_fields__
                if getattr(folded, name) != getattr(told, name)
            ]
            assert not other, "\n".join(other)
        return known

    def stretches(self) -> list[Stretch]:
        """The rounds as they were shown, in order; where nobody was there for a while it begins anew."""
        found: list[Stretch] = []
        for seq, table in sorted(self.tables.items()):
            if not found or seq not in self.frames:
                found.append(Stretch(table.round, table, []))
                continue
            for event in self.frames[seq].events:
                if isinstance(event, RoundOpened):
                    found.append(Stretch(event.code, None, []))
                elif isinstance(event, OF_A_ROUND):
                    found[-1].events.append(msgspec.json.encode(event))
        return found


class History:
    """What was shown of one table over all lives of the process, as far as it is not compared with the log yet."""

    def __init__(self, table: str) -> None:
        self.table = table
        self.epochs: dict[int, Epoch] = {}
        #: What players were told of their rounds, in sum.
        self.paid: dict[tuple[str, Player], PlayerPaid] = {}
        self.rounds = 0

    def show(self, told: messages.Snapshot) -> messages.Snapshot:
        """Someone was shown the table."""
        return self.epochs.setdefault(told.epoch, Epoch()).show(told)

    def tell(self, frame: messages.Frame) -> messages.Snapshot:
        """Someone was told a frame."""
        return self.epochs[frame.epoch].tell(frame)

    def pay(self, round: str, told: PlayerPaid) -> None:
        """A player was told what a round came to: it is told once and for all."""
        known = self.paid.setdefault((round, told.player), told)
        assert known == told, f"{told} after {known} of round {round}"

    def forget(self) -> None:
        """All of it was compared with the log."""
        self.epochs.clear()
        self.paid.clear()
