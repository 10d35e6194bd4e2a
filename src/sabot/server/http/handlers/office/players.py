"""Operators' changes to players: role, VIP level, golden chips (PLT-60)."""

from typing import Annotated

from msgspec import Meta

from sabot.protocol.fields import PlayerName, RequestId
from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import GiftAnswer, Order, ToldOrder
from sabot.server.office.changes import GoldenGift, RoleChange, VipGift
from sabot.server.office.proposals import Proposal
from sabot.store.kinds import Currency, Role
from sabot.store.register import DEAREST_GOLDEN, MOST_GOLDEN


class GivingRole(Order, frozen=True, kw_only=True):
    """A new role of a player."""

    role: Role


class GivingVip(ToldOrder, frozen=True, kw_only=True):
    """A new VIP level of a player."""

    vip: Annotated[int, Meta(ge=0, le=9)]


class GrantingGolden(ToldOrder, frozen=True, kw_only=True):
    """Golden chips for a player; the same id grants nothing again (MAJ-50, ASR-11)."""

    id: RequestId
    currency: Currency
    value: Annotated[int, Meta(ge=1, le=DEAREST_GOLDEN)]
    count: Annotated[int, Meta(ge=1, le=MOST_GOLDEN)]


async def give_role(call: Call, name: PlayerName, form: GivingRole) -> Proposal:
    """Propose another role of a player; in a house of one it is given at once (OFF-10)."""
    return await call.proposals.propose(call.login, RoleChange(player=name, role=form.role), form.reason)


async def give_vip(call: Call, name: PlayerName, form: GivingVip) -> GiftAnswer:
    """Give a player another VIP level; above what one person may give alone it is a proposal (OFF-17)."""
    gift = VipGift(player=await call.players.named(name), vip=form.vip, public=form.public)
    return GiftAnswer(await call.proposals.give(call.login, gift, form.reason))


async def grant_golden(call: Call, name: PlayerName, form: GrantingGolden) -> GiftAnswer:
    """Grant a player golden chips; above what one person may give alone it is a proposal (OFF-17).

    A player who sits at a table that takes them has them there at once (MAJ-50).
    """
    gift = GoldenGift(
        player=await call.players.named(name),
        currency=form.currency,
        id=form.id,
        value=form.value,
        count=form.count,
        public=form.public,
    )
    return GiftAnswer(await call.proposals.give(call.login, gift, form.reason))
