"""A game's guide: every rule that affects a player, in sentences with the numbers in force (PLT-66).

The sentences of `sentences.toml` that apply at a table are filled in, section by section.
"""

import tomllib
from collections.abc import Callable
from importlib.resources import files
from operator import attrgetter
from typing import NamedTuple

from msgspec import Struct

from sabot.games import Game
from sabot.games.bonus import Bonus
from sabot.games.options import TableOptions
from sabot.games.rules import EVEN_MONEY, Rules
from sabot.tables.live.timers import Timers
from sabot.texts import Catalogue

_UNITS = (
    *("second", "minute", "hour", "year", "round", "player", "seat"),
    *("hand", "card", "deck", "spin", "chip"),
)


class HouseFacts(Struct, frozen=True):
    """The house's settings that a guide states."""

    demo_money: int
    abandoned_hours: int
    idle_minutes: int
    cooling_hours: int
    least_age: int


class Facts(Struct, frozen=True):
    """A game as it is played at one table; its attributes are conditions in `sentences.toml`."""

    game: Game
    options: TableOptions
    timers: Timers
    house: HouseFacts
    #: Whether a person deals at the table, with real cards (STU-01).
    studio: bool = False
    #: The most to bring to the table in a session, where there is a cap: by the names of limits at a solo game, which
    #: are chosen; at a live table one without a name (PLT-04).
    caps: tuple[tuple[str, int], ...] = ()

    def holds(self, condition: str) -> bool:
        """Whether a condition of `sentences.toml` holds: `solo`, `checks:ace`, `!rules.charlie`, `bet:buster`."""
        if condition.startswith("!"):
            return not self.holds(condition[1:])
        kind, _, word = condition.partition(":")
        match kind:
            case "solo" | "seats" | "boxes":
                return self.rules.backing == kind
            case "checks":
                return word in self.rules.checks
            case "bet":
                return self.offers(word)
        return bool(attrgetter(condition)(self))

    def offers(self, bet: str) -> bool:
        """Whether a side bet is offered at this table."""
        return self.rules.side_bet(bet) is not None and bet not in self.options.side_bets_off

    @property
    def rules(self) -> Rules:
        """The rules that the engine runs, as this table plays them."""
        return self.options.played(self.game.rules)

    # Conditions

    @property
    def free_bets(self) -> bool:
        return bool(self.rules.free_double or self.rules.free_split)

    @property
    def side_bets(self) -> bool:
        return any(self.offers(bet.name) for bet in self.rules.side_bets)

    @property
    def golden_capped(self) -> bool:
        return self.options.golden.cap is not None

    # Numbers

    @property
    def cards_before_charlie(self) -> int:
        """One card less than a Charlie."""
        return self.rules.charlie - 1

    @property
    def minutes_away(self) -> float:
        """Minutes after which the money of an absent player goes back to the account (PLT-04)."""
        return self.house.idle_minutes if self.holds("solo") else self.timers.absence / 60


class Section(Struct, frozen=True):
    """A heading and the sentences below it."""

    name: str
    title: str
    lines: tuple[str, ...]


class Sentence(NamedTuple):
    """A sentence of the guide: its key in the catalogue, the rules it states, the conditions under which it applies."""

    key: str
    rules: tuple[str, ...]
    when: tuple[str, ...]

    def applies(self, facts: Facts) -> bool:
        """Whether the sentence holds for a game."""
        return all(map(facts.holds, self.when))


def _load() -> dict[str, tuple[Sentence, ...]]:
    source = tomllib.loads(files("sabot.guide").joinpath("sentences.toml").read_text("utf-8"))
    return {
        section: tuple(
            Sentence(key, tuple(entry["rules"].split()), tuple(entry.get("when", "").split()))
            for key, entry in entries.items()
        )
        for section, entries in source.items()
    }


SECTIONS = _load()


def guide(facts: Facts, language: str) -> tuple[Section, ...]:
    """The sections of the guide of a game."""
    catalogue = Catalogue(language)
    values = _values(catalogue, facts)

    def text(key: str) -> str:
        line = catalogue.text(f"guide.{key}", **values)
        return line[:1].upper() + line[1:]

    sections = (
        Section(
            name, text(f"section.{name}"), tuple(text(one.key) for one in sentences if one.applies(facts))
        )
        for name, sentences in SECTIONS.items()
    )
    return tuple(section for section in sections if section.lines)


class _Lookup:
    """Makes a function a placeholder with an argument: `{label[hit]}`, `{second[timers.vote]}`."""

    def __init__(self, find: Callable[[str], str]) -> None:
        self._find = find

    def __getitem__(self, argument: str) -> str:
        return self._find(argument)


def _values(catalogue: Catalogue, facts: Facts) -> dict[str, object]:
    """The values that texts of the guide may name."""
    say, game, rules = catalogue.text, facts.game.name, facts.rules

    def number(value: float) -> str:
        return catalogue.number(f"{value:,}")

    def counted(unit: str) -> _Lookup:
        """A fact with its unit, one or many: `1 secondo`, `15 secondi`."""

        def count(fact: str) -> str:
            value = attrgetter(fact)(facts)
            whole = int(value) if value == int(value) else value
            return say(f"count.{unit}-one" if whole == 1 else f"count.{unit}", n=number(whole))

        return _Lookup(count)

    def prizes(name: str) -> str:
        bet = rules.side_bet(name)
        assert bet is not None
        return "; ".join(
            say("guide.prize", name=catalogue.named("category", category, game), n=pays)
            for category, pays in bet.prizes
        )

    *totals, last = map(str, rules.free_double or ("",))
    return {
        "rules": rules,
        "options": facts.options,
        "house": facts.house,
        "label": _Lookup(lambda word: catalogue.label(word, game)),
        "bet": _Lookup(lambda word: catalogue.named("kind", word, game)),
        "category": _Lookup(lambda word: catalogue.named("category", word, game)),
        "prizes": _Lookup(prizes),
        "even_money": EVEN_MONEY,
        "caps": "; ".join(
            f"{say(key) if (key := f'limits.{name}') in catalogue else name} {catalogue.amount(cap)}".strip()
            for name, cap in facts.caps
        ),
        "margin": number(facts.options.cashback_margin / 100),
        "free_totals": say("guide.or", first=", ".join(totals), last=last),
        **{unit: counted(unit) for unit in _UNITS},
        **(_bonus_values(rules.bonus, number) if rules.bonus else {}),
    }


def _bonus_values(bonus: Bonus, number: Callable[[float], str]) -> dict[str, object]:
    """Prizes and ranges of the Link bonus."""
    (least, most), (mega_least, mega_most) = bonus.range("link"), bonus.range("mega-link")
    return {
        "cash": ", ".join(f"X{section}" for section, _ in bonus.wheel if isinstance(section, int)),
        "multipliers": ", ".join(f"X{tile}" for tile, _ in bonus.tiles if isinstance(tile, int)),
        "diamonds": ", ".join(f"{name.upper()} X{pays}" for name, pays in bonus.pays),
        "values": ", ".join(f"{value}X" for value, _ in bonus.cells if value),
        "top": max(value for value, _ in bonus.cells),
        "least": number(least),
        "most": number(most),
        "mega_least": number(mega_least),
        "mega_most": number(mega_most),
    }
