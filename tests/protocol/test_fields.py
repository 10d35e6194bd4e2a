"""Text that comes in: a length and a pattern for every field of every request, and no table that stops for one (ASR-32)."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any

import msgspec
import pytest
from msgspec import inspect

from sabot.protocol import requests
from sabot.protocol.fields import ClientSeed, Line, Name, Password, Reason, RequestId, problem_of
from sabot.server.http.routes import ROUTES
from sabot.store.database import Database
from tests.support.hall import FREEBET, open_hall, until
from tests.support.shoes import StackedShoes

#: What no field may hold: NUL and other controls, line ends, what turns the direction of a text.
STRANGE = ("a\0b", "\0", "a\nb", "a\n", "a\r", "a\tb", "\x7f", "a\x85b", "a\u2028b", "a\u202eb")
#: What is no id, though it may stand in a text.
NO_ID = (*STRANGE, "", "a b", "a.b", "a:b", "é", "٣", "x" * 65)


@pytest.mark.rule("ASR-32")
def test_every_text_of_a_request_has_a_pattern() -> None:
    loose = {f"{kind}.{field}" for kind, field, meta in _texts() if not (meta.pattern and _is_whole(meta))}
    assert loose == {"Registering.name"}, "only `name/bad` says more than a pattern could"


def test_what_is_wrong_is_said_in_words() -> None:
    """Where it is wrong and what would be right, for every pattern of a request; no regular expression."""
    for kind, field, meta in _texts():
        if meta.pattern:
            pattern = Annotated[str, msgspec.Meta(pattern=meta.pattern)]
            form: Any = msgspec.defstruct(kind, [(field, pattern)])
            with pytest.raises(msgspec.ValidationError) as error:
                msgspec.convert({field: "\0"}, form)
            problem = problem_of(error.value)
            assert problem.field == field
            assert problem.what.startswith("Expected ")
            assert not re.search(r"regex|another|[\\$^]", problem.what), (kind, field)


def _texts() -> Iterator[tuple[str, str, inspect.StrType]]:
    """Every field of text, of every question of a socket and every body, query and path of a route."""
    kinds: list[Any] = [requests.AnyRequest]
    kinds += [kind for route in ROUTES for kind in (route.body, route.query, route.names) if kind]
    seen: set[type] = set()
    for found in inspect.multi_type_info(kinds):
        yield from _inside("", "", found, seen)


def _inside(kind: str, field: str, found: inspect.Type, seen: set[type]) -> Iterator[Any]:
    match found:
        case inspect.StrType():
            yield kind, field, found
        case inspect.UnionType(types=types):
            for part in types:
                yield from _inside(kind, field, part, seen)
        case inspect.Metadata(type=part) | inspect.VarTupleType(item_type=part):
            yield from _inside(kind, field, part, seen)
        case inspect.StructType(cls=cls, fields=fields) if cls not in seen:
            seen.add(cls)
            for one in fields:
                yield from _inside(cls.__name__, one.name, one.type, seen)
        case (
            inspect.StructType()
            | inspect.IntType()
            | inspect.FloatType()
            | inspect.DateType()
            | inspect.BoolType()
            | inspect.LiteralType()
            | inspect.NoneType()
            | inspect.CustomType()
        ):
            return
        case inspect.DictType() if (kind, field) == ("TableSection", "options"):
            return  # read as `TableOptions`, whose texts are names of bets
        case _:
            raise AssertionError(f"{kind}.{field} is {found}: does it hold text?")


def _is_whole(meta: inspect.StrType) -> bool:
    """Whether the pattern speaks of the whole text, and lets no control character through."""
    return not any(re.search(meta.pattern or "", text) for text in STRANGE)


@pytest.mark.parametrize("kind", [RequestId, Name, ClientSeed, Line, Password, Reason])
@pytest.mark.parametrize("text", STRANGE)
def test_a_strange_text_is_refused(kind: Any, text: str) -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert(f"abc{text}", kind)


@pytest.mark.parametrize("text", ["ciao, è un bel 21!", "🂡🂫🂮", "a|b", "«sì»"])
def test_a_plain_text_is_taken(text: str) -> None:
    for kind in (ClientSeed, Line, Password, Reason):
        assert msgspec.convert(text, kind) == text


@pytest.mark.rule("ASR-32")
async def test_a_hostile_id_harms_nobody(database: Database) -> None:
    """On PostgreSQL a NUL in an id had the table thrown away for everyone; on SQLite it was stored (issue 14)."""

    async with open_hall(database, StackedShoes(), FREEBET) as hall:
        ada, eve = await hall.member("ada"), await hall.member("eve")
        playing = await hall.at(ada, "live/one", spot=0)
        strange = await hall.at(eve, "live/one", bring=0)
        desk, rows = hall.desk("live/one"), await hall.rows()
        answers: list[dict[str, Any]] = []
        strange.on_message = lambda frame: answers.append(json.loads(frame))
        consent = {"type": "consent", "table": "live/one", "double": True, "split": True}
        for id in NO_ID:
            await strange._socket.send_str(json.dumps({**consent, "id": id}))
        for text in STRANGE:
            await strange._socket.send_str(json.dumps({**consent, "id": "t", "table": f"live/{text}"}))
            await strange._socket.send_str(
                json.dumps({"type": "send-seed", "id": "s", "table": "live/one", "seed": text})
            )
            await strange._socket.send_str(
                json.dumps({"type": "say", "id": "c", "table": "live/one", "text": text})
            )
        await until(lambda: sum(one["type"] == "answer" for one in answers) == len(NO_ID) + 3 * len(STRANGE))
        told = [one for one in answers if one["type"] == "answer"]
        assert {one["error"]["code"] for one in told} == {"command/malformed"}
        assert {one["id"] for one in told} == {"", "t", "s", "c"}
        assert await hall.rows() == rows, "nothing was stored"
        await playing.send(requests.ConsentRequest("good", "live/one", True, True))
        assert hall.desk("live/one") is desk, "the table was not opened again"
        assert await hall.rows() == rows + 1
