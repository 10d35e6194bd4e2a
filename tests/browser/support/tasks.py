"""How long the page's tasks take, beside a piece of work that is always the same: so that no machine is too slow for it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.sync_api import Browser, Page

from tests.browser.support.room import PAINTED

#: Lays out and styles so many words that a machine of today needs some 50 ms for it, the longest a page may be busy.
_YARDSTICK = """() => {
  const sheet = document.body.appendChild(document.createElement("p"));
  for (let word = 0; word < 8000; word++) sheet.appendChild(document.createElement("span")).textContent = ` ${word} `;
  const { height } = sheet.getBoundingClientRect();
  sheet.remove();
  return height;
}"""


@contextmanager
def no_long_task(browser: Browser, page: Page) -> Iterator[None]:
    """No task of the page takes longer within the block than the yardstick does, in time of its own: others use the machine too."""
    page.evaluate(PAINTED)
    allowed = max(_yardstick(browser, page) for _ in range(3))
    browser.start_tracing(page=page, categories=_CATEGORIES)
    yield
    longest = max(_task_times(browser.stop_tracing()))
    assert longest < allowed, f"{longest:.1f} ms, where {allowed:.1f} ms are not long"


#: Those that tasks are told in.
_CATEGORIES = ["toplevel", "disabled-by-default-devtools.timeline"]


def _yardstick(browser: Browser, page: Page) -> float:
    browser.start_tracing(page=page, categories=_CATEGORIES)
    page.evaluate(_YARDSTICK)
    return max(_task_times(browser.stop_tracing()))


def _task_times(trace: bytes) -> list[float]:
    """The time of each task of the page's main thread, in milliseconds of its own work."""
    events = json.loads(trace)["traceEvents"]
    mains = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    # One that had not ended with the trace has no time.
    return [
        event["tdur"] / 1000
        for event in events
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) in mains and "tdur" in event
    ]
