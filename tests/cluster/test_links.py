"""Links between nodes: order, gaps, repeats, strangers (CLU-02, CLU-22, CLU-25)."""

from __future__ import annotations

import hashlib
import hmac

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sabot.server.cluster.links import FORMAT, Links, bus_key
from sabot.server.cluster.messages import AnyMessage, Muted, PublicFrame, TableMoved

KEY = bus_key(bytes(32))
ONE, TWO = 501, 1001


class Kept:
    """A bus that only keeps what is posted."""

    up = True

    def __init__(self) -> None:
        self.posted: list[tuple[int, bytes]] = []

    def post(self, node: int, packed: bytes) -> None:
        self.posted.append((node, packed))


def ends(key: bytes = KEY) -> tuple[Links, Kept, Links, list[object]]:
    """Two nodes; what the second hears, and "missed" where it notices a gap."""
    heard: list[object] = []
    bus = Kept()

    def hear(node: int, message: AnyMessage) -> None:
        heard.append(message)

    sender = Links(bus, ONE, KEY, hear, lambda node: None)
    receiver = Links(Kept(), TWO, key, hear, lambda node: heard.append("missed"))
    return sender, bus, receiver, heard


@pytest.mark.rule("CLU-02")
@given(st.lists(st.integers(0, 9), max_size=40))
def test_what_is_heard_is_in_order_and_every_gap_is_noticed(carried: list[int]) -> None:
    """Ten messages of which a bus brings any, any number of times, in any order."""
    sender, bus, receiver, heard = ends()
    for number in range(10):
        sender.post(TWO, TableMoved(str(number)))
    expected: list[object] = []
    last = -1
    for number in carried:
        receiver.receive(bus.posted[number][1])
        if number > last:
            expected += [*(["missed"] if number > last + 1 else []), TableMoved(str(number))]
            last = number
    assert heard == expected


@pytest.mark.rule("CLU-25")
def test_what_a_node_said_is_not_obeyed_again_when_it_is_dead_or_by_another_process() -> None:
    """Whoever can write to the bus may have kept it."""
    sender, bus, receiver, heard = ends()
    sender.post(TWO, Muted(1, 5))
    (_, kept) = bus.posted[0]
    receiver.receive(kept)
    receiver.know([TWO])
    receiver.receive(kept)
    assert heard == [Muted(1, 5)]
    receiver.become(TWO + 500)
    receiver.receive(kept)
    assert heard == [Muted(1, 5)]


@pytest.mark.rule("CLU-03", "CLU-25")
def test_a_node_that_was_found_dead_is_not_heard_any_more_and_not_kept() -> None:
    """It may be frozen, or cut off, and go on speaking; nodes that come later have greater ids."""
    sender, bus, receiver, heard = ends()
    receiver.know([ONE, TWO])
    for text in "abc":
        sender.post(TWO, TableMoved(text))
    receiver.receive(bus.posted[0][1])
    receiver.know([TWO])
    receiver.receive(bus.posted[1][1])
    assert heard == [TableMoved("a")]
    assert receiver.last == {}
    for node in range(TWO + 500, TWO + 5000, 500):  # nodes that come, speak before they are seen, and go
        sender.become(node)
        sender.post(TWO, TableMoved(str(node)))
        receiver.receive(bus.posted[-1][1])
        receiver.know([TWO, node])
        assert receiver.last == {node: 1}
    assert len(heard) == 10


@pytest.mark.rule("CLU-03")
def test_a_node_that_begins_anew_hears_the_others_before_it_has_seen_them() -> None:
    sender, bus, receiver, heard = ends()
    receiver.know([TWO])
    receiver.become(TWO + 500)
    sender.post(TWO + 500, TableMoved("a"))
    receiver.receive(bus.posted[0][1])
    assert heard == [TableMoved("a")]


@pytest.mark.rule("CLU-25")
@given(st.binary(max_size=200))
def test_bytes_of_strangers_are_not_obeyed(data: bytes) -> None:
    *_, receiver, heard = ends()
    receiver.receive(data)
    receiver.receive(bytes(32) + data)
    assert heard == []


@pytest.mark.rule("CLU-25")
def test_a_message_under_another_key_changed_or_for_another_node_is_not_obeyed() -> None:
    sender, bus, receiver, heard = ends(key=bus_key(b"another"))
    sender.post(TWO, TableMoved("a"))
    receiver.receive(bus.posted[0][1])
    sender, bus, receiver, heard = ends()
    sender.post(TWO, PublicFrame("live/one", 7, 1, b"frame"))
    sender.post(7, TableMoved("b"))
    whole = bus.posted[0][1]
    receiver.receive(whole[:-1] + bytes([whole[-1] ^ 1]))
    receiver.receive(bus.posted[1][1])
    assert heard == []
    receiver.receive(whole)
    assert heard == [PublicFrame("live/one", 7, 1, b"frame")]


@pytest.mark.rule("CLU-22")
@pytest.mark.parametrize(
    "envelope",
    [
        (FORMAT + 1, ONE, TWO, 1, ["TableMoved", "a"]),
        (FORMAT, ONE, TWO, 1, ["Teleported", "a"]),
        (FORMAT, ONE, TWO, 1, ["TableMoved", 7]),
        (FORMAT, ONE, TWO),
    ],
)
def test_what_another_release_says_is_refused_never_misread(envelope: tuple[object, ...]) -> None:
    *_, receiver, heard = ends()
    packed = msgspec.msgpack.encode(envelope)
    receiver.receive(hmac.digest(KEY, packed, hashlib.sha256) + packed)
    assert heard == []
