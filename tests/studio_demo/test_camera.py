"""The demo's camera: WHEP and HLS as a media server offers them, for those with a token of the house (STU-20, STU-23, STU-25)."""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import datetime
from io import BytesIO
from pathlib import Path

import av
import pytest
from msgspec.structs import replace

from sabot.fairness.vault import Vault
from sabot.server.video_tokens import VideoTokens
from sabot.store.database import Database
from sabot.studio_demo.camera import Camera, serve_camera, video_sections
from sabot.studio_demo.token_check import TokenCheck
from sabot.studio_demo.tracks import ABS_CAPTURE_TIME
from tests.support.clock import PATIENCE
from tests.support.hall import FREEBET, Hall, open_hall
from tests.support.shoes import StackedShoes
from tests.support.whep import ask_whep, shown_clock, watching, whep_headers


class Studio:
    """A house with a table that has a camera."""

    def __init__(self, hall: Hall, camera: Camera, url: str) -> None:
        self.hall, self.camera, self.url = hall, camera, url
        self.whep, self.hls = f"{url}/one/360/whep", f"{url}/one/360/index.m3u8"


@asynccontextmanager
async def studio(database: Database, folder: Path) -> AsyncIterator[Studio]:
    """The house, and the camera that asks it for its keys."""
    checks: list[TokenCheck] = []

    async def allows(token: str, path: str) -> bool:
        return await checks[0].allows(token, path)

    camera = Camera(["one"], allows, ["http://house.example"], folder)
    async with serve_camera(camera, "127.0.0.1", 0) as url:
        table = replace(FREEBET, video=video_sections(url, "one"))
        async with open_hall(database, StackedShoes(""), table, replace(FREEBET, name="two")) as hall:
            keys = f"{hall.url}/api/v1/video/keys"
            checks.append(TokenCheck(hall.http, keys, "sabot", lambda: hall.clock.ms / 1000))
            yield Studio(hall, camera, url)


@pytest.mark.slow  # pictures are drawn, sent and read
@pytest.mark.rule("STU-20", "STU-23", "STU-25")
async def test_a_viewer_sees_the_clock_and_hears_the_voice_and_programs_read_the_playlist(
    database: Database, tmp_path: Path
) -> None:
    async with asyncio.timeout(PATIENCE), studio(database, tmp_path) as demo:
        http, ada = demo.hall.http, await demo.hall.member("ada")
        told = (await ada.get("/tables/one/video")).body
        assert [stream["quality"] for stream in told["streams"]] == ["720", "360"]
        assert told["streams"][1] == {"quality": "360", "whep": demo.whep, "hls": demo.hls}
        async with watching(http, demo.whep, told["token"]) as viewer:
            seen = [await viewer.clock() for _ in range(5)]
            now = time.time() * 1000
            times = [moment for moment in seen if moment is not None]
            assert len(times) == 5
            assert times == sorted(set(times))
            assert 0 <= now - times[-1] < 2_000
            assert viewer.size == (640, 360)
            assert ABS_CAPTURE_TIME in viewer.answer
            assert "H264" in viewer.answer
            assert "VP8" not in viewer.answer
            assert await viewer.loudness() > 1_000
            await _check_playlist(demo, told["token"])
            assert demo.camera.viewers == 1
            async with http.delete(demo.url + viewer.location) as gone:
                assert gone.status == 200
            assert demo.camera.viewers == 0
            async with http.delete(demo.url + viewer.location) as again:
                assert again.status == 200  # its connection may have ended before


async def _check_playlist(demo: Studio, token: str) -> None:
    """The playlist's dates are those of its pictures: within a frame and what drawing takes."""
    async with demo.hall.http.get(demo.hls, headers=whep_headers(token)) as response:
        assert (response.status, response.content_type) == (200, "application/vnd.apple.mpegurl")
        playlist = await response.text()
    dates = re.findall(r"#EXT-X-PROGRAM-DATE-TIME:(\S+)\n(\S+\.ts)", playlist)
    assert dates, playlist
    date, name = dates[-1]
    async with demo.hall.http.get(f"{demo.url}/one/360/{name}", headers=whep_headers(token)) as response:
        assert (response.status, response.content_type) == (200, "video/mp2t")
        data = await response.read()
    with av.open(BytesIO(data), "r") as segment:
        shown = shown_clock(next(segment.decode(video=0)))
    assert shown is not None
    assert abs(datetime.fromisoformat(date).timestamp() * 1000 - shown) < 500


@pytest.mark.rule("STU-23")
async def test_only_a_token_of_this_house_for_this_path_and_time_opens_a_stream(
    database: Database, tmp_path: Path
) -> None:
    async with asyncio.timeout(PATIENCE), studio(database, tmp_path) as demo:
        http, ada = demo.hall.http, await demo.hall.member("ada")
        token = (await ada.get("/tables/one/video")).body["token"]
        head, claims, signature = token.split(".")
        login, at = b"login", demo.hall.clock.ms
        vault = demo.hall.house.house.vault
        assert vault is not None
        wrong = {
            "none": "",
            "no token": "x.y",
            "changed": f"{head}.{claims}.{signature[:-4]}AAAA",
            "of another house": VideoTokens(Vault(b"7" * 32), "sabot").issue(login, ("one/360",), at)[0],
            "of another issuer": VideoTokens(vault, "other").issue(login, ("one/360",), at)[0],
            "for another path": VideoTokens(vault, "sabot").issue(login, ("two/360", "one/720"), at)[0],
            "expired": VideoTokens(vault, "sabot").issue(login, ("one/360",), at - 180_000)[0],
        }
        for why, wrong_token in wrong.items():
            assert await ask_whep(http, demo.whep, wrong_token) == 401, why
            async with http.get(demo.hls, headers=whep_headers(wrong_token)) as response:
                assert response.status == 401, why
        assert await ask_whep(http, demo.whep, token) == 400  # let in, but this is no offer
        nowhere = VideoTokens(vault, "sabot").issue(login, ("one/1080",), at)[0]
        assert await ask_whep(http, f"{demo.url}/one/1080/whep", nowhere) == 404
        demo.hall.clock.ms += 181_000
        assert await ask_whep(http, demo.whep, token) == 401
        assert (await ada.post("/logout")).status == 204
        assert (await ada.get("/tables/one/video")).code == "login/required"


@pytest.mark.rule("STU-20")
async def test_the_houses_pages_may_ask_and_no_others(database: Database, tmp_path: Path) -> None:
    async with studio(database, tmp_path) as demo:
        for origin, allowed in (
            ("http://house.example", "http://house.example"),
            ("http://evil.example", None),
        ):
            async with demo.hall.http.options(demo.whep, headers={"Origin": origin}) as response:
                assert response.headers.get("Access-Control-Allow-Origin") == allowed
        async with demo.hall.http.post(demo.whep, headers={"Origin": "http://house.example"}) as response:
            assert response.status == 401
            assert response.headers["Access-Control-Allow-Origin"] == "http://house.example"
            assert response.headers["Access-Control-Expose-Headers"] == "Location"
