"""What is asked over HTTP of a table of another node: done there, answered here (CLU-12)."""

from __future__ import annotations

import asyncio

import msgspec

from sabot.errors import Refusal
from sabot.protocol import codec
from sabot.server.accounts.logins import Login
from sabot.server.cluster import messages
from sabot.server.cluster.links import Links
from sabot.server.cluster.remote_tables import RemoteTables
from sabot.server.http.dispatch import Asked, Text, run_errand
from sabot.server.http.routes import ROUTES
from sabot.server.http.services import Services
from sabot.server.logs import failed
from sabot.server.refusals import refusal_of
from sabot.server.studio.devices import TableDevice
from sabot.server.tables.registry import TableElsewhereError

#: Seconds that an errand may take.
PATIENCE = 5.0


class Errands:
    """Errands of this node at others, and of others here."""

    def __init__(self, services: Services, links: Links, elsewhere: RemoteTables) -> None:
        self._services = services
        self._links = links
        self._elsewhere = elsewhere
        self._routes = {route.name: route for route in ROUTES}
        self._last = 0
        self._waiting: dict[int, asyncio.Future[messages.ErrandDone]] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    async def send(
        self, table: str, route: str, asked: Asked, login: Login | None, device: TableDevice | None
    ) -> object:
        """Have something done by the owner of a table, as soon as one is known; gives the result, or raises the refusal.

        The owner may be this node by then. One that has let the table go has done nothing, and the next one is asked.
        """
        self._last += 1
        names, query, body, checked = asked
        errand = messages.Errand(self._last, route, names, query, body, login, device, checked)
        until, answer = asyncio.get_running_loop().time() + PATIENCE, None
        while answer is None or answer.moved:
            try:
                async with asyncio.timeout_at(until):
                    owner = await self._elsewhere.owner_of(table)
                    answer = None if owner is None else await self._ask(owner, errand)
            except TimeoutError:
                raise Refusal("table/unreachable", table=table) from None
            if answer is None:
                answer = await self._do(errand)
            elif answer.moved:
                self._elsewhere.lose(table, owner)
        if answer.refused is not None:
            raise codec.refusal_from(answer.refused, answer.params)
        return answer.result if answer.text is None else Text(answer.text)

    async def _ask(self, owner: int, errand: messages.Errand) -> messages.ErrandDone:
        """Let another node do it."""
        done: asyncio.Future[messages.ErrandDone] = asyncio.get_running_loop().create_future()
        self._waiting[errand.number] = done
        try:
            self._links.post(owner, errand)
            return await done
        finally:
            del self._waiting[errand.number]

    def done(self, answer: messages.ErrandDone) -> None:
        """The result of an errand has come."""
        waiting = self._waiting.get(answer.number)
        if waiting is not None and not waiting.done():
            waiting.set_result(answer)

    def take(self, node: int, errand: messages.Errand) -> None:
        """Run an errand of another node."""
        task = asyncio.create_task(self._run(node, errand))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _run(self, node: int, errand: messages.Errand) -> None:
        self._links.post(node, await self._do(errand))

    async def _do(self, errand: messages.Errand) -> messages.ErrandDone:
        """Do it here."""
        number = errand.number
        try:
            route = self._routes.get(errand.route)
            if route is None:
                raise Refusal("release/unknown", what=errand.route)
            asked = Asked(errand.names, errand.query, errand.body, errand.checked)
            result = await run_errand(self._services, route, asked, errand.login, errand.device)
        except TableElsewhereError as error:
            return _refused(number, Refusal("table/unreachable", table=error.table), moved=True)
        except Exception as error:
            if not isinstance(error, Refusal):
                failed("an errand failed", error, route=errand.route)
            return _refused(number, refusal_of(error))
        if isinstance(result, Text):
            return messages.ErrandDone(number, text=result.text)
        return messages.ErrandDone(number, None if result is None else msgspec.json.encode(result))


def _refused(number: int, error: Refusal, *, moved: bool = False) -> messages.ErrandDone:
    failure = codec.failure_of(error)
    return messages.ErrandDone(number, refused=failure.code, params=dict(failure.params), moved=moved)
