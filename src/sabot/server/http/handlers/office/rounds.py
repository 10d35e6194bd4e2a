"""Rounds: searched, step by step with their proof, and voided after a malfunction (OFF-04, PLT-32)."""

from functools import partial

from sabot.errors import Refusal
from sabot.protocol.fields import Code
from sabot.record import dumps
from sabot.rounds.history import round_record
from sabot.rounds.recovery import ReplayError
from sabot.server.http.dispatch import Call, Text
from sabot.server.http.handlers.office.orders import Order, log_order
from sabot.server.office.round_search import RoundsPage, RoundsQuery, search_rounds
from sabot.server.office.round_steps import RoundSteps, round_steps


async def rounds(call: Call, query: RoundsQuery) -> RoundsPage:
    """Rounds by code, time, table, player, amount and outcome. A search for a player's is logged."""
    await call.operators.look_at_list(call.login, (query.player,), "rounds-search")
    return await call.house.read(partial(search_rounds, query=query))


async def steps(call: Call, code: Code) -> RoundSteps:
    """Every step of a round with who decided it, and its proof."""
    return await call.house.read(partial(round_steps, code=code))


async def record(call: Call, code: Code) -> Text:
    """The record of a round, once its shoe is revealed or, where a person dealt, no longer in use."""
    found = partial(round_record, code=code, afterwards=call.house.vault)
    try:
        return Text(await call.house.read(lambda connection: dumps(found(connection))))
    except ReplayError:
        raise Refusal("round/differs", code=code) from None


async def void_round(call: Call, code: Code, form: Order) -> None:
    """Void an open round after a malfunction: every stake goes back (PLT-32)."""
    table = await call.registry.table_of(code)
    await log_order(call, "void-round", form.reason, round=code)
    await call.registry.void(table, code)
