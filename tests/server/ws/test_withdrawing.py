"""A self-excluded or locked player, let in to withdraw, does nothing over the socket (ASR-41, PLT-73)."""

from __future__ import annotations

from typing import Any, get_args

import msgspec
import pytest

from sabot.client import PlayerClient, RequestError
from sabot.engine.commands import kebab
from sabot.protocol import requests
from sabot.server.config import TableSection
from tests.support.site import Caller, Site

pytestmark = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)

ROUND = {"round": "260829-104000-AAAA", "turn": 0}
#: Of every request what it needs beside its id and its table.
REQUESTS: dict[str, dict[str, Any]] = {
    "open": {"game": "surrender"},
    "resume": {"epoch": 0, "since": 0},
    "enter": {},
    "exit": {},
    "watch-lobby": {},
    "sit": {"amount": 100, "spot": 0},
    "add-money": {"amount": 100},
    "leave": {},
    "see": {"number": 1},
    "say": {"text": "hello"},
    "choose-limits": {"limits": "low"},
    "offer-insurance": {"offered": False},
    "deal": {"bets": [], "client_seed": "seed"},
    "send-seed": {"seed": "seed"},
    "tell-delay": {"delay": 10},
    "place-bets": {"round": ROUND["round"], "bets": []},
    "start-now": {"round": ROUND["round"]},
    "consent": {"double": True, "split": True},
    "allow-behind": {"spot": 0, "allowed": True},
    "act": {**ROUND, "command": {"type": "stand", "spot": 0}},
    "insure": {**ROUND, "accept": False},
    "pre-decide": {"round": ROUND["round"], "spot": 0},
    "vote": {**ROUND, "spot": 0, "action": "stand"},
}
KINDS = {str(kind.__struct_config__.tag): kind for kind in get_args(requests.AnyRequest)}


def request_of(tag: str, table: str) -> requests.AnyRequest:
    kind = KINDS[tag]
    fields = {"type": tag, "id": tag, **REQUESTS[tag]}
    if "table" in kind.__struct_fields__:
        fields["table"] = table
    return msgspec.convert(fields, kind, str_keys=True)  # type: ignore[no-any-return]


@pytest.mark.rule("PLT-73", "PLT-50", "ASR-41")
@pytest.mark.parametrize(("why", "code"), [("excluded", "protection/excluded"), ("locked", "player/locked")])
async def test_every_request_is_refused(why: str, code: str, database_url: str) -> None:
    """None sits, brings money, talks or even looks; no bet of a round that is open is touched."""
    assert REQUESTS.keys() == KINDS.keys() == {kebab(name) for name in REQUESTS}
    async with Site(database_url, tables=(TableSection(name="one", game="freebet", currency="EUR"),)) as site:
        boss, ada = await site.administrator(), await site.join("ada")
        await ada.post("/cashier/deposit", {"id": "a", "currency": "EUR", "amount": 5_000})
        if why == "excluded":
            await ada.put("/protections", {"self_exclusion": "for-good"})
        else:
            await boss.post("/office/players/2/lock", {"reason": "a fraud"})
        ada = Caller(site, (await site.come("ada", purpose="withdraw")).body["token"])
        async with PlayerClient(site.url, ada.token) as client:
            for table in ("live/one", "solo/2/surrender/EUR"):
                for tag in REQUESTS:
                    with pytest.raises(RequestError, match=code):
                        await client.send(request_of(tag, table))
            assert not client.tables
            assert not client.lobby
        me = (await ada.get("/me")).body
        assert (me["seats"], me["balances"]["EUR"]) == ([], 5_000)
