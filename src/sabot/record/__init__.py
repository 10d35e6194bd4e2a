"""Records: the text form of a round, and its replay."""

from sabot.record.own import OwnRecord, is_own, loads_own
from sabot.record.own_check import check_own
from sabot.record.record import Record, RecordError, Seeds, dumps, loads, write
from sabot.record.replay import replay

__all__ = [
    "OwnRecord",
    "Record",
    "RecordError",
    "Seeds",
    "check_own",
    "dumps",
    "is_own",
    "loads",
    "loads_own",
    "replay",
    "write",
]
