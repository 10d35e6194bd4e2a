"""A house whose live table has a camera: the video of the studio's demo, with its clock (STU-20..25)."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import aiohttp
from msgspec.structs import replace

from sabot.studio_demo.camera import Camera, serve_camera, video_sections
from sabot.studio_demo.token_check import TokenCheck
from tests.browser.support.live_house import TABLE, LiveHouse
from tools.cluster.processes import free_port

_HOST = "127.0.0.1"


class FilmedHouse(LiveHouse):
    """A live house and, in the same thread, its camera; with `lead`, cards are read so much before they are seen."""

    def __init__(self, folder: Path, *cards: str, lead: int = 0, **settings: Any) -> None:
        # Each of the two must know the other's address before it is there.
        self._camera_port, port = free_port(), free_port()
        super().__init__(folder, *cards, port=port, **settings)
        self._origin = f"http://{_HOST}:{port}"
        self._folder = folder / "camera"
        self._filming = AsyncExitStack()
        video = video_sections(f"http://{_HOST}:{self._camera_port}", TABLE)
        (table,) = self._config.table
        self._config = replace(self._config, table=(replace(table, video=video, lead=lead),))

    async def _serve(self) -> None:
        try:
            await self._film()
            await super()._serve()
        finally:
            await self._filming.aclose()

    async def _film(self) -> None:
        http = await self._filming.enter_async_context(aiohttp.ClientSession())
        check = TokenCheck(http, f"{self._origin}/api/v1/video/keys", self._config.house.name)
        self.camera = Camera([TABLE], check.allows, [self._origin], self._folder)
        await self._filming.enter_async_context(serve_camera(self.camera, _HOST, self._camera_port))

    def cut(self) -> None:
        """The camera fails, and everything that it has sent with it."""
        self.run(self._filming.aclose())

    def film(self) -> None:
        """It is back."""
        self.run(self._film())

    def watched(self, viewers: int) -> None:
        """Wait until so many watch by WHEP."""

        async def act() -> None:
            while self.camera.viewers != viewers:
                await asyncio.sleep(0.01)

        self.run(act())
