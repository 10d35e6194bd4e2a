"""The cashier: deposits and withdrawals through the payment provider (PLT-02)."""

from functools import partial
from typing import get_args

from msgspec import Struct
from sqlalchemy import Connection

from sabot.errors import Refusal
from sabot.server.accounts.deposits import begin_deposit, end_deposit, find_deposit
from sabot.server.accounts.limits import standing_of
from sabot.server.accounts.payments import Movements, MovementsQuery, Payment, PaymentError, check_payment
from sabot.server.accounts.payments import movements as _movements
from sabot.server.accounts.queries import answered_before, balances, day_of
from sabot.server.http.dispatch import Call
from sabot.store.cashier import rollback_id
from sabot.store.kinds import Currency


class Balance(Struct, frozen=True):
    """The balance of the account after a payment."""

    currency: Currency
    balance: int


class PaymentLimits(Struct, frozen=True):
    """The least and the most of one payment, and the most of a day (UTC), in any money."""

    least: int
    most: int
    day: int


class CashierPage(Struct, frozen=True):
    """Balances and limits; `deposit_left` is what the player's own limit leaves for today."""

    balances: dict[str, int]
    currencies: tuple[Currency, ...]
    deposit_left: int | None
    deposit: PaymentLimits
    withdraw: PaymentLimits
    #: The page asks for a confirmation from this amount on.
    confirm_from: int


async def cashier(call: Call) -> CashierPage:
    """What can be paid in and out."""
    login, at, limits = call.login, call.house.clock.wall_ms(), call.house.config.cashier

    def read(connection: Connection) -> CashierPage:
        limit = standing_of(connection, login.player, at).value("deposit-day")
        left = None if limit is None else max(0, limit - day_of(connection, login.player, at).deposited)
        currencies: tuple[Currency, ...] = ("FUN",) if login.demo else get_args(Currency)
        return CashierPage(
            balances(connection, login.player),
            currencies,
            left,
            PaymentLimits(*limits.of("deposit")),
            PaymentLimits(*limits.of("withdraw")),
            limits.confirm_from,
        )

    return await call.house.read(read)


async def movements(call: Call, query: MovementsQuery) -> Movements:
    """Deposits and withdrawals of the player, newest first."""
    player = call.login.player
    return await call.house.read(lambda connection: _movements(connection, player, query))


async def deposit(call: Call, form: Payment) -> Balance:
    """Pay money in."""
    login, at = call.login, call.house.clock.wall_ms()
    if login.demo and form.currency != "FUN":
        raise Refusal("cashier/demo", currency=form.currency)

    house, player = call.house, login.player
    async with house.player_locks.turn(player) as turn:
        await turn.widen()
        find = partial(find_deposit, config=house.config, player=player, form=form, at=at)
        found = await house.read(find)
        if found == "new":
            await house.write(partial(begin_deposit, player=player, form=form, at=at))
    if found != "made":  # no lock is held while the provider is waited for
        try:
            await call.provider.pay_in(player, form.currency, form.amount, form.id)
        except PaymentError as error:
            await house.write(partial(end_deposit, player=player, id=form.id))
            raise Refusal("cashier/refused", reason=str(error)) from None
    await house.cashier(lambda cashier: cashier.deposit(player, form.currency, form.amount, form.id, at))
    if found != "made":
        await house.write(partial(end_deposit, player=player, id=form.id))
    return await _balance(call, form.currency)


async def withdraw(call: Call, form: Payment) -> Balance:
    """Pay money out.

    A self-excluded player may (ASR-41). What the provider cannot pay out comes back.
    """
    player, at = call.login.player, call.house.clock.wall_ms()

    def check(connection: Connection) -> None:
        """Refuse a payment that was rolled back, and a new one that is not allowed."""
        if answered_before(connection, player, rollback_id(form.id)):
            raise Refusal("transfer/rolled-back", id=form.id)
        balance = balances(connection, player)[form.currency]
        if form.amount <= balance and not answered_before(connection, player, form.id):
            check_payment(connection, call.house.config.cashier, "withdraw", player, form, balance, at)

    async with call.house.player_locks.turn(player) as turn:
        await turn.widen()
        await call.house.read(check)
        await call.house.cashier(
            lambda cashier: cashier.withdraw(player, form.currency, form.amount, form.id, at)
        )
        turn.narrow()  # other nodes do not wait for the provider
        try:
            await call.provider.pay_out(player, form.currency, form.amount, form.id)
        except PaymentError as error:
            await call.house.cashier(lambda cashier: cashier.rollback(player, form.id, at))
            raise Refusal("cashier/refused", reason=str(error)) from None
    return await _balance(call, form.currency)


async def _balance(call: Call, currency: Currency) -> Balance:
    player = call.login.player
    found = await call.house.read(lambda connection: balances(connection, player))
    return Balance(currency, found[currency])
