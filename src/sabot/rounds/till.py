"""The ledger of a round: movements between session accounts, escrow and house.

Stakes go from the session to the escrow and payments come back from it; the house fills the escrow and takes the rest.
After a round its escrow is empty.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec import Struct

from sabot.engine import AnyEvent, Round
from sabot.engine.commands import AnyCommand, Deal, Player, Void
from sabot.engine.events import BetSettled, MoneyAdded, Private, RoundVoided, WinCapped
from sabot.store.entry import Movement


class Accounts(Struct, frozen=True, forbid_unknown_fields=True):
    """The accounts that a round moves money between; a player may leave and sit down again with a new session."""

    escrow: int
    house: int
    sessions: dict[Player, int]


class Till:
    """The accounts of one round, and what stood in them after the last command."""

    def __init__(self, code: str, accounts: Accounts, round: Round) -> None:
        self._code = code
        self._escrow = accounts.escrow
        self._house = accounts.house
        #: The session account of each player, as they are now.
        self.sessions = dict(accounts.sessions)
        self._held = {player: round.balance(player) for player in accounts.sessions}
        self._won = round.book.house

    def admit(self, player: Player, account: int, money: int) -> None:
        """A player comes to the round with a session account and what is in it."""
        self.sessions[player] = account
        self._held[player] = money

    def movements(
        self, step: int, round: Round, command: AnyCommand, events: Sequence[AnyEvent]
    ) -> tuple[Movement, ...]:
        """What a command moved. A stake and a payment of one command are two movements."""
        paid, added, touched, voided = _told(events)
        if voided:
            paid = {}  # a win of the same command was taken back before it was paid (LNK-36)
        everyone = voided or isinstance(command, Deal | Void)
        held, sessions, escrow, purses = self._held, self.sessions, self._escrow, round.book.purses
        holds: list[Movement] = []
        pays: list[Movement] = []
        for player in sessions if everyone else touched:
            now, gets = purses[player].money, paid.get(player, 0)
            hold = held[player] + added.get(player, 0) + gets - now
            held[player] = now
            if hold > 0:
                key = f"{self._code}/{player}/{step}/stake"
                holds.append(Movement(key, sessions[player], escrow, hold))
            elif hold < 0:
                pays.append(Movement(f"{self._code}/{player}/{step}/back", escrow, sessions[player], -hold))
            if gets:
                pays.append(Movement(f"{self._code}/{player}/{step}/paid", escrow, sessions[player], gets))
        won = round.book.house - self._won
        self._won = round.book.house
        key = f"{self._code}/house/{step}"
        if won < 0:
            return (*holds, Movement(key, self._house, self._escrow, -won), *pays)
        if won > 0:
            return (*holds, *pays, Movement(key, self._escrow, self._house, won))
        return (*holds, *pays)


class _Told(NamedTuple):
    """What events tell of money: paid and brought by player, players touched in order, and whether all is void."""

    paid: dict[Player, int]
    added: dict[Player, int]
    touched: dict[Player, None]
    voided: bool


def _told(events: Iterable[AnyEvent]) -> _Told:
    paid: dict[Player, int] = {}
    added: dict[Player, int] = {}
    touched: dict[Player, None] = {}
    voided = False
    for event in events:
        if isinstance(event, Private):
            touched[event.player] = None
            if isinstance(event, BetSettled):
                if event.paid:
                    paid[event.player] = paid.get(event.player, 0) + event.paid
            elif isinstance(event, WinCapped):
                paid[event.player] -= event.amount
            elif isinstance(event, MoneyAdded):
                added[event.player] = added.get(event.player, 0) + event.amount
        elif isinstance(event, RoundVoided):
            voided = True
    return _Told(paid, added, touched, voided)
