"""Deposits and withdrawals: to the cent, once for each id, and with a provider that does not always agree."""

from __future__ import annotations

import asyncio

import pytest

from sabot.rounds.audit import audit_house
from sabot.server.provider import PaymentError
from sabot.store.facts import Currency
from tests.rounds.house import VAULT
from tests.server.site import Site, on_site


class Reluctant:
    """A provider that agrees below 100.00 only, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, int, str]] = []

    async def pay_in(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Take money below 100.00."""
        self._agree("in", amount, id)

    async def pay_out(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Pay money below 100.00."""
        self._agree("out", amount, id)

    def _agree(self, way: str, amount: int, id: str) -> None:
        self.asked.append((way, amount, id))
        if amount >= 10_000:
            raise PaymentError("no more than 99.99")


def test_money_comes_and_goes(database_url: str) -> None:
    async def act(site: Site) -> None:
        ada = await site.join("ada")
        payment = {"id": "a", "currency": "EUR", "amount": 1_000}
        for _ in range(2):  # the same id moves nothing again
            assert (await ada.post("/cashier/deposit", payment)).body == {"currency": "EUR", "balance": 1_000}
        reused = await ada.post("/cashier/deposit", payment | {"amount": 1_001})
        assert (reused.status, reused.code) == (409, "command/reused")
        poor = await ada.post("/cashier/withdraw", payment | {"id": "b", "amount": 1_001})
        assert (poor.status, poor.code) == (409, "funds/insufficient")
        assert poor.body["error"]["params"] == {"cost": 1_001, "balance": 1_000}
        assert (await ada.post("/cashier/withdraw", payment | {"id": "b", "amount": 400})).body[
            "balance"
        ] == 600
        assert (await ada.get("/me")).body["balances"] == {"EUR": 600, "FUN": 0}
        assert audit_house(site.database, vault=VAULT).findings == []

    on_site(act, database_url)


@pytest.mark.parametrize("amount", [0, -1, 1.5, "7", None, True, 10**10 + 1, 10**30])
def test_an_amount_is_whole_cents_above_zero(amount: object, file_url: str) -> None:
    async def act(site: Site) -> None:
        ada = await site.join("ada")
        for way in ("deposit", "withdraw"):
            answer = await ada.post(f"/cashier/{way}", {"id": "a", "currency": "EUR", "amount": amount})
            assert (answer.status, answer.code) == (400, "request/bad")

    on_site(act, file_url)


def test_a_provider_that_does_not_agree(database_url: str) -> None:
    provider = Reluctant()

    async def act(site: Site) -> None:
        ada = await site.join("ada")
        for id in ("a", "b"):
            assert (
                await ada.post("/cashier/deposit", {"id": id, "currency": "EUR", "amount": 9_000})
            ).status == 200
        refused = await ada.post("/cashier/deposit", {"id": "c", "currency": "EUR", "amount": 10_000})
        assert (refused.status, refused.code) == (409, "cashier/refused")
        assert refused.body["error"]["params"] == {"reason": "no more than 99.99"}
        refused = await ada.post("/cashier/withdraw", {"id": "d", "currency": "EUR", "amount": 12_000})
        assert refused.code == "cashier/refused"
        assert (await ada.get("/cashier")).body["balances"]["EUR"] == 18_000  # it came back
        again = await ada.post("/cashier/withdraw", {"id": "d", "currency": "EUR", "amount": 12_000})
        assert (again.status, again.code) == (409, "transfer/rolled-back")
        other = await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 1})
        assert other.code == "command/reused"  # and the provider is not asked for it
        assert audit_house(site.database, vault=VAULT).findings == []

    on_site(act, database_url, provider=provider)
    assert provider.asked == [
        ("in", 9_000, "a"),
        ("in", 9_000, "b"),
        ("in", 10_000, "c"),
        ("out", 12_000, "d"),
    ]


def test_many_deposits_at_once_do_not_pass_the_limit(database_url: str) -> None:
    async def act(site: Site) -> None:
        ada = await site.join("ada")
        await ada.put("/protections", {"deposit_day": 1_050})
        payments = [{"id": f"{n}", "currency": "EUR", "amount": 100} for n in range(40)]
        answers = await asyncio.gather(*(ada.post("/cashier/deposit", payment) for payment in payments))
        assert sorted(answer.status for answer in answers) == [200] * 10 + [403] * 30
        assert (await ada.get("/cashier")).body["balances"]["EUR"] == 1_000

    on_site(act, database_url)
