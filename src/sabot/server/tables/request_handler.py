"""Requests at a table: each is carried out once and responded to when what it did is committed (ASR-11)."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from sabot.engine.commands import Player
from sabot.errors import Refusal
from sabot.protocol import requests
from sabot.server.metrics import STORED
from sabot.server.refusals import answer
from sabot.server.tables.adapter import Context
from sabot.server.tables.outbox import Outgoing, Task
from sabot.server.tables.request_cache import Key, RequestCache
from sabot.server.tables.subscribers import Subscriber
from sabot.store.entry import RequestKey
from sabot.store.writer import CAPACITY

if TYPE_CHECKING:
    from sabot.server.tables.runtime import TableRuntime

#: The part of the writer's queue that requests leave free, so that tables can go on.
_RESERVE = CAPACITY // 4


@dataclass(eq=False, slots=True)
class Pending:
    """A request that waits for its response."""

    request: requests.AnyRequest
    #: Whose request, and its id.
    key: Key
    subscriber: Subscriber
    context: Context
    #: Locks and claims that are let go with the response.
    ends: tuple[Callable[[], None], ...]
    begun: float
    answered: bool = False


class RequestHandler:
    """Carries out the requests of one table."""

    def __init__(self, runtime: TableRuntime[Any]) -> None:
        self._runtime = runtime
        self._house = runtime.house
        self.cache: RequestCache[Pending] = RequestCache(runtime.adapter.kept_requests)
        #: Players who used an id again that the table had forgotten: their further ids are looked up first.
        self.repeating: set[Player] = set()

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
            # The table is read back when the database answers; only what was asked before may have been done.
            raise Refusal("unit/lost" if key in self.cache else "house/down")
        claim = self._house.claims.take(player, request.id, runtime.name)
        pending = Pending(request, key, subscriber, context, (claim, done), self._house.clock.monotonic())
        runtime.in_flight.add(pending, context.at)
        runtime.put(Task(partial(self._carry_out, pending), partial(self.respond, pending), key=key))

    def knows(self, player: Player, id: str) -> bool:
        """Whether a request was carried out, or is on its way."""
        return (player, id) in self.cache

    def _carry_out(self, pending: Pending) -> Outgoing | None:
        runtime = self._runtime
        runtime.landed(pending)
        request, key, context = pending.request, pending.key, pending.context
        digest = hashlib.sha256(msgspec.json.encode(request)).digest()
        known = self.cache.find(key)
        if known is not None:
            if known.digest != digest:
                self.respond(pending, Refusal("command/reused", id=request.id))
            elif known.stored:
                self.respond(pending)
            else:
                self.cache.wait(key, pending)
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
        self.cache.add(key, digest)
        if isinstance(request, requests.Sit | requests.AddMoney):
            runtime.wallets.move(player, -request.amount)
        outgoing = runtime.prepare(runtime.adapter.take(), player)
        outgoing.then = partial(self._finish, pending)
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
        for end in pending.ends:
            end()
        pending.subscriber.send(answer(pending.request.id, error, self._house.clock.wall_ms()))
        for one in self.cache.take_waiting(pending.key):
            self.respond(one, error)
