"""The house's HTTP interface for programs: come in, and get a token for the socket."""

from __future__ import annotations

from typing import Any

import aiohttp

from sabot.client.player import AskError
from sabot.server import wire


async def post(
    session: aiohttp.ClientSession, url: str, path: str, body: dict[str, Any] | None = None, token: str = ""
) -> Any:
    """Ask the house something over HTTP; `AskError` if it is refused, None where there is nothing to tell."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    async with session.post(f"{url.rstrip('/')}/api/v1{path}", json=body, headers=headers) as response:
        answer: Any = await response.json() if response.content_type == "application/json" else None
        if response.status >= 400:
            error = answer["error"]
            raise AskError(wire.Failure(error["code"], error["params"]))
        return answer


async def demo_token(session: aiohttp.ClientSession, url: str) -> str:
    """Come in as a demo player with play money."""
    answer = await post(session, url, "/demo", {"bearer": True})
    return str(answer["token"])
