"""A small media server: the generated video of some tables by WHEP and HLS, for those with a token (STU-20, STU-23).

Addresses are those of MediaMTX: `/TABLE/QUALITY/whep` and `/TABLE/QUALITY/index.m3u8`.
"""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Awaitable, Callable, Container, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from secrets import token_urlsafe

import aioice.ice
from aiohttp import web
from aiortc import RTCConfiguration, RTCPeerConnection, RTCRtpSender, RTCSessionDescription
from aiortc.exceptions import OperationError

from sabot.server.config import VideoSection
from sabot.studio_demo.broadcast import PLAYLIST, Broadcast, Scene
from sabot.studio_demo.picture import Size
from sabot.studio_demo.tracks import ViewerTracks, write_capture_times

#: The qualities on offer, the best first.
QUALITIES = {"720": Size(1280, 720), "360": Size(640, 360)}
#: Whether a token opens a path.
Allows = Callable[[str, str], Awaitable[bool]]

_SEGMENT = re.compile(r"index\d+\.ts")
_SDP = "application/sdp"
_CODECS = ("video/h264", "video/rtx", "audio/opus")
_KINDS = re.compile("^m=(video|audio) ", re.MULTILINE)
#: What the house's pages may send and read.
_CORS = {
    "Access-Control-Allow-Methods": "GET, POST, DELETE, OPTIONS",
    "Access-Control-Allow-Headers": "Authorization, Content-Type",
    "Access-Control-Expose-Headers": "Location",
}
_LOOPBACK = "127.0.0.1"
_MOST_VIEWERS = 200


class Camera:
    """The broadcasts of some tables, and the sessions of those who watch; pages of some origins may."""

    def __init__(self, tables: Iterable[str], allows: Allows, origins: Container[str], folder: Path) -> None:
        self.scenes = {table: Scene() for table in tables}
        self._allows = allows
        self._origins = origins
        self._broadcasts = {
            f"{table}/{quality}": Broadcast(scene, size, folder / table / quality)
            for table, scene in self.scenes.items()
            for quality, size in QUALITIES.items()
        }
        self._sessions: dict[str, _Session] = {}

    def app(self) -> web.Application:
        """The web application; closing it ends every session."""
        app = web.Application(middlewares=[self._with_origin])
        app.router.add_post("/{table}/{quality}/whep", self._open)
        app.router.add_delete("/{table}/{quality}/whep/{session}", self._delete)
        app.router.add_get("/{table}/{quality}/{file}", self._file)
        app.on_shutdown.append(self._close)
        return app

    @property
    def viewers(self) -> int:
        """How many watch by WHEP."""
        return len(self._sessions)

    @web.middleware
    async def _with_origin(
        self, request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
    ) -> web.StreamResponse:
        """Let the house's pages, and no others, read the answers (CORS)."""
        headers = {"Vary": "Origin"}
        if (origin := request.headers.get("Origin", "")) in self._origins:
            headers |= _CORS | {"Access-Control-Allow-Origin": origin}
        try:
            response = web.Response(status=204) if request.method == "OPTIONS" else await handler(request)
        except web.HTTPException as error:
            error.headers.update(headers)
            raise
        response.headers.update(headers)
        return response

    async def _broadcast(self, request: web.Request) -> Broadcast:
        """The broadcast that a request is for, if its token allows it."""
        path = f"{request.match_info['table']}/{request.match_info['quality']}"
        scheme, _, token = request.headers.get("Authorization", "").partition(" ")
        if scheme != "Bearer" or not await self._allows(token, path):
            raise web.HTTPUnauthorized(headers={"WWW-Authenticate": "Bearer"})
        if path not in self._broadcasts:
            raise web.HTTPNotFound
        return self._broadcasts[path]

    async def _open(self, request: web.Request) -> web.Response:
        """WHEP: the offer of a viewer, answered."""
        broadcast = await self._broadcast(request)
        if request.content_type != _SDP:
            raise web.HTTPUnsupportedMediaType
        if len(self._sessions) >= _MOST_VIEWERS:
            raise web.HTTPServiceUnavailable
        session = _Session(broadcast)
        name = token_urlsafe()
        try:
            answer = await session.answer(await request.text(), lambda: self._sessions.pop(name, None))
        except (ValueError, OperationError) as error:
            await session.close()
            raise web.HTTPBadRequest(text=str(error)) from None
        self._sessions[name] = session
        headers = {"Location": f"{request.path}/{name}"}
        return web.Response(status=201, text=answer, content_type=_SDP, headers=headers)

    async def _delete(self, request: web.Request) -> web.Response:
        """WHEP: a viewer leaves, whose connection may have ended already; the address of a session is its viewer's alone."""
        session = self._sessions.pop(request.match_info["session"], None)
        if session is not None:
            await session.close()
        return web.Response()

    async def _file(self, request: web.Request) -> web.StreamResponse:
        """HLS: the playlist, or a segment of it."""
        broadcast = await self._broadcast(request)
        name = request.match_info["file"]
        if name == PLAYLIST:
            playlist = await broadcast.playlist()
            if playlist is None:
                raise web.HTTPServiceUnavailable
            headers = {"Cache-Control": "no-cache"}
            return web.Response(body=playlist, content_type="application/vnd.apple.mpegurl", headers=headers)
        broadcast.want()
        file = broadcast.folder / name
        if not _SEGMENT.fullmatch(name) or not file.is_file():
            raise web.HTTPNotFound
        return web.FileResponse(file, headers={"Content-Type": "video/mp2t"})

    async def _close(self, app: web.Application) -> None:
        for session in list(self._sessions.values()):
            await session.close()
        for broadcast in self._broadcasts.values():
            await broadcast.close()


@asynccontextmanager
async def serve_camera(camera: Camera, host: str, port: int) -> AsyncIterator[str]:
    """Serve a camera until the end of the block; gives its address. Port 0 takes a free one."""
    runner = web.AppRunner(camera.app(), access_log=None, shutdown_timeout=1)
    await runner.setup()
    try:
        await web.TCPSite(runner, host, port).start()
        yield f"http://{host}:{runner.addresses[0][1]}"
    finally:
        await runner.cleanup()


def video_sections(url: str, table: str) -> tuple[VideoSection, ...]:
    """The settings of a table's video, with a camera at an address."""
    return tuple(
        VideoSection(quality=name, whep=f"{url}/{table}/{name}/whep", hls=f"{url}/{table}/{name}/{PLAYLIST}")
        for name in QUALITIES
    )


class _Session:
    """One viewer by WHEP."""

    def __init__(self, broadcast: Broadcast) -> None:
        self._broadcast = broadcast
        self._tracks: ViewerTracks | None = None
        self._connection = RTCPeerConnection(RTCConfiguration(iceServers=[]))

    async def answer(self, offer: str, ended: Callable[[], object]) -> str:
        """The answer to an offer; `ended` is called when the viewer is gone."""
        connection = self._connection
        if "video" not in (kinds := _KINDS.findall(offer)):
            raise ValueError("an offer to watch has a line m=video")
        tracks = self._tracks = self._broadcast.add_viewer()
        for kind in kinds:
            track = tracks.video if kind == "video" else tracks.audio
            transceiver = connection.addTransceiver(track, direction="sendonly")
            known = RTCRtpSender.getCapabilities(kind).codecs
            transceiver.setCodecPreferences([codec for codec in known if codec.mimeType.lower() in _CODECS])
            if kind == "video":
                write_capture_times(transceiver.sender, track)
        await connection.setRemoteDescription(RTCSessionDescription(offer, "offer"))

        @connection.on("connectionstatechange")
        async def changed() -> None:
            if connection.connectionState in ("failed", "closed"):
                ended()
                await self.close()

        await connection.setLocalDescription(await connection.createAnswer())
        return connection.localDescription.sdp

    async def close(self) -> None:
        """End it."""
        if self._tracks is not None:
            self._broadcast.remove_viewer(self._tracks)
        await self._connection.close()


def _addresses(
    use_ipv4: bool, use_ipv6: bool, found: Callable[[bool, bool], list[str]] = aioice.ice.get_host_addresses
) -> list[str]:
    """The addresses of this machine, with loopback: on a machine without a network too."""
    return [*found(use_ipv4, use_ipv6), *([_LOOPBACK] if use_ipv4 else [])]


aioice.ice.get_host_addresses = _addresses
