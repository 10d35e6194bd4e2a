"""Checks that run before each request of a socket."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AbstractAsyncContextManager
from typing import NamedTuple

from sabot.engine.commands import Bet
from sabot.server.accounts.player_lock import PlayerLock
from sabot.store.kinds import Currency


class RequestChecks(NamedTuple):
    """Checks that run before each request; each raises what is refused."""

    #: Requests come too fast; one with a long answer counts as several.
    rate: Callable[[int], None]
    #: Whether the login has not expired; asked before each request, so it asks no database (ASR-30).
    holds: Callable[[], bool]
    #: Whether the login is not revoked either: it may have been while the socket was opened.
    confirm: Callable[[], Awaitable[bool]]
    #: Waits while another bet of the player's in a currency is on its way.
    turn: Callable[[Currency], AbstractAsyncContextManager[PlayerLock]]
    #: The player's own limits forbid bets in a currency, for a round by its code; gives the most that may be staked
    #: in the round, None where no limit bounds it (ASR-41).
    may_bet: Callable[[tuple[Bet, ...], Currency, str], Awaitable[int | None]]
