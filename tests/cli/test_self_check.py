"""`sabot self-check`: the installation and its settings against the recorded release (OFF-12)."""

from __future__ import annotations

import json
from pathlib import Path

import msgspec
import pytest
import sqlalchemy
from typer.testing import CliRunner

from sabot.cli import app
from sabot.server.config import Config
from sabot.server.office.release import PartKey, installed_program
from sabot.server.office.self_check import find_parts, record_parts
from sabot.store import schema
from sabot.store.database import Database, migrate

#: The kind of database makes no difference here.
KIND = "sqlite"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A folder without settings."""
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def house(database_url: str) -> str:
    """A house that has recorded this release."""
    database = Database(database_url)
    migrate(database)
    program = installed_program()
    with database.writing() as connection:
        record_parts(connection, program.version, find_parts(program, Config()).first, at=1)
    database.close()
    return database_url


def sabot(url: str, *args: str) -> tuple[int, str, str]:
    result = CliRunner().invoke(app, ["self-check", "--database", url, "--lang", "en", *args])
    return result.exit_code, result.stdout, result.stderr


@pytest.mark.rule("OFF-12")
def test_what_is_recorded_passes_and_a_change_does_not_until_it_is_accepted(
    house: str, tmp_path: Path
) -> None:
    assert sabot(house)[:1] == (0,)
    assert "nothing differs" in sabot(house)[1]
    (tmp_path / "sabot.toml").write_text('[[table]]\nname = "one"\ngame = "freebet"\n')
    code, out, _ = sabot(house)
    assert code == 1
    assert "DIFFERS: the settings of freebet: recorded" in out
    assert "DIFFERS: the settings of majority-eu: recorded" in out  # the tables that ship are gone
    assert "surrender" not in out
    found = json.loads(sabot(house, "--json")[1])
    assert (found["passed"], found["recorded"], len(found["differences"])) == (False, True, 3)

    code, _, err = sabot(house, "--accept", "ab")
    assert code == 2
    assert "reason" in err
    code, out, _ = sabot(house, "--accept", "one table is enough")
    assert (code, "Accepted differences: 3" in out) == (0, True)
    assert sabot(house)[0] == 0
    log, database = schema.log.c, Database(house)
    with database.reading() as connection:
        (body,) = connection.execute(
            sqlalchemy.select(log.body).where(log.kind == "release-accepted")
        ).scalars()
        rows = connection.execute(sqlalchemy.select(schema.releases)).all()
    database.close()
    command = msgspec.json.decode(body)["command"]
    assert (command["operator"], command["reason"]) == (0, "one table is enough")
    assert {row.reason for row in rows if row.subject == "freebet" and row.kind == "configuration"} == {
        "one table is enough"
    }


def test_other_rules_are_named(house: str) -> None:
    database = Database(house)
    with database.writing() as connection:
        record_parts(connection, installed_program().version, {PartKey("rules", "link"): "0" * 64}, at=2)
    database.close()
    code, out, _ = sabot(house)
    assert code == 1
    assert f"DIFFERS: the rules of link: recorded {'0' * 64}, found " in out


def test_a_house_that_has_recorded_nothing_says_so(database_url: str) -> None:
    database = Database(database_url)
    migrate(database)
    database.close()
    code, out, _ = sabot(database_url)
    assert code == 0
    assert "is not recorded yet" in out
