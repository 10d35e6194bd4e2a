"""The live shoe as players see it: promised, mixed, proved card by card, revealed at its end (ASR-02, ASR-03).

These tables deal from real shoes, in the order of their seeds. The table tells the salt of each card it turns; the path
from a card to the root is public arithmetic on the shoe, here asked of the shoe itself.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

import msgspec
import pytest

from sabot.engine.events import CardBurnt, CardDealt, HoleDealt, HoleShown
from sabot.engine.view import table_view
from sabot.fairness.live import (
    CardOpening,
    LiveShoe,
    ShoePromise,
    check_shoe,
    seeds_digest,
)
from sabot.games.options import TableOptions
from sabot.tables.live.events import (
    CardProof,
    CardsProved,
    PhaseChanged,
    ShoeCommitted,
    ShoeRevealed,
    ShoeSeeded,
)
from tests.fairness.independent import Refused
from tests.support.house import VAULT, CountedShoes
from tests.support.live_hall import Hall, OpenHall
from tests.support.openings import check_opening

GAMES = pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
BURNING = TableOptions(burn=True, cut=12)


def real(open_hall: OpenHall, game: str, options: TableOptions, players: int = 2) -> Hall:
    """A table with shoes that are sealed in a vault."""
    shoes = CountedShoes(VAULT, 0)
    hall = open_hall(game, players=players, options=options, shoes=shoes, vault=VAULT)
    return hall.bring_in({1: (0,) if game == "freebet" else (), 2: ()}).consent(1, 2)


def play_round(hall: Hall) -> None:
    """Player 1 has a bet, and time passes."""
    hall.until("betting").bet(1, (0, "main", 100))
    hall.until("payout")


def whole_shoe(hall: Hall) -> LiveShoe:
    """The shoe of the table with all its cards: what only the house knows."""
    kept = hall.live.table.shoes.shoe
    assert kept is not None
    return LiveShoe(8, VAULT.open(kept.sealed, kept.commitment), kept.seeds, 416)


def proved(hall: Hall) -> dict[int, CardProof]:
    """The cards that were proved, by their place in the shoe."""
    proofs = [proof for event in hall.heard(CardsProved) for proof in event.cards]
    assert len({proof.position for proof in proofs}) == len(proofs), "a card is proved once"
    return {proof.position: proof for proof in proofs}


def lying(hall: Hall) -> Iterator[tuple[int, int | None]]:
    """The place of each card that left the shoe, and its face as far as it was shown."""
    place = hole = 0
    faces: dict[int, int | None] = {}
    for event in hall.told:
        if isinstance(event, CardDealt | HoleDealt | CardBurnt):
            hole = place if isinstance(event, HoleDealt) else hole
            faces[place] = event.card if isinstance(event, CardDealt) else None
            place += 1
        elif isinstance(event, HoleShown):
            faces[hole] = event.card
    yield from faces.items()


@GAMES
def test_a_shoe_is_promised_mixed_and_promised_again_before_any_bet(open_hall: OpenHall, game: str) -> None:
    """The commitment comes first; seeds, one of each account, while the shoe is shuffled; digest and root; then bets."""
    hall = real(open_hall, game, TableOptions())
    (committed,) = hall.heard(ShoeCommitted)
    assert hall.phase == "shuffle"
    assert hall.view.shoe is not None
    assert (hall.view.shoe.commitment, hall.view.shoe.client_seed) == (committed.commitment, "")
    hall.seed(2, "Ferrara")
    hall.seed(1, "perché no?")
    for player, seed in ((1, "another"), (2, "Ferrara"), (2, "two\nlines")):
        with hall.refuses("seed/unusable"):
            hall.seed(player, seed)
    assert hall.heard(ShoeSeeded) == []
    hall.until("betting")
    (seeded,) = hall.heard(ShoeSeeded)
    assert (seeded.client_seed, seeded.seeds) == (seeds_digest(["Ferrara", "perché no?"]), 2)
    assert hall.told.index(seeded) < hall.told.index(PhaseChanged("betting", hall.view.until))
    shoe = whole_shoe(hall).promise
    assert (seeded.root, committed.commitment, seeded.client_seed) == (
        shoe.root,
        shoe.commitment,
        shoe.client_seed,
    )
    for _ in range(2):
        with hall.refuses("seed/late"):
            hall.seed(1, "late")
        hall.tick()


def test_without_seeds_the_digest_is_that_of_an_empty_list(open_hall: OpenHall) -> None:
    hall = real(open_hall, "freebet", TableOptions()).until("betting")
    (seeded,) = hall.heard(ShoeSeeded)
    assert (seeded.client_seed, seeded.seeds) == (seeds_digest([]), 0)


@GAMES
def test_every_card_that_is_turned_is_proved_and_no_other(open_hall: OpenHall, game: str) -> None:
    """Three rounds with a burnt card each: what lies face up has its salt, and the root promised it at its place.

    The salt of a hole card is told when it is turned, that of a burnt card not at all.
    """
    hall = real(open_hall, game, TableOptions(burn=True))
    hall.seed(1, "Ferrara")
    for _ in range(3):
        play_round(hall)
        assert {place: face for place, face in lying(hall) if face is not None} == {
            place: proof.card for place, proof in proved(hall).items()
        }
    (seeded,) = hall.heard(ShoeSeeded)
    shoe = whole_shoe(hall)
    burnt = [place for place, face in lying(hall) if face is None]
    assert len(burnt) == 3
    for place, proof in proved(hall).items():
        path = shoe.opening(place).path
        check_opening(seeded.root, 416, CardOpening(place, proof.card, proof.salt, path))  # type: ignore[arg-type]
        other = CardOpening(place, (proof.card + 1) % 52, proof.salt, path)  # type: ignore[arg-type]
        with pytest.raises(Refused):
            check_opening(seeded.root, 416, other)
    text = msgspec.json.encode((hall.told, hall.view, table_view(hall.round)))
    undealt = range(len(dict(lying(hall))), 416)
    assert not any(shoe.salt(place).encode() in text for place in (*burnt, *undealt))


@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_the_salt_of_a_hole_card_waits_for_the_card(open_hall: OpenHall, game: str) -> None:
    """At the fourth place of the shoe it lies face down until the dealer turns it; in a void round for ever."""
    hall = real(open_hall, game, TableOptions())
    hall.until("betting").bet(1, (0, "main", 100))
    hall.until("dealing")
    if hall.round.over:  # this shoe does not begin so
        raise AssertionError
    assert dict(lying(hall))[3] is None
    salt = whole_shoe(hall).salt(3)
    assert set(proved(hall)) == {0, 1, 2}
    assert salt not in json.dumps(json.loads(msgspec.json.encode((hall.told, hall.view))))
    hall.until("payout")
    assert proved(hall)[3].salt == salt
    hall.next("betting").bet(1, (0, "main", 100))
    start = hall.round.tape.start
    hall.until("dealing").void()
    hall.next("betting")
    assert start + 3 not in proved(hall)


@GAMES
def test_everything_is_revealed_when_the_shoe_is_replaced(open_hall: OpenHall, game: str) -> None:
    """Seed and seeds make the whole shoe again, with the promised root and every card that was seen.

    Nothing of the seed is told before; the next shoe has another.
    """
    hall = real(open_hall, game, BURNING)
    hall.seed(1, "Ferrara")
    while "last-round" not in hall.words:
        play_round(hall)
    kept = hall.live.table.shoes.shoe
    assert kept is not None
    secret = VAULT.open(kept.sealed, kept.commitment)
    assert hall.heard(ShoeRevealed) == []
    assert secret.hex() not in repr(hall.told)
    seen = {place: face for place, face in lying(hall) if face is not None}
    hall.next("shuffle")
    (revealed,) = hall.heard(ShoeRevealed)
    (committed, next_one) = hall.heard(ShoeCommitted)
    (seeded,) = hall.heard(ShoeSeeded)
    promise = ShoePromise(8, committed.commitment, ("Ferrara",), seeded.client_seed, seeded.root)
    assert (revealed.commitment, revealed.client_seed) == (committed.commitment, seeded.client_seed)
    order = check_shoe(promise, bytes.fromhex(revealed.server_seed), seen)
    assert [order[place] for place in sorted(seen)] == [seen[place] for place in sorted(seen)]
    assert next_one.commitment != committed.commitment
    hall.seed(1, "Ferrara")  # one for each shoe


@pytest.mark.parametrize("phase", ["dealing", "decisions", "payout"])
def test_places_are_right_after_a_restart(open_hall: OpenHall, phase: str) -> None:
    """Killed between the deal and the hole card, and between two rounds: each proof is still that of its place."""
    hall = real(open_hall, "freebet", TableOptions(burn=True))
    play_round(hall)
    hall.next("betting").bet(1, (0, "main", 100))
    hall.until(phase).restart(1, 2)  # type: ignore[arg-type]
    if phase != "payout":
        hall.until("payout")
    play_round(hall.next("betting") if phase != "payout" else hall)
    assert {place: face for place, face in lying(hall) if face is not None} == {
        place: proof.card for place, proof in proved(hall).items()
    }
    shoe = whole_shoe(hall)
    assert all(shoe.salt(place) == proof.salt for place, proof in proved(hall).items())


def test_seeds_sent_before_a_restart_are_sent_again(open_hall: OpenHall) -> None:
    """Nothing was promised of them yet: the commitment is the same, and the list begins anew."""
    hall = real(open_hall, "freebet", TableOptions())
    hall.seed(1, "Ferrara")
    hall.restart(1, 2)
    assert hall.phase == "shuffle"
    hall.seed(2, "first")
    hall.seed(1, "second")
    hall.until("betting")
    assert [seeded.client_seed for seeded in hall.heard(ShoeSeeded)] == [seeds_digest(["first", "second"])]
    assert hall.view.shoe is not None
    assert hall.view.shoe.commitment == hall.heard(ShoeCommitted)[0].commitment
