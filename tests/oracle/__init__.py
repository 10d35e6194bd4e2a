"""A second, naive implementation of a whole round, written from the rules alone, to judge the engine by.

Nothing here is shared with `sabot`: the cards, the prizes and the facts of each game are written down again.
"""

from tests.oracle.rounds import judge
from tests.oracle.state import Disagreement, Given, Verdict

__all__ = ["Disagreement", "Given", "Verdict", "judge"]
