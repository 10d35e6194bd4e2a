"""The results of a test of the shuffle, as text and as JSON."""

from dataclasses import dataclass, field

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from sabot.cli.commands.battery import BatteryRow
from sabot.cli.render.layout import number_table
from sabot.fairness.uniform import CLIENT_SEED, Verdict
from sabot.texts import Catalogue

#: A p-value this near to 0 or 1 fails: counts that are too even are as suspect as uneven ones.
LIMIT = 1e-6


@dataclass
class Findings:
    """Counts and verdicts, with the rows of the battery if it ran."""

    shoes: int
    complete: bool
    decks: int
    seed: str | None
    seconds: float = 0.0
    verdicts: dict[str, Verdict] = field(default_factory=dict)
    #: Commitment to the seed of the stream that the battery read.
    commitment: str = ""
    battery: list[BatteryRow] = field(default_factory=list)
    battery_seconds: float = 0.0

    @property
    def failed(self) -> list[str]:
        """The names of the tests that failed."""
        ours = [name for name, verdict in self.verdicts.items() if not LIMIT <= verdict.p <= 1 - LIMIT]
        return ours + [f"{row.test} {row.ntup}" for row in self.battery if not LIMIT <= row.p <= 1 - LIMIT]

    @property
    def passed(self) -> bool:
        """Whether something was tested and nothing failed."""
        return bool(self.verdicts) and not self.failed


def findings_json(found: Findings) -> dict[str, object]:
    return {
        "shoes": found.shoes,
        "complete": found.complete,
        "decks": found.decks,
        "seed": found.seed,
        "client_seed": CLIENT_SEED,
        "seconds": round(found.seconds, 1),
        "limit": LIMIT,
        "passed": found.passed,
        "failed": found.failed,
        "tests": found.verdicts,
        "battery": [row._asdict() for row in found.battery],
    }


def findings_view(catalogue: Catalogue, found: Findings) -> RenderableType:
    say = catalogue.text
    key = "rng.found" if found.complete else "rng.interrupted"
    shoes = catalogue.number(f"{found.shoes:,}")
    head = say(key, shoes=shoes, decks=found.decks, seconds=f"{found.seconds:.0f}")
    parts: list[RenderableType] = [Text(head, "bold")]
    if found.seed is not None:
        parts.append(Text(say("rng.seed", seed=found.seed)))
    if not found.verdicts:
        return Group(*parts, Text(say("rng.too-few")))
    parts += [Text(), _verdict_table(catalogue, found), Text()]
    if found.battery:
        seconds = f"{found.battery_seconds:.0f}"
        parts.append(Text(say("rng.battery", commitment=found.commitment, seconds=seconds), "bold"))
        parts += [_battery_table(catalogue, found), Text(), Text(say("rng.battery-foot"), "dim")]
    parts.append(Text(say("rng.foot"), "dim"))
    if found.failed:
        names = [say(f"rng.{name}") if name in found.verdicts else name for name in found.failed]
        parts.append(Text(say("rng.failed", tests=", ".join(names)), "bold red"))
    else:
        parts.append(Text(say("rng.passed"), "green"))
    return Group(*parts)


def _verdict_table(catalogue: Catalogue, found: Findings) -> Table:
    say = catalogue.text
    table = number_table(*(say(f"rng.{head}") for head in ("test", "chi-square", "freedom", "p")))
    for name, verdict in found.verdicts.items():
        chi_square = catalogue.number(f"{verdict.chi_square:.1f}")
        table.add_row(say(f"rng.{name}"), chi_square, str(verdict.freedom), _p(catalogue, verdict.p))
    return table


def _battery_table(catalogue: Catalogue, found: Findings) -> Table:
    say = catalogue.text
    table = number_table(say("rng.test"), say("rng.ntup"), say("rng.p"), "")
    for row in found.battery:
        table.add_row(row.test, str(row.ntup), _p(catalogue, row.p), row.assessment)
    return table


def _p(catalogue: Catalogue, p: float) -> Text:
    text = f"{p:.4f}" if p >= 0.0001 else f"{p:.1e}"
    style = "" if LIMIT <= p <= 1 - LIMIT else "bold red"
    return Text(catalogue.number(text), style)
