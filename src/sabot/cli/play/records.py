"""Rounds as files: written after each round at the terminal, and verified (`sabot verify`)."""

from __future__ import annotations

import base64
import secrets
from datetime import UTC, datetime
from pathlib import Path

from sabot.cli.play.chance import Revealed
from sabot.engine import Round
from sabot.record import OwnRecord, Record, Seeds, check_own, dumps, is_own, loads, loads_own, replay, write


def game_code() -> str:
    """A new game code: date and GMT time of the moment, and four letters that tell rounds of one second apart."""
    letters = base64.b32encode(secrets.token_bytes(3)).decode()[:4]
    return f"{datetime.now(UTC):%y%m%d-%H%M%S}-{letters}"


class RecordFolder:
    """A folder that gets a record of each round."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder

    def save(self, round: Round, revealed: Revealed | None) -> Path:
        """Write the round down; from its seeds where they were revealed."""
        seeds = Seeds(bytes.fromhex(revealed.server_seed), revealed.client_seed) if revealed else None
        record = write(round, game_code(), seeds)
        path = self._folder / f"{record.round.code}.toml"
        path.write_text(dumps(record), encoding="utf-8")
        return path


def verify_file(path: Path) -> Record | OwnRecord:
    """The record of a file, replayed; `RecordError` if something differs, `OSError` if it is not there.

    Cashback prices are worked out again: what was offered may be a cent off, no more. A player's own record of a live
    round is checked as far as it tells.
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
