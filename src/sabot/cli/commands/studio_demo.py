"""`sabot studio-demo`: a studio without hardware and people, at a house of its own or at an open one (STU-25)."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

from sabot.cli.shared import Language, Output, argument, option

if TYPE_CHECKING:
    from sabot.studio_demo.dealer import Dealer
    from sabot.studio_demo.running import OpenHouse, VideoAddress
    from sabot.studio_demo.settings import DemoKeys

#: Seconds from one card to the next: a dealer's pace.
_PACE = 1.5
_VIDEO_PORT = 8889


def studio_demo(
    table: Annotated[
        str | None, argument("TABLE", "A studio table; with a house of its own, a live game.")
    ] = None,
    pace: Annotated[float, option("SECONDS", "From one card to the next.", min=0)] = _PACE,
    seconds: Annotated[
        float | None, option("N", "End after so many seconds; else with CTRL+C.", min=0)
    ] = None,
    port: Annotated[int, option("PORT", "The port of its own house; 0 takes a free one.")] = 8765,
    video_port: Annotated[int, option("PORT", "The port of the video; 0 takes a free one.")] = _VIDEO_PORT,
    folder: Annotated[
        Path | None, option("DIR", "Keep house and shoes there; else all is gone at the end.")
    ] = None,
    server: Annotated[str | None, option("URL", "Deal at TABLE of this open house.")] = None,
    presenter: Annotated[str, option("NAME", "With --server: the presenter's account.")] = "",
    password: Annotated[
        str, option("TEXT", "With --server: its password.", envvar="SABOT_DEMO_PASSWORD", show_envvar=True)
    ] = "",
    code: Annotated[str, option("CODE", "With --server: a code of its second factor.")] = "",
    device_token: Annotated[
        str, option("TOKEN", "With --server: the shoe's token.", envvar="SABOT_DEMO_TOKEN", show_envvar=True)
    ] = "",
    codes: Annotated[Path | None, option("FILE", "With --server: the house's code table.")] = None,
    issuer: Annotated[
        str, option("TEXT", "With --server: its public_url, or its name without one.")
    ] = "sabot",
    lang: Language = None,
) -> None:
    """Try the studio: real decks, a dealer and a video with a clock, on this machine."""
    out = Output(lang)
    running = _import(out)
    from sabot.studio_demo.settings import PRESENTERS

    if server is None and table is not None and table not in PRESENTERS:
        out.refuse("demo.game", table=table, known=", ".join(PRESENTERS))
    tables = list(PRESENTERS) if table is None else [table]
    address = running.VideoAddress(running.HOST, video_port)
    dealers: list[Dealer] = []
    with _folder(out, folder) as home:
        if server is None:
            work = _at_home(out, home, tables, port, address, pace, seconds, dealers)
        elif table and presenter and password and device_token and codes:
            desks = {table: (running.PresenterAccount(presenter, password, code), device_token)}
            house = running.OpenHouse(server.rstrip("/"), issuer, desks, codes, home)
            work = _away(out, house, address, pace, seconds, dealers)
        else:
            out.refuse("demo.missing")
        _run(out, work)
    out.say("demo.done", cards=sum(one.dealt for one in dealers), rounds=sum(one.paid for one in dealers))


def _import(out: Output) -> ModuleType:
    """What the demo needs; refused without the extra `studio`."""
    try:
        from sabot.studio_demo import running
    except ImportError as error:
        out.refuse("demo.extra", name=error.name)
    return running


@contextmanager
def _folder(out: Output, folder: Path | None) -> Iterator[Path]:
    if folder is None:
        with TemporaryDirectory(prefix="sabot-studio-") as made:
            yield Path(made)
        return
    with out.file("cli.folder", folder):
        folder.mkdir(parents=True, exist_ok=True)
    yield folder.resolve()


def _run(out: Output, work: Coroutine[Any, Any, None]) -> None:
    """Run it until its end or CTRL+C."""
    import uvloop

    from sabot.client.connection import RequestError
    from sabot.server import logs

    logs.configure()
    try:
        uvloop.run(work)
    except KeyboardInterrupt:
        pass
    except RequestError as error:
        out.refuse("demo.refused", code=error.code)
    except (OSError, ValueError) as error:
        out.refuse("serve.cannot", reason=error)


async def _at_home(
    out: Output,
    home: Path,
    tables: list[str],
    port: int,
    address: VideoAddress,
    pace: float,
    seconds: float | None,
    dealers: list[Dealer],
) -> None:
    from sabot.studio_demo.running import run_own
    from sabot.studio_demo.settings import PRESENTERS, SUPERVISOR

    def opened(url: str, keys: DemoKeys) -> None:
        out.say("demo.open", url=url)
        for name in tables:
            who = PRESENTERS[name]
            out.say("demo.table", url=url, table=name, presenter=who, password=keys.passwords[who])
        out.say("demo.supervisor", name=SUPERVISOR, password=keys.passwords[SUPERVISOR])

    stop = asyncio.Event()
    if seconds is not None:
        asyncio.get_running_loop().call_later(seconds, stop.set)
    await run_own(home, tables, port, address, pace, opened, dealers, stop)


async def _away(
    out: Output,
    house: OpenHouse,
    address: VideoAddress,
    pace: float,
    seconds: float | None,
    dealers: list[Dealer],
) -> None:
    from sabot.studio_demo.running import run_at

    def opened(url: str) -> None:
        out.say("demo.at", url=house.url, tables=", ".join(house.tables), video=url)

    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await run_at(house, address, pace, opened, dealers)
