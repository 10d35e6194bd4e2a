"""The money of a round: purses, bets and lines.

A line is `(player, spot, hand, why) -> Stake`; `why` is initial, double, split, insurance or a side bet's name.
Purses + escrow + house is always what was brought: `Book.total`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Literal

from sabot.engine.commands import Bet, Consent, Player
from sabot.engine.events import Event, Stake, StakeAdded, StakeDeclined, Why
from sabot.engine.golden import nearest_chips
from sabot.engine.inputs import Tape
from sabot.errors import Refusal
from sabot.games.options import TableOptions
from sabot.games.rules import Action, Rules

Line = tuple[Player, int, int, Why]

#: The lines that a main bet can lead to, as hand and why.
_HAND_LINES = ((0, "initial"), (0, "double"), (1, "split"), (1, "double"), (0, "insurance"))


class Purse:
    """A player's money, and golden chips by face value (MAJ-50); there may be ten thousand."""

    __slots__ = ("golden", "golden_used", "money", "most", "staked")

    def __init__(self, money: int, golden: Mapping[int, int] | None = None, most: int | None = None) -> None:
        self.money = money
        self.golden = dict(golden) if golden else {}
        #: Golden chips staked in this round (MAJ-51).
        self.golden_used = 0
        #: Own money staked in this round, and the most it may be by the player's loss limit (ASR-41).
        self.staked = 0
        self.most = most

    @property
    def left(self) -> int | None:
        """The rest that the loss limit allows to stake; None without a limit."""
        return None if self.most is None else max(0, self.most - self.staked)

    def lacks(self, cost: int) -> str | None:
        """Why the player cannot stake this much more, if so (COM-24, ASR-41)."""
        if cost > self.money:
            return "funds/insufficient"
        return "limit/loss" if self.left is not None and cost > self.left else None

    def take(self, stake: Stake) -> None:
        """Move a stake from the purse to the table."""
        self.money -= stake.own
        self.staked += stake.own
        for value in stake.golden:
            self.golden[value] -= 1
            self.golden_used += 1

    def give_back(self, stake: Stake) -> None:
        """Return a stake in kind, as if it had never been placed (MAJ-54)."""
        self.money += stake.own
        self.staked -= stake.own
        self.give_golden(stake.golden)
        self.golden_used -= len(stake.golden)

    def give_golden(self, chips: tuple[int, ...]) -> None:
        """Return golden chips in kind."""
        for value in chips:
            self.golden[value] = self.golden.get(value, 0) + 1

    def golden_for(self, amount: int, cap: int | None) -> tuple[int, ...]:
        """Golden chips towards an amount, as many as the cap leaves (MAJ-53, PLT-65)."""
        room = amount if cap is None else max(0, cap - self.golden_used)
        return nearest_chips(self.golden, amount, room)


class Book:
    """The stakes of all players: on which hand, and why."""

    def __init__(
        self, rules: Rules, options: TableOptions, tape: Tape, emit: Callable[[Event], None]
    ) -> None:
        self.rules = rules
        self.options = options
        self.purses = {
            player: Purse(money, tape.golden.get(player), tape.most.get(player))
            for player, money in tape.purses.items()
        }
        self.bets: dict[Player, tuple[Bet, ...]] = {}
        self.lines: dict[Line, Stake] = {}
        #: The player who decides for a spot; none at a box (MAJ-10).
        self.owners: dict[int, Player] = {}
        #: Players with a stake on a hand, in the order they came.
        self.backers: dict[tuple[int, int], dict[Player, None]] = {}
        self.consents: dict[Player, Consent] = dict(tape.consents)
        #: Doubles and splits that players wanted to follow and could not: spot, hand, which, and why not.
        self.declined: dict[Player, list[tuple[int, int, Why, str]]] = {}
        self.house = 0
        self._emit = emit

    def purse(self, player: Player) -> Purse:
        """The player's purse."""
        try:
            return self.purses[player]
        except KeyError:
            raise Refusal("player/unknown", player=player) from None

    def admit(self, player: Player, money: int, golden: Mapping[int, int]) -> None:
        """Give a player a purse."""
        self.purses[player] = Purse(money, golden)

    @property
    def escrow(self) -> int:
        """Own money that stands on the table."""
        return sum(stake.own for stake in self.lines.values())

    @property
    def total(self) -> int:
        """All money of the round; it changes only when a player brings more."""
        return sum(purse.money for purse in self.purses.values()) + self.escrow + self.house

    def afford(self, player: Player, cost: int) -> None:
        """Refuse a cost that the player's money or loss limit does not cover (COM-24, ASR-41)."""
        purse = self.purse(player)
        lack = purse.lacks(cost)
        if lack == "limit/loss":
            raise Refusal(lack, cost=cost, left=purse.left)
        if lack is not None:
            raise Refusal(lack, cost=cost, balance=purse.money)

    # Lines

    def open_line(self, player: Player, spot: int, hand: int, why: Why, stake: Stake) -> None:
        """Put a stake, already taken from the purse, on a line."""
        self.lines[player, spot, hand, why] = stake
        if why in ("initial", "split"):
            self.backers.setdefault((spot, hand), {})[player] = None

    def stake_on(self, player: Player, spot: int, hand: int) -> Stake:
        """The player's stake on a hand before any double."""
        return self.lines[player, spot, hand, "split" if hand else "initial"]

    def lines_of(self, player: Player) -> Iterator[tuple[Line, Stake]]:
        """The lines of a player, by name: a crowd has too many lines to search."""
        bets = self.bets.get(player, ())
        for spot in sorted({bet.spot for bet in bets}):
            whys = [bet.kind for bet in bets if bet.spot == spot]  # no line is called main or behind
            for hand, why in (*_HAND_LINES, *((0, why) for why in whys)):
                stake = self.lines.get((player, spot, hand, why))
                if stake is not None:
                    yield (player, spot, hand, why), stake

    # Doubles and splits

    def add_stakes(
        self,
        spot: int,
        hand: int,
        why: Literal["double", "split"],
        free: bool,
        vote_of: Callable[[Player], Action | None],
    ) -> bool:
        """Take the stakes of a double or split from all who follow; says whether anyone does.

        The owner always pays; others follow with their consent or their own vote for it, if money and loss limit
        cover it (FRB-42, MAJ-40..42, ASR-41). A free bet is put for everyone.
        """
        target = 1 if why == "split" else hand
        owner = self.owners.get(spot)
        followed = False
        for player in self.backers[spot, hand]:
            base = self.stake_on(player, spot, hand)
            if free:
                stake: Stake | None = Stake(free=base.face)
            elif player == owner:
                stake = Stake(base.own)
            else:
                stake = self._follow(player, base, why, vote_of(player) == why)
                lack = None if stake is None else self.purses[player].lacks(stake.own)
                if stake is not None and lack is not None:
                    self._decline(player, spot, hand, why, lack, stake.own)
                    continue
            if stake is None:
                continue
            purse = self.purses[player]
            purse.take(stake)
            self.open_line(player, spot, target, why, stake)
            self._emit(StakeAdded(player, spot, target, why, stake, purse.money))
            followed = True
        return followed

    def _decline(self, player: Player, spot: int, hand: int, why: Why, reason: str, cost: int) -> None:
        """Note why a player could not follow (PLT-49)."""
        self.declined.setdefault(player, []).append((spot, hand, why, reason))
        if reason == "limit/loss":
            self._emit(StakeDeclined(player, spot, hand, why, cost))

    def _follow(
        self, player: Player, base: Stake, why: Literal["double", "split"], voted: bool
    ) -> Stake | None:
        """The stake of a follower; None for one who does not want to follow (MAJ-40..42, MAJ-53)."""
        consent = self.consents.get(player)
        consented = consent is not None and (consent.double if why == "double" else consent.split)
        if not voted and not consented:
            return None
        purse, golden = self.purses[player], self.options.golden
        chips: tuple[int, ...] = ()
        if base.golden and ((voted and golden.extra) or (consented and golden.blind)):
            chips = purse.golden_for(base.face, golden.cap)
            if sum(chips) < base.face and not golden.mixing:
                chips = ()
        return Stake(base.face - sum(chips), chips)

    # Giving back

    def return_line(self, line: Line) -> None:
        """Give a stake back in kind."""
        self.purses[line[0]].give_back(self.lines.pop(line))

    def return_all(self) -> None:
        """Give every stake back: the round is void (PLT-32)."""
        for line in list(self.lines):
            self.return_line(line)
