"""What a release consists of: files by their recorded hashes, rules, settings (OFF-12)."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.metadata import Distribution
from pathlib import Path

import msgspec
import pytest

from sabot.games import CATALOGUE, find
from sabot.server.config import BusConfig, Config, DatabaseConfig, HouseConfig, LimitsSection, TableSection
from sabot.server.office.release import (
    PartKey,
    Program,
    config_hashes,
    installed_program,
    program_of,
    rules_hashes,
)

FILES = {"sabot/__init__.py": b"one", "sabot/games/link.py": b"two", "sabot/web/index.html": b"three"}


def install(folder: Path, *, editable: bool = False) -> Program:
    """A distribution as an installer leaves it, with the hash of each file."""
    info = folder / "sabot-9.9.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Name: sabot\nVersion: 9.9\n")
    (info / "direct_url.json").write_text(json.dumps({"url": "file:///", "dir_info": {"editable": editable}}))
    lines = ["sabot-9.9.dist-info/RECORD,,", "../../bin/sabot,sha256=AAAA,1", "sabot/__pycache__/a.pyc,,"]
    for path, text in FILES.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text)
        digest = base64.urlsafe_b64encode(hashlib.sha256(text).digest()).rstrip(b"=").decode()
        lines.append(f"{path},sha256={digest},{len(text)}")
    (info / "RECORD").write_text("\n".join(lines))
    return program_of(Distribution.at(info))


@pytest.mark.rule("OFF-12")
def test_a_changed_a_missing_and_an_added_file_are_found(tmp_path: Path) -> None:
    program = install(tmp_path)
    assert (program.version, program.in_development) == ("9.9", False)
    assert program.found() == program.built
    assert set(program.built) == set(FILES)
    (tmp_path / "sabot/__pycache__").mkdir()
    (tmp_path / "sabot/__pycache__/kept.pyc").write_bytes(b"what Python keeps")
    assert program.changed(program.found()) == ()
    (tmp_path / "sabot/games/link.py").write_bytes(b"another game")
    (tmp_path / "sabot/web/index.html").unlink()
    (tmp_path / "sabot/more.py").write_bytes(b"")
    assert program.changed(program.found()) == (
        "sabot/games/link.py",
        "sabot/more.py",
        "sabot/web/index.html",
    )


def test_a_file_that_cannot_be_read_is_a_difference(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    program = install(tmp_path)

    def refuse(self: Path, mode: str = "r") -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "open", refuse)
    assert set(program.changed(program.found())) == set(FILES)


def test_sources_that_are_worked_on_are_in_development(tmp_path: Path) -> None:
    program = install(tmp_path, editable=True)
    assert program.in_development
    assert program.found() == {}
    assert installed_program().in_development  # these tests run from sources


def test_each_rule_set_has_its_hash() -> None:
    hashes = rules_hashes()
    assert hashes[PartKey("rules", "link")] == find("link").rules.sha256
    assert {key.subject for key in hashes} == CATALOGUE.keys()


@pytest.mark.rule("OFF-12")
def test_a_setting_concerns_its_games_and_no_others() -> None:
    usual = config_hashes(Config())

    def changed(**parts: object) -> set[str]:
        found = config_hashes(msgspec.structs.replace(Config(), **parts))
        return {key.subject for key, value in found.items() if usual[key] != value}

    table = TableSection(name="one", game="freebet", vip=1)
    assert changed(table=(*Config().table, table)) == {"freebet"}
    assert changed(limits=(LimitsSection(name="high", games=("link", "cashback")),)) == {"link", "cashback"}
    assert changed(limits=(LimitsSection(name="high"),)) == CATALOGUE.keys()
    assert changed(house=HouseConfig(abandoned_hours=1)) == {"house"}
    # What belongs to a machine is no part of a release.
    assert changed(house=HouseConfig(key="elsewhere.key")) == set()
    assert changed(database=DatabaseConfig("sqlite:///other.db"), bus=BusConfig(token="secret")) == set()


def test_a_difference_concerns_the_games_of_its_part() -> None:
    assert PartKey("rules", "link").games == ("link",)
    assert set(PartKey("program", "").games) == set(CATALOGUE)
    assert PartKey("configuration", "house").games == ()
