"""The door of the back office: an operator's second factor, and the proof of it (OFF-06)."""

from msgspec import Struct

from sabot.protocol.fields import Form, Password
from sabot.server.accounts.operators import OfficeAccess
from sabot.server.accounts.second_factor import Enrolment, FactorCode, RecoveryCodes
from sabot.server.http.dispatch import Call
from sabot.server.http.middleware import bearer_of, device_of, token_of


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


class Proved(Struct, frozen=True):
    """A login that has proved its second factor; its new token, if it is not in a cookie."""

    token: str | None


async def prove(call: Call, form: Proving) -> Proved:
    """Prove the second factor of this login, or, after idle time, password and second factor."""
    login, device = call.login, device_of(call.request)
    source = call.operators.source_of_code(login, await call.players.source_of(login.name, device))
    await call.rates.attempt(source.key)
    token = await call.operators.prove(login, form.password, form.code, token_of(call.request), source)
    return Proved(await _renewed(call, token))


async def enrol(call: Call, form: OwnPassword) -> Enrolment:
    """Begin to set up a second factor: a new key, to be confirmed with its first code."""
    await call.rates.attempt(call.session_source.key)
    return await call.operators.begin_enrolment(call.login, form.password, call.address)


async def confirm(call: Call, form: FirstCode) -> RecoveryCodes:
    """Confirm a new second factor with its first code; the recovery codes are shown this once."""
    await call.rates.attempt(call.session_source.key)
    token = token_of(call.request)
    made, token = await call.operators.confirm_enrolment(call.login, form.code, token, call.address)
    return RecoveryCodes(made.codes, await _renewed(call, token))


async def renew_codes(call: Call, form: OwnPassword) -> RecoveryCodes:
    """New recovery codes in place of the old ones."""
    await call.rates.attempt(call.session_source.key)
    return await call.operators.renew_recovery_codes(call.login, form.password, call.address)


async def _renewed(call: Call, token: str) -> str | None:
    """Give the new token to the browser, which is known from now on; returns it to a client without cookies."""
    if bearer_of(call.request):
        return token
    call.cookie = token
    call.device_token = await call.players.remember_device(call.login.player, device_of(call.request))
    return None
