"""The pages of the back office on a year of play: how long each route takes, over HTTP, as an operator asks for it.

Without a database it generates one of its own (`tools/year.py`), smaller than a year of a busy house: `--rounds 1e6` makes
the real thing, which takes some ten minutes on two cores, and `--database URL --key FILE` measures one that is there.
`python bench/office.py [sqlite|postgresql] [--rounds 2e4]`. Goal: the slowest page under 300 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple, get_args
from urllib.parse import urlencode

import aiohttp
import sqlalchemy
from _anyone import FREE
from store import opened

from sabot.odds.price import price
from sabot.reports.drill import Held
from sabot.reports.report import day_of
from sabot.rounds.shoes import SecureShoes
from sabot.server.app import create_app
from sabot.server.config import Config, OfficeConfig
from sabot.server.house import House
from sabot.server.http.dispatch import PREFIX
from sabot.server.run import SystemClock, open_port, open_vault
from sabot.store import schema
from sabot.store.database import Database
from sabot.store.kinds import PAYMENTS

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))  # the tools are not installed
from tools.year import generate

GOAL_MS = 300.0
TIMES = 7
NAME, PASSWORD = "year-bench", "a password for measurements"


class Page(NamedTuple):
    """A request of the office: files are not pages, and have no goal."""

    name: str
    path: str
    is_file: bool = False


class Found(NamedTuple):
    """What a generated house has that requests can name."""

    code: str
    live: str
    player: int
    #: The player of the fewest rounds, and the last who paid.
    seldom: int
    payer: int
    day: int
    rounds: int


def find(database: Database) -> Found:
    """A busy player and two others, a live table, a round and a day in the middle of the year."""
    rounds, days, streams, log = schema.rounds.c, schema.player_days.c, schema.streams.c, schema.log.c
    with database.reading() as connection:

        def one(query: sqlalchemy.Select[Any]) -> Any:
            return connection.execute(query.limit(1)).scalar_one()

        count = one(sqlalchemy.select(sqlalchemy.func.count()).select_from(schema.rounds))
        code = one(
            sqlalchemy.select(rounds.code).where(rounds.game == "surrender").order_by(rounds.code.desc())
        )
        live = one(sqlalchemy.select(streams.name).where(streams.name.startswith("live/")))
        total = sqlalchemy.func.sum(days.rounds)
        players = sqlalchemy.select(days.player).where(days.currency == "EUR").group_by(days.player)
        player, seldom = one(players.order_by(total.desc())), one(players.having(total > 0).order_by(total))
        payments = sqlalchemy.select(log.player).where(log.kind.in_(PAYMENTS))
        payer = one(payments.order_by(log.at.desc()))
        last = one(sqlalchemy.select(sqlalchemy.func.max(days.day)))
    return Found(code, live, player, seldom, payer, last, count)


def pages(found: Found) -> list[Page]:
    """Every page of the office that reads, in its lightest and its heaviest form."""

    def page(title: str, path: str, /, *, is_file: bool = False, **query: object) -> Page:
        return Page(title, f"/office{path}?{urlencode(query)}" if query else f"/office{path}", is_file)

    last = day_of(found.day)
    month, middle = last - timedelta(days=30), last - timedelta(days=180)
    noon = (found.day - 180) * 86_400_000
    people = (("a busy player", found.player), ("a seldom one", found.seldom), ("one who paid", found.payer))
    listed = [
        page("overview", "/overview"),
        page("monitoring", "/monitoring"),
        page("control", "/control"),
        page("proposals", "/proposals"),
        page("floor", "/floor"),
        page("talk", "/talk"),
        page("events", "/events"),
        page("users", "/users"),
        page("nodes", "/nodes"),
        page("self-check", "/self-check"),
        page("players", "/players"),
        page("players by name", "/players", name="year-1"),
        page("player", f"/players/{found.player}"),
        page("player's rounds", f"/players/{found.player}/rounds"),
        page("rounds", "/rounds"),
        page("rounds by stake", "/rounds", sort="staked"),
        page("rounds by payment, up", "/rounds", sort="paid", order="up"),
        page("rounds that paid something", "/rounds", least_paid=1),
        page("rounds that paid much", "/rounds", least_paid=100_000),
        page("rounds of a player", "/rounds", player=found.player),
        page("rounds of a table", "/rounds", table=found.live, outcome="won"),
        page("voided rounds", "/rounds", outcome="voided"),
        page("open rounds", "/rounds", outcome="open"),
        page("rounds of a game", "/rounds", game="majority-us"),
        page("rounds of a day", "/rounds", code=found.code[:6], order="up"),
        page("round", f"/rounds/{found.code}/steps"),
        page("record", f"/rounds/{found.code}/record"),
        page("rounds of a figure", "/figures/rounds", game="surrender", currency="EUR"),
        page("rounds of a rare bet", "/figures/rounds", game="link", currency="EUR", bet="insurance"),
        page("movements of a figure", "/figures/movements", currency="EUR", first=middle, last=last),
        page("payments of a figure", "/figures/movements", currency="EUR", payments="true"),
        *(
            page(f"rounds of {who}", "/figures/rounds", currency="EUR", player=player)
            for who, player in people
        ),
        *(
            page(f"payments of {who}", "/figures/movements", currency="EUR", payments="true", player=player)
            for who, player in people
        ),
        *(
            page(f"money held as {held}", "/figures/movements", currency="EUR", held=held, last=last)
            for held in get_args(Held)
        ),
        *(
            page(f"open money of {game}", "/figures/movements", currency="EUR", held="escrow", game=game)
            for game in ("surrender", "majority-eu", "classic-8")
        ),
        page(
            "rounds of a figure, from the middle",
            "/figures/rounds",
            currency="EUR",
            game="link",
            after=f"{noon}-0",
        ),
        page(
            "open money, from the middle",
            "/figures/movements",
            currency="EUR",
            held="escrow",
            game="link",
            after=f"{noon}-0-0-0",
        ),
    ]
    for name in ("performance", "liability", "payments"):
        listed += [
            page(f"{name}, all by {by}", f"/reports/{name}", by=by) for by in ("total", "month", "day")
        ]
    for name in ("changes", "events", "wins", "activity", "exclusions", "signals"):
        listed += [
            page(f"{name}, month", f"/reports/{name}", first=month, last=last),
            page(f"{name}, all", f"/reports/{name}"),
        ]
    for format in ("csv", "xlsx"):
        listed.append(page(f"activity as {format}", "/reports/activity/file", format=format, is_file=True))
        listed.append(
            page(
                f"performance by day as {format}",
                "/reports/performance/file",
                format=format,
                by="day",
                is_file=True,
            )
        )
    return listed


async def measure(url: str, key: Path) -> int:
    """Serve the house and ask for every page; returns how many are slower than the goal."""
    config = Config(server=FREE, office=OfficeConfig(second_factor=False))
    house = House(config, Database(url), SecureShoes(open_vault(key)), SystemClock(), price)
    found = find(house.database)
    runner = await open_port(create_app(house), "127.0.0.1", 0)
    address = f"http://127.0.0.1:{runner.addresses[0][1]}{PREFIX}"
    async with aiohttp.ClientSession() as session:
        headers = await enter(session, address, house)
        print(
            f"{house.database.url.get_backend_name()}, {found.rounds:,} rounds: median and most of {TIMES}, ms"
        )
        slow = 0
        for page in pages(found):
            times = []
            for _ in range(TIMES):
                begun = time.perf_counter()
                async with session.get(address + page.path, headers=headers) as response:
                    body = await response.read()
                times.append(1000 * (time.perf_counter() - begun))
                assert response.status == 200, (page, response.status, body[:300])
            median, most = statistics.median(times), max(times)
            late = median > GOAL_MS and not page.is_file
            slow += late
            print(
                f"  {page.name:36}{median:9.1f}{most:9.1f}{len(body):12,} bytes{'  SLOW' * late}", flush=True
            )
    await runner.cleanup()
    return slow


async def enter(session: aiohttp.ClientSession, address: str, house: House) -> dict[str, str]:
    """Log in as an auditor, who may see everything."""
    new = {
        "name": NAME,
        "password": PASSWORD,
        "born": "1990-12-31",
        "terms": house.config.operator.terms_version,
    }
    async with session.post(f"{address}/register", json=new | {"bearer": True}) as response:
        text = await response.text()
        assert response.status in (200, 409), text
    with house.database.reading() as connection:
        names = schema.players.c
        player = connection.execute(sqlalchemy.select(names.id).where(names.name == NAME)).scalar_one()
    await house.register(lambda register, at: register.give_role(None, player, "auditor", "measures", at))
    login = {"name": NAME, "password": PASSWORD, "bearer": True}
    async with session.post(f"{address}/login", json=login) as response:
        return {"Authorization": f"Bearer {(await response.json())['token']}"}


def main() -> None:
    """Measure one kind of database, or both."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("kind", nargs="?", choices=("sqlite", "postgresql"))
    parser.add_argument("--rounds", type=float, default=2e4)
    parser.add_argument("--database")
    parser.add_argument("--key", type=Path)
    asked = parser.parse_args()
    if asked.database:
        sys.exit(asyncio.run(measure(asked.database, asked.key)))
    slow = 0
    for kind in [asked.kind] if asked.kind else ("sqlite", "postgresql"):
        with tempfile.TemporaryDirectory() as folder, opened(kind, Path(folder)) as fresh:
            key, database = Path(folder) / "year.key", fresh()
            last = day_of(int(time.time() // 86_400))
            url = database.url.render_as_string(hide_password=False)
            database.close()
            begun = time.monotonic()
            generate(url, key, int(asked.rounds), 2_000, last - timedelta(days=365), 365, 2, 1)
            print(f"generated in {time.monotonic() - begun:.0f} s")
            slow += asyncio.run(measure(url, key))
    sys.exit(slow)


if __name__ == "__main__":
    main()
