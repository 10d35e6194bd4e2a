"""The return monitoring (OFF-13)."""

from functools import partial

from sabot.server.http.dispatch import Call
from sabot.server.http.handlers.office.orders import log_order
from sabot.server.office import monitoring as figures
from sabot.server.office.monitoring import AlarmSeen, LineQuery, MonitoringQuery, ReturnDays, ReturnLines


async def monitoring(call: Call, query: MonitoringQuery) -> ReturnLines:
    """The return of every bet, today and over 30 days, against theory and its bounds, with its alarm (OFF-13)."""
    at = call.house.clock.wall_ms()
    rows = await call.house.read(partial(figures.read_lines, query=query, at=at))
    return await call.house.work(partial(figures.return_lines, rows))


async def monitoring_days(call: Call, query: LineQuery) -> ReturnDays:
    """The last 30 days of one bet (OFF-13)."""
    at = call.house.clock.wall_ms()
    days = await call.house.read(partial(figures.read_days, key=query.key, at=at))
    return await call.house.work(partial(figures.return_days, query.key, days))


async def alarm_seen(call: Call, form: AlarmSeen) -> None:
    """Say what became of an alarm; it waits no longer (OFF-13)."""
    await call.house.read(partial(figures.check_waiting, key=form.key))
    await log_order(call, "alarm-seen", form.reason, **form.key._asdict())
    at = call.house.clock.wall_ms()
    await call.house.write(partial(figures.mark_seen, key=form.key, at=at))
