"""No secret is in what a house says when it fails (ASR-03)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from sabot.store.database import Database, DatabaseError, hide_password
from tests.faults.planting import ADDRESSES, campaign, start_in_vain

SECRET = "hunter2%2Fsecret"
SHAPES = (SECRET, "hunter2/secret", "hunter2", "secret")


@pytest.mark.slow  # a process of its own
@pytest.mark.rule("ASR-03", "ASR-32")
@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
def test_no_secret_is_in_the_log_of_a_house_that_fails_everywhere(database_url: str, tmp_path: Path) -> None:
    """On PostgreSQL, which has a password too; in `make faults` also on an SQLite file."""
    lines = campaign(tmp_path, database_url)
    assert len(lines) < 300  # of some thousand failures


@pytest.mark.parametrize("address", ADDRESSES)
def test_no_password_is_in_an_address_that_is_shown(address: str) -> None:
    url = address.format(SECRET)
    shown = hide_password(url)
    try:
        Database(url)
    except DatabaseError as error:
        shown += str(error)
    assert not [shape for shape in SHAPES if shape in shown], shown


@pytest.mark.slow  # a process of its own
@pytest.mark.parametrize(
    ("command", "address"), [("serve", ADDRESSES[0]), ("audit", ADDRESSES[4]), ("config", ADDRESSES[1])]
)
def test_no_password_is_printed_where_a_command_fails(command: str, address: str, tmp_path: Path) -> None:
    printed = start_in_vain(tmp_path, {"SABOT_DATABASE_URL": address.format(SECRET)}, command)
    assert "127.0.0.1" in printed
    assert "Traceback" not in printed
    assert not [shape for shape in SHAPES if shape in printed], printed


@pytest.mark.slow  # a process of its own
def test_a_house_that_cannot_open_for_reasons_of_its_own_says_no_secret(tmp_path: Path) -> None:
    """Its key is none, and its database is not one."""
    (tmp_path / "sabot.key").write_text("hunter2")
    printed = start_in_vain(tmp_path, {"SABOT_DATABASE_URL": "sqlite:///x.db"}, "serve")
    os.remove(tmp_path / "sabot.key")
    (tmp_path / "x.db").write_bytes(b"hunter2" * 1000)
    printed += start_in_vain(tmp_path, {"SABOT_DATABASE_URL": "sqlite:///x.db"}, "serve")
    assert "hunter2" not in printed
    assert "Traceback" not in printed
