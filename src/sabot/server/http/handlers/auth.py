"""Coming in and going: the routes of registering, logging in and out."""

from __future__ import annotations

from aiohttp import web

from sabot.errors import Refusal
from sabot.server.http import models
from sabot.server.http.dispatch import Call, json_response
from sabot.server.http.middleware import bearer_of, device_of, give_cookie, take_cookie

_HOUR = 3_600


async def register(call: Call, form: models.Registering) -> web.Response:
    """A new player comes in."""
    call.rates.registration(call.address)
    token = await call.players.register(form, device_of(call.request))
    return await _admitted(call, token, bearer=form.bearer)


async def log_in(call: Call, form: models.LoggingIn) -> web.Response:
    """A player comes back."""
    call.rates.login(call.address, form.name)
    device, to_withdraw = device_of(call.request), form.purpose == "withdraw"
    token = await call.players.log_in(form.name, form.password, device, to_withdraw=to_withdraw)
    return await _admitted(call, token, bearer=form.bearer)


async def demo(call: Call, form: models.Demo) -> web.Response:
    """A demo player comes in (PLT-01)."""
    call.rates.demo(call.address)
    token = await call.players.demo(device_of(call.request), bot=form.bot)
    return await _admitted(call, token, bearer=form.bearer)


async def change_password(call: Call, form: models.NewPassword) -> web.Response:
    """A new password; the answer brings a new login, every other one ends."""
    call.rates.login(call.address, call.login.name)
    device = device_of(call.request)
    token = await call.players.change_password(call.login, form.old, form.new, device)
    return await _admitted(call, token, bearer=form.bearer or bool(bearer_of(call.request)))


async def log_out(call: Call) -> web.Response:
    """End this login."""
    await call.players.log_out(call.login)
    return _gone(call)


async def log_out_everywhere(call: Call) -> web.Response:
    """End every login of the player."""
    await call.players.log_out_everywhere(call.login.player)
    return _gone(call)


async def _admitted(call: Call, token: str, *, bearer: bool) -> web.Response:
    """Who came in, with the token in the answer or in a cookie."""
    login = await call.players.find(token)
    if login is None:  # ended at once, from elsewhere
        raise Refusal("login/required")
    response = json_response(models.Admitted(login.player, login.name, token if bearer else None))
    if not bearer:
        seconds = call.house.config.server.login_hours * _HOUR
        give_cookie(response, token, secure=call.policy.secure, seconds=seconds)
    return response


def _gone(call: Call) -> web.Response:
    response = web.Response(status=204)
    take_cookie(response, secure=call.policy.secure)
    return response
