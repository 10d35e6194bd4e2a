"""Making the views of a live table."""

from __future__ import annotations

from msgspec.structs import replace

from sabot.engine.commands import Player
from sabot.tables.live.seats import Seats
from sabot.tables.live.table import LiveTable
from sabot.tables.live.view import LivePart, LiveView, SeatView, ShoeView


def live_view(live: LiveTable) -> LiveView:
    """The table as everyone sees it."""
    table, round, shoe, kept = live.table, live.round, live.table.shoes.shoe, None
    if shoe is not None:
        dealt = round.shoe.dealt if round is not None and table.in_round else table.shoes.dealt
        kept = ShoeView(shoe.commitment, shoe.client_seed, len(shoe.seeds), dealt)
    seats = _seats(live, live.spots) if isinstance(live.spots, Seats) else ()
    waiting = table.shoes.waiting
    next = waiting.commitment if waiting is not None else ""
    until, crowd = live.phases.until, live.spots.count()
    return LiveView(live.phase, until, live.paused, seats, crowd, kept, live.timers, next)


def _seats(live: LiveTable, seats: Seats) -> tuple[SeatView, ...]:
    round = live.round
    shown = round is not None and round.phase != "betting"
    closed_next = seats.closed_behind()
    closed = closed_next if round is None or shown else round.betting.behind_closed
    views = []
    for spot, (_, player) in sorted(live.table.seats.items()):
        presence, started = live.attendance.of(player), player in seats.started
        bets = live.play.bets_of(player) if shown or started else ()
        name, streak, bot = presence.name, seats.streaks.get(spot, 0), presence.bot
        behind, behind_next = spot not in closed, spot not in closed_next
        views.append(SeatView(spot, player, name, streak, behind, started, bets, bot, behind_next))
    return tuple(views)


def live_part(live: LiveTable, player: Player) -> LivePart:
    """What the player alone sees."""
    round, presence = live.round, live.attendance.players.get(player)
    sitting = live.table.sittings.get(player)
    golden, vote = sitting.golden if sitting is not None else {}, None
    if round is not None and live.table.plays(player):
        golden = {value: count for value, count in round.book.purses[player].golden.items() if count}
        vote = round.ballot.vote_of(player)
    part = LivePart(
        seats=(),
        bets=live.play.bets_of(player),
        consent=presence.consent if presence is not None else None,
        golden=golden,
        leaving=presence is not None and presence.leaving,
        vote=vote,
        notices=live.notices.of(player),
    )
    if not isinstance(live.spots, Seats):
        return part
    seats, decisions = tuple(live.spots.held(player)), live.spots.decisions
    wishes = {spot: wish for spot, wish in decisions.wishes.items() if spot in seats}
    ahead = {spot: options for spot in seats if (options := decisions.ahead(spot))}
    return replace(part, seats=seats, started=player in live.spots.started, wishes=wishes, ahead=ahead)
