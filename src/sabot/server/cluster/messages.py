"""What the nodes of a house say to each other."""

from typing import Any

from msgspec import Raw, Struct

from sabot.server.accounts.logins import Login
from sabot.server.accounts.preferences import Settings
from sabot.server.studio.devices import TableDevice
from sabot.store.kinds import Currency


class NodeMessage(Struct, frozen=True, array_like=True, tag=True):
    """The root of all messages between nodes."""


# From the node of a connection to the owner of a table


class Ask(NodeMessage, frozen=True):
    """A request of a connection; `at` is when it was read, by the house's clock (ASR-20).

    It is sent again when its response may be lost; `attempt` counts how often.
    """

    connection: int
    login: Login
    table: str
    request: bytes
    at: int
    attempt: int = 1


class Attach(NodeMessage, frozen=True):
    """Show a table to a connection again: the frames after one that it has, or a snapshot."""

    connection: int
    login: Login
    table: str
    epoch: int
    seq: int


class Gone(NodeMessage, frozen=True):
    """A connection is closed."""

    connection: int


# From the owner of a table to the node of a connection


class PublicFrame(NodeMessage, frozen=True):
    """A frame for every connection that was shown the table (CLU-05); `seq` is 0 for what is not counted."""

    table: str
    epoch: int
    seq: int
    packed: bytes


class PrivateFrame(NodeMessage, frozen=True):
    """A frame of a table for one connection."""

    connection: int
    table: str
    packed: bytes


class TableShown(NodeMessage, frozen=True):
    """The table for one connection, as it is after a frame; from now on it gets the public ones.

    It is the frames after `since`, or a snapshot.
    """

    connection: int
    table: str
    epoch: int
    seq: int
    since: int | None
    packed: bytes


class Reply(NodeMessage, frozen=True):
    """The response to a request; `attempt` is that of the last `Ask` that had come when it was answered."""

    connection: int
    id: str
    packed: bytes
    refused: bool
    attempt: int = 1


class Vain(NodeMessage, frozen=True):
    """Frames of a connection could not be obeyed; the node of its socket counts them."""

    connection: int
    frames: int


class Ended(NodeMessage, frozen=True):
    """The login of a connection has ended."""

    connection: int


class TableMoved(NodeMessage, frozen=True):
    """A table is not owned by the sender any more, or never was."""

    table: str


# Over HTTP


class Errand(NodeMessage, frozen=True):
    """What is asked over HTTP of a table of the receiver's."""

    number: int
    route: str
    names: dict[str, str]
    query: dict[str, str]
    body: bytes
    login: Login | None
    device: TableDevice | None = None
    #: Whether the sender has checked the password that it takes.
    checked: bool = False


class ErrandDone(NodeMessage, frozen=True):
    """The result of an errand: JSON or text, or the refusal."""

    number: int
    result: bytes | None = None
    text: str | None = None
    refused: str | None = None
    params: dict[str, Any] = {}
    #: Whether nothing was done, because the table is not the sender's any more.
    moved: bool = False


# Between any two nodes


class Heads(NodeMessage, frozen=True):
    """A sign of life, before which a gap is noticed: the sender's live tables as the lobby and the floor show them (OFF-05)."""

    #: As `heads.OtherHeads` reads them: a `TableHead` and a `FloorState` for each.
    heads: Raw
    floor: Raw = Raw(b"\x90")


class Missed(NodeMessage, frozen=True):
    """Something that the receiver of this sent was lost: it attaches its connections again."""


# To every node; each may be lost, and is repaired by the next one or by a read of the database


class LoggedOut(NodeMessage, frozen=True):
    """A login of a player has ended, or all of them."""

    player: int
    token: bytes | None


class Preferred(NodeMessage, frozen=True):
    """A player has changed the settings."""

    player: int
    settings: Settings


class Changed(NodeMessage, frozen=True):
    """A player's limits, terms or role have changed: what is known of them is read again."""

    player: int


class Muted(NodeMessage, frozen=True):
    """A player says nothing for some minutes."""

    player: int
    minutes: int


class Granted(NodeMessage, frozen=True):
    """Golden chips were granted to a player, who may sit at a table of the receiver's."""

    player: int
    currency: Currency


class SettingsMade(NodeMessage, frozen=True):
    """Settings were changed: they are read again (OFF-02)."""


AnyMessage = (
    Ask
    | Attach
    | Gone
    | PublicFrame
    | PrivateFrame
    | TableShown
    | Reply
    | Vain
    | Ended
    | TableMoved
    | Errand
    | ErrandDone
    | Heads
    | Missed
    | LoggedOut
    | Preferred
    | Changed
    | Muted
    | Granted
    | SettingsMade
)
