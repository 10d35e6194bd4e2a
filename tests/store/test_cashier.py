"""Money in and out: what each operation does to the cent, and what a repeat does."""

from __future__ import annotations

import pytest

from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.store import Store
from tests.support.ledger import rows
from tests.support.refused import refused


@pytest.fixture
def cashier(database: Database) -> Cashier:
    return Cashier.open(Store(database), at=1)


@pytest.fixture
def ada(cashier: Cashier) -> int:
    player = cashier.register("ada", at=2)
    cashier.deposit(player, "EUR", 1000, "first", at=3)
    return player


def test_money_comes_and_goes(cashier: Cashier, ada: int) -> None:
    cashier.withdraw(ada, "EUR", 400, "second", at=4)
    assert (cashier.balance(ada, "EUR"), cashier.balance(ada, "FUN")) == (600, 0)


def test_no_balance_goes_below_zero(cashier: Cashier, ada: int) -> None:
    refused("funds/insufficient", lambda: cashier.withdraw(ada, "EUR", 1001, "w", at=4))
    refused("funds/insufficient", lambda: cashier.withdraw(ada, "FUN", 1, "w", at=4))
    assert cashier.balance(ada, "EUR") == 1000
    cashier.withdraw(ada, "EUR", 1000, "w", at=5)
    assert cashier.balance(ada, "EUR") == 0


@pytest.mark.parametrize("amount", [0, -1, 1.5, True, "7"])
def test_an_amount_is_whole_cents_above_zero(cashier: Cashier, ada: int, amount: int) -> None:
    refused("transfer/no-amount", lambda: cashier.deposit(ada, "EUR", amount, "x", at=4))
    assert cashier.balance(ada, "EUR") == 1000


def test_the_same_id_with_the_same_contents_moves_nothing_again(cashier: Cashier, ada: int) -> None:
    cashier.deposit(ada, "EUR", 1000, "first", at=9)
    assert cashier.balance(ada, "EUR") == 1000
    cashier.deposit(ada, "EUR", 1, "next", at=10)
    assert cashier.balance(ada, "EUR") == 1001


def test_the_same_id_with_other_contents_is_refused(cashier: Cashier, ada: int) -> None:
    refused("command/reused", lambda: cashier.deposit(ada, "EUR", 999, "first", at=4))
    refused("command/reused", lambda: cashier.withdraw(ada, "EUR", 1000, "first", at=4))
    refused("command/reused", lambda: cashier.deposit(ada, "FUN", 1000, "first", at=4))
    assert cashier.balance(ada, "EUR") == 1000


def test_an_id_is_a_players_own(cashier: Cashier, ada: int) -> None:
    bob = cashier.register("bob", at=4)
    cashier.deposit(bob, "EUR", 70, "first", at=5)
    assert (cashier.balance(ada, "EUR"), cashier.balance(bob, "EUR")) == (1000, 70)


def test_a_rollback_undoes_once(cashier: Cashier, ada: int) -> None:
    cashier.debit(ada, "EUR", 300, "bet", at=4)
    assert cashier.rollback(ada, "bet", at=5)
    assert cashier.rollback(ada, "bet", at=6)
    assert cashier.balance(ada, "EUR") == 1000
    # The bet itself stays answered: to repeat it takes nothing.
    cashier.debit(ada, "EUR", 300, "bet", at=7)
    assert cashier.balance(ada, "EUR") == 1000


def test_a_rollback_that_comes_first_blocks_its_bet(cashier: Cashier, ada: int) -> None:
    assert not cashier.rollback(ada, "bet", at=4)
    assert not cashier.rollback(ada, "bet", at=5)
    refused("transfer/rolled-back", lambda: cashier.debit(ada, "EUR", 300, "bet", at=6))
    assert cashier.balance(ada, "EUR") == 1000


def test_a_win_cannot_be_taken_back_from_an_empty_account(cashier: Cashier, ada: int) -> None:
    cashier.credit(ada, "EUR", 500, "win", at=4)
    cashier.withdraw(ada, "EUR", 1200, "out", at=5)
    refused("funds/insufficient", lambda: cashier.rollback(ada, "win", at=6))
    assert cashier.balance(ada, "EUR") == 300


def test_a_name_is_taken_once(cashier: Cashier, ada: int) -> None:
    refused("player/taken", lambda: cashier.register("ada", at=4))
    refused("player/none", lambda: cashier.deposit(ada + 1, "EUR", 1, "x", at=4))
    refused("player/none", lambda: cashier.balance(ada + 1, "EUR"))


def test_a_bot_is_a_demo_player(cashier: Cashier, database: Database) -> None:
    demo = cashier.register("demo-1", at=4, demo=True)
    bot = cashier.register("demo-2", at=5, demo=True, bot=True)
    refused("player/bot", lambda: cashier.register("demo-3", at=6, bot=True))
    kept = rows(database, "SELECT player, demo, bot FROM profiles ORDER BY player")
    assert kept == [(demo, True, False), (bot, True, True)]
    # The refused one took no place in the log.
    assert cashier.register("demo-3", at=7, demo=True) == bot + 1


@pytest.mark.rule("ASR-11")
def test_wallet_ids(cashier: Cashier, ada: int) -> None:
    """The rule in one: same answer, an error for other contents, a rollback that blocks, wins after the session."""
    cashier.debit(ada, "EUR", 300, "bet", at=4)
    cashier.debit(ada, "EUR", 300, "bet", at=5)
    refused("command/reused", lambda: cashier.debit(ada, "EUR", 301, "bet", at=6))
    cashier.rollback(ada, "other", at=7)
    refused("transfer/rolled-back", lambda: cashier.debit(ada, "EUR", 100, "other", at=8))
    # The cashier knows no sessions: a win and a rollback are taken whenever they come.
    cashier.credit(ada, "EUR", 450, "win", at=9)
    cashier.rollback(ada, "bet", at=10)
    assert cashier.balance(ada, "EUR") == 1000 + 450
