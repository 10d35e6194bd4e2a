"""Bets before the cards: what may be placed, and what stands when betting closes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

from sabot.engine.book import Book
from sabot.engine.commands import DEALER, Bet, Player
from sabot.engine.errors import RuleError
from sabot.engine.events import BetReturned, BettingClosed, Event, Mode, Stake, StakedSpot
from sabot.games.sidebets import SideBet


class Betting:
    """The betting phase of a round over its book."""

    __slots__ = ("_book", "_emit", "_kinds", "behind_closed", "behind_closed_next")

    def __init__(self, book: Book, behind_closed: frozenset[int], emit: Callable[[Event], None]) -> None:
        self._book = book
        self._emit = emit
        off = book.options.side_bets_off
        self._kinds: dict[str, SideBet] = {
            bet.name: bet for bet in book.rules.side_bets if bet.name not in off
        }
        #: Seats whose player forbids bets behind, now and from the next round on (FRB-43).
        self.behind_closed = set(behind_closed)
        self.behind_closed_next = set(behind_closed)

    # Placing

    def check(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Refuse a set of bets that the table does not take; nothing has changed (COM-23, COM-25, SB-08)."""
        book = self._book
        purse = book.purse(player)
        mains = {bet.spot for bet in bets if bet.kind == "main"}
        seen: set[tuple[int, str]] = set()
        cost = 0
        for bet in bets:
            self._check_bet(player, bet, mains)
            place = (bet.spot, bet.kind)
            if place in seen:
                raise RuleError("bet/twice", kind=bet.kind, spot=bet.spot)
            seen.add(place)
            cost += bet.stake
        returned = sum(bet.stake for bet in book.bets.get(player, ())) if self._live else 0
        if cost > purse.money + returned:
            raise RuleError("funds/insufficient", cost=cost, balance=purse.money + returned)
        if any(bet.golden for bet in bets):
            self._check_golden(player, bets)

    def _check_bet(self, player: Player, bet: Bet, mains: set[int]) -> None:
        kind, spot, stake = bet.kind, bet.spot, bet.stake
        self._check_place(player, kind, spot, mains)
        if (
            type(stake) is not int
            or stake < 0
            or any(type(chip) is not int or chip <= 0 for chip in bet.golden)
        ):
            raise RuleError("bet/not-whole-cents", kind=kind, stake=stake)
        face = stake + sum(bet.golden) if bet.golden else stake
        if face == 0:
            raise RuleError("bet/not-whole-cents", kind=kind, stake=face)
        limits = self._book.options.limits(kind)
        if face > limits.maximum:
            code = "bet/above-maximum"
        elif face < limits.minimum and not self._live:
            code = "bet/below-minimum"
        else:
            return
        raise RuleError(code, kind=kind, stake=face, minimum=limits.minimum, maximum=limits.maximum)

    def _check_place(self, player: Player, kind: str, spot: int, mains: set[int]) -> None:
        rules, owners = self._book.rules, self._book.owners
        if kind == "main" or kind == "behind":
            if type(spot) is not int or not 0 <= spot < rules.spots:
                raise RuleError("bet/no-such-spot", spot=spot, last=rules.spots - 1)
            if kind == "behind":
                self._check_behind(spot, mains)
            elif rules.backing == "seats" and owners.get(spot, player) != player:
                raise RuleError("bet/seat-taken", spot=spot)
            return
        side_bet = self._kinds.get(kind)
        if side_bet is None:
            raise RuleError("bet/no-such-bet", kind=kind, known=", ".join(self.kinds()))
        if side_bet.once:
            if spot != DEALER:
                raise RuleError("bet/beside-dealer", kind=kind)
            if not mains:
                raise RuleError("bet/needs-any-main-bet", kind=kind)
        elif spot not in mains:
            raise RuleError("bet/no-main-bet", kind=kind, spot=spot)

    def _check_behind(self, spot: int, mains: set[int]) -> None:
        if self._book.rules.backing != "seats":
            raise RuleError("bet/no-such-bet", kind="behind", known=", ".join(self.kinds()))
        if spot in mains:
            raise RuleError("bet/behind-own-seat", spot=spot)
        if spot in self.behind_closed:
            raise RuleError("bet/behind-forbidden", spot=spot)

    def _check_golden(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Golden chips: held, within the cap, unmixed where mixing is off (MAJ-50..52, MAJ-57)."""
        book = self._book
        if book.rules.backing != "boxes":
            raise RuleError("bet/no-golden")
        golden = book.options.golden
        wanted = Counter(chip for bet in bets for chip in bet.golden)
        held = Counter(book.purse(player).golden)
        held.update(chip for bet in book.bets.get(player, ()) for chip in bet.golden)
        for value, count in wanted.items():
            if count > held[value]:
                raise RuleError("golden/not-held", value=value, count=count, held=held[value])
        if golden.cap is not None and wanted.total() > golden.cap:
            raise RuleError("golden/over-cap", count=wanted.total(), cap=golden.cap)
        if not golden.mixing and any(bet.golden and bet.stake for bet in bets):
            raise RuleError("golden/no-mixing")

    def place(self, player: Player, bets: tuple[Bet, ...]) -> None:
        """Replace the player's bets; live stakes are taken at once (COM-27)."""
        book = self._book
        if self._live:
            self._take_back(player)
            for bet in bets:
                self._put(player, bet)
        book.bets.pop(player, None)
        if bets:
            book.bets[player] = bets

    def _take_back(self, player: Player) -> None:
        book = self._book
        for bet in book.bets.get(player, ()):
            self._remove(player, bet)

    def _remove(self, player: Player, bet: Bet) -> None:
        book = self._book
        book.return_line((player, bet.spot, 0, _why(bet.kind)))
        if bet.kind in ("main", "behind"):
            book.backers[bet.spot, 0].remove(player)
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
        closed_next = self.behind_closed_next
        closed_next.discard(spot) if allowed else closed_next.add(spot)
        placed = any(
            bet.kind == "behind" and bet.spot == spot for bets in self._book.bets.values() for bet in bets
        )
        if not allowed and placed:
            return True
        self.behind_closed.discard(spot) if allowed else self.behind_closed.add(spot)
        return False

    # Closing

    def staked(self) -> set[int]:
        """The spots that would play if betting closed now."""
        return {
            bet.spot
            for bets in self._book.bets.values()
            for bet in bets
            if bet.kind == "main" and self._reaches_minimum(bet)
        }

    def close(self) -> list[int]:
        """Final stakes: the spots that play, in dealing order."""
        book = self._book
        spots = sorted(self.staked())
        if self._live:
            for player, bets in list(book.bets.items()):
                self._return_small(player, bets, spots)
        else:
            for player, bets in book.bets.items():
                for bet in bets:
                    self._put(player, bet)
        self._emit(BettingClosed(tuple(map(self._staked_spot, spots))))
        return spots

    def _return_small(self, player: Player, bets: tuple[Bet, ...], spots: list[int]) -> None:
        """Live stakes below their minimum go back with what hangs on them (COM-25, FRB-41)."""
        mains = {bet.spot for bet in bets if bet.kind == "main" and self._reaches_minimum(bet)}
        kept = []
        for bet in bets:
            if not self._reaches_minimum(bet):
                self._emit(BetReturned(player, bet, "below-minimum"))
            elif bet.kind == "behind" and bet.spot not in spots:
                self._emit(BetReturned(player, bet, "seat-not-playing"))
            elif bet.kind not in ("main", "behind") and bet.spot not in mains:
                self._emit(BetReturned(player, bet, "no-main-bet"))
            else:
                kept.append(bet)
                continue
            self._remove(player, bet)
        self._book.bets[player] = tuple(kept)

    def _reaches_minimum(self, bet: Bet) -> bool:
        face = bet.stake + sum(bet.golden) if bet.golden else bet.stake
        return face >= self._book.options.limits(bet.kind).minimum

    def _staked_spot(self, spot: int) -> StakedSpot:
        book = self._book
        backers = book.backers[spot, 0]
        staked = sum(book.stake_on(player, spot, 0).face for player in backers)
        return StakedSpot(spot, book.owners.get(spot), len(backers), staked, self.mode(len(backers)))

    def mode(self, backers: int) -> Mode:
        """Who decides for a spot with so many players on it (MAJ-11)."""
        if self._book.rules.backing != "boxes":
            return "owner"
        return "vote" if backers >= self._book.options.vote_threshold else "best-strategy"

    def kinds(self) -> tuple[str, ...]:
        """The kinds of bet this table takes."""
        behind = ("behind",) if self._book.rules.backing == "seats" else ()
        return ("main", *behind, *self._kinds)

    @property
    def _live(self) -> bool:
        return self._book.rules.backing != "solo"


def _why(kind: str) -> str:
    return "initial" if kind in ("main", "behind") else kind
