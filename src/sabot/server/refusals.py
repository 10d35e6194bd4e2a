"""The one place that turns errors into responses: a code with its params, never a traceback or a secret (ASR-32)."""

import msgspec
from aiohttp import hdrs, web
from aiohttp.typedefs import Handler

from sabot.errors import Refusal
from sabot.protocol.codec import failure_of, printable
from sabot.server.http.policy import API
from sabot.server.logs import failed
from sabot.store.errors import is_unavailable


def refusal_of(error: Exception) -> Refusal:
    """The refusal that is sent for an error: itself, or that the database is away, or that something failed."""
    if isinstance(error, Refusal):
        return error
    return Refusal("house/down" if is_unavailable(error) else "house/error")


@web.middleware
async def refusing(request: web.Request, handler: Handler) -> web.StreamResponse:
    """Answer a request of the API that is refused with its code, and one for a page with a sentence."""
    page = not request.path.startswith(API)
    try:
        return await handler(request)
    except Exception as error:
        if page and isinstance(error, web.HTTPException):
            raise
        refusal = _refusal_of(request, error)
    if page:
        return web.Response(text=printable(str(refusal)), status=refusal.status)
    body = msgspec.json.encode({"error": failure_of(refusal)})
    response = web.Response(body=body, status=refusal.status, content_type="application/json")
    for header, param in ((hdrs.RETRY_AFTER, "seconds"), (hdrs.ALLOW, "allowed")):
        if param in refusal.params:
            response.headers[header] = str(refusal.params[param])
    return response


def _refusal_of(request: web.Request, error: Exception) -> Refusal:
    """The refusal of an error; one that nobody expected is logged, unless the caller is gone."""
    match error:
        case web.HTTPMethodNotAllowed():
            allowed = ", ".join(sorted(error.allowed_methods))
            return Refusal("route/method", method=error.method[:20], allowed=allowed)
        case web.HTTPNotFound():
            return Refusal("route/unknown")
        case web.HTTPRequestEntityTooLarge():
            return Refusal("request/too-long", most=request.client_max_size)
        case web.HTTPException():
            return Refusal("request/bad", reason=error.reason)
    gone = request.transport is None or request.transport.is_closing()
    if not isinstance(error, Refusal) and not (isinstance(error, ConnectionResetError) and gone):
        resource = request.match_info.route.resource
        failed(
            "a request failed",
            error,
            method=request.method,
            route=resource.canonical if resource is not None else "",
        )
    return refusal_of(error)
