"""Pages and files: whatever stands in a path or a header, it is no fault of the house's (ASR-32)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from aiohttp import web

from sabot.server.app import create_app
from sabot.server.config import Config, HouseConfig
from sabot.server.house import House
from sabot.server.http.middleware import check_expectation
from sabot.server.http.static import PAGES, serve_pages
from sabot.server.refusals import refusing
from sabot.store.database import Database
from tests.support.clock import PATIENCE, HandClock
from tests.support.house import VAULT, CountedShoes

PAGE = "<html><title>x</title>the first page"


async def status(port: int, path: str, headers: bytes = b"") -> tuple[int, bytes]:
    """What is answered to a request that is sent as it stands."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(
        b"GET %b HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n%b\r\n" % (path.encode(), headers)
    )
    answer = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    return int(answer.split()[1]), answer


@pytest.mark.rule("ASR-32")
async def test_strange_paths_and_expectations(tmp_path: Path) -> None:
    (tmp_path / "assets").mkdir()
    (tmp_path / "assets" / "x.js").write_text("1")
    (tmp_path / "index.html").write_text(PAGE)

    app = web.Application(middlewares=[refusing])
    app.router.add_get(PAGES, serve_pages(tmp_path, "sabot"), expect_handler=check_expectation)
    runner = web.AppRunner(app)
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    strange = [
        "/live/%00",
        "/assets/%00",
        "/%00",
        "/live/%ff",
        "/assets/x.js%00",
        "/live/a%0ab",
        "/live/%5c..%5cx",
    ]
    strange += [f"/{'x' * 300}", f"/assets/{'x' * 300}.js", "/a" * 40, "/%c0%80", "/live/%E2%80%AE"]
    for path in strange:
        assert (await status(port, path))[0] == 404, path
    for path in ("/", "/live/freebet", "/history/260829-104000-K7QA"):
        assert (await status(port, path))[0] == 200, path
    assert (await status(port, "/assets/x.js"))[0] == 200
    for odd in (b"Expect: \x80\x80\r\n", b"Expect: much\r\n"):
        code, answer = await status(port, "/", odd)
        assert code == 417
        assert b"much" not in answer
    await runner.cleanup()


async def test_the_page_bears_the_name_of_the_house_and_says_whether_anyone_may_be_logged_in(
    file_url: str, tmp_path: Path
) -> None:
    (tmp_path / "index.html").write_text(PAGE)
    config = Config(house=HouseConfig(name="Casa <Ada>"), table=())

    house = House(config, Database(file_url), CountedShoes(VAULT, 0), HandClock(), None)
    runner = web.AppRunner(create_app(house, tmp_path))
    await runner.setup()
    await web.TCPSite(runner, "127.0.0.1", 0).start()
    port = runner.addresses[0][1]
    _, nobody = await status(port, "/live/freebet")
    _, somebody = await status(port, "/live/freebet", b"Cookie: sabot=token\r\n")
    await runner.cleanup()
    assert b"<html data-nobody><title>Casa &lt;Ada&gt;</title>the first page" in nobody
    assert b"<html><title>Casa &lt;Ada&gt;</title>the first page" in somebody
