"""The whole API tried by its own document: nothing makes the house fail, and every answer is as it is described."""

from __future__ import annotations

import asyncio
import json
import threading
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import msgspec
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from sabot.engine import Bet
from sabot.protocol import codec
from sabot.protocol.messages import Failure
from sabot.protocol.schema import schema
from sabot.rounds.audit import audit_house
from sabot.server.http.dispatch import PREFIX, ROLES, Route
from sabot.server.http.openapi import document, operation_id
from sabot.server.http.routes import ROUTES
from sabot.server.http.services import SERVICES
from sabot.tables.live.table import LiveTable
from tests.support.clock import PATIENCE
from tests.support.databases import KINDS, fresh_url
from tests.support.hall import FREEBET, MAJORITY
from tests.support.house import VAULT
from tests.support.site import Caller, Site

pytestmark = pytest.mark.slow  # requests drawn for every route

SCHEMA = schemathesis.openapi.from_dict(msgspec.json.decode(msgspec.json.encode(document(ROUTES))))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
#: Requests drawn for a route: fewer where the same were answered by the other kind of database. `make faults` draws more.
EXAMPLES = {"sqlite": 6, "postgresql": 3} if settings().derandomize else {"sqlite": 40, "postgresql": 20}

#: Headers that belong to the connection and not to the document: a drawn one is refused with a status of its own.
OF_CONNECTIONS = ("Host", "Connection", "Content-Length", "Expect", "Transfer-Encoding", "Upgrade")


class Standing:
    """A house in a thread of its own, so that the caller may wait for it; with an administrator and a round played."""

    def __init__(self, url: str, examples: int) -> None:
        self.examples = settings(
            max_examples=examples,
            phases=[Phase.explicit, Phase.generate],
            suppress_health_check=list(HealthCheck),
        )
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        self.site: Site = self.run(Site(url, tables=(FREEBET, MAJORITY)).__aenter__())
        self._names = count(1)
        self.boss = self.run(self.site.administrator()).token
        self.code = self.run(self._played())
        self.live = self.run(self._played_live())

    def run(self, awaited: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(awaited, self._loop).result(PATIENCE)

    async def _played(self) -> str:
        player = await self.site.join("ada")
        await player.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 1_000_000})
        code = await self.site.play((await player.get("/me")).body["player"])
        self.ada = player.token
        return code

    async def _played_live(self) -> str:
        """A live round of Ada's, played out; it needs no socket."""
        ada = Caller(self.site, self.ada)
        await ada.post("/cashier/deposit", {"id": "b", "currency": "FUN", "amount": 10_000})
        player = str((await ada.get("/me")).body["player"])
        desk = self.site.app[SERVICES].registry.live["live/two"]
        bets = (Bet(0, "main", 500),)

        def begin(live: LiveTable) -> None:
            live.enter(player, "ada")
            live.sittings.sit(player, 5_000)
            live.play.consent(player, True, True)

        await desk.order(begin)
        while desk.table.phases.phase != "payout":
            if desk.table.phases.phase == "betting":
                await desk.order(lambda live: live.play.place_bets(player, live.play.code, bets))
            due = desk.table.phases.due
            assert due is not None
            self.site.clock.steady = due + 0.001
            desk.wake()
            while desk.table.phases.due == due:
                await asyncio.sleep(0.001)
        await desk.order(lambda live: None)
        return desk.table.play.code

    def token(self, route: Route) -> str:
        """A login for a route; a new player where it may end."""
        if route.access in ROLES:
            return str(self.boss)
        if route.method == "GET":
            return self.ada
        token: str = self.run(self.site.join(f"player{next(self._names)}")).token
        return token

    def close(self) -> None:
        self.run(self.site.__aexit__(None, None, None))
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


@pytest.fixture(scope="module", params=KINDS)
def standing(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Standing]:
    folder: Path = tmp_path_factory.mktemp("openapi")
    house = Standing(fresh_url(request, folder), EXAMPLES[request.param])
    yield house
    assert audit_house(house.site.database, vault=VAULT).findings == []
    house.close()


@pytest.mark.parametrize("route", ROUTES, ids=operation_id)
def test_every_answer_is_as_described(standing: Standing, route: Route) -> None:
    """Requests that fit the document: no 5xx, and what comes back is what it promises."""
    check_answers(standing, route, GenerationMode.POSITIVE)


@pytest.mark.parametrize("standing", ["sqlite"], indirect=True)
@pytest.mark.parametrize(
    "route", [route for route in ROUTES if route.body or route.query or route.names], ids=operation_id
)
def test_every_answer_to_a_bad_request_is_as_described(standing: Standing, route: Route) -> None:
    """Requests that do not fit the document are refused, before any database is asked."""
    check_answers(standing, route, GenerationMode.NEGATIVE)


def check_answers(standing: Standing, route: Route, mode: GenerationMode) -> None:
    """Ask several times, with and without what is there."""
    operation = SCHEMA[PREFIX + route.path][route.method]
    cases = operation.as_strategy(generation_mode=mode)

    @standing.examples
    @given(case=cases, known=st.booleans(), live=st.booleans())
    def ask(case: schemathesis.Case[Any], known: bool, live: bool) -> None:
        if known and mode is GenerationMode.POSITIVE:
            code = standing.live if live else standing.code
            there = {
                "code": code,
                "game": "surrender",
                "id": "1",
                "name": "ada",
                "table": "two",
                "player": "1",
            }
            case.path_parameters = {name: there[name] for name in case.path_parameters}
        for name in OF_CONNECTIONS:
            case.headers.pop(name, None)
        case.headers["Origin"] = standing.site.url
        case.headers["Authorization"] = f"Bearer {standing.token(route)}"
        response = case.call(base_url=standing.site.url, timeout=PATIENCE)
        checks = CHECKS + [negative_data_rejection] * (mode is GenerationMode.NEGATIVE)
        case.validate_response(response, checks=checks)

    ask()


def test_the_document_is_served_and_names_every_route(standing: Standing) -> None:
    answer = standing.run(standing.site.nobody.get("/openapi.json"))
    assert answer.body["openapi"] == "3.1.0"
    told = {(method.upper(), path) for path, of in answer.body["paths"].items() for method in of}
    assert told == {(route.method, PREFIX + route.path) for route in ROUTES}
    names = [operation_id(route) for route in ROUTES]
    assert len(set(names)) == len(names)


def test_a_refusal_has_a_code_and_params() -> None:
    assert msgspec.json.encode(Failure("login/required")) == b'{"code":"login/required","params":{}}'


async def test_the_schema_is_served_to_anyone_and_the_document_leads_to_it(file_url: str) -> None:
    async with Site(file_url) as site:
        told = await site.nobody.get("/socket.json")
        assert told.status == 200
        assert told.body == json.loads(json.dumps(schema()))
        about = (await site.nobody.get("/openapi.json")).body["info"]["description"]
        assert "/api/v1/socket.json" in about
        assert codec.SUBPROTOCOL in about
