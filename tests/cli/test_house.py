"""`sabot verify CODE`, `backup`, `restore` and `day-close`: what an operator types and reads."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner

from sabot.cli.app import app
from sabot.engine import Bet
from sabot.fairness.vault import Vault
from sabot.rounds.shoes import SecureShoes
from sabot.store.database import Database
from sabot.tables.opening import open_table
from sabot.tables.table import Table
from tests.cli.commands import run
from tests.support.house import House

NOON = 1_788_004_800_000
DAY = "2026-08-29"
#: The key of the vault of the tests, as a file has it.
KEY = "00" * 32 + "  # of the tests\n"


@pytest.fixture(autouse=True)
def _plain_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for name in ("SABOT_DATABASE_URL", "SABOT_HOUSE_KEY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.chdir(tmp_path)


@pytest.fixture
def house(database: Database, database_url: str, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose database the commands find."""
    monkeypatch.setenv("SABOT_DATABASE_URL", database_url)
    return House(database)


@pytest.fixture
def key(tmp_path: Path) -> str:
    path = tmp_path / "key"
    path.write_text(KEY)
    return str(path)


def fail(*args: str, code: int = 2) -> str:
    """The one line of a command that is refused; nothing goes to the standard output."""
    result = CliRunner().invoke(app, list(args))
    assert result.exit_code == code, result.output
    assert result.stdout == ""
    assert result.stderr.startswith("sabot: ")
    assert result.stderr.count("\n") == 1
    return result.stderr


def solo_round(house: House, game: str = "surrender") -> tuple[Table, int, str]:
    ada = house.player("ada")
    table = house.solo(game, ada)
    return table, ada, house.play_solo(table, ada, NOON)


def live_round(house: House) -> tuple[Table, str]:
    ada = house.player("ada")
    table = house.live("majority-us", ada)
    return table, house.play_live(table, {ada: (Bet(0, "main", 1_000),)}, NOON)


# verify


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [("it", "Il round si ripete al centesimo"), ("en", "The round replays to the cent (payments: 2)")],
)
def test_a_round_of_the_house_is_verified_by_its_code(house: House, lang: str, sentence: str) -> None:
    _, _, code = solo_round(house, "link")
    assert re.fullmatch(r"\d{6}-\d{6}-[A-Z]{4}", code)
    output = run("verify", code, code.lower(), "--lang", lang)
    assert output.count(f"{code}: Blackjack Link. {sentence}") == 2


def test_codes_and_files_go_together(house: House, tmp_path: Path) -> None:
    from sabot.record import dumps
    from sabot.rounds.history import round_record

    _, _, code = solo_round(house)
    with house.store.database.reading() as connection:
        record = round_record(connection, code)
    (tmp_path / "round.toml").write_text(dumps(record), "utf-8")
    output = run("verify", "round.toml", code, "--lang", "en")
    first, second = output.splitlines()
    assert first == second


def test_a_code_that_is_not_there(house: House) -> None:
    assert "non c'è un round 260829-104000-K7QA" in fail("verify", "260829-104000-K7QA")
    assert "there is no round 260829-104000-K7QA" in fail("verify", "260829-104000-K7QA", "--lang", "en")


def test_a_round_that_is_not_over(house: House) -> None:
    ada = house.player("ada")
    code = house.deal_until_open(house.solo("surrender", ada), ada, NOON)
    assert "still being played" in fail("verify", code, "--lang", "en")


def test_a_live_shoe_in_use_is_verified_by_the_house_alone(house: House, key: str) -> None:
    table, code = live_round(house)
    assert "or by the operator with --key" in fail("verify", code, "--lang", "en")
    assert "replays to the cent" in run("verify", code, "--key", key, "--lang", "en")
    house.shuffle(table)
    assert "replays to the cent" in run("verify", code, "--lang", "en")


def test_a_round_that_was_changed(house: House) -> None:
    _, _, code = solo_round(house)
    with house.store.database.writing() as connection:
        seed = "UPDATE shoes SET seed = sealed WHERE seed IS NOT NULL"
        connection.execute(text(seed))
    result = CliRunner().invoke(app, ["verify", code, "--lang", "en"])
    assert result.exit_code == 1
    assert f"{code}: NOT VALID. the seed of its shoe is not the one committed to" in result.output


def test_a_round_that_was_given_back(house: House) -> None:
    ada = house.player("ada")
    table = house.solo("surrender", ada)
    code = house.deal_until_open(table, ada, NOON)
    lost = house.tools._replace(shoes=SecureShoes(Vault(b"\x01" * 32)))
    open_table(table.config, lost, at=NOON)
    assert "every cent went back" in run("verify", code, "--lang", "en")
    assert "ogni centesimo è tornato indietro" in run("verify", code)


# The database and the key


@pytest.mark.parametrize("command", [("verify", "260829-104000-K7QA"), ("backup", "file"), ("day-close",)])
def test_a_database_that_is_not_there_is_not_made(command: tuple[str, ...], tmp_path: Path) -> None:
    assert "sqlite:///sabot.db does not exist" in fail(*command, "--lang", "en")
    assert "il database sqlite:///x.db non esiste" in fail(*command, "--database", "sqlite:///x.db")
    assert list(tmp_path.iterdir()) == []


def test_addresses_that_will_not_do(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database, but a text of some length\n" * 100)
    (tmp_path / "empty.db").touch()
    for url, sentence in {
        "mysql://root:secret@host/x": "'mysql://root:***@host/x' is not the address of a database: write sqlite:///FILE",
        "nonsense": "'nonsense' is not the address",
        "sqlite:///text": "does not open: file is not a database",
        "sqlite:///empty.db": "is empty: it holds no data of sabot",
        "sqlite://": "does not exist",
        "postgresql://root:secret@127.0.0.1:1/x": "postgresql://root:***@127.0.0.1:1/x does not open: connection",
    }.items():
        assert sentence in fail("day-close", "--database", url, "--lang", "en")
    assert (tmp_path / "empty.db").stat().st_size == 0
    assert sorted(file.name for file in tmp_path.iterdir()) == ["empty.db", "text"]


@pytest.mark.parametrize(
    ("revision", "sentence"), [("0000", "start the server first"), ("9999", "that wrote it, or a newer one")]
)
def test_a_database_of_another_revision(house: House, revision: str, sentence: str) -> None:
    with house.store.database.writing() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = :to"), {"to": revision})
    assert sentence in fail("day-close", "--lang", "en")


def test_keys_that_will_not_do(house: House, tmp_path: Path) -> None:
    _, code = live_round(house)
    (tmp_path / "bad").write_text("00ff")
    assert "bad is not a key file: line 1 is no key" in fail("verify", code, "--key", "bad", "--lang", "en")
    assert "none cannot be read" in fail("verify", code, "--key", "none", "--lang", "en")


# backup and restore


def test_a_house_is_backed_up_and_restored(house: House, key: str, tmp_path: Path) -> None:
    solo_round(house)
    output = run("backup", "house.gz", "--lang", "en")
    sha256 = re.search(r"^sha256 ([0-9a-f]{64})$", output, re.MULTILINE)
    assert sha256 is not None
    assert "1 rounds, 1 players" in output
    assert "The keys of the seeds are not in the backup" in output
    assert "house.gz exists already" in fail("backup", "house.gz", "--lang", "en")
    assert "house.gz c'è già" in fail("backup", "house.gz")
    found = json.loads(run("backup", "house.gz", "--force", "--json"))
    assert list(found) == ["file", "revision", "created", "tables", "sha256"]
    assert found["tables"]["rounds"] == 1

    new = ("--database", "sqlite:///new.db")
    output = run("restore", "house.gz", *new, "--key", key)
    assert "sqlite:///new.db ripristinato da house.gz" in output
    assert found["sha256"] in output
    assert "Ogni catena regge" in output
    assert "is not empty (accounts," in fail("restore", "house.gz", *new, "--lang", "en")
    again = json.loads(run("restore", "house.gz", "--database", "sqlite:///newer.db", "--json"))
    assert list(again) == [*found, "audit"]
    assert (again["audit"]["findings"], again["sha256"]) == ([], found["sha256"])


def test_a_restored_house_that_is_not_in_order_is_told(house: House) -> None:
    """The backup is whole, but what was backed up had been tampered with."""
    ada = house.player("ada")
    with house.store.database.writing() as connection:
        connection.execute(text("UPDATE accounts SET balance = balance + 1 WHERE player = :p"), {"p": ada})
    run("backup", "house.gz")
    result = CliRunner().invoke(
        app, ["restore", "house.gz", "--database", "sqlite:///new.db", "--lang", "en"]
    )
    assert result.exit_code == 1
    assert "restored from house.gz" in result.output
    assert "player/1/EUR" in result.output or "accounts" in result.output


def test_files_that_will_not_do(house: House, tmp_path: Path) -> None:
    run("backup", "house.gz")
    whole = (tmp_path / "house.gz").read_bytes()
    (tmp_path / "cut.gz").write_bytes(whole[:-20])
    (tmp_path / "text").write_text("hello")
    (tmp_path / "folder").mkdir()
    new = ("--database", "sqlite:///new.db", "--lang", "en")
    assert "cut.gz is truncated" in fail("restore", "cut.gz", *new)
    assert "text is not a backup of sabot" in fail("restore", "text", *new)
    assert "none cannot be read" in fail("restore", "none", *new)
    assert "folder cannot be read" in fail("restore", "folder", *new)
    assert "cut.gz è troncato" in fail("restore", "cut.gz", "--database", "sqlite:///new.db")
    assert not (tmp_path / "new.db").exists()
    nowhere = ("--database", "sqlite:///nowhere/new.db", "--lang", "en")
    assert "the folder nowhere does not exist" in fail("restore", "house.gz", *nowhere)
    assert "nowhere/x.gz cannot be written" in fail("backup", "nowhere/x.gz", "--lang", "en")


# day-close


def test_a_day_to_read(house: House) -> None:
    table, ada, _ = solo_round(house)
    for at in range(3):
        house.play_solo(table, ada, NOON + at)
    fun = house.solo("link", ada, "FUN")
    house.play_solo(fun, ada, NOON)
    italian = run("day-close", DAY)
    assert "Giornata 2026-08-29 (UTC)" in italian
    assert "non ancora chiusa" in italian
    assert re.search(
        r"^surrender +4 +0 +\d+,\d\d +[\d.]+,\d\d +-?\d+,\d\d +-?\d+,\d\d% +99,66%$", italian, re.M
    )
    english = run("day-close", DAY, "--lang", "en")
    assert re.search(r"^link +1 +0 +\d+\.\d\d +\d+\.\d\d +-?\d+\.\d\d +-?\d+\.\d\d% +99\.57%$", english, re.M)
    assert english.index("EUR") < english.index("surrender") < english.index("FUN") < english.index("link")
    assert "total" not in english  # one game in each currency


def test_a_day_as_json(house: House) -> None:
    solo_round(house)
    found = json.loads(run("day-close", DAY, "--json"))
    assert list(found) == ["day", "closed", "anchors", "games"]
    assert (found["day"], found["closed"], found["anchors"]) == (DAY, None, None)
    (game,) = found["games"]
    assert (game["game"], game["currency"], game["rounds"], game["voided"]) == ("surrender", "EUR", 1, 0)
    assert game["hold"] == game["staked"] - game["paid"]
    assert game["hold_share"] == pytest.approx(game["hold"] / game["staked"])
    assert game["published_return"] == 0.9966


def test_only_close_writes(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    solo_round(house)
    monkeypatch.setattr("sabot.cli.commands.day_close.time", lambda: NOON / 1000 + 86_400)
    with house.store.database.reading() as connection:
        before = connection.execute(text("SELECT count(*) FROM log")).scalar_one()
    for args in ((), ("--json",), (DAY,)):
        run("day-close", *args)
    with house.store.database.reading() as connection:
        assert connection.execute(text("SELECT count(*) FROM log")).scalar_one() == before
    closed = run("day-close", "--close", "--lang", "en")
    assert "Day 2026-08-29 (UTC)" in closed
    assert "Day closed at 2026-08-30T12:00:00Z, with the ends of 2 streams" in closed
    assert run("day-close", "--close", "--lang", "en") == closed
    assert run("day-close", DAY, "--lang", "en") == closed
    assert json.loads(run("day-close", "--json"))["closed"] == "2026-08-30T12:00:00Z"
    assert "the day 2026-08-30 is not over" in fail("day-close", "2026-08-30", "--close", "--lang", "en")
    assert "The day is not over." in run("day-close", "2026-08-30", "--lang", "en")


def test_a_closed_day_that_changed(house: House) -> None:
    table, ada, _ = solo_round(house)
    run("day-close", DAY, "--close")
    house.play_solo(table, ada, NOON)
    for args in ((), ("--close",), ("--json",)):
        result = CliRunner().invoke(app, ["day-close", DAY, *args, "--lang", "en"])
        assert result.exit_code == 1
        assert result.stdout == ""
        assert "CLOSED WITH OTHER SUMS" in result.stderr
        assert re.search(r"surrender EUR: closed with 1 rounds, .*; now 2 rounds, ", result.stderr)
    assert "CHIUSA CON ALTRE SOMME" in CliRunner().invoke(app, ["day-close", DAY]).stderr


@pytest.mark.parametrize("day", ["yesterday", "2026-13-01", "29-08-2026", ""])
def test_a_day_that_is_none(day: str) -> None:
    assert "is not a day: write for example 2026-08-29" in fail("day-close", day, "--lang", "en")


def test_a_day_without_rounds(house: House) -> None:
    assert "No round ended on this day." in run("day-close", date(2001, 1, 1).isoformat(), "--lang", "en")
    assert "Nessun round finito" in run("day-close", "2001-01-01")
