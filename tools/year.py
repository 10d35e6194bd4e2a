"""A year of generated play in an empty database, for measurements and tests of the back office.

Real rounds of the five games by the engine, with real shoes, written through the store's own groups: `sabot audit --key`
finds nothing. It refuses a database in which there is anything already.
`python -m tools.year --database sqlite:///year.db --key year.key --rounds 1e6`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, date, datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from typing import NamedTuple

import sqlalchemy

from sabot.engine import AnyCommand, Bet
from sabot.engine.commands import Cashback, CloseOffers, Deal, Decision, EvenMoney, Insure, PlaceBets
from sabot.engine.inputs import Chance
from sabot.engine.round import Round
from sabot.games import Game, find
from sabot.games.rules import Rules
from sabot.games.tables import BEST_TABLES
from sabot.odds.price import prepare, price
from sabot.rounds.codes import SecureCodes
from sabot.rounds.fold import fold_all
from sabot.rounds.shoes import KeptShoe, SecureShoes
from sabot.server.office.events import Events
from sabot.server.office.watching import ReturnWatch
from sabot.server.run import SystemClock, open_vault
from sabot.store import schema
from sabot.store.cashier import Cashier
from sabot.store.commit import Committed, Outcome, commit_group
from sabot.store.database import Database, migrate
from sabot.store.entry import LogEntry
from sabot.store.kinds import Currency
from sabot.store.register import Register
from sabot.store.store import Store
from sabot.tables.config import TableConfig, Tools
from sabot.tables.opening import open_table
from sabot.tables.table import Step, Table

_DAY_MS = 86_400_000
#: Entries of one transaction.
_GROUP = 4_000
#: How often each game is played, and in which money; live tables have some players at once.
_GAMES: tuple[tuple[str, Currency, float], ...] = (
    ("surrender", "EUR", 0.40),
    ("surrender", "FUN", 0.05),
    ("link", "EUR", 0.25),
    ("cashback", "EUR", 0.05),
    ("freebet", "EUR", 0.10),
    ("majority-eu", "EUR", 0.10),
    ("majority-us", "FUN", 0.05),
)
_ROUNDS = {"solo": (10, 60), "live": (20, 40)}


class Plan(NamedTuple):
    """What one process plays."""

    database: str
    key: str
    first: date
    days: int
    rounds: int
    players: int
    number: int
    seed: int


class QueueWriter:
    """Keeps entries and writes them in large groups; before `hold` each is written at once."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._entries: list[LogEntry] = []
        self.hold = False

    def submit(self, entry: LogEntry, answer: Callable[[Outcome], None]) -> None:
        """Take an entry; it is answered before it is written, because nothing here is ever refused."""
        self._entries.append(entry)
        if not self.hold or len(self._entries) >= _GROUP:
            self.flush()
        answer(Committed(b""))

    def flush(self) -> None:
        """Write what waits."""
        with self._database.writing() as connection:
            outcomes = commit_group(connection, self._entries)
        refused = [outcome for outcome in outcomes if not isinstance(outcome, Committed)]
        if refused:
            raise RuntimeError(f"the store refused {refused[0]}")
        self._entries = []


class _Shoes(SecureShoes):
    """Secure shoes that build a live shoe once, not for each of its rounds."""

    _last: tuple[int, Chance] | None = None

    def open(self, rules: Rules, kept: KeptShoe, start: int) -> Chance:
        if self._last is not None and self._last[0] == kept.id and self._last[1].shoe.dealt == start:
            return self._last[1]
        chance = super().open(rules, kept, start)
        if rules.backing != "solo":
            self._last = (kept.id, chance)
        return chance


class Year:
    """The play of one process: its own players and tables, day after day."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._rng = Random(f"{plan.seed}/{plan.number}")
        self._database = Database(plan.database, durable=False)
        self._writer = QueueWriter(self._database)
        self._store = Store(self._database, self._writer)
        self._now = _millis(plan.first)
        self._cashier = Cashier(self._store, self._store.take(f"cashier/year-{plan.number}", self._now))
        self._payments = count(1)
        shoes = _Shoes(open_vault(Path(plan.key)))
        self._tools = Tools(self._store, shoes, price, SecureCodes(plan.number))
        self._people = [self._register(f"year-{plan.number}-{n}") for n in range(plan.players)]
        self._bots = [self._register(f"bot-{plan.number}-{n}", bot=True) for n in range(3)]
        self._tables: dict[str, Table] = {}
        self._accounts: dict[tuple[int, Currency], int] = {}
        prepare(find("cashback").rules)
        self._writer.hold = True

    def play(self) -> int:
        """Play all days; returns the number of rounds."""
        played, plan = 0, self._plan
        for day in range(plan.days):
            self._now = max(self._now, _millis(plan.first) + day * _DAY_MS)
            wanted = plan.rounds * (day + 1) // plan.days
            while played < wanted:
                played += self._session(wanted - played, plan.rounds / plan.days)
        self._writer.flush()
        self._database.close()
        return played

    def _session(self, most: int, a_day: float) -> int:
        """Some rounds at one table; the time goes on so that the rounds of a day fill it."""
        (game, currency, _), *_ = self._rng.choices(_GAMES, [share for *_, share in _GAMES])
        found = find(game)
        rounds = min(most, self._rng.randint(*_ROUNDS["live" if found.live else "solo"]))
        pace = 0.98 * _DAY_MS / a_day
        play = self._at_live if found.live else self._at_solo
        play(found, currency, [int(self._now + turn * pace) for turn in range(1, rounds + 1)])
        self._now += int(rounds * pace)
        return rounds

    def _at_solo(self, game: Game, currency: Currency, times: Sequence[int]) -> None:
        player = self._rng.choice(self._people)
        table = self._table(f"solo/{player}/{game.name}/{currency}", game, currency)
        self._sit(table, player, times[0])
        for at in times:
            stake, options = self._stake(), table.options
            bets = [Bet(spot, "main", stake) for spot in range(self._rng.choice((1, 1, 1, 2, 3)))]
            for side in table.rules.side_bets:
                limits = options.limits(side.name)
                if not side.once and self._rng.random() < 0.2 and limits.minimum <= 100:
                    bets.append(Bet(0, side.name, 100))
            if table.balance(str(player)) < 10 * stake * len(bets):
                self._keep(table.add_money(str(player), self._fund(player, currency, 50_000, at), at))
            self._keep(table.deal(player, tuple(bets), f"seed {at}", at))
            self._finish(table, at)
        self._leave(table, player, times[-1])

    def _at_live(self, game: Game, currency: Currency, times: Sequence[int]) -> None:
        table = self._table(f"live/{game.name}-{self._plan.number}", game, currency)
        players = self._rng.sample(self._people, 3) + (self._bots[:2] if currency == "FUN" else [])
        for player in players:
            self._sit(table, player, times[0])
        for at in times:
            round = table.current
            if not table.shoes.seeded or (round is not None and round.round.cut_card_out):
                self._submit(table.shoes.shuffle(at))
                self._submit(table.shoes.seed_shoe(["a year"], at))
            self._submit(table.open_round(at))
            for spot, player in enumerate(players):
                where = spot if game.rules.backing == "seats" else spot % 2
                if table.balance(str(player)) >= 20_000:
                    self._keep(table.apply(PlaceBets(str(player), (Bet(where, "main", self._stake()),)), at))
            if not table.current or not table.current.round.book.bets:
                self._keep(table.void("nobody plays", at))
                continue
            self._keep(table.apply(Deal(), at))
            self._finish(table, at)
        for player in players:
            self._leave(table, player, times[-1])

    def _finish(self, table: Table, at: int) -> None:
        """Play the round on, mostly by the best table."""
        while table.in_round:
            assert table.current is not None
            self._keep(table.apply(self._choose(table.current.round), at))

    def _choose(self, round: Round) -> AnyCommand:
        legal = round.legal()
        answers = [move for move in legal if isinstance(move, Insure | EvenMoney)]
        if answers:
            return self._rng.choices(answers, [0.05 if move.accept else 1 for move in answers])[0]
        decisions = {
            str(type(move).__struct_config__.tag): move for move in legal if isinstance(move, Decision)
        }
        if not decisions:
            return next((move for move in legal if not isinstance(move, CloseOffers)), legal[0])
        if self._rng.random() < 0.03:
            return self._rng.choice(list(decisions.values()))
        plain = {name: move for name, move in decisions.items() if not isinstance(move, Cashback)}
        assert round.turn is not None
        spot, hand = round.turn
        best = BEST_TABLES[round.rules.name].action(
            round.play.spots[spot][hand],
            round.play.dealer.cards[0],
            plain.keys(),  # type: ignore[arg-type]
        )
        return plain.get(best, next(iter(plain.values())))

    # Money and people

    def _register(self, name: str, *, bot: bool = False) -> int:
        return self._cashier.register(name, self._now, demo=bot, bot=bot)

    def _stake(self) -> int:
        return self._rng.choice((100, 200, 200, 500, 500, 1_000, 2_500))

    def _table(self, name: str, game: Game, currency: Currency) -> Table:
        if name not in self._tables:
            config = TableConfig(name=name, game=game, currency=currency)
            self._tables[name] = open_table(config, self._tools, self._now)
        return self._tables[name]

    def _sit(self, table: Table, player: int, at: int) -> None:
        amount = self._fund(player, table.config.currency, 100_000, at)
        self._submit(table.sit(player, amount, at))

    def _leave(self, table: Table, player: int, at: int) -> None:
        currency = table.config.currency
        self._accounts[player, currency] += table.balance(str(player))
        self._submit(table.leave(str(player), at))
        have = self._accounts[player, currency]
        if have > 250_000 or self._rng.random() < 0.05:
            amount = have // 2
            if amount:
                self._cashier.withdraw(player, currency, amount, f"out-{next(self._payments)}", at)
                self._accounts[player, currency] -= amount

    def _fund(self, player: int, currency: Currency, amount: int, at: int) -> int:
        """Take money from a player's account to a table, after a deposit where there is too little."""
        have = self._accounts.get((player, currency), 0)
        if have < amount:
            self._cashier.deposit(player, currency, amount, f"in-{next(self._payments)}", at)
            have += amount
        self._accounts[player, currency] = have - amount
        return amount

    def _keep(self, step: Step) -> None:
        for entry in step.entries:
            self._submit(entry)

    def _submit(self, entry: LogEntry) -> None:
        self._writer.submit(entry, lambda _: None)


def generate(
    url: str, key: Path, rounds: int, players: int, first: date, days: int, processes: int, seed: int
) -> int:
    """Fill an empty database; returns the number of rounds."""
    database = Database(url, durable=False)
    migrate(database)
    with database.reading() as connection:
        if connection.execute(
            sqlalchemy.select(sqlalchemy.func.count()).select_from(schema.streams)
        ).scalar():
            raise SystemExit("the database has rows already: a year of play is generated into an empty one")
    open_vault(key)
    store = Store(database)
    Cashier.open(store, _millis(first))
    Register.open(store, _millis(first))
    plans = [
        Plan(url, str(key), first, days, share, max(3, players // processes), number, seed)
        for number, share in enumerate(_shares(rounds, processes))
    ]
    if processes == 1:
        played = _play(plans[0])
    else:
        with ProcessPoolExecutor(processes) as pool:
            played = sum(pool.map(_play, plans))
    fold_all(database, ReturnWatch(Events(_nowhere, SystemClock(), lambda: "year")).take_rounds)
    if not database.is_sqlite:
        with database.writing() as connection:
            connection.exec_driver_sql("ANALYZE")
    database.close()
    return played


async def _nowhere(_: object) -> None:
    """Alarms of the returns are stored with the rounds; nothing else is noted here."""


def _play(plan: Plan) -> int:
    return Year(plan).play()


def _shares(whole: int, parts: int) -> Iterator[int]:
    for part in range(parts):
        yield whole * (part + 1) // parts - whole * part // parts


def _millis(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * 1000


def main() -> None:
    """Generate from the command line."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--database", required=True)
    parser.add_argument("--key", type=Path, required=True)
    parser.add_argument("--rounds", type=float, default=1e6)
    parser.add_argument("--players", type=int, default=2_000)
    parser.add_argument("--days", type=int, default=365)
    parser.add_argument("--last", type=date.fromisoformat, default=datetime.now(UTC).date())
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    start, first = time.monotonic(), asked.last - timedelta(days=asked.days)
    played = generate(
        asked.database,
        asked.key,
        int(asked.rounds),
        asked.players,
        first,
        asked.days,
        asked.processes,
        asked.seed,
    )
    print(f"{played:,} rounds from {first} in {time.monotonic() - start:.0f} s")


if __name__ == "__main__":
    main()
