"""Mass simulation of the engine's `Rules`, compiled: many million rounds a second."""

from sabot.simulate.lowered import SimulationError
from sabot.simulate.result import Result, SideResult
from sabot.simulate.run import prepare, simulate

__all__ = ["Result", "SideResult", "SimulationError", "prepare", "simulate"]
