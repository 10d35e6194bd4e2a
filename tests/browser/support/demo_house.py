"""A house whose live table is dealt and filmed by the studio's demo, as `sabot studio-demo TABLE --server` does it."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from sabot.server.config import DeviceSection
from sabot.studio_demo.camera import video_sections
from sabot.studio_demo.dealer import Dealer
from sabot.studio_demo.desk import PresenterAccount
from sabot.studio_demo.running import OpenHouse, VideoAddress, run_at
from tests.browser.support.live_house import TABLE, LiveHouse
from tools.cluster.processes import free_port

_HOST = "127.0.0.1"
_TOKEN = "token-of-the-reading-shoe-" + "7" * 16


class DemoHouse(LiveHouse):
    """A studio table that waits for the demo."""

    def __init__(self, folder: Path, **settings: Any) -> None:
        super().__init__(folder, dealing="studio", **settings)
        self._folder = folder
        self._video_port = free_port()
        #: Where the camera is.
        self.video_url = f"http://{_HOST}:{self._video_port}"
        (table,) = self._config.table
        self._config = replace(
            self._config,
            table=(replace(table, video=video_sections(self.video_url, TABLE)),),
            device=(DeviceSection(name="shoe-1", table=TABLE, token=_TOKEN),),
        )
        self._demo: asyncio.Task[None] | None = None
        self._dealers: list[Dealer] = []

    def start_demo(self, name: str, password: str, pace: float, cut: int | None) -> None:
        """A dealer with a shoe and a camera comes to the table, with a presenter's account."""
        desks = {TABLE: (PresenterAccount(name, password), _TOKEN)}
        house = OpenHouse(
            self.url, self._config.house.name, desks, self._folder / "codes.toml", self._folder, cut
        )

        async def start() -> None:
            address = VideoAddress(_HOST, self._video_port)
            self._demo = asyncio.create_task(run_at(house, address, pace, lambda url: None, self._dealers))

        self.run(start())

    def check_demo(self) -> None:
        """The dealer is still there: nothing has gone wrong."""
        assert self._demo is not None
        assert not self._demo.done(), self._demo.exception()

    async def _serve(self) -> None:
        try:
            await super()._serve()
        finally:
            if self._demo is not None:
                self._demo.cancel()
                await asyncio.wait([self._demo])

    @property
    def cards_read(self) -> int:
        """How many cards the demo's shoe has read."""
        return sum(dealer.dealt for dealer in self._dealers)
