"""One catalogue per language, a TOML file beside this module, and how a text of it is filled in.

>>> Catalogue("it").money(123450), Catalogue("en").money(123450)
('1.234,50 €', '€1,234.50')
>>> Catalogue("it").label("split", "surrender"), Catalogue("it").label("split", "link")
('DIVIDI', 'SPLIT')
>>> Catalogue("it").card_name(0)
'asso di picche'
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files
from string import Formatter

from sabot.engine.commands import DEALER
from sabot.errors import FORMATS, Refusal, read_hand

LANGUAGES = ("it", "en")

_RANKS = ("a", "2", "3", "4", "5", "6", "7", "8", "9", "10", "j", "q", "k")
_SUITS = "shdc"
#: Params of a refusal that name things, comma-separated, and the headings under which their names stand.
_NAMED = {
    "kind": ("kind",),
    "known": ("kind", "limits"),
    "name": ("limits",),
    "action": ("action",),
    "legal": ("action",),
    "vote": ("action",),
    "phase": ("web.state",),
}


class UnknownLanguageError(LookupError):
    """A language without a catalogue."""


class Catalogue:
    """The texts of one language."""

    def __init__(self, language: str) -> None:
        if language not in LANGUAGES:
            known = ", ".join(LANGUAGES)
            raise UnknownLanguageError(f"there is no language {language!r}: the languages are {known}")
        self.language = language
        self._texts = _load(language)
        self._formatter = _Formatter(self)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def keys(self) -> frozenset[str]:
        """Every key of the language."""
        return frozenset(self._texts)

    def text(self, key: str, **params: object) -> str:
        """The text of a key with its params filled in; `{x:money}` prints cents.

        >>> Catalogue("en").text("play.balance", balance="10.00")
        'Balance 10.00'
        """
        return self._formatter.vformat(self._texts[key], (), params)

    def label(self, name: str, game: str = "") -> str:
        """A button's label: the game's own, or that of its family (`majority-eu`: majority), or the usual one."""
        return self.named("label", name, game)

    def named(self, heading: str, word: str, game: str = "") -> str:
        """A name under a heading as a game, or its family, has it; or the usual one.

        >>> Catalogue("it").named("kind", "player-pair", "freebet")
        'coppie perfette'
        """
        for key in (f"{heading}.{game}.{word}", f"{heading}.{game.partition('-')[0]}.{word}"):
            if key in self._texts:
                return self._texts[key]
        return self._texts[f"{heading}.{word}"]

    def error(self, error: Refusal, game: str = "") -> str:
        """The sentence of a refusal, its places in the words of a game's felt and counted from 1.

        English sentences stand in the registry.
        """
        sentence = self._texts.get(f"error.{error.code}") or error.sentence
        params = {name: self._named(name, value) for name, value in error.params.items()}
        return _Formatter(self, game).vformat(sentence, (), params)

    def place(self, spot: int, game: str = "") -> str:
        """A spot as it is called on a game's felt, counted from 1; -1 is the dealer's.

        >>> [Catalogue("it").place(1, game) for game in ("link", "freebet", "majority-eu")]
        ['mano 2', 'posto 2', 'postazione 2']
        """
        if spot == DEALER:
            return self._texts["place.dealer"]
        return self.named("place", "spot", game).format(number=spot + 1)

    def hand(self, name: str, game: str = "") -> str:
        """A hand by a name like `0.1`, with the part of one that was split.

        >>> Catalogue("it").hand("0.1", "freebet"), Catalogue("it").hand("none")
        ('posto 1, parte 2', 'nessuna mano')
        """
        spot, part = read_hand(name)
        if spot is None:
            return self._texts["place.none"]
        place = self.place(spot, game)
        return self._texts["place.part"].format(place=place, part=part + 1) if part else place

    def count(self, number: int, unit: str) -> str:
        """A number with its unit, one or many.

        >>> Catalogue("it").count(1, "second"), Catalogue("it").count(15, "second")
        ('1 secondo', '15 secondi')
        """
        return self._texts[f"count.{unit}-one" if number == 1 else f"count.{unit}"].format(n=number)

    def _named(self, param: str, value: object) -> object:
        headings = _NAMED.get(param)
        if headings is None or not isinstance(value, str):
            return value
        return ", ".join(self._name(word, headings) for word in value.split(", "))

    def _name(self, word: str, headings: tuple[str, ...]) -> str:
        keys = (f"{heading}.{word}" for heading in headings)
        return next((self._texts[key] for key in keys if key in self._texts), word)

    # Numbers and cards

    def amount(self, cents: int) -> str:
        """An amount without its currency.

        >>> Catalogue("it").amount(-5), Catalogue("en").amount(100000000)
        ('-0,05', '1,000,000.00')
        """
        units, rest = divmod(abs(cents), 100)
        thousands = f"{units:,}".replace(",", self._texts["language.thousands"])
        return f"{'-' if cents < 0 else ''}{thousands}{self._texts['language.decimal']}{rest:02d}"

    def money(self, cents: int, currency: str = "EUR") -> str:
        """An amount with its currency: EUR, or FUN for play money.

        >>> Catalogue("it").money(-50, "FUN"), Catalogue("en").money(-50, "FUN")
        ('-0,50 FUN', '-FUN 0.50')
        """
        sign = "-" if cents < 0 else ""
        return sign + self._texts[f"money.{currency}"].format(amount=self.amount(abs(cents)))

    def card_name(self, card: int) -> str:
        """A card's name in words."""
        suit, rank = divmod(card, 13)
        return self.text("card.name", rank=self.text(f"rank.{_RANKS[rank]}"), suit=self.suit_name(suit))

    def suit_name(self, suit: int) -> str:
        """A suit's name: 0 spades, 1 hearts, 2 diamonds, 3 clubs."""
        return self._texts[f"suit.{_SUITS[suit]}"]


class _Formatter(Formatter):
    """Fills params in for people; web/src/lib/catalogue.ts does the same."""

    def __init__(self, catalogue: Catalogue, game: str = "") -> None:
        self._catalogue = catalogue
        self._game = game

    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec not in FORMATS:
            return str(super().format_field(value, format_spec))
        if format_spec == "hand" and isinstance(value, str):
            return self._catalogue.hand(value, self._game)
        return self._number(value, format_spec) if type(value) is int else str(value)

    def _number(self, value: int, format_spec: str) -> str:
        match format_spec:
            case "money":
                return self._catalogue.amount(value)
            case "place":
                return self._catalogue.place(value, self._game)
            case "number":
                return str(value + 1)
        return self._catalogue.count(value, format_spec)


@cache
def _load(language: str) -> Mapping[str, str]:
    source = files("sabot.texts").joinpath(f"{language}.toml").read_text("utf-8")
    return dict(_flat(tomllib.loads(source)))


def _flat(table: Mapping[str, object], heading: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{heading}{name}"
        if isinstance(value, dict):
            yield from _flat(value, f"{key}.")
        elif isinstance(value, str):
            yield key, value
        else:
            raise TypeError(f"{key} is {value!r}: a catalogue holds texts only")
