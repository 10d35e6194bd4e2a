"""Two thousand players on two boxes in one round: every cent and every chip against a plain reckoning.

Box 0 splits eights and doubles the right hand to 20; its left hand stands on 18, box 1 stands on 19. What the
dealer has is the `Ending`. Stakes, consents, votes, insurances and golden chips are random.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from random import Random
from typing import Literal

import pytest

from sabot.engine import Bet, Round, StackedShoe
from sabot.engine.commands import CloseOffers, Consent, Deal, Insure, PlaceBets, Vote
from sabot.engine.events import BetSettled, PlayerPaid, RoundSettled
from sabot.engine.handlers.votes import box_move
from sabot.errors import Refusal
from sabot.games import find
from sabot.games.options import GoldenOptions, TableOptions
from sabot.games.rules import Action
from sabot.games.strategy import BestTable
from tests.support.table import cards_of, voters

PLAYERS = 2000
CAP = 3
OPTIONS = TableOptions(golden=GoldenOptions(mixing=True, extra=True, blind=False, cap=CAP))
HITTING = BestTable(hard={}, soft={}, pairs={})

Result = Literal["win", "push", "lose"]
#: The decisions in their order: hand, what the box does, what else is voted for.
DECISIONS: tuple[tuple[tuple[int, int], Action, tuple[Action, ...]], ...] = (
    ((0, 0), "split", ("hit", "stand", "double")),
    ((0, 0), "double", ("hit", "stand")),
    ((0, 1), "stand", ("hit", "double")),
    ((1, 0), "stand", ("hit", "double")),
)


@dataclass(frozen=True)
class Ending:
    """The dealer's cards, and by hand what they mean."""

    up: str
    second: str
    rest: str
    right: Result
    left: Result
    box_1: Result
    added: Result  # the stake of the double; a push where it is returned
    blackjack: bool = False
    #: What side bets pay to 1.
    buster: int = 0
    dealer_pair: int = 0
    lucky: int = 0


ENDINGS = {
    "ace, 19": Ending("Ah", "8d", "", "win", "lose", "push", "win", lucky=2),
    "ace, blackjack": Ending("Ah", "Kd", "", "lose", "lose", "lose", "lose", blackjack=True, lucky=2),
    "ten, blackjack": Ending("Kh", "Ac", "", "lose", "lose", "lose", "push", blackjack=True),
    "six, bust": Ending("6s", "6s", "10h", "win", "win", "win", "win", buster=2, dealer_pair=25),
}


@dataclass
class Person:
    """A player, what he does, and what a plain reckoning says he has in the end."""

    name: str
    money: int
    chips: list[int]
    mains: dict[int, Bet]
    sides: list[Bet]
    consent: Consent
    insures: bool | None
    votes: list[Action | None]


def person(number: int, chance: Random) -> Person:
    name = f"p{number}"
    chips = sorted(chance.choices((100, 200, 500), k=chance.randrange(5))) if chance.random() < 0.3 else []
    hand = list(chips)
    budget = CAP

    def bet(spot: int, kind: str, most: int) -> Bet:
        nonlocal budget
        golden = []
        while hand and budget and chance.random() < 0.5:
            golden.append(hand.pop(chance.randrange(len(hand))))
            budget -= 1
        own = 0 if golden and chance.random() < 0.4 else chance.randint(100, most)
        return Bet(spot, kind, own, tuple(golden))

    spots = chance.choice(((0,), (0,), (1,), (0, 1)))
    mains = {spot: bet(spot, "main", 3000) for spot in spots}
    kinds = [
        (spot, kind) for spot in spots for kind in ("player-pair", "dealer-pair", "buster", "lucky-lucky")
    ]
    sides = [bet(spot, kind, 500) for spot, kind in kinds if chance.random() < 0.2]
    stakes = sum(b.stake for b in (*mains.values(), *sides))
    consent = Consent(name, double=chance.random() < 0.5, split=chance.random() < 0.5)
    votes = [
        None if chance.random() < 0.2 else wins if chance.random() < 0.6 else chance.choice(others)
        for _, wins, others in DECISIONS
    ]
    insures = chance.choice((True, False, None))
    money = stakes + chance.choice((0, 500, 2000, 9000))
    return Person(name, money, chips, mains, sides, consent, insures, votes)


@dataclass
class Reckoning:
    """One player's round on paper."""

    money: int
    chips: list[int]
    used: int
    follows: bool = False
    lines: int = 0

    def stake(self, bet: Bet) -> None:
        self.money -= bet.stake
        for chip in bet.golden:
            self.chips.remove(chip)
        self.used += len(bet.golden)
        self.lines += 1

    def pay(self, bet: Bet, result: Result, odds: int = 1) -> None:
        """Winnings on face value; own money comes back on a win, and with the chips on a push."""
        if result == "win":
            self.money += bet.stake + odds * (bet.stake + sum(bet.golden))
        elif result == "push":
            self.money += bet.stake
            self.chips += bet.golden

    def extra(self, bet: Bet, agreed: bool, voted: bool) -> Bet | None:
        """The stake of a double or split, if the player follows: chips only with an own vote."""
        if not agreed and not voted:
            return None
        need = bet.stake + sum(bet.golden)
        golden: list[int] = []
        for chip in sorted(self.chips, reverse=True):
            if bet.golden and voted and chip <= need and self.used + len(golden) < CAP:
                golden.append(chip)
                need -= chip
        if need > self.money:
            return None
        more = Bet(bet.spot, "more", need, tuple(golden))
        self.stake(more)
        return more


def reckon(someone: Person, ending: Ending, *, checks: bool) -> Reckoning:
    """The whole round of one player by the rule book's sentences."""
    paper = Reckoning(someone.money, list(someone.chips), 0)
    for bet in (*someone.mains.values(), *someone.sides):
        paper.stake(bet)
    ace = ending.up.startswith("A")
    insurance = Bet(0, "insurance", sum(bet.stake // 2 for bet in someone.mains.values()))
    insured = ace and bool(someone.insures) and 0 < insurance.stake <= paper.money
    if insured:
        paper.stake(insurance)
        paper.lines += sum(bet.stake >= 2 for bet in someone.mains.values()) - 1
    split = double = None
    if not (checks and ace and ending.blackjack) and 0 in someone.mains:
        split = paper.extra(someone.mains[0], someone.consent.split, someone.votes[0] == "split")
        double = paper.extra(someone.mains[0], someone.consent.double, someone.votes[1] == "double")
    paper.follows = split is not None

    if insured:
        paper.pay(insurance, "win" if ending.blackjack else "lose", 2)
    if 0 in someone.mains:
        paper.pay(someone.mains[0], ending.right)
    if 1 in someone.mains:
        paper.pay(someone.mains[1], ending.box_1)
    if split is not None:
        paper.pay(split, ending.left)
    if double is not None:
        paper.pay(double, ending.added)
    for bet in someone.sides:
        prizes = {
            "player-pair": 25 if bet.spot == 0 else 0,  # the two eights of spades
            "dealer-pair": ending.dealer_pair,
            "buster": ending.buster,
            "lucky-lucky": ending.lucky if bet.spot == 1 else 0,  # 10 9 A is 20
        }
        paper.pay(bet, "win" if prizes[bet.kind] else "lose", prizes[bet.kind])
    return paper


def play(round: Round, people: list[Person], papers: dict[str, Reckoning], brought: int) -> None:
    """Bets, insurance and votes of all; the money is looked at after every step."""
    for someone in people:
        round.apply(someone.consent)
        round.apply(PlaceBets(someone.name, (*someone.mains.values(), *someone.sides)))
    assert round.book.total == brought
    round.apply(Deal())
    if round.phase == "offers":
        insure(round, people)
        assert round.book.total == brought
    for index, (turn, wins, _) in enumerate(DECISIONS):
        if round.over:
            break
        assert round.turn == turn
        eligible = [p for p in people if turn[0] in p.mains and (turn[1] == 0 or papers[p.name].follows)]
        names = {p.name for p in eligible}
        assert voters(round) == [p.name for p in eligible]
        for someone in people:
            vote = someone.votes[index]
            if vote is None:
                continue
            command = Vote(*turn, player=someone.name, action=vote)
            if someone.name in names:
                round.apply(command)
            else:
                with pytest.raises(Refusal):
                    round.verify(command)
        counts = Counter(vote for p in eligible if (vote := p.votes[index]))
        assert counts.most_common(1)[0][0] == wins
        move = box_move(round, HITTING)
        assert round.can(move)
        (acted, *_) = round.apply(move)
        assert dict(acted.tally) == counts  # type: ignore[union-attr]
        assert round.book.total == brought


def insure(round: Round, people: list[Person]) -> None:
    for someone in people:
        if someone.insures is None:
            continue
        answer = Insure(someone.name, someone.insures)
        cost = sum(bet.stake // 2 for bet in someone.mains.values())
        if cost == 0 or (someone.insures and cost > round.balance(someone.name)):
            with pytest.raises(Refusal):
                round.apply(answer)
        else:
            round.apply(answer)
    round.apply(CloseOffers())


@pytest.mark.slow  # a crowd
@pytest.mark.rule("MAJ-03", "MAJ-20", "MAJ-40", "MAJ-41", "MAJ-42", "MAJ-43", "MAJ-53", "MAJ-54", "MAJ-55")
@pytest.mark.parametrize("ending", ENDINGS.values(), ids=ENDINGS)
@pytest.mark.parametrize("game", ["majority-eu", "majority-us"])
def test_two_thousand_players_in_one_round(game: str, ending: Ending) -> None:
    chance = Random(f"{game} {ending.up} {ending.second}")
    people = [person(number, chance) for number in range(PLAYERS)]
    checks = game == "majority-us"
    papers = {someone.name: reckon(someone, ending, checks=checks) for someone in people}
    dealt = f"8s 10s {ending.up} 8s 9h"
    draws = "3h 10c 9c"
    cards = (
        [dealt, ending.second, draws, ending.rest] if checks else [dealt, draws, ending.second, ending.rest]
    )
    purses = {someone.name: someone.money for someone in people}
    golden = {someone.name: Counter(someone.chips) for someone in people}
    round = Round(
        find(game).rules,
        StackedShoe(cards_of(" ".join(cards))),
        purses=purses,
        golden=golden,
        options=OPTIONS,
    )
    brought = sum(purses.values())
    play(round, people, papers, brought)

    assert round.phase == "settled"
    settled = [event for event in round.log if isinstance(event, BetSettled)]
    lines = [(event.player, event.spot, event.hand, event.why) for event in settled]
    assert len(lines) == len(set(lines)) == sum(paper.lines for paper in papers.values())
    assert round.book.lines == {}

    for someone in people:
        paper = papers[someone.name]
        assert round.balance(someone.name) == paper.money, someone
        assert +Counter(round.book.purse(someone.name).golden) == Counter(paper.chips), someone
    house = brought - sum(paper.money for paper in papers.values())
    assert round.book.house == house
    assert round.book.total == brought
    assert sum(event.stake.own - event.paid for event in settled) == house

    sums = {event.player: event for event in round.log if isinstance(event, PlayerPaid)}
    assert sums.keys() == papers.keys()
    for someone in people:
        staked = any(bet.golden for bet in (*someone.mains.values(), *someone.sides))
        assert sums[someone.name].golden is staked
    last = round.log[-1]
    assert isinstance(last, RoundSettled)
    assert last.golden
