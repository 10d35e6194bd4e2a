"""A run of the simulator of several nodes: crowds at live tables while nodes die, stand still, are cut off and come back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sabot.errors import Refusal
from sabot.server.accounts.logins import Login
from sabot.server.config import Config
from sabot.store.cashier import Cashier
from sabot.store.database import Database
from sabot.store.nodes.node import TakenError
from sabot.store.store import Store
from tests.faults.live.history import History
from tests.faults.live.life import Life
from tests.faults.live.process import Noise, Server
from tests.faults.live.scenarios import BOXES, CALM, SEATS
from tests.faults.live.simulation import DEPOSIT, Crowd, LiveRun, LiveScenario, World, run_world
from tests.faults.simulated.crash import Commits, Faults
from tests.faults.simulated.house import DATABASE_ERRORS, Memory
from tests.faults.simulated.loop import DiedError, VirtualLoop
from tests.faults.simulated.nodes.cluster import SimulatedCluster, Weather
from tests.faults.simulated.nodes.solo import SoloPlayer, table_of
from tests.faults.simulated.shoes import DrawnShoes


@dataclass(frozen=True)
class NodesScenario:
    """A scenario of live tables, and what happens to the nodes."""

    play: LiveScenario
    weather: Weather
    #: How many play alone.
    solo: int = 0

    @property
    def name(self) -> str:
        """Under which it is run again."""
        return self.play.name


class _NodesNoise(Noise):
    """What nodes log that they did not expect; a database that went away is expected here.

    So is a node that cannot join again before a lease of its own name ends: the answer to its first attempt was lost.
    """

    def is_expected(self, error: BaseException | None) -> bool:
        passing = isinstance(error, Refusal) and error.code in ("stream/owned", "node/buried")
        return (
            passing
            or isinstance(error, (*DATABASE_ERRORS, DiedError, TakenError))
            or super().is_expected(error)
        )


class NodesLife(Life):
    """The life of a house of several nodes, of which some die."""

    noise = _NodesNoise

    def _note(self, loop: Any, context: dict[str, Any]) -> None:
        if not isinstance(context.get("exception"), DiedError):
            super()._note(loop, context)


class NodesWorld(World):
    """What outlives every node."""

    kind = NodesLife

    def __init__(self, scenario: NodesScenario, memory: Memory) -> None:
        super().__init__(scenario.play, memory)
        self._weather, self._solo = scenario.weather, scenario.solo

    def furnish(self, database: Database) -> None:
        """Register everyone, those who play alone too."""
        super().furnish(database)
        cashier = Cashier.open(Store(database), 1)
        for i in range(self._solo):
            name = f"alone-{i}"
            number = cashier.register(name, 1)
            cashier.deposit(number, "FUN", DEPOSIT, "first", 1)
            history = self.histories[table_of(number)] = History(table_of(number))
            for label in (name, f"{name}b")[: 1 + i % 2]:
                self.players.append(SoloPlayer(Login(number, name), label, history, self.memory.seed))

    def _server(self, memory: Memory, loop: VirtualLoop, config: Config) -> Server:
        return SimulatedCluster(memory, loop, config, self._weather)


def simulate_nodes(
    scenario: NodesScenario, url: str, seed: int | str, faults: Faults, *, audit: bool = True
) -> LiveRun:
    """Run a scenario to its end; an `AssertionError` says what was not as it must be."""
    memory = Memory(url, seed, Commits(faults), DrawnShoes(f"{scenario.name}/{seed}"), None)
    return run_world(NodesWorld(scenario, memory), memory, url, audit=audit)


#: A few players for every fault at every commit.
PAIR = NodesScenario(
    LiveScenario("pair", (Crowd(BOXES, 3, CALM),), rounds=1, supervised=0, hushed=10, seed=3),
    Weather(nodes=2),
    solo=1,
)
#: A short storm.
GALE = NodesScenario(
    LiveScenario("gale", (Crowd(BOXES, 3), Crowd(SEATS, 3)), rounds=1, hushed=15),
    Weather(nodes=3, every=12.0, bus=0.01),
    solo=2,
)
#: Everything at once.
STORM = NodesScenario(
    LiveScenario("storm", (Crowd(BOXES, 6, twins=2), Crowd(SEATS, 6, twins=1)), rounds=4, hushed=30),
    Weather(nodes=3, every=15.0, bus=0.01),
    solo=4,
)
