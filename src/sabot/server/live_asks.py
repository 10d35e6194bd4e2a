"""From a question at a live table to what the table does."""

from __future__ import annotations

from sabot.engine.commands import Player
from sabot.live.boxes import BoxTable
from sabot.live.errors import LiveError
from sabot.live.seated import SeatedTable
from sabot.live.table import LiveTable
from sabot.server import wire
from sabot.server.commands import command_of
from sabot.server.errors import ServerError
from sabot.store.unit import Request


def carry_out(
    live: LiveTable,
    ask: wire.AnyAsk,
    player: Player,
    request: Request,
    golden: dict[int, int] | None,
    at: float,
    most: int | None = None,
) -> None:
    """Carry a request out, or raise why not.

    `golden` are the chips a player who sits down brings; `at` is when the request was read from the socket (ASR-20);
    `most` is what a player's own loss limit lets be staked in the round (ASR-41).
    """
    match ask:
        case wire.Sit(amount=amount, spot=None):
            live.sit(player, amount, request, golden)
        case wire.AddMoney(amount=amount):
            live.add_money(player, amount, request)
        case wire.Leave(spot=None):
            live.leave(player, request)
        case wire.See(number=number):
            live.see(player, number)
        case wire.SendSeed(seed=seed):
            live.seed(player, seed)
        case wire.PlaceBets(round=code, bets=bets):
            live.place_bets(player, code, bets, request, at, most)
        case wire.Consent(double=double, split=split):
            live.consent(player, double, split, request)
        case wire.Insure(round=code, turn=turn, accept=accept, spot=spot):
            live.insure(player, code, turn, accept, spot, request)
        case _ if isinstance(live, SeatedTable):
            _at_seats(live, ask, player, request, golden, at)
        case _ if isinstance(live, BoxTable):
            _at_boxes(live, ask, player, request)
        case _:
            raise ServerError("command/unknown", command=type(ask).__name__)


def _at_seats(
    live: SeatedTable,
    ask: wire.AnyAsk,
    player: Player,
    request: Request,
    golden: dict[int, int] | None,
    at: float,
) -> None:
    match ask:
        case wire.Sit(amount=amount, spot=int(spot)):
            live.sit_at(player, spot, amount, request, golden)
        case wire.Leave(spot=int(spot)):
            live.leave_seat(player, spot, request)
        case wire.StartNow(round=code):
            live.start_now(player, code, request, at)
        case wire.AllowBehind(spot=spot, allowed=allowed):
            live.allow_behind(player, spot, allowed, request)
        case wire.PreDecide(round=code, spot=spot, action=action):
            live.pre_decide(player, code, spot, action)
        case wire.Hit() | wire.Stand() | wire.Double() | wire.Split():
            live.decide(player, ask.round, ask.turn, command_of(ask, player), request)
        case _:
            raise ServerError("command/unknown", command=type(ask).__name__)


def _at_boxes(live: BoxTable, ask: wire.AnyAsk, player: Player, request: Request) -> None:
    match ask:
        case wire.Vote(round=code, turn=turn, spot=spot, hand=hand, action=action):
            live.vote(player, code, turn, spot, hand, action, request)
        case wire.Hit() | wire.Stand() | wire.Double() | wire.Split():
            raise LiveError("table/votes")
        case wire.Sit() | wire.Leave():
            raise LiveError("seat/at-boxes")
        case _:
            raise ServerError("command/unknown", command=type(ask).__name__)
