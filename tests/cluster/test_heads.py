"""What other nodes tell of their live tables: kept as bytes, read when it is shown (CLU-12, CLU-22)."""

from __future__ import annotations

import msgspec
import pytest

from sabot.server.cluster.heads import HEADS_OLD, OtherHeads, heads_of
from sabot.server.cluster.messages import AnyMessage, Heads
from sabot.server.tables.floor import FloorState
from tests.support.clock import HandClock

ONE, TWO = 501, 1001
FLOOR = FloorState("live/one", 3, ("ada",), down=False)


def told(*floor: FloorState) -> Heads:
    """A message as it comes over the bus."""
    packed = msgspec.msgpack.encode(heads_of((), floor))
    message = msgspec.msgpack.decode(packed, type=AnyMessage)
    assert isinstance(message, Heads)
    return message


@pytest.mark.rule("CLU-12")
def test_tables_are_shown_as_last_told_until_their_node_is_dead_or_silent() -> None:
    clock = HandClock()
    others = OtherHeads(clock)
    others.keep(ONE, told(FLOOR))
    assert others.floor() == [(ONE, FLOOR)]
    changed = FloorState("live/one", 4, (), down=True)
    others.keep(ONE, told(changed))
    others.keep(TWO, told(FLOOR))
    assert others.floor() == [(ONE, changed), (TWO, FLOOR)]
    others.forget(TWO)
    assert others.floor() == [(ONE, changed)]
    clock.ms += int(1000 * HEADS_OLD) - 1
    others.keep(ONE, told(changed))
    clock.ms += 2
    assert others.floor() == [(ONE, changed)]
    clock.ms += int(1000 * HEADS_OLD)
    assert others.floor() == []


@pytest.mark.rule("CLU-22")
def test_what_another_release_tells_and_this_one_cannot_read_is_not_shown() -> None:
    """The message counts as a sign of life all the same, and tables of other nodes are shown."""
    others = OtherHeads(HandClock())
    strange = msgspec.Raw(msgspec.msgpack.encode([{"table": 7}]))
    others.keep(ONE, Heads(strange, strange))
    others.keep(TWO, told(FLOOR))
    assert others.heads() == []
    assert others.floor() == [(TWO, FLOOR)]


@pytest.mark.rule("CLU-22")
def test_the_form_of_the_message_is_that_of_the_release_before() -> None:
    packed = msgspec.msgpack.encode(told(FLOOR))
    assert packed == msgspec.msgpack.encode(["Heads", [], [FLOOR]])
