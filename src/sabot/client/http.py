"""The house's HTTP interface for programs: a token for the socket, and the list of live tables."""

from typing import Any

import aiohttp
import msgspec

from sabot.client.connection import RequestError
from sabot.protocol import messages

#: The response is not that of a house.
STRANGE = "house/strange"


async def post(
    session: aiohttp.ClientSession, url: str, path: str, body: dict[str, Any] | None = None, token: str = ""
) -> Any:
    """Post a request; `RequestError` if it is refused, None for an empty response."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with session.post(_address(url, path), json=body, headers=headers) as response:
        return await _body(response)


async def get(session: aiohttp.ClientSession, url: str, path: str, token: str = "") -> Any:
    """Get a resource; `RequestError` if it is refused."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with session.get(_address(url, path), headers=headers) as response:
        return await _body(response)


async def demo_token(session: aiohttp.ClientSession, url: str, *, bot: bool = False) -> str:
    """Log in as a demo player with play money; `bot` marks a program that plays with people."""
    body = await post(session, url, "/demo", {"bearer": True, "bot": bot})
    if not isinstance(body, dict) or "token" not in body:
        raise RequestError(STRANGE)
    return str(body["token"])


async def live_tables(session: aiohttp.ClientSession, url: str) -> tuple[messages.TableHead, ...]:
    """Every live table of the house, as its lobby shows it."""
    body = await get(session, url, "/tables")
    try:
        return msgspec.convert(body["tables"], tuple[messages.TableHead, ...])
    except (TypeError, KeyError, msgspec.ValidationError):
        raise RequestError(STRANGE) from None


def _address(url: str, path: str) -> str:
    return f"{url.rstrip('/')}/api/v1{path}"


async def _body(response: aiohttp.ClientResponse) -> Any:
    body: Any = await response.json() if response.content_type == "application/json" else None
    if response.status >= 400:
        if not isinstance(body, dict) or "error" not in body:
            raise RequestError(STRANGE)
        raise RequestError(body["error"]["code"], body["error"]["params"])
    return body
