"""Any round by its code, for the back office: what was public, everyone's bets in sum, single players on request (PLT-60).

A live round may have ten thousand players: their parts come in pages, and their private moments one player at a time.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.engine import AnyEvent
from sabot.engine.events import Audience, BetSettled, Private
from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.rounds.history import Moment
from sabot.rounds.queries import RoundHead, RoundRow, find_round, public_rows, round_rows
from sabot.server.http import models
from sabot.server.http.dispatch import Call
from sabot.store import schema

_EVENTS: msgspec.json.Decoder[tuple[AnyEvent, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...])

#: The events of a row, with its moment.
_Told = tuple[int, tuple[AnyEvent, ...]]


async def house_round(call: Call, query: models.HouseRoundQuery) -> models.HouseRound:
    """A round of the house, with the parts that are asked for."""
    code = call.path.code
    player = None if query.player is None else await call.players.named(query.player)
    return await call.house.read(lambda connection: _round(connection, code, query, player))


def _round(
    connection: Connection, code: str, query: models.HouseRoundQuery, player: int | None
) -> models.HouseRound:
    head = find_round(connection, code)
    if head is None:
        raise Refusal("round/unknown", code=code)
    streams, played = schema.streams.c, schema.played.c
    table = connection.execute(sqlalchemy.select(streams.name).where(streams.id == head.stream)).scalar_one()
    sums = sqlalchemy.select(
        sqlalchemy.func.count(), sqlalchemy.func.sum(played.staked), sqlalchemy.func.sum(played.paid)
    )
    players, staked, paid = connection.execute(sums.where(played.code == code)).one()
    shares = _shares(connection, code, query, player)
    more = len(shares) > query.limit
    told = [(row.at, _EVENTS.decode(row.events)) for row in _rows(connection, head, player)]
    return models.HouseRound(
        code=code,
        table=table,
        game=head.game,
        currency=head.currency,
        state=head.state,
        opened_at=head.opened_at,
        closed_at=head.closed_at,
        players=players,
        staked=int(staked or 0),
        paid=int(paid or 0),
        lines=_lines(told) if head.state == "settled" else (),
        shares=tuple(shares[: query.limit]),
        next=shares[query.limit - 1].player if more else None,
        moments=_moments(told, head, player),
    )


def _shares(
    connection: Connection, code: str, query: models.HouseRoundQuery, player: int | None
) -> list[models.Share]:
    """A page of players' parts and the first of the next, or one player's."""
    played = schema.played.c
    asked = sqlalchemy.select(played.player, played.staked, played.paid, played.golden).where(
        played.code == code, played.player > query.after if player is None else played.player == player
    )
    return [
        models.Share(*row) for row in connection.execute(asked.order_by(played.player).limit(query.limit + 1))
    ]


def _rows(connection: Connection, head: RoundHead, player: int | None) -> Sequence[RoundRow]:
    """The rows of a round; what a crowd did each for itself is left out."""
    if not CATALOGUE[head.game].live:
        return round_rows(connection, head.code)
    return public_rows(connection, head.code, player)


def _moments(told: Iterable[_Told], head: RoundHead, player: int | None) -> tuple[Moment, ...]:
    """What everyone saw, and what the player who is asked for saw; a solo round is one player's anyway."""
    alone = not CATALOGUE[head.game].live

    def shown(event: AnyEvent) -> bool:
        own = isinstance(event, Private) and event.player == str(player)
        return alone or own or event.audience is Audience.PUBLIC

    moments = (Moment(at, tuple(filter(shown, events)), 0) for at, events in told)
    return tuple(moment for moment in moments if moment.events)


def _lines(told: Iterable[_Told]) -> tuple[models.LineSum, ...]:
    """Everyone's bets in sum, by hand, kind and result."""
    sums: dict[tuple[int, int, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for event in (event for _, events in told for event in events if isinstance(event, BetSettled)):
        line = sums[event.spot, event.hand, event.why, event.result]
        line[0] += 1
        line[1] += event.stake.own
        line[2] += event.paid
    return tuple(models.LineSum(*key, *counts) for key, counts in sorted(sums.items()))
