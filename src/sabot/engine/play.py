"""The cards of a round: spots, hands and the dealer.

`Play` deals, carries out decisions that were checked, and finishes the dealer's hand. `Round` knows who may decide and
whether the dealer must complete.
"""

from collections.abc import Callable, Iterator, Sequence

from sabot.cards import VALUES, Card, Hand, is_ace, is_ten
from sabot.engine import events
from sabot.engine.commands import DEALER
from sabot.engine.events import Ending, Event, Means
from sabot.engine.shoe import Shoe
from sabot.games.rules import Action, Rules

#: Endings after which the dealer's total decides: for these the dealer completes (COM-07).
LIVE: frozenset[Ending | None] = frozenset(("stood", "twenty-one", "doubled"))


class PlayedHand(Hand):
    """A player's hand, what paid for its double or for the hand itself, and how it ended once it has."""

    __slots__ = ("doubled", "ended", "from_split", "split")

    def __init__(self, from_split: bool = False, split: Means | None = None) -> None:
        self.cards = []
        self._hard = 0
        self._ace = False
        self.total = 0
        self.soft = False
        self.ended: Ending | None = None
        self.from_split = from_split
        #: Of the second hand of a split.
        self.split = split
        self.doubled: Means | None = None


class Play:
    """Spots with one or two hands each, and the dealer's."""

    def __init__(
        self, rules: Rules, shoe: Shoe, taken: list[Card], emit: Callable[[Event], None], engine: int
    ) -> None:
        self.rules = rules
        #: With so many cards a soft 21 may draw: no card busts it, and the next one makes a Charlie (COM-45).
        self._last_before_charlie = rules.charlie - 1 if rules.charlie and engine >= 2 else 0
        self.spots: dict[int, list[PlayedHand]] = {}
        self.dealer = Hand()
        self._hole: Card | None = None
        self._draw = shoe.draw
        self._taken = taken
        self._emit = emit

    # Dealing

    def burn(self) -> None:
        """Put a card away face down (MAJ-07)."""
        self._taken.append(self._draw())
        self._emit(events.CardBurnt())

    def deal(self, spots: Sequence[int]) -> None:
        """Two passes over the spots and the dealer (COM-10, FRB-01, MAJ-14)."""
        hands = [(spot, PlayedHand()) for spot in spots]
        self.spots = {spot: [hand] for spot, hand in hands}
        for spot, hand in hands:
            self._give(spot, 0, hand)
        self._give_dealer()
        for spot, hand in hands:
            self._give(spot, 0, hand)
        if self.rules.hole_card:
            self._hole = self._draw()
            self._taken.append(self._hole)
            self._emit(events.HoleDealt())
        for spot, hand in hands:
            if hand.is_natural:
                self._end(spot, 0, hand, "blackjack")

    def _give(self, spot: int, index: int, hand: PlayedHand) -> None:
        card = self._draw()
        self._taken.append(card)
        hand.add(card)
        self._emit(events.CardDealt(spot, index, card, hand.total, hand.soft))

    def _give_dealer(self) -> None:
        card = self._draw()
        self._taken.append(card)
        dealer = self.dealer
        dealer.add(card)
        self._emit(events.CardDealt(DEALER, 0, card, dealer.total, dealer.soft))

    def _end(self, spot: int, index: int, hand: PlayedHand, how: Ending) -> None:
        hand.ended = how
        self._emit(events.HandEnded(spot, index, how, hand.total))

    # What the cards allow

    @property
    def up(self) -> Card:
        """The dealer's face-up first card."""
        return self.dealer.cards[0]

    @property
    def ace_up(self) -> bool:
        """Whether the dealer shows an ace."""
        return is_ace(self.up)

    @property
    def ten_up(self) -> bool:
        """Whether the dealer shows a ten-value card."""
        return is_ten(self.up)

    @property
    def checks(self) -> bool:
        """Whether the dealer looks for a blackjack under this up card (SUR-02, FRB-02, MAJ-03)."""
        if is_ace(self.up):
            return "ace" in self.rules.checks
        return is_ten(self.up) and "ten" in self.rules.checks

    @property
    def hole_down(self) -> bool:
        """Whether a card of the dealer lies face down."""
        return self._hole is not None

    def hole_makes_blackjack(self) -> bool:
        """The dealer's look at the face-down card."""
        return self._hole is not None and Hand((self.up, self._hole)).is_natural

    def actions(self, hand: PlayedHand) -> tuple[Action, ...]:
        """The decisions a hand's cards allow; none once it has ended."""
        if hand.ended:
            return ()
        if hand.total == 21:
            return ("stand", "hit")  # one card short of a Charlie; CASHBACK is not for a 21 (CSH-05)
        two_cards = len(hand.cards) == 2
        return self.rules.actions[two_cards, two_cards and hand.is_pair, hand.from_split]

    def double_is_free(self, hand: PlayedHand) -> bool:
        """Whether the hand's double is a free bet (FRB-04)."""
        return hand.total in self.rules.free_double and not hand.soft

    def split_is_free(self, hand: PlayedHand) -> bool:
        """Whether the pair's split is a free bet (FRB-06)."""
        return VALUES[hand.cards[0]] in self.rules.free_split

    def hands(self) -> Iterator[tuple[int, int, PlayedHand]]:
        """Every hand with its spot and index, in playing order."""
        for spot, hands in self.spots.items():
            for index, hand in enumerate(hands):
                yield spot, index, hand

    def next_open(self) -> tuple[int, int] | None:
        """The first hand that still has a decision."""
        for spot, hands in self.spots.items():
            for index, hand in enumerate(hands):
                if hand.ended is None:
                    return spot, index
        return None

    def _stands_by_itself(self, hand: PlayedHand) -> bool:
        """Whether a hand is a 21 without a decision (COM-45)."""
        return hand.total == 21 and not (hand.soft and len(hand.cards) == self._last_before_charlie)

    # Decisions

    def hit(self, spot: int, index: int) -> None:
        """One more card; the hand ends bust, as a Charlie, or on a 21 that cannot become one (COM-05, COM-45, COM-46)."""
        hand = self.spots[spot][index]
        self._give(spot, index, hand)
        if hand.bust:
            self._end(spot, index, hand, "bust")
        elif len(hand.cards) == self.rules.charlie:
            self._end(spot, index, hand, "charlie")
        elif self._stands_by_itself(hand):
            self._end(spot, index, hand, "twenty-one")

    def end(self, spot: int, index: int, how: Ending) -> None:
        """The hand ends without a card: stood, surrendered, cashed back, taken at even money."""
        self._end(spot, index, self.spots[spot][index], how)

    def double(self, spot: int, index: int, means: Means = "money") -> None:
        """Exactly one more card (COM-43)."""
        hand = self.spots[spot][index]
        hand.doubled = means
        self._give(spot, index, hand)
        self._end(spot, index, hand, "bust" if hand.bust else "doubled")

    def split(self, spot: int, left_staked: bool, means: Means = "money") -> None:
        """Two hands of one; both get their second card at once, right before left (COM-14, MAJ-44)."""
        pair = self.spots[spot][0].cards
        right, left = PlayedHand(from_split=True), PlayedHand(from_split=True, split=means)
        right.add(pair[0])
        left.add(pair[1])
        self.spots[spot] = [right, left]
        self._give(spot, 0, right)
        if left_staked:
            self._give(spot, 1, left)
        else:
            self._end(spot, 1, left, "unstaked")
        for index, hand in enumerate((right, left)):
            if hand.ended is None and self._stands_by_itself(hand):
                self._end(spot, index, hand, "twenty-one")
            elif hand.ended is None and is_ace(hand.cards[0]):
                self._end(spot, index, hand, "stood")

    # The dealer

    def second_card(self, due: bool) -> None:
        """Turn the hole card, or draw the second card where it is due (COM-07)."""
        if self._hole is not None:
            self.dealer.add(self._hole)
            self._emit(events.HoleShown(self._hole, self.dealer.total, self.dealer.soft))
            self._hole = None
        elif due:
            self._give_dealer()

    def end_dealer(self, complete: bool) -> None:
        """Draw to 17 if a bet depends on it (COM-06)."""
        dealer = self.dealer
        if complete:
            while dealer.total < 17 or (
                self.rules.dealer_hits_soft_17 and dealer.soft and dealer.total == 17
            ):
                self._give_dealer()
        self._emit(events.DealerEnded(dealer.total, dealer.bust, dealer.is_natural))
