"""Operators' changes to players: role, VIP level, golden chips (PLT-60)."""

from typing import Annotated

from msgspec import Meta

from sabot.protocol.fields import PlayerName, RequestId
from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import Order
from sabot.server.office.changes import RoleChange
from sabot.server.office.proposals import Proposal
from sabot.store.kinds import Currency, Role
from sabot.store.register import DEAREST_GOLDEN, MOST_GOLDEN


class GivingRole(Order, frozen=True, kw_only=True):
    """A new role of a player."""

    role: Role


class GivingVip(Order, frozen=True, kw_only=True):
    """A new VIP level of a player."""

    vip: Annotated[int, Meta(ge=0, le=9)]


class GrantingGolden(Order, frozen=True, kw_only=True):
    """Golden chips for a player; the same id grants nothing again (MAJ-50, ASR-11)."""

    id: RequestId
    currency: Currency
    value: Annotated[int, Meta(ge=1, le=DEAREST_GOLDEN)]
    count: Annotated[int, Meta(ge=1, le=MOST_GOLDEN)]


async def give_role(call: Call, name: PlayerName, form: GivingRole) -> Proposal:
    """Propose another role of a player; in a house of one it is given at once (OFF-10)."""
    return await call.proposals.propose(call.login, RoleChange(player=name, role=form.role), form.reason)


async def give_vip(call: Call, name: PlayerName, form: GivingVip) -> None:
    """Give a player another VIP level."""
    by, player = call.login.player, await call.players.named(name)
    await call.house.register(lambda register, at: register.give_vip(by, player, form.vip, form.reason, at))
    call.players.changed(player)


async def grant_golden(call: Call, name: PlayerName, form: GrantingGolden) -> None:
    """Grant a player golden chips.

    A player who sits at a table that takes them has them there at once (MAJ-50).
    """
    by, player = call.login.player, await call.players.named(name)
    gift = form.currency, form.value, form.count, form.reason
    await call.house.register(lambda register, at: register.grant_golden(by, player, *gift, at, id=form.id))
    await call.changes.bring_granted(player, form.currency)
