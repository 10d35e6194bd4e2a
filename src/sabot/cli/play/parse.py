"""Parses the lines a player types, in either language.

Single letters differ between the languages (`d` is double in English and DIVIDI in Italian), so they come from
the catalogue; whole words never clash.

>>> parse_bet("1 pp 2,50", spots=5)
PlaceChips(spot=0, kind='player-pair', cents=250)
>>> parse_bet("Ripunta e distribuisci", spots=5)
'repeat-deal'
"""

import re
from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeVar

from sabot.engine import DEALER
from sabot.errors import CodedError
from sabot.games.rules import Action

T = TypeVar("T")

Button = Literal["deal", "repeat", "repeat-deal", "double-deal", "double", "undo", "clear"]
Topic = Literal["help", "rules", "table", "quit"]
Step = Literal["spin", "continue", "skip"]


class NotUnderstoodError(CodedError):
    """A line that cannot be read; the code is the key of its sentence."""


class PlaceChips(NamedTuple):
    """Put money on a bet; without a spot, on each of the player's hands."""

    spot: int | None
    kind: str
    cents: int


class BringMoney(NamedTuple):
    """Add money."""

    cents: int


class ShowLimits(NamedTuple):
    """Show the limits, or choose them by name."""

    name: str


class SwitchInsurance(NamedTuple):
    """Show or set the insurance switch."""

    on: bool | None


class MenuChoice(NamedTuple):
    """Help, rules, the table, or leaving."""

    topic: Topic


class AnswerOffer(NamedTuple):
    """Answer an offer, for one hand or for all."""

    accept: bool
    for_all: bool


ACCEPT, REFUSE = AnswerOffer(True, False), AnswerOffer(False, False)
ACCEPT_ALL, REFUSE_ALL = AnswerOffer(True, True), AnswerOffer(False, True)

Aside = BringMoney | MenuChoice
BetInput = PlaceChips | Button | ShowLimits | SwitchInsurance | Aside


def _by_word(words: dict[T, str]) -> dict[str, T]:
    """Meanings by word; the words of a meaning are separated by bars."""
    return {word: meaning for meaning, several in words.items() for word in several.split("|")}


_BUTTONS: dict[str, Button] = _by_word(
    {
        "deal": "deal|distribuisci|carte",
        "repeat": "rebet|repeat|ripunta|ripeti|ripeti puntata",
        "repeat-deal": "rebet deal|rebet and deal|repeat deal|ripunta e distribuisci|ripunta distribuisci",
        "double-deal": "double deal|double and deal|raddoppia e distribuisci|raddoppia distribuisci",
        "double": "double|raddoppia",
        "undo": "undo|annulla|indietro",
        "clear": "clear|clear bets|cancella|cancella puntate",
    }
)
_TOPICS: dict[str, Topic] = _by_word(
    {
        "help": "help|aiuto|?",
        "rules": "rules|regole",
        "table": "table|tavolo",
        "quit": "quit|exit|q|esci|fine",
    }
)
_KINDS = _by_word(
    {
        "main": "|main|principale",
        "player-pair": "pp|player pair|pair|cg|coppia|coppia giocatore|coppia del giocatore",
        "dealer-pair": "dp|dealer pair|cb|coppia banco|coppia del banco|coppia del croupier",
        "21+3": "213|21+3",
        "link": "link",
    }
)
_ACTIONS: dict[str, Action] = _by_word(
    {
        "hit": "hit|card|carta|prendi carta",
        "stand": "stand|stai|sto|stay",
        "double": "double|raddoppia",
        "split": "split|dividi",
        "surrender": "surrender|resa",
        "cashback": "cashback",
    }
)
_ANSWERS = _by_word(
    {
        ACCEPT: "yes|y|sì|si|accept|accetta|accetto",
        REFUSE: "no|n|refuse|rifiuta|rifiuto",
        ACCEPT_ALL: "yes all|all yes|all|accept all|accetta tutti|accetta tutto|tutte sì|tutte si|applica a tutte accetto",
        REFUSE_ALL: "no all|all no|none|refuse all|rifiuta tutti|rifiuta tutto|tutte no|applica a tutte rifiuto",
    }
)
_STEPS: dict[str, Step] = _by_word(
    {"spin": "spin|gira", "continue": "continue|continua", "skip": "skip|salta"}
)
_SWITCH = _by_word({True: "on|yes|sì|si", False: "off|no"})
_NUMBER = re.compile(r"[0-9]{1,9}")
_AMOUNT = re.compile(r"€?([0-9]{1,9})(?:[.,]([0-9]{1,2}))?€?")


def parse_amount(text: str) -> int:
    """Cents of an amount; a dot before three digits is refused, because it is ambiguous.

    >>> parse_amount("10"), parse_amount("2,5"), parse_amount("0.05")
    (1000, 250, 5)
    """
    match = _AMOUNT.fullmatch(text)
    if match is None:
        raise NotUnderstoodError("parse.amount", text=text)
    units, rest = match.groups()
    return int(units) * 100 + int((rest or "0").ljust(2, "0"))


def parse_bet(line: str, *, spots: int) -> BetInput:
    """A line at the betting prompt."""
    text = _tidy(line)
    if text in _BUTTONS:
        return _BUTTONS[text]
    aside = _aside(text)
    if aside is not None:
        return aside
    first, _, rest = text.partition(" ")
    if first in ("limits", "limiti"):
        return ShowLimits(rest)
    if first in ("insurance", "assicurazione"):
        if rest and rest not in _SWITCH:
            raise NotUnderstoodError("parse.switch")
        return SwitchInsurance(_SWITCH.get(rest))
    return _stake(text, spots)


def parse_decision(line: str, keys: Mapping[str, str]) -> Action | Aside:
    """A line at a hand's turn; `keys` gives the letter of each action."""
    text = _tidy(line)
    letters: dict[str, Action] = {keys[action]: action for action in _ACTIONS.values()}
    return letters.get(text) or _ACTIONS.get(text) or _aside_or_fail(text)


def parse_answer(line: str, keys: Mapping[str, str]) -> AnswerOffer | Aside:
    """A line at an offer; `keys` gives the letters of the four answers."""
    text = _tidy(line.replace("+", " "))
    letters = {
        keys["accept"]: ACCEPT,
        keys["refuse"]: REFUSE,
        keys["accept-all"]: ACCEPT_ALL,
        keys["refuse-all"]: REFUSE_ALL,
    }
    return letters.get(text) or _ANSWERS.get(text) or _aside_or_fail(text)


def parse_step(line: str, keys: Mapping[str, str], expected: Step) -> Step | Aside:
    """A line in the bonus; an empty one presses the only button."""
    text = _tidy(line)
    if text in ("", keys[expected]):
        return expected
    return _STEPS.get(text) or _aside_or_fail(text)


def parse_yes(line: str) -> bool:
    """Whether a line says yes."""
    text = _tidy(line)
    return text == "s" or _ANSWERS.get(text) == ACCEPT


def _tidy(line: str) -> str:
    return " ".join(line.lower().split())


def _aside(text: str) -> Aside | None:
    if text in _TOPICS:
        return MenuChoice(_TOPICS[text])
    words = text.split()
    if words and words[0] in ("add", "aggiungi"):
        amount = [word for word in words[1:] if word not in ("money", "denaro")]
        return BringMoney(parse_amount(" ".join(amount)))
    return None


def _aside_or_fail(text: str) -> Aside:
    aside = _aside(text)
    if aside is None:
        raise NotUnderstoodError("parse.unknown" if text else "parse.empty", text=text)
    return aside


def _stake(text: str, spots: int) -> PlaceChips:
    """`[hand] [kind] amount`."""
    words = text.replace("21 + 3", "21+3").split()
    if words and words[0] in ("hand", "mano"):
        del words[0]
    if not words:
        raise NotUnderstoodError("parse.empty")
    spot: int | None = None
    if len(words) > 1 and _NUMBER.fullmatch(words[0]) and words[0] not in _KINDS:
        hand = int(words.pop(0))
        if not 1 <= hand <= spots:
            raise NotUnderstoodError("parse.hand", hand=hand, last=spots)
        spot = hand - 1
    *kind_words, amount = words
    kind = _KINDS.get(" ".join(kind_words))
    starts_like_amount = amount[0] in "€-.,0123456789"
    if kind is None and starts_like_amount:
        raise NotUnderstoodError("parse.kind", text=" ".join(kind_words))
    if kind is None or (len(words) == 1 and spot is None and not starts_like_amount):
        raise NotUnderstoodError("parse.unknown", text=text)
    return PlaceChips(DEALER if kind == "dealer-pair" else spot, kind, parse_amount(amount))
