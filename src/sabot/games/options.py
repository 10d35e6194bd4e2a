"""Table options: limits, margins and permissions that an operator sets without changing the game's `Rules`.

>>> TableOptions().limits("main")
Limits(minimum=100, maximum=50000)
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Annotated

from msgspec import Meta, Struct
from msgspec.structs import replace

from sabot.errors import Refusal
from sabot.games.rules import Rules

PositiveCents = Annotated[int, Meta(gt=0)]

#: Cards that must lie behind the cut card of a live shoe (COM-12).
BEHIND_THE_CUT = 140


class OptionError(Refusal, ValueError):
    """A bad table option; its sentence says what would be right, and is the reason of another refusal."""


class Limits(Struct, frozen=True, forbid_unknown_fields=True):
    """Limits of an initial bet of one kind, in cents (COM-23)."""

    minimum: PositiveCents = 100
    maximum: PositiveCents = 50_000

    def __post_init__(self) -> None:
        if not 0 < self.minimum <= self.maximum:
            raise OptionError("option/limits", minimum=self.minimum, maximum=self.maximum)


class GoldenOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The permitted uses of golden chips (MAJ-51, MAJ-52)."""

    #: Golden and ordinary chips on one spot.
    mixing: bool = True
    #: Golden chips pay a double or split the player voted for.
    extra: bool = True
    #: Golden chips pay a double or split the player agreed to in advance (a blind action).
    blind: bool = True
    #: Most golden chips of one player in one round; None for no cap.
    cap: int | None = None

    def __post_init__(self) -> None:
        if self.cap is not None and self.cap < 0:
            raise OptionError("option/golden-cap", cap=self.cap)


class TableOptions(Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a table. Amounts are cents."""

    main: Limits = Limits()
    behind: Limits = Limits()
    side: Limits = Limits(100, 10_000)
    #: Limits of single side bets, by name; others have `side`.
    side_by_name: dict[str, Limits] = {}
    #: Chips of the rack, ascending; where none are named, `Game.fitted` puts those that fit the limits (PLT-69).
    chips: tuple[int, ...] = ()
    #: Side bets of the game that this table does not offer (MAJ-08).
    side_bets_off: tuple[str, ...] = ()
    #: Whether insurance is offered at all (MAJ-03).
    insurance: bool = True
    #: The most a player wins in a round beyond returned stakes; None for no maximum (LNK-08).
    max_win: int | None = None
    #: The house's margin on a cashback price, in basis points (RET-11).
    cashback_margin: int = 100
    golden: GoldenOptions = GoldenOptions()
    #: Players from which a box votes (MAJ-11).
    vote_threshold: int = 3
    #: A card is burnt face down before each round (MAJ-07).
    burn: bool = False
    #: Cards dealt before the cut card of a live shoe comes out (COM-12).
    cut: int = 208
    #: Whether a Buster bet keeps the dealer drawing when all hands are bust, where the game's rules have it so (MAJ-06).
    buster_keeps_dealer: bool = True

    def __post_init__(self) -> None:
        whole = all(type(chip) is int and chip > 0 for chip in self.chips)
        if not whole or list(self.chips) != sorted(set(self.chips)):
            raise OptionError("option/chips", chips=str(self.chips))
        if type(self.cashback_margin) is not int or not 0 <= self.cashback_margin < 10_000:
            raise OptionError("option/margin", margin=self.cashback_margin)
        if self.max_win is not None and self.max_win <= 0:
            raise OptionError("option/max-win", most=self.max_win)
        if self.vote_threshold < 1:
            raise OptionError("option/vote-threshold", players=self.vote_threshold)

    def with_limits(self, choice: LimitChoice) -> TableOptions:
        """These options with the limits a player chose, and no chips yet; those that fit: `Game.with_limits` (COM-54)."""
        max_win = self.max_win if choice.max_win is None else choice.max_win
        return replace(self, main=choice.main, side=choice.side, max_win=max_win, chips=())

    def played(self, rules: Rules) -> Rules:
        """Return the rules as a table with these options plays them: without Buster they are the same (MAJ-06).

        >>> from sabot.games import find
        >>> TableOptions(buster_keeps_dealer=False).played(find("majority-eu").rules).buster_keeps_dealer
        False
        """
        if self.buster_keeps_dealer or all(bet.judge != "dealer-bust" for bet in rules.side_bets):
            return rules
        return replace(rules, buster_keeps_dealer=False)

    def without(self, *side_bets: str) -> TableOptions:
        """These options without some side bets (OFF-02)."""
        off = dict.fromkeys((*self.side_bets_off, *side_bets))
        return replace(self, side_bets_off=tuple(off)) if side_bets else self

    def limits(self, kind: str) -> Limits:
        """The limits of a kind of bet: main, behind, or a side bet's name."""
        if kind == "main":
            return self.main
        if kind == "behind":
            return self.behind
        return self.side_by_name.get(kind, self.side)


class LimitChoice(Struct, frozen=True):
    """Limits a player may choose from the menu, from a VIP level on (COM-54)."""

    name: str
    vip: int
    main: Limits
    side: Limits
    #: The maximum win in place of the game's, and the most to bring to a sitting in place of the house's.
    max_win: int | None = None
    cap: int | None = None


LIMIT_CHOICES: tuple[LimitChoice, ...] = (
    LimitChoice("low", 0, Limits(100, 10_000), Limits(100, 2_500)),
    LimitChoice("standard", 0, Limits(100, 50_000), Limits(100, 10_000)),
    LimitChoice("high", 1, Limits(1_000, 200_000), Limits(200, 25_000)),
    LimitChoice("salon", 2, Limits(10_000, 1_000_000), Limits(1_000, 100_000)),
)


#: The choice that a table opens with.
USUAL_LIMITS = "standard"


def limit_choices(vip: int, choices: tuple[LimitChoice, ...] = LIMIT_CHOICES) -> tuple[LimitChoice, ...]:
    """The choices a VIP level allows.

    >>> [choice.name for choice in limit_choices(0)]
    ['low', 'standard']
    """
    return tuple(choice for choice in choices if choice.vip <= vip)


def check_bets(options: TableOptions, bets: Iterable[str]) -> None:
    """Refuse options that name a bet the game does not have."""
    known = sorted(set(bets))
    for name in (*options.side_bets_off, *options.side_by_name):
        if name not in known:
            raise no_bet(name, known)


def no_bet(name: str, known: Sequence[str]) -> OptionError:
    """The refusal of a bet that a game does not have."""
    if not known:
        return OptionError("option/no-bets", bet=name)
    return OptionError("option/bet", bet=name, known=", ".join(known))


def check_cut(decks: int, cut: int) -> None:
    """Refuse a cut card that leaves too few cards to finish a round (COM-12)."""
    behind = decks * 52 - cut
    if cut < 1 or behind < BEHIND_THE_CUT:
        raise OptionError("option/cut", cut=cut, cards=decks * 52, behind=behind, least=BEHIND_THE_CUT)
