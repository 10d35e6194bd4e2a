"""Records: the text form of a round, and its replay."""

from sabot.record.record import Record, RecordError, Seeds, dump, dumps, load, loads, write
from sabot.record.replay import replay

__all__ = ["Record", "RecordError", "Seeds", "dump", "dumps", "load", "loads", "replay", "write"]
