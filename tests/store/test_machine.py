"""A house under random use: after every step the books hold (ASR-10), and a model in plain Python knows every balance.

The cards of a round are its client seed, so what each command moves is known before. A stake is `s`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from threading import Barrier
from typing import NamedTuple

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from sabot.engine import Bet, StackedShoe
from sabot.engine.inputs import Chance
from sabot.errors import Refusal
from sabot.games import find
from sabot.games.rules import Rules
from sabot.record.notation import parse_command
from sabot.rounds.shoes import KeptShoe
from sabot.store.cashier import Cashier, account_name
from sabot.store.commit import Committed, Refused
from sabot.store.database import Database
from sabot.store.entry import Body, LogEntry, Movement, RequestKey
from sabot.store.store import Store
from sabot.store.writer import GroupWriter
from sabot.tables.config import TableConfig, Tools
from sabot.tables.opening import open_table
from sabot.tables.table import Table
from tests.support.ledger import balances, check_chains, check_ledger
from tests.support.shoes import StackedShoes
from tests.support.store.store_house import write
from tests.support.table import cards_of

pytestmark = pytest.mark.slow  # hundreds of drawn histories

PLAYERS = st.sampled_from((0, 1))
AMOUNTS = st.sampled_from((1, 100, 250, 300, 1000, 4000))
#: Few ids, so that they come again, with the same contents and with others.
IDS = st.sampled_from(("a", "b", "c", "d", "e", "f", "g", "h"))


class Move(NamedTuple):
    """A command, what it stakes more, and what the end of the round pays if it is the last."""

    command: str
    stakes: Callable[[int], int] = lambda s: 0
    pays: Callable[[int], int] = lambda s: 0


class Story(NamedTuple):
    """Cards, what a round that ends with its deal pays, and the moves of one that does not."""

    cards: str
    pays: Callable[[int], int] | None
    moves: tuple[Move, ...] = ()


STORIES = (
    Story("10 9 10 8", None, (Move("0.0 stand", pays=lambda s: 2 * s),)),  # 20 against 17
    Story("10 9 8 10", None, (Move("0.0 stand"),)),  # 18 against 19
    Story("10 9 9 10", None, (Move("0.0 stand", pays=lambda s: s),)),  # 19 against 19
    Story("A 9 K 8", lambda s: s + s * 3 // 2),  # blackjack
    Story("5 9 6 8 10", None, (Move("0.0 double", lambda s: s, lambda s: 4 * s),)),  # 21 against 17
    Story("10 9 6 10", None, (Move("0.0 surrender", pays=lambda s: s // 2),)),
    # 18 and 17 against 18: one stake comes back.
    Story(
        "8 9 8 9 10 9",
        None,
        (Move("0.0 split", lambda s: s), Move("0.0 stand"), Move("0.1 stand", pays=lambda s: s)),
    ),
    # Insured against a blackjack that is there: three times the insurance.
    Story("10 A 9 K", None, (Move("0 insure yes @{}", lambda s: s // 2, lambda s: s // 2 * 3),)),
)


class CardsFromSeed(StackedShoes):
    """The client seed of a round is the text of its cards."""

    def open(self, rules: Rules, kept: KeptShoe, start: int) -> Chance:
        return Chance(StackedShoe(cards_of(kept.client_seed)), None)


class Expected:
    """What a player has, by the model."""

    def __init__(self) -> None:
        self.account = 0
        #: None while the player sits nowhere.
        self.session: int | None = None
        self.staked = 0
        self.stake = 0
        self.moves: list[Move] = []
        #: What each id was used for.
        self.used: dict[str, tuple[object, ...]] = {}


class HouseMachine(RuleBasedStateMachine):
    """Two players at the cashier and at their solo tables."""

    def __init__(self, database: Database, writer: GroupWriter, numbers: Iterator[int]) -> None:
        super().__init__()
        self.database = database
        self.writer = writer
        self.store = Store(database, writer)
        self.example = next(numbers)
        self.at = 0
        self.house = balances(database).get("house/EUR", 0)

    def now(self) -> int:
        self.at += 1
        return self.at

    @initialize()
    def come(self) -> None:
        self.cashier = Cashier.open(self.store, self.now())
        self.shoes = CardsFromSeed()
        self.shoes._made = self.example * 100_000
        codes = count()
        self.tools = Tools(self.store, self.shoes, None, lambda at: f"{self.example}-{next(codes)}")
        self.players = [
            self.cashier.register(f"{self.example} {name}", self.now()) for name in ("ada", "bob")
        ]
        self.expected = [Expected(), Expected()]
        self.tables = [self.open(0), self.open(1)]
        self.last: tuple[LogEntry, bytes] | None = None

    def open(self, i: int) -> Table:
        config = TableConfig(name=f"solo {self.example} {i}", game=find("surrender"), currency="EUR")
        return open_table(config, self.tools, self.now())

    def keep(self, *units: LogEntry) -> None:
        for unit in units:
            outcome = self.store.store(unit)
            assert isinstance(outcome, Committed)
            self.last = (unit, outcome.hash)

    # The cashier

    @rule(i=PLAYERS, kind=st.sampled_from(("deposit", "credit")), amount=AMOUNTS, id=IDS)
    def money_in(self, i: int, kind: str, amount: int, id: str) -> None:
        self.ask(i, kind, amount, id, amount)

    @rule(i=PLAYERS, kind=st.sampled_from(("withdraw", "debit")), amount=AMOUNTS, id=IDS)
    def money_out(self, i: int, kind: str, amount: int, id: str) -> None:
        self.ask(i, kind, amount, id, -amount)

    def ask(self, i: int, kind: str, amount: int, id: str, moved: int) -> None:
        """A repeat moves nothing, an id with other contents is refused, so is what is not covered."""
        expected, known = self.expected[i], self.expected[i].used.get(id)
        code = None
        if known is not None and known[0] == "rollback":
            code = "transfer/rolled-back"
        elif known is not None and known[:2] != (kind, amount):
            code = "command/reused"
        elif known is None and expected.account + moved < 0:
            code = "funds/insufficient"
        elif known is None:
            expected.account += moved
            expected.used[id] = (kind, amount, moved)
        act = getattr(self.cashier, kind)
        self.try_to(lambda: act(self.players[i], "EUR", amount, id, self.now()), code)

    @rule(i=PLAYERS, id=IDS)
    def roll_back(self, i: int, id: str) -> None:
        """Once; before its transaction it blocks that one; a win that is spent cannot be taken back."""
        expected, known = self.expected[i], self.expected[i].used.get(id)
        code = None
        if known is None:
            expected.used[id] = ("rollback",)
        elif known[0] != "rollback" and f"rollback/{id}" not in expected.used:
            moved = known[2]
            assert isinstance(moved, int)
            if expected.account - moved < 0:
                code = "funds/insufficient"
            else:
                expected.account -= moved
                expected.used[f"rollback/{id}"] = ()
        self.try_to(lambda: self.cashier.rollback(self.players[i], id, self.now()), code)

    @rule(i=PLAYERS, amount=AMOUNTS)
    def many_at_once(self, i: int, amount: int) -> None:
        """Eight threads debit one account: as many succeed as it covers."""
        expected = self.expected[i]
        succeeded = debit_at_once(self.store, self.writer, self.players[i], amount, 8)
        assert succeeded == min(8, expected.account // amount)
        expected.account -= succeeded * amount

    # The table

    @rule(i=PLAYERS, amount=AMOUNTS)
    def sit_or_add(self, i: int, amount: int) -> None:
        expected, table = self.expected[i], self.tables[i]
        covered = amount <= expected.account
        if expected.session is None:
            units: tuple[LogEntry, ...] = (table.sit(self.players[i], amount, self.now()),)
        else:
            units = table.add_money(str(self.players[i]), amount, self.now()).entries
        if not covered:
            self.try_to(lambda: self.keep(*units), "funds/insufficient")
            self.tables[i] = self.open(i)
            return
        self.keep(*units)
        expected.account -= amount
        expected.session = (expected.session or 0) + amount

    @rule(i=PLAYERS, stake=st.sampled_from((100, 150, 1000)), story=st.sampled_from(STORIES))
    def deal(self, i: int, stake: int, story: Story) -> None:
        expected, table = self.expected[i], self.tables[i]
        code = None
        if expected.moves:
            code = "round/open"
        elif expected.session is None:
            code = "sitting/closed"
        elif expected.session < stake:
            code = "funds/insufficient"

        def act() -> None:
            bets = (Bet(0, "main", stake),)
            self.keep(*table.deal(self.players[i], bets, story.cards, self.now()).entries)

        self.try_to(act, code)
        if code is None:
            assert expected.session is not None
            expected.session -= stake
            expected.staked = expected.stake = stake
            expected.moves = list(story.moves)
            if story.pays is not None:
                self.pay(expected, story.pays(stake))

    @rule(i=PLAYERS)
    def go_on(self, i: int) -> None:
        expected, table = self.expected[i], self.tables[i]
        if not expected.moves or expected.session is None:
            return
        move, stake = expected.moves[0], expected.stake
        command = parse_command(move.command.format(self.players[i]))
        more = move.stakes(stake)
        code = "funds/insufficient" if more > expected.session else None
        self.try_to(lambda: self.keep(*table.apply(command, self.now()).entries), code)
        if code is None:
            expected.session -= more
            expected.staked += more
            expected.moves.pop(0)
            if not expected.moves:
                self.pay(expected, move.pays(stake))

    def pay(self, expected: Expected, paid: int) -> None:
        assert expected.session is not None
        expected.session += paid
        self.house += expected.staked - paid
        expected.staked = 0

    @rule(i=PLAYERS)
    def void(self, i: int) -> None:
        expected, table = self.expected[i], self.tables[i]
        code = None if expected.moves else "round/not-dealt"
        self.try_to(lambda: self.keep(*table.void("lightning", self.now()).entries), code)
        if code is None:
            assert expected.session is not None
            expected.session += expected.staked
            expected.staked, expected.moves = 0, []

    @rule(i=PLAYERS)
    def leave(self, i: int) -> None:
        expected, table = self.expected[i], self.tables[i]
        code = None
        if expected.session is None:
            code = "sitting/closed"
        elif expected.moves:
            code = "sitting/in-round"
        self.try_to(lambda: self.keep(table.leave(str(self.players[i]), self.now())), code)
        if code is None:
            expected.account += expected.session or 0
            expected.session = None

    # Owners and lost answers

    @rule(i=PLAYERS)
    def take_over(self, i: int) -> None:
        """Another owner goes on with the table; the one before can write nothing any more."""
        old, self.tables[i] = self.tables[i], self.open(i)
        own = self.store.account(account_name(self.players[i], "EUR"))
        outside = self.store.account("cashier/EUR")
        stale = old.stream.entry(
            self.now(), "stale", Body(movements=(Movement(f"stale/{self.at}", outside, own, 1),))
        )
        refused = self.store.write(stale)
        assert isinstance(refused, Refused)
        assert refused.code == "stream/fenced"

    @rule()
    def answer_lost(self) -> None:
        """The last row of a table is handed in again."""
        if self.last is not None:
            unit, hash = self.last
            assert self.store.write(unit) == Committed(hash)

    # What must hold

    def try_to(self, act: Callable[[], object], code: str | None) -> None:
        """Act; it must be refused with the code if there is one."""
        if code is None:
            act()
            return
        with pytest.raises(Refusal) as error:
            act()
        assert isinstance(error.value, Refusal)
        assert error.value.code == code

    @invariant()
    def books_hold(self) -> None:
        check_ledger(self.database)
        if not hasattr(self, "expected"):
            return
        found = balances(self.database)
        for i, expected in enumerate(self.expected):
            table, player = self.tables[i], self.players[i]
            assert found[account_name(player, "EUR")] == expected.account
            assert found[f"escrow/{table.stream.id}"] == expected.staked
            sitting = table.sittings.get(str(player))
            assert (sitting is None) == (expected.session is None)
            if sitting is not None:
                assert found[f"session/{sitting.id}"] == expected.session == table.balance(str(player))
        assert found["house/EUR"] == self.house

    def teardown(self) -> None:
        check_chains(self.database)


def debit_at_once(
    store: Store, writer: GroupWriter, player: int, amount: int, times: int, name: str = "desk"
) -> int:
    """Debit an account from many threads, each with a stream of its own; how often it was done."""
    own, outside = store.account(account_name(player, "EUR")), store.account("cashier/EUR")
    together = Barrier(times)

    def debit(i: int) -> bool:
        stream = store.take(f"{name} {i}", at=1)
        movement = Movement(f"{name} {i}/{stream.n}", own, outside, amount)
        request = RequestKey(player, f"{name} {i}/{stream.n}", bytes(32))
        unit = stream.entry(1, "debit", Body(movements=(movement,)), request=request)
        together.wait()
        outcome = write(writer, unit)
        assert isinstance(outcome, Committed | Refused)
        assert isinstance(outcome, Committed) or outcome.code == "funds/insufficient"
        return isinstance(outcome, Committed)

    with ThreadPoolExecutor(times) as pool:
        return sum(pool.map(debit, range(times)))


@pytest.fixture
def writer(database: Database) -> Iterator[GroupWriter]:
    writer = GroupWriter(database)
    yield writer
    writer.close()


@pytest.mark.rule("ASR-10", "PLT-03")
def test_the_books_hold_after_every_step(database: Database, writer: GroupWriter) -> None:
    numbers = count(1)
    # All of a house is checked after each step, and the histories lie in one house: twice as many take four times as long.
    histories = 20 if database.url.get_backend_name() == "sqlite" else 8
    run_state_machine_as_test(
        partial(HouseMachine, database, writer, numbers),  # type: ignore[arg-type]  # any callable will do
        settings=settings(max_examples=histories, stateful_step_count=40),
    )


@pytest.mark.rule("ASR-10")
def test_a_hundred_bets_at_once_on_one_account(database: Database, writer: GroupWriter) -> None:
    """5.00 cover fifty debits of 0.10, whichever come first; the other fifty are refused."""
    store = Store(database, writer)
    cashier = Cashier.open(store, at=1)
    ada = cashier.register("ada", at=1)
    cashier.deposit(ada, "EUR", 500, "first", at=1)
    assert debit_at_once(store, writer, ada, 10, 100) == 50
    assert cashier.balance(ada, "EUR") == 0
    check_ledger(database)
    check_chains(database)


@pytest.mark.rule("ASR-10")
def test_two_houses_on_one_account(database: Database, writer: GroupWriter) -> None:
    """Two processes, as far as the database can tell: together they take 5.00 in fifty debits and no more."""
    second = Database(database.url.render_as_string(hide_password=False))
    other = GroupWriter(second)
    stores = (Store(database, writer), Store(second, other))
    cashier = Cashier.open(stores[0], at=1)
    ada = cashier.register("ada", at=1)
    cashier.deposit(ada, "EUR", 500, "first", at=1)
    with ThreadPoolExecutor(2) as pool:
        done = pool.map(
            lambda i: debit_at_once(stores[i], (writer, other)[i], ada, 10, 40, f"house {i}"), (0, 1)
        )
        assert sum(done) == 50
    assert cashier.balance(ada, "EUR") == 0
    other.close()
    second.close()
    check_ledger(database)
    check_chains(database)
