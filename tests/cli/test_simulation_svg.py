"""The drawing of `sabot simulate --svg`: its numbers are those of the simulation, and its file is asked for first."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

from sabot.cli import app
from sabot.cli.commands import simulation
from sabot.games import find
from sabot.games.tables import BEST_TABLES
from sabot.odds.distribution import table_distribution
from sabot.odds.game import game_tables
from sabot.simulate import Result
from sabot.simulate import simulate as play

SPACE = "{http://www.w3.org/2000/svg}"
ROUNDS, SEED = 200_000, 7


class Row(NamedTuple):
    """The texts of one row, and what is drawn beside them."""

    texts: list[str]
    bar: float | None
    marks: list[float]
    dots: list[float]


class Picture:
    """A drawing, read back."""

    def __init__(self, file: Path) -> None:
        self.root = ElementTree.parse(file).getroot()
        self.texts = [str(text.text) for text in self.root.iter(f"{SPACE}text")]
        self.bars = list(self.root.iter(f"{SPACE}rect"))[1:]

    def row(self, label: str) -> Row:
        texts = list(self.root.iter(f"{SPACE}text"))
        y = next(float(text.attrib["y"]) for text in texts if text.text == label) - 5
        mine = [str(text.text) for text in texts if abs(float(text.attrib["y"]) - 5 - y) < 1]
        bars = [float(bar.attrib["width"]) for bar in self.bars if abs(float(bar.attrib["y"]) + 7.5 - y) < 1]
        marks = [
            float(line.attrib["x1"])
            for line in self.root.iter(f"{SPACE}line")
            if line.attrib["x1"] == line.attrib["x2"]
            and abs(float(line.attrib["y1"]) + 10 - y) < 1
            and abs(float(line.attrib["y2"]) - 10 - y) < 1
        ]
        dots = [
            float(dot.attrib["cx"])
            for dot in self.root.iter(f"{SPACE}circle")
            if abs(float(dot.attrib["cy"]) - y) < 1
        ]
        return Row(mine, bars[0] if bars else None, marks, dots)


def drawn(tmp_path: Path, game: str, *args: str, rounds: int = ROUNDS) -> Picture:
    file = tmp_path / "plot.svg"
    command = ["simulate", game, "--rounds", str(rounds), "--seed", str(SEED), "--svg", str(file), *args]
    result = CliRunner().invoke(app, command)
    assert result.exit_code == 0, result.output
    assert str(file) in result.stdout.replace("\n", "")
    return Picture(file)


def played(game: str, hands: int = 1) -> Result:
    return play(find(game).rules, ROUNDS, strategy=BEST_TABLES[game], seed=SEED, hands=hands)


def label(value: float) -> str:
    return f"{value:+g}".replace("-", "\N{MINUS SIGN}") if value else "0"


@pytest.mark.slow  # a simulation and exact distributions
@pytest.mark.parametrize("game", ["surrender", "freebet", "majority-eu"])
def test_the_bars_are_the_frequencies_and_the_marks_the_exact_chances(tmp_path: Path, game: str) -> None:
    picture = drawn(tmp_path, game, "--lang", "en")
    tables = game_tables(find(game).rules)
    exact = dict(table_distribution(tables.columns, tables.best).items())
    found = played(game).distribution
    assert found.keys() <= exact.keys()
    assert len(picture.bars) == len(exact)
    left = float(picture.bars[0].attrib["x"])
    widest = max(float(bar.attrib["width"]) for bar in picture.bars)
    scale = widest / max(found.values())
    for value, chance in exact.items():
        row, share = picture.row(label(value)), found.get(value, 0.0)
        assert row.texts[1].split(" ± ")[0] == f"{100 * share:.3f}%"
        assert row.texts[2] == f"{100 * chance:.3f}%"
        assert row.bar == pytest.approx(share * scale, abs=0.01)
        assert row.marks == [pytest.approx(left + chance * scale, abs=0.01)]


@pytest.mark.slow  # simulations and exact returns
@pytest.mark.parametrize("lang", ["it", "en"])
def test_each_return_has_its_dot_on_its_side_of_the_exact_one(tmp_path: Path, lang: str) -> None:
    args = ("--side-bets", "all", "--lang", lang)
    picture = drawn(tmp_path, "majority-eu", *args)
    told: dict[str, Any] = json.loads(
        CliRunner()
        .invoke(
            app,
            ["simulate", "majority-eu", "--rounds", str(ROUNDS), "--seed", str(SEED), *args, "--json"],
        )
        .stdout
    )
    stake = {"it": "ritorno per puntata", "en": "return per stake"}[lang]
    pair = {"it": "coppia del giocatore", "en": "player pair"}[lang]
    side = next(bet for bet in told["side_bets"] if bet["bet"] == "player-pair")
    centre = next(
        float(text.attrib["x"])
        for text in picture.root.iter(f"{SPACE}text")
        if text.text == "0" and text.attrib["text-anchor"] == "middle"
    )
    offsets = []
    for name, bet in ((stake, told), (pair, side)):
        row = picture.row(name)
        numbers = (bet["per_stake"], 1.96 * bet["per_stake_error"], bet["per_stake_exact"])
        found, bound, exact = (f"{100 * number:.3f}%" for number in numbers)
        expected = [name, f"{found} ± {bound}", exact]
        assert row.texts == [text.replace(".", {"it": ",", "en": "."}[lang]) for text in expected]
        offsets.append((row.dots[0] - centre) / (bet["per_stake"] - bet["per_stake_exact"]))
    assert offsets[0] == pytest.approx(offsets[1], rel=0.02)
    assert offsets[0] > 0
    assert len(list(picture.root.iter(f"{SPACE}circle"))) == 2 + len(told["side_bets"])


@pytest.mark.parametrize(
    ("lang", "parts"),
    [
        ("it", ("200.000 round", "Risultato di un round, in puntate iniziali", "−0,5", "+1,5", "esatto")),  # noqa: RUF001
        ("en", ("200,000 rounds", "Result of a round, in initial bets", "−0.5", "+1.5", "exact")),  # noqa: RUF001
    ],
)
def test_the_drawing_speaks_both_languages_and_to_those_who_cannot_see_it(
    tmp_path: Path, lang: str, parts: tuple[str, ...]
) -> None:
    picture = drawn(tmp_path, "surrender", "--lang", lang)
    text = "\n".join(picture.texts)
    for part in parts:
        assert part in text
    title, desc = (str(picture.root.findtext(f"{SPACE}{tag}")) for tag in ("title", "desc"))
    assert title == picture.texts[0]
    assert find("surrender").title in title
    assert picture.row(parts[2]).texts[1].split(" ± ")[0] in desc
    assert picture.root.attrib["aria-labelledby"] == "title desc"


def test_many_hands_have_no_exact_marks_and_their_rare_ends_are_put_together(tmp_path: Path) -> None:
    picture = drawn(tmp_path, "surrender", "--hands", "5", "--lang", "en")
    found = played("surrender", hands=5).distribution
    assert 25 < len(picture.bars) <= 35 < len(found)
    scale = max(float(bar.attrib["width"]) for bar in picture.bars) / max(found.values())
    assert sum(float(bar.attrib["width"]) for bar in picture.bars) == pytest.approx(scale, abs=0.1)
    ends = [text for text in picture.texts if text[0] in "≤≥"]
    assert len(ends) == 2
    assert "The exact chances are known for one hand only." in picture.texts
    assert picture.row("0").marks == []
    low = float(ends[0].replace("\N{MINUS SIGN}", "-")[2:])
    share = sum(chance for value, chance in found.items() if value <= low)
    assert picture.row(ends[0]).texts[1].startswith(f"{100 * share:.3f}% ± ")


@pytest.mark.slow  # simulations and exact returns
@pytest.mark.parametrize(("game", "hands", "rounds"), [("link", 1, 1), ("link", 5, 50), ("classic-6", 1, 2)])
@pytest.mark.parametrize("lang", ["it", "en"])
def test_nothing_leaves_the_page_even_after_few_rounds(
    tmp_path: Path, game: str, hands: int, rounds: int, lang: str
) -> None:
    args = ("--hands", str(hands), "--side-bets", "all", "--lang", lang)
    root = drawn(tmp_path, game, *args, rounds=rounds).root
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    for line in root.iter(f"{SPACE}line"):
        assert all(0 <= float(line.attrib[x]) <= width for x in ("x1", "x2"))
        assert all(0 <= float(line.attrib[y]) <= height for y in ("y1", "y2"))
    for text in root.iter(f"{SPACE}text"):
        x, long = float(text.attrib["x"]), 0.66 * float(text.attrib["font-size"]) * len(str(text.text))
        left = x - {"start": 0.0, "middle": long / 2, "end": long}[text.attrib["text-anchor"]]
        assert left >= 0
        assert left + long <= width
        assert float(text.attrib["y"]) < height
    assert "nan" not in "".join(str(text.text) for text in root.iter(f"{SPACE}text"))


@pytest.mark.parametrize(
    ("lang", "reason"), [("it", "non si può scrivere"), ("en", "cannot be written: No such file")]
)
def test_a_file_that_cannot_be_written_is_refused_before_any_round(
    monkeypatch: pytest.MonkeyPatch, lang: str, reason: str
) -> None:
    def never(*_: object) -> None:
        raise AssertionError("rounds were played")

    monkeypatch.setattr(simulation, "_run", never)
    result = CliRunner().invoke(app, ["simulate", "link", "--svg", "/nowhere/at/all.svg", "--lang", lang])
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("sabot: /nowhere/at/all.svg ")
    assert reason in result.stderr


def test_a_directory_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["simulate", "link", "--rounds", "1e9", "--svg", str(tmp_path)])
    assert result.exit_code == 2
    assert str(tmp_path) in result.stderr


@pytest.mark.parametrize("before", [None, "an older drawing"])
def test_a_simulation_that_fails_leaves_the_file_as_it_was(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, before: str | None
) -> None:
    file = tmp_path / "plot.svg"
    if before is not None:
        file.write_text(before)

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(simulation, "_run", fail)
    assert CliRunner().invoke(app, ["simulate", "link", "--svg", str(file)]).exit_code == 1
    assert (file.read_text() if file.exists() else None) == before


def test_json_stays_json_beside_a_drawing(tmp_path: Path) -> None:
    file = tmp_path / "plot.svg"
    args = ["simulate", "link", "--rounds", "1000", "--seed", "1", "--json"]
    result = CliRunner().invoke(app, [*args, "--svg", str(file)])
    assert json.loads(result.stdout) == json.loads(CliRunner().invoke(app, args).stdout)
    assert Picture(file).texts


def test_a_file_that_fails_at_the_end_costs_the_drawing_alone() -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("there is no /dev/full")
    result = CliRunner().invoke(app, ["simulate", "link", "--rounds", "1000", "--svg", str(full)])
    assert result.exit_code == 2
    assert "ritorno per puntata" in result.stdout
    assert "/dev/full" in result.stderr
