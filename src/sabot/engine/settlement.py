"""From cards to money: what the dealer must still draw, which side bets won, who is paid what."""

from __future__ import annotations

from collections.abc import Callable

from sabot.engine.book import Book, Line
from sabot.engine.commands import DEALER, Player
from sabot.engine.events import BetSettled, Event, PlayerPaid, RoundSettled, SideBetDecided, Stake, WinCapped
from sabot.engine.play import LIVE, Play
from sabot.engine.settle import LOSE, Outcome, double_outcome, hand_outcome, pay
from sabot.games.sidebets import dealer_bust, lucky, pair, three_cards

_MAIN = ("initial", "split")


class Settlement:
    """The end of a round over its cards and its book."""

    __slots__ = ("_book", "_emit", "_paid", "_play", "_side_outcomes", "_won", "cashbacks")

    def __init__(self, play: Play, book: Book, emit: Callable[[Event], None]) -> None:
        self._play = play
        self._book = book
        self._emit = emit
        #: Prices taken, by spot and hand.
        self.cashbacks: dict[tuple[int, int], int] = {}
        self._side_outcomes: dict[tuple[int, str], Outcome] = {}
        #: Lines settled so far, with what they were paid.
        self._paid: dict[Line, tuple[Stake, int]] = {}
        self._won: dict[Player, int] = {}

    # Side bets

    def decide_at_deal(self) -> None:
        """Side bets on cards that are face up after the deal (SB-09)."""
        up = self._play.up
        for spot, kind in self._side_bets():
            bet = self._book.rules.side_bet(kind)
            first, second = self._play.spots[spot][0].cards if spot != DEALER else (up, up)
            match bet and bet.judge:
                case "hand-pair":
                    self._decide(spot, kind, pair(first, second))
                case "poker":
                    self._decide(spot, kind, three_cards(first, second, up))
                case "lucky":
                    self._decide(spot, kind, lucky(first, second, up))

    def _decide_dealer_pair(self) -> None:
        """As soon as the dealer's second card is face up (SB-02, SB-09)."""
        cards = self._play.dealer.cards
        for spot, kind in self._side_bets():
            if kind == "dealer-pair":
                self._decide(spot, kind, pair(cards[0], cards[1]))

    def _decide_buster(self) -> None:
        """On the dealer's finished hand (SB-05, SB-13)."""
        dealer = self._play.dealer
        for spot, kind in self._side_bets():
            if kind == "buster":
                blackjack = self._play.spots[spot][0].ended == "blackjack"
                self._decide(spot, kind, dealer_bust(len(dealer.cards), blackjack) if dealer.bust else "")

    def _side_bets(self) -> list[tuple[int, str]]:
        """Spots and kinds of the side bets that stand, each once."""
        if not self._book.rules.side_bets:
            return []
        places = {(spot, why): None for _, spot, _, why in self._book.lines if self._book.rules.side_bet(why)}
        return sorted(places)

    def _decide(self, spot: int, kind: str, category: str) -> None:
        bet = self._book.rules.side_bet(kind)
        pays = bet.prize(category) if bet else 0
        self._side_outcomes[spot, kind] = Outcome("win", (pays, 1)) if pays else LOSE
        self._emit(SideBetDecided(spot, kind, category if pays else "", pays))

    # The dealer

    def finish_dealer(self) -> None:
        """Let the dealer draw what some bet depends on, and no more (COM-07, MAJ-06)."""
        play, book = self._play, self._book
        endings = {hand.ended for hands in play.spots.values() for hand in hands}
        endings.discard("unstaked")
        whys = {why for _, _, _, why in book.lines}
        complete = not LIVE.isdisjoint(endings) or (
            "buster" in whys and (book.rules.buster_keeps_dealer or endings != {"bust"})
        )
        second = (
            "insurance" in whys
            or "dealer-pair" in whys
            or ((play.ace_up or play.ten_up) and not endings.isdisjoint(("blackjack", "charlie")))
        )
        play.second_card(complete or second)
        if "dealer-pair" in whys:
            self._decide_dealer_pair()
        play.end_dealer(complete)
        if "buster" in whys:
            self._decide_buster()

    # Payments

    def lose_insurance(self) -> None:
        """The check found no blackjack: insurance is decided there and then (COM-33)."""
        for line in [line for line in self._book.lines if line[3] == "insurance"]:
            self._pay(line, LOSE)

    def pay_bonus(self, player: Player, spot: int, pays: int) -> None:
        """A bonus win is credited when its bonus ends (LNK-22, LNK-36)."""
        self._pay((player, spot, 0, "link"), Outcome("win", (pays, 1)))

    def pay_all(self) -> None:
        """Settle every line that still stands and tell each player the sum."""
        outcomes: dict[tuple[int, int, str], Outcome] = {}
        for line in list(self._book.lines):
            bet = line[1:]
            outcome = outcomes.get(bet)
            if outcome is None:
                outcome = outcomes[bet] = self._outcome(*bet)
            self._pay(line, outcome)
        self._emit(RoundSettled(self._sum_up()))

    def _outcome(self, spot: int, hand: int, why: str) -> Outcome:
        play, rules = self._play, self._book.rules
        if why in _MAIN:
            cashback = self.cashbacks.get((spot, hand), 0)
            return hand_outcome(rules, play.spots[spot][hand], play.dealer, cashback)
        if why == "double":
            return double_outcome(rules, play.spots[spot][hand], play.dealer, play.ten_up)
        if why == "insurance":
            return Outcome("win", rules.insurance_pays) if play.dealer.is_natural else LOSE
        return self._side_outcomes.get((spot, why), LOSE)

    def _pay(self, line: Line, outcome: Outcome) -> None:
        book = self._book
        stake = book.lines.pop(line)
        paid, won, golden_back = pay(stake, outcome)
        self._emit(BetSettled(*line, stake, outcome.result, paid, golden_back))
        player = line[0]
        purse = book.purses[player]
        if won and book.options.max_win is not None:
            paid -= self._cut(player, won, book.options.max_win)
        if golden_back:
            purse.give_golden(golden_back)
        purse.money += paid
        book.house += stake.own - paid
        self._paid[line] = (stake, paid)

    def _cut(self, player: Player, won: int, max_win: int) -> int:
        """What the maximum win takes off a win; stakes are never cut (LNK-08)."""
        before = self._won.get(player, 0)
        self._won[player] = before + won
        cut = max(0, before + won - max_win) - max(0, before - max_win)
        if cut:
            self._emit(WinCapped(player, cut, max_win))
        return cut

    def _sum_up(self) -> bool:
        """Each player's round in sum; says whether golden chips were in it (MAJ-56)."""
        sums: dict[Player, list[int]] = {}
        for line, (stake, paid) in self._paid.items():
            player = line[0]
            if player not in sums:
                sums[player] = [0, 0, 0]
            totals = sums[player]
            totals[0] += stake.own
            totals[1] += paid
            totals[2] += len(stake.golden)
        golden_chips = 0
        for player, (staked, paid, golden) in sums.items():
            golden_chips += golden
            self._emit(PlayerPaid(player, staked, paid, self._book.purses[player].money, golden > 0))
        return golden_chips > 0

    def undo(self) -> None:
        """A void takes back what was paid and gives back what was lost before it (PLT-32, LNK-36)."""
        for (player, _, _, _), (stake, paid) in self._paid.items():
            self._book.purses[player].money += stake.own - paid
            self._book.house -= stake.own - paid
        self._paid.clear()
