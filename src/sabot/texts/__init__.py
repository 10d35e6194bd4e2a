"""Every word a player reads, in Italian and English, found by key.

The catalogue of each language is a TOML file beside this module.

>>> Catalogue("it").money(123450), Catalogue("en").money(123450)
('1.234,50 €', '€1,234.50')
>>> Catalogue("it").label("split", "surrender"), Catalogue("it").label("split", "link")
('DIVIDI', 'SPLIT')
"""

import tomllib
from collections.abc import Iterator, Mapping
from functools import cache
from importlib.resources import files

from sabot.errors import REFUSALS, Refusal, SentenceFormatter

LANGUAGES = ("it", "en")


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
        self._formatter = SentenceFormatter(self._texts)

    def __contains__(self, key: str) -> bool:
        return key in self._texts

    def keys(self) -> frozenset[str]:
        """Every key of the language."""
        return frozenset(self._texts)

    def text(self, key: str, **params: object) -> str:
        """The text of a key with its params; `{x:money}` prints cents.

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
        return self._texts[SentenceFormatter(self._texts, game).key(heading, word)]

    def error(self, error: Refusal, game: str = "") -> str:
        """The sentence of a refusal, in the words of a game.

        >>> Catalogue("it").error(Refusal("offer/not-now", turn=1), "freebet")
        "Prima rispondi all'offerta aperta (posto 2)"
        """
        formatter = SentenceFormatter(self._texts, game or error.game)
        return formatter.vformat(self._texts[f"error.{error.code}"], (), error.params)

    # Numbers

    def amount(self, cents: int) -> str:
        """An amount without its currency.

        >>> Catalogue("it").amount(-5), Catalogue("en").amount(100000000)
        ('-0,05', '1,000,000.00')
        """
        return self._formatter.amount(cents)

    def money(self, cents: int, currency: str = "EUR") -> str:
        """An amount with its currency: EUR, or FUN for play money.

        >>> Catalogue("it").money(-50, "FUN"), Catalogue("en").money(-50, "FUN")
        ('-0,50 FUN', '-FUN 0.50')
        """
        sign = "-" if cents < 0 else ""
        return sign + self._texts[f"money.{currency}"].format(amount=self.amount(abs(cents)))

    def number(self, written: str) -> str:
        """A number formatted by Python, with the separators of the language.

        >>> Catalogue("it").number(f"{1234.5:,.2f}")
        '1.234,50'
        """
        marks = self._texts["language.thousands"] + self._texts["language.decimal"]
        return written.translate(str.maketrans(",.", marks))

    def percent(self, share: float | None, decimals: int = 3, sign: str = "") -> str:
        """A share in per cent, or a dash.

        >>> Catalogue("it").percent(0.99566), Catalogue("en").percent(None)
        ('99,566%', '-')
        """
        return "-" if share is None else self.number(f"{100 * share:{sign}.{decimals}f}%")


@cache
def _load(language: str) -> Mapping[str, str]:
    source = files("sabot.texts").joinpath(f"{language}.toml").read_text("utf-8")
    english = (
        {f"error.{code}": entry.sentence for code, entry in REFUSALS.items()} if language == "en" else {}
    )
    return english | dict(_flat(tomllib.loads(source)))


def _flat(table: Mapping[str, object], heading: str = "") -> Iterator[tuple[str, str]]:
    for name, value in table.items():
        key = f"{heading}{name}"
        if isinstance(value, dict):
            yield from _flat(value, f"{key}.")
        elif isinstance(value, str):
            yield key, value
        else:
            raise TypeError(f"{key} is {value!r}: a catalogue holds texts only")
