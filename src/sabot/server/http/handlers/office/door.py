"""The door of the back office: an operator's second factor, and the proof of it (OFF-06)."""

from sabot.protocol.fields import Form, Password
from sabot.server.accounts.operators import OfficeAccess
from sabot.server.accounts.second_factor import Enrolment, FactorCode, RecoveryCodes
from sabot.server.http.dispatch import Call
from sabot.server.http.middleware import client_of


class Proving(Form, frozen=True):
    """A code of the second factor, or a recovery code; after idle time the password too."""

    code: FactorCode | None = None
    password: Password | None = None


class OwnPassword(Form, frozen=True):
    """The operator's own password once more."""

    password: Password


class FirstCode(Form, frozen=True):
    """The first code of a new second factor."""

    code: FactorCode


async def access(call: Call) -> OfficeAccess:
    """What this login still needs for the back office."""
    return await call.operators.access(call.login)


async def prove(call: Call, form: Proving) -> None:
    """Prove the second factor of this login, or, after idle time, password and second factor."""
    address = client_of(call.request)
    await call.rates.login(address, call.login.name)
    await call.operators.prove(call.login, form.password, form.code, address)


async def enrol(call: Call, form: OwnPassword) -> Enrolment:
    """Begin to set up a second factor: a new key, to be confirmed with its first code."""
    address = client_of(call.request)
    await call.rates.login(address, call.login.name)
    return await call.operators.begin_enrolment(call.login, form.password, address)


async def confirm(call: Call, form: FirstCode) -> RecoveryCodes:
    """Confirm a new second factor with its first code; the recovery codes are shown this once."""
    address = client_of(call.request)
    await call.rates.login(address, call.login.name)
    return await call.operators.confirm_enrolment(call.login, form.code, address)


async def renew_codes(call: Call, form: OwnPassword) -> RecoveryCodes:
    """New recovery codes in place of the old ones."""
    address = client_of(call.request)
    await call.rates.login(address, call.login.name)
    return await call.operators.renew_recovery_codes(call.login, form.password, address)
