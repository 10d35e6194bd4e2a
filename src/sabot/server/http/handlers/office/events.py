"""Significant events: searched, and exported as a file (OFF-11)."""

from functools import partial

from sabot.server.http.dispatch import Call, Download
from sabot.server.office.events import (
    EventsFileQuery,
    EventsPage,
    EventsQuery,
    export_events,
    search_events,
)
from sabot.texts import Catalogue


async def events(call: Call, query: EventsQuery) -> EventsPage:
    """Significant events, by severity, kind, player, round, table and time. Whom they name is logged."""
    found = await call.house.read(partial(search_events, query=query))
    await call.operators.look_at_list(call.login, (event.player for event in found.events), "events")
    return found


async def events_file(call: Call, query: EventsFileQuery) -> Download:
    """The same events as CSV. Whom they name is logged."""
    exported = await call.house.read(partial(export_events, filter=query, texts=Catalogue(query.lang)))
    await call.operators.look_at_list(call.login, exported.players, "events-file")
    return Download("events.csv", "text/csv", exported.file)
