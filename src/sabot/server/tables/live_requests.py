"""From a request at a live table to what the table does."""

from __future__ import annotations

from sabot.engine import commands
from sabot.engine.commands import Double, Hit, Player, Split, Stand
from sabot.protocol import requests
from sabot.server.tables.commands import unknown
from sabot.store.entry import RequestKey
from sabot.tables.live.seats import Seats
from sabot.tables.live.table import LiveTable


def carry_out(
    live: LiveTable,
    ask: requests.AnyRequest,
    player: Player,
    request: RequestKey,
    golden: dict[int, int] | None,
    at: float,
    most: int | None = None,
) -> None:
    """Carry a request out, or raise why not.

    `golden` are the chips a player who sits down brings; `at` is when the request was read from the socket (ASR-20);
    `most` is what a player's own loss limit lets be staked in the round (ASR-41).
    """
    match ask:
        case requests.Sit(amount=amount, spot=None):
            live.sit(player, amount, request, golden)
        case requests.Sit(amount=amount, spot=int(spot)):
            live.sit_at(player, spot, amount, request, golden)
        case requests.AddMoney(amount=amount):
            live.sittings.add_money(player, amount, request)
        case requests.Leave(spot=None):
            live.leave(player, request)
        case requests.Leave(spot=int(spot)):
            live.leave_seat(player, spot, request)
        case requests.See(number=number):
            live.notices.see(player, number)
        case requests.SendSeed(seed=seed):
            live.shoes.seed(player, seed)
        case requests.PlaceBets(round=code, bets=bets):
            live.play.place_bets(player, code, bets, request, at, most)
        case requests.Consent(double=double, split=split):
            live.play.consent(player, double, split, request)
        case requests.Insure(round=code, turn=turn, accept=accept, spot=spot):
            live.insure(code, turn, commands.Insure(player, accept, spot), request)
        case requests.Act(command=Hit() | Stand() | Double() | Split() as command):
            live.decide(player, ask.round, ask.turn, command, request)
        case requests.Vote(round=code, turn=turn, spot=spot, hand=hand, action=action):
            vote = commands.Vote(spot, hand, player=player, action=action)
            live.vote(code, turn, vote, request)
        case _ if isinstance(live.spots, Seats):
            _at_seats(live, live.spots, ask, player, request, at)
        case _:
            raise unknown(ask)


def _at_seats(
    live: LiveTable,
    seats: Seats,
    ask: requests.AnyRequest,
    player: Player,
    request: RequestKey,
    at: float,
) -> None:
    match ask:
        case requests.StartNow(round=code):
            live.start_now(player, code, request, at)
        case requests.AllowBehind(spot=spot, allowed=allowed):
            seats.allow_behind(player, spot, allowed, request)
        case requests.PreDecide(round=code, spot=spot, action=action):
            seats.decisions.pre_decide(player, code, spot, action)
        case _:
            raise unknown(ask)
