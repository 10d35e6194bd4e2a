"""Browser contexts that one test after another uses: a page then needs no new process, and scripts that are known.

Each is left as it was found: without pages, cookies or anything stored. What cannot be taken back, a clock that was
put into a context, ends it.
"""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page, Route

from tests.browser.support.room import PATIENCE, SILENT
from tests.browser.support.serve import worker_port

#: Pages of one context share a process, and a page that stays open keeps it.
ONE_PROCESS = ["--renderer-process-limit=1", "--disable-site-isolation-trials"]

_FORGET = "() => { localStorage.clear(); sessionStorage.clear(); return String(Date.now).includes('[native code]'); }"


class Contexts:
    """All contexts of a browser, each with a page that stays open."""

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}
        self._used: dict[BrowserContext, tuple[str, Page]] = {}

    def take(self, **settings: Any) -> BrowserContext:
        """A context with these settings that nobody uses."""
        kind = repr(sorted(settings.items()))
        free = self._free.setdefault(kind, [])
        return free.pop() if free else self._make(kind, settings)

    def give_back(self, context: BrowserContext) -> None:
        """End its pages; the next one finds nothing of them."""
        kind, kept = self._used[context]
        for page in context.pages:
            if page is not kept:
                page.close()
        context.set_offline(False)
        context.clear_cookies()
        if kept.evaluate(_FORGET):
            self._free[kind].append(context)
        else:
            del self._used[context]
            context.close()

    def _make(self, kind: str, settings: dict[str, Any]) -> BrowserContext:
        context = self._browser.new_context(**settings)
        context.set_default_timeout(PATIENCE)
        kept = context.new_page()
        kept.route("**/*", _answer)
        kept.goto(
            f"http://127.0.0.1:{worker_port()}/"
        )  # a house's own address: what it stores can be forgotten
        context.add_init_script(SILENT)
        self._used[context] = kind, kept
        return context


def _answer(route: Route) -> None:
    route.fulfill(body="", content_type="text/html")
