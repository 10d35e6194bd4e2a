"""The live shoe: seeds of many, a promise before the bets, a proof with every card, a check of it all at the end."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from sabot.cards import ShoeEmptyError
from sabot.engine import Bet, Round, Shoe
from sabot.engine.commands import Deal, PlaceBets
from sabot.fairness import SeededShoe, SeedStream, commitment
from sabot.fairness.live import (
    CardOpening,
    LiveShoe,
    ProofError,
    SeedList,
    ShoePromise,
    check_shoe,
    seeds_digest,
)
from sabot.games import find
from tests.fairness.independent import Refused
from tests.support.openings import check_opening

SEED = bytes(range(32))
SEEDS = ("Ferrara", "", "perché no?")
CARDS = 416


@cache
def promise() -> ShoePromise:
    return LiveShoe(8, SEED, SEEDS).promise


def openings(count: int) -> list[CardOpening]:
    shoe = LiveShoe(8, SEED, SEEDS, start=count)
    return [shoe.opening(k) for k in range(count)]


# Seeds


def test_the_client_seed_is_the_hash_of_a_file_of_seeds() -> None:
    lines = "Ferrara\n\nperché no?\n".encode()
    assert seeds_digest(SEEDS) == hashlib.sha256(lines).hexdigest()
    assert seeds_digest([]) == hashlib.sha256(b"").hexdigest()


@given(st.lists(st.lists(st.text("ab\u00e9 ", max_size=3), max_size=4), min_size=2, max_size=6))
def test_other_lists_have_other_digests(lists: list[list[str]]) -> None:
    different = {tuple(seeds) for seeds in lists}
    assert len({seeds_digest(seeds) for seeds in different}) == len(different)


def test_seeds_stand_in_order_of_arrival_and_without_accounts() -> None:
    seeds = SeedList()
    for account, seed in (("zoe", "last letter"), ("ada", "first letter"), ("bob", "last letter")):
        seeds.add(account, seed)
    assert seeds.seeds == ("last letter", "first letter", "last letter")


def test_an_account_has_one_seed() -> None:
    seeds = SeedList()
    seeds.add("ada", "one")
    for again in ("one", "two"):
        with pytest.raises(ValueError, match="this account has sent its seed for this shoe"):
            seeds.add("ada", again)
    assert seeds.seeds == ("one",)


@pytest.mark.parametrize("seed", ["a\nb", "a|b", "x" * 65])
def test_a_seed_that_could_be_misread_is_refused_and_not_kept(seed: str) -> None:
    seeds = SeedList()
    with pytest.raises(ValueError, match="a client seed has"):
        seeds.add("ada", seed)
    assert seeds.seeds == ()
    with pytest.raises(ValueError, match="a client seed has"):
        seeds_digest([seed])


# Dealing


def test_it_deals_what_a_solo_shoe_of_the_same_seeds_deals() -> None:
    live, solo = LiveShoe(8, SEED, SEEDS), SeededShoe(8, SeedStream(SEED, seeds_digest(SEEDS), "shoe"))
    assert [live.draw() for _ in range(CARDS)] == [solo.draw() for _ in range(CARDS)]
    with pytest.raises(ShoeEmptyError, match="all 416 cards of the shoe are dealt"):
        live.draw()
    assert live.dealt == CARDS


@pytest.mark.parametrize("start", [0, 1, 207, CARDS])
def test_it_goes_on_from_any_card(start: int) -> None:
    whole, rest = LiveShoe(8, SEED, SEEDS), LiveShoe(8, SEED, SEEDS, start=start)
    assert rest.promise == whole.promise
    assert rest.dealt == start
    order = [whole.draw() for _ in range(CARDS)]
    assert [rest.draw() for _ in range(CARDS - start)] == order[start:]
    assert all(rest.opening(k) == whole.opening(k) for k in range(0, CARDS, 25))


@pytest.mark.parametrize("start", [-1, CARDS + 1])
def test_a_start_outside_the_shoe_is_refused(start: int) -> None:
    with pytest.raises(ValueError, match=f"{start} cards cannot be dealt from a shoe of 416"):
        LiveShoe(8, SEED, SEEDS, start=start)


def test_a_round_is_dealt_from_it() -> None:
    shoe: Shoe = LiveShoe(8, SEED, SEEDS, start=60)
    game = find("majority-us")
    round = Round(game.rules, shoe, purses={"ada": 10_000}, options=game.options)
    round.apply(PlaceBets("ada", (Bet(0, "main", 1_000),)))
    round.apply(Deal())
    assert shoe.dealt == 64
    assert round.tape.start == 60
    order = check_shoe(promise(), SEED)
    assert round.tape.cards == list(order[60:64])


# Openings


def test_every_card_is_proved_against_the_root() -> None:
    order = check_shoe(promise(), SEED)
    for k, opening in enumerate(openings(CARDS)):
        assert (opening.position, opening.card) == (k, order[k])
        check_opening(promise().root, CARDS, opening)


def test_no_card_is_opened_before_it_is_dealt() -> None:
    shoe = LiveShoe(8, SEED, SEEDS)
    for dealt in range(3):
        for k in (-1, dealt, dealt + 1, CARDS):
            with pytest.raises(ValueError, match=f"card {k} is not dealt: {dealt} of 416 are"):
                shoe.opening(k)
        shoe.draw()


def test_what_is_published_before_the_end_has_no_undealt_salt_or_card() -> None:
    """Salts are the only secret that hides a card: none of a later card is in any opening (ASR-03)."""
    later = {SeedStream(SEED, promise().client_seed, "salt").block(k)[:16].hex() for k in range(100, CARDS)}
    shown = {text for opening in openings(100) for text in (opening.salt, *opening.path)}
    assert not shown & later
    assert not any(SEED.hex() in text for text in (*shown, str(promise())))


def test_the_opening_of_one_shoe_is_none_of_another() -> None:
    other = LiveShoe(8, SEED, (*SEEDS, "one more"))
    with pytest.raises(Refused, match="opening of position 0"):
        check_opening(other.promise.root, CARDS, openings(1)[0])


# The end of the shoe


def test_a_shoe_that_is_done_is_checked_with_the_cards_seen() -> None:
    seen = {opening.position: opening.card for opening in openings(250)}
    order = check_shoe(promise(), SEED, seen)
    assert len(order) == CARDS


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda p: replace(p, commitment=commitment(bytes(32))), "the commitment to this seed is 630dcd29"),
        (lambda p: replace(p, seeds=p.seeds[:-1]), "the digest of these seeds is"),
        (lambda p: replace(p, seeds=p.seeds[::-1]), "the digest of these seeds is"),
        (lambda p: replace(p, client_seed="mine"), "the digest of these seeds is 6bdd63c5"),
        (lambda p: replace(p, root=p.commitment), "the root of this shoe is cab684b8"),
        (lambda p: replace(p, decks=6), "the root of this shoe is"),
    ],
)
def test_a_broken_promise_is_told(change: Callable[[ShoePromise], ShoePromise], reason: str) -> None:
    with pytest.raises(ProofError, match=reason):
        check_shoe(change(promise()), SEED)


def test_another_seed_and_other_cards_are_told() -> None:
    with pytest.raises(ProofError, match="the commitment to this seed is"):
        check_shoe(promise(), bytes(32))
    with pytest.raises(ProofError, match="position 5 has 5d, not As"):
        check_shoe(promise(), SEED, {5: 0})
    with pytest.raises(ProofError, match="there is no position 416 in a shoe of 416"):
        check_shoe(promise(), SEED, {416: 0})
