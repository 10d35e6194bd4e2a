"""Commands as short text, as records hold them.

A decision names its hand as `spot.hand`, an offer its spot or `all`; a player stands at the end after `@`.

>>> parse_command("0.1 double")
Double(spot=0, hand=1)
>>> format_command(commands.Insure("ada", accept=True))
'all insure yes @ada'
"""

import re
from collections.abc import Callable
from typing import Any, NamedTuple

from msgspec.structs import asdict

from sabot.engine import commands
from sabot.engine.commands import DECISIONS, AnyCommand


class NotationError(ValueError):
    """A text that is not a command."""


class _Field(NamedTuple):
    """The text of one field of a command: its pattern, its value, and the text of a value."""

    pattern: str
    read: Callable[[str], Any]
    write: Callable[[Any], str] = str


def _read_chips(text: str) -> dict[int, int]:
    return {int(value): int(count) for value, count in (chip.split("x") for chip in text.split())}


def _write_chips(golden: dict[int, int]) -> str:
    return "".join(f" {value}x{count}" for value, count in sorted(golden.items()))


_AMOUNT = _Field("0|[1-9][0-9]{0,12}", int)
_YES_NO = _Field("yes|no", "yes".__eq__, lambda yes: "yes" if yes else "no")
_FIELDS = {
    "spot": _Field("[0-9]", int),
    "hand": _Field("[01]", int),
    "price": _AMOUNT,
    "amount": _AMOUNT,
    "most": _AMOUNT,
    "money": _AMOUNT,
    "golden": _Field("(?: [1-9][0-9]{0,12}x[0-9]{1,6})*", _read_chips, _write_chips),
    "accept": _YES_NO,
    "allowed": _YES_NO,
    "action": _Field("hit|stand|double|split", str),
    "player": _Field(r"\S+", str),
    "reason": _Field(r"\S.*", str),
}


class _Form:
    """A text of a command, with the fields that it names and those that it implies."""

    def __init__(self, kind: type[AnyCommand], text: str, **implied: Any) -> None:
        self.kind, self.text, self.implied = kind, text, implied
        self.names = re.findall(r"\{(\w+)\}", text)
        groups = {name: f"({_FIELDS[name].pattern})" for name in self.names}
        self.pattern = re.compile(text.replace(".", r"\.").format(**groups))


_FORMS = (
    *(_Form(kind, f"{{spot}}.{{hand}} {word}") for word, kind in DECISIONS.items()),
    _Form(commands.Cashback, "{spot}.{hand} cashback {price}"),
    _Form(commands.Vote, "{spot}.{hand} vote {action} @{player}"),
    _Form(commands.Deal, "deal", insurance=True),
    _Form(commands.Deal, "deal no-insurance", insurance=False),
    _Form(commands.Insure, "all insure {accept} @{player}", spot=None),
    _Form(commands.Insure, "{spot} insure {accept} @{player}"),
    _Form(commands.EvenMoney, "{spot} even-money {accept}"),
    _Form(commands.CloseOffers, "close-offers"),
    _Form(commands.Spin, "{spot} spin"),
    _Form(commands.Continue, "{spot} continue"),
    _Form(commands.Consent, "consent none @{player}", double=False, split=False),
    _Form(commands.Consent, "consent double @{player}", double=True, split=False),
    _Form(commands.Consent, "consent split @{player}", double=False, split=True),
    _Form(commands.Consent, "consent double split @{player}", double=True, split=True),
    _Form(commands.AddMoney, "add-money {amount} @{player}"),
    _Form(commands.BoundLoss, "bound-loss {most} @{player}"),
    _Form(commands.Join, "join {money}{golden} @{player}"),
    _Form(commands.AllowBehind, "{spot} behind {allowed}"),
    _Form(commands.Void, "void {reason}"),
)


def format_command(command: AnyCommand) -> str:
    """The text of a command; bets have none, as a record has tables for them."""
    if isinstance(command, commands.PlaceBets):
        raise NotationError("bets have no command text: they stand in [[bet]]")
    for form in _FORMS:
        if type(command) is not form.kind or not form.implied.items() <= asdict(command).items():
            continue
        text = form.text.format(**{name: _FIELDS[name].write(getattr(command, name)) for name in form.names})
        if form.pattern.fullmatch(text) and parse_command(text) == command:
            return text
    raise NotationError(f"{command!r} cannot be written down: it would not be read as the same")


def parse_command(text: str) -> AnyCommand:
    """The command of a text.

    >>> parse_command("0.2 hit")
    Traceback (most recent call last):
    sabot.record.notation.NotationError: '0.2 hit' is no command: write it like '0.0 hit', 'deal' or 'all insure no @ada'
    """
    for form in _FORMS:
        match = form.pattern.fullmatch(text)
        if match is not None:
            read = {
                name: _FIELDS[name].read(part) for name, part in zip(form.names, match.groups(), strict=True)
            }
            return form.kind(**form.implied, **read)
    raise NotationError(f"{text!r} is no command: write it like '0.0 hit', 'deal' or 'all insure no @ada'")
