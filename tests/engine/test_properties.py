"""What must always hold, whatever is dealt, staked and decided."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sabot.cards import Card
from sabot.engine import Round, StackedShoe
from sabot.engine.commands import (
    DECISIONS,
    AddMoney,
    AnyCommand,
    Cashback,
    CloseOffers,
    Continue,
    Deal,
    EvenMoney,
    Insure,
    Spin,
    Vote,
)
from sabot.engine.events import AnyEvent, BetsPlaced, HoleShown, Peeked, Private, RoundSettled, RoundVoided
from sabot.engine.view import player_view, table_view
from sabot.errors import Refusal
from sabot.record import loads, replay, write
from sabot.record.record import dumps
from tests.support.players import GAMES, RandomTable
from tests.support.table import voters

games = pytest.mark.parametrize("game", GAMES)
seeds = st.integers(0, 2**32)


def money(table: RandomTable) -> int:
    """What all players brought so far."""
    added = sum(c.amount for c in table.round.commands if isinstance(c, AddMoney))
    return sum(table.purses.values()) + added


@pytest.mark.rule("COM-20")
@games
@given(seed=seeds)
def test_money_is_conserved(game: str, seed: int) -> None:
    table = RandomTable(game, Random(seed))
    for _ in table.play():
        book = table.round.book
        assert book.total == money(table)
        assert all(purse.money >= 0 for purse in book.purses.values())
        assert all(count >= 0 for purse in book.purses.values() for count in purse.golden.values())
        assert all(min(s.own, s.free, s.face) >= 0 for s in book.lines.values())
    assert table.round.book.escrow == 0
    assert table.round.book.lines == {}


@games
@given(seed=seeds)
def test_a_round_ends_and_has_a_move_until_then(game: str, seed: int) -> None:
    table = RandomTable(game, Random(seed))
    assert table.round.legal()
    for _ in table.play():
        assert bool(table.round.legal()) != table.round.over
    ends = [e for e in table.round.log if isinstance(e, RoundSettled | RoundVoided)]
    assert len(ends) == 1


def state(round: Round) -> bytes:
    """Everything that can be seen of a round, and its private parts."""
    private = {player: player_view(round, player) for player in round.book.purses}
    return msgspec.json.encode(
        (table_view(round), private, round.log, round.shoe.dealt, round.book.house, len(round.commands))
    )


def conceivable(round: Round) -> Iterator[AnyCommand]:
    """Every decision and answer one could think of sending."""
    players = [*round.book.purses, "nobody"]
    for spot in range(-1, 8):
        for hand in (0, 1):
            yield from (kind(spot, hand) for kind in DECISIONS.values())
            price = round.options_now["cashback"].pays if "cashback" in round.options_now else 0
            yield from (Cashback(spot, hand, price=p) for p in {price, price + 1})
        yield from (EvenMoney(spot, accept) for accept in (True, False))
        yield from (Insure(p, accept, spot) for p in players for accept in (True, False))
        yield from (Spin(spot), Continue(spot))
    yield from (Insure(p, accept) for p in players for accept in (True, False))
    yield from (CloseOffers(), Deal())


@pytest.mark.rule("COM-53")
@games
@settings(max_examples=25)
@given(seed=seeds)
def test_what_is_not_legal_is_refused_and_changes_nothing(game: str, seed: int) -> None:
    table = RandomTable(game, Random(seed))
    for number, _ in enumerate(table.play()):
        if number % 3:
            continue
        round = table.round
        before, legal = state(round), set(round.legal())
        for command in conceivable(round):
            if command in legal:
                round.verify(command)
            else:
                with pytest.raises(Refusal) as refusal:
                    round.apply(command)
                assert str(refusal.value).endswith(f"({refusal.value.rule})")
        assert state(round) == before


@pytest.mark.rule("MAJ-22")
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
@given(seed=seeds)
def test_only_legal_votes_are_taken(game: str, seed: int) -> None:
    table = RandomTable(game, Random(seed))
    for _ in table.play():
        round = table.round
        if round.turn is None:
            continue
        for player in round.book.purses:
            legal = set(round.legal_votes(player))
            votes = {Vote(*round.turn, player=player, action=action) for action in DECISIONS}
            assert legal == {vote for vote in votes if round.can(vote)}
            assert not legal or player in voters(round)


@pytest.mark.rule("PLT-22")
@games
@given(seed=seeds)
def test_a_record_replays_to_the_same_events(game: str, seed: int) -> None:
    table = RandomTable(game, Random(seed))
    for _ in table.play():
        pass
    record = write(table.round, "261115-120000-TEST")
    again = replay(loads(dumps(record)), rules=table.rules)
    assert shown(again.log) == shown(table.round.log)
    assert {p: again.balance(p) for p in table.players} == {p: table.round.balance(p) for p in table.players}


def shown(log: list[AnyEvent]) -> list[bytes]:
    """Events as bytes, bets apart: a record holds only the last set of each player."""
    events = [event for event in log if not isinstance(event, BetsPlaced)]
    start = next((i for i, e in enumerate(events) if type(e).__name__ == "BettingClosed"), 0)
    return [msgspec.json.encode(event) for event in events[start:]]


@games
@settings(max_examples=60)
@given(seed=seeds, other=st.integers(0, 51))
def test_no_secret_shows_before_its_time(game: str, seed: int, other: int) -> None:
    """Two rounds that differ only in face-down and undealt cards look the same until a card is turned.

    Where the dealer checks, both hole cards are kept from making a blackjack: the check may tell that much.
    """
    table = RandomTable(game, Random(seed))
    script = list(table.play())
    first, second = (
        replayed(table, script, table.cards),
        replayed(table, script, hidden_changed(table, other)),
    )
    for (command, events, view), (_, other_events, other_view) in zip(first, second, strict=False):
        if any(isinstance(event, HoleShown) for event in events):
            break
        assert events == other_events, command
        assert view == other_view, command


def hidden_changed(table: RandomTable, other: int) -> list[int]:
    """The same shoe with other face-down and undealt cards; every card shown so far is dealt as before."""
    cards = list(table.cards)
    spots = len(table.round.play.spots)
    at = table.options.burn + 2 * spots + 1
    peeked = any(isinstance(event, Peeked) for event in table.round.log)
    used = len(table.round.tape.cards)
    cards[used:] = [Card(other)] * (len(cards) - used)
    if table.rules.hole_card and spots and at < used:
        natural = other % 13 in (0, 9, 10, 11, 12) and peeked
        cards[at] = other - other % 13 + 4 if natural else other
    if table.options.burn:
        cards[0] = other
    return cards


def replayed(
    table: RandomTable, script: list[AnyCommand], cards: list[int]
) -> Iterator[tuple[AnyCommand, tuple[AnyEvent, ...], bytes]]:
    """The script on a shoe: each command with what it shows, until one no longer fits."""
    tape = table.round.tape
    draws = iter(tape.draws)
    prices = iter(tape.prices)
    round = Round(
        table.rules,
        StackedShoe(cards),
        purses=table.purses,
        golden=table.golden,
        options=table.options,
        price=lambda *_, **__: next(prices),
        draw=lambda n: next(draws),
    )
    for command in script:
        events = round.apply(command)
        private = {player: player_view(round, player) for player in table.players}
        yield command, events, msgspec.json.encode((table_view(round), private))


@games
@given(seed=seeds)
def test_private_events_name_a_player_of_the_round(game: str, seed: int) -> None:
    table = RandomTable(game, Random(seed))
    for _ in table.play():
        pass
    assert all(e.player in table.players for e in table.round.log if isinstance(e, Private))
