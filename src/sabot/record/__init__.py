"""Records: the text form of a round, and its replay."""

from sabot.record.own import OwnRecord, dumps_own, is_own, loads_own
from sabot.record.own_check import check_own
from sabot.record.record import Record, RecordError, Seeds, dump, dumps, load, loads, write
from sabot.record.replay import replay

__all__ = [
    "OwnRecord",
    "Record",
    "RecordError",
    "Seeds",
    "check_own",
    "dump",
    "dumps",
    "dumps_own",
    "is_own",
    "load",
    "loads",
    "loads_own",
    "replay",
    "write",
]
