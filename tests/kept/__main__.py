"""Play at a `sabot serve` of this release and keep its house: `python -m tests.kept`, once for each release.

Every game is played, alone, at live tables and in a studio; operators change something of everything. Then the house is
killed in the middle of rounds, and its backup written to the folder of its version, without compression.
"""

from __future__ import annotations

import asyncio
import gzip
import shutil
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import aiohttp

import sabot
from sabot.client import PlayerClient
from sabot.rounds.audit import audit_house
from sabot.server.office.release import installed_program
from sabot.server.run import SystemClock
from sabot.store.backup import make_backup
from sabot.store.database import Database
from sabot.store.kinds import Role
from sabot.store.register import Register
from sabot.store.store import Store
from tests.faults.serving import process
from tests.kept.house import (
    BACKUP,
    BOXES,
    CODES,
    FOLDER,
    KEY,
    SEATS,
    SETTINGS,
    SOLO,
    STUDIO,
    Person,
    Place,
    last_row,
    vault_of,
)
from tests.kept.play import StudioEvening, deal_alone, play_live, play_on, playing_live
from tests.support.clock import PATIENCE
from tests.support.ledger import count
from tests.support.site import NEWCOMER, Caller
from tests.support.studio import TOKEN, write_codes

#: Rounds of each solo game for each player, and of each live table.
_ROUNDS = 2
_REASON = {"reason": "for the kept house"}
_SETTINGS = f"""\
[server]
port = 0
argon_memory_kib = 8
rate_account = [1000, 0.001]

[office]
second_factor = false
two_people = false

[studio]
codes = "{CODES}"

[[table]]
name = "seats"
game = "freebet"
timers = {{ shuffle = 0.5, betting = 1.5, closing = 0.2, pace = 0.05, insurance = 1, decision = 1.5, payout = 0.5, grace = 60 }}

[[table]]
name = "boxes"
game = "majority-eu"
options = {{ vote_threshold = 2, burn = true }}
timers = {{ shuffle = 0.5, betting = 1.5, closing = 0.2, pace = 0.05, insurance = 1, vote = 1, payout = 0.5, grace = 60 }}

[[table]]
name = "evening"
game = "freebet"
currency = "FUN"
dealing = "studio"
timers = {{ shuffle = 0.5, betting = 1, closing = 0.2, pace = 0.05, decision = 30, payout = 0.5, grace = 60 }}

[[device]]
name = "shoe-1"
table = "evening"
token = "{TOKEN}"
"""


async def main() -> None:
    """Make the folder of this version anew."""
    if installed_program().version != sabot.__version__:  # the house records it
        raise SystemExit(f"sabot is installed as version {installed_program().version}: run make setup first")
    kept = FOLDER / sabot.__version__
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir()
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        (folder / SETTINGS).write_text(_SETTINGS)
        write_codes(folder)
        url = f"sqlite:///{folder / 'sabot.db'}"
        async with AsyncExitStack() as stack:
            address, server = await stack.enter_async_context(process(folder, url))
            http = await stack.enter_async_context(aiohttp.ClientSession())
            await _play(Place(address, http), url, stack)
            server.kill()
            await server.wait()
        for file in (SETTINGS, KEY, CODES):
            shutil.copy(folder / file, kept)
        database = Database(url)
        report = audit_house(database, vault=vault_of(kept))
        assert report.findings == [], report.findings
        make_backup(database, folder / "house.gz", last_row(database))
        (kept / BACKUP).write_bytes(gzip.decompress((folder / "house.gz").read_bytes()))
    print(f"{kept.relative_to(Path.cwd())}: {report.rounds} rounds, {(kept / BACKUP).stat().st_size:,} bytes")


async def _play(place: Place, url: str, stack: AsyncExitStack) -> None:
    """Everything that happens in the house, to the moment at which it is killed."""
    people = {name: await place.come(name, "/register", **NEWCOMER) for name in ("ada", "bob", "eva", "boss")}
    await asyncio.to_thread(_appoint, url, people["eva"].player, "presenter")
    await asyncio.to_thread(_appoint, url, people["boss"].player, "administrator")
    ada, bob, boss = people["ada"], people["bob"], people["boss"]
    for caller in (ada, bob):
        for currency in ("EUR", "FUN"):
            await _done(
                caller, "/cashier/deposit", id=f"first-{currency}", currency=currency, amount=1_000_000
            )
    await _manage(boss, ada, bob)
    clients = {name: await stack.enter_async_context(place.client(people[name])) for name in ("ada", "bob")}
    await asyncio.gather(
        *(_play_alone(client, Random(name)) for name, client in clients.items()),
        *(play_live(place, person, table, _ROUNDS) for person in (ada, bob) for table in (SEATS, BOXES)),
    )
    await _play_in_studio(place, people["eva"], clients["ada"])
    while not await asyncio.to_thread(_is_summed_up, url):
        await asyncio.sleep(0.1)
    for person in (ada, bob):
        await stack.enter_async_context(playing_live(place, person, SEATS, Random(person.player)))
    await _leave_open(clients["ada"])


def _appoint(url: str, player: int, role: Role) -> None:
    """Give a role at the console of the house, as `sabot role` does."""
    database, at = Database(url), SystemClock().wall_ms()
    Register.at_console(Store(database), at).give_role(None, player, role, "hired", at)
    database.close()


def _is_summed_up(url: str) -> bool:
    """Whether the house has summed up rounds, which it does every 20 seconds."""
    database = Database(url)
    is_there = count(database, "return_days") > 0
    database.close()
    return is_there


async def _manage(boss: Person, ada: Person, bob: Person) -> None:
    """What an administrator and the players themselves set."""
    await _done(boss, "/players/ada/vip", vip=1, **_REASON)
    await _done(boss, "/players/bob/golden", id="gift", currency="EUR", value=500, count=4, **_REASON)
    await _done(
        boss, f"/office/players/{ada.player}/adjust", id="one", currency="EUR", amount=1_234, **_REASON
    )
    both = {"minimum": 200, "maximum": 40_000}
    limits = {"name": "standard", "main": both, "side": {"minimum": 100, "maximum": 5_000}}
    change = {"kind": "limits", "game": "surrender", "currency": "EUR", "choices": [limits]}
    await _done(boss, "/office/proposals", change=change, **_REASON)
    assert (await bob.put("/protections", {"loss_day": 900_000})).status == 200
    assert (await ada.put("/settings", {"deal_speed": "fast"})).status == 200


async def _done(caller: Caller, path: str, **body: object) -> None:
    answer = await caller.post(path, body)
    assert answer.status in (200, 204), (path, answer.text)


async def _play_alone(client: PlayerClient, rng: Random) -> None:
    """Some rounds of each solo game; then money goes back to the account."""
    for game in SOLO:
        table = await client.open(game, "EUR")
        await client.sit(table, 20_000)
        for _ in range(_ROUNDS):
            await deal_alone(client, table)
            await play_on(client, table, rng)
        await client.leave(table)


async def _play_in_studio(place: Place, eva: Caller, client: PlayerClient) -> None:
    """A round that a person deals."""
    await client.enter(STUDIO)
    await client.sit(STUDIO, 20_000, 0)
    studio = StudioEvening(eva, Caller(place, TOKEN), client)
    await studio.order("shift")
    await studio.order("change-shoe", label="A")
    await studio.play()


async def _leave_open(client: PlayerClient) -> None:
    """Deal at each solo game until a round is open, and wait for a decision at a live table with seats."""
    for game in SOLO:
        table = await client.open(game, "EUR")
        await client.sit(table, 20_000)
        while client.tables[table].over:
            await deal_alone(client, table)
    await client.enter(SEATS)
    await client.wait_for(lambda: client.tables[SEATS].phase == "decisions", PATIENCE)


if __name__ == "__main__":
    with suppress(KeyboardInterrupt):
        asyncio.run(main())
