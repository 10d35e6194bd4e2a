"""What operators grant: golden chips to a player's own account, each time with who and why (ASR-33)."""

from __future__ import annotations

import json

import pytest

from sabot.errors import Refusal
from sabot.rounds.queries import golden_of
from sabot.store.audit import audit_store
from sabot.store.cashier import Cashier, account_name
from sabot.store.database import Database
from sabot.store.kinds import Currency
from sabot.store.register import OPERATORS, Register
from sabot.store.store import Store
from tests.support.ledger import rows


class Office:
    """Ada, the player 1; the operator is player 2."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.store = Store(database)
        cashier = Cashier.open(self.store, at=1)
        self.ada, self.operator = cashier.register("ada", at=2), cashier.register("olga", at=2)
        self.register = Register.open(self.store, at=3)

    def grant(
        self, value: int, count: int, *, currency: Currency = "EUR", player: int = 0, id: str | None = None
    ) -> None:
        """Grant golden chips to Ada, or to another."""
        self.register.grant_golden(
            self.operator, player or self.ada, currency, value, count, "welcome", at=4, id=id
        )

    def held(self, currency: Currency = "EUR") -> dict[int, int]:
        """Ada's golden chips."""
        account = self.store.account(account_name(self.ada, currency))
        with self.database.reading() as connection:
            assert audit_store(connection).findings == []
            return golden_of(connection, [account]).get(account, {})


@pytest.fixture
def office(database: Database) -> Office:
    return Office(database)


@pytest.mark.rule("MAJ-50")
def test_golden_chips_are_granted_with_a_reason(office: Office) -> None:
    office.grant(500, 3)
    office.grant(500, 2)
    office.grant(2_000, 1)
    office.grant(100, 7, currency="FUN")
    assert (office.held("EUR"), office.held("FUN")) == ({500: 5, 2_000: 1}, {100: 7})
    query = f"""
        SELECT at, kind, body FROM log JOIN streams ON id = stream WHERE name = '{OPERATORS}' ORDER BY log.n
    """
    (_, (at, kind, body), *_) = rows(office.database, query)
    assert isinstance(body, bytes)
    account = office.store.account("player/1/EUR")
    assert (at, kind, json.loads(body)) == (
        4,
        "grant-golden",
        {
            "command": {"type": "grant-golden", "operator": 2, "player": 1, "reason": "welcome"},
            "facts": [
                {"fact": "golden-moved", "account": account, "value": 500, "count": 3},
                {
                    "fact": "noticed",
                    "player": 1,
                    "what": "golden-given",
                    "game": "",
                    "currency": "EUR",
                    "amount": 500,
                },
            ],
        },
    )


@pytest.mark.parametrize(("value", "count"), [(1, 1), (1_000_000, 1_000)])
def test_the_least_and_the_most_that_are_granted(office: Office, value: int, count: int) -> None:
    office.grant(value, count)
    assert office.held() == {value: count}


def test_what_is_out_of_bounds_is_not_granted(office: Office) -> None:
    bounds = [(0, 1), (-500, 1), (1_000_001, 1), (500, 0), (500, -1), (500, 1_001), (5.0, 1), (500, True)]
    for value, count in bounds:
        with pytest.raises(Refusal) as error:
            office.grant(value, count)  # type: ignore[arg-type]
        assert error.value.code == "golden/grant"
        assert office.held() == {}


def test_a_refused_grant_says_what_can_be_granted(office: Office) -> None:
    with pytest.raises(Refusal) as error:
        office.grant(500, 1_001)
    assert str(error.value) == (
        "1001 golden chips of 5.00 cannot be granted: grant 1 to 1000 at once, each worth up to 10,000.00"
    )


def test_nobody_is_granted_nothing(office: Office) -> None:
    with pytest.raises(Refusal) as error:
        office.grant(500, 1, player=99)
    assert (error.value.code, error.value.params) == ("player/none", {"player": 99})
    office.grant(500, 1)
    assert office.held() == {500: 1}


@pytest.mark.rule("ASR-11")
def test_a_grant_with_an_id_is_made_once(office: Office) -> None:
    for _ in range(2):
        office.grant(500, 3, id="first")
    with pytest.raises(Refusal) as error:
        office.grant(500, 4, id="first")
    assert error.value.code == "command/reused"
    assert office.held() == {500: 3}
    office.register.grant_golden(None, office.ada, "EUR", 500, 1, "at the console", at=5, id="first")
    assert office.held() == {500: 4}
