"""The cards of a round: spots, hands and the dealer.

`Play` deals, carries out decisions that were checked, and finishes the dealer's hand. `Round` knows who may decide and
whether the dealer must complete.

A step that needs a card is told what comes after it, `then`. Where a person deals and the card has not come, nothing has
changed: the step is kept, and taken again with the card (STU-02).
"""

from collections.abc import Callable, Iterator, Sequence
from functools import partial

from sabot.cards import VALUES, Card, Hand, is_ace, is_ten
from sabot.engine import events
from sabot.engine.commands import DEALER, Effect
from sabot.engine.events import DueCard, Ending, Event, Means
from sabot.engine.shoe import HandShoe, Shoe
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

    def __init__(self, rules: Rules, shoe: Shoe, taken: list[Card], emit: Callable[[Event], None]) -> None:
        self.rules = rules
        #: With so many cards a soft 21 may draw: no card busts it, and the next one makes a Charlie (COM-45).
        self._last_before_charlie = rules.charlie - 1 if rules.charlie else 0
        self.spots: dict[int, list[PlayedHand]] = {}
        self.dealer = Hand()
        self.hole: Card | None = None
        #: What the round waits for, where a person deals (STU-02).
        self.due: DueCard | None = None
        self._again: Effect | None = None
        self._hand_shoe = shoe if isinstance(shoe, HandShoe) else None
        self._draw = shoe.draw
        self._taken = taken
        self._emit = emit

    # Waiting

    def wait(self, due: DueCard, again: Effect) -> None:
        """Wait for a card, or for the dealer to pay; `again` is done when it has come."""
        self.due, self._again = due, again
        self._emit(events.CardAwaited(due))

    def go_on(self) -> None:
        """What was waited for has come: take the step again."""
        again = self._again
        assert again is not None
        self.give_up()
        again()

    def give_up(self) -> None:
        """Wait for nothing any more."""
        self.due = self._again = None

    # Dealing

    def burn(self, then: Effect) -> None:
        """Put a card away face down (MAJ-07)."""
        card = self._draw()
        if card is None:
            self.wait(DueCard("burn"), partial(self.burn, then))
            return
        self._taken.append(card)
        self._emit(events.CardBurnt())
        then()

    def deal(self, spots: Sequence[int], then: Effect) -> None:
        """Two passes over the spots and the dealer (COM-10, FRB-01, MAJ-14)."""
        hands = [(spot, PlayedHand()) for spot in spots]
        self.spots = {spot: [hand] for spot, hand in hands}
        self._deal([*hands, (DEALER, self.dealer), *hands], 0, then)

    def _deal(self, order: Sequence[tuple[int, Hand]], start: int, then: Effect) -> None:
        """Deal from a place of the order on, then the hole card."""
        for place in range(start, len(order)):
            spot, hand = order[place]
            if not self._give(spot, 0, hand):
                self.wait(DueCard("card", spot), partial(self._deal, order, place, then))
                return
        if self.rules.hole_card and self.hole is None:
            self.hole = self._draw()
            if self.hole is None:
                self.wait(DueCard("hole"), partial(self._deal, order, len(order), then))
                return
            self._taken.append(self.hole)
            self._emit(events.HoleDealt())
        for spot, (first,) in self.spots.items():
            if first.total == 21:
                self._end(spot, 0, first, "blackjack")
        then()

    def _give(self, spot: int, index: int, hand: Hand) -> bool:
        """Give a hand its next card, or the dealer's with the spot -1; False if it has not come yet."""
        card = self._draw()
        if card is None:
            return False
        self._taken.append(card)
        hand.add(card)
        self._emit(events.CardDealt(spot, index, card, hand.total, hand.soft))
        return True

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
        return self.hole is not None

    def hole_makes_blackjack(self) -> bool:
        """The dealer's look at the face-down card."""
        return self.hole is not None and Hand((self.up, self.hole)).is_natural

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

    def hit(self, spot: int, index: int, then: Effect) -> None:
        """One more card; the hand ends bust, as a Charlie, or on a 21 that cannot become one (COM-05, COM-45, COM-46)."""
        hand = self.spots[spot][index]
        if not self._give(spot, index, hand):
            self.wait(DueCard("card", spot, index), partial(self.hit, spot, index, then))
            return
        if hand.bust:
            self._end(spot, index, hand, "bust")
        elif len(hand.cards) == self.rules.charlie:
            self._end(spot, index, hand, "charlie")
        elif self._stands_by_itself(hand):
            self._end(spot, index, hand, "twenty-one")
        then()

    def end(self, spot: int, index: int, how: Ending) -> None:
        """The hand ends without a card: stood, surrendered, cashed back, taken at even money."""
        self._end(spot, index, self.spots[spot][index], how)

    def double(self, spot: int, index: int, means: Means, then: Effect) -> None:
        """Exactly one more card (COM-43)."""
        hand = self.spots[spot][index]
        hand.doubled = means
        if not self._give(spot, index, hand):
            self.wait(DueCard("card", spot, index), partial(self.double, spot, index, means, then))
            return
        self._end(spot, index, hand, "bust" if hand.bust else "doubled")
        then()

    def split(self, spot: int, left_staked: bool, means: Means, then: Effect) -> None:
        """Two hands of one; both get their second card at once, right before left (COM-14, MAJ-44)."""
        pair = self.spots[spot][0].cards
        right, left = PlayedHand(from_split=True), PlayedHand(from_split=True, split=means)
        right.add(pair[0])
        left.add(pair[1])
        self.spots[spot] = [right, left]
        self._deal_split(spot, left_staked, then)

    def _deal_split(self, spot: int, left_staked: bool, then: Effect) -> None:
        """The second card of each hand that has one card."""
        hands = self.spots[spot]
        for index, hand in enumerate(hands if left_staked else hands[:1]):
            if len(hand.cards) == 1 and not self._give(spot, index, hand):
                self.wait(DueCard("card", spot, index), partial(self._deal_split, spot, left_staked, then))
                return
        if not left_staked:
            self._end(spot, 1, hands[1], "unstaked")
        for index, hand in enumerate(hands):
            if hand.ended is None and self._stands_by_itself(hand):
                self._end(spot, index, hand, "twenty-one")
            elif hand.ended is None and is_ace(hand.cards[0]):
                self._end(spot, index, hand, "stood")
        then()

    # The dealer

    def second_card(self, due: bool, then: Effect) -> None:
        """Turn the hole card, or draw the second card where it is due (COM-07).

        A hole card that a person deals is read a second time when it is turned (STU-06).
        """
        if self.hole is not None:
            if self._hand_shoe is not None and self._hand_shoe.read_again() is None:
                self.wait(DueCard("turn"), partial(self.second_card, due, then))
                return
            self.dealer.add(self.hole)
            self._emit(events.HoleShown(self.hole, self.dealer.total, self.dealer.soft))
            self.hole = None
        elif due and not self._give(DEALER, 0, self.dealer):
            self.wait(DueCard("card", DEALER), partial(self.second_card, due, then))
            return
        then()

    def end_dealer(self, complete: bool, then: Effect) -> None:
        """Draw to 17 if a bet depends on it (COM-06)."""
        dealer = self.dealer
        if complete:
            while dealer.total < 17 or (
                self.rules.dealer_hits_soft_17 and dealer.soft and dealer.total == 17
            ):
                if not self._give(DEALER, 0, dealer):
                    self.wait(DueCard("card", DEALER), partial(self.end_dealer, complete, then))
                    return
        self._emit(events.DealerEnded(dealer.total, dealer.bust, dealer.is_natural))
        then()
