"""Records of terminal rounds: written to files, and verified by `sabot verify`."""

from __future__ import annotations

from pathlib import Path
from time import time

from sabot.cli.play.chance import Revealed
from sabot.engine import Round
from sabot.record import OwnRecord, Record, Seeds, check_own, dumps, is_own, loads, loads_own, replay, write
from sabot.rounds.codes import secure_code


class RecordFolder:
    """A folder of records, one file for each round."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def save(self, round: Round, revealed: Revealed | None) -> Path:
        """Write the record of a round, with its seeds if they are known."""
        seeds = Seeds(bytes.fromhex(revealed.server_seed), revealed.client_seed) if revealed else None
        record = write(round, secure_code(int(time() * 1000)), seeds)
        path = self._folder / f"{record.round.code}.toml"
        path.write_text(dumps(record), encoding="utf-8")
        return path


def verify_file(path: Path) -> Record | OwnRecord:
    """Replay the record of a file; `RecordError` if something differs.

    Cashback prices are computed again and may differ by a cent. A player's own record of a live round is checked as
    far as it goes.
    """
    from sabot.odds.price import price

    text = path.read_text(encoding="utf-8")
    if is_own(text):
        own = loads_own(text)
        check_own(own)
        return own
    record = loads(text)
    replay(record, price=price)
    return record
