"""A studio table of a served house: a presenter at the console, a supervisor, a player, and a card-reading shoe."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from hashlib import sha256
from pathlib import Path
from typing import Any

from sabot.cards import decks, format_card
from sabot.client import PlayerClient
from sabot.engine import Bet
from sabot.server.config import DeviceSection, TableSection
from sabot.store.database import Database
from tests.support.hall import Hall, Member, open_hall, until
from tests.support.shoes import StackedShoes
from tests.support.site import Answer, Caller

TABLE = "live/evening"
STUDIO = TableSection(name="evening", game="freebet", currency="FUN", dealing="studio")
TOKEN, OTHER_TOKEN = "token-of-the-reading-shoe-" + "7" * 16, "token-of-another-shoe-" + "8" * 16
DEVICES = (
    DeviceSection(name="shoe-1", table="evening", token=TOKEN),
    DeviceSection(name="shoe-2", table="evening", token=OTHER_TOKEN),
)


def code_of(name: str) -> str:
    """The code of a card, `cut` for the cut card: it says nothing about it."""
    return sha256(f"code of {name.lower()}".encode()).hexdigest()[:12]


def write_codes(folder: Path) -> str:
    """The file of a code table, with a code for each card and the cut card."""
    names = [*map(format_card, decks(1)), "cut"]
    file = folder / "codes.toml"
    file.write_text("".join(f'{code_of(name)} = "{name}"\n' for name in names))
    return str(file)


class StudioTable:
    """The people at a studio table; the shoe counts its readings by itself."""

    def __init__(self, hall: Hall, eva: Member, boss: Member, ada: Member, shoe: Caller) -> None:
        self.hall = hall
        self.eva, self.boss, self.ada, self.shoe = eva, boss, ada, shoe
        self.socket: PlayerClient
        self.number = 0

    async def console(self) -> dict[str, Any]:
        """What the presenter sees."""
        answer = await self.eva.get("/studio/evening")
        assert answer.status == 200, answer.text
        return dict(answer.body)

    async def order(self, type: str, by: Caller | None = None, **about: object) -> Answer:
        """An order of the presenter, or of someone else."""
        return await (by or self.eva).post("/studio/evening/orders", {"type": type, **about})

    async def do(self, type: str, by: Caller | None = None, **about: object) -> dict[str, Any]:
        """An order that is carried out; gives the console after it."""
        answer = await self.order(type, by, **about)
        assert answer.status == 200, answer.text
        return dict(answer.body)

    async def read(self, card: str, number: int | None = None, shoe: Caller | None = None) -> Answer:
        """The shoe reads a card."""
        if number is None:
            self.number += 1
        body = {"scan": number or self.number, "code": code_of(card)}
        return await (shoe or self.shoe).post("/studio/evening/scans", body)

    async def deal(self, cards: str) -> None:
        """The shoe reads cards that are taken."""
        for card in cards.split():
            answer = await self.read(card)
            assert answer.status == 200, (card, answer.text)

    async def open_betting(self) -> None:
        """The presenter comes, with a shoe, and opens the betting; the player sits at the first seat and bets 10.00."""
        await self.do("shift")
        await self.do("change-shoe", label="A")
        self.socket = await self.hall.at(self.ada, TABLE, spot=0)
        await self.bet()

    async def bet(self) -> None:
        """Betting is opened, and the player bets 10.00."""
        await self.do("open-betting")
        await self.hall.heard(TABLE)
        await self.socket.bet(TABLE, [Bet(0, "main", 1_000)])

    async def begin(self) -> None:
        """The first card is due."""
        await self.open_betting()
        await self.hall.until(TABLE, "dealing")

    async def read_back(self) -> None:
        """The table is lost, and read back from the log."""
        desk = self.hall.desk(TABLE)
        desk.throw_away("unit/lost")
        await until(lambda: not desk.broken)

    async def stand(self) -> None:
        """The player stands."""
        await self.socket.decide(TABLE, "stand")

    async def finish(self) -> None:
        """19 against 7 and 10: the player wins."""
        await self.deal("10s 7s 9s 10h")
        await self.stand()
        await self.deal("10h")
        await self.do("pay")


@asynccontextmanager
async def studio_table(
    database: Database, folder: Path, *others: TableSection, **options: Any
) -> AsyncIterator[StudioTable]:
    """A house with a studio table, and the people there."""
    codes = write_codes(folder)
    async with open_hall(
        database, StackedShoes(), STUDIO, *others, devices=DEVICES, codes=codes, **options
    ) as hall:
        eva, boss = await hall.member("eva", "presenter"), await hall.member("boss", "supervisor")
        ada = await hall.member("ada")
        yield StudioTable(hall, eva, boss, ada, Caller(hall, TOKEN))
