"""Commands as short text, the way a round is written down.

A decision names its hand as `spot.hand`, an offer its spot or `all`; a player stands at the end after `@`.

>>> parse_command("0.1 double")
Double(spot=0, hand=1)
>>> format_command(Insure("ada", accept=True))
'all insure yes @ada'
"""

from __future__ import annotations

import re
from typing import Any

from sabot.engine.commands import (
    DECISIONS,
    AddMoney,
    AllowBehind,
    AnyCommand,
    BoundLoss,
    Cashback,
    CloseOffers,
    Consent,
    Continue,
    Deal,
    Decision,
    EvenMoney,
    Insure,
    Join,
    PlaceBets,
    Spin,
    Void,
    Vote,
)

_WORDS = {kind: word for word, kind in DECISIONS.items()}
_YES_NO = {"yes": True, "no": False}


class NotationError(ValueError):
    """A text that is not a command."""


def format_command(command: AnyCommand) -> str:
    """The text of a command; bets have none, as a record has tables for them."""
    text = _text(command)
    try:
        faithful = parse_command(text) == command
    except NotationError:
        faithful = False
    if not faithful:
        raise NotationError(f"{command!r} cannot be written down: it would not be read as the same")
    return text


def _text(command: AnyCommand) -> str:
    match command:
        case Cashback(spot=spot, hand=hand, price=price):
            return f"{spot}.{hand} cashback {price}"
        case Vote(spot=spot, hand=hand, player=player, action=action):
            return f"{spot}.{hand} vote {action} @{player}"
        case Decision(spot, hand):
            return f"{spot}.{hand} {_WORDS[type(command)]}"
        case Deal(insurance):
            return "deal" if insurance else "deal no-insurance"
        case Insure(player, accept, spot):
            return f"{'all' if spot is None else spot} insure {_yes_no(accept)} @{player}"
        case EvenMoney(spot, accept):
            return f"{spot} even-money {_yes_no(accept)}"
        case CloseOffers():
            return "close-offers"
        case Spin(spot):
            return f"{spot} spin"
        case Continue(spot):
            return f"{spot} continue"
        case Consent(player, double, split):
            granted = [word for word, given in (("double", double), ("split", split)) if given]
            return f"consent {' '.join(granted) or 'none'} @{player}"
        case AddMoney(player, amount):
            return f"add-money {amount} @{player}"
        case BoundLoss(player, most):
            return f"bound-loss {most} @{player}"
        case Join(player, money, golden):
            chips = "".join(f" {value}x{count}" for value, count in sorted(golden.items()))
            return f"join {money}{chips} @{player}"
        case AllowBehind(spot, allowed):
            return f"{spot} behind {_yes_no(allowed)}"
        case Void(reason):
            return f"void {reason}"
        case PlaceBets():
            raise NotationError("bets have no command text: they stand in [[bet]]")
    raise NotationError(f"{command!r} is no command")


def _yes_no(answer: bool) -> str:
    return "yes" if answer else "no"


def _join(money: str, chips: str, player: str) -> Join:
    golden = {int(value): int(count) for value, count in (chip.split("x") for chip in chips.split())}
    return Join(player, int(money), golden)


_PATTERNS: tuple[tuple[re.Pattern[str], Any], ...] = tuple(
    (re.compile(pattern), make)
    for pattern, make in (
        (r"([0-9])\.([01]) (hit|stand|double|split|surrender)", lambda s, h, w: DECISIONS[w](int(s), int(h))),
        (
            r"([0-9])\.([01]) cashback (0|[1-9][0-9]{0,12})",
            lambda s, h, p: Cashback(int(s), int(h), price=int(p)),
        ),
        (
            r"([0-9])\.([01]) vote (hit|stand|double|split) @(\S+)",
            lambda s, h, a, p: Vote(int(s), int(h), player=p, action=a),
        ),
        (r"deal", lambda: Deal()),
        (r"deal no-insurance", lambda: Deal(insurance=False)),
        (r"all insure (yes|no) @(\S+)", lambda a, p: Insure(p, _YES_NO[a])),
        (r"([0-9]) insure (yes|no) @(\S+)", lambda s, a, p: Insure(p, _YES_NO[a], int(s))),
        (r"([0-9]) even-money (yes|no)", lambda s, a: EvenMoney(int(s), _YES_NO[a])),
        (r"close-offers", lambda: CloseOffers()),
        (r"([0-9]) spin", lambda s: Spin(int(s))),
        (r"([0-9]) continue", lambda s: Continue(int(s))),
        (
            r"consent (none|double|split|double split) @(\S+)",
            lambda w, p: Consent(p, double="double" in w, split="split" in w),
        ),
        (r"add-money (0|[1-9][0-9]{0,12}) @(\S+)", lambda a, p: AddMoney(p, int(a))),
        (r"bound-loss (0|[1-9][0-9]{0,12}) @(\S+)", lambda m, p: BoundLoss(p, int(m))),
        (r"join (0|[1-9][0-9]{0,12})((?: [1-9][0-9]{0,12}x[0-9]{1,6})*) @(\S+)", _join),
        (r"([0-9]) behind (yes|no)", lambda s, a: AllowBehind(int(s), _YES_NO[a])),
        (r"void (\S.*)", lambda reason: Void(reason)),
    )
)


def parse_command(text: str) -> AnyCommand:
    """The command a text stands for.

    >>> parse_command("0.2 hit")
    Traceback (most recent call last):
    sabot.record.notation.NotationError: '0.2 hit' is no command: write it like '0.0 hit', 'deal' or 'all insure no @ada'
    """
    for pattern, make in _PATTERNS:
        match = pattern.fullmatch(text)
        if match is not None:
            command: AnyCommand = make(*match.groups())
            return command
    raise NotationError(f"{text!r} is no command: write it like '0.0 hit', 'deal' or 'all insure no @ada'")
