"""What players agree to and whom they turn to: the routes of terms, assistance and help (PLT-50, PLT-62, PLT-63)."""

from __future__ import annotations

from sabot.server import forms
from sabot.server.route import Call
from sabot.server.terms import check_version, terms_of


async def terms(call: Call) -> forms.Terms:
    """The terms in force, in both languages."""
    operator = call.house.config.operator
    return await call.house.work(lambda: terms_of(operator))


async def accept(call: Call, form: forms.AcceptingTerms) -> None:
    """The player accepts the terms in force."""
    check_version(call.house.config.operator, form.version)
    await call.people.accept_terms(call.login, form.version)


async def operator(call: Call) -> forms.Operator:
    """Whom players turn to: assistance, the help line, the register of self-exclusion."""
    found = call.house.config.operator
    return forms.Operator(
        assistance=forms.Assistance(found.assistance_email, found.assistance_phone, found.assistance_url),
        help_line=forms.Contact(found.help_line_name, found.help_line_phone, found.help_line_url),
        register=forms.Contact(found.register_name, "", found.register_url),
        least_age=found.least_age,
        terms_version=found.terms_version,
    )
