"""What docs/play/fairness.md prints is what the code does, and what the second verifier does."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict

from sabot.cards import format_cards, parse_card
from sabot.cli.commands.battery import TESTS
from sabot.fairness import SeededShoe, SeedStream, commitment
from sabot.fairness.live import CardOpening, LiveShoe
from sabot.fairness.merkle import MerkleTree
from sabot.fairness.stream import numbered_seed
from sabot.fairness.uniform import judge_pairs, judge_places, tally_shoes
from sabot.games import CATALOGUE
from sabot.games.bonus import Bonus
from tests.fairness import independent
from tests.fairness.kept import KEPT

DOCS = Path(__file__).parents[2] / "docs" / "play"
TEXT = (DOCS / "fairness.md").read_text("utf-8")


def block(title: str) -> dict[str, Any]:
    """The fenced TOML that begins with this remark."""
    found = re.search(rf"^```toml\n# {title}.*?\n(.*?)^```", TEXT, re.MULTILINE | re.DOTALL)
    assert found
    return tomllib.loads(found[1])


@pytest.fixture(scope="module")
def vectors() -> dict[str, Any]:
    return block("vectors")


def test_solo(vectors: dict[str, Any]) -> None:
    solo = vectors["solo"]
    seed, client_seed = bytes.fromhex(solo["server_seed"]), solo["client_seed"]
    stream, bonus = SeedStream(seed, client_seed, "shoe"), SeedStream(seed, client_seed, "bonus")
    shoe = SeededShoe(6, SeedStream(seed, client_seed, "shoe"))
    assert solo == {
        "server_seed": seed.hex(),
        "client_seed": client_seed,
        "commitment": commitment(seed),
        "block_0": stream.block(0).hex(),
        "block_1": stream.block(1).hex(),
        "first_cards": format_cards(shoe.draw() for _ in range(20)),
        "bonus_below_1000": [bonus.below(1000) for _ in range(10)],
    }
    assert independent.shoe_order(seed, client_seed, 6)[:20] == solo["first_cards"].split()


def test_merkle(vectors: dict[str, Any]) -> None:
    leaves = [bytes.fromhex(leaf) for leaf in vectors["merkle"]["leaves"]]
    assert [MerkleTree(leaves[:count]).root.hex() for count in (1, 2, 3)] == vectors["merkle"]["roots"]


def test_live(vectors: dict[str, Any]) -> None:
    live = vectors["live"]
    shoe = LiveShoe(live["decks"], bytes.fromhex(live["server_seed"]), live["seeds"])
    promise = asdict(shoe.promise)
    assert {name: live[name] for name in promise} | {"seeds": tuple(live["seeds"])} == promise
    assert format_cards(shoe.draw() for _ in range(20)) == live["first_cards"]
    assert independent.check_live_shoe(live)[:20] == live["first_cards"].split()


def test_opening(vectors: dict[str, Any]) -> None:
    live, opening = vectors["live"], vectors["live"]["opening"]
    independent.check_opening(live["root"], 416, **opening)
    ours = CardOpening(
        opening["position"], parse_card(opening["card"]), opening["salt"], tuple(opening["path"])
    )
    shoe = LiveShoe(live["decks"], bytes.fromhex(live["server_seed"]), live["seeds"], start=6)
    assert shoe.opening(5) == ours


def test_bonus_weights() -> None:
    weights, bonus = block("bonus weights"), Bonus()
    for name in ("wheel", "cells", "tiles", "diamonds", "pays"):
        assert [tuple(pair) for pair in weights[name]] == list(getattr(bonus, name))
    assert weights["link"] == [bonus.link.columns, bonus.link.start]
    assert weights["mega-link"] == [bonus.mega_link.columns, bonus.mega_link.start]
    assert weights["spins"] == bonus.spins


def test_decks() -> None:
    rows = re.findall(r"^\| (`.*`) \| (\d) \|$", TEXT, re.MULTILINE)
    printed = {name: int(decks) for names, decks in rows for name in re.findall("`(.*?)`", names)}
    assert printed == {name: game.rules.decks for name, game in CATALOGUE.items()}
    assert printed == independent.DECKS
    without_hole = {name for name, game in CATALOGUE.items() if not game.rules.hole_card}
    assert without_hole == independent.WITHOUT_HOLE_CARD


# The run that is kept


def test_the_kept_run_is_of_a_million_shoes_and_of_this_stream() -> None:
    assert KEPT.startswith("$ sabot rng-test --seed sabot --battery")
    assert "1,000,000 shoes" in KEPT
    assert commitment(numbered_seed("sabot", 0)) in KEPT
    assert "No test failed" in KEPT


def test_the_kept_battery_has_no_failure() -> None:
    rows = re.findall(r"^((?:diehard|sts)_\w+) +\d+ +(\d\.\d+) +(PASSED|WEAK|FAILED)$", KEPT, re.MULTILINE)
    assert len({name for name, _, _ in rows}) == len(TESTS)
    assert len(rows) > 40
    assert {word for _, _, word in rows} <= {"PASSED", "WEAK"}
    assert sum(word == "WEAK" for _, _, word in rows) <= 3


@pytest.mark.slow  # twenty thousand shoes
@pytest.mark.rule("ASR-05")
def test_the_first_of_the_million_shoes_give_the_verdicts_they_gave() -> None:
    """The shoes again, uniform by both tests; `make rng` compares all million with the numbers that are kept."""
    tally = tally_shoes(20_000, 6, "sabot")
    for verdict, chi_square in ((judge_places(tally), 15984.69), (judge_pairs(tally), 2762.47)):
        assert 1e-6 < verdict.p < 1 - 1e-6
        assert round(verdict.chi_square, 2) == chi_square
