"""A generated year is a real house: the audit finds nothing, and reports are the sums of its raw log."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from sabot.reports.catalogue import ReportRequest, make
from sabot.reports.report import Interval
from sabot.rounds.audit import audit_house
from sabot.server.run import open_vault
from sabot.store.database import Database
from tests.support.raw_log import RawLog
from tools.year import generate

FIRST, LAST = date(2025, 9, 1), date(2026, 9, 7)
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
    log = RawLog(database)
    rounds = log.rounds()
    assert len(rounds) == 250
    assert {round.game.partition("-")[0] for round in rounds} == {
        "surrender",
        "link",
        "cashback",
        "freebet",
        "majority",
    }
    with database.reading() as connection:
        made = make(connection, "Year", ReportRequest("performance", Interval(FIRST, LAST), "month"), NOW)
    at = {column.name: i for i, column in enumerate(made.columns)}
    found = {
        (row[at["period"]], row[at["game"]], row[at["currency"]], row[at["bet"]]): row for row in made.rows
    }
    expected: dict[tuple[str, str, str, str], list[int]] = {}
    for round in rounds:
        month = str(date.fromordinal(date(1970, 1, 1).toordinal() + round.day))[:7]
        for (player, bet), (_, staked, paid) in round.bets.items():
            if player not in log.bots:
                for name in ("all", bet):
                    line = expected.setdefault((month, round.game, round.currency, name), [0, 0])
                    line[0], line[1] = line[0] + staked, line[1] + paid
    assert {key: [row[at["staked"]], row[at["paid"]]] for key, row in found.items()} == expected
    with pytest.raises(SystemExit, match="empty"):
        generate(database_url, key, 1, 1, FIRST, 1, 1, 1)
    database.close()
