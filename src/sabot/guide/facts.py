"""Facts that a guide states: rules, table options, timers and house settings."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec import Struct

from sabot.games import Game
from sabot.games.options import TableOptions
from sabot.games.rules import Rules
from sabot.tables.live.timers import Timers
from sabot.texts import Catalogue


class HouseFacts(Struct, frozen=True):
    """The house's settings that a guide states."""

    demo_money: int
    sitting_cap: int
    abandoned_hours: int
    idle_minutes: int
    cooling_hours: int
    least_age: int


class Facts(Struct, frozen=True):
    """A game as it is played at one table."""

    game: Game
    options: TableOptions
    timers: Timers
    house: HouseFacts

    @property
    def rules(self) -> Rules:
        """The rules that the engine runs."""
        return self.game.rules

    def has(self, bet: str) -> bool:
        """Whether a side bet is offered at this table."""
        return self.rules.side_bet(bet) is not None and bet not in self.options.side_bets_off


class Speaker:
    """Fills in sentences: numbers with units, buttons and bets by the game's own names."""

    def __init__(self, catalogue: Catalogue, facts: Facts) -> None:
        self.catalogue = catalogue
        self.facts = facts
        name = facts.game.name
        self._names = {
            "label": _Names(lambda word: catalogue.label(word, name)),
            "bet": _Names(lambda word: catalogue.named("kind", word, name)),
            "category": _Names(lambda word: catalogue.named("category", word, name)),
        }

    def text(self, key: str, **params: object) -> str:
        """A text of the guide."""
        return self.catalogue.text(f"guide.{key}", **self._names, **params)

    def count(self, unit: str, number: float) -> str:
        """A number with its unit, one or many: `1 secondo`, `15 secondi`."""
        whole = int(number) if number == int(number) else number
        return self.text(f"unit.{unit}-one" if whole == 1 else f"unit.{unit}", n=self.number(whole))

    def number(self, number: float) -> str:
        """A number as the language writes it."""
        return self.catalogue.number(f"{number:,}")

    def listed(self, names: list[str]) -> str:
        """Some things in a row: `9, 10 o 11`."""
        if len(names) < 2:
            return "".join(names)
        return self.text("or", first=", ".join(names[:-1]), last=names[-1])


class _Names:
    """What `{label[hit]}` looks up."""

    def __init__(self, find: Callable[[str], str]) -> None:
        self._find = find

    def __getitem__(self, word: str) -> str:
        return self._find(word)


Applies = Callable[[Facts], bool]
Params = Callable[[Speaker, Facts], Mapping[str, object]]


class Sentence(NamedTuple):
    """One sentence of the guide: its text, the rules it states, when it holds and what is filled in."""

    key: str
    rules: tuple[str, ...]
    applies: Applies
    params: Params
