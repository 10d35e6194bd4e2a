"""Registering, logging in and out, and the terms and contacts that come with an account (PLT-01, PLT-62, PLT-63)."""

from collections.abc import Iterable
from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from sabot.errors import Refusal
from sabot.protocol.fields import Form, Language, Password, PlayerName, TermsVersion
from sabot.server.accounts.registration import Registering, Terms, check_version, terms_of
from sabot.server.config import Config
from sabot.server.http.dispatch import Call
from sabot.server.http.middleware import bearer_of, client_of, device_of
from sabot.server.tables.limits import MaximumWin, maximum_wins
from sabot.texts import Catalogue


class LoggingIn(Form, frozen=True):
    """Name and password; a self-excluded or locked player logs in to withdraw only."""

    name: PlayerName
    password: Password
    bearer: bool = False
    purpose: Literal["play", "withdraw"] = "play"


class Demo(Form, frozen=True):
    """A new player with play money. A bot must say that it is one: others see it, payout reports leave it out."""

    bearer: bool = False
    bot: bool = False


class NewPassword(Form, frozen=True):
    """The old password and the new one; every other login ends."""

    old: Password
    new: Password
    bearer: bool = False


class Admitted(Struct, frozen=True):
    """The player of a new login; the token only if it was requested."""

    player: int
    name: str
    token: str | None = None


async def register(call: Call, form: Registering) -> Admitted:
    """Register a player and log in."""
    await call.rates.registration(client_of(call.request))
    token = await call.players.register(form, device_of(call.request))
    return await _admitted(call, token, bearer=form.bearer)


async def log_in(call: Call, form: LoggingIn) -> Admitted:
    """Log in."""
    device, to_withdraw = device_of(call.request), form.purpose == "withdraw"
    source = await call.players.source_of(form.name, device)
    await call.rates.attempt(source.key)
    token = await call.players.log_in(form.name, form.password, device, source, to_withdraw=to_withdraw)
    return await _admitted(call, token, bearer=form.bearer)


async def demo(call: Call, form: Demo) -> Admitted:
    """Play with play money, without registering."""
    await call.rates.demo(client_of(call.request))
    token = await call.players.demo(device_of(call.request), bot=form.bot)
    return await _admitted(call, token, bearer=form.bearer)


async def change_password(call: Call, form: NewPassword) -> Admitted:
    """Change the password; every other login ends."""
    await call.rates.attempt(call.session_source.key)
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


async def _admitted(call: Call, token: str, *, bearer: bool) -> Admitted:
    """The player of a new login, with the token in the response or in a cookie."""
    login = await call.players.find(token)
    if login is None:  # ended at once, from elsewhere
        raise Refusal("login/required")
    if not bearer:
        call.cookie = token
        if not (login.demo or call.players.asks_factor(login.role)):  # a demo player has no password
            call.device_token = await call.players.remember_device(login.player, device_of(call.request))
    return Admitted(login.player, login.name, token if bearer else None)


# Terms and contacts


class AcceptingTerms(Form, frozen=True):
    """The version of the terms that a player accepts."""

    version: TermsVersion


class Assistance(Struct, frozen=True):
    """Contacts of the operator's support; empty where there is none (PLT-63)."""

    email: str
    phone: str
    url: str


class Contact(Struct, frozen=True):
    """A contact outside the house (PLT-50)."""

    name: str
    phone: str
    url: str


class Operator(Struct, frozen=True):
    """Contacts, the least age, and the version of the terms."""

    assistance: Assistance
    help_line: Contact
    register: Contact
    least_age: int
    terms_version: str


#: The terms that were made last, after the settings that they state.
_KEPT: list[tuple[tuple[object, ...], Terms]] = []


async def terms(call: Call) -> Terms:
    """The terms and conditions in force, with the maximum wins that are set (LNK-08)."""
    config = call.house.config
    stated = (config.operator, config.table, config.limits)
    for settings, made in _KEPT:
        if all(one is other for one, other in zip(settings, stated, strict=True)):
            return made
    made = await call.house.work(lambda: _make_terms(config))
    _KEPT[:] = [(stated, made)]
    return made


def _make_terms(config: Config) -> Terms:
    found, wins = terms_of(config.operator), maximum_wins(config)
    texts = {language: text + max_wins_text(wins, language) for language, text in found.texts.items()}
    return replace(found, texts=texts)


def max_wins_text(wins: Iterable[MaximumWin], language: Language) -> str:
    """Return the paragraph of the terms that states the maximum wins; nothing where none is set."""
    catalogue = Catalogue(language)

    def words(win: MaximumWin) -> str:
        amount = catalogue.amount(win.amount)
        if not win.limits:
            return f"{win.title} {amount}"
        keys = {name: f"limits.{name}" for name in win.limits}
        names = (catalogue.text(key) if key in catalogue else name for name, key in keys.items())
        return catalogue.text("terms.max-win-limits", title=win.title, names=", ".join(names), amount=amount)

    games = "; ".join(map(words, wins))
    if not games:
        return ""
    return f"\n\n# {catalogue.text('terms.max-win')}\n{catalogue.text('terms.max-wins', games=games)}\n"


async def accept_terms(call: Call, form: AcceptingTerms) -> None:
    """Accept the terms and conditions in force."""
    check_version(call.house.config.operator, form.version)
    await call.players.accept_terms(call.login, form.version)


async def operator(call: Call) -> Operator:
    """Contacts of the operator, the help line and the register of self-exclusion; the least age and the terms."""
    found = call.house.config.operator
    return Operator(
        assistance=Assistance(found.assistance_email, found.assistance_phone, found.assistance_url),
        help_line=Contact(found.help_line_name, found.help_line_phone, found.help_line_url),
        register=Contact(found.register_name, "", found.register_url),
        least_age=found.least_age,
        terms_version=found.terms_version,
    )
