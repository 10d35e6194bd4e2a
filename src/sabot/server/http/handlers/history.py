"""A player's rounds: the history, each of them opened, and its record (PLT-20, PLT-21)."""

from sqlalchemy import Connection

from sabot.games import CATALOGUE
from sabot.record import dumps
from sabot.rounds.history import (
    Filter,
    RoundView,
    history,
    notices,
    own_record,
    round_line,
    round_record,
    round_view,
    totals,
)
from sabot.rounds.line_cards import with_cards
from sabot.server.http import models
from sabot.server.http.dispatch import Call, Text


async def history_page(call: Call, query: models.HistoryQuery) -> models.HistoryPage:
    """The player's rounds, newest first."""
    player = call.login.player

    wanted = Filter(query.game, query.currency, query.since, query.until)

    def read(connection: Connection) -> models.HistoryPage:
        page = history(connection, player, wanted, before=query.before, limit=query.limit)
        return models.HistoryPage(
            with_cards(connection, player, page.lines),
            page.next,
            notices(connection, player, page, query.before, wanted),
            totals(connection, player, wanted) if query.before is None else None,
        )

    return await call.house.read(read)


async def history_round(call: Call, code: models.Code) -> RoundView:
    """A round of the player, opened."""
    player = call.login.player
    return await call.house.read(lambda connection: round_view(connection, code, player))


async def record(call: Call, code: models.Code) -> Text:
    """The record of a round of the player, as TOML, to be verified offline (PLT-22).

    The whole record of a live round tells what others staked: a player gets the own lines and the tallies.
    """
    player = call.login.player

    def read(connection: Connection) -> str:
        if CATALOGUE[round_line(connection, code, player).game].live:
            return dumps(own_record(connection, code, player))
        return dumps(round_record(connection, code))

    return Text(await call.house.read(read))
