"""Rounds written down at the terminal, and verified again."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from sabot.cli.app import app
from sabot.games import find
from sabot.games.bonus import Bonus
from sabot.games.options import OptionError
from sabot.odds.startup import check_game
from sabot.record import dumps, write
from tests.support.table import Table


def sabot(*arguments: str, typed: str = "") -> tuple[int, str]:
    result = CliRunner().invoke(app, [*arguments], input=typed)
    return result.exit_code, result.output


def played(folder: Path, game: str) -> list[Path]:
    """Two rounds at the terminal, each with a record."""
    typed = "1 10\ndeal\n" + "stand\n" * 3 + "no\nstand\nrebet deal\n" + "stand\n" * 3 + "quit\ny\n"
    code, _ = sabot("play", game, "--seed", "records", "--lang", "en", "--record", str(folder), typed=typed)
    assert code == 0
    return sorted(folder.iterdir())


@pytest.mark.rule("PLT-22")
@pytest.mark.parametrize("game", ["surrender", "cashback", "link", "classic-6"])
def test_a_round_is_written_down_and_verified(tmp_path: Path, game: str) -> None:
    files = played(tmp_path / "rounds", game)
    assert len(files) >= 2
    code, output = sabot("verify", *map(str, files), "--lang", "en")
    assert code == 0
    assert output.count("The round replays to the cent") == len(files)
    assert output.count("its cards come from the seed committed to") == len(files)
    assert find(game).title in output


@pytest.mark.rule("PLT-22")
def test_a_changed_record_is_not_valid(tmp_path: Path) -> None:
    first, *rest = played(tmp_path, "surrender")
    text = first.read_text(encoding="utf-8")
    first.write_text(text.replace("\npaid = ", "\npaid = 1"), encoding="utf-8")
    code, output = sabot("verify", str(first), *map(str, rest), "--lang", "it")
    assert code == 1
    assert f"{first}: NON VALIDO. paid[0].paid: recorded" in output
    assert output.count("si ripete al centesimo") == len(rest)


@pytest.mark.rule("CSH-03", "RET-11")
def test_a_price_that_was_not_fair_is_found(tmp_path: Path) -> None:
    """The record says what was offered; verifying works the price out again."""
    table = Table("cashback", "10 10 6 9", price=500_000_000).bet((0, "main", 1_000)).deal("0.0 cashback 495")
    path = tmp_path / "generous.toml"
    path.write_text(dumps(write(table.round, "CODE")), encoding="utf-8")
    code, output = sabot("verify", str(path), "--lang", "en")
    assert code == 1
    # 10-6 against a ten is worth 0.429182733 stakes (a doctest of sabot.odds.price says so too)
    assert "prices[0]" in output
    assert "recorded 500000000, worked out again it is 429182733" in output


def test_given_cards_prove_nothing_about_the_shuffle(tmp_path: Path) -> None:
    table = Table("surrender", "10 10 9 9").bet((0, "main", 1_000)).deal("0.0 stand")
    path = tmp_path / "given.toml"
    path.write_text(dumps(write(table.round, "CODE")), encoding="utf-8")
    code, output = sabot("verify", str(path), "--lang", "en")
    assert code == 0
    assert "Its cards are in a given order" in output


@pytest.mark.parametrize("text", ["", "not = [toml", "\x00", 'sha256 = "x"'])
def test_a_file_that_is_no_record(tmp_path: Path, text: str) -> None:
    path = tmp_path / "no.toml"
    path.write_text(text, encoding="utf-8")
    code, output = sabot("verify", str(path), "--lang", "en")
    assert code == 1
    assert "NOT VALID" in output


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    path = tmp_path / "no.toml"
    path.write_bytes(b"\xff\xfe\x00")
    assert sabot("verify", str(path), "--lang", "en")[0] == 1


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    code, output = sabot("verify", str(tmp_path / "none.toml"), "--lang", "en")
    assert code == 2
    assert "cannot be read" in output


def test_a_folder_that_cannot_be(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    code, output = sabot("play", "surrender", "--record", str(tmp_path / "file"), "--lang", "en")
    assert code == 2
    assert "cannot be written" in output


@pytest.mark.rule("LNK-08", "LNK-31")
def test_every_choice_of_limits_keeps_the_returns_of_link() -> None:
    check_game(find("link"))
    low = replace(find("link"), options=replace(find("link").options, max_win=4_000_000))
    with pytest.raises(OptionError, match=r"maximum win of 40,000\.00"):
        check_game(low)
    rules = replace(find("link").rules, bonus=replace(Bonus(), wheel=((50, 1),)))
    with pytest.raises(OptionError, match="bonus weights return"):
        check_game(replace(find("link"), rules=rules))
