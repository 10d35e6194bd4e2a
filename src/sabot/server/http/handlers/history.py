"""A player's rounds: the history, each of them opened, and its record (PLT-20, PLT-21)."""

from typing import Annotated

from msgspec import Meta, Struct
from sqlalchemy import Connection

from sabot.games import CATALOGUE
from sabot.protocol.fields import Code, GameName, ListQuery, whole
from sabot.record import dumps
from sabot.rounds import history
from sabot.rounds.line_cards import LineWithCards, with_cards
from sabot.server.http.dispatch import Call, Text

Cursor = Annotated[
    str, Meta(min_length=1, max_length=64, pattern=whole("[A-Za-z0-9_-]+", "the cursor of a page"))
]


class HistoryQuery(ListQuery, frozen=True):
    """A page of a history, of a game or of all, before a cursor."""

    before: Cursor | None = None
    game: GameName | None = None


class HistoryPage(Struct, frozen=True):
    """Rounds, newest first, and the notices of the same time (PLT-49); `next` is the `before` of the next page.

    The first page has what all rounds that the query takes came to.
    """

    lines: tuple[LineWithCards, ...]
    next: str | None
    notices: tuple[history.NoticeLine, ...] = ()
    totals: tuple[history.Net, ...] | None = None


async def history_page(call: Call, query: HistoryQuery) -> HistoryPage:
    """The player's rounds, newest first."""
    player = call.login.player

    wanted = history.Filter(query.game, query.currency, query.since, query.until)

    def read(connection: Connection) -> HistoryPage:
        page = history.history(connection, player, wanted, before=query.before, limit=query.limit)
        return HistoryPage(
            with_cards(connection, player, page.lines),
            page.next,
            history.notices(connection, player, page, query.before, wanted),
            history.totals(connection, player, wanted) if query.before is None else None,
        )

    return await call.house.read(read)


async def history_round(call: Call, code: Code) -> history.RoundView:
    """A round of the player, opened."""
    player = call.login.player
    return await call.house.read(lambda connection: history.round_view(connection, code, player))


async def record(call: Call, code: Code) -> Text:
    """The record of a round of the player, as TOML, to be verified offline (PLT-22).

    The whole record of a live round tells what others staked: a player gets the own lines and the tallies.
    """
    player = call.login.player

    def read(connection: Connection) -> str:
        if CATALOGUE[history.round_line(connection, code, player).game].live:
            return dumps(history.own_record(connection, code, player))
        return dumps(history.round_record(connection, code))

    return Text(await call.house.read(read))
