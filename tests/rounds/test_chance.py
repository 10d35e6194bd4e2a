"""Where the cards of stored rounds come from, and what they do not depend on."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import pytest

from sabot.engine.events import CardDealt, HoleShown
from sabot.fairness import stream
from sabot.rounds.shoes import SecureShoes
from sabot.store.database import Database
from sabot.store.kinds import Currency
from tests.faults.simulated.simulation import fresh_file
from tests.support.house import VAULT, CountedShoes
from tests.support.ledger import rows
from tests.support.room import Room, live

SOLO = ("surrender", "cashback", "link")


def new_room(folder: Path, game: str, shoes: Any, **more: Any) -> Room:
    """A room on a database of its own."""
    database = Database(fresh_file(folder / "house.db"), durable=False)
    return Room(database, game, shoes, **more)


def cards_of(room: Room) -> list[int]:
    """Stand on everything to the end; gives every card in the order it was turned."""
    while room.table.in_round:
        spot, hand = room.table.current.round.turn
        room.do(f"{spot}.{hand} stand")
    return [event.card for event in room.events if isinstance(event, CardDealt | HoleShown)]


@pytest.mark.rule("ASR-04")
@pytest.mark.parametrize("game", SOLO)
def test_cards_depend_on_no_stake_no_balance_and_no_currency(game: str, tmp_path: Path) -> None:
    """Demo play takes its cards from the same generator by the same way: with the same seeds they are the same."""
    cases: list[tuple[Currency, int, int]] = [
        ("EUR", 100, 1_000),
        ("EUR", 50_000, 90_000),
        ("FUN", 100, 90_000),
        ("FUN", 50_000, 50_000),
    ]
    dealt = []
    for currency, stake, bring in cases:
        room = new_room(tmp_path, game, CountedShoes(VAULT, 0), currency=currency, bring=bring)
        room.deal((0, "main", stake), insurance=False)
        dealt.append(cards_of(room))
        room.database.close()
    assert len(dealt[0]) >= 4
    assert dealt == [dealt[0]] * len(cases)


@pytest.mark.rule("ASR-04")
@pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
def test_cards_depend_on_no_person(game: str, tmp_path: Path) -> None:
    """Whoever of three bets, and however much: the cards of a live shoe are those of its seeds."""
    dealt = []
    for player, stake in ((1, 100), (2, 5_000), (3, 2_500)):
        room = live(new_room(tmp_path, game, CountedShoes(VAULT, 0), players=3), "Ferrara")
        room.bet(player, (0, "main", stake))
        room.do("deal")
        dealt.append(cards_of(room))
        room.database.close()
    assert len(dealt[0]) >= 4
    assert dealt == [dealt[0]] * 3


@pytest.mark.rule("ASR-01")
def test_each_shoe_has_a_seed_of_the_systems_generator(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Thirty rounds: as many seeds are asked for as there are shoes, each is used for one, and none comes twice.

    `secrets` draws from the operating system. A player sees the hash of a seed, and the seed when its shoe is done.
    """
    drawn: list[bytes] = []

    def token_bytes(count: int) -> bytes:
        drawn.append(secrets.token_bytes(count))
        return drawn[-1]

    assert vars(stream)["token_bytes"] is secrets.token_bytes
    monkeypatch.setattr(stream, "token_bytes", token_bytes)
    room = new_room(tmp_path, "surrender", SecureShoes(VAULT))
    for _ in range(30):
        room.deal((0, "main", 100), insurance=False)
        cards_of(room)
    shoes = rows(room.database, "SELECT seed, commitment, sealed FROM shoes ORDER BY id")
    revealed = [seed for seed, _, _ in shoes if seed is not None]
    assert len(shoes) == len(drawn) == len(set(drawn)) == 31  # the next one is promised
    assert revealed == drawn[:30]
    assert all(len(seed) == 32 for seed in drawn)
    *_, (hidden, promised, sealed) = shoes
    assert (hidden, promised) == (None, stream.commitment(drawn[30]))
    assert isinstance(sealed, bytes)
    assert drawn[30] not in sealed
    room.database.close()
