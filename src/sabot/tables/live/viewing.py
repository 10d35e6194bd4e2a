"""Making the views of a live table."""

from __future__ import annotations

from msgspec.structs import replace

from sabot.engine.commands import Player
from sabot.tables.live.seated import SeatedTable
from sabot.tables.live.table import LiveTable
from sabot.tables.live.view import LivePart, LiveView, SeatView, ShoeView


def live_view(live: LiveTable) -> LiveView:
    """The table as everyone sees it."""
    table, shoe = live.table, live.table.shoe
    kept = (
        None
        if shoe is None
        else ShoeView(shoe.commitment, shoe.client_seed, len(shoe.seeds), _dealt(live), table.options.cut)
    )
    seats = _seats(live) if isinstance(live, SeatedTable) else ()
    next = table.waiting.commitment if table.waiting is not None else ""
    return LiveView(live.phase, live.until, live.paused, seats, live.count_crowd(), kept, live.timers, next)


def _dealt(live: LiveTable) -> int:
    round = live.round
    return round.shoe.dealt if round is not None and live.table.in_round else live.table.dealt


def _seats(live: SeatedTable) -> tuple[SeatView, ...]:
    round = live.round
    shown = round is not None and round.phase != "betting"
    closed = live.behind_closed() if round is None or shown else round.betting.behind_closed
    return tuple(
        SeatView(
            spot,
            seat.player,
            live.guest(seat.player).name,
            live.streaks.get(spot, 0),
            spot not in closed,
            seat.player in live.started,
            live.bets_of(seat.player) if shown or seat.player in live.started else (),
            live.guest(seat.player).bot,
        )
        for spot, seat in sorted(live.table.seats.items())
    )


def live_part(live: LiveTable, player: Player) -> LivePart:
    """What the player alone sees."""
    round, guest = live.round, live.guests.get(player)
    sitting = live.table.sittings.get(player)
    in_round = live.table.plays(player)
    golden = sitting.golden if sitting is not None else {}
    if in_round and round is not None:
        golden = {value: count for value, count in round.book.purses[player].golden.items() if count}
    part = LivePart(
        seats=(),
        bets=live.bets_of(player),
        consent=guest.consent if guest is not None else None,
        golden=golden,
        leaving=guest is not None and guest.leaving,
        vote=round.ballot.vote_of(player) if in_round and round is not None else None,
        notices=live.notices.get(player, ()),
    )
    if not isinstance(live, SeatedTable):
        return part
    seats = tuple(live.seats_of(player))
    wishes = {spot: wish for spot, wish in live.wishes.items() if spot in seats}
    ahead = {spot: options for spot in seats if (options := live.ahead(spot))}
    return replace(part, seats=seats, started=player in live.started, wishes=wishes, ahead=ahead)
