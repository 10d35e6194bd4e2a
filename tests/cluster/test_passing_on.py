"""What a node passes on to its sockets of a table that another node owns, whatever the bus does (CLU-02, CLU-05, ASR-21)."""

from __future__ import annotations

import asyncio
from typing import Any, cast

import msgspec
import pytest

from sabot.errors import Refusal
from sabot.protocol import requests
from sabot.server.accounts.logins import Login
from sabot.server.cluster import messages
from sabot.server.cluster.links import Envelope, Links
from sabot.server.cluster.remote_table import NOTHING
from sabot.server.cluster.remote_tables import ATTACH_AGAIN, PATIENCE, RemoteTables
from sabot.server.ws.dispatch import Dispatcher
from tests.support.clock import HandClock
from tests.support.refused import refused

TABLE = "live/one"
ME, OWNER, OTHER = 501, 1001, 1501


class Posted:
    """A bus that keeps what is posted."""

    def __init__(self) -> None:
        self.up = True
        self._posted: list[tuple[int, messages.AnyMessage]] = []

    def post(self, node: int, packed: bytes) -> None:
        envelope = msgspec.msgpack.decode(packed[32:], type=Envelope)
        self._posted.append((node, msgspec.msgpack.decode(envelope.body, type=messages.AnyMessage)))

    def take(self) -> list[tuple[int, messages.AnyMessage]]:
        posted, self._posted = self._posted, []
        return posted


class Socket:
    """A connection with its dispatcher."""

    def __init__(self, player: int) -> None:
        self.login = Login(player, f"player {player}")
        self.sent: list[bytes] = []
        self.refused: list[tuple[str, str]] = []
        self.again: list[object] = []
        self.read_at: list[float] = []

    @property
    def connection(self) -> Socket:
        return self

    def send(self, packed: bytes) -> None:
        self.sent.append(packed)

    def respond(self, id: str, error: Refusal | None = None) -> None:
        self.refused.append((id, "" if error is None else error.code))

    def put(self, request: object, at: float) -> None:
        self.again.append(request)
        self.read_at.append(at)

    def show_again(self, table: str, since: tuple[int, int]) -> None:
        self.again.append((table, since))


class Gateway:
    """A node with sockets at a table of another one."""

    def __init__(self) -> None:
        self.bus = Posted()
        self.clock = HandClock(1_788_000_000_000)
        links = Links(self.bus, ME, b"key", lambda node, message: None, lambda node: None)
        self.tables = RemoteTables(links, self.clock)
        self.tables.expect(TABLE, OWNER)

    def ask(self, socket: Socket, request: requests.AnyRequest) -> None:
        assert self.tables.ask(TABLE, cast(Dispatcher, socket), request, self.clock.monotonic())

    def enter(self, player: int, seq: int = 1, epoch: int = 5) -> tuple[Socket, int]:
        """A socket that is shown the table; and its number."""
        socket = Socket(player)
        self.ask(socket, requests.Enter(f"e{player}", TABLE))
        ((_, ask),) = self.bus.take()
        assert isinstance(ask, messages.Ask)
        self.hear(messages.TableShown(ask.connection, TABLE, epoch, seq, None, b"snapshot"))
        self.hear(messages.Reply(ask.connection, f"e{player}", b"entered", False))
        assert socket.sent == [b"snapshot", b"entered"]
        socket.sent.clear()
        return socket, ask.connection

    def hear(self, message: messages.AnyMessage, node: int = OWNER) -> None:
        self.tables.hear(node, message)

    def frame(self, seq: int, *, epoch: int = 5, node: int = OWNER) -> None:
        self.hear(messages.PublicFrame(TABLE, epoch, seq, b"%d" % seq), node)

    def attached(self) -> dict[int, tuple[int, int]]:
        """The connections that the owner is asked to show the table, by number, and what they have."""
        return {
            message.connection: (message.epoch, message.seq)
            for _, message in self.bus.take()
            if isinstance(message, messages.Attach)
        }


@pytest.mark.rule("CLU-05", "ASR-21")
def test_a_frame_is_passed_on_only_if_it_is_the_next() -> None:
    gateway = Gateway()
    socket, number = gateway.enter(7, seq=3)
    for seq, epoch, node in ((4, 5, OWNER), (4, 5, OWNER), (5, 4, OWNER), (5, 5, OTHER), (5, 5, OWNER)):
        gateway.frame(seq, epoch=epoch, node=node)
    assert socket.sent == [b"4", b"5"]
    gateway.frame(7)
    gateway.frame(8)
    assert socket.sent == [b"4", b"5"]
    assert gateway.attached() == {number: (5, 5)}


@pytest.mark.rule("CLU-05", "ASR-21")
def test_what_is_heard_while_a_connection_waits_to_be_shown_the_table_is_not_taken_for_seen() -> None:
    """Two gaps one after the other: the second time the owner is asked for the frames after the same one."""
    gateway = Gateway()
    socket, number = gateway.enter(7, seq=3)
    gateway.tables.missed(OWNER)
    assert gateway.attached() == {number: (5, 3)}
    gateway.frame(5)
    gateway.tables.missed(OWNER)
    assert gateway.attached() == {number: (5, 3)}
    gateway.hear(messages.TableShown(number, TABLE, 5, 5, 3, b"4 5"))
    gateway.hear(messages.TableShown(number, TABLE, 5, 6, 3, b"4 5 6"))  # the answer to the second: not twice
    gateway.frame(6)
    assert socket.sent == [b"4 5", b"6"]


@pytest.mark.rule("CLU-05", "ASR-21")
def test_two_connections_are_shown_a_table_that_was_read_back_each_in_its_turn() -> None:
    """The frame between the two is only for the one that has the table as it was before."""
    gateway = Gateway()
    (one, first), (two, second) = gateway.enter(7, seq=3), gateway.enter(8, seq=3)
    gateway.hear(messages.TableShown(first, TABLE, 6, 1, None, b"new"))
    gateway.frame(2, epoch=6)
    gateway.hear(messages.TableShown(second, TABLE, 6, 2, None, b"newer"))
    gateway.frame(3, epoch=6)
    assert (one.sent, two.sent) == ([b"new", b"2", b"3"], [b"newer", b"3"])


@pytest.mark.rule("CLU-03", "ASR-23")
def test_what_a_former_owner_sends_reaches_nobody() -> None:
    """It was held up while another took the table: its frames, own parts and refusals are of no account."""
    gateway = Gateway()
    socket, number = gateway.enter(7, seq=3)
    gateway.ask(socket, requests.StartNow("now", TABLE, "r"))
    gateway.tables.lose(TABLE, OWNER)
    gateway.tables.found(TABLE, OTHER)
    asked = [message for node, message in gateway.bus.take() if node == OTHER]
    assert [type(message) for message in asked] == [messages.Attach, messages.Ask]
    gateway.hear(messages.PrivateFrame(number, TABLE, b"own part"))
    gateway.hear(messages.Reply(number, "now", b"refused", True))
    gateway.hear(messages.TableShown(number, TABLE, 5, 9, None, b"old"), OWNER)
    gateway.hear(messages.TableShown(number, TABLE, 4, 9, None, b"older"), OTHER)
    assert socket.sent == []
    gateway.hear(messages.TableShown(number, TABLE, 6, 1, None, b"new"), OTHER)
    gateway.hear(messages.PrivateFrame(number, TABLE, b"own part"), OTHER)
    gateway.hear(messages.Reply(number, "now", b"done", False, 2), OTHER)
    assert socket.sent == [b"new", b"own part", b"done"]


@pytest.mark.rule("CLU-02", "ASR-11")
def test_a_request_that_was_asked_again_is_answered_as_it_was_asked_last() -> None:
    """The first attempt was refused, and the last is carried out: a page that was told of the refusal would not know."""
    gateway = Gateway()
    socket, number = gateway.enter(7, seq=3)
    gateway.ask(socket, requests.StartNow("now", TABLE, "r"))
    for _ in range(2):
        gateway.tables.missed(OWNER)
    asks = [message for _, message in gateway.bus.take() if isinstance(message, messages.Ask)]
    assert [ask.attempt for ask in asks] == [1, 2, 3]
    for attempt in (1, 2):
        gateway.hear(messages.Reply(number, "now", b"refused", True, attempt))
    assert socket.sent == []
    gateway.hear(messages.Reply(number, "now", b"done", False, 3))
    assert socket.sent == [b"done"]


@pytest.mark.rule("CLU-02")
def test_a_request_sent_again_is_answered_as_often_and_asked_once() -> None:
    gateway = Gateway()
    socket, number = gateway.enter(7)
    for _ in range(3):
        gateway.ask(socket, requests.StartNow("now", TABLE, "r"))
    assert len(gateway.bus.take()) == 1
    refused("command/reused", lambda: gateway.ask(socket, requests.StartNow("now", TABLE, "other")))
    for _ in range(2):
        gateway.hear(messages.Reply(number, "now", b"done", False))
    assert socket.sent == [b"done"] * 3
    gateway.ask(socket, requests.StartNow("again", TABLE, "r"))
    gateway.ask(socket, requests.StartNow("again", TABLE, "r"))
    gateway.clock.ms += int(1000 * PATIENCE)
    gateway.tables.tend()
    assert socket.refused == [("again", "table/unreachable")] * 2


@pytest.mark.rule("ASR-20")
@pytest.mark.parametrize("jump", [-3_600_000, 3_600_000])
def test_a_wall_clock_that_is_set_makes_no_request_early_or_late(
    jump: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its table comes to the node of its socket while it is on its way."""
    gateway = Gateway()
    socket, _ = gateway.enter(7)
    read_at, wall = gateway.clock.monotonic(), gateway.clock.wall_ms()
    gateway.ask(socket, requests.StartNow("now", TABLE, "r"))
    monkeypatch.setattr(gateway.clock, "wall_ms", lambda: wall + jump)
    gateway.tables.arrive(TABLE)
    assert socket.read_at == [read_at]


@pytest.mark.rule("CLU-05")
def test_every_node_that_knows_a_connection_is_told_when_it_is_gone() -> None:
    gateway = Gateway()
    socket, number = gateway.enter(7)
    gateway.ask(socket, requests.Exit("out", TABLE))
    gateway.tables.lose(TABLE, OWNER)
    gateway.tables.found(TABLE, OTHER)
    gateway.bus.take()
    gateway.tables.leave(cast(Any, socket))
    assert sorted(gateway.bus.take(), key=lambda posted: posted[0]) == [
        (OWNER, messages.Gone(number)),
        (OTHER, messages.Gone(number)),
    ]


@pytest.mark.rule("CLU-02")
def test_a_connection_that_is_not_shown_its_table_is_attached_again() -> None:
    gateway = Gateway()
    _, number = gateway.enter(7, seq=3)
    gateway.tables.missed(OWNER)
    gateway.bus.take()
    gateway.tables.tend()
    assert gateway.attached() == {}
    gateway.clock.ms += int(1000 * ATTACH_AGAIN) + 100
    gateway.tables.tend()
    assert gateway.attached() == {number: (5, 3)}


@pytest.mark.rule("CLU-02")
async def test_an_owner_that_is_another_by_the_database_is_corrected() -> None:
    gateway = Gateway()
    gateway.tables.correct({TABLE: OWNER})
    assert await gateway.tables.owner_of(TABLE) == OWNER
    gateway.tables.correct({TABLE: OTHER})
    assert gateway.tables.ownerless() == [TABLE]


@pytest.mark.rule("CLU-12")
async def test_what_is_asked_while_no_owner_is_known_waits_for_one() -> None:
    """Of three tables an owner is found for one, one comes to this node, and one is taken away."""
    gateway = Gateway()
    gateway.tables.lose(TABLE)
    gateway.tables.expect("live/two")
    gateway.tables.expect("live/three")
    asked = [asyncio.create_task(gateway.tables.owner_of(name)) for name in (TABLE, "live/two", "live/three")]
    await asyncio.sleep(0)
    gateway.tables.found(TABLE, OTHER)
    assert await asked[0] == OTHER
    assert not asked[1].done()
    gateway.tables.arrive("live/two")
    assert await asked[1] is None
    assert not asked[2].done()
    gateway.tables.expect_only({TABLE})
    assert await asked[2] is None


@pytest.mark.rule("CLU-23")
def test_without_a_bus_viewers_are_told_and_requests_refused() -> None:
    gateway = Gateway()
    socket, number = gateway.enter(7, seq=3)
    gateway.bus.up = False
    gateway.tables.cut_off()
    gateway.tables.cut_off()
    (told,) = socket.sent
    assert b'"closed"' in told
    assert b"house/bus-down" in told
    refused("house/bus-down", lambda: gateway.ask(socket, requests.StartNow("now", TABLE, "r")))
    gateway.bus.up = True
    gateway.bus.take()
    gateway.tables.missed(OWNER)
    # A page that was told that its table is closed has put it away: frames after it would say nothing to it.
    assert gateway.attached() == {number: NOTHING}
    gateway.hear(messages.TableShown(number, TABLE, 5, 4, 3, b"4"))
    gateway.hear(messages.TableShown(number, TABLE, 5, 4, None, b"snapshot"))
    assert socket.sent[1:] == [b"snapshot"]


@pytest.mark.rule("CLU-23")
def test_without_a_bus_who_waits_to_be_shown_the_table_again_is_told_too() -> None:
    gateway = Gateway()
    socket, number = gateway.enter(7, seq=3)
    gateway.tables.missed(OWNER)
    gateway.tables.cut_off()
    (told,) = socket.sent
    assert b"house/bus-down" in told
    gateway.bus.take()
    gateway.tables.missed(OWNER)
    assert gateway.attached() == {number: NOTHING}


@pytest.mark.rule("OFF-02", "CLU-12")
def test_who_waits_to_be_shown_a_table_that_is_taken_away_is_told() -> None:
    """Its owner has told those who see it."""
    gateway = Gateway()
    socket, _ = gateway.enter(7, seq=3)
    gateway.tables.missed(OWNER)
    gateway.tables.expect_only({"live/two"})
    (told,) = socket.sent
    assert b"closed/table" in told
    seen = Gateway()
    socket, _ = seen.enter(7, seq=3)
    seen.tables.expect_only(set())
    assert socket.sent == []


def test_who_is_refused_at_the_door_is_not_attached() -> None:
    gateway = Gateway()
    socket = Socket(9)
    gateway.ask(socket, requests.Enter("e", TABLE))
    gateway.hear(messages.Reply(1, "e", b"no", True))
    gateway.bus.take()
    gateway.tables.missed(OWNER)
    assert gateway.attached() == {}
