"""A viewer by WHEP in the same process: aiortc as a browser's end."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import aiohttp
import numpy as np
from aiortc import MediaStreamTrack, RTCConfiguration, RTCPeerConnection, RTCSessionDescription
from av import AudioFrame, VideoFrame

from sabot.studio_demo.picture import read_clock


def shown_clock(frame: VideoFrame) -> int | None:
    """The time that a picture shows, in milliseconds of UTC."""
    return read_clock(np.asarray(frame.to_ndarray(format="yuv420p"), dtype=np.uint8)[: frame.height])


class WhepViewer:
    """A viewer; `answer` is what the media server answered."""

    def __init__(self, tracks: dict[str, MediaStreamTrack], answer: str, location: str) -> None:
        self._tracks = tracks
        self.answer = answer
        self.location = location

    async def clock(self) -> int | None:
        """The time that the next picture shows, in milliseconds of UTC."""
        frame = await self._tracks["video"].recv()
        assert isinstance(frame, VideoFrame)
        self.size = frame.width, frame.height
        return shown_clock(frame)

    async def loudness(self) -> int:
        """The loudest sample of the next second."""
        loudest = 0
        for _ in range(50):
            frame = await self._tracks["audio"].recv()
            assert isinstance(frame, AudioFrame)
            loudest = max(loudest, int(np.abs(frame.to_ndarray()).max()))
        return loudest


async def ask_whep(session: aiohttp.ClientSession, url: str, token: str, offer: str = "v=0\r\n") -> int:
    """The status of an offer."""
    async with session.post(url, data=offer, headers=whep_headers(token)) as response:
        return response.status


def whep_headers(token: str) -> dict[str, str]:
    """The headers of an offer."""
    return {"Authorization": f"Bearer {token}", "Content-Type": "application/sdp"}


@asynccontextmanager
async def watching(session: aiohttp.ClientSession, url: str, token: str) -> AsyncIterator[WhepViewer]:
    """A viewer of a stream, until the end of the block."""
    connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))
    tracks: dict[str, MediaStreamTrack] = {}
    connection.on("track", lambda track: tracks.__setitem__(track.kind, track))
    for kind in ("video", "audio"):
        connection.addTransceiver(kind, direction="recvonly")
    await connection.setLocalDescription(await connection.createOffer())
    async with session.post(
        url, data=connection.localDescription.sdp, headers=whep_headers(token)
    ) as response:
        assert response.status == 201, await response.text()
        answer, location = await response.text(), response.headers["Location"]
    await connection.setRemoteDescription(RTCSessionDescription(answer, "answer"))
    try:
        yield WhepViewer(tracks, answer, location)
    finally:
        await connection.close()
