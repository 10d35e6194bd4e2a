"""Commands find the house as `sabot serve` does: file, environment, flags, from any directory (OPS-03)."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sabot.cli import app
from sabot.engine import Bet
from sabot.server.config import Config
from sabot.server.config_sources import load_config
from sabot.server.office.release import installed_program
from sabot.server.office.self_check import find_parts, record_parts
from sabot.store.database import Database
from tests.cli.commands import run
from tests.support.databases import sqlite_url
from tests.support.house import House
from tests.support.store.two_days import NOON

SETTINGS = '[house]\nkey = "keys"\n\n[database]\nurl = "sqlite:///books.db"\n\n[[table]]\nname = "one"\ngame = "freebet"\n'
#: The key of the vault of the tests, as a file has it.
KEY = "00" * 32 + "\n"


@pytest.fixture(autouse=True)
def _elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SABOT_CONFIG", "SABOT_DATABASE_URL", "SABOT_HOUSE_KEY"):
        monkeypatch.delenv(name, raising=False)
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The folder of a house: its settings, its key, and its database with a player and a round of a shoe in use."""
    folder = tmp_path / "house"
    folder.mkdir()
    (folder / "sabot.toml").write_text(SETTINGS)
    (folder / "keys").write_text(KEY)
    database, program = Database(sqlite_url(folder / "books.db")), installed_program()
    house = House(database)
    ada = house.player("ada")
    code = house.play_live(house.live("majority-us", ada), {ada: (Bet(0, "main", 1_000),)}, NOON)
    (folder / "code").write_text(code)
    with database.writing() as connection:
        settings = load_config(folder / "sabot.toml", {}, {}).config
        record_parts(connection, program.version, find_parts(program, settings).first, at=1)
    database.close()
    return folder


COMMANDS = {
    "audit": ("audit",),
    "backup": ("backup", "copy.gz"),
    "verify": ("verify", "CODE"),
    "report": ("report", "performance"),
    "day-close": ("day-close", "2026-08-29"),
    "role": ("role", "ada", "supervisor", "--reason", "runs the house"),
    "nodes": ("nodes",),
    "self-check": ("self-check",),
}


def given(command: tuple[str, ...], folder: Path) -> list[str]:
    """The words of a command, with the code of the round."""
    return [(folder / "code").read_text() if word == "CODE" else word for word in command]


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("how", ["beside it", "--config", "SABOT_CONFIG"])
def test_a_command_finds_the_house_by_its_settings(
    folder: Path, command: str, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    args = given(COMMANDS[command], folder)
    if how == "beside it":
        monkeypatch.chdir(folder)
    elif how == "--config":
        args += ["--config", "../house/sabot.toml"]
    else:
        monkeypatch.setenv("SABOT_CONFIG", str(folder / "sabot.toml"))
    result = CliRunner().invoke(app, [*args, "--lang", "en"])
    assert result.exit_code == 0, result.output
    # The keys are those of the settings too.
    assert "--key" not in result.stdout


def test_a_backup_goes_into_the_database_of_the_settings(folder: Path, tmp_path: Path) -> None:
    run("backup", "copy.gz", "--config", "../house/sabot.toml")
    (tmp_path / "sabot.toml").write_text(SETTINGS)
    (tmp_path / "keys").write_text(KEY)
    run("restore", "copy.gz", "--config", "../sabot.toml")
    assert (tmp_path / "books.db").is_file()
    assert [file.name for file in (tmp_path / "elsewhere").iterdir()] == ["copy.gz"]


def test_a_key_that_nobody_named_opens_no_other_house(folder: Path, tmp_path: Path) -> None:
    """The usual key of this directory, and a database that a flag names: the key may be that of another house."""
    Path("sabot.key").write_text("11" * 32 + "\n")
    url = f"sqlite:///{folder / 'books.db'}"
    assert "(--key): 1" in run("audit", "--database", url, "--lang", "en")
    (folder / "sabot.toml").write_text(SETTINGS.replace('key = "keys"', ""))
    (folder / "keys").rename(folder / "sabot.key")
    assert "--key" not in run("audit", "--config", "../house/sabot.toml", "--lang", "en")


def test_the_environment_goes_before_the_file_and_a_flag_before_both(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SABOT_CONFIG", str(folder / "sabot.toml"))
    assert json.loads(run("nodes", "--json")) == {"nodes": []}
    monkeypatch.setenv("SABOT_DATABASE_URL", "sqlite:///variable.db")
    for args, url in (((), "variable.db"), (("--database", "sqlite:///flag.db"), "flag.db")):
        for command in COMMANDS.values():
            result = CliRunner().invoke(app, [*given(command, folder), *args, "--lang", "en"])
            assert result.exit_code == 2
            assert f"the database sqlite:///{url} does not exist" in result.stderr
    assert not list(Path().iterdir())


def test_wrong_settings_are_refused_as_by_serve(folder: Path) -> None:
    (folder / "sabot.toml").write_text("[house]\nnaem = 'x'\n")
    for command in (("serve",), *COMMANDS.values()):
        args = [*given(command, folder), "--config", "../house/sabot.toml", "--lang", "en"]
        result = CliRunner().invoke(app, args)
        assert (result.exit_code, "there is no setting house.naem" in result.stderr) == (2, True), command


def test_paths_of_a_file_begin_at_its_folder_and_others_at_the_working_directory(folder: Path) -> None:
    (folder / "codes.toml").write_text("")
    (folder / "sabot.toml").write_text('[studio]\ncodes = "codes.toml"\n[bus]\ncredentials = "/etc/creds"\n')
    file = folder / "sabot.toml"
    config = load_config(file, {"SABOT_HOUSE_KEY": "mine"}, {}).config
    assert (config.house.key, config.bus.credentials) == ("mine", "/etc/creds")
    assert config.studio.codes == str(folder / "codes.toml")
    assert config.database.url == f"sqlite:///{folder / 'sabot.db'}"  # also what no file names
    assert load_config(file, {}, {"database.url": "sqlite:///x.db"}).config.database.url == "sqlite:///x.db"
    for url in ("sqlite://", "sqlite:///:memory:", "postgresql://db/sabot", "nonsense"):
        file.write_text(f'[database]\nurl = "{url}"\n')
        assert load_config(file, {}, {}).config.database.url == url
    assert load_config(None, {}, {}).config == Config()


@pytest.mark.rule("OFF-12")
@pytest.mark.parametrize("args", [(), ("--accept", "a new broom")])
def test_a_self_check_without_the_settings_says_so_and_changes_nothing(
    folder: Path, args: tuple[str, ...]
) -> None:
    """Started elsewhere with the database alone it would compare the settings that ship with those of the house."""
    url = f"sqlite:///{folder / 'books.db'}"
    result = CliRunner().invoke(app, ["self-check", "--database", url, "--lang", "en", *args])
    assert (result.exit_code, result.stdout) == (2, "")
    assert "there is no sabot.toml in" in result.stderr
    assert "--config" in result.stderr
    assert "nothing differs" in run("self-check", "--config", "../house/sabot.toml", "--lang", "en")
    # Who has no file any more says so with an empty one.
    Path("sabot.toml").write_text("")
    result = CliRunner().invoke(app, ["self-check", "--database", url, "--lang", "en"])
    assert (result.exit_code, "DIFFERS: the settings of freebet" in result.stdout) == (1, True)
