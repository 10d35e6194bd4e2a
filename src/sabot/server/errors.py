"""Every way the house refuses on the network: a code and its English sentence, and the HTTP status of any code.

>>> str(ServerError("password/too-short", least=10))
'A password has at least 10 characters'
>>> status_of("login/wrong"), status_of("funds/insufficient"), status_of("house/busy")
(401, 409, 503)
"""

from __future__ import annotations

from sabot.engine.errors import SentenceFormatter

SERVER_REFUSALS: dict[str, str] = {
    "cashier/amount": "{amount:money} cannot be paid at once: pay from {least:money} to {most:money}",
    "cashier/day": "{amount:money} is more than can be paid today: of {most:money} there are {left:money} left",
    "cashier/demo": "A demo player plays for play money: register to deposit {currency}",
    "cashier/refused": "The payment provider does not agree: {reason}",
    "chat/empty": "There is nothing to say in this",
    "chat/muted": "You cannot say anything for {minutes:minute}",
    "chat/unknown": "Nobody said line {id} lately",
    "command/malformed": "This is no question: {reason}",
    "command/stale": "The table has moved on: it is turn {turn} of round {round}",
    "command/unknown": "{command!r} is no command of a round",
    "game/unknown": "There is no game {game!r}",
    "host/unknown": "This house is not reached as {host!r}: its operator names public_url or hosts in the settings",
    "house/draining": "The house is closing: no new rounds are dealt",
    "house/error": "Something went wrong in the house: try again, and tell support if it lasts",
    "limits/unknown": "There are no limits {name!r} for you: your choices are {known}",
    "login/demo": "A demo player has no password: register first",
    "login/required": "Log in first",
    "login/role": "This is for the role {role}",
    "login/wrong": "Name and password do not go together",
    "birth/bad": "{born!r} is not a date of birth: write year, month and day",
    "birth/too-young": "You must be at least {least} years old to register",
    "name/bad": "A name has {least} to {most} letters, digits and . _ - and begins with a letter or a digit",
    "name/reserved": "The name {name!r} is reserved for the house: choose another",
    "origin/missing": "A request without an origin needs a bearer token",
    "origin/strange": "Pages of {origin!r} may not call this house",
    "password/same": "The new password is the old one: choose another",
    "password/too-long": "A password has at most {most} bytes",
    "password/too-short": "A password has at least {least} characters",
    "protection/deposit-limit": "Your limit is {limit:money} of deposits a day: {left:money} are left today",
    "protection/excluded": "You have excluded yourself from play: you can still log in to withdraw your money",
    "protection/in-the-past": "A time-out or self-exclusion ends in the future",
    "protection/loss-limit": "Your limit is {limit:money} of losses a day: {left:money} can be staked today",
    "protection/session-limit": "You have played for {minutes:minute}, your own limit: take a break of {pause:minute}",
    "protection/shorter": "A self-exclusion cannot be shortened",
    "terms/not-accepted": "Accept the terms and conditions in force first, version {version}",
    "terms/version": "The terms and conditions in force are version {version}: read and accept that one",
    "protection/time-out": "You have taken a time-out: it is not over yet",
    "rate/limited": "Too many requests: try again in {seconds:second}",
    "request/bad": "The request cannot be read: {reason}",
    "request/not-json": "The house reads JSON only: send Content-Type application/json",
    "request/slow": "The request did not come within {seconds:second}: send it again",
    "request/too-long": "A request has at most {most} bytes",
    "round/live": "The round {code} is played at a live table that is not open in this house",
    "round/over": "The round is over",
    "route/method": "{method} is not possible here: use {allowed}",
    "route/unknown": "There is nothing here",
    "seed/unusable": "This seed cannot be used: {reason}",
    "socket/too-many": "There are {most} open connections already: close another page first",
    "table/not-open": "The table {table!r} is not open: open the game first",
    "limits/settings": "The limits {name!r} will not do: {reason}",
    "table/vip": "This table is for VIP level {vip} and above: yours is {yours}",
    "table/settings": "The table {table!r} cannot be opened: {reason}",
    "table/unknown": "There is no table of {name!r}: the games are {known}",
}

#: The statuses of codes; any other is a conflict with how things are.
_STATUSES = {
    400: (
        "birth/bad",
        "command/malformed",
        "history/no-place",
        "name/bad",
        "name/reserved",
        "password/same",
        "password/too-long",
        "password/too-short",
        "protection/in-the-past",
        "request/bad",
        "transfer/no-amount",
        "unit/unwritable",
    ),
    401: ("login/required", "login/wrong"),
    403: (
        "birth/too-young",
        "cashier/demo",
        "login/demo",
        "login/role",
        "origin/missing",
        "origin/strange",
        "protection/deposit-limit",
        "protection/excluded",
        "protection/loss-limit",
        "protection/session-limit",
        "protection/time-out",
        "terms/not-accepted",
    ),
    404: (
        "chat/unknown",
        "game/unknown",
        "player/none",
        "round/unknown",
        "route/unknown",
        "table/not-open",
    ),
    405: ("route/method",),
    408: ("request/slow",),
    413: ("request/too-long",),
    415: ("request/not-json",),
    421: ("host/unknown",),
    429: ("rate/limited", "socket/too-many"),
    500: ("house/error",),
    503: ("house/busy", "house/down", "house/draining", "stream/fenced", "unit/lost"),
}
_STATUS = {code: status for status, codes in _STATUSES.items() for code in codes}


class ServerError(Exception):
    """A request that is refused. Nothing has changed."""

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: dict[str, object] = params

    def __str__(self) -> str:
        return _ENGLISH.vformat(SERVER_REFUSALS[self.code], (), self.params)


def status_of(code: str) -> int:
    """The HTTP status of any code of the registry."""
    return _STATUS.get(code, 409)


_ENGLISH = SentenceFormatter(".")
