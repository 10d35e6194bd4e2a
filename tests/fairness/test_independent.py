"""The second verifier agrees with the engine on what is right, and refuses what was changed."""

from __future__ import annotations

import ast
import sys
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from sabot.cards import format_card
from sabot.engine import Bet, Round, Shoe
from sabot.engine.commands import PlaceBets
from sabot.engine.events import BonusEnded, BonusStarted, TableOpened
from sabot.fairness import SeededShoe, SeedStream
from sabot.fairness.live import LiveShoe
from sabot.games import find
from sabot.record import Seeds, dumps, write
from sabot.record.notation import parse_command
from tests.fairness import independent
from tests.fairness.independent import Refused, check_live_shoe, check_opening, check_record
from tests.support.players import GAMES
from tests.support.table import fixed_price

SEED = bytes(range(32))
SOLO = [game for game in GAMES if not find(game).live]
LIVE = [game for game in GAMES if find(game).live]


def played(game: str, shoe: Shoe, client_seed: str, rng: Random, *, burn: bool = False) -> Round:
    """Main and side bets on every spot, then any legal move until the end."""
    found = find(game)
    round = Round(
        found.rules,
        shoe,
        purses={"ada": 1_000_000},
        options=replace(found.options, burn=burn),
        price=fixed_price(400_000_000),
        draw=SeedStream(SEED, client_seed, "bonus").below,
    )
    kinds = ["main", *(bet.name for bet in found.rules.side_bets if not bet.once)]
    bets = tuple(Bet(spot, kind, 500) for spot in range(found.rules.spots) for kind in kinds)
    round.apply(PlaceBets("ada", bets))
    round.apply(parse_command("deal"))
    while not round.over:
        moves = round.legal()
        round.apply(rng.choice(moves))
    return round


def solo_round(game: str, number: int) -> tuple[Round, str]:
    """A round from seeds with the text of its record."""
    client_seed = f"{game} {number}"
    shoe = SeededShoe(find(game).rules.decks, SeedStream(SEED, client_seed, "shoe"))
    round = played(game, shoe, client_seed, Random(number))
    return round, dumps(write(round, "CODE", Seeds(SEED, client_seed)))


def test_it_imports_the_standard_library_only() -> None:
    tree = ast.parse(Path(independent.__file__).read_text("utf-8"))
    imported = {
        (name.name if isinstance(node, ast.Import) else node.module or "").partition(".")[0]
        for node in ast.walk(tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in node.names
    }
    assert imported <= sys.stdlib_module_names


# Solo rounds


@pytest.mark.parametrize("game", SOLO)
def test_it_deals_every_solo_round_again(game: str) -> None:
    for number in range(40):
        round, text = solo_round(game, number)
        assert check_record(text) == len(round.tape.cards)


def test_it_plays_the_bonus_again() -> None:
    """Until it has seen a section that pays and a table that was played out."""
    ended = opened = 0
    for number in count():
        round, text = solo_round("link", 1000 + number)
        if any(isinstance(event, BonusStarted) for event in round.log):
            check_record(text)
            ended += any(isinstance(event, BonusEnded) for event in round.log)
            opened += any(isinstance(event, TableOpened) for event in round.log)
        if ended >= 5 and opened >= 2:
            return


def test_a_round_voided_under_way_is_checked_as_far_as_it_was_dealt() -> None:
    shoe = SeededShoe(6, SeedStream(SEED, "", "shoe"))
    round = Round(find("surrender").rules, shoe, purses={"ada": 10_000})
    round.apply(PlaceBets("ada", (Bet(2, "main", 1_000),)))
    for command in ("deal", "void the lights went out"):
        round.apply(parse_command(command))
    assert check_record(dumps(write(round, "CODE", Seeds(SEED, "")))) == 4


@pytest.fixture(scope="module")
def bonus_text() -> str:
    """The record of a round in which a bonus paid."""
    for number in count():
        round, text = solo_round("link", number)
        if any(isinstance(event, BonusEnded) for event in round.log):
            return text
    raise AssertionError


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('seed = "0001', 'seed = "0101', "commitment"),
        ('commitment = "63', 'commitment = "64', "commitment"),
        ('client_seed = "link', 'client_seed = "Link', "hands"),
        ("[shoe]\n", "[shoe]\nstart = 1\n", "hands"),
        ('game = "link"', 'game = "freebet"', "hands"),
        ("burn = false", "burn = true", "hands"),
    ],
)
def test_a_changed_record_is_refused(bonus_text: str, old: str, new: str, reason: str) -> None:
    check_record(bonus_text)
    assert old in bonus_text
    with pytest.raises(Refused, match=reason):
        check_record(bonus_text.replace(old, new, 1))


def test_a_changed_card_is_refused_wherever_it_lies(bonus_text: str) -> None:
    lines = bonus_text.splitlines()
    hands = [at for at, line in enumerate(lines) if line.startswith('cards = "')]
    assert len(hands) > 5
    for at in hands:
        first, *rest = lines[at].removeprefix('cards = "').rstrip('"').split()
        other = "As" if first != "As" else "2s"
        changed = [*lines[:at], f'cards = "{" ".join([other, *rest])}"', *lines[at + 1 :]]
        with pytest.raises(Refused, match=r"hands|dealer"):
            check_record("\n".join(changed))


def test_a_bonus_that_paid_otherwise_is_refused(bonus_text: str) -> None:
    row = bonus_text.index('why = "link"\nstake = 500\nresult = "win"')
    at = bonus_text.index("\npaid = ", row)
    with pytest.raises(Refused, match="bonus of spot"):
        check_record(f"{bonus_text[:at]}\npaid = 1{bonus_text[at + len('paid = ') + 1 :]}")


def test_a_record_without_seeds_proves_nothing() -> None:
    round, _ = solo_round("surrender", 0)
    with pytest.raises(Refused, match="no server seed"):
        check_record(dumps(write(round, "CODE")))


# Live shoes


def published(shoe: LiveShoe) -> dict[str, Any]:
    return {**asdict(shoe.promise), "server_seed": SEED.hex()}


@pytest.mark.parametrize("game", LIVE)
@pytest.mark.parametrize("burn", [False, True])
def test_it_deals_every_live_round_again(game: str, burn: bool) -> None:
    seeds = ["Ferrara", "perché no?", game]
    for number in range(8):
        shoe = LiveShoe(find(game).rules.decks, SEED, seeds, start=20 * number)
        client_seed = shoe.promise.client_seed
        round = played(game, shoe, client_seed, Random(number), burn=burn)
        text = dumps(write(round, "CODE", Seeds(SEED, client_seed)))
        assert check_record(text) == len(round.tape.cards)


@pytest.mark.parametrize("seeds", [[], [""], ["Ferrara"], ["Ferrara", "", "perché no?"]])
@pytest.mark.parametrize("decks", [1, 6, 8])
def test_it_makes_a_live_shoe_again(decks: int, seeds: list[str]) -> None:
    cards = 52 * decks
    shoe = LiveShoe(decks, SEED, seeds)
    order = check_live_shoe(published(shoe))
    assert order == [format_card(shoe.draw()) for _ in range(cards)]
    for k in [*range(0, cards, 17), cards - 1]:
        opening = shoe.opening(k)
        check_opening(shoe.promise.root, cards, k, format_card(opening.card), opening.salt, opening.path)


@pytest.mark.parametrize(
    ("part", "value", "reason"),
    [
        ("server_seed", "00" * 32, "commitment"),
        ("seeds", ["one"], "digest"),
        ("seeds", ["two", "one"], "digest"),
        ("client_seed", "one", "digest"),
        ("root", "00" * 32, "root"),
        ("decks", 6, "root"),
    ],
)
def test_a_changed_live_shoe_is_refused(part: str, value: object, reason: str) -> None:
    shoe = published(LiveShoe(8, SEED, ["one", "two"]))
    check_live_shoe(shoe)
    with pytest.raises(Refused, match=reason):
        check_live_shoe(shoe | {part: value})


@pytest.mark.parametrize(
    "change", [{"position": 6}, {"card": "As"}, {"salt": "00" * 16}, {"path": ["00" * 32] * 9}]
)
def test_a_changed_opening_is_refused(change: dict[str, Any]) -> None:
    shoe = LiveShoe(8, SEED, ["one"], start=10)
    opening = asdict(shoe.opening(5)) | {"card": format_card(shoe.opening(5).card)}
    check_opening(shoe.promise.root, 416, **opening)
    with pytest.raises(Refused, match="opening of position"):
        check_opening(shoe.promise.root, 416, **opening | change)
    for path in (opening["path"][:-1], (*opening["path"], "00" * 32)):
        with pytest.raises(Refused, match="length of a path"):
            check_opening(shoe.promise.root, 416, **opening | {"path": path})
