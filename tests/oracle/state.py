"""What a round is given, what is judged, and everything on the table in between."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.oracle.cards import is_natural
from tests.oracle.tables import FACTS, Facts, Options, read_options

#: (player, spot, hand, why)
LineKey = tuple[str, int, int, str]
MAIN_LINES = ["initial", "double", "split"]


class Disagreement(AssertionError):  # noqa: N818
    """A command that these rules do not allow here: the one who said it was legal reads the rules otherwise."""


class ShoeEmpty(Exception):  # noqa: N818
    """No card is left: a malfunction (COM-12)."""


@dataclass
class Given:
    game: str
    purses: dict[str, int]
    golden: dict[str, dict[int, int]] = field(default_factory=dict)
    options: dict[str, object] = field(default_factory=dict)
    cards: list[int] = field(default_factory=list)
    draws: list[int] = field(default_factory=list)
    prices: list[int] = field(default_factory=list)
    commands: list[dict[str, object]] = field(default_factory=list)


@dataclass
class Verdict:
    over: str
    cards_used: int
    draws_used: int
    dealer: list[int]
    hands: dict[tuple[int, int], list[int]]
    #: Before the maximum win cuts: `capped` says how much of it was not credited.
    paid: dict[LineKey, int]
    #: Only lines that give chips back.
    golden_back: dict[LineKey, list[int]]
    capped: dict[str, int]
    balances: dict[str, int]
    #: Face values of which none is left are not named.
    golden_left: dict[str, dict[int, int]]
    #: The actions the hand in turn may take, where the commands stop at a decision.
    legal: list[str] = field(default_factory=list)


@dataclass
class Stake:
    """Own money, golden chips, or a free bet, on one line."""

    own: int = 0
    golden: list[int] = field(default_factory=list)
    free: int = 0

    def face(self) -> int:
        return self.own + sum(self.golden) + self.free


@dataclass
class Bet:
    spot: int
    kind: str
    stake: Stake


@dataclass
class Hand:
    cards: list[int]
    from_split: bool = False
    doubled: bool = False
    #: "" while it may still act.
    how: str = ""
    #: What CASHBACK pays.
    cash: int = 0

    def is_blackjack(self) -> bool:
        return not self.from_split and is_natural(self.cards)


@dataclass
class Spot:
    number: int
    hands: list[Hand]
    #: As dealt, for the side bets (SB-09).
    first_two: list[int] = field(default_factory=list)


@dataclass
class Bonus:
    """A bonus of Link: stages are wheel, intro, table and over."""

    stage: str = "wheel"
    tiles: list[str] = field(default_factory=list)
    #: Locked cells and their prizes.
    cells: dict[int, int] = field(default_factory=dict)
    size: int = 0
    spins: int = 0


class Table:
    """All that lies on the table. Only the other modules of this package know the rules."""

    def __init__(self, given: Given) -> None:
        self.given = given
        self.facts: Facts = FACTS[given.game]
        self.options: Options = read_options(given.game, given.options)
        self.phase = "betting"  # then offers, play, over
        self.over = ""
        self.cards_used = 0
        self.draws_used = 0
        self.prices_used = 0
        self.purses = dict(given.purses)
        self.chips = {player: dict(chips) for player, chips in given.golden.items()}
        self.added: dict[str, int] = {}
        self.bets: dict[str, list[Bet]] = {}
        self.consents: dict[str, dict[str, bool]] = {}
        self.votes: dict[tuple[int, int], dict[str, str]] = {}
        self.spots: list[Spot] = []
        self.dealer: list[int] = []
        self.stakes: dict[LineKey, Stake] = {}
        #: (player, spot) still to be answered.
        self.insurance_open: list[tuple[str, int]] = []
        self.even_money_open: list[int] = []
        self.bonuses: dict[int, Bonus] = {}
        self.paid: dict[LineKey, int] = {}
        self.golden_back: dict[LineKey, list[int]] = {}
        self.won: dict[str, int] = {}
        self.capped: dict[str, int] = {}

    def next_card(self) -> int:
        if self.cards_used == len(self.given.cards):
            raise ShoeEmpty
        card = self.given.cards[self.cards_used]
        self.cards_used += 1
        return card

    def draw(self, n: int) -> int:
        """One of 0..n-1, from the draws handed in."""
        if self.draws_used == len(self.given.draws):
            raise Disagreement(f"draw {self.draws_used} (of {n}) was not given")
        result = self.given.draws[self.draws_used]
        if not 0 <= result < n:
            raise Disagreement(f"draw {self.draws_used} is {result}, not in 0..{n - 1}")
        self.draws_used += 1
        return result

    def pick(self, weights: list[int]) -> int:
        """The index of a weight, drawn in proportion."""
        ticket = self.draw(sum(weights))
        index = 0
        while ticket >= weights[index]:
            ticket -= weights[index]
            index += 1
        return index

    def take(self, player: str, amount: int) -> None:
        if self.purses[player] < amount:
            raise Disagreement(f"{player} has {self.purses[player]} and is to pay {amount}")
        self.purses[player] -= amount

    def give(self, player: str, amount: int) -> None:
        self.purses[player] += amount

    def take_chips(self, player: str, chips: list[int]) -> None:
        for chip in chips:
            if self.held(player, chip) == 0:
                raise Disagreement(f"{player} has no golden chip of {chip}")
            self.chips[player][chip] -= 1

    def give_chips(self, player: str, chips: list[int]) -> None:
        for chip in chips:
            self.chips[player][chip] = self.held(player, chip) + 1

    def held(self, player: str, chip: int) -> int:
        return self.chips.get(player, {}).get(chip, 0)

    def spot(self, number: int) -> Spot:
        return next(spot for spot in self.spots if spot.number == number)

    def players_on(self, number: int, hand: int) -> list[str]:
        """Everyone with a main stake on this hand: the initial one on hand 0, that of the split on hand 1."""
        why = "initial" if hand == 0 else "split"
        return [key[0] for key in self.stakes if key[1:] == (number, hand, why)]

    def main_stake(self, player: str, number: int, hand: int) -> Stake:
        """The stake on a hand before any double."""
        return self.stakes[(player, number, hand, "initial" if hand == 0 else "split")]

    def owner(self, number: int) -> str:
        """Who decides in a solo game or on a seat: the one whose bet there is of the kind `main`."""
        for player, bets in self.bets.items():
            if any(bet.spot == number and bet.kind == "main" for bet in bets):
                return player
        raise Disagreement(f"spot {number} has no owner")
