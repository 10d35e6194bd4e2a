"""The rules of a game: a frozen value that engine, odds, help and laboratory read.

>>> from sabot.games import find
>>> print(find("classic-8").rules)
classic-8: as classic-6, but
  decks = 8
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct

from sabot.games.bonus import Bonus
from sabot.games.sidebets import SideBet

Odds = tuple[int, int]
Backing = Literal["solo", "seats", "boxes"]
Action = Literal["stand", "hit", "double", "split", "surrender", "cashback"]

#: What a blackjack taken at even money pays (LNK-04).
EVEN_MONEY: Odds = (1, 1)
#: Parts of a stake in which the price of a hand is counted.
PRICE_UNITS = 10**9


def doc(text: str) -> Meta:
    """A field's line of documentation; `sabot rules` prints it."""
    return Meta(description=text)


class Rules(Struct, frozen=True, dict=True):
    """The rules of one game. The defaults are the classic six-deck game of the literature."""

    name: Annotated[str, doc("The rule set's name.")]
    decks: Annotated[int, doc("Decks in a full shoe (COM-01).")] = 6
    spots: Annotated[int, doc("Most hands, seats or boxes dealt in a round (COM-50, FRB-20, MAJ-10).")] = 1
    backing: Annotated[
        Backing,
        doc(
            "Who stakes on a spot: one player on all, an owner and others behind, or a crowd (COM-50, FRB-40, MAJ-10)."
        ),
    ] = "solo"
    hole_card: Annotated[bool, doc("The dealer's second card is dealt before the decisions (MAJ-02).")] = True
    checks: Annotated[
        tuple[Literal["ace", "ten"], ...],
        doc("Up cards under which the dealer looks for blackjack before decisions (COM-09)."),
    ] = ("ace", "ten")
    dealer_hits_soft_17: Annotated[bool, doc("The dealer draws on soft 17 (COM-06: no game here does).")] = (
        False
    )
    win_pays: Annotated[Odds, doc("A winning hand (COM-22).")] = (1, 1)
    blackjack_pays: Annotated[Odds, doc("A blackjack (COM-22).")] = (3, 2)
    insurance_pays: Annotated[Odds, doc("Insurance against a dealer blackjack (COM-22).")] = (2, 1)
    even_money: Annotated[bool, doc("A blackjack against an ace may be taken at 1:1 (LNK-04).")] = False
    double_after_split: Annotated[bool, doc("A split hand may be doubled (COM-43).")] = True
    free_double: Annotated[
        tuple[int, ...], doc("Hard two-card totals whose double costs nothing (FRB-04).")
    ] = ()
    free_split: Annotated[tuple[int, ...], doc("Card values whose split costs nothing, ace 1 (FRB-06).")] = ()
    surrender: Annotated[bool, doc("Half the stake back as a hand's first action (SUR-03).")] = False
    cashback: Annotated[bool, doc("A hand may be sold for its price at each decision (CSH-02).")] = False
    charlie: Annotated[int, doc("Cards that win a hand not bust; 0 for none (COM-46).")] = 0
    dealer_22_pushes: Annotated[bool, doc("A dealer total of 22 pushes (FRB-07).")] = False
    ten_up_returns_double: Annotated[
        bool, doc("A blackjack found under a ten after decisions returns the stake a double added (COM-47).")
    ] = False
    buster_keeps_dealer: Annotated[
        bool, doc("A Buster bet makes the dealer complete the hand even if every hand is bust (MAJ-06).")
    ] = True
    side_bets: Annotated[tuple[SideBet, ...], doc("The side bets with their prizes (SB).")] = ()
    bonus: Annotated[Bonus | None, doc("The Link bonus with its weights (LNK-20..31).")] = None

    def __post_init__(self) -> None:
        if self.checks and not self.hole_card:
            raise ValueError(
                f"{self.name}: a dealer without a hole card has nothing to check under {self.checks}"
            )
        if (self.bonus is None) != (self.bonus_bet is None):
            raise ValueError(f"{self.name}: a bonus and a bet that opens it go together")

    @cached_property
    def sha256(self) -> str:
        """The hash that a laboratory certifies, over every field."""
        return hashlib.sha256(msgspec.json.encode(self, order="deterministic")).hexdigest()

    @cached_property
    def actions(self) -> dict[tuple[bool, bool, bool], tuple[Action, ...]]:
        """The actions of a hand below 21, by whether it has two cards, is a pair, comes from a split.

        Money is not considered (COM-40..44, SUR-03, CSH-04, FRB-03).
        """
        yes_no = (False, True)
        return {key: tuple(self._list_actions(*key)) for key in product(yes_no, yes_no, yes_no)}

    def _list_actions(self, two_cards: bool, pair: bool, from_split: bool) -> Iterator[Action]:
        yield "stand"
        yield "hit"
        if two_cards and (not from_split or self.double_after_split):
            yield "double"
        if two_cards and pair and not from_split:
            yield "split"
        if two_cards and self.surrender and not from_split:
            yield "surrender"
        if self.cashback:
            yield "cashback"

    @cached_property
    def _side_bet_of(self) -> dict[str, SideBet]:
        return {bet.name: bet for bet in self.side_bets}

    @cached_property
    def bonus_bet(self) -> str | None:
        """The name of the bet that opens the bonus, if there is one."""
        return next((bet.name for bet in self.side_bets if bet.judge == "bonus"), None)

    def side_bet(self, name: str) -> SideBet | None:
        """The side bet of that name, if this game has it."""
        return self._side_bet_of.get(name)

    def differences(self, other: Rules) -> dict[str, object]:
        """The fields in which these rules differ from others, the name apart."""
        return {
            field: value
            for field in self.__struct_fields__
            if field != "name" and (value := getattr(self, field)) != getattr(other, field)
        }

    def __str__(self) -> str:
        classic = Rules("classic-6")
        lines = [f"  {field} = {_brief(value)}" for field, value in self.differences(classic).items()]
        if not lines:
            return f"{self.name}: the classic game"
        return "\n".join([f"{self.name}: as {classic.name}, but", *lines])


def field_docs() -> dict[str, str]:
    """Each field of `Rules` with its line of documentation."""
    docs = {}
    for field in msgspec.inspect.type_info(Rules).fields:  # type: ignore[attr-defined]  # a StructType
        meta = field.type
        docs[field.name] = (getattr(meta, "extra_json_schema", None) or {}).get("description", "")
    return docs


def _brief(value: object) -> str:
    if isinstance(value, tuple) and value and isinstance(value[0], SideBet):
        return ", ".join(bet.name for bet in value)
    if isinstance(value, Bonus):
        return "wheel, link, mega-link"
    return str(value)
