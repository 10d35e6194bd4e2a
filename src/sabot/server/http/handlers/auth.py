"""Registering, logging in and out, and the terms and contacts that come with an account (PLT-01, PLT-62, PLT-63)."""

from sabot.errors import Refusal
from sabot.server.accounts.registration import check_version, terms_of
from sabot.server.http import models
from sabot.server.http.dispatch import Call
from sabot.server.http.middleware import bearer_of, client_of, device_of


async def register(call: Call, form: models.Registering) -> models.Admitted:
    """Register a player and log in."""
    call.rates.registration(client_of(call.request))
    token = await call.players.register(form, device_of(call.request))
    return await _admitted(call, token, bearer=form.bearer)


async def log_in(call: Call, form: models.LoggingIn) -> models.Admitted:
    """Log in."""
    call.rates.login(client_of(call.request), form.name)
    device, to_withdraw = device_of(call.request), form.purpose == "withdraw"
    token = await call.players.log_in(form.name, form.password, device, to_withdraw=to_withdraw)
    return await _admitted(call, token, bearer=form.bearer)


async def demo(call: Call, form: models.Demo) -> models.Admitted:
    """Play with play money, without registering."""
    call.rates.demo(client_of(call.request))
    token = await call.players.demo(device_of(call.request), bot=form.bot)
    return await _admitted(call, token, bearer=form.bearer)


async def change_password(call: Call, form: models.NewPassword) -> models.Admitted:
    """Change the password; every other login ends."""
    call.rates.login(client_of(call.request), call.login.name)
    device = device_of(call.request)
    token = await call.players.change_password(call.login, form.old, form.new, device)
    return await _admitted(call, token, bearer=form.bearer or bool(bearer_of(call.request)))


async def log_out(call: Call) -> None:
    """End this login."""
    await call.players.log_out(call.login.player, call.login.token)
    call.cookie = ""


async def log_out_everywhere(call: Call) -> None:
    """End every login of the player."""
    await call.players.log_out(call.login.player)
    call.cookie = ""


async def _admitted(call: Call, token: str, *, bearer: bool) -> models.Admitted:
    """The player of a new login, with the token in the response or in a cookie."""
    login = await call.players.find(token)
    if login is None:  # ended at once, from elsewhere
        raise Refusal("login/required")
    if not bearer:
        call.cookie = token
    return models.Admitted(login.player, login.name, token if bearer else None)


# Terms and contacts


async def terms(call: Call) -> models.Terms:
    """The terms and conditions in force."""
    operator = call.house.config.operator
    return await call.house.work(lambda: terms_of(operator))


async def accept_terms(call: Call, form: models.AcceptingTerms) -> None:
    """Accept the terms and conditions in force."""
    check_version(call.house.config.operator, form.version)
    await call.players.accept_terms(call.login, form.version)


async def operator(call: Call) -> models.Operator:
    """Contacts of the operator, the help line and the register of self-exclusion; the least age and the terms."""
    found = call.house.config.operator
    return models.Operator(
        assistance=models.Assistance(found.assistance_email, found.assistance_phone, found.assistance_url),
        help_line=models.Contact(found.help_line_name, found.help_line_phone, found.help_line_url),
        register=models.Contact(found.register_name, "", found.register_url),
        least_age=found.least_age,
        terms_version=found.terms_version,
    )
