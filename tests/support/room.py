"""A room with one table on a store: everything that is done is stored, and told as movements of money.

A movement reads `session 1 > escrow 1000`: player 1 stakes 10.00. Every player brings 100.00 of 1,000.00.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sabot.engine import AnyEvent, Bet
from sabot.engine.commands import AnyCommand, PlaceBets
from sabot.games import TableOptions, find
from sabot.record.notation import parse_command
from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.entry import LogEntry
from sabot.store.kinds import Currency
from sabot.store.register import Register
from sabot.store.store import Store
from sabot.tables.config import TableConfig, Tools
from sabot.tables.opening import open_table
from sabot.tables.table import Step
from tests.support.ledger import balances, check_all, rows
from tests.support.shoes import StackedShoes
from tests.support.table import fixed_price

BROUGHT = 10_000
DEPOSITED = 100_000
#: The most that is brought to one sitting.
CAP = 100_000

BetWords = tuple[int, str, int]


class Room:
    """A table, its players 1, 2, … and their money; with `reopening` the table is opened anew before each command."""

    def __init__(
        self,
        database: Database,
        game: str,
        shoes: StackedShoes,
        *,
        players: int = 1,
        bring: int = BROUGHT,
        currency: Currency = "EUR",
        options: TableOptions | None = None,
        reopening: bool = False,
        cap: int | None = CAP,
        **config: Any,
    ) -> None:
        self.database = database
        self.store = Store(database)
        self.cashier = Cashier.open(self.store, at=1)
        self.shoes = shoes
        self.currency = currency
        self._at = 1_788_000_000_000
        self._reopening = reopening
        self.config = TableConfig(
            name="table", game=find(game), currency=currency, options=options, cap=cap, **config
        )
        self.table: Any
        self.open()
        for player in range(1, players + 1):
            assert self.cashier.register(f"player {player}", self.now) == player
            self.cashier.deposit(player, currency, DEPOSITED, "first", self.now)
            self.take(self.table.sit(player, bring, self.now))

    @property
    def now(self) -> int:
        """A second later each time."""
        self._at += 1000
        return self._at

    def open(self) -> None:
        """Open the table, new or again."""
        codes = (f"round {i}" for i in range(len(rows(self.database, "SELECT code FROM rounds")), 1000))
        tools = Tools(self.store, self.shoes, fixed_price(900_000_000), lambda at: next(codes))
        self.table = open_table(self.config, tools, self.now)

    def reopen(self) -> None:
        """Open the table again as after a crash: the round, the balances and the shoe are the same."""
        before = self._state()
        self.open()
        assert self._state() == before

    def _state(self) -> tuple[object, ...]:
        table = self.table
        current = table.current if table.in_round else None
        return (
            {
                player: (table.balance(player), s.id, s.account, s.brought)
                for player, s in table.sittings.items()
            },
            table.shoes.shoe,
            (table.shoes.seeded, table.shoes.dealt, table.shoes.waiting) if self.config.game.live else None,
            None if current is None else (current.code, current.opening, current.round.log),
            None if current is None else (current.round.legal(), current.round.shoe.dealt),
        )

    # Playing

    def take(self, done: Step | LogEntry) -> list[str]:
        """Store units, and tell the movements."""
        moved = []
        for unit in done.entries if isinstance(done, Step) else (done,):
            self.store.store(unit)
            moved += [
                f"{self._name(m.debit)} > {self._name(m.credit)} {m.amount}" for m in unit.body.movements
            ]
        if self._reopening:
            self.reopen()
        return moved

    def deal(self, *bets: BetWords, seed: str = "x", insurance: bool = True) -> list[str]:
        """A solo round of player 1 begins."""
        placed = tuple(Bet(*bet) for bet in bets)
        return self.take(self.table.deal(1, placed, seed, self.now, insurance=insurance))

    def do(self, command: str | AnyCommand) -> list[str]:
        """A command, in record notation or itself."""
        parsed = parse_command(command) if isinstance(command, str) else command
        return self.take(self.table.apply(parsed, self.now))

    def bet(self, player: int, *bets: BetWords | Bet) -> list[str]:
        """A live player's bets."""
        placed = tuple(bet if isinstance(bet, Bet) else Bet(*bet) for bet in bets)
        return self.do(PlaceBets(str(player), placed))

    def add(self, player: int, amount: int) -> list[str]:
        """AGGIUNGI DENARO."""
        return self.take(self.table.add_money(str(player), amount, self.now))

    def leave(self, player: int) -> list[str]:
        """A player leaves."""
        return self.take(self.table.leave(str(player), self.now))

    def void(self) -> list[str]:
        """A malfunction."""
        return self.take(self.table.void("lightning", self.now))

    # Looking

    def _name(self, account: int) -> str:
        kind, player = rows(self.database, f"SELECT kind, player FROM accounts WHERE id = {account}")[0]
        return str(kind) if player is None else f"{kind} {player}"

    @property
    def events(self) -> list[AnyEvent]:
        """What happened in the round."""
        log: list[AnyEvent] = self.table.current.round.log
        return log

    def session(self, player: int = 1) -> int:
        """The player's money at the table, by the ledger; the table must know it without asking."""
        sitting = self.table.sittings[str(player)]
        found = balances(self.database)[f"session/{sitting.id}"]
        assert self.table.balance(str(player)) == found
        return found

    def account(self, player: int = 1) -> int:
        """The player's money away from the table."""
        return self.cashier.balance(player, self.currency)

    @property
    def escrow(self) -> int:
        """What stands on the table, by the ledger."""
        return balances(self.database)[f"escrow/{self.table.stream.id}"]

    @property
    def house(self) -> int:
        """What the house has won, by the ledger."""
        return balances(self.database)[f"house/{self.currency}"]

    @property
    def ends(self) -> list[str]:
        """How the rounds stand, in order."""
        return [str(end) for (end,) in rows(self.database, "SELECT state FROM rounds ORDER BY code")]

    @property
    def played(self) -> list[tuple[object, ...]]:
        """Player, staked and paid of every round."""
        return rows(self.database, "SELECT player, staked, paid FROM played ORDER BY code, player")

    def check(self) -> None:
        """The books are right, and a closed round has left nothing in escrow."""
        check_all(self.database)
        if not self.table.in_round:
            assert self.escrow == 0


def live(room: Room, *seeds: str, golden: Mapping[str, Mapping[int, int]] | None = None) -> Room:
    """Shuffle if there is no shoe, and open a live round."""
    if not room.table.shoes.seeded:
        if room.table.shoes.shoe is None:
            room.take(room.table.shoes.shuffle(room.now))
        room.take(room.table.shoes.seed_shoe(seeds, room.now))
    for player, chips in (golden or {}).items():
        for value, count in chips.items():
            register = Register.open(room.table.tools.store, room.now)
            register.grant_golden(None, int(player), room.currency, value, count, "a gift", room.now)
        room.take(room.table.bring_golden(player, chips, room.now))
    room.take(room.table.open_round(room.now))
    return room
