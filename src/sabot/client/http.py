"""The house's HTTP interface for programs: come in, and get a token for the socket; see which live tables there are."""

from __future__ import annotations

from typing import Any

import aiohttp
import msgspec

from sabot.client.connection import AskError
from sabot.protocol import messages

#: Something answers that is no house.
STRANGE = "house/strange"


async def post(
    session: aiohttp.ClientSession, url: str, path: str, body: dict[str, Any] | None = None, token: str = ""
) -> Any:
    """Ask the house something over HTTP; `AskError` if it is refused, None where there is nothing to tell."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with session.post(_address(url, path), json=body, headers=headers) as response:
        return await _answer(response)


async def demo_token(session: aiohttp.ClientSession, url: str, *, bot: bool = False) -> str:
    """Come in as a demo player with play money; a program that plays with people says that it is one."""
    answer = await post(session, url, "/demo", {"bearer": True, "bot": bot})
    if not isinstance(answer, dict) or "token" not in answer:
        raise AskError(messages.Failure(STRANGE))
    return str(answer["token"])


async def live_tables(session: aiohttp.ClientSession, url: str) -> tuple[messages.TableHead, ...]:
    """Every live table of the house, as its lobby shows it."""
    async with session.get(_address(url, "/tables")) as response:
        answer = await _answer(response)
    try:
        return msgspec.convert(answer["tables"], tuple[messages.TableHead, ...])
    except (TypeError, KeyError, msgspec.ValidationError):
        raise AskError(messages.Failure(STRANGE)) from None


def _address(url: str, path: str) -> str:
    return f"{url.rstrip('/')}/api/v1{path}"


async def _answer(response: aiohttp.ClientResponse) -> Any:
    answer: Any = await response.json() if response.content_type == "application/json" else None
    if response.status >= 400:
        if not isinstance(answer, dict) or "error" not in answer:
            raise AskError(messages.Failure(STRANGE))
        raise AskError(messages.Failure(answer["error"]["code"], answer["error"]["params"]))
    return answer
