"""A viewer's tracks over aiortc, with the time of capture in every packet (abs-capture-time)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from fractions import Fraction
from struct import pack
from typing import Any, Literal, NamedTuple

from aiortc import MediaStreamTrack, RTCRtpSender, rtp
from aiortc.codecs import HEADER_EXTENSIONS
from aiortc.mediastreams import MediaStreamError
from aiortc.rtcrtpparameters import RTCRtpHeaderExtensionParameters, RTCRtpParameters
from av.packet import Packet

ABS_CAPTURE_TIME = "http://www.webrtc.org/experiments/rtp-hdrext/abs-capture-time"
#: Seconds from 1900, where NTP begins, to 1970.
_NTP_1970 = 2_208_988_800
#: Packets that wait for a slow viewer.
_MOST_WAITING = 100

if not any(extension.uri == ABS_CAPTURE_TIME for extension in HEADER_EXTENSIONS["video"]):
    HEADER_EXTENSIONS["video"].append(RTCRtpHeaderExtensionParameters(id=4, uri=ABS_CAPTURE_TIME))


class Encoded(NamedTuple):
    """A packet of a broadcast, and when its picture was taken, in seconds of UTC."""

    kind: Literal["video", "audio"]
    data: bytes
    pts: int
    time_base: Fraction
    whole: bool
    at: float


class PacketTrack(MediaStreamTrack):
    """Hands encoded packets to a sender, from when it asks; it begins, and goes on after a gap, with a whole picture."""

    def __init__(self, kind: Literal["video", "audio"], want_whole: Callable[[], None]) -> None:
        super().__init__()
        self.kind = kind
        self._want_whole = want_whole
        self._asked = False
        self._queue: asyncio.Queue[Encoded | None] = asyncio.Queue()
        self._broken = True
        #: When the picture of the last packet was taken.
        self.captured_at = 0.0

    def put(self, encoded: Encoded) -> None:
        """A packet for this viewer."""
        if self._queue.qsize() >= _MOST_WAITING:
            self._broken = True
        elif self._asked and (encoded.whole or not self._broken):
            self._broken = False
            self._queue.put_nowait(encoded)

    async def recv(self) -> Packet[Any]:
        """The next packet."""
        if not self._asked:
            self._asked = True
            self._want_whole()
        encoded = await self._queue.get() if self.readyState == "live" else None
        if encoded is None:
            raise MediaStreamError
        self.captured_at = encoded.at
        packet = Packet(encoded.data)
        packet.pts, packet.time_base = encoded.pts, encoded.time_base
        return packet

    def stop(self) -> None:
        """End the track."""
        super().stop()
        self._queue.put_nowait(None)


class ViewerTracks:
    """The picture and the sound of one viewer."""

    def __init__(self, want_whole: Callable[[], None]) -> None:
        self.video = PacketTrack("video", want_whole)
        self.audio = PacketTrack("audio", want_whole)

    def put(self, encoded: Encoded) -> None:
        """A packet for one of them."""
        (self.video if encoded.kind == "video" else self.audio).put(encoded)


class CaptureTimes(rtp.HeaderExtensionsMap):
    """Writes abs-capture-time beside the extensions that aiortc knows."""

    def __init__(self, track: PacketTrack) -> None:
        super().__init__()
        self._track = track
        self._id: int | None = None

    def configure(self, parameters: RTCRtpParameters) -> None:
        super().configure(parameters)
        for extension in parameters.headerExtensions:
            if extension.uri == ABS_CAPTURE_TIME:
                self._id = extension.id

    def set(self, values: rtp.HeaderExtensions) -> tuple[int, bytes]:
        profile, packed = super().set(values)
        if self._id is None:
            return profile, packed
        # A packet that is sent again keeps its own time.
        at = values.__dict__.setdefault("captured_at", self._track.captured_at)
        known = rtp.unpack_header_extensions(profile, packed)
        return rtp.pack_header_extensions([*known, (self._id, ntp_bytes(at))])


def write_capture_times(sender: RTCRtpSender, track: PacketTrack) -> None:
    """Let a sender write when each picture was taken; before it is started."""
    setattr(sender, "_RTCRtpSender__rtp_header_extensions_map", CaptureTimes(track))  # noqa: B010  # its private name


def ntp_bytes(at: float) -> bytes:
    """A moment of UTC as NTP writes it: seconds of 1900 and their fraction, 32 bits each.

    >>> ntp_bytes(0.5).hex()
    '83aa7e8080000000'
    """
    return pack("!Q", int((at + _NTP_1970) * 2**32))
