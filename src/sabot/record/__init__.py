"""Records: the text form of a round, and its replay."""

from sabot.record.own import OwnRecord, is_own
from sabot.record.own_check import check_own
from sabot.record.record import Record, RecordError, Seeds, dumps, loads, read, write
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
    "read",
    "replay",
    "write",
]
