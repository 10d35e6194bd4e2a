"""A shuffling table: two shoes alternate, and the game does not stop to shuffle (FRB-30).

One shoe is dealt while the cards of the next are shuffled aside. When the cut card is out and the round is over the
dealer takes the other shoe and goes on; what players send meanwhile is in its shuffle.
"""

from __future__ import annotations

from typing import get_args
from unittest.mock import patch

import msgspec
import pytest

from sabot.engine.events import CardBurnt, CardDealt, HoleDealt, HoleShown
from sabot.fairness.live import ShoePromise, check_shoe, seeds_digest
from sabot.fairness.vault import Vault
from sabot.games.options import TableOptions
from sabot.record import check_own
from sabot.rounds import stored
from sabot.rounds.history import own_record
from sabot.rounds.marks import KnownShoes, ShoeBefore, shoes_of
from sabot.rounds.shoes import NewShoe
from sabot.store import facts
from sabot.store.entry import decode_body
from sabot.tables.live.events import (
    Announced,
    CardsProved,
    LiveEvent,
    NextShoeCommitted,
    PhaseChanged,
    RoundOpened,
    ShoeCommitted,
    ShoeRevealed,
    ShoeSeeded,
)
from sabot.tables.live.timers import Phase, Timers
from sabot.tables.live.view import fold_live
from tests.support.house import VAULT, CountedShoes
from tests.support.ledger import rows
from tests.support.live_hall import BROUGHT, Hall, OpenHall
from tests.support.shoes import StackedShoes

GAMES = pytest.mark.parametrize("game", ["freebet", "majority-eu", "majority-us"])
PLAYED: tuple[Phase, ...] = tuple(phase for phase in get_args(Phase) if phase not in ("idle", "shuffle"))
ALTERNATING = Timers(shuffling_table=True)
#: One round that a stand wins: 20 against 9 8.
WIN = "10 9 10 8 "
#: The cut card is out in every round: each has a shoe of its own.
SHORT = TableOptions(cut=4)


def opened(
    open_hall: OpenHall, game: str, *cards: str, timers: Timers = ALTERNATING, players: int = 1
) -> Hall:
    """A table whose cut card comes in every round, and its players; the first of them has seat 0."""
    hall = open_hall(game, *cards, players=players, options=SHORT, timers=timers)
    for player in range(1, players + 1):
        hall.come(player)
        hall.sit(player, *((0,) if (game, player) == ("freebet", 1) else ()))
    return hall.consent(*range(1, players + 1))


def real(open_hall: OpenHall, game: str, options: TableOptions = SHORT) -> Hall:
    """The same with shoes that are sealed in a vault."""
    shoes = CountedShoes(VAULT, 0)
    hall = open_hall(game, players=2, options=options, shoes=shoes, vault=VAULT, timers=ALTERNATING)
    return hall.bring_in({1: (0,) if game == "freebet" else (), 2: ()}).consent(1, 2)


def play_round(hall: Hall) -> Hall:
    """Player 1 has a bet, and time passes."""
    hall.until("betting").bet(1, (0, "main", 1000))
    return hall.until("payout")


def shoes_heard(hall: Hall) -> list[LiveEvent]:
    """What was told of shoes, and when betting opened."""
    kinds = (ShoeCommitted, NextShoeCommitted, ShoeSeeded, ShoeRevealed, RoundOpened)
    return [event for event in hall.told if isinstance(event, kinds)]


def kept(hall: Hall) -> tuple[str, str]:
    """The commitments to both shoes, as the table has them."""
    shoe, waiting = hall.live.table.shoes.shoe, hall.live.table.shoes.waiting
    return shoe.commitment if shoe else "", waiting.commitment if waiting else ""


def public(hall: Hall) -> KnownShoes:
    """What anyone can look up."""
    with hall.database.reading() as connection:
        return shoes_of(connection, hall.live.table.stream.id, 8)


def seeded_last(hall: Hall) -> list[str]:
    """The facts of the last row in which the order of a shoe was fixed."""
    ((body,),) = rows(
        hall.database, "SELECT body FROM log WHERE kind = 'shoe-seeded' ORDER BY n DESC LIMIT 1"
    )
    assert isinstance(body, bytes)
    return [type(fact).__name__ for fact in decode_body(body).facts]


# The game does not stop


@pytest.mark.rule("FRB-30")
def test_with_the_cut_card_out_the_dealer_takes_the_other_shoe_and_goes_on(open_hall: OpenHall) -> None:
    """The cut card lies behind 6 cards: the second round takes cards 5 to 8 and is played to its end.

    4 seconds after its payment began bets are open again, and 9 9 against 10 7 wins from the first card of the other
    shoe, where the old one would have gone on with 2 2 2 2.
    """
    options = TableOptions(cut=6)
    cards = (WIN * 2 + "2 2 2 2", "9 10 9 7")
    hall = open_hall("freebet", *cards, players=1, options=options, timers=ALTERNATING).bring_in({1: (0,)})
    play_round(play_round(hall))
    assert hall.live.table.shoes.dealt == 8
    hall.forget()
    ended = hall.now
    hall.tick()
    assert (hall.phase, hall.now - ended, hall.left) == ("betting", 4000, 15)
    assert hall.phases == ["betting"]
    assert hall.words == ["shoes-exchanged", "place-your-bets"]
    assert hall.live.table.shoes.dealt == 0
    play_round(hall)
    assert hall.money(1) == [BROUGHT + 3000]


@pytest.mark.rule("FRB-30")
@GAMES
def test_only_the_first_shoe_is_waited_for(open_hall: OpenHall, game: str) -> None:
    """Five shoes, a round of each: one shuffle at the beginning, four exchanges."""
    hall = opened(open_hall, game, *5 * [WIN])
    for _ in range(5):
        play_round(hall)
    assert hall.phases.count("shuffle") == 1
    assert hall.words.count("shuffle") == 1
    assert hall.words.count("shoes-exchanged") == 4
    assert hall.money(1) == [BROUGHT + 5000]


@pytest.mark.rule("FRB-30")
@GAMES
def test_without_a_shuffling_table_the_dealer_shuffles(open_hall: OpenHall, game: str) -> None:
    """Every shoe has its pause of 5 seconds, and nothing is promised of another meanwhile."""
    hall = opened(open_hall, game, *3 * [WIN], timers=Timers())
    for _ in range(3):
        play_round(hall)
        assert (hall.view.next_commitment, hall.live.table.shoes.waiting) == ("", None)
        with hall.refuses("seed/late"):
            hall.seed(1, "Ferrara")
        assert hall.next("shuffle").left == 5
    assert hall.heard(NextShoeCommitted) == []
    assert "shoes-exchanged" not in hall.words


# What is promised


@pytest.mark.rule("FRB-30")
@GAMES
def test_the_next_shoe_is_promised_before_a_card_of_this_one_is_dealt(open_hall: OpenHall, game: str) -> None:
    """The shoe is fixed, the next one is committed to, and then bets open; the same holds after each exchange.

    At an exchange everyone hears in this order: the seed of the old shoe, which shoe it is now, its order, the next.
    """
    hall = opened(open_hall, game, *3 * [WIN]).until("betting")
    committed, seeded, waiting, _ = shoes_heard(hall)
    assert isinstance(committed, ShoeCommitted)
    assert isinstance(seeded, ShoeSeeded)
    assert isinstance(waiting, NextShoeCommitted)
    assert [type(event).__name__ for event in shoes_heard(hall)][-1] == "RoundOpened"
    assert kept(hall) == (committed.commitment, waiting.commitment)
    assert hall.view.next_commitment == waiting.commitment
    for number in range(2):
        in_use, promised = kept(hall)
        play_round(hall).forget()
        hall.next("betting")
        revealed, taken, mixed, another, opening = shoes_heard(hall)
        assert revealed == ShoeRevealed(in_use, number.to_bytes(32, "big").hex(), seeds_digest([]))
        assert taken == ShoeCommitted(promised)
        assert isinstance(mixed, ShoeSeeded)
        assert (mixed.client_seed, mixed.seeds) == (seeds_digest([]), 0)
        assert isinstance(another, NextShoeCommitted)
        assert another.commitment not in (in_use, promised)
        assert isinstance(opening, RoundOpened)
        told = [event for event in hall.told if isinstance(event, Announced | PhaseChanged | RoundOpened)]
        assert told[:2] == [Announced("shoes-exchanged"), opening]
        assert hall.view.shoe is not None
        assert (hall.view.shoe.commitment, hall.view.shoe.dealt) == (promised, 0)
        assert hall.view.next_commitment == another.commitment == kept(hall)[1]


@pytest.mark.rule("FRB-30")
def test_an_exchange_is_one_row(open_hall: OpenHall) -> None:
    """Killed before it or after it, the table never stands between two shoes."""
    hall = opened(open_hall, "freebet", *3 * [WIN])
    play_round(hall).next("betting")
    assert seeded_last(hall) == ["ShoeRevealedFact", "ShoeSeededFact", "ShoeCommittedFact"]
    assert hall.logged("shoe-committed") == 2  # the first shoe, and the first that waited


@pytest.mark.rule("FRB-30")
@GAMES
def test_both_shoes_keep_their_promises(open_hall: OpenHall, game: str) -> None:
    """Of each shoe the seed, when it is out, makes the promised order with every card that was seen of it.

    The cards were proved while it was in use; a player's own records of its rounds are right, with the seed and before.
    """
    hall = real(open_hall, game, TableOptions(cut=12, burn=True))
    hall.seed(1, "Ferrara")
    hall.until("betting").seed(2, "for the second")
    for seeds in (("Ferrara",), ("for the second",), ()):
        commitment_to, _ = kept(hall)
        (seeded,) = hall.heard(ShoeSeeded)
        promise = ShoePromise(8, commitment_to, seeds, seeded.client_seed, seeded.root)
        assert public(hall).in_use.promise == promise  # type: ignore[union-attr]
        hall.forget()
        codes = []
        while hall.live.table.shoes.dealt < 12:
            codes.append(play_round(hall).live.play.code)
        assert public(hall).in_use.rounds == tuple(codes)  # type: ignore[union-attr]
        seen = seen_cards(hall)
        assert seen == {
            proof.position: proof.card for event in hall.heard(CardsProved) for proof in event.cards
        }
        check_records(hall, codes, seed="")
        assert hall.heard(ShoeRevealed) == []
        hall.forget()
        hall.next("betting")
        (revealed,) = hall.heard(ShoeRevealed)
        assert (revealed.commitment, revealed.client_seed) == (promise.commitment, promise.client_seed)
        check_shoe(promise, bytes.fromhex(revealed.server_seed), seen)
        assert public(hall).before == ShoeBefore(promise, revealed.server_seed)
        check_records(hall, codes, seed=revealed.server_seed)
    assert hall.heard(NextShoeCommitted)[-1].commitment == public(hall).next


def seen_cards(hall: Hall) -> dict[int, int]:
    """The cards that were shown since the last `forget`, by their place in a shoe that began then."""
    seen: dict[int, int] = {}
    place = hole = hall.live.table.shoes.dealt - sum(
        isinstance(event, CardDealt | HoleDealt | CardBurnt) for event in hall.told
    )
    for event in hall.told:
        if isinstance(event, HoleShown):
            seen[hole] = event.card
        elif isinstance(event, CardDealt | HoleDealt | CardBurnt):
            if isinstance(event, CardDealt):
                seen[place] = event.card
            hole = place if isinstance(event, HoleDealt) else hole
            place += 1
    return seen


def check_records(hall: Hall, codes: list[str], seed: str) -> None:
    """The own records of a player are of the shoe that was dealt, and are right."""
    with hall.database.reading() as connection:
        for code in codes:
            record = own_record(connection, code, 1)
            assert record.shoe is not None
            assert record.shoe.seed == seed
            check_own(record)


# Seeds


@pytest.mark.rule("FRB-30", "ASR-02")
def test_seeds_for_the_next_shoe_come_while_this_one_is_dealt(open_hall: OpenHall) -> None:
    """One of each account for each shoe, in order of arrival, at any moment until the exchange."""
    hall = opened(open_hall, "majority-eu", *3 * [WIN], players=3)
    hall.seed(1, "for the first")
    hall.until("betting").seed(2, "in the betting")
    with hall.refuses("seed/unusable"):
        hall.seed(2, "once more")
    hall.bet(1, (0, "main", 1000))
    hall.until("decisions").seed(1, "for the second")
    hall.until("payout").seed(3, "in the last moment")
    assert [seeded.seeds for seeded in hall.heard(ShoeSeeded)] == [1]
    hall.next("betting")
    first, second = hall.heard(ShoeSeeded)
    assert first.client_seed == seeds_digest(["for the first"])
    assert (second.client_seed, second.seeds) == (
        seeds_digest(["in the betting", "for the second", "in the last moment"]),
        3,
    )
    hall.seed(2, "for the third")
    play_round(hall).next("betting")
    assert hall.heard(ShoeSeeded)[-1].client_seed == seeds_digest(["for the third"])


# Killed and opened again


@pytest.mark.slow  # every phase, twice
@pytest.mark.rule("FRB-30")
@pytest.mark.parametrize("phase", PLAYED)
@pytest.mark.parametrize("game", ["freebet", "majority-us"])
def test_both_shoes_are_found_after_a_restart(open_hall: OpenHall, game: str, phase: Phase) -> None:
    """In the first shoe and in the second, killed in any phase: the same two, the same cards, and again an exchange.

    Seeds that were sent before are sent again.
    """
    ace = "10 A 9 7 "  # 19 against 18 under an ace, so that there is a window for insurance
    hall = opened(open_hall, game, *3 * [ace])
    for number in range(2):
        hall.until("betting").seed(1, "lost")
        hall.bet(1, (0, "main", 1000))
        hall.until(phase)
        before = kept(hall)
        hall.restart(1)
        hall.consent(1)
        over = phase in ("dealer", "payout")  # then the shoes are exchanged at once, and nobody had the time
        if not over:
            assert kept(hall) == before
            assert hall.view.next_commitment == before[1]
            hall.seed(1, "kept")
            hall.until("payout").next("betting")
        assert (hall.phase, kept(hall)[0]) == ("betting", before[1])
        assert hall.heard(ShoeSeeded)[-1].client_seed == seeds_digest([] if over else ["kept"])
        assert hall.money(1) == [BROUGHT + 1000 * (number + 1)]
    assert hall.phases.count("shuffle") == 1


@pytest.mark.rule("FRB-30")
@pytest.mark.parametrize("stored", range(4))
def test_killed_between_the_rows_of_the_first_betting(open_hall: OpenHall, stored: int) -> None:
    """The order is fixed, the next shoe is committed to, the round opens: each may be the last that was stored."""
    hall = opened(open_hall, "freebet", *2 * [WIN])
    hall.clock.steady += 5
    hall.crash(stored, hall.live.course.tick)
    hall.come(1)
    play_round(hall).next("betting")
    assert hall.heard(NextShoeCommitted)
    assert hall.words.count("shoes-exchanged") == 1
    assert hall.money(1) == [BROUGHT + 1000]


@pytest.mark.rule("FRB-30")
@pytest.mark.parametrize("stored", range(3))
def test_killed_at_the_exchange(open_hall: OpenHall, stored: int) -> None:
    """Before its row it is made now, after it it was made: either way the next round is dealt from the other shoe."""
    hall = opened(open_hall, "freebet", WIN, "9 10 9 7", WIN)
    _, promised = kept(play_round(hall))
    hall.clock.steady += 4
    hall.crash(stored, hall.live.course.tick)
    hall.come(1)
    assert hall.phase == "betting"
    assert kept(hall)[0] == promised
    play_round(hall)
    assert hall.money(1) == [BROUGHT + 2000]
    assert "shuffle" not in hall.phases[hall.phases.index("betting") :]


@pytest.mark.rule("FRB-30")
def test_a_shoe_that_waits_is_used_when_the_shuffling_table_is_taken_away(open_hall: OpenHall) -> None:
    """It was promised, and players sent their seeds: it comes into use, no other waits, and the next is shuffled."""
    hall = opened(open_hall, "freebet", *3 * [WIN]).until("betting")
    hall.timers = Timers()
    hall.bet(1, (0, "main", 1000))
    _, promised = kept(hall)
    hall.restart(1)
    assert kept(hall)[1] == promised
    hall.seed(1, "Ferrara")
    hall.until("payout").next("betting")
    assert kept(hall) == (promised, "")
    assert seeded_last(hall) == ["ShoeRevealedFact", "ShoeSeededFact"]
    assert hall.heard(ShoeSeeded)[-1].client_seed == seeds_digest(["Ferrara"])
    with hall.refuses("seed/late"):
        hall.seed(1, "late")
    play_round(hall)
    hall.tick()
    assert hall.phase == "shuffle"
    play_round(hall)
    assert hall.money(1) == [BROUGHT + 3000]
    assert (kept(hall)[1], public(hall).next) == ("", "")


@pytest.mark.rule("FRB-30")
@pytest.mark.parametrize("phase", PLAYED)
def test_a_shuffling_table_that_is_brought_is_used_from_the_next_round_on(
    open_hall: OpenHall, phase: Phase
) -> None:
    """Of a shoe with two rounds it comes in the first: the next one is promised before the second, and then in use."""
    hall = open_hall("freebet", "10 A 9 7 " * 2, WIN, players=1, options=TableOptions(cut=6))
    hall.bring_in({1: (0,)}).until("betting").bet(1, (0, "main", 1000))
    hall.until(phase)
    in_use, nothing = kept(hall)
    hall.timers = ALTERNATING
    hall.restart(1)
    if phase not in ("dealer", "payout"):
        assert kept(hall) == (in_use, nothing) == (in_use, "")
        hall.until("payout").next("betting")
    promised = hall.view.next_commitment
    assert kept(hall) == (in_use, promised)
    assert promised
    play_round(hall).next("betting")
    assert hall.words[-2:] == ["shoes-exchanged", "place-your-bets"]
    assert kept(hall)[0] == promised


@pytest.mark.rule("FRB-30")
def test_a_shuffling_table_that_is_brought_after_the_cut_card_comes_too_late(open_hall: OpenHall) -> None:
    """Nothing waits there yet: this once the dealer shuffles."""
    hall = opened(open_hall, "freebet", WIN, WIN, timers=Timers())
    play_round(hall)
    hall.timers = ALTERNATING
    hall.restart(1)
    assert (hall.phase, kept(hall)[1]) == ("shuffle", "")
    hall.next("betting")
    assert kept(hall)[1] == hall.view.next_commitment != ""


# A shoe that does not open


@pytest.mark.rule("FRB-30")
def test_if_the_next_shoe_does_not_open_there_is_a_shuffle(open_hall: OpenHall) -> None:
    """The key of both shoes is gone: a new one is committed to and shuffled in the open, and then they alternate again."""
    hall = opened(open_hall, "freebet", *4 * [WIN])
    old = kept(play_round(hall))
    assert isinstance(hall.shoes, StackedShoes)
    hall.shoes.lose_key()
    hall.forget()
    client = hall.view
    hall.tick()
    assert (hall.phase, hall.words, hall.heard(ShoeRevealed)) == ("shuffle", ["shuffle"], [])
    assert (kept(hall)[1], hall.view.next_commitment) == ("", "")
    assert client.next_commitment == old[1]
    for event in hall.told:
        client = fold_live(client, event, None)
    assert (client.next_commitment, client.shoe) == ("", hall.view.shoe)
    assert kept(hall)[0] not in old
    hall.seed(1, "Ferrara")
    new = kept(hall)
    hall.restart(1)
    assert (hall.phase, kept(hall)) == ("shuffle", new)
    play_round(hall).next("betting")
    assert hall.words[-2:] == ["shoes-exchanged", "place-your-bets"]


@pytest.mark.rule("FRB-30")
def test_if_the_shoe_in_use_does_not_open_no_seed_is_taken_for_its(open_hall: OpenHall) -> None:
    """Its key is gone, and a shuffling table is new: what was promised there a moment ago is given up with it.

    The seed of a shoe that was never used stands in the log, and nobody is told it as that of the old one.
    """
    cards, options = (WIN * 2, WIN, WIN), TableOptions(cut=8)
    hall = open_hall("freebet", *cards, players=1, options=options).bring_in({1: (0,)})
    old, _ = kept(play_round(hall))
    assert isinstance(hall.shoes, StackedShoes)
    hall.shoes.lose_key()
    hall.timers = ALTERNATING
    hall.forget()
    hall.restart(1)
    (waited,) = hall.heard(NextShoeCommitted)
    assert (hall.phase, hall.heard(ShoeRevealed), kept(hall)[1]) == ("shuffle", [], "")
    assert kept(hall)[0] not in (old, waited.commitment)
    revealed = rows(hall.database, "SELECT commitment FROM shoes WHERE seed IS NOT NULL")
    assert revealed == [(waited.commitment,)]
    play_round(hall)
    assert hall.money(1) == [BROUGHT + 2000]


class Keys(CountedShoes):
    """Real shoes, of which some are sealed with a key that nobody has."""

    lost = False

    def commit(self) -> NewShoe:
        """The next seed."""
        new = super().commit()
        if not self.lost:
            return new
        seed = VAULT.open(new.sealed, new.commitment)
        return new._replace(sealed=Vault(bytes([1]) * 32).seal(seed, new.commitment))


@pytest.mark.rule("FRB-30")
def test_the_old_shoe_is_revealed_also_if_the_next_does_not_open(open_hall: OpenHall) -> None:
    shoes = Keys(VAULT, 0)
    hall = open_hall("freebet", players=1, options=SHORT, shoes=shoes, timers=ALTERNATING).bring_in({1: (0,)})
    shoes.lost = True
    play_round(hall)
    shoes.lost = False
    in_use, waiting = kept(hall)
    hall.forget()
    hall.tick()
    assert [event.commitment for event in hall.heard(ShoeRevealed)] == [in_use]
    assert hall.phase == "shuffle"
    assert kept(hall)[0] not in (in_use, waiting)
    hall.restart(1)
    assert hall.phase == "shuffle"
    play_round(hall).next("betting")
    assert "shoes-exchanged" in hall.words


@pytest.mark.rule("FRB-30")
def test_a_round_that_cannot_be_played_again_takes_both_shoes_with_it(open_hall: OpenHall) -> None:
    """Another engine: every stake is back, both seeds are out, and a new shoe is shuffled in the open."""
    hall = real(open_hall, "freebet")
    hall.until("betting").bet(1, (0, "main", 1000))
    hall.until("dealing")
    both = kept(hall)
    with patch.object(stored, "is_known", lambda engine: False):
        hall.restart(1, 2)
    assert (hall.ends, hall.money(1), hall.phase) == (["voided"], [BROUGHT], "shuffle")
    revealed = rows(hall.database, "SELECT commitment FROM shoes WHERE seed IS NOT NULL")
    assert {str(row[0]) for row in revealed} == set(both)
    in_use, before, waits = public(hall)
    assert before is not None
    assert in_use is not None
    assert (before.promise.commitment, waits) == (both[0], "")
    assert in_use.promise.commitment == kept(hall)[0]
    assert in_use.promise.commitment not in both
    hall.until("betting")
    assert kept(hall)[1] == public(hall).next != ""


def test_the_fact_of_a_shoe_that_does_not_wait_is_written_as_before() -> None:
    """Rows of before can be read, and their hashes are the same."""
    fact = facts.ShoeCommittedFact(7, "c0ffee")
    assert msgspec.json.encode(fact) == b'{"fact":"shoe-committed","shoe":7,"commitment":"c0ffee"}'
