"""The chat of live tables: shown to all at once, kept for 90 days outside the log (PLT-40, OFF-15)."""

import re
from collections import deque
from typing import Any

from sabot.errors import Refusal
from sabot.protocol import messages
from sabot.server.accounts.logins import Login, screen_name
from sabot.server.accounts.rate_limit import Buckets
from sabot.server.config import Rate
from sabot.server.office.talk import ChatArchive
from sabot.server.tables.runtime import TableRuntime
from sabot.tables.live.timers import Clock

#: Lines that are sent to a connection that comes.
KEPT = 30
#: So many lines at once, then one every so many seconds (ASR-30).
_RATE = Rate(4, 2.0)
_MINUTE_MS = 60_000
#: The longest time for which a player is muted, in minutes: a week.
MOST_MUTED = 7 * 24 * 60
#: An address of the network has no place at a table.
_ADDRESS = re.compile(r"(https?://|www\.)\S+|\S+\.(com|net|org|it|io)\b\S*", re.IGNORECASE)
_HIDDEN = "•••"


class Chat:
    """The chat of every table, and the players who are muted."""

    def __init__(self, clock: Clock, archive: ChatArchive, hidden_words: tuple[str, ...] = ()) -> None:
        self._clock = clock
        self._archive = archive
        self._rate = Buckets(_RATE)
        self._said: dict[str, deque[messages.Said]] = {}
        self._last = 0
        #: Until when a player says nothing, in milliseconds of UTC.
        self._muted: dict[int, int] = {}
        words = "|".join(re.escape(word) for word in hidden_words)
        self._words = re.compile(rf"\b({words})\b", re.IGNORECASE) if words else None

    def say(self, runtime: TableRuntime[Any], login: Login, text: str) -> None:
        """Show a line to everyone at the table."""
        now = self._clock.wall_ms()
        muted = self._muted.get(login.player, 0)
        if muted > now:
            raise Refusal("chat/muted", minutes=-(-(muted - now) // _MINUTE_MS))
        line = self._clean(text)
        wait = self._rate.take(str(login.player), self._clock.monotonic())
        if wait:
            raise Refusal("rate/limited", seconds=int(wait) + 1)
        self._last = max(self._last + 1, now)  # and so none is given again where the table goes
        said = messages.Said(
            runtime.name, self._last, str(login.player), screen_name(login.name), line, now, login.role
        )
        self._said.setdefault(runtime.name, deque(maxlen=KEPT)).append(said)
        self._archive.keep(said)
        runtime.broadcast(said)

    def _clean(self, text: str) -> str:
        """A line that can be shown: one line, without addresses and hidden words."""
        line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
        line = _ADDRESS.sub(_HIDDEN, line)
        if self._words is not None:
            line = self._words.sub(_HIDDEN, line)
        if not line:
            raise Refusal("chat/empty")
        return line

    async def open(self, table: str) -> None:
        """Read the last lines of a table that is opened here."""
        lines = await self._archive.last(table, KEPT)
        self._said[table] = deque(lines, maxlen=KEPT)
        self._last = max([self._last, *(line.id for line in lines)])

    async def flush(self) -> None:
        """Store what waits, before others read it."""
        await self._archive.flush()

    async def sweep(self) -> None:
        """Store what waits, and delete what was said long ago."""
        await self._archive.sweep()

    def before(self, table: str) -> tuple[messages.Said, ...]:
        """The last lines of a table."""
        return tuple(self._said.get(table, ()))

    # Moderation

    async def read_muted(self) -> None:
        """Read who was muted before the house was opened, or at another node, and until when."""
        self._muted |= await self._archive.muted_since(self._clock.wall_ms() - MOST_MUTED * _MINUTE_MS)

    def mute(self, player: int, minutes: int) -> None:
        """Let a player say nothing for some minutes; 0 ends it."""
        self._muted[player] = self._clock.wall_ms() + minutes * _MINUTE_MS

    def muted_until(self, player: int) -> int | None:
        """Until when a player may not write; None if nothing keeps the player from it."""
        until = self._muted.get(player, 0)
        return until if until > self._clock.wall_ms() else None

    def find(self, table: str, id: int) -> messages.Said:
        """One of the last lines."""
        found = next((line for line in self._said.get(table, ()) if line.id == id), None)
        if found is None:
            raise Refusal("chat/unknown", id=id)
        return found

    def unsay(self, runtime: TableRuntime[Any], id: int, by: int) -> None:
        """Take a line away from every screen; the kept one is marked."""
        said = self.find(runtime.name, id)
        self._said[runtime.name].remove(said)
        self._archive.mark_removed(said, by)
        runtime.broadcast(messages.Unsaid(runtime.name, id))
