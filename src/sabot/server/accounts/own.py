"""Refuse operators' orders about their own accounts, rounds, tables and money, and about people of the same rank or above.

An operator decides nothing about a round, a table or a balance in which the same person has money, and nothing about the
own account; presenters, supervisors and administrators do not bet at live tables. What was tried is a significant event.
Accounts are locked and unlocked, and people muted, by someone of a higher rank; administrators decide about each other too.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from typing import NoReturn

import sqlalchemy
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.server.accounts.queries import seats
from sabot.server.house import House
from sabot.server.tables.opening import LIVE, SoloName
from sabot.store import schema
from sabot.store.kinds import Role
from sabot.tables.table import Table

#: Who presents or supervises live tables.
AT_TABLES: tuple[Role, ...] = ("presenter", "supervisor", "administrator")


#: Changes that are about no player.
_OF_THE_HOUSE = ("switch", "table", "limits", "office")
#: No player's number: under this lock operators decide about each other's accounts.
_EVERYBODY = 0
#: How high a role stands.
_RANKS: dict[Role, int] = {"player": 0, "auditor": 1, "presenter": 1, "supervisor": 2, "administrator": 3}


def refuse_own(house: House, by: int, *, table: str | None = None, round: str | None = None) -> NoReturn:
    """Refuse what a person does about something of their own, and note it."""
    house.events.note("own-order", "warning", player=by, table=table, round=round)
    raise Refusal("operator/own")


def check_player(house: House, by: int, player: int) -> None:
    """Refuse an order about the own account."""
    if by == player:
        refuse_own(house, by)


def check_table(house: House, by: int, table: Table) -> None:
    """Refuse an order at a table where the operator has money, in bets or beside them."""
    if str(by) in table.sittings:
        refuse_own(house, by, table=table.config.name, round=table.code if table.in_round else None)


def check_bettor(house: House, player: int, role: Role, table: str) -> None:
    """Refuse money and bets of who presents or supervises live tables."""
    if role in AT_TABLES:
        refuse_own(house, player, table=table)


def check_round(house: House, by: int, code: str, table: str) -> None:
    """Refuse an order about a round of the operator's own table."""
    if table.startswith(f"solo/{by}/"):
        refuse_own(house, by, table=table, round=code)


async def check_change(house: House, by: int, subject: str, value: bytes) -> None:
    """Refuse a change of the own account, as `role/7`, and of a table or a game at which the operator has money.

    Nobody gains by closing something for new bets, and whoever sees why may do it at once (OFF-16).
    """
    kind, _, name = subject.partition("/")
    if kind not in _OF_THE_HOUSE:
        check_player(house, by, int(name.partition("/")[0]))
        return
    if kind == "switch" and value == b"false":
        return
    games = {LIVE + section.name: section.game for section in house.config.table}
    for sitting in await house.read(partial(seats, player=by)):
        table = sitting.table
        game = games.get(table, "") if table.startswith(LIVE) else SoloName.parse(table).game
        place = table.removeprefix(LIVE)
        own = {
            f"table/{place}",
            f"switch/table/{place}",
            f"switch/game/{game}",
            f"limits/{game}/{sitting.currency}",
        }
        if subject in own or subject.startswith(f"switch/bet/{game}/"):
            refuse_own(house, by, table=table)


async def check_rank(house: House, by: int, player: int) -> None:
    """Refuse what an operator decides about the account of someone who stands as high; administrators may."""
    await house.read(partial(_check_rank, by=by, player=player))


@asynccontextmanager
async def deciding_over(house: House, by: int, player: int) -> AsyncIterator[None]:
    """Decide about the account of someone who stands below, one decision after the other in the whole house.

    So of two operators who lock each other at once one stays, and there is always one who can unlock.
    """
    async with house.player_locks.turn(_EVERYBODY) as turn:
        await turn.widen()
        await check_rank(house, by, player)
        yield


def _check_rank(connection: Connection, by: int, player: int) -> None:
    profiles = schema.profiles.c
    query = sqlalchemy.select(profiles.player, profiles.role, profiles.locked)
    rows = connection.execute(query.where(profiles.player.in_((by, player))))
    found = {row.player: row for row in rows}
    if found[by].locked:
        raise Refusal("player/locked")
    rank = _RANKS[found[player].role] if player in found else 0
    if found[by].role != "administrator" and rank >= _RANKS[found[by].role]:
        raise Refusal("operator/rank")
