"""Thousands of sockets that listen, in a process of their own: they count frames and note when the last one came.

`python bench/_listeners.py HOST PORT TABLE COUNT`: connects, enters the table (none for a bare server), says `ready`,
and on each line of input answers with what was heard since: for each frame its number, how many heard it, and when
the last did.
"""

from __future__ import annotations

import json
import os
import re
import selectors
import socket
import struct
import sys
import time

_SEQ = re.compile(rb'"seq":(\d+)')
#: Sockets that are opened at a time, so that the server's backlog holds them.
_AT_ONCE = 100
#: Kinds of WebSocket frames. A server that hears no pong takes the line for broken.
_TEXT, _PING, _PONG = 0x1, 0x9, 0xA


class Listener:
    """One socket: what it has read and not yet understood."""

    __slots__ = ("data", "socket", "table", "welcome")

    def __init__(self, number: int, host: str, port: int, table: str) -> None:
        self.socket = socket.create_connection((host, port))
        request = (
            f"GET /api/v1/socket HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {'A' * 22}==\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Protocol: sabot.v1\r\nAuthorization: Bearer {number}\r\n\r\n"
        )
        self.socket.sendall(request.encode())
        self.table = table
        self.data = b""
        self.welcome = False

    def read(self) -> list[bytes]:
        """The frames that have come whole."""
        read = self.socket.recv(1 << 18)
        assert read, f"the server has closed a socket, after {self.data[:200]!r}"
        self.data += read
        if not self.welcome:
            end = self.data.find(b"\r\n\r\n")
            if end < 0:
                return []
            assert b"101" in self.data[:20], self.data[:end]
            self.data, self.welcome = self.data[end + 4 :], True
            if self.table:
                self.socket.sendall(
                    _masked(json.dumps({"type": "enter", "id": "a", "table": self.table}).encode())
                )
        frames = []
        while (whole := _whole(self.data)) is not None:
            start, end = whole
            if self.data[0] & 0x0F == _PING:
                self.socket.sendall(_masked(self.data[start:end], _PONG))
            else:
                frames.append(self.data[start:end])
            self.data = self.data[end:]
        return frames


def _masked(text: bytes, kind: int = _TEXT) -> bytes:
    """A frame of a client's; a mask of zeros changes nothing."""
    return struct.pack("!BBI", 0x80 | kind, 0x80 | len(text), 0) + text


def _whole(data: bytes) -> tuple[int, int] | None:
    """Where the payload of the first frame begins and ends, if it is all there."""
    if len(data) < 2:
        return None
    length, start = data[1] & 0x7F, 2
    if length == 126:
        start, length = 4, int.from_bytes(data[2:4], "big")
    elif length == 127:
        start, length = 10, int.from_bytes(data[2:10], "big")
    return (start, start + length) if len(data) >= start + length else None


def main() -> None:
    """Connect, listen, report."""
    host, port, table, count = sys.argv[1], int(sys.argv[2]), sys.argv[3], int(sys.argv[4])
    chooser = selectors.DefaultSelector()
    ready = heard_by = 0
    heard: dict[int, list[float]] = {}

    def listen(timeout: float) -> bool:
        nonlocal ready
        asked = False
        for key, _ in chooser.select(timeout):
            if key.data is None:
                asked = True
                continue
            listener: Listener = key.data
            was = listener.welcome
            for frame in listener.read():
                if frame.startswith(b'{"type":"answer"'):
                    ready += 1
                elif (found := _SEQ.search(frame)) is not None and b'"type":"snapshot"' not in frame[:20]:
                    note = heard.setdefault(int(found[1]), [0, 0.0])
                    note[0] += 1
                    note[1] = time.monotonic()
            ready += not table and listener.welcome and not was
        return asked

    for first in range(0, count, _AT_ONCE):
        for number in range(first, min(first + _AT_ONCE, count)):
            listener = Listener(number + 1, host, port, table)
            chooser.register(listener.socket, selectors.EVENT_READ, listener)
            heard_by += 1
        while ready < heard_by:
            listen(0.05)
    heard.clear()
    print("ready", flush=True)
    chooser.register(0, selectors.EVENT_READ, None)
    while True:
        if listen(0.5):
            if not os.read(0, 100):
                return
            while listen(0.2) or chooser.select(0):
                pass
            print(json.dumps(heard), flush=True)
            heard.clear()


if __name__ == "__main__":
    main()
