"""A player's own record of a live round: the own lines and the tallies, checked as far as they tell (PLT-22)."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import Deal, Hit, PlaceBets, Stand, Vote
from sabot.engine.events import PlayerPaid, Private
from sabot.engine.inputs import ENGINE
from sabot.fairness.live import LiveShoe, seeds_digest
from sabot.games import TableOptions, find
from sabot.games.options import Limits
from sabot.games.rules import Rules
from sabot.record import OwnRecord, RecordError, check_own, dumps, is_own, loads, read
from sabot.record.own import OwnShoePart, write_own
from sabot.record.own_check import sealed_own
from sabot.record.record import RoundPart, end_of
from tests.support.players import RandomTable
from tests.support.table import cards_of

LIVE = ("freebet", "majority-eu", "majority-us")
CODE = "260829-104000-AAAA"
NO_SHOE = OwnShoePart("", seeds_digest(()), (), "")
SEED = bytes(range(32))


def own(round: Round, player: str, shoe: OwnShoePart = NO_SHOE) -> OwnRecord:
    """The own record of a player, from what the player could see."""
    part = RoundPart(CODE, round.rules.name, round.rules.sha256, ENGINE, end_of(round))
    seen = [event for event in round.log if not isinstance(event, Private) or event.player == player]
    return sealed_own(write_own(part, shoe, round.options, player, seen), round.rules)


@pytest.mark.slow  # hundreds of drawn rounds, each seen by everyone
@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize("game", LIVE)
def test_the_own_record_of_any_round_is_right(game: str) -> None:
    """Random rounds of up to four players, with votes, bets behind, insurance, golden chips, caps and burnt cards."""
    paid = split = 0
    for number in range(250):
        table = RandomTable(game, Random(f"{game} {number}"))
        for _ in table.play():
            pass
        round = table.round
        for player in table.players:
            record = own(round, player)
            check_own(record, round.rules)
            text = dumps(record)
            assert is_own(text)
            assert read(text, OwnRecord) == record
            sums = [e.paid for e in round.log if isinstance(e, PlayerPaid) and e.player == player]
            assert sum(line.paid for line in record.paid) == (sum(sums) if round.phase == "settled" else 0)
            others = set(table.players) - {player}
            assert not others.intersection(re.findall(r"\w+", text))
            paid += len(record.paid)
            split += any(" split" in decision for decision in record.decisions)
    assert paid > 500
    assert split > 20


def live_round(shoe: LiveShoe, options: TableOptions | None = None) -> Round:
    """A round of two at box 0, played by the best they can: hits to 17."""
    rules = find("majority-us").rules
    round = Round(rules, shoe, purses={"ada": 10_000, "bob": 10_000, "cy": 10_000}, options=options)
    for player, stake in (("ada", 1_000), ("bob", 3_333), ("cy", 777)):
        round.apply(PlaceBets(player, (Bet(0, "main", stake), Bet(0, "21+3", 100))))
    round.apply(Deal())
    while not round.over:
        if round.turn is None:
            round.apply(next(move for move in round.legal() if type(move).__name__ == "CloseOffers"))
            continue
        hand = round.play.spots[round.turn[0]][round.turn[1]]
        hits = hand.total < 17
        round.apply(Vote(*round.turn, player="ada", action="hit" if hits else "stand"))
        round.apply(Hit(*round.turn) if hits else Stand(*round.turn))
    return round


def shoe_part(shoe: LiveShoe, start: int, *, revealed: bool = True) -> OwnShoePart:
    promise, seed = shoe.promise, SEED.hex() if revealed else ""
    return OwnShoePart(promise.commitment, promise.client_seed, promise.seeds, promise.root, start, seed)


@pytest.mark.rule("PLT-22", "ASR-02")
@pytest.mark.parametrize("burn", [False, True], ids=["", "burnt"])
@pytest.mark.parametrize("revealed", [False, True], ids=["in use", "revealed"])
def test_cards_are_checked_against_the_shoe(burn: bool, revealed: bool) -> None:
    """Before the shoe is done the record has no seed; then the cards are those it promised."""
    for start in (0, 17, 100):
        shoe = LiveShoe(8, SEED, ("Ferrara", "perché no?"), start)
        round = live_round(shoe, replace(find("majority-us").options, burn=burn))
        record = own(round, "ada", shoe_part(shoe, start, revealed=revealed))
        check_own(record)
        assert len(record.cards) == shoe.dealt - start
        assert record.cards[0].endswith("burnt") == burn
        text = dumps(record)
        assert (SEED.hex() in text) == revealed
        assert not re.search(r"\b(bob|cy|3333|777)\b", text)
        with pytest.raises(RecordError):
            loads(text)  # it is no whole record, and does not pass for one


def test_tallies_are_in_it(rounds: Round) -> None:
    record = own(rounds, "ada", shoe_part(LiveShoe(8, SEED, ("Ferrara",)), 0))
    (spot,) = record.spot
    assert (spot.mode, spot.players) == ("vote", 3)
    assert all(": " in decision for decision in record.decisions)
    assert record.decisions[-1].partition(" ")[2] in ("stand: stand 1", "hit: hit 1")


@pytest.fixture
def rounds() -> Round:
    return live_round(LiveShoe(8, SEED, ("Ferrara",)))


def resealed(record: OwnRecord) -> OwnRecord:
    """A forger who knows how a record is sealed."""
    return replace(record, sha256=record.seal())


def other_card(record: OwnRecord) -> OwnRecord:
    first, *rest = record.cards
    place, whose, card = first.split()
    return replace(record, cards=(f"{place} {whose} {'2c' if card != '2c' else '3c'}", *rest))


def longer(record: OwnRecord) -> OwnRecord:
    last = int(record.cards[-1].split()[0])
    return replace(record, cards=(*record.cards, f"{last + 1} dealer 2c"))


def cut_short(record: OwnRecord) -> OwnRecord:
    return replace(record, cards=record.cards[:-1])


def gap(record: OwnRecord) -> OwnRecord:
    return replace(record, cards=(record.cards[0], *record.cards[2:]))


def other_hand(record: OwnRecord) -> OwnRecord:
    at = next(at for at, card in enumerate(record.cards) if " 0.0 " in card)
    cards = list(record.cards)
    cards[at] = cards[at].replace(" 0.0 ", " dealer ")
    return replace(record, cards=tuple(cards))


def more_paid(record: OwnRecord) -> OwnRecord:
    first, *rest = record.paid
    return replace(record, paid=(replace(first, paid=first.paid + 1), *rest))


def larger_stake(record: OwnRecord) -> OwnRecord:
    first, *rest = record.paid
    return replace(record, paid=(replace(first, stake=first.stake + 100, paid=first.paid), *rest))


def other_bet(record: OwnRecord) -> OwnRecord:
    first, *rest = record.bet
    return replace(record, bet=(replace(first, stake=first.stake + 100), *rest))


def no_line(record: OwnRecord) -> OwnRecord:
    return replace(record, paid=record.paid[1:])


def false_double(record: OwnRecord) -> OwnRecord:
    first = record.paid[0]
    return replace(record, paid=(*record.paid, replace(first, why="split", hand=1)))


def with_shoe(record: OwnRecord, **changes: Any) -> OwnRecord:
    assert record.shoe is not None
    return replace(record, shoe=replace(record.shoe, **changes))


def other_seed(record: OwnRecord) -> OwnRecord:
    return with_shoe(record, seed=bytes(32).hex())


def bad_seed(record: OwnRecord) -> OwnRecord:
    return with_shoe(record, seed="xyz")


def other_seeds(record: OwnRecord) -> OwnRecord:
    return with_shoe(record, seeds=("Bologna",))


def other_root(record: OwnRecord) -> OwnRecord:
    return with_shoe(record, root="00" * 32)


def other_rules(record: OwnRecord) -> OwnRecord:
    return replace(record, round=replace(record.round, rules_sha256="00"))


def solo_game(record: OwnRecord) -> OwnRecord:
    solo = find("surrender").rules
    return replace(record, round=replace(record.round, game=solo.name, rules_sha256=solo.sha256))


def no_decision(record: OwnRecord) -> OwnRecord:
    return replace(record, decisions=record.decisions[:-1])


def double_instead(record: OwnRecord) -> OwnRecord:
    return replace(record, decisions=("0.0 split free",))


def nonsense(record: OwnRecord) -> OwnRecord:
    return replace(record, decisions=("0.0 surrender",))


def no_card(record: OwnRecord) -> OwnRecord:
    return replace(record, cards=("0 0.0 1s",))


def other_spots(record: OwnRecord) -> OwnRecord:
    return replace(record, spot=(*record.spot, *record.spot))


def other_hands(record: OwnRecord) -> OwnRecord:
    return replace(record, hand=record.hand[1:])


def burnt_first(record: OwnRecord) -> OwnRecord:
    return replace(record, options=replace(record.options, burn=True))


def hole_kept(record: OwnRecord) -> OwnRecord:
    cards = list(record.cards)
    at = [at for at, card in enumerate(cards) if " dealer " in card][1]
    cards[at] = f"{cards[at].split()[0]} hole"
    return replace(record, cards=tuple(cards))


def void_but_paid(record: OwnRecord) -> OwnRecord:
    return replace(record, round=replace(record.round, end="voided"))


CHANGES: dict[Callable[[OwnRecord], OwnRecord], str] = {
    other_card: "shoe",
    longer: "",
    cut_short: "",
    gap: "cards[1]",
    other_hand: "",
    more_paid: "paid[0].paid",
    larger_stake: "",
    other_bet: "bet",
    no_line: "bet",
    false_double: "paid[2].hand",
    other_seed: "shoe",
    bad_seed: "shoe.seed",
    other_seeds: "shoe.client_seed",
    other_root: "shoe",
    other_rules: "round.rules_sha256",
    solo_game: "round.game",
    no_decision: "",
    double_instead: "decisions[0]",
    nonsense: "decisions[0]",
    no_card: "cards[0]",
    other_spots: "spot",
    other_hands: "hand[0].spot",
    burnt_first: "cards[0]",
    hole_kept: "",
    void_but_paid: "paid[0]",
}


@pytest.mark.rule("PLT-22", "ASR-15")
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: str(change.__name__))
def test_no_change_goes_unseen(rounds: Round, change: Callable[[OwnRecord], OwnRecord]) -> None:
    """Also of one who seals the record anew; the place is named."""
    record = own(rounds, "ada", shoe_part(LiveShoe(8, SEED, ("Ferrara",)), 0))
    check_own(record)
    with pytest.raises(RecordError) as error:
        check_own(resealed(change(record)))
    assert error.value.place.startswith(CHANGES[change])


def test_a_seal_that_was_broken(rounds: Round) -> None:
    record = own(rounds, "ada", shoe_part(LiveShoe(8, SEED, ("Ferrara",)), 0))
    with pytest.raises(RecordError, match="changed after it was sealed"):
        check_own(replace(record, round=replace(record.round, code="260829-104000-BBBB")))


def test_a_round_by_rules_that_are_gone_is_written_all_the_same(rounds: Round) -> None:
    """Without its hands, which nobody can work out any more; checking it says why not."""
    part = RoundPart(CODE, "majority-us", "00", ENGINE, "settled")
    record = sealed_own(write_own(part, NO_SHOE, rounds.options, "ada", rounds.log))
    assert record.hand == ()
    with pytest.raises(RecordError, match="the rules of majority-us here are"):
        check_own(record)


def test_what_others_staked_may_make_the_dealer_go_on() -> None:
    """Every hand is bust and ada has no side bet; bob's Buster bet makes the dealer draw (MAJ-06)."""
    rules: Rules = find("majority-eu").rules
    cards = cards_of("10s 5h 6s Kd 5c 4c 9d")
    round = Round(
        rules,
        StackedShoe(cards),
        purses={"ada": 10_000, "bob": 10_000},
        options=TableOptions(main=Limits(100, 10_000)),
    )
    round.apply(PlaceBets("ada", (Bet(0, "main", 1_000),)))
    round.apply(PlaceBets("bob", (Bet(0, "main", 1_000), Bet(0, "buster", 100))))
    round.apply(Deal())
    round.apply(Hit(0, 0))
    assert round.over
    for player in ("ada", "bob"):
        record = own(round, player)
        check_own(record)
        assert [card.split()[1] for card in record.cards].count("dealer") == 4
