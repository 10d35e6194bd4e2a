"""Every way a command can be refused: a code, the rule behind it, and a sentence.

The registry is the one source of codes. Its English sentences are what `str(error)` says; other languages
translate them by code (`sabot.texts`).

>>> str(RuleError("bet/below-minimum", kind="main", stake=50, minimum=100, maximum=50000))
'Stake 0.50 on main is below the minimum: stake from 1.00 to 500.00 (COM-23)'
"""

from __future__ import annotations

from string import Formatter
from typing import NamedTuple

from sabot.engine.commands import DEALER
from sabot.games.money import format_money


class Refusal(NamedTuple):
    """A code's rule and its English sentence; `{x:money}` prints cents as units, and so on (`FORMATS`)."""

    rule: str
    sentence: str


REFUSALS: dict[str, Refusal] = {
    "bet/below-minimum": Refusal(
        "COM-23",
        "Stake {stake:money} on {kind} is below the minimum: stake from {minimum:money} to {maximum:money}",
    ),
    "bet/above-maximum": Refusal(
        "COM-23",
        "Stake {stake:money} on {kind} is above the maximum: stake from {minimum:money} to {maximum:money}",
    ),
    "bet/not-whole-cents": Refusal(
        "COM-20", "Stake {stake} on {kind} is not an amount of whole cents above 0"
    ),
    "bet/none": Refusal("COM-50", "No main bet is on the table: stake on a hand first"),
    "bet/no-such-spot": Refusal(
        "COM-50", "No bet goes on {spot:place} here: the numbers are 1 to {last:number}"
    ),
    "bet/no-such-bet": Refusal("SB-08", "This table has no bet {kind!r}: it has {known}"),
    "bet/twice": Refusal(
        "COM-50", "Two bets {kind} on {spot:place}: name each bet once, with its whole stake"
    ),
    "bet/no-main-bet": Refusal("SB-08", "The bet {kind} on {spot:place} needs a main bet there first"),
    "bet/needs-any-main-bet": Refusal("SB-08", "The bet {kind} needs a main bet on some hand first"),
    "bet/beside-dealer": Refusal(
        "SB-02", "The bet {kind} is one for the whole round: place it beside the dealer"
    ),
    "bet/seat-taken": Refusal(
        "FRB-40", "Seat {spot:number} is staked by its own player: bet behind it instead"
    ),
    "bet/behind-own-seat": Refusal(
        "FRB-40", "Seat {spot:number} is your own: you cannot bet behind your own seat"
    ),
    "bet/behind-forbidden": Refusal("FRB-43", "The player of seat {spot:number} does not allow bets behind"),
    "bet/no-golden": Refusal(
        "MAJ-57", "Golden chips may be placed on main and side bets of a Majority table only"
    ),
    "golden/not-held": Refusal(
        "MAJ-50", "You do not hold {count} golden chips of {value:money}: you hold {held}"
    ),
    "golden/no-mixing": Refusal(
        "MAJ-52", "Golden and ordinary chips may not be mixed on one spot at this table"
    ),
    "golden/over-cap": Refusal(
        "MAJ-51", "{count} golden chips are more than the {cap} this table allows in a round"
    ),
    "funds/insufficient": Refusal(
        "COM-24", "The balance {balance:money} does not cover {cost:money}: add money first"
    ),
    "limit/loss": Refusal(
        "ASR-41", "Your loss limit of the day leaves {left:money} for this round: {cost:money} is more"
    ),
    "funds/not-positive": Refusal("LNK-09", "Amount {amount} is not an amount of whole cents above 0"),
    "player/unknown": Refusal("COM-27", "{player!r} has brought no money to this table"),
    "player/solo": Refusal("COM-11", "A solo round has one player: nobody joins it"),
    "player/bad-purse": Refusal("COM-20", "A player cannot join like this: {reason}"),
    "player/has-bets": Refusal("COM-27", "{player!r} has bets on the table: take them back first"),
    "command/unknown": Refusal("COM-53", "{command!r} is no command of a round"),
    "offer/no-switch": Refusal("SUR-06", "Only a solo player switches the insurance offer off"),
    "round/not-betting": Refusal("COM-09", "Bets are closed: the round is being played"),
    "round/over": Refusal("COM-09", "The round is over"),
    "round/bad-reason": Refusal(
        "PLT-32", "The reason of a void is one line of text without blanks around it, not {reason!r}"
    ),
    "round/not-dealt": Refusal("COM-09", "The cards are not dealt yet: place bets and deal"),
    "round/offers-open": Refusal("COM-09", "Answer the open offers before any decision"),
    "round/bonus-open": Refusal("LNK-20", "Play the bonus of {spot:place} before any other hand"),
    "turn/not-yours": Refusal("COM-10", "It is the turn of {turn:hand}, not of {named:hand}"),
    "action/not-legal": Refusal("COM-53", "{action} cannot be played on {named:hand}: choose {legal}"),
    "cashback/stale": Refusal("CSH-15", "The price is {price:money} now, not {shown:money}"),
    "offer/none": Refusal("COM-30", "There is no open offer of that kind for this hand"),
    "offer/not-now": Refusal("COM-32", "First {turn:place} is asked"),
    "offer/one-answer": Refusal("MAJ-09", "One answer holds for both boxes: name no spot"),
    "bonus/none": Refusal("LNK-20", "No bonus is being played on {spot:place}"),
    "bonus/press-continue": Refusal("LNK-26", "Press continue to open the bonus table first"),
    "bonus/press-spin": Refusal("LNK-27", "The next step of the bonus is a spin"),
    "vote/none": Refusal("MAJ-20", "No vote is open on {named:hand}"),
    "vote/no-stake": Refusal("MAJ-22", "Only players with a stake on {named:hand} vote on it"),
    "vote/final": Refusal("MAJ-22", "You have voted {vote} already: a vote is final"),
    "consent/closed": Refusal("MAJ-12", "The answer in force at the close of betting holds for the round"),
    "behind/no-seats": Refusal("FRB-43", "This game has no bets behind"),
}


class RuleError(ValueError):
    """A command that the rules refuse. Nothing has changed."""

    def __init__(self, code: str, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params

    @property
    def rule(self) -> str:
        """The id of the rule behind the refusal."""
        return REFUSALS[self.code].rule

    @property
    def sentence(self) -> str:
        """The English sentence, its params not filled in."""
        return REFUSALS[self.code].sentence

    def __str__(self) -> str:
        return f"{_ENGLISH.vformat(REFUSALS[self.code].sentence, (), self.params)} ({self.rule})"


#: Formats of a param for people: cents, places counted from 1 (a spot, a `spot.hand`, a number), and counts with their unit.
FORMATS = ("money", "place", "hand", "number", "second", "minute", "vote")


class SentenceFormatter(Formatter):
    """Formats a sentence's params in English.

    >>> english = SentenceFormatter(".")
    >>> english.format("{a:place}, {b:hand}, {c:number}, {d:second}", a=1, b="0.1", c=0, d=1)
    'hand 2, hand 1, part 2, 1, 1 second'
    """

    def __init__(self, decimal_mark: str) -> None:
        self._mark = decimal_mark

    def format_field(self, value: object, format_spec: str) -> str:
        """One param as text; one of another kind as it is."""
        if format_spec == "hand" and isinstance(value, str):
            return self.hand(*read_hand(value))
        if format_spec in FORMATS and type(value) is int:
            return self.number(value, format_spec)
        return str(super().format_field(value, "" if format_spec in FORMATS else format_spec))

    def number(self, value: int, format_spec: str) -> str:
        """A number as one of the formats has it."""
        if format_spec == "money":
            return format_money(value, self._mark)
        if format_spec == "place":
            return "the dealer" if value == DEALER else f"hand {value + 1}"
        if format_spec == "number":
            return str(value + 1)
        return f"{value} {format_spec}{'' if value == 1 else 's'}"

    def hand(self, spot: int | None, part: int) -> str:
        """A hand, and the part of one that was split."""
        if spot is None:
            return "no hand"
        return f"hand {spot + 1}, part {part + 1}" if part else f"hand {spot + 1}"


def read_hand(text: str) -> tuple[int | None, int]:
    """Spot and hand of a name like `0.1`; no spot where there is no hand.

    >>> read_hand("2.1"), read_hand("none")
    ((2, 1), (None, 0))
    """
    spot, _, hand = text.partition(".")
    return (int(spot), int(hand)) if spot.isdecimal() and hand.isdecimal() else (None, 0)


_ENGLISH = SentenceFormatter(".")
