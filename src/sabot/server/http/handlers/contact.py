"""What players agree to and whom they turn to: the routes of terms, assistance and help (PLT-50, PLT-62, PLT-63)."""

from __future__ import annotations

from sabot.server.accounts.terms import check_version, terms_of
from sabot.server.http import models
from sabot.server.http.dispatch import Call


async def terms(call: Call) -> models.Terms:
    """The terms in force, in both languages."""
    operator = call.house.config.operator
    return await call.house.work(lambda: terms_of(operator))


async def accept(call: Call, form: models.AcceptingTerms) -> None:
    """The player accepts the terms in force."""
    check_version(call.house.config.operator, form.version)
    await call.players.accept_terms(call.login, form.version)


async def operator(call: Call) -> models.Operator:
    """Whom players turn to: assistance, the help line, the register of self-exclusion."""
    found = call.house.config.operator
    return models.Operator(
        assistance=models.Assistance(found.assistance_email, found.assistance_phone, found.assistance_url),
        help_line=models.Contact(found.help_line_name, found.help_line_phone, found.help_line_url),
        register=models.Contact(found.register_name, "", found.register_url),
        least_age=found.least_age,
        terms_version=found.terms_version,
    )
