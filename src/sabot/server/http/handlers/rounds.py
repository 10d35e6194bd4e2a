"""Any round by its code, for the back office (PLT-60)."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Annotated

import sqlalchemy
from msgspec import Meta, Struct
from sqlalchemy import Connection

from sabot.engine import AnyEvent
from sabot.engine.events import BetSettled, Private
from sabot.errors import Refusal
from sabot.games import CATALOGUE
from sabot.protocol.fields import Code, Form, PageSize, PlayerName
from sabot.rounds.history import Moment
from sabot.rounds.queries import RoundHead, find_round, public_rows, round_rows, stakes_of
from sabot.server.http.dispatch import Call
from sabot.store import schema
from sabot.store.register import VoidedBy, voidings


class HouseRoundQuery(Form, frozen=True):
    """One player's part by name, or a page of everyone's, after a player's number."""

    player: PlayerName | None = None
    after: Annotated[int, Meta(ge=0, le=2**53 - 1)] = 0
    limit: PageSize = 50


class Share(Struct, frozen=True):
    """What a player staked and was paid in a round."""

    player: int
    staked: int
    paid: int
    golden: bool


class LineSum(Struct, frozen=True):
    """Everyone's bets of one kind on one hand with one result, in sum."""

    spot: int
    hand: int
    why: str
    result: str
    bets: int
    staked: int
    paid: int


class HouseRound(Struct, frozen=True):
    """A round as the back office sees it (PLT-60)."""

    code: str
    table: str
    game: str
    currency: str
    state: str
    opened_at: int
    closed_at: int | None
    #: Which operator voided it, and why.
    voided: VoidedBy | None
    #: How many players had a bet, and what they staked and were paid in sum.
    players: int
    staked: int
    paid: int
    lines: tuple[LineSum, ...]
    #: A page of players' parts; `next` is the `after` of the next page.
    shares: tuple[Share, ...]
    next: int | None
    #: Public events; private ones of a solo round and of the requested player.
    moments: tuple[Moment, ...]
    #: The row of the log that each moment is of: its `n` among the steps.
    rows: tuple[int, ...]


async def house_round(call: Call, code: Code, query: HouseRoundQuery) -> HouseRound:
    """Any round: what was public, everyone's bets in sum, and a page of single players' parts (PLT-60)."""
    player = None if query.player is None else await call.players.named(query.player)
    if player is not None:
        await call.operators.look(call.login, player, "round")
    return await call.house.read(lambda connection: _round(connection, code, query, player))


def _round(connection: Connection, code: str, query: HouseRoundQuery, player: int | None) -> HouseRound:
    head = find_round(connection, code)
    if head is None:
        raise Refusal("round/unknown", code=code)
    streams = schema.streams.c
    table = connection.execute(sqlalchemy.select(streams.name).where(streams.id == head.stream)).scalar_one()
    stakes: dict[int, int] = {}
    ends: dict[str, int] = {}
    if head.state != "settled":
        stakes = stakes_of(connection, {code: head.state})[code]
        ends = {code: head.closed_at} if head.closed_at is not None else {}
    shares = _shares(connection, head, query, player, stakes)
    more = len(shares) > query.limit
    live = CATALOGUE[head.game].live
    rows = public_rows(connection, code, player) if live else round_rows(connection, code)
    found = [(row.n, row.at, row.decoded_events) for row in rows]

    def shown(event: AnyEvent) -> bool:
        """Whether everyone saw an event, or the player; of a solo round everything is shown."""
        return not live or not isinstance(event, Private) or event.player == str(player)

    moments = [(n, Moment(at, tuple(filter(shown, events)), 0)) for n, at, events in found]
    moments = [(n, moment) for n, moment in moments if moment.events]
    settled = [event for *_, events in found for event in events if isinstance(event, BetSettled)]
    return HouseRound(
        code=code,
        table=table,
        game=head.game,
        currency=head.currency,
        state=head.state,
        opened_at=head.opened_at,
        closed_at=head.closed_at,
        voided=voidings(connection, ends).get(code),
        players=max(head.players, len(stakes)),
        staked=head.staked or sum(stakes.values()),
        paid=head.paid,
        lines=_lines(settled) if head.state == "settled" else (),
        shares=tuple(shares[: query.limit]),
        next=shares[query.limit - 1].player if more else None,
        moments=tuple(moment for _, moment in moments),
        rows=tuple(n for n, _ in moments),
    )


def _shares(
    connection: Connection,
    head: RoundHead,
    query: HouseRoundQuery,
    player: int | None,
    stakes: Mapping[int, int],
) -> list[Share]:
    """Return a page of the players' parts and the first of the next page, or one player's part. A round that is not settled takes `stakes`."""
    if head.state == "open":
        found = [
            each for each in sorted(stakes) if (each > query.after if player is None else each == player)
        ]
        return [Share(each, stakes[each], 0, False) for each in found[: query.limit + 1]]
    played = schema.played.c
    shares = sqlalchemy.select(played.player, played.staked, played.paid, played.golden).where(
        played.code == head.code, played.player > query.after if player is None else played.player == player
    )
    rows = connection.execute(shares.order_by(played.player).limit(query.limit + 1))
    return [Share(each, stakes.get(each, staked), paid, golden) for each, staked, paid, golden in rows]


def _lines(settled: Iterable[BetSettled]) -> tuple[LineSum, ...]:
    """Everyone's bets in sum, by hand, kind and result."""
    sums: dict[tuple[int, int, str, str], list[int]] = defaultdict(lambda: [0, 0, 0])
    for event in settled:
        line = sums[event.spot, event.hand, event.why, event.result]
        line[0] += 1
        line[1] += event.stake.own
        line[2] += event.paid
    return tuple(LineSum(*key, *counts) for key, counts in sorted(sums.items()))
