"""Requests at a table: each is carried out once and responded to when what it did is committed (ASR-11)."""

from __future__ import annotations

import hashlib
import math
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.protocol import requests
from sabot.server.accounts.queries import answered_among
from sabot.server.metrics import STORED
from sabot.server.tables.adapter import Context
from sabot.server.tables.outbox import Outgoing, Task
from sabot.server.tables.subscribers import Subscriber
from sabot.store.entry import RequestKey
from sabot.store.writer import CAPACITY

if TYPE_CHECKING:
    from sabot.server.tables.runtime import TableRuntime

#: A player and the id of one of the player's requests.
Key = tuple[Player, str]

#: The part of the writer's queue that requests leave free, so that tables can go on.
_RESERVE = CAPACITY // 4
#: Frames in vain that an id counts which was used before and forgotten.
_USED_AGAIN = 20


@dataclass(eq=False, slots=True)
class Pending:
    """A request that waits for its response."""

    request: requests.AnyRequest
    #: The player, and the request's id.
    key: Key
    subscriber: Subscriber
    context: Context
    #: Called with the response.
    done: Callable[[], None]
    begun: float
    answered: bool = False
    #: The same request, sent again meanwhile.
    again: list[Pending] = field(default_factory=list)


class InFlight:
    """Requests that were read from a socket and have not been carried out yet (ASR-20).

    They are added about in the order of reading, so few are looked at.

    >>> waiting = InFlight()
    >>> waiting.add("bet", 10.0)
    >>> waiting.any_before(11.0), waiting.any_before(10.0), waiting.discard("bet"), waiting.any_before(11.0)
    (True, False, 10.0, False)
    """

    def __init__(self) -> None:
        self._read_at: dict[Hashable, float] = {}

    def __len__(self) -> int:
        """How many wait."""
        return len(self._read_at)

    def add(self, request: Hashable, at: float) -> None:
        """A request was read at a moment of the steady clock."""
        self._read_at[request] = at

    def discard(self, request: Hashable) -> float:
        """A request was carried out or refused; gives when it was read."""
        return self._read_at.pop(request, math.inf)

    def any_before(self, moment: float) -> bool:
        """Whether a request that was read before a moment still waits."""
        return any(at < moment for at in self._read_at.values())


class CachedRequest(NamedTuple):
    """The contents of a request, and the one that waits for its commit; None once what it did is committed."""

    digest: bytes
    pending: Pending | None


class RequestCache:
    """The last requests that a table has carried out; the store knows older ones."""

    def __init__(self, kept: int) -> None:
        self._kept = kept
        self._known: OrderedDict[Key, CachedRequest] = OrderedDict()

    def __contains__(self, key: Key) -> bool:
        return key in self._known

    def find(self, key: Key) -> CachedRequest | None:
        """What is known of a request."""
        return self._known.get(key)

    def add(self, pending: Pending, digest: bytes) -> None:
        """A request was carried out; it is not committed yet."""
        self._known[pending.key] = CachedRequest(digest, pending)
        self._trim()

    def store(self, key: Key) -> None:
        """What a request did is committed."""
        if known := self._known.get(key):
            self._known[key] = CachedRequest(known.digest, None)

    def learn(self, found: Iterable[tuple[Key, bytes]]) -> None:
        """Add requests that are in the log."""
        for key, digest in found:
            self._known.setdefault(key, CachedRequest(digest, None))
        self._trim()

    def _trim(self) -> None:
        """Forget the oldest requests; the store still knows them."""
        while len(self._known) > self._kept:
            self._known.popitem(last=False)

    def unstored(self) -> list[Key]:
        """Requests that were carried out, and may be committed or not."""
        return [key for key, known in self._known.items() if known.pending is not None]

    def forget(self, keys: Iterable[Key]) -> None:
        """Requests were taken back."""
        for key in keys:
            self._known.pop(key, None)


class RequestHandler:
    """Carries out the requests of one table."""

    def __init__(self, runtime: TableRuntime[Any]) -> None:
        self._runtime = runtime
        self._house = runtime.house
        self.cache = RequestCache(runtime.adapter.kept_requests)

    def handle(
        self,
        request: requests.AnyRequest,
        subscriber: Subscriber,
        context: Context,
        done: Callable[[], None] = lambda: None,
    ) -> None:
        """Put a request into the inbox; its response is sent when what it did is committed, and then `done` is called."""
        runtime, player = self._runtime, subscriber.login.player
        key = (str(player), request.id)
        if runtime.lost:
            # The table is read back when the database answers; only a request sent before may have been carried out.
            raise Refusal("unit/lost" if key in self.cache else "house/down")
        lease = self._house.lease
        if lease is not None and not lease.is_sure:  # another node may own the table by now
            raise Refusal("house/down")
        pending = Pending(request, key, subscriber, context, done, self._house.clock.monotonic())
        runtime.in_flight.add(pending, context.at)
        runtime.put(Task(partial(self._carry_out, pending), partial(self.respond, pending), pending=pending))

    def take_back(self, first: Pending, after: Iterable[Pending], error: Refusal | None) -> None:
        """The store refused a request; those after it are carried out again.

        No client uses an id again that the table has forgotten. From now on the ids of such a player are looked up in the
        log before anything is done, and a connection that goes on with it is closed (ASR-32).
        """
        for pending in after:
            self.cache.forget([pending.key])
            self._runtime.in_flight.add(pending, pending.context.at)  # the phase does not end before them
        if error is None:
            self.cache.store(first.key)
        else:
            self.cache.forget([first.key])
        if error is None or error.code == "command/reused":
            self._house.distrusted.add(first.subscriber.login.player)
            first.subscriber.count_vain(_USED_AGAIN)

    def knows(self, player: Player, id: str) -> bool:
        """Whether a request was carried out, or is on its way."""
        return (player, id) in self.cache

    async def recall(self, subscriber: Subscriber, id: str) -> None:
        """Look an id that the table does not know up in the log; one that stands there was used again."""
        player = str(subscriber.login.player)
        if not self.knows(player, id):
            stream = self._runtime.adapter.base.stream.id
            found = await self._house.read(partial(answered_among, stream=stream, requests=[(player, id)]))
            self.cache.learn(found)
            subscriber.count_vain(_USED_AGAIN * len(found))

    def _carry_out(self, pending: Pending) -> Outgoing | None:
        runtime = self._runtime
        runtime.landed(pending)
        request, key, context = pending.request, pending.key, pending.context
        digest = hashlib.sha256(msgspec.json.encode(request)).digest()
        known = self.cache.find(key)
        if known is not None:
            if known.digest != digest:
                self.respond(pending, Refusal("command/reused", id=request.id))
            elif known.pending is None:
                self.respond(pending)
            else:
                known.pending.again.append(pending)
            return None
        player = key[0]
        try:
            if self._house.writer.waiting > CAPACITY - _RESERVE:
                raise Refusal("house/busy")
            if context.funds is not None:
                runtime.wallets.read(player, context.funds.balance, context.funds.moves)
            runtime.adapter.handle(request, player, RequestKey(int(player), request.id, digest), context)
        except Refusal as error:
            self.respond(pending, error)
            runtime.show(runtime.adapter.take())  # a late bet is refused, and written down
            return None
        self.cache.add(pending, digest)
        if isinstance(request, requests.Sit | requests.AddMoneyRequest):
            runtime.wallets.move(player, -request.amount)
        outgoing = runtime.prepare(runtime.adapter.take(), player)
        outgoing.then = (partial(self._finish, pending), *outgoing.then)
        return outgoing

    def _finish(self, pending: Pending) -> None:
        """What a request did is committed and was shown."""
        STORED.observe(self._house.clock.monotonic() - pending.begun)
        self.cache.store(pending.key)
        self.respond(pending)

    def respond(self, pending: Pending, error: Refusal | None = None) -> None:
        """Respond once; also to those who sent the same meanwhile."""
        if pending.answered:
            return
        pending.answered = True
        self._runtime.in_flight.discard(pending)
        pending.done()
        pending.subscriber.respond(pending.request.id, error)
        for one in pending.again:
            self.respond(one, error)
