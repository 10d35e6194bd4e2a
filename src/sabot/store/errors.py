"""Every way the store refuses: a code and its English sentence; other languages translate by code.

>>> str(StoreError("funds/insufficient", cost=500, balance=100))
'The balance 1.00 does not cover 5.00: add money first'
"""

from __future__ import annotations

from string import Formatter

STORE_REFUSALS: dict[str, str] = {
    "account/unknown": "There is no account {account}",
    "command/reused": "The id {id!r} was used before for another command: give each command an id of its own",
    "day/not-over": "The day {day} is not over: it can be closed a minute after its midnight, UTC",
    "funds/insufficient": "The balance {balance:money} does not cover {cost:money}: add money first",
    "funds/over-cap": "{amount:money} would bring {brought:money} to the table: the most is {cap:money}",
    "golden/grant": "{count} golden chips of {value:money} cannot be granted: 1 to {most} can at once, each worth up to {dearest:money}",
    "golden/not-held": "You do not hold {count} golden chips of {value:money}: you hold {held}",
    "house/busy": "The house is busy: try again in a moment",
    "house/down": "The house cannot store anything now: no bets are taken until it can",
    "player/bot": "The bot {name!r} would play for money: only a demo player can be a bot",
    "player/taken": "The name {name!r} is taken: choose another",
    "player/none": "There is no player {player!r}",
    "history/no-place": "{cursor!r} is no place in a history: begin at its first page",
    "round/not-over": "The round {code} is still being played: it has a record when it is over",
    "round/not-revealed": "The shoe of round {code} is still in use: its record is opened when the shoe is done",
    "round/refunded": "The round {code} was voided and everything given back: there is nothing to play again",
    "round/unknown": "There is no round {code!r}",
    "round/open": "A round is being played: finish it first",
    "seat/free": "Nobody has seat {spot:number}",
    "seat/taken": "Seat {spot:number} is taken: choose a free one",
    "shoe/none": "The table has no shoe: shuffle one first",
    "sitting/in-round": "A round is being played: you can leave when it is over",
    "sitting/open": "You sit at this table already",
    "sitting/closed": "You are not at this table: sit down first",
    "stream/fenced": "This table has another owner now",
    "stream/unknown": "There is no stream {stream!r}",
    "transfer/currencies": "Money of two currencies cannot be moved together",
    "transfer/no-amount": "{amount} is not an amount of whole cents above 0",
    "transfer/rolled-back": "The transaction {id!r} was rolled back before it came",
    "transfer/unknown": "There is no transaction {id!r}",
    "unit/conflict": "This was done before",
    "unit/lost": "The database did not answer: what became of this is known when it is back",
    "unit/unwritable": "This holds something that cannot be stored",
}


class StoreError(Exception):
    """Something the store refuses; nothing of it was stored."""

    def __init__(self, code: str, /, **params: object) -> None:
        super().__init__(code, params)
        self.code = code
        self.params: dict[str, object] = params

    def __str__(self) -> str:
        return _ENGLISH.vformat(STORE_REFUSALS[self.code], (), self.params)


class _English(Formatter):
    def format_field(self, value: object, format_spec: str) -> str:
        if format_spec == "money" and isinstance(value, int):
            return f"{value // 100}.{value % 100:02d}"
        if format_spec == "number" and isinstance(value, int):  # people count from 1
            return str(value + 1)
        return str(super().format_field(value, "" if format_spec == "money" else format_spec))


_ENGLISH = _English()
