"""The back office: operators' changes to players, rounds and live tables, each with a reason (PLT-60, ASR-33).

An order is checked first, then logged, then carried out: no order is logged in vain.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from functools import partial

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.engine import AnyEvent
from sabot.engine.commands import Player
from sabot.engine.events import BetSettled, Private
from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.rounds.history import Moment
from sabot.rounds.queries import RoundHead, RoundRow, find_round, public_rows, round_rows
from sabot.server.http import models
from sabot.server.http.dispatch import Call
from sabot.server.tables.queries import funds_of
from sabot.store import schema
from sabot.store.kinds import Currency, OrderKind
from sabot.tables.live.table import LiveTable

_EVENTS: msgspec.json.Decoder[tuple[AnyEvent, ...]] = msgspec.json.Decoder(tuple[AnyEvent, ...])

#: The reason that players see for a pause; the operator's own words stay in the house.
_LOOKING = "looking"

#: The time of a row and its events.
_Row = tuple[int, tuple[AnyEvent, ...]]


async def give_role(call: Call, name: models.Name, form: models.GivingRole) -> None:
    """Give a player another role."""
    by, player = call.login.player, await call.players.named(name)
    await call.house.register(lambda register, at: register.give_role(by, player, form.role, form.reason, at))


async def give_vip(call: Call, name: models.Name, form: models.GivingVip) -> None:
    """Give a player another VIP level."""
    by, player = call.login.player, await call.players.named(name)
    await call.house.register(lambda register, at: register.give_vip(by, player, form.vip, form.reason, at))


async def grant_golden(call: Call, name: models.Name, form: models.GrantingGolden) -> None:
    """Grant a player golden chips.

    A player who sits at a table that takes them has them there at once (MAJ-50).
    """
    by, player = call.login.player, await call.players.named(name)
    gift = form.currency, form.value, form.count, form.reason
    await call.house.register(lambda register, at: register.grant_golden(by, player, *gift, at, id=form.id))
    await _bring_granted(call, player, form.currency)


async def _bring_granted(call: Call, player: int, currency: Currency) -> None:
    """Bring golden chips of a player's account to the table where the player sits, for its next round."""
    house = call.house
    async with house.player_locks.turn(player):
        for runtime in list(call.registry.live.values()):
            config = runtime.adapter.base.config
            if config.currency == currency and str(player) in runtime.adapter.base.sittings:
                look = partial(funds_of, store=house.store, config=config, player=player)
                _, chips = await house.read(look)
                await runtime.order(partial(_grant, player=str(player), chips=chips))


def _grant(live: LiveTable, player: Player, chips: dict[int, int]) -> None:
    live.sittings.grant(player, chips)


# Malfunctions


async def void_round(call: Call, code: models.Code, form: models.Order) -> None:
    """Void an open round after a malfunction: every stake goes back (PLT-32)."""
    table = await call.registry.table_of(code)
    await _order(call, "void-round", form.reason, round=code)
    await call.registry.void(table, code)


async def void_table(call: Call, table: models.TableName, form: models.Order) -> None:
    """Void the round of a live table: every stake goes back.

    If the round ends meanwhile, nothing is voided.
    """
    runtime = call.registry.find_live(table)
    code = runtime.table.play.code
    if not runtime.table.table.in_round:
        raise Refusal("round/over")
    await _order(call, "void-round", form.reason, round=code)
    await call.registry.void(runtime.name, code)


async def _order(call: Call, kind: OrderKind, reason: str, **about: object) -> None:
    """Log an order before it is carried out."""
    by = call.login.player
    await call.house.register(lambda register, at: register.order(kind, by, reason, at, **about))


async def pause_table(call: Call, table: models.TableName, form: models.Order) -> None:
    """Pause a live table; its players see that something is being checked (PLT-33)."""
    await _pause(call, "pause-table", table, form.reason)


async def call_supervisor(call: Call, table: models.TableName, form: models.Order) -> None:
    """Call the supervisor to a live table: it is paused, and its players see why (PLT-33)."""
    await _pause(call, "call-supervisor", table, form.reason)


async def _pause(call: Call, kind: OrderKind, table: str, reason: str) -> None:
    runtime = call.registry.find_live(table)
    if runtime.table.table.paused:
        raise Refusal("table/paused")
    await _order(call, kind, reason, table=runtime.name)
    await runtime.order(lambda live: live.pause(_LOOKING))


async def resume_table(call: Call, table: models.TableName, form: models.Order) -> None:
    """Resume a live table."""
    runtime = call.registry.find_live(table)
    if not runtime.table.table.paused:
        raise Refusal("table/not-paused")
    await _order(call, "resume-table", form.reason, table=runtime.name)
    await runtime.order(lambda live: live.resume())


# Chat


async def mute(call: Call, table: models.TableName, form: models.Muting) -> None:
    """Mute a player for some minutes, at any table (PLT-40).

    The name is the one that is shown at this table.
    """
    runtime = call.registry.find_live(table)
    players = runtime.table.attendance.players.items()
    called = [int(player) for player, presence in players if presence.name == form.player]
    player = called[0] if len(called) == 1 else await call.players.named(form.player)
    await _order(call, "mute-player", form.reason, player=player, minutes=form.minutes)
    call.registry.chat.mute(player, form.minutes)


async def unsay(call: Call, table: models.TableName, form: models.Unsaying) -> None:
    """Remove a chat message from every screen of a live table."""
    runtime, chat = call.registry.find_live(table), call.registry.chat
    said = chat.find(runtime.name, form.id)
    about = {"table": runtime.name, "line": said.id, "player": int(said.player)}
    await _order(call, "unsay-line", form.reason, **about)
    chat.unsay(runtime, said.id)


# Search


async def house_round(call: Call, code: models.Code, query: models.HouseRoundQuery) -> models.HouseRound:
    """Any round: what was public, everyone's bets in sum, and a page of single players' parts (PLT-60)."""
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
    rows = [(row.at, _EVENTS.decode(row.events)) for row in _rows(connection, head, player)]
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
        lines=_lines(rows) if head.state == "settled" else (),
        shares=tuple(shares[: query.limit]),
        next=shares[query.limit - 1].player if more else None,
        moments=_moments(rows, head, player),
    )


def _shares(
    connection: Connection, code: str, query: models.HouseRoundQuery, player: int | None
) -> list[models.Share]:
    """A page of players' parts and the first of the next, or one player's."""
    played = schema.played.c
    shares = sqlalchemy.select(played.player, played.staked, played.paid, played.golden).where(
        played.code == code, played.player > query.after if player is None else played.player == player
    )
    return [
        models.Share(*row)
        for row in connection.execute(shares.order_by(played.player).limit(query.limit + 1))
    ]


def _rows(connection: Connection, head: RoundHead, player: int | None) -> Sequence[RoundRow]:
    """The rows of a round; of a live one without the private rows of other players."""
    if not CATALOGUE[head.game].live:
        return round_rows(connection, head.code)
    return public_rows(connection, head.code, player)


def _moments(rows: Iterable[_Row], head: RoundHead, player: int | None) -> tuple[Moment, ...]:
    """What everyone saw, and what one player saw; of a solo round everything."""
    alone = not CATALOGUE[head.game].live

    def shown(event: AnyEvent) -> bool:
        return alone or not isinstance(event, Private) or event.player == str(player)

    moments = (Moment(at, tuple(filter(shown, events)), 0) for at, events in rows)
    return tuple(moment for moment in moments if moment.events)


def _lines(rows: Iterable[_Row]) -> tuple[models.LineSum, ...]:
    """Everyone's bets in sum, by hand, kind and result."""
    sums: dict[tuple[int, int, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for event in (event for _, events in rows for event in events if isinstance(event, BetSettled)):
        line = sums[event.spot, event.hand, event.why, event.result]
        line[0] += 1
        line[1] += event.stake.own
        line[2] += event.paid
    return tuple(models.LineSum(*key, *counts) for key, counts in sorted(sums.items()))
