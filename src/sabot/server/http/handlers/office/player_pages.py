"""A player's page: looking, which is logged, and what operators change there (OFF-03, ASR-33)."""

from functools import partial
from typing import Annotated

from msgspec import Meta, Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.protocol.fields import Form, Line, RequestId
from sabot.rounds import history
from sabot.server.accounts import own
from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.history import HistoryQuery
from sabot.server.http.handlers.me import Protections, protections_of
from sabot.server.http.handlers.office.orders import GiftAnswer, Order, ToldOrder
from sabot.server.office.changes import Adjustment
from sabot.server.office.players import (
    FoundPlayers,
    OfficePlayer,
    PlayerNumber,
    PlayersQuery,
    add_note,
    player_page,
    search_players,
)
from sabot.store.kinds import Currency

#: The most that one adjustment moves, in cents.
MOST_ADJUSTED = 10**9


class Noting(Form, frozen=True):
    """A note about a player."""

    line: Line


class Adjusting(ToldOrder, frozen=True, kw_only=True):
    """A correction of a balance, up or down; the same id moves nothing again (ASR-11)."""

    id: RequestId
    currency: Currency
    amount: Annotated[int, Meta(ge=-MOST_ADJUSTED, le=MOST_ADJUSTED)]


class PlayerWithLimits(Struct, frozen=True):
    """A player, and the limits and exclusions that the player has set."""

    player: OfficePlayer
    protections: Protections


class PlayerRounds(Struct, frozen=True):
    """A page of a player's rounds, newest first, and on the first page their sums."""

    lines: tuple[history.Line, ...]
    next: str | None
    totals: tuple[history.Net, ...] | None


async def find_players(call: Call, query: PlayersQuery) -> FoundPlayers:
    """Players by any part of their name, by number, or by a round. The look is logged."""
    found = await call.house.read(partial(search_players, query=query))
    await call.operators.look_at_list(call.login, (one.player for one in found.players), "search")
    return found


async def one_player(call: Call, player: PlayerNumber) -> PlayerWithLimits:
    """One player: where the money is, sittings, logins, limits, notes. The look is logged."""
    await call.operators.look(call.login, player, "player")
    at = call.house.clock.wall_ms()

    def read(connection: Connection) -> PlayerWithLimits:
        return PlayerWithLimits(player_page(connection, player, at), protections_of(connection, player, at))

    return await call.house.read(read)


async def player_rounds(call: Call, player: PlayerNumber, query: HistoryQuery) -> PlayerRounds:
    """A player's rounds, newest first. The look is logged."""
    await call.operators.look(call.login, player, "rounds")
    wanted = history.Filter(query.game, query.currency, query.since, query.until)

    def read(connection: Connection) -> PlayerRounds:
        page = history.history(connection, player, wanted, before=query.before, limit=query.limit)
        sums = history.totals(connection, player, wanted) if query.before is None else None
        return PlayerRounds(page.lines, page.next, sums)

    return await call.house.read(read)


async def lock_player(call: Call, player: PlayerNumber, form: Order) -> None:
    """Lock the account of a player, or of an operator of lower rank: every login ends, and only one to withdraw is left."""
    by = call.login.player
    async with own.deciding_over(call.house, by, player):
        await call.house.register(lambda register, at: register.lock(by, player, True, form.reason, at))
    call.players.changed(player)
    await call.players.log_out(player)
    call.house.events.note("player-locked", "warning", player=player, by=by)


async def unlock_player(call: Call, player: PlayerNumber, form: Order) -> None:
    """Unlock the account of a player, or of an operator of lower rank."""
    by = call.login.player
    async with own.deciding_over(call.house, by, player):
        await call.house.register(lambda register, at: register.lock(by, player, False, form.reason, at))
    call.players.changed(player)
    call.house.events.note("player-unlocked", "info", player=player, by=by)


async def adjust(call: Call, player: PlayerNumber, form: Adjusting) -> GiftAnswer:
    """Correct a player's balance with a transfer from or to the house's account of adjustments.

    Above what one person may give alone it is a proposal (OFF-17).
    """
    if form.amount == 0:
        raise Refusal("transfer/no-amount", amount=form.amount)
    gift = Adjustment(
        player=player, currency=form.currency, id=form.id, amount=form.amount, public=form.public
    )
    return GiftAnswer(await call.proposals.give(call.login, gift, form.reason))


async def note(call: Call, player: PlayerNumber, form: Noting) -> None:
    """Write something down about a player."""
    at, by = call.house.clock.wall_ms(), call.login.player
    await call.operators.look(call.login, player, "notes")
    await call.house.write(lambda connection: add_note(connection, player, by, form.line, at))
