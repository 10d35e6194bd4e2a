"""A small house for tests: players with money, tables, and rounds played by a simple policy."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence

from sabot.engine import Bet
from sabot.engine.commands import AnyCommand, CloseOffers, Deal, PlaceBets
from sabot.fairness import commitment
from sabot.fairness.vault import Vault
from sabot.games import find
from sabot.games.options import TableOptions
from sabot.rounds.codes import game_code
from sabot.rounds.shoes import NewShoe, SecureShoes
from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.kinds import Currency
from sabot.store.register import Register
from sabot.store.store import Store
from sabot.tables.config import TableConfig, Tools
from sabot.tables.opening import open_table
from sabot.tables.table import Step, Table
from tests.support.table import fixed_price

VAULT = Vault(bytes(32))
#: What a sitting begins with.
BROUGHT = 100_000
TWO_HANDS = (Bet(0, "main", 1_000), Bet(1, "main", 500))


class CountedShoes(SecureShoes):
    """The same seeds in every run."""

    def __init__(self, vault: Vault, counted: int) -> None:
        super().__init__(vault)
        self._counted = vault
        self._count = counted

    def commit(self) -> NewShoe:
        """The next seed."""
        self._count += 1
        seed = hashlib.sha256(f"shoe {self._count}".encode()).digest()
        return NewShoe(commitment(seed), self._counted.seal(seed, commitment(seed)))


class House:
    """A cashier, and tables as they are asked for. Codes are counted, so that a test can name them."""

    def __init__(self, database: Database, counted: int = 0) -> None:
        """`counted` is above 0 where another house has made codes and seeds before."""
        self.store = Store(database)
        self.cashier = Cashier.open(self.store, at=0)
        self._codes = counted
        self.tools = Tools(self.store, CountedShoes(VAULT, counted), fixed_price(500_000_000), self._code)

    def _code(self, at: int) -> str:
        self._codes += 1
        letters = "".join("ABCDEFGHIJ"[int(digit)] for digit in f"{self._codes:04d}")
        return game_code(at, letters)

    def player(self, name: str) -> int:
        """A new player with money of both currencies."""
        player = self.cashier.register(name, at=0)
        self.cashier.deposit(player, "EUR", 10_000_000, "first EUR", at=0)
        self.cashier.deposit(player, "FUN", 10_000_000, "first FUN", at=0)
        return player

    def solo(self, game: str, player: int, currency: Currency = "EUR") -> Table:
        """The player's table of a solo game, with money brought to it."""
        name = f"solo/{player}/{game}/{currency}"
        table = open_table(TableConfig(name=name, game=find(game), currency=currency), self.tools, at=0)
        self.store.store(table.sit(player, BROUGHT, at=0))
        return table

    def live(
        self,
        game: str,
        *players: int,
        currency: Currency = "EUR",
        name: str = "",
        options: TableOptions | None = None,
    ) -> Table:
        """Open a live table where these players sit, with a shoe ready; by default with the game's name and options."""
        config = TableConfig(name=f"live/{name or game}", game=find(game), currency=currency, options=options)
        table = open_table(config, self.tools, at=0)
        for player in players:
            self.store.store(table.sit(player, BROUGHT, at=0))
        self.shuffle(table)
        return table

    def shuffle(self, table: Table, at: int = 0) -> None:
        """A new shoe, with two players' seeds mixed in."""
        self.store.store(table.shoes.shuffle(at))
        self.store.store(table.shoes.seed_shoe(["Ferrara", "perché no?"], at))

    def golden(self, table: Table, player: int, value: int, count: int, at: int) -> None:
        """A player at a table is given golden chips, and has them there."""
        register = Register.open(self.store, at)
        register.grant_golden(None, player, table.config.currency, value, count, "a gift", at)
        self.store.store(table.bring_golden(str(player), {value: count}, at))

    # Rounds

    def deal(self, table: Table, player: int, at: int, bets: Sequence[Bet] = TWO_HANDS) -> str:
        """Deal a solo round; gives its code."""
        self.keep(table.deal(player, tuple(bets), f"seed of {at}", at))
        return code_of(table)

    def play_solo(self, table: Table, player: int, at: int, bets: Sequence[Bet] = TWO_HANDS) -> str:
        """Deal a solo round and play it out."""
        code = self.deal(table, player, at, bets)
        self.finish(table, at)
        return code

    def deal_until_open(self, table: Table, player: int, at: int, bets: Sequence[Bet] = TWO_HANDS) -> str:
        """Deal until a round is not over with its deal; gives its code."""
        code = self.deal(table, player, at, bets)
        while not table.in_round:
            code = self.deal(table, player, at, bets)
        return code

    def void(self, table: Table, at: int) -> None:
        """Void the round being played."""
        self.keep(table.void("malfunction", at))

    def play_live(self, table: Table, bets: Mapping[int, Sequence[Bet]], at: int) -> str:
        """Play a live round out."""
        self.store.store(table.open_round(at))
        for player, placed in bets.items():
            self.bet(table, player, placed, at)
        self.deal_live(table, at)
        self.finish(table, at)
        return code_of(table)

    def bet(self, table: Table, player: int, bets: Sequence[Bet], at: int) -> None:
        """Place bets in an open live round."""
        self.keep(table.apply(PlaceBets(str(player), tuple(bets)), at))

    def deal_live(self, table: Table, at: int) -> None:
        """Close the betting and deal."""
        self.keep(table.apply(Deal(), at))

    def finish(self, table: Table, at: int) -> None:
        """Play the round on: the legal commands are taken in turn, so that every kind comes up."""
        choices = self._turns()
        while table.in_round:
            assert table.current is not None
            legal = table.current.round.legal()
            self.keep(table.apply(_pick(legal, next(choices)), at))

    def _turns(self) -> Iterator[int]:
        yield from range(self._codes, self._codes + 1_000)

    def keep(self, step: Step) -> None:
        """Store what a step wrote."""
        for unit in step.entries:
            self.store.store(unit)


def code_of(table: Table) -> str:
    """The code of the table's last round."""
    assert table.current is not None
    return table.current.code


def _pick(legal: Sequence[AnyCommand], turn: int) -> AnyCommand:
    """One of the legal commands."""
    choices = [command for command in legal if not isinstance(command, CloseOffers)] or legal
    return choices[turn % len(choices)]
