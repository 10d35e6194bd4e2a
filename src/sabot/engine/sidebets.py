"""The side bets of a round: decided as soon as the cards they look at are face up (SB-09)."""

from collections.abc import Callable

from sabot.engine.book import Book
from sabot.engine.events import Event, SideBetDecided
from sabot.engine.outcome import LOSE, Outcome
from sabot.engine.play import Play
from sabot.games.sidebets import Judge, SideBet, dealer_bust, lucky, pair, three_cards


class SideBets:
    """Results of side bets, each decided once for all its stakes."""

    def __init__(self, play: Play, book: Book, emit: Callable[[Event], None]) -> None:
        self._play = play
        self._book = book
        self._emit = emit
        self._outcomes: dict[tuple[int, str], Outcome] = {}

    def outcome(self, spot: int, kind: str) -> Outcome:
        """The outcome of a bet; an undecided one is lost."""
        return self._outcomes.get((spot, kind), LOSE)

    def judges(self) -> set[Judge]:
        """The judges of the open side bets."""
        return {bet.judge for _, bet in self._standing()}

    def decide_at_deal(self) -> None:
        """Bets on the hand's first cards and the up card; a LINK bet without a blackjack is lost (LNK-35)."""
        up = self._play.up
        for spot, bet in self._standing("hand-pair", "poker", "lucky", "bonus"):
            hand = self._play.spots[spot][0]
            first, second = hand.cards
            match bet.judge:
                case "hand-pair":
                    self._decide(spot, bet, pair(first, second))
                case "poker":
                    self._decide(spot, bet, three_cards(first, second, up))
                case "lucky":
                    self._decide(spot, bet, lucky(first, second, up))
                case "bonus" if hand.ended != "blackjack":
                    self._decide(spot, bet, "")

    def decide_dealer_pair(self) -> None:
        """Bets on the dealer's two cards (SB-02)."""
        first, second = self._play.dealer.cards[:2]
        for spot, bet in self._standing("dealer-pair"):
            self._decide(spot, bet, pair(first, second))

    def decide_dealer_bust(self) -> None:
        """Bets on the dealer's finished hand (SB-05, SB-13)."""
        dealer = self._play.dealer
        for spot, bet in self._standing("dealer-bust"):
            blackjack = self._play.spots[spot][0].ended == "blackjack"
            self._decide(spot, bet, dealer_bust(len(dealer.cards), blackjack) if dealer.bust else "")

    def _standing(self, *judges: Judge) -> list[tuple[int, SideBet]]:
        """The open bets of these judges, or of all, each once, by spot."""
        places = {(spot, why) for _, spot, _, why in self._book.lines if why != "initial"}
        if not places:
            return []
        side_bet = self._book.rules.side_bet
        bets = [(spot, side_bet(why)) for spot, why in sorted(places)]
        return [(spot, bet) for spot, bet in bets if bet and (not judges or bet.judge in judges)]

    def _decide(self, spot: int, bet: SideBet, category: str) -> None:
        pays = bet.prize(category)
        self._outcomes[spot, bet.name] = Outcome("win", (pays, 1)) if pays else LOSE
        self._emit(SideBetDecided(spot, bet.name, category if pays else "", pays))
