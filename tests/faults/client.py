"""A player outside the house: goes through a story step by step and never forgets what was answered.

A client outlives the process. After a crash its story is told again from the beginning: steps that were answered give
the answer they gave, and the one under way is asked again under the id it had.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Coroutine
from random import Random

import sqlalchemy

from sabot.engine import AnyCommand, Bet
from sabot.engine.commands import CloseOffers, Deal, PlaceBets
from sabot.errors import Refusal
from sabot.store import schema
from sabot.store.cashier import Cashier
from sabot.store.entry import LogEntry, RequestKey
from sabot.store.kinds import Currency
from sabot.tables.config import TableConfig
from sabot.tables.table import Step, Table
from tests.faults.simulated.house import Asking, House, TryAgainError

#: How often a step is asked before it counts as stuck.
PATIENCE = 40

Story = Callable[["Client"], Coroutine[object, object, None]]
Act = Callable[[Table, RequestKey], Step | LogEntry]
#: There is nothing to do at a table: not now, or not any more.
WAIT, NOTHING = "wait", "nothing"
Choice = Act | str


class StuckError(AssertionError):
    """A client asks and asks and gets no answer."""


class Client:
    """A player, the story the player goes through, and what has come of it."""

    def __init__(self, name: str, seed: int | str, story: Story) -> None:
        self.name = name
        #: For what is chosen once, within a step.
        self.rng = Random(f"client/{name}/{seed}")
        #: For the story itself; it begins again with the story.
        self.whims = Random()
        self._seed = seed
        self.story = story
        self.player = 0
        #: What the player is sure of: money that went in less money that came out, answered.
        self.brought = 0
        #: Ids that were answered with something done.
        self.answered: set[str] = set()
        self.asked: set[str] = set()
        self._house: House | None = None
        self._done: list[str] = []
        self._at = 0
        self._pending: Callable[[str], Awaitable[str]] | None = None

    async def run(self, house: House) -> None:
        """Go through the story, from where the last process left it."""
        self._house, self._at = house, 0
        self.whims = Random(f"story/{self.name}/{self._seed}")
        await self.story(self)

    @property
    def house(self) -> House:
        """The process there is now."""
        assert self._house is not None
        return self._house

    # Steps

    async def step(self, make: Callable[[], Callable[[str], Awaitable[str]]]) -> str:
        """Make a step and ask until it is answered; gives `ok` or the code of the refusal."""
        at, self._at = self._at, self._at + 1
        if at < len(self._done):
            return self._done[at]
        id = f"{self.name}-{at}"
        reason = ""
        for _ in range(PATIENCE):
            try:
                if self._pending is None:
                    self._pending = make()
                answer = await self._pending(id)
            except TryAgainError as error:
                reason = str(error)
                await asyncio.sleep(self.rng.random())
                continue
            self._pending = None
            self._done.append(answer)
            return answer
        raise StuckError(f"{self.name} is stuck at step {at}: {reason}")

    async def pause(self, seconds: float) -> None:
        """Think."""
        await asyncio.sleep(seconds * self.rng.random())

    # The cashier

    async def register(self) -> str:
        """Come to the house; who came already finds the number again."""

        def make() -> Callable[[str], Awaitable[str]]:
            async def register(id: str) -> str:
                def act(cashier: Cashier) -> None:
                    try:
                        self.player = cashier.register(self.name, self._now())
                    except Refusal as error:
                        if error.code != "player/taken":
                            raise
                        self.player = self._number()

                self.house.at_cashier(act)
                return "ok"

            return register

        return await self.step(make)

    def _number(self) -> int:
        query = sqlalchemy.select(schema.players.c.id).where(schema.players.c.name == self.name)
        with self.house.database.reading() as connection:
            return int(connection.execute(query).scalar_one())

    async def deposit(self, amount: int, currency: Currency = "FUN") -> str:
        """Bring money to the house."""
        return await self._money(
            lambda c, id: c.deposit(self.player, currency, amount, id, self._now()), amount
        )

    async def withdraw(self, amount: int, currency: Currency = "FUN") -> str:
        """Take money home."""
        return await self._money(
            lambda c, id: c.withdraw(self.player, currency, amount, id, self._now()), -amount
        )

    async def _money(self, move: Callable[[Cashier, str], None], amount: int) -> str:
        def make() -> Callable[[str], Awaitable[str]]:
            async def act(id: str) -> str:
                self.asked.add(id)
                try:
                    self.house.at_cashier(lambda cashier: move(cashier, id))
                except Refusal as error:
                    return error.code
                self.answered.add(id)
                self.brought += amount
                return "ok"

            return act

        return await self.step(make)

    # Tables

    async def at_table(
        self, config: TableConfig, choose: Callable[[Table], Choice], *, kept: bool = True
    ) -> str:
        """Choose something to do from what the table shows and do it, or say why not.

        `kept` says that the row keeps the id of the request.
        """

        def make() -> Callable[[str], Awaitable[str]]:
            act = choose(self.house.table(config))
            round = _round_of(self.house.table(config))

            async def do(id: str) -> str:
                if isinstance(act, str):
                    return act
                asking = Asking(self.player, id)
                request = RequestKey(self.player, id, hashlib.sha256(f"{config.name} {id}".encode()).digest())
                self.asked.add(id)
                try:
                    await self.house.ask(config, lambda table: act(_same(table, round), request), asking)
                except Refusal as error:
                    return error.code
                if kept:
                    self.answered.add(id)
                return "ok"

            return do

        return await self.step(make)

    async def sit(self, config: TableConfig, amount: int) -> str:
        """Sit down with some money."""
        return await self.at_table(
            config, lambda _: lambda table, request: table.sit(self.player, amount, self._now(), request)
        )

    async def leave(self, config: TableConfig) -> str:
        """Leave with all of it."""
        return await self.at_table(
            config, lambda _: lambda table, request: table.leave(str(self.player), self._now(), request)
        )

    async def add_money(self, config: TableConfig, amount: int) -> str:
        """Bring more."""
        return await self.at_table(
            config,
            lambda _: lambda table, request: table.add_money(str(self.player), amount, self._now(), request),
        )

    async def deal(self, config: TableConfig, bets: tuple[Bet, ...], client_seed: str = "x") -> str:
        """Stake and deal at a solo table."""

        def act(table: Table, request: RequestKey) -> Step:
            return table.deal(self.player, bets, client_seed, self._now(), request)

        return await self.at_table(config, lambda _: act)

    async def void(self, config: TableConfig) -> str:
        """An operator voids the round."""
        return await self.at_table(
            config, lambda _: lambda table, request: table.void("lightning", self._now()), kept=False
        )

    async def move(self, config: TableConfig, *prefer: type[AnyCommand]) -> str:
        """A legal move of the round: one of those preferred if there is one, else any."""

        def choose(table: Table) -> Choice:
            if not table.in_round or table.current is None:
                return NOTHING
            legal = [m for m in table.current.round.legal() if not isinstance(m, Deal | PlaceBets)]
            wanted = [move for move in legal if isinstance(move, prefer)]
            usual = [move for move in legal if not isinstance(move, CloseOffers)]
            return self.command(self.rng.choice(wanted or usual or legal))

        return await self.at_table(config, choose)

    def command(self, command: AnyCommand) -> Act:
        """A command to a round, as something to do at a table."""
        return lambda table, request: table.apply(command, self._now(), request)

    async def play(self, config: TableConfig, *prefer: type[AnyCommand]) -> None:
        """Play the round out."""
        while await self.move(config, *prefer) != NOTHING:
            pass

    def _now(self) -> int:
        return self.house.clock.wall_ms()


def _round_of(table: Table) -> str | None:
    return table.current.code if table.in_round and table.current is not None else None


def _same(table: Table, round: str | None) -> Table:
    """The table, if the round is still the one the client chose for (contract, stale check)."""
    if _round_of(table) != round:
        raise Refusal("round/over")
    return table
