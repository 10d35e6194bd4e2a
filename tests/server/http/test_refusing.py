"""What nobody expected: a code for the caller, a line in the log, and no secret in either (ASR-32)."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
import sqlalchemy.exc
from aiohttp import web
from aiohttp.test_utils import make_mocked_request
from structlog.testing import capture_logs

from sabot.errors import REFUSALS, Refusal
from sabot.server.http.routes import ROUTES
from sabot.server.refusals import refusing
from sabot.store.kinds import Currency
from tests.support.site import PASSWORD, Site

SECRET = "the provider's key"


class Broken:
    """A provider that fails in a way of its own."""

    def __init__(self, error: Exception) -> None:
        self._error = error

    async def pay_in(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Fail."""
        raise self._error

    async def pay_out(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Fail."""
        raise self._error


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (RuntimeError(SECRET), 500, "house/error"),
        (AssertionError(SECRET), 500, "house/error"),
        (ConnectionResetError(SECRET), 500, "house/error"),  # of the provider's line, not of the caller's
        (sqlalchemy.exc.OperationalError(SECRET, (SECRET,), RuntimeError(SECRET)), 503, "house/down"),
    ],
)
async def test_an_error_of_any_kind(error: Exception, status: int, code: str, file_url: str) -> None:
    async with Site(file_url, provider=Broken(error)) as site:
        ada = await site.join("ada")
        with capture_logs() as lines:
            answer = await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 100})
        assert (answer.status, answer.code, answer.body["error"]["params"]) == (status, code, {})
        (line,) = lines
        assert (line["route"], line["error"]) == ("/api/v1/cashier/deposit", type(error).__name__)
        # That the database is away is to be expected: it is told without the places of the code.
        assert any("pay_in" in place for place in line.get("where", ())) == (status == 500)
        for secret in (SECRET, ada.token, PASSWORD):
            assert secret not in str(line)
            assert secret not in answer.text
        assert (await ada.get("/me")).status == 200


async def test_a_caller_who_is_gone_is_no_failure_of_the_house() -> None:
    async def gone(request: web.Request) -> web.StreamResponse:
        raise ConnectionResetError("Cannot write to closing transport")

    transport = Mock()
    transport.is_closing.return_value = True
    request = make_mocked_request("GET", "/api/v1/socket", transport=transport)
    with capture_logs() as lines:
        (await refusing(request, gone))
    assert lines == []


def test_every_code_of_a_route_is_in_the_registry() -> None:
    for route in ROUTES:
        assert set(route.refusals) <= REFUSALS.keys(), route.path


def test_a_refusal_is_told_in_english() -> None:
    error = Refusal("protection/loss-limit", limit=10_000, left=50)
    assert str(error) == "Your loss limit is 100.00 a day: you can still stake 0.50 today"
