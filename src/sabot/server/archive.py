"""Rounds that were played: a player's history, records of own rounds, and the back office's view (PLT-20, PLT-21)."""

from __future__ import annotations

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.engine import AnyEvent
from sabot.games import CATALOGUE
from sabot.record import dumps
from sabot.rounds.history import Moment, RoundView, history, round_record, round_view
from sabot.rounds.loading import find_round, round_rows
from sabot.server import forms
from sabot.server.errors import ServerError
from sabot.server.route import Call, Text
from sabot.store import schema
from sabot.store.errors import StoreError

_EVENTS: msgspec.json.Decoder[tuple[AnyEvent, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...])


async def history_page(call: Call, query: forms.HistoryQuery) -> forms.HistoryPage:
    """A page of the player's rounds, newest first."""
    player = call.login.player
    page = await call.house.read(
        lambda connection: history(connection, player, before=query.before, limit=query.limit)
    )
    return forms.HistoryPage(*page)


async def history_round(call: Call) -> RoundView:
    """One of the player's rounds, opened."""
    code, player = call.path.code, call.login.player
    return await call.house.read(lambda connection: round_view(connection, code, player))


async def record(call: Call) -> Text:
    """The record of a finished round of the player's own, to be verified offline (PLT-22)."""
    code, player = call.path.code, call.login.player

    def ask(connection: Connection) -> str:
        game = round_view(connection, code, player).line.game
        if CATALOGUE[game].live:  # a record of a live round tells what others staked
            raise ServerError("record/live", code=code)
        return dumps(round_record(connection, code))

    return Text(await call.house.read(ask))


async def house_round(call: Call) -> forms.HouseRound:
    """Any round, with every player's part, for the back office."""
    code = call.path.code
    return await call.house.read(lambda connection: _house_round(connection, code))


def _house_round(connection: Connection, code: str) -> forms.HouseRound:
    head = find_round(connection, code)
    if head is None:
        raise StoreError("round/unknown", code=code)
    streams, played = schema.streams.c, schema.played.c
    table = connection.execute(sqlalchemy.select(streams.name).where(streams.id == head.stream)).scalar_one()
    query = sqlalchemy.select(played.player, played.staked, played.paid, played.golden).where(
        played.code == code
    )
    moments = (Moment(row.at, _EVENTS.decode(row.events), 0) for row in round_rows(connection, code))
    return forms.HouseRound(
        code=code,
        table=table,
        game=head.game,
        currency=head.currency,
        state=head.state,
        opened_at=head.opened_at,
        closed_at=head.closed_at,
        shares=tuple(forms.Share(*row) for row in connection.execute(query.order_by(played.player))),
        moments=tuple(moment for moment in moments if moment.events),
    )
