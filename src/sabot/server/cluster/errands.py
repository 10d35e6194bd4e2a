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
        """Have something done by the owner of a table, once it is known; gives the result, or raises the refusal."""
        self._last += 1
        number, done = self._last, asyncio.get_running_loop().create_future()
        self._waiting[number] = done
        try:
            async with asyncio.timeout(PATIENCE):
                owner = await self._elsewhere.owner_of(table)
                self._links.post(owner, messages.Errand(number, route, *asked, login, device))
                answer = await done
        except TimeoutError:
            raise Refusal("table/unreachable", table=table) from None
        finally:
            del self._waiting[number]
        if answer.refused is not None:
            raise Refusal(answer.refused, **answer.params)
        return answer.result if answer.text is None else Text(answer.text)

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
        number = errand.number
        try:
            route = self._routes.get(errand.route)
            if route is None:
                raise Refusal("release/unknown", what=errand.route)
            asked = Asked(errand.names, errand.query, errand.body)
            result = await run_errand(self._services, route, asked, errand.login, errand.device)
            answer = messages.ErrandDone(number, None if result is None else msgspec.json.encode(result))
            if isinstance(result, Text):
                answer = messages.ErrandDone(number, text=result.text)
        except TableElsewhereError as error:
            answer = _refused(number, Refusal("table/unreachable", table=error.table))
        except Exception as error:
            if not isinstance(error, Refusal):
                failed("an errand failed", error, route=errand.route)
            answer = _refused(number, refusal_of(error))
        self._links.post(node, answer)


def _refused(number: int, error: Refusal) -> messages.ErrandDone:
    failure = codec.failure_of(error)
    return messages.ErrandDone(number, refused=failure.code, params=dict(failure.params))
