"""Deposits and withdrawals: to the cent, once for each id, and with a provider that does not always agree."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy

from sabot.rounds.audit import audit_house
from sabot.server.accounts.payments import PaymentError
from sabot.server.config import CashierConfig
from sabot.server.http.handlers import cashier as cashier_handlers
from sabot.store import schema
from sabot.store.kinds import Currency
from tests.support.clock import HOUR
from tests.support.house import VAULT
from tests.support.site import Site


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


async def test_money_comes_and_goes(database_url: str) -> None:
    async with Site(database_url) as site:
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


@pytest.mark.parametrize("amount", [0, -1, 1.5, "7", None, True, 10**10 + 1, 10**30])
async def test_an_amount_is_whole_cents_above_zero(amount: object, file_url: str) -> None:
    async with Site(file_url) as site:
        ada = await site.join("ada")
        for way in ("deposit", "withdraw"):
            answer = await ada.post(f"/cashier/{way}", {"id": "a", "currency": "EUR", "amount": amount})
            assert (answer.status, answer.code) == (400, "request/bad")


async def test_a_provider_that_does_not_agree(database_url: str) -> None:
    provider = Reluctant()

    async with Site(database_url, provider=provider) as site:
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
    assert provider.asked == [
        ("in", 9_000, "a"),
        ("in", 9_000, "b"),
        ("in", 10_000, "c"),
        ("out", 12_000, "d"),
    ]


async def test_many_deposits_at_once_do_not_pass_the_limit(database_url: str) -> None:
    async with Site(database_url) as site:
        ada = await site.join("ada")
        await ada.put("/protections", {"deposit_day": 1_050})
        payments = [{"id": f"{n}", "currency": "EUR", "amount": 100} for n in range(40)]
        answers = await asyncio.gather(*(ada.post("/cashier/deposit", payment) for payment in payments))
        assert sorted(answer.status for answer in answers) == [200] * 10 + [403] * 30
        assert (await ada.get("/cashier")).body["balances"]["EUR"] == 1_000


class Slow:
    """A provider that answers when the test wants, and breaks down once for each id of `broken`."""

    def __init__(self, *broken: str) -> None:
        self.asked: list[str] = []
        self.came = asyncio.Event()
        self.answer: asyncio.Future[None] | None = None
        self._broken = set(broken)

    def hold(self) -> asyncio.Future[None]:
        """Let what is asked next wait for an answer."""
        self.came.clear()
        self.answer = asyncio.get_running_loop().create_future()
        return self.answer

    async def pay_in(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Answer."""
        self.asked.append(id)
        if id in self._broken:
            self._broken.remove(id)
            raise ConnectionResetError("nobody knows whether the money was taken")
        answer, self.answer = self.answer, None
        self.came.set()
        if answer is not None:
            await answer

    async def pay_out(self, player: int, currency: Currency, amount: int, id: str) -> None:
        """Agree."""


@pytest.mark.rule("CLU-10", "PLT-50")
async def test_a_deposit_under_way_counts_and_nobody_waits_for_the_provider(database_url: str) -> None:
    provider = Slow()
    limits = CashierConfig(deposit_least=1, deposit_most=1_000, deposit_day=1_000)
    async with Site(database_url, provider=provider, cashier=limits) as site:
        ada = await site.join("ada")
        await ada.put("/protections", {"deposit_day": 1_000})

        async def deposit(id: str, amount: int, currency: str = "EUR") -> str:
            form = {"id": id, "currency": currency, "amount": amount}
            return (await ada.post("/cashier/deposit", form)).code

        for id, currency, code in (
            ("a", "EUR", "protection/deposit-limit"),
            ("b", "FUN", "cashier/day"),
        ):
            answer = provider.hold()
            slow = asyncio.create_task(deposit(id, 600, currency))
            await provider.came.wait()
            assert await deposit(f"{id}-more", 401, currency) == code
            assert await deposit(f"{id}-rest", 400, currency) == ""
            answer.set_result(None)
            assert await slow == ""
            assert await deposit(f"{id}-last", 1, currency) == code
        assert (await ada.get("/me")).body["balances"] == {"EUR": 1_000, "FUN": 1_000}
        assert await _pending(site) == []
        assert audit_house(site.database, vault=VAULT).findings == []


@pytest.mark.rule("CLU-10")
async def test_a_deposit_that_the_provider_refuses_counts_no_more(file_url: str) -> None:
    provider = Slow()
    async with Site(file_url, provider=provider) as site:
        ada = await site.join("ada")
        await ada.put("/protections", {"deposit_day": 1_000})
        provider.hold().set_exception(PaymentError("no"))
        form = {"id": "a", "currency": "EUR", "amount": 1_000}
        assert (await ada.post("/cashier/deposit", form)).code == "cashier/refused"
        assert await _pending(site) == []
        assert (await ada.post("/cashier/deposit", form | {"id": "b"})).status == 200


@pytest.mark.rule("CLU-10")
async def test_a_deposit_that_was_broken_off_is_finished_by_the_same_id(database_url: str) -> None:
    """It counts meanwhile, for a day; with other contents its id is refused."""
    provider = Slow("a", "b")
    async with Site(database_url, provider=provider, server={"login_hours": 100}) as site:
        ada = await site.join("ada")
        await ada.put("/protections", {"deposit_day": 1_000})

        async def deposit(id: str, amount: int) -> str:
            form = {"id": id, "currency": "EUR", "amount": amount}
            return (await ada.post("/cashier/deposit", form)).code

        assert await deposit("a", 600) == "house/error"
        assert await deposit("more", 401) == "protection/deposit-limit"
        assert await deposit("a", 601) == "command/reused"
        assert await deposit("rest", 400) == ""
        assert await deposit("a", 600) == ""
        assert await deposit("a", 600) == ""
        assert provider.asked == ["a", "rest", "a"]
        assert (await ada.get("/me")).body["balances"]["EUR"] == 1_000
        site.clock.ms += 24 * HOUR
        assert await deposit("b", 600) == "house/error"
        site.clock.ms += 24 * HOUR
        assert await deposit("whole", 1_000) == ""  # a day later it counts no more
        assert await deposit("b", 600) == "protection/deposit-limit"
        assert await _pending(site) == ["b"]
        site.clock.ms += 31 * 24 * HOUR
        await site.players.sweep()
        assert await _pending(site) == []
        assert audit_house(site.database, vault=VAULT).findings == []


@pytest.mark.rule("CLU-10")
async def test_a_deposit_in_the_log_counts_once_whatever_is_left_of_it(
    file_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process dies after the deposit was stored, before it was forgotten that the provider was asked."""
    async with Site(file_url) as site:
        ada = await site.join("ada")
        await ada.put("/protections", {"deposit_day": 1_000})
        form = {"id": "a", "currency": "EUR", "amount": 600}
        with monkeypatch.context() as patch:
            patch.setattr(cashier_handlers, "end_deposit", lambda *_, **__: 1 // 0)
            assert (await ada.post("/cashier/deposit", form)).code == "house/error"
        assert await _pending(site) == ["a"]
        page = (await ada.get("/cashier")).body
        assert (page["balances"]["EUR"], page["deposit_left"]) == (600, 400)
        assert (await ada.post("/cashier/deposit", form)).body["balance"] == 600


async def _pending(site: Site) -> list[str]:
    """The ids of deposits under way."""
    query = sqlalchemy.select(schema.pending_deposits.c.id)
    return await site.house.read(lambda connection: list(connection.execute(query).scalars()))


LIMITS = CashierConfig(
    deposit_least=500,
    deposit_most=10_000,
    deposit_day=15_000,
    withdraw_least=500,
    withdraw_most=4_000,
    withdraw_day=5_000,
)


@pytest.mark.rule("PLT-02")
@pytest.mark.parametrize("currency", ["EUR", "FUN"])
async def test_payments_keep_the_cashiers_limits(currency: Currency, file_url: str) -> None:
    """Of one payment and of a day, in any money; what is refused moves nothing and is in no list."""

    async with Site(file_url, cashier=LIMITS, server={"login_hours": 100}) as site:
        ada = await site.join("ada")

        async def pay(way: str, amount: int, id: str) -> tuple[str, dict[str, object]]:
            answer = await ada.post(f"/cashier/{way}", {"id": id, "currency": currency, "amount": amount})
            return (answer.code, answer.body["error"]["params"]) if answer.code else ("", answer.body)

        bounds = {"least": 500, "most": 10_000}
        assert await pay("deposit", 499, "a") == ("cashier/amount", {"amount": 499, **bounds})
        assert await pay("deposit", 9_999_999_900, "a") == (
            "cashier/amount",
            {"amount": 9_999_999_900, **bounds},
        )
        assert (await pay("deposit", 10_000, "b"))[0] == ""
        day = {"amount": 6_000, "most": 15_000, "left": 5_000}
        assert await pay("deposit", 6_000, "c") == ("cashier/day", day)
        assert (await pay("deposit", 10_000, "b"))[1] == {"currency": currency, "balance": 10_000}  # again
        assert (await pay("withdraw", 4_001, "d"))[0] == "cashier/amount"
        assert (await pay("withdraw", 499, "d"))[0] == "cashier/amount"
        assert (await pay("withdraw", 4_000, "e"))[0] == ""
        assert (await pay("withdraw", 1_001, "f"))[0] == "cashier/day"
        site.clock.ms += 24 * HOUR
        assert (await pay("withdraw", 4_000, "g"))[0] == ""
        assert (await pay("withdraw", 1_000, "h"))[0] == ""
        site.clock.ms += 24 * HOUR
        assert (await pay("withdraw", 900, "i"))[0] == ""
        # What is left is less than the least, and can be taken out all the same.
        assert (await pay("withdraw", 50, "j"))[0] == "cashier/amount"
        assert (await pay("withdraw", 100, "j"))[0] == ""
        lines = (await ada.get("/cashier/movements")).body["lines"]
        assert [(line["kind"], line["amount"]) for line in lines] == [
            ("withdraw", -100),
            ("withdraw", -900),
            ("withdraw", -1_000),
            ("withdraw", -4_000),
            ("withdraw", -4_000),
            ("deposit", 10_000),
        ]
        assert {line["currency"] for line in lines} == {currency}


@pytest.mark.rule("PLT-02")
async def test_movements_come_in_pages_and_are_the_players_own(database_url: str) -> None:
    async with Site(database_url) as site:
        ada, bob = await site.join("ada"), await site.join("bob")
        for amount in range(101, 108):
            payment = {"id": f"p{amount}", "currency": "EUR", "amount": amount}
            assert (await ada.post("/cashier/deposit", payment)).status == 200
        await bob.post("/cashier/deposit", {"id": "p1", "currency": "EUR", "amount": 5_000})
        seen: list[int] = []
        next: str | None = ""
        while next is not None:
            where = f"&before={next}" if next else ""
            page = (await ada.get(f"/cashier/movements?limit=3{where}")).body
            assert len(page["lines"]) <= 3
            seen += [line["amount"] for line in page["lines"]]
            next = page["next"]
        assert seen == list(range(107, 100, -1))
        assert [line["amount"] for line in (await bob.get("/cashier/movements")).body["lines"]] == [5_000]
        assert (await site.nobody.get("/cashier/movements")).code == "login/required"
        for bad in ("x", "1", "-", "9-9'"):
            assert (await ada.get(f"/cashier/movements?before={bad}")).status == 400


async def test_a_withdrawal_that_came_back_is_shown_and_not_counted(file_url: str) -> None:
    limits = CashierConfig(withdraw_most=12_000, withdraw_day=12_000)
    async with Site(file_url, provider=Reluctant(), cashier=limits) as site:
        ada = await site.join("ada")
        for id in ("a", "b"):
            await ada.post("/cashier/deposit", {"id": id, "currency": "EUR", "amount": 9_000})
        refused = await ada.post("/cashier/withdraw", {"id": "c", "currency": "EUR", "amount": 12_000})
        assert refused.code == "cashier/refused"
        paid = await ada.post("/cashier/withdraw", {"id": "d", "currency": "EUR", "amount": 9_000})
        assert paid.status == 200
        lines = (await ada.get("/cashier/movements")).body["lines"]
        assert [(line["kind"], line["amount"]) for line in lines[:3]] == [
            ("withdraw", -9_000),
            ("rollback", 12_000),
            ("withdraw", -12_000),
        ]


@pytest.mark.rule("PLT-02")
async def test_movements_by_way_currency_and_time_with_totals(database_url: str) -> None:
    """The totals are of all that was asked for, not of one page; a withdrawal that came back was not withdrawn."""
    async with Site(database_url, provider=Reluctant(), server={"login_hours": 100}) as site:
        ada = await site.join("ada")
        start = site.clock.ms

        async def pay(way: str, amount: int, currency: str = "EUR") -> None:
            site.clock.ms += HOUR
            body = {"id": f"{site.clock.ms}", "currency": currency, "amount": amount}
            answer = await ada.post(f"/cashier/{way}", body)
            assert answer.status == (200 if amount < 10_000 else 409)

        for amount in (7_000, 8_000, 9_000):
            await pay("deposit", amount)
        await pay("deposit", 500, "FUN")
        await pay("withdraw", 12_000)  # comes back
        await pay("withdraw", 2_000)

        async def moved(query: str) -> tuple[list[int], dict[str, tuple[int, int, int]]]:
            page = (await ada.get(f"/cashier/movements?{query}")).body
            totals = {
                total["currency"]: (total["movements"], total["deposited"], total["withdrawn"])
                for total in page["totals"]
            }
            return [line["amount"] for line in page["lines"]], totals

        everything = {"EUR": (6, 24_000, 2_000), "FUN": (1, 500, 0)}
        assert await moved("") == ([-2_000, 12_000, -12_000, 500, 9_000, 8_000, 7_000], everything)
        assert await moved("limit=2") == ([-2_000, 12_000], everything)
        assert await moved("way=deposit&currency=EUR") == ([9_000, 8_000, 7_000], {"EUR": (3, 24_000, 0)})
        assert await moved("way=withdraw") == ([-2_000, 12_000, -12_000], {"EUR": (3, 0, 2_000)})
        assert await moved("currency=FUN") == ([500], {"FUN": (1, 500, 0)})
        middle = f"since={start + 2 * HOUR}&until={start + 4 * HOUR}"
        assert await moved(middle) == ([9_000, 8_000], {"EUR": (2, 17_000, 0)})
        assert await moved(f"since={site.clock.ms + 1}") == ([], {})
        first = (await ada.get("/cashier/movements?limit=2&way=deposit")).body
        second = (await ada.get(f"/cashier/movements?limit=2&way=deposit&before={first['next']}")).body
        assert ([line["amount"] for line in second["lines"]], second["totals"]) == ([8_000, 7_000], None)
        for bad in ("way=rollback", "currency=USD", "since=-1", "until=x"):
            assert (await ada.get(f"/cashier/movements?{bad}")).code == "request/bad"
