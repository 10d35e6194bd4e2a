"""Significant events: searched, and exported as a file (OFF-11)."""

from functools import partial

from sabot.server.http.dispatch import Call, Download
from sabot.server.office.events import EventFilter, EventsPage, EventsQuery, export_events, search_events


async def events(call: Call, query: EventsQuery) -> EventsPage:
    """Significant events, by severity, kind, player, round, table and time."""
    return await call.house.read(partial(search_events, query=query))


async def events_file(call: Call, query: EventFilter) -> Download:
    """The same events as CSV."""
    return Download("events.csv", "text/csv", await call.house.read(partial(export_events, filter=query)))
