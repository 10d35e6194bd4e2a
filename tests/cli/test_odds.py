"""`sabot returns`, `odds`, `strategy` and `simulate`: their JSON, their tables, and how they fail."""

from __future__ import annotations

import importlib
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from distributed import LocalCluster
from typer.testing import CliRunner

from sabot.cli import app, shared
from sabot.games import CATALOGUE, find
from sabot.games.tables import BEST_TABLES
from sabot.odds.classes import full_shoe
from sabot.odds.game import game_values
from sabot.odds.values import Behind, action_values
from sabot.texts import Catalogue
from tests.cli.commands import fail, run

ACTIONS = ["stand", "hit", "double", "split", "surrender"]
ODDS_KEYS = ["game", "cards", "up", "dealer_blackjack", "actions", "best", "after_check"]
RETURN_KEYS = [
    "game",
    "bet",
    "published",
    "per_stake",
    "per_initial",
    "per_stake_cd",
    "per_initial_cd",
    "sd",
]


# odds


def test_odds_as_json_are_the_values_of_the_actions() -> None:
    found = json.loads(run("odds", "classic-6", "--cards", "8,8", "--up", "10", "--json"))
    assert list(found) == ODDS_KEYS
    assert (found["game"], found["cards"], found["up"]) == ("classic-6", ["8", "8"], "10")
    left = full_shoe(6)
    left[9] -= 1
    behind = Behind(find("classic-6").rules, left, 9)
    after = action_values(behind, behind.row((7, 7)))
    chance = found["dealer_blackjack"]
    assert chance == pytest.approx(24 / 309)
    assert list(found["actions"]) == list(found["after_check"]) == ACTIONS
    assert found["actions"]["surrender"] is None
    assert found["best"] == "split"
    for name, value in after.items():
        assert found["after_check"][name] == pytest.approx(value)
        assert found["actions"][name] == pytest.approx((1 - chance) * value - chance)


def test_odds_without_a_check_and_with_suits_and_seen_cards() -> None:
    args = ("odds", "link", "--cards", "10H 6s", "--up", "kD", "--json")
    found = json.loads(run(*args))
    assert (found["cards"], found["up"], found["after_check"]) == (["10h", "6s"], "Kd", None)
    assert found["actions"]["split"] is None
    seen = json.loads(run(*args, "--seen", "5,5,5,5,4"))
    assert seen["actions"]["hit"] < found["actions"]["hit"]


@pytest.mark.parametrize(
    ("lang", "parts"),
    [
        ("en", ("Hand 8 8 (16) against 10", "Dealer blackjack: 7.77%", "> split", "-52.334%", "-48.320%")),
        ("it", ("Mano 8 8 (16) contro 10", "Blackjack del banco: 7,77%", "> dividi", "-52,334%")),
    ],
)
def test_odds_to_read(lang: str, parts: tuple[str, ...]) -> None:
    text = run("odds", "classic-6", "--cards", "8,8", "--up", "10", "--lang", lang)
    for part in parts:
        assert part in text


def test_free_actions_are_called_so() -> None:
    text = run("odds", "freebet", "--cards", "5,5", "--up", "A", "--lang", "en")
    assert "double (free)" in text
    assert "split (free)" in text
    assert "(free)" not in run("odds", "freebet", "--cards", "10,10", "--up", "A", "--lang", "en")


def test_a_soft_hand_and_a_blackjack_are_called_so() -> None:
    assert "(soft 17)" in run("odds", "link", "--cards", "A,6", "--up", "2", "--lang", "en")
    assert "(blackjack)" in run("odds", "link", "--cards", "A,J", "--up", "2", "--lang", "en")


BATCH = """{"game":"classic-6","cards":["8","8"],"up":"10"}

{"game":"link","cards":["Ah","7",2],"up":6,"seen":["5"]}
{"cards":["A","K"],"up":"A"}
"""


def test_a_batch_answers_each_line(tmp_path: Path) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(BATCH)
    lines = run("odds", "surrender", "--batch", str(file)).splitlines()
    found = [json.loads(line) for line in lines]
    assert [list(one) for one in found] == [ODDS_KEYS] * 3
    assert [one["game"] for one in found] == ["classic-6", "link", "surrender"]
    assert lines[0] == run("odds", "classic-6", "--cards", "8,8", "--up", "10", "--json").strip()
    assert found[1]["cards"] == ["Ah", "7", "2"]
    assert found[2]["after_check"]["stand"] == 1.5
    assert run("odds", "surrender", "--batch", "-", stdin=BATCH).splitlines() == lines


@pytest.mark.parametrize(
    ("line", "parts"),
    [
        ('{"game":"poker","cards":["8","8"],"up":"10"}', ("riga 2", "'poker'", "surrender")),
        ('{"cards":["8","8"],"up":"10"}', ("riga 2", "quale gioco")),
        ('{"game":"link","cards":["8"],"up":"10"}', ("riga 2", "due carte")),
        ('{"game":"link","cards":"8,8","up":"10"}', ("riga 2", "cards")),
        ('{"game":"link","cards":["8","8"],"upp":"10"}', ("riga 2", "upp")),
        ("8,8 against 10", ("riga 2",)),
        ("\xff", ("riga 2",)),
    ],
)
def test_a_batch_says_which_line_is_wrong(tmp_path: Path, line: str, parts: tuple[str, ...]) -> None:
    file = tmp_path / "hands.jsonl"
    file.write_text(f'{{"game":"link","cards":["8","8"],"up":"10"}}\n{line}\n', "latin-1")
    result = CliRunner().invoke(app, ["odds", "--batch", str(file)])
    assert result.exit_code == 2
    assert result.stdout.count("\n") == 1
    for part in parts:
        assert part in result.stderr


@pytest.mark.parametrize(
    ("args", "parts"),
    [
        (("odds", "poker", "--cards", "8,8", "--up", "10"), ("'poker'", "surrender")),
        (("odds", "--cards", "8,8", "--up", "10"), ("surrender",)),
        (("odds", "link", "--cards", "8,8"), ("--up",)),
        (("odds", "link", "--cards", "8,Z", "--up", "10"), ("'Z'", "10h")),
        (("odds", "link", "--cards", "8,8", "--up", "1"), ("'1'", "10h")),
        (("odds", "link", "--cards", "8,8", "--up", "10", "--seen", "0"), ("'0'",)),
        (("odds", "link", "--cards", "8", "--up", "10"), ("due carte",)),
        (("odds", "link", "--cards", "8,8,8", "--up", "10"), ("8 8 8", "24")),
        (("odds", "link", "--cards", "As,As", "--up", "As", "--seen", "As,As,As,As"), ("As", "7", "6")),
        (("odds", "link", "--batch", "/nowhere/at/all"), ("/nowhere/at/all",)),
        (("odds", "link", "--batch", "x", "--cards", "8,8"), ("--batch", "--cards")),
        (("returns", "poker"), ("'poker'", "surrender")),
        (("strategy", "poker"), ("'poker'", "surrender")),
        (("strategy", "link", "--svg", "/nowhere/at/all.svg"), ("/nowhere/at/all.svg",)),
        (("strategy",), ("GAME", "surrender")),
        (("simulate", "poker"), ("'poker'", "surrender")),
        (("simulate", "link", "--rounds", "many"), ("'many'", "1e8")),
        (("simulate", "link", "--rounds", "0"), ("'0'",)),
        (("simulate", "link", "--rounds", "1.5"), ("'1.5'",)),
        (("simulate", "link", "--rounds", "inf"), ("'inf'",)),
        (("simulate", "link", "--side-bets", "top-3"), ("'top-3'", "21+3")),
        (("simulate", "link", "--hands", "6"), ("6", "5")),
        (("simulate", "link", "--workers", "0"), ("workers",)),
    ],
)
def test_a_mistake_is_answered_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    args: tuple[str, ...],
    parts: tuple[str, ...],
) -> None:
    line = fail(monkeypatch, capsys, *args)
    for part in parts:
        assert part in line


# returns


@pytest.mark.rule("RET-02")
def test_returns_as_json() -> None:
    rows = json.loads(run("returns", "link", "--json"))
    assert [list(row) for row in rows] == [RETURN_KEYS] * 5
    assert [row["bet"] for row in rows] == ["main", "player-pair", "21+3", "link", "dealer-pair"]
    values = game_values(find("link").rules)
    main_bet = rows[0]
    assert main_bet["published"] == 0.9957
    assert main_bet["per_stake"] == pytest.approx(values.table.per_stake)
    assert main_bet["per_initial"] == pytest.approx(values.table.per_initial)
    assert main_bet["per_stake_cd"] == pytest.approx(values.best.per_stake)
    assert main_bet["per_initial_cd"] == pytest.approx(values.best.per_initial)
    assert main_bet["sd"] == pytest.approx(1.145, abs=0.001)
    assert rows[3]["published"] is None
    assert rows[3]["per_stake"] == pytest.approx(0.95, abs=0.0005)


@pytest.mark.slow  # every game solved
def test_returns_of_all_games() -> None:
    rows = json.loads(run("returns", "--json"))
    assert [row["game"] for row in rows if row["bet"] == "main"] == list(CATALOGUE)
    assert all(row["sd"] > 0 for row in rows)


@pytest.mark.slow  # two games solved twice
@pytest.mark.parametrize("columns", ["80", "120"])
def test_cashback_and_free_bet_explain_their_two_numbers(
    monkeypatch: pytest.MonkeyPatch, columns: str
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    cashback, freebet = run("returns", "cashback"), run("returns", "freebet", "--lang", "en")
    assert "99,566%" in cashback
    assert "99,546% è quanto rende la tabella comune" in " ".join(cashback.split())
    assert "98.264%" in freebet
    assert "for the free split hand it is 98.270%." in " ".join(freebet.split())
    for text in (cashback, freebet):
        assert "…" not in text
        assert max(map(len, text.splitlines())) <= int(columns)


# strategy


@pytest.mark.rule("MAJ-30")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_majority_shows_eu_and_us_aces(game: str) -> None:
    lines = run("strategy", game, "--lang", "en").splitlines()
    assert sum(line.split()[-4:] == ["A", "EU", "A", "US"] for line in lines) == 3
    eights = next(line.split() for line in lines if line.startswith("8,8"))
    assert eights == ["8,8", *["SP"] * 8, "H", "H", "SP"]
    legend = [line.split() for line in lines if line.split()[:1] in (["H"], ["S"], ["D"], ["SP"])]
    assert legend == [["H", "hit"], ["S", "stand"], ["D", "double"], ["SP", "split"]]


def test_a_strategy_is_written_in_the_letters_of_the_keys() -> None:
    legend = run("strategy", "surrender").splitlines()
    assert any(line.split() == ["C", "carta"] for line in legend)
    assert any(line.split() == ["Rs", "raddoppia,", "altrimenti", "stai"] for line in legend)


def test_strategy_as_json_has_every_row() -> None:
    rows = json.loads(run("strategy", "surrender", "--json"))
    assert list(rows[0]) == ["game", "table", "kind", "hand", "cells"]
    best = BEST_TABLES["surrender"]
    assert len(rows) == len(best.hard) + len(best.soft) + len(best.pairs)
    cells = {(row["kind"], row["hand"]): row["cells"] for row in rows}
    assert list(cells["hard", "16"]) == ["2", "3", "4", "5", "6", "7", "8", "9", "10", "A"]
    assert "".join(cells["hard", "16"].values()) == "SSSSSHHRRR"
    assert cells["soft", "A,7"]["3"] == "Ds"
    assert cells["pairs", "A,A"]["A"] == "P"


def test_free_bet_has_a_table_for_the_free_hand() -> None:
    text = run("strategy", "freebet", "--lang", "en")
    assert "The free hand of a split" in text
    tables = {row["table"] for row in json.loads(run("strategy", "freebet", "--json"))}
    assert tables == {"best", "free"}


@pytest.mark.parametrize("game", sorted(CATALOGUE))
@pytest.mark.parametrize("lang", ["it", "en"])
def test_the_drawing_is_well_formed(tmp_path: Path, game: str, lang: str) -> None:
    file = tmp_path / "table.svg"
    assert str(file) in run("strategy", game, "--svg", str(file), "--lang", lang).replace("\n", "")
    root = ElementTree.parse(file).getroot()
    space = "{http://www.w3.org/2000/svg}"
    width, height = float(root.attrib["width"]), float(root.attrib["height"])
    texts = [text.text for text in root.iter(f"{space}text")]
    assert find(game).title in str(texts[0])
    assert {Catalogue(lang).named("strategy.letter", letter, game) for letter in "HSDP"} <= set(texts)
    for rect in list(root.iter(f"{space}rect"))[1:]:
        assert float(rect.attrib["x"]) + float(rect.attrib["width"]) <= width
        assert float(rect.attrib["y"]) + float(rect.attrib["height"]) <= height


# simulate


@pytest.mark.slow  # two simulations and exact distributions
def test_simulate_as_json_is_repeatable_and_near_the_exact_value() -> None:
    args = ("simulate", "surrender", "--rounds", "200_000", "--seed", "7", "--side-bets", "all", "--json")
    found: dict[str, Any] = json.loads(run(*args))
    assert found == json.loads(run(*args, "--workers", "1"))
    assert (found["game"], found["rounds"], found["complete"], found["seed"]) == (
        "surrender",
        200_000,
        True,
        7,
    )
    for name in ("per_stake", "per_initial"):
        assert abs(found[name] - found[f"{name}_exact"]) < 4.5 * found[f"{name}_error"]
    assert [bet["bet"] for bet in found["side_bets"]] == ["player-pair", "21+3", "dealer-pair"]
    for bet in found["side_bets"]:
        assert abs(bet["per_stake"] - bet["per_stake_exact"]) < 4.5 * bet["per_stake_error"]
        assert sum(bet["categories"].values()) == 200_000


@pytest.mark.parametrize(
    ("lang", "parts"),
    [
        ("en", ("100,000 rounds", "return per initial bet", "99.511%", "N0", "risk of ruin")),
        ("it", ("100.000 round", "ritorno per puntata iniziale", "99,511%", "N0", "rischio di rovina")),
    ],
)
def test_simulate_to_read(lang: str, parts: tuple[str, ...]) -> None:
    text = run("simulate", "link", "--rounds", "1e5", "--seed", "1", "--hands", "2", "--lang", lang)
    for part in parts:
        assert part in " ".join(text.split())


@pytest.mark.slow  # a cluster of processes
def test_a_simulation_on_a_dask_cluster_gives_the_same_numbers() -> None:
    args = ("simulate", "surrender", "--rounds", "200_000", "--seed", "7", "--json")
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None) as cluster:
        assert run(*args, "--cluster", cluster.scheduler_address) == run(*args)


def test_a_cluster_that_cannot_be_used_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    args = ("simulate", "surrender", "--rounds", "1000", "--cluster", "tcp:/nowhere", "--lang", "en")
    result = CliRunner().invoke(app, args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no Dask scheduler at tcp:/nowhere" in result.stderr
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = CliRunner().invoke(app, args)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "pip install 'sabot[cluster]'" in result.stderr


@pytest.mark.slow
def test_an_interrupted_simulation_prints_what_it_has(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(bar: object, task: object, **fields: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("rich.progress.Progress.update", interrupt)
    args = ["simulate", "classic-6", "--rounds", "1e12", "--workers", "1", "--lang", "en"]
    result = CliRunner().invoke(app, args)
    assert result.exit_code == 130
    assert "Interrupted after 2,000,000 rounds" in result.stdout
    assert "return per initial bet" in result.stdout
    found = json.loads(CliRunner().invoke(app, [*args, "--json"]).stdout)
    assert (found["complete"], found["rounds"]) == (False, 2_000_000)


# The first call


TINY = """
import numba

@numba.njit(cache=True)
def double(x):
    return 2 * x
"""


def test_a_call_that_compiles_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "tiny.py").write_text(TINY)
    monkeypatch.syspath_prepend(tmp_path)
    double = importlib.import_module("tiny").double
    shared.note_compiling(shared.Output("en"), double)
    assert capsys.readouterr().err.startswith("Compiling the odds")
    double(1)
    shared.note_compiling(shared.Output("en"), double)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize("command", ["odds link --cards 8,8 --up 10", "simulate link --rounds 1000 --seed 1"])
def test_the_first_call_says_that_it_compiles(monkeypatch: pytest.MonkeyPatch, command: str) -> None:
    first = CliRunner().invoke(app, [*command.split(), "--json", "--lang", "en"])
    looked_up: list[str] = []
    monkeypatch.setattr(shared, "_is_compiled", lambda function: looked_up.append(function.__name__))
    again = CliRunner().invoke(app, [*command.split(), "--json", "--lang", "en"])
    assert again.stderr.startswith("Compiling the odds")
    assert looked_up
    assert first.stdout == again.stdout
