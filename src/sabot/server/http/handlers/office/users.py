"""The operators of a house: who has which role, second factors taken away, accounts unlocked (OFF-06)."""

from msgspec import Struct

from sabot.protocol.fields import PlayerName
from sabot.server.accounts.operators import OfficeUser
from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import Order


class OfficeUsers(Struct, frozen=True):
    """The operators, by name."""

    users: tuple[OfficeUser, ...]


async def users(call: Call) -> OfficeUsers:
    """Every operator: role, second factor, lock, last use."""
    return OfficeUsers(await call.operators.users())


async def reset_factor(call: Call, name: PlayerName, form: Order) -> None:
    """Take an operator's second factor away; the operator enrols again at the next login."""
    await call.operators.reset_factor(call.login, await call.players.named(name), form.reason)


async def unlock(call: Call, name: PlayerName, form: Order) -> None:
    """Unlock the account of an operator or a player after failed attempts."""
    await call.operators.unlock(call.login, await call.players.named(name), form.reason)
