"""A generated year is a real house: the audit finds nothing, and reports are the sums of its raw log."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from sabot.rounds.audit import audit_house
from sabot.server.run import open_vault
from sabot.store import schema
from sabot.store.database import Database
from tests.reports.compare import compare
from tests.support.store.raw_log import RawLog
from tools.year import generate

FIRST = date(2025, 9, 1)
NOW = 1_789_000_000_000


@pytest.mark.slow  # prices of cashback are prepared, and every round is played again by the audit
@pytest.mark.rule("OFF-20")
def test_a_generated_year_audits_clean_and_reports_what_its_log_says(
    database_url: str, tmp_path: Path
) -> None:
    key = tmp_path / "year.key"
    assert generate(database_url, key, 250, 8, FIRST, 365, 1, 1) == 250
    database = Database(database_url)
    assert audit_house(database, vault=open_vault(key)).findings == []
    assert {round.game.partition("-")[0] for round in RawLog(database).rounds()} == {
        "surrender",
        "link",
        "cashback",
        "freebet",
        "majority",
    }
    compare(database, NOW)
    days = schema.player_days
    with database.writing() as connection:
        connection.execute(days.update().where(days.c.rounds > 0).values(staked=days.c.staked + 1))
    with pytest.raises(AssertionError, match="activity: "):
        compare(database, NOW)
    with pytest.raises(SystemExit, match="empty"):
        generate(database_url, key, 1, 1, FIRST, 1, 1, 1)
    database.close()
