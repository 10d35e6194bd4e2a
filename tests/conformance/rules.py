"""The rule ids, and what a run of the tests says about each."""

import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Literal

import msgspec

HERE = Path(__file__).parent
IDS = HERE / "ids.toml"
PROVED = HERE / "proved.txt"

Outcome = Literal["passed", "failed", "skipped", "not run"]
State = Literal["proved", "failed", "skipped", "none"]


class Carrier(msgspec.Struct, frozen=True):
    """A test that carries rule ids, and what became of it."""

    rules: list[str]
    outcome: Outcome


class Run(msgspec.Struct, frozen=True):
    """What the plugin writes: the carriers by node id, and how far the run can be trusted."""

    whole: bool  # no test was left out by a selection
    finished: bool  # pytest came to its end: no usage error, interruption or failed collection
    tests: dict[str, Carrier]


class Verdict(msgspec.Struct, frozen=True):
    rule: str
    title: str
    tests: list[str]
    state: State


def titles(path: Path = IDS) -> dict[str, str]:
    """Every rule id with its title, in the order of the rule book.

    >>> titles()["COM-08"]
    'Equal totals push'
    """
    sections = tomllib.loads(path.read_text("utf-8"))
    return {rule: title for section in sections.values() for rule, title in section.items()}


def state(outcomes: Iterable[Outcome]) -> State:
    """What the outcomes of all tests that carry an id say about it.

    >>> state(["passed", "skipped"])
    'proved'
    >>> state(["passed", "failed"])
    'failed'
    >>> state([])
    'none'
    """
    seen = set(outcomes)
    if "failed" in seen:
        return "failed"
    if "passed" in seen:
        return "proved"
    return "skipped" if seen else "none"


def verdicts(run: Run) -> list[Verdict]:
    """One verdict for each id, in the order of the rule book."""
    carriers: dict[str, dict[str, Outcome]] = {rule: {} for rule in titles()}
    for test, carrier in run.tests.items():
        for rule in carrier.rules:
            carriers[rule][test] = carrier.outcome
    return [
        Verdict(rule, title, list(carriers[rule]), state(carriers[rule].values()))
        for rule, title in titles().items()
    ]


def read_proved(path: Path) -> list[str]:
    """The ids recorded as proved; lines that begin with # are comments."""
    if not path.exists():
        return []
    lines = (line.strip() for line in path.read_text("utf-8").splitlines())
    return [line for line in lines if line and not line.startswith("#")]


def add_proved(path: Path, rules: Iterable[str]) -> list[str]:
    """Add ids to the record, which only grows, and return those that are new."""
    old = read_proved(path)
    new = [rule for rule in rules if rule not in old]
    order = {rule: place for place, rule in enumerate(titles())}
    text = path.read_text("utf-8") if path.exists() else ""
    comments = [line for line in text.splitlines() if line.startswith("#")]
    path.write_text("\n".join([*comments, *sorted(old + new, key=order.__getitem__), ""]), "utf-8")
    return new
