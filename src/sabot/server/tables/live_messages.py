"""A live table as it is told: to someone who comes, to one of its players, and to the lobby."""

from __future__ import annotations

from sabot.engine.commands import Player
from sabot.engine.view import player_view, table_view
from sabot.protocol import messages
from sabot.server.tables.outcome import public_outcome
from sabot.tables.live.table import LiveTable
from sabot.tables.live.viewing import live_part, live_view


def live_snapshot(live: LiveTable, title: str, seq: int) -> messages.Snapshot:
    """The table as everyone sees it now."""
    table, round = live.table, live.round
    return messages.Snapshot(
        table=table.config.name,
        epoch=table.stream.epoch,
        seq=seq,
        at=live.now,
        game=table.rules.name,
        currency=table.config.currency,
        commitment=table.shoe.commitment if table.shoe is not None else "",
        options=table.options,
        limits=(),
        round=live.code,
        turn=live.turn,
        view=None if round is None else table_view(round),
        outcome=messages.PublicOutcome() if round is None else public_outcome(round),
        live=live_view(live),
        title=title,
        sitting=table.config.sitting,
        cap=table.config.most_brought,
    )


def live_me(live: LiveTable, player: Player, account: int) -> messages.Me:
    """A player's own part, the money that is elsewhere included."""
    table, round = live.table, live.round
    sitting = table.sittings.get(player)
    in_round = table.plays(player)
    return messages.Me(
        table=table.config.name,
        balance=None if sitting is None else table.balance(player),
        account=account,
        brought=0 if sitting is None else sitting.brought,
        limits="",
        part=player_view(round, player) if in_round and round is not None else None,
        results=messages.Results(tuple(live.play.results.get(player, ())), live.play.paid.get(player)),
        live=live_part(live, player),
    )


def table_head(live: LiveTable, title: str) -> messages.TableHead:
    """The table as the lobby shows it."""
    table = live.table
    rules, limits, side = table.rules, table.options.main, table.options.side
    attendance = live.attendance
    here = [presence.bot for player, presence in attendance.players.items() if attendance.present(player)]
    return messages.TableHead(
        table=table.config.name,
        title=title,
        game=rules.name,
        currency=table.config.currency,
        eu=not rules.hole_card,
        phase=live.phase,
        paused=bool(live.paused),
        taken=len(table.seats),
        seats=rules.spots if rules.backing == "seats" else 0,
        humans=len(here) - sum(here),
        bots=sum(here),
        minimum=limits.minimum,
        maximum=limits.maximum,
        side_minimum=side.minimum,
        side_maximum=side.maximum,
        max_win=table.options.max_win,
        vip=table.config.vip,
    )
