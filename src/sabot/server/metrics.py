"""Metrics of the house, for Prometheus."""

import asyncio

from prometheus_client import Counter, Gauge, Histogram, Info

from sabot.store.writer import GroupWriter

COMMANDS = Histogram(
    "sabot_command_seconds",
    "Time to carry out a request in memory",
    ["kind"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1),
)
STORED = Histogram(
    "sabot_stored_seconds",
    "Time until what a request did is committed",
    buckets=(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
)
SOCKETS = Gauge("sabot_sockets", "Open sockets")
SLOW = Counter("sabot_slow_sockets", "Sockets broken off because they did not read")
CUT = Counter(
    "sabot_connections_cut", "Connections ended by the house: slow, one too many, or a flood", ["why"]
)
WRITER_QUEUE = Gauge("sabot_writer_queue", "Log entries that wait for the writer")
NODE = Info("sabot_node", "This node of the house: name, slot, release")
LIVE_TABLES = Gauge("sabot_live_tables", "Live tables that this node owns")
SOLO_TABLES = Gauge("sabot_solo_tables", "Solo tables that are open at this node")
BUS_UP = Gauge("sabot_bus_up", "1 while the bus can be reached; 0 in a house of one node too")
BUS_SENT = Counter("sabot_bus_sent", "Messages that this node has sent to others")
BUS_HEARD = Counter("sabot_bus_heard", "Messages of other nodes that this node has obeyed")
BUS_REFUSED = Counter(
    "sabot_bus_refused", "Bus messages that were not obeyed: strangers' or unknown ones", ["why"]
)
LOOP_LAG = Gauge("sabot_loop_lag_seconds", "How late the event loop wakes up")

#: Seconds between two measurements.
_EVERY = 1.0


def loop_lag_ms() -> int:
    """How late the event loop woke up when it was measured last."""
    (gauge,) = LOOP_LAG.collect()
    return round(1000 * gauge.samples[0].value)


async def watch(writer: GroupWriter) -> None:
    """Measure the loop and the writer every second, for as long as the house is open."""
    loop = asyncio.get_running_loop()
    while True:
        before = loop.time()
        await asyncio.sleep(_EVERY)
        LOOP_LAG.set(max(0.0, loop.time() - before - _EVERY))
        WRITER_QUEUE.set(writer.waiting)
