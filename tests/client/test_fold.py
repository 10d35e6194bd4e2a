"""What a client folds together from the frames of a live table is what the house shows, after every frame.

The evenings are those of the golden files, which the web client is tested with too.
"""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from msgspec.structs import replace

from sabot.client import TableState
from sabot.protocol import messages
from tests.golden.playthrough import FOLDER


class Step(msgspec.Struct):
    """A step of an evening: what everyone was told, and what one who comes then would see."""

    snapshot: messages.Snapshot
    frame: messages.Frame | None = None


@pytest.mark.parametrize("evening", sorted(FOLDER.glob("live-*.json")), ids=lambda path: path.stem)
def test_the_frames_of_an_evening_fold_to_its_snapshots(evening: Path) -> None:
    first, *steps = msgspec.json.decode(evening.read_bytes(), type=list[Step])
    state = TableState.of(first.snapshot)
    for snapshot, frame in ((step.snapshot, step.frame) for step in steps):
        if frame is not None:
            state.advance(frame)
            state.advance(frame)  # one that was seen before changes nothing
        assert replace(state.picture(), at=snapshot.at) == snapshot
    assert len(steps) > 10
