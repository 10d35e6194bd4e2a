"""What becomes of an error on its way out: a code with its status, never a traceback, never a secret (ASR-32)."""

from __future__ import annotations

from aiohttp import hdrs, web
from aiohttp.typedefs import Handler
from msgspec import Struct

from sabot.errors import REFUSALS, Refusal
from sabot.protocol.messages import Failure
from sabot.server.http.dispatch import json_response
from sabot.server.http.policy import API
from sabot.server.logs import failed
from sabot.server.refusals import plain, refusal_of


class Refused(Struct, frozen=True):
    """The answer to a request that is refused."""

    error: Failure


@web.middleware
async def refusing(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer what is refused with its code; what nobody expected is logged and told as `house/error`."""
    if not request.path.startswith(API):
        return await _refusing_page(request, handler)
    try:
        return await handler(request)
    except Refusal as error:
        return refusal(error.code, error.params)
    except web.HTTPMethodNotAllowed as error:
        allowed = ", ".join(sorted(error.allowed_methods))
        answer = refusal("route/method", {"method": error.method[:20], "allowed": allowed})
        answer.headers[hdrs.ALLOW] = allowed
        return answer
    except web.HTTPNotFound:
        return refusal("route/unknown", {})
    except web.HTTPRequestEntityTooLarge:
        return refusal("request/too-long", {"most": request.client_max_size})
    except web.HTTPException as error:
        return refusal("request/bad", {"reason": error.reason})
    except Exception as error:
        return refusal(_failed(request, error).code, {})


async def _refusing_page(request: web.Request, handler: Handler) -> web.StreamResponse:
    """The same for pages, files and probes: whoever sees it reads a sentence."""
    try:
        return await handler(request)
    except Refusal as error:
        return web.Response(text=plain(str(error)), status=error.status)
    except web.HTTPException:
        raise
    except Exception as error:
        told = _failed(request, error)
        return web.Response(text=str(told), status=told.status)


def _failed(request: web.Request, error: Exception) -> Refusal:
    """Log an error that is no refusal, unless nobody waits for the answer; gives what is told of it."""
    if not (isinstance(error, ConnectionResetError) and _is_gone(request)):
        resource = request.match_info.route.resource
        route = resource.canonical if resource is not None else ""
        failed("a request failed", error, method=request.method, route=route)
    return refusal_of(error)


def refusal(code: str, params: dict[str, object]) -> web.Response:
    """The answer of a code."""
    shown = {
        name: value if isinstance(value, int | None) else plain(str(value)) for name, value in params.items()
    }
    answer = json_response(Refused(Failure(code, shown)), REFUSALS[code].status)
    if "seconds" in params:
        answer.headers[hdrs.RETRY_AFTER] = str(params["seconds"])
    return answer


def _is_gone(request: web.Request) -> bool:
    """Whether nobody waits for the answer any more."""
    return request.transport is None or request.transport.is_closing()
