"""From a question at a live table to what the table does."""

from __future__ import annotations

from sabot.engine.commands import Player
from sabot.protocol import messages
from sabot.server.errors import ServerError
from sabot.server.tables.commands import command_of
from sabot.store.entry import Request
from sabot.tables.live.boxes import BoxTable
from sabot.tables.live.errors import LiveError
from sabot.tables.live.seated import SeatedTable
from sabot.tables.live.table import LiveTable


def carry_out(
    live: LiveTable,
    ask: messages.AnyAsk,
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
        case messages.Sit(amount=amount, spot=None):
            live.sit(player, amount, request, golden)
        case messages.AddMoney(amount=amount):
            live.add_money(player, amount, request)
        case messages.Leave(spot=None):
            live.leave(player, request)
        case messages.See(number=number):
            live.see(player, number)
        case messages.SendSeed(seed=seed):
            live.seed(player, seed)
        case messages.PlaceBets(round=code, bets=bets):
            live.place_bets(player, code, bets, request, at, most)
        case messages.Consent(double=double, split=split):
            live.consent(player, double, split, request)
        case messages.Insure(round=code, turn=turn, accept=accept, spot=spot):
            live.insure(player, code, turn, accept, spot, request)
        case _ if isinstance(live, SeatedTable):
            _at_seats(live, ask, player, request, golden, at)
        case _ if isinstance(live, BoxTable):
            _at_boxes(live, ask, player, request)
        case _:
            raise ServerError("command/unknown", command=type(ask).__name__)


def _at_seats(
    live: SeatedTable,
    ask: messages.AnyAsk,
    player: Player,
    request: Request,
    golden: dict[int, int] | None,
    at: float,
) -> None:
    match ask:
        case messages.Sit(amount=amount, spot=int(spot)):
            live.sit_at(player, spot, amount, request, golden)
        case messages.Leave(spot=int(spot)):
            live.leave_seat(player, spot, request)
        case messages.StartNow(round=code):
            live.start_now(player, code, request, at)
        case messages.AllowBehind(spot=spot, allowed=allowed):
            live.allow_behind(player, spot, allowed, request)
        case messages.PreDecide(round=code, spot=spot, action=action):
            live.pre_decide(player, code, spot, action)
        case messages.Hit() | messages.Stand() | messages.Double() | messages.Split():
            live.decide(player, ask.round, ask.turn, command_of(ask, player), request)
        case _:
            raise ServerError("command/unknown", command=type(ask).__name__)


def _at_boxes(live: BoxTable, ask: messages.AnyAsk, player: Player, request: Request) -> None:
    match ask:
        case messages.Vote(round=code, turn=turn, spot=spot, hand=hand, action=action):
            live.vote(player, code, turn, spot, hand, action, request)
        case messages.Hit() | messages.Stand() | messages.Double() | messages.Split():
            raise LiveError("table/votes")
        case messages.Sit() | messages.Leave():
            raise LiveError("seat/at-boxes")
        case _:
            raise ServerError("command/unknown", command=type(ask).__name__)
