"""A run of the live simulator: crowds at live tables while the house dies and comes back, again and again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from sabot.server.accounts.logins import Login
from sabot.server.config import Config, TableSection
from sabot.server.tables.opening import LIVE
from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.register import Register
from sabot.store.store import Store
from sabot.tables.config import Dealing
from sabot.tables.live.timers import Timers
from tests.faults.live.history import History
from tests.faults.live.life import Life
from tests.faults.live.player import Habits, Player
from tests.faults.live.process import Process, Server
from tests.faults.live.record import check_balances, check_bets, check_shown
from tests.faults.simulated.crash import Commits, Faults
from tests.faults.simulated.house import Memory
from tests.faults.simulated.invariants import check_audit, check_house, check_over, requests_of, rows_of
from tests.faults.simulated.loop import VirtualLoop
from tests.faults.simulated.shoes import DrawnShoes
from tests.faults.simulated.simulation import LIVES, check_player, one_life

DEPOSIT = 60_000
USUAL = Habits()


@dataclass(frozen=True)
class Crowd:
    """Players of one table."""

    table: TableSection
    players: int
    habits: Habits = USUAL
    #: How many of them have a second page open, and how many disappear in the end.
    twins: int = 0
    vanish: int = 0

    @property
    def name(self) -> str:
        """The table's name in the log."""
        return LIVE + self.table.name


@dataclass(frozen=True)
class LiveScenario:
    """Crowds at tables, and how many rounds each table is to play."""

    name: str
    crowds: tuple[Crowd, ...]
    rounds: int
    #: Seconds between two things that a supervisor does; 0 for none.
    supervised: float = 40.0
    #: Seconds between two moments in which nobody moves and everything is compared.
    hushed: float = 12.0
    #: How often the process comes back as another release, which gives open rounds back.
    other_engines: float = 0.0
    #: Kinds of rows that a run must write, or the scenario does not show what it is for.
    shows: frozenset[str] = frozenset()
    #: A seed under which it does.
    seed: int = 1


class LiveRun(NamedTuple):
    """What a run came to."""

    commits: int
    lives: int
    faults: int
    rows: int
    rounds: int
    #: Virtual seconds, and moments at which everything was compared.
    seconds: int
    hushes: int
    questions: int


def section(
    name: str,
    game: str,
    cut: int = 60,
    *,
    shuffling_table: bool = False,
    dealing: Dealing = "house",
    **options: Any,
) -> TableSection:
    """A live table for play money, with few rounds in a shoe, from which those who are away are soon sent."""
    timers = Timers(absence=120, betting=10, payout=2, shuffling_table=shuffling_table)
    options["cut"] = cut
    return TableSection(name=name, game=game, currency="FUN", options=options, timers=timers, dealing=dealing)


def simulate_live(
    scenario: LiveScenario, url: str, seed: int | str, faults: Faults, *, audit: bool = True
) -> LiveRun:
    """Run a scenario to its end; an `AssertionError` says what was not as it must be."""
    memory = Memory(url, seed, Commits(faults), DrawnShoes(f"{scenario.name}/{seed}"), None)
    memory.other_engines = scenario.other_engines
    return run_world(World(scenario, memory), memory, url, audit=audit)


def run_world(world: World, memory: Memory, url: str, *, audit: bool) -> LiveRun:
    """Let the players play to the end, and compare what they were shown with the books."""
    inspector = Database(url, durable=False)
    try:
        world.furnish(inspector)
        while not world.live():
            assert memory.lives < LIVES, "the house comes back and back and the rounds do not end"
            world.check(inspector)
        world.check(inspector)
        world.check_end(inspector)
        if audit:
            check_audit(inspector)
        rows = len(rows_of(inspector))
    finally:
        inspector.close()
    return LiveRun(
        memory.commits.count,
        memory.lives,
        len(memory.commits.happened),
        rows,
        len(world.rounds),
        int(memory.now),
        sum(life.hushes for life in world.lives),
        sum(len(player.asked) for player in world.players),
    )


class World:
    """What outlives every process: the players, and what they were shown."""

    kind: type[Life] = Life

    def __init__(self, scenario: LiveScenario, memory: Memory) -> None:
        self.scenario = scenario
        self.memory = memory
        self.players: list[Player] = []
        self.histories = {crowd.name: History(crowd.name) for crowd in scenario.crowds}
        self.lives: list[Life] = []
        #: Rounds that are over and were looked at.
        self.rounds: set[str] = set()

    def furnish(self, database: Database) -> None:
        """Register everyone, with money and here and there a golden chip; that is not what fails here."""
        store = Store(database)
        cashier, register = Cashier.open(store, 1), Register.open(store, 1)
        for crowd in self.scenario.crowds:
            for i in range(crowd.players):
                name = f"{crowd.table.name}-{i}"
                number = cashier.register(name, 1)
                cashier.deposit(number, "FUN", DEPOSIT, "first", 1)
                if i % 4 == 0:
                    register.grant_golden(None, number, "FUN", 200, 2, "a gift", 1)
                self._seat(crowd, Login(number, name), i)

    def _seat(self, crowd: Crowd, person: Login, i: int) -> None:
        habits = crowd.habits._replace(vanishes=i < crowd.vanish)
        for label in (person.name, f"{person.name}b")[: 1 + (i < crowd.twins)]:
            history = self.histories[crowd.name]
            self.players.append(Player(person, label, history, habits, self.memory.seed))

    def live(self) -> bool:
        """One life of the process; says whether everyone came home."""
        return one_life(self.memory, self._begin)

    def _begin(self, memory: Memory, loop: VirtualLoop) -> Life:
        config, scenario = Config(table=tuple(crowd.table for crowd in self.scenario.crowds)), self.scenario
        life = self.kind(
            self._server(memory, loop, config),
            self.players,
            self.histories,
            rounds=scenario.rounds,
            supervised=scenario.supervised,
            hushed=scenario.hushed,
        )
        self.lives.append(life)
        return life

    def _server(self, memory: Memory, loop: VirtualLoop, config: Config) -> Server:
        """What the players have before them."""
        return Process(memory, loop, config)

    # What must be so

    def check(self, database: Database) -> None:
        """After each life: the books are right, and what was shown is what they say."""
        check_house(database)
        check_bets(database, self.rounds)
        for history in self.histories.values():
            check_shown(database, history)
        seen: dict[int, set[int]] = {}
        for player in self.players:
            seen.setdefault(player.person.player, set()).update(player.page.take_balances())
        check_balances(database, seen)

    def check_end(self, database: Database) -> None:
        """Nobody is stuck, and everyone has what was brought and what was won."""
        check_over(database)
        asked: dict[int, set[str]] = {}
        stored: dict[int, set[str]] = {}
        refused: dict[int, set[str]] = {}
        for player in self.players:
            number = player.person.player
            asked.setdefault(number, {"first"}).update(player.asked)
            stored.setdefault(number, set()).update(player.stored())
            refused.setdefault(number, set()).update(player.refused())
        for number in asked:
            check_player(database, number, DEPOSIT, stored[number], asked[number])
            done = refused[number] & requests_of(database, number)
            assert not done, f"player {number}: {done} were refused and done all the same"
