"""`sabot config` prints settings that can be read back: with its tables, and where everything came from."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sabot.cli.app import app
from sabot.server.config import Config
from sabot.server.config_sources import load_config

TABLE = """
[[table]]
name = "night"
game = "majority-eu"
bots = 2
currency = "FUN"
options = { main = { minimum = 500, maximum = 9000 }, side_bets_off = ["buster"] }
timers = { betting = 20.5, shuffling_table = true }
"""


def shown(folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(folder)
    result = CliRunner().invoke(app, ["config"])
    assert result.exit_code == 0, result.output
    return result.output


def test_what_is_printed_can_be_read_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = shown(tmp_path, monkeypatch)
    (tmp_path / "again.toml").write_text(text)
    again = load_config(Path("again.toml"), {}, {})
    assert again.config == Config()
    assert text.count("[[table]]") == 6


def test_tables_of_a_file_are_shown_with_their_source(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "sabot.toml").write_text(TABLE)
    text = shown(tmp_path, monkeypatch)
    assert text.count("[[table]]") == 1
    assert "[[table]]                                    # sabot.toml" in text
    assert 'options = { main = { minimum = 500, maximum = 9000 }, side_bets_off = ["buster"] }' in text
    assert "betting = 20.5" in text
    assert "shuffling_table = true" in text


def test_no_secret_of_the_bus_is_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sabot.toml").write_text(
        "[bus]\nurl = ['nats://me:s3cret@a:4222', 'nats://s3cret@b']\ntoken = 's3cret'\n"
    )
    text = shown(tmp_path, monkeypatch)
    assert 'url = ["nats://a:4222","nats://b"]' in text
    assert "s3cret" not in text
