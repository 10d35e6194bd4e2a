"""One player through two nodes of one house, which share PostgreSQL and hear nothing of each other (CLU-10)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from unittest.mock import patch

from sabot.client import PlayerClient, RequestError
from sabot.engine.events import TurnStarted
from sabot.errors import Refusal
from sabot.rounds.audit import audit_house
from sabot.server.accounts import player_lock
from sabot.server.accounts.queries import day_of
from sabot.store import advisory
from tests.support.clock import PATIENCE
from tests.support.shoes import StackedShoes
from tests.support.site import Answer, Caller, Site, two_nodes

#: A lock is waited for as long as anything, even on a machine with much to do.
PATIENCE_MS = int(1000 * PATIENCE)
#: A hand of 11 against a 20, which waits for a decision and loses.
ELEVEN = "6 10 5 10 2"


class Player:
    """A player with money, who calls both nodes and has a socket on each."""

    def __init__(self, nodes: tuple[Site, Site], token: str, id: int) -> None:
        self.nodes = nodes
        self.id = id
        self.token = token
        self.callers = [Caller(node, token) for node in nodes]
        self.pages = [PlayerClient(node.url, token) for node in nodes]

    async def limit(self, node: int, **limits: Any) -> None:
        """Set limits on one node."""
        assert (await self.callers[node].put("/protections", limits)).status == 200

    async def sit(self, node: int, game: str) -> str:
        """Sit down on one node with 100.00."""
        table = await self.pages[node].open(game, "EUR")
        await self.pages[node].sit(table, 10_000)
        return table

    def double_at(self, node: int, table: str) -> str | None:
        """Why the hand in turn may not be doubled."""
        events = self.pages[node].tables[table].events
        turn = [event for event in events if isinstance(event, TurnStarted)][-1]
        return {option.action: option.unavailable for option in turn.options}["double"]

    async def lost(self) -> int:
        """What today's rounds cost."""
        house = self.nodes[0].house
        return (await house.read(lambda connection: day_of(connection, self.id, house.clock.wall_ms()))).lost


@asynccontextmanager
async def a_player(url: str, money: int = 50_000, **options: Any) -> AsyncIterator[Player]:
    """A player of a house of two nodes; in the end its books are right."""
    with (
        patch.object(advisory, "PATIENCE_MS", PATIENCE_MS),
        patch.object(player_lock, "PATIENCE_MS", PATIENCE_MS),
    ):
        async with _a_player(url, money, **options) as player:
            yield player


@asynccontextmanager
async def _a_player(url: str, money: int, **options: Any) -> AsyncIterator[Player]:
    async with two_nodes(url, StackedShoes(*[ELEVEN] * 30), **options) as nodes:
        caller = await nodes[0].join("ada")
        if money:
            paid = await caller.post("/cashier/deposit", {"id": "first", "currency": "EUR", "amount": money})
            assert paid.status == 200
        player = Player(nodes, caller.token, await nodes[0].players.named("ada"))
        async with player.pages[0], player.pages[1]:
            yield player
        report = await nodes[0].house.work(lambda: audit_house(nodes[0].database, replay=False))
        assert report.findings == []


async def code_of(asked: Any) -> str:
    """The code with which something was refused; nothing if it was done."""
    try:
        answer = await asked
    except (RequestError, Refusal) as error:
        return error.code
    return answer.code if isinstance(answer, Answer) else ""
