"""The betting phase and its handlers: which bets are accepted, and which play when betting closes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import TYPE_CHECKING

from sabot.engine import events
from sabot.engine.book import Book
from sabot.engine.commands import DEALER, AllowBehind, Bet, Deal, Effect, PlaceBets, Player
from sabot.engine.events import Event, Mode, Stake
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round


class Betting:
    """The betting phase of a round."""

    def __init__(self, book: Book, behind_closed: frozenset[int], emit: Callable[[Event], None]) -> None:
        self._book = book
        self._emit = emit
        self._live = book.rules.backing != "solo"
        #: Seats whose player forbids bets behind, now and from the next round on (FRB-43).
        self.behind_closed = behind_closed
        self.behind_closed_next = behind_closed

    # Placing

    def check(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Refuse bets that the table does not take (COM-23, COM-25, SB-08)."""
        purse = self._book.purse(player)
        mains = [bet.spot for bet in bets if bet.kind == "main"]
        cost = 0
        golden = False
        for bet in bets:
            self._check_bet(player, bet, mains)
            cost += bet.stake
            golden = golden or bool(bet.golden)
        if len(bets) > 1:
            _check_duplicates(bets)
        replaced = sum(bet.stake for bet in self._book.bets.get(player, ())) if self._live else 0
        balance = purse.money + replaced
        if cost > balance:
            raise Refusal("funds/insufficient", cost=cost, balance=balance)
        if purse.most is not None and cost > purse.most - purse.staked + replaced:
            raise Refusal("limit/loss", cost=cost, left=max(0, purse.most - purse.staked + replaced))
        if golden:
            self._check_golden(player, bets)

    def _check_bet(self, player: Player, bet: Bet, mains: list[int]) -> None:
        kind, spot, stake = bet.kind, bet.spot, bet.stake
        self._check_place(player, kind, spot, mains)
        if type(stake) is not int or stake < 0 or (stake == 0 and not bet.golden):
            raise Refusal("bet/not-whole-cents", kind=kind, stake=stake)
        for chip in bet.golden:
            if type(chip) is not int or chip <= 0:
                raise Refusal("bet/not-whole-cents", kind=kind, stake=chip)
        face = bet.face
        limits = self._book.options.limits(kind)
        above = face > limits.maximum
        if above or (face < limits.minimum and not self._live):
            raise Refusal(
                "bet/above-maximum" if above else "bet/below-minimum",
                kind=kind,
                stake=face,
                minimum=limits.minimum,
                maximum=limits.maximum,
            )

    def _check_place(self, player: Player, kind: str, spot: int, mains: list[int]) -> None:
        rules, owners = self._book.rules, self._book.owners
        if type(spot) is not int or not DEALER <= spot < rules.spots:
            raise Refusal("bet/no-such-spot", spot=spot, last=rules.spots - 1)
        if kind == "main" or kind == "behind":
            if spot == DEALER:
                raise Refusal("bet/no-such-spot", spot=spot, last=rules.spots - 1)
            if kind == "behind":
                self._check_behind(spot, mains)
            elif rules.backing == "seats" and owners.get(spot, player) != player:
                raise Refusal("bet/seat-taken", spot=spot)
            return
        side_bet = rules.side_bet(kind)
        if side_bet is None or kind in self._book.options.side_bets_off:
            raise Refusal("bet/no-such-bet", kind=kind, known=", ".join(self.kinds()))
        if side_bet.once:
            if spot != DEALER:
                raise Refusal("bet/beside-dealer", kind=kind)
            if not mains:
                raise Refusal("bet/needs-any-main-bet", kind=kind)
        elif spot not in mains:
            raise Refusal("bet/no-main-bet", kind=kind, spot=spot)

    def _check_behind(self, spot: int, mains: list[int]) -> None:
        if self._book.rules.backing != "seats":
            raise Refusal("bet/no-such-bet", kind="behind", known=", ".join(self.kinds()))
        if spot in mains:
            raise Refusal("bet/behind-own-seat", spot=spot)
        if spot in self.behind_closed:
            raise Refusal("bet/behind-forbidden", spot=spot)

    def _check_golden(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Golden chips must be held, within the cap, and unmixed if mixing is off (MAJ-50..52, MAJ-57)."""
        book = self._book
        if book.rules.backing != "boxes":
            raise Refusal("bet/no-golden")
        golden = book.options.golden
        wanted = Counter(chip for bet in bets for chip in bet.golden)
        held = Counter(book.purse(player).golden)
        held.update(chip for bet in book.bets.get(player, ()) for chip in bet.golden)
        for value, count in wanted.items():
            if count > held[value]:
                raise Refusal("golden/not-held", value=value, count=count, held=held[value])
        if golden.cap is not None and wanted.total() > golden.cap:
            raise Refusal("golden/over-cap", count=wanted.total(), cap=golden.cap)
        if not golden.mixing and any(bet.golden and bet.stake for bet in bets):
            raise Refusal("golden/no-mixing")

    def place(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Replace the player's bets; live stakes are taken at once (COM-27)."""
        replaced = self._book.bets.pop(player, ())
        if self._live:
            for bet in replaced:
                self._remove(player, bet)
            for bet in bets:
                self._put(player, bet)
        if bets:
            self._book.bets[player] = bets

    def _remove(self, player: Player, bet: Bet) -> None:
        book = self._book
        book.return_line((player, bet.spot, 0, _why(bet.kind)))
        if bet.kind in ("main", "behind"):
            del book.backers[bet.spot, 0][player]
            if book.owners.get(bet.spot) == player:
                del book.owners[bet.spot]

    def _put(self, player: Player, bet: Bet) -> None:
        book = self._book
        stake = Stake(bet.stake, bet.golden)
        book.purses[player].take(stake)
        book.open_line(player, bet.spot, 0, _why(bet.kind), stake)
        if bet.kind == "main" and book.rules.backing != "boxes":
            book.owners[bet.spot] = player

    def allow_behind(self, spot: int, allowed: bool) -> bool:
        """Open or close a seat for bets behind; says whether that waits for the next round (FRB-43)."""
        closed = frozenset((spot,))
        self.behind_closed_next = (
            self.behind_closed_next - closed if allowed else self.behind_closed_next | closed
        )
        bets = (bet for bets in self._book.bets.values() for bet in bets)
        if not allowed and any(bet.kind == "behind" and bet.spot == spot for bet in bets):
            return True
        self.behind_closed = self.behind_closed - closed if allowed else self.behind_closed | closed
        return False

    # Closing

    def staked(self) -> list[int]:
        """The spots that would play if betting closed now, in dealing order."""
        mains = [bet for bets in self._book.bets.values() for bet in bets if bet.kind == "main"]
        if self._live:
            mains = [bet for bet in mains if self._reaches_minimum(bet)]
        return sorted({bet.spot for bet in mains})

    def close(self, spots: list[int]) -> None:
        """Take the final stakes on the spots that play."""
        book = self._book
        if self._live:
            for player, bets in list(book.bets.items()):
                self._return_small(player, bets, spots)
        else:
            for player, bets in book.bets.items():
                for bet in bets:
                    self._put(player, bet)
        self._emit(events.BettingClosed(tuple([self._staked_spot(spot) for spot in spots])))

    def _return_small(self, player: Player, bets: tuple[Bet, ...], spots: list[int]) -> None:
        """Return live stakes below the minimum, and bets that depend on them (COM-25, FRB-41)."""
        mains = {bet.spot for bet in bets if bet.kind == "main" and self._reaches_minimum(bet)}
        kept = []
        for bet in bets:
            if not self._reaches_minimum(bet):
                self._emit(events.BetReturned(player, bet, "below-minimum"))
            elif bet.kind == "behind" and bet.spot not in spots:
                self._emit(events.BetReturned(player, bet, "seat-not-playing"))
            elif bet.kind not in ("main", "behind") and not (
                bet.spot in mains or (bet.spot == DEALER and mains)
            ):
                self._emit(events.BetReturned(player, bet, "no-main-bet"))
            else:
                kept.append(bet)
                continue
            self._remove(player, bet)
        self._book.bets[player] = tuple(kept)

    def _reaches_minimum(self, bet: Bet) -> bool:
        return bet.face >= self._book.options.limits(bet.kind).minimum

    def _staked_spot(self, spot: int) -> events.StakedSpot:
        book = self._book
        backers = book.backers[spot, 0]
        staked = sum([book.stake_on(player, spot, 0).face for player in backers])
        owner = book.owners.get(spot)
        stake = 0 if owner is None else book.stake_on(owner, spot, 0).face
        return events.StakedSpot(spot, owner, len(backers), staked, self.mode(len(backers)), stake)

    def mode(self, backers: int) -> Mode:
        """The mode of a spot with so many players on it (MAJ-11)."""
        if self._book.rules.backing != "boxes":
            return "owner"
        return "vote" if backers >= self._book.options.vote_threshold else "best-strategy"

    def kinds(self) -> tuple[str, ...]:
        """The kinds of bet this table takes."""
        behind = ("behind",) if self._book.rules.backing == "seats" else ()
        off = self._book.options.side_bets_off
        return ("main", *behind, *(bet.name for bet in self._book.rules.side_bets if bet.name not in off))


def _check_duplicates(bets: tuple[Bet, ...]) -> None:
    """Refuse two bets of one kind on one spot."""
    seen: set[tuple[int, str]] = set()
    for bet in bets:
        if (bet.spot, bet.kind) in seen:
            raise Refusal("bet/twice", kind=bet.kind, spot=bet.spot)
        seen.add((bet.spot, bet.kind))


def _why(kind: str) -> str:
    return "initial" if kind in ("main", "behind") else kind


def place_bets(round: Round, command: PlaceBets) -> Effect:
    """Replace the bets of a player (COM-23, COM-25, SB-08)."""
    if round.phase != "betting":
        raise Refusal("round/over" if round.over else "round/not-betting")
    round.betting.check(command.player, command.bets)

    def effect() -> None:
        round.betting.place(command.player, command.bets)
        round.emit(events.BetsPlaced(command.player, command.bets, round.balance(command.player)))

    return effect


def allow_behind(round: Round, command: AllowBehind) -> Effect:
    """Open or close a seat for bets behind (FRB-43)."""
    if round.rules.backing != "seats":
        raise Refusal("behind/no-seats")
    if type(command.spot) is not int or not 0 <= command.spot < round.rules.spots:
        raise Refusal("bet/no-such-spot", spot=command.spot, last=round.rules.spots - 1)
    if round.over:
        raise Refusal("round/over")

    def effect() -> None:
        waits = round.betting.allow_behind(command.spot, command.allowed)
        round.emit(events.BehindAllowed(command.spot, command.allowed, waits or round.phase != "betting"))

    return effect


def deal(round: Round, command: Deal) -> Effect:
    """Close betting, deal, and open offers under an ace (COM-09, COM-27)."""
    if round.phase != "betting":
        raise Refusal("round/over" if round.over else "round/not-betting")
    spots = round.betting.staked()
    if not spots:
        raise Refusal("bet/none")
    if not command.insurance and round.rules.backing != "solo":
        raise Refusal("offer/no-switch")

    def effect() -> None:
        round.betting.close(spots)
        round.play.deal(spots, dealt)

    def dealt() -> None:
        round.settlement.side_bets.decide_at_deal()
        round.phase = "offers"
        if round.play.ace_up:
            blackjacks = {spot for spot, _, hand in round.play.hands() if hand.ended == "blackjack"}
            round.offers.start(blackjacks, command.insurance)
        if not round.offers.open:
            round.end_offers()

    return effect
