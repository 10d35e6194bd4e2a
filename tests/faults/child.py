"""A house to be killed: plays solo rounds for several players at once and says what is stored, once it is.

`python -m tests.faults.child URL SEED` plays until it is killed; with `--finish` it ends what is open and goes home.
Each line on standard output is a step that was acknowledged: the rows it wrote, with their hashes.
"""

from __future__ import annotations

import argparse
import os
import threading
import time
from random import Random

import msgspec
import sqlalchemy

from sabot.engine import Bet
from sabot.errors import Refusal
from sabot.games import find
from sabot.rounds.shoes import SecureShoes
from sabot.store import schema
from sabot.store.cashier import Cashier
from sabot.store.commit import Committed
from sabot.store.database import Database
from sabot.store.entry import LogEntry, RequestKey
from sabot.store.store import Store
from sabot.store.writer import GroupWriter
from sabot.tables.config import TableConfig, Tools
from sabot.tables.opening import open_table
from sabot.tables.table import Step, Table
from tests.faults.killing import BROUGHT, DEPOSIT, GAMES, PLAYERS, Acknowledged
from tests.faults.simulated.shoes import VAULT
from tests.support.table import fixed_price


class House:
    """The process: a real writer on a real database."""

    def __init__(self, url: str, seed: str) -> None:
        self.seed = seed
        self.store = Store(database := Database(url), GroupWriter(database))
        self.cashier = Cashier.open(self.store, now())
        self.at_cashier = threading.Lock()
        self.tools = Tools(self.store, SecureShoes(VAULT), fixed_price(900_000_000))

    def say(self, player: int, what: str, rows: list[tuple[int, int, str]]) -> None:
        """Acknowledge a step: one line, in one piece."""
        os.write(1, msgspec.json.encode(Acknowledged(player, what, rows)) + b"\n")


class Player(threading.Thread):
    """A player with a table of each game, in a thread."""

    def __init__(self, house: House, name: str, finish: bool) -> None:
        super().__init__(name=name)
        self._house = house
        self._finish = finish
        self._rng = Random(f"{name}/{house.seed}")
        self._player = 0
        self._asked = 0

    def run(self) -> None:
        try:
            self._play()
        except BaseException:
            os.write(1, b"failed\n")
            raise

    def _play(self) -> None:
        self._player = self._come()
        tables = [self._table(game) for game in GAMES]
        while not self._finish:
            self._round(self._rng.choice(tables))
        for table in tables:
            self._play_out(table)
            if str(self._player) in table.sittings:
                self._store("leave", table.leave(str(self._player), now(), self._request("leave")))

    def _come(self) -> int:
        """Register, or be known; the deposit is asked for in every life and made once."""
        house = self._house
        with house.at_cashier:
            try:
                player = house.cashier.register(self.name, now())
            except Refusal as error:
                if error.code != "player/taken":
                    raise
                query = sqlalchemy.select(schema.players.c.id).where(schema.players.c.name == self.name)
                with house.store.database.reading() as connection:
                    player = connection.execute(query).scalar_one()
            house.cashier.deposit(player, "FUN", DEPOSIT, "deposit", now())
        house.say(player, "deposit", [])
        return player

    def _table(self, game: str) -> Table:
        """The player's table, with an open round if the last process left one."""
        config = TableConfig(name=f"solo/{self.name}/{game}", game=find(game))
        table = open_table(config, self._house.tools, now())
        if str(self._player) not in table.sittings and not self._finish:
            self._store("sit", table.sit(self._player, BROUGHT, now(), self._request("sit")))
        self._play_out(table)
        return table

    def _round(self, table: Table) -> None:
        sides = [bet.name for bet in table.rules.side_bets if not bet.once]
        bets = (Bet(0, "main", 200), Bet(0, self._rng.choice(sides), 100), Bet(1, "main", 300))
        self._step("deal", table.deal(self._player, bets, "kill", now(), self._request("deal")))
        self._play_out(table)

    def _play_out(self, table: Table) -> None:
        while table.in_round and table.current is not None:
            move = self._rng.choice(table.current.round.legal())
            self._step("move", table.apply(move, now(), self._request("move")))

    def _step(self, what: str, step: Step) -> None:
        self._store(what, *step.entries)

    def _store(self, what: str, *units: LogEntry) -> None:
        rows: list[tuple[int, int, str]] = []
        for unit in units:
            outcome = self._house.store.store(unit)
            assert isinstance(outcome, Committed)
            rows.append((unit.stream, unit.n, outcome.hash.hex()))
        self._house.say(self._player, what, rows)

    def _request(self, what: str) -> RequestKey:
        self._asked += 1
        return RequestKey(self._player, f"{self._house.seed}/{self._asked}", what.encode())


def now() -> int:
    """Milliseconds of UTC."""
    return time.time_ns() // 1_000_000


def main() -> None:
    """Play until the end."""
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("seed")
    parser.add_argument("--finish", action="store_true")
    asked = parser.parse_args()
    house = House(asked.url, asked.seed)
    players = [Player(house, name, asked.finish) for name in PLAYERS]
    for player in players:
        player.start()
    for player in players:
        player.join()


if __name__ == "__main__":
    main()
