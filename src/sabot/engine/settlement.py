"""Settlement: the dealer's last cards, and all payments."""

from collections.abc import Callable

from sabot.engine.book import Book, Line
from sabot.engine.commands import Effect, Player
from sabot.engine.events import (
    BetSettled,
    Event,
    HandResult,
    PlayerPaid,
    RoundSettled,
    Stake,
    WinCapped,
)
from sabot.engine.outcome import LOSE, Outcome, double_outcome, hand_outcome, pay
from sabot.engine.play import LIVE, Play
from sabot.engine.sidebets import SideBets

_MAIN = ("initial", "split")


class Settlement:
    """Settles a round."""

    def __init__(self, play: Play, book: Book, emit: Callable[[Event], None]) -> None:
        self._play = play
        self._book = book
        self._emit = emit
        #: Prices taken, by spot and hand.
        self.cashbacks: dict[tuple[int, int], int] = {}
        self.side_bets = SideBets(play, book, emit)
        #: Lines settled so far, with what they were paid.
        self._paid: dict[Line, tuple[Stake, int]] = {}
        self._won: dict[Player, int] = {}
        #: What became of each hand, once all is paid.
        self.results: tuple[HandResult, ...] = ()

    # The dealer

    def finish_dealer(self, then: Effect) -> None:
        """Let the dealer draw if a bet depends on it (COM-07, MAJ-06)."""
        play, book, side_bets = self._play, self._book, self.side_bets
        endings = {hand.ended for hands in play.spots.values() for hand in hands}
        endings.discard("unstaked")
        judges = side_bets.judges() if book.rules.side_bets else set()
        complete = not LIVE.isdisjoint(endings) or (
            "dealer-bust" in judges and (endings != {"bust"} or self._buster_keeps_dealer)
        )
        second = (
            complete
            or "dealer-pair" in judges
            or any(why == "insurance" for _, _, _, why in book.lines)
            or ((play.ace_up or play.ten_up) and not endings.isdisjoint(("blackjack", "charlie")))
        )

        def end() -> None:
            if "dealer-bust" in judges:
                side_bets.decide_dealer_bust()
            then()

        def draw() -> None:
            if "dealer-pair" in judges:
                side_bets.decide_dealer_pair()
            play.end_dealer(complete, end)

        play.second_card(second, draw)

    @property
    def _buster_keeps_dealer(self) -> bool:
        """Whether a Buster bet makes the dealer draw when every hand is bust (MAJ-06)."""
        return self._book.options.played(self._book.rules).buster_keeps_dealer

    # Payments

    def lose_insurance(self) -> None:
        """Settle insurance as lost after a check without blackjack (COM-33)."""
        for line in [line for line in self._book.lines if line[3] == "insurance"]:
            self._pay(line, LOSE)

    def pay_bonus(self, line: Line, pays: int) -> None:
        """Pay a bonus when it ends (LNK-22, LNK-36)."""
        self._pay(line, Outcome("win", (pays, 1)))

    def pay_all(self) -> None:
        """Settle every open line, and emit the sums of each player."""
        outcomes: dict[tuple[int, int, str], Outcome] = {}
        for line in list(self._book.lines):
            bet = line[1:]
            outcome = outcomes.get(bet)
            if outcome is None:
                outcome = outcomes[bet] = self._outcome(*bet)
            self._pay(line, outcome)
        hands = [(*bet[:2], outcomes[bet].result) for bet in sorted(outcomes) if bet[2] in _MAIN]
        self.results = tuple([HandResult(*hand) for hand in hands])
        self._emit(RoundSettled(self._sum_up(), self.results))

    def _outcome(self, spot: int, hand: int, why: str) -> Outcome:
        play, rules = self._play, self._book.rules
        if why in _MAIN:
            cashback = self.cashbacks.get((spot, hand), 0)
            return hand_outcome(rules, play.spots[spot][hand], play.dealer, cashback)
        if why == "double":
            return double_outcome(rules, play.spots[spot][hand], play.dealer, play.ten_up)
        if why == "insurance":
            return Outcome("win", rules.insurance_pays) if play.dealer.is_natural else LOSE
        return self.side_bets.outcome(spot, why)

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
        """The part of a win above the maximum win; stakes are never cut (LNK-08)."""
        before = self._won.get(player, 0)
        self._won[player] = before + won
        cut = max(0, before + won - max_win) - max(0, before - max_win)
        if cut:
            self._emit(WinCapped(player, cut, max_win))
        return cut

    def _sum_up(self) -> bool:
        """Emit the sums of each player; says whether golden chips were used (MAJ-56)."""
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
        """Undo payments and losses before a void (PLT-32, LNK-36)."""
        for (player, _, _, _), (stake, paid) in self._paid.items():
            self._book.purses[player].money += stake.own - paid
            self._book.house -= stake.own - paid
        self._paid.clear()
        self.results = ()
