"""Settings of the studio: who deals, card-reading shoes, the code table; every mistake is named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from sabot.cards import decks, format_card
from sabot.cli.app import app
from sabot.server.config import Config
from sabot.server.config_sources import ConfigError, load_config
from sabot.server.studio.codes import parse_codes
from sabot.server.tables.opening import table_config

TOKEN = "shoe-token-of-thirty-two-letters"
TABLE = '[[table]]\nname = "one"\ngame = "freebet"\ndealing = "studio"\nlate = 20\n'
DEVICE = f'[[device]]\nname = "shoe"\ntable = "one"\ntoken = "{TOKEN}"\n'
CODES = "".join(f'code{card} = "{format_card(card)}"\n' for card in decks(1))


def load(folder: Path, text: str, codes: str = CODES) -> Config:
    (folder / "codes.toml").write_text(codes)
    (folder / "sabot.toml").write_text(f'[studio]\ncodes = "{folder / "codes.toml"}"\n{text}')
    return load_config(folder / "sabot.toml", {}, {}).config


@pytest.mark.rule("STU-01", "STU-04")
def test_a_table_is_the_houses_unless_its_settings_say_studio(tmp_path: Path) -> None:
    config = load(tmp_path, TABLE + DEVICE + '[[table]]\nname = "two"\ngame = "freebet"\n')
    one, two = (table_config(section, config) for section in config.table)
    assert (one.dealing, one.late) == ("studio", 20)
    assert (two.dealing, two.late) == ("house", 10)
    assert [(device.name, device.table) for device in config.device] == [("shoe", "one")]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (TABLE.replace('"studio"', '"hand"'), "table[0].dealing: Invalid enum value 'hand'"),
        (TABLE.replace("20", "0"), "table[0].late: Expected `float` >= 1"),
        (DEVICE.replace('"one"', '"two"'), 'two is no table with dealing = "studio": there are one'),
        (DEVICE.replace(TOKEN, TOKEN[1:]), "device[0].token: Expected 32 to 200 letters, digits and signs"),
        (DEVICE.replace('"shoe"', '"console"'), "device[0].name: Expected 1 to 40 small letters"),
        (DEVICE + DEVICE.replace('"shoe"', '"other"'), "device[1]: another device has this name"),
        (DEVICE + DEVICE.replace(TOKEN, TOKEN[::-1]), "device[1]: another device has this name"),
        ("[[device]]\nname = 'x'\n", "Object missing required field `table`"),
    ],
)
def test_a_wrong_setting_is_refused_by_its_place(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as error:
        load(tmp_path, text if text.startswith(TABLE[:9]) else TABLE + text)
    assert message in str(error.value)
    assert str(tmp_path / "sabot.toml") in str(error.value)
    assert TOKEN not in str(error.value)
    assert TOKEN[1:] not in str(error.value)


@pytest.mark.rule("STU-04")
@pytest.mark.parametrize(
    ("codes", "message"),
    [
        (CODES + 'code3 = "4s"\n', "a code stands there twice"),
        (CODES + 'more = "11h"\n', "code number 53 stands on '11h', which is no card"),
        (CODES + "more = 4\n", "code number 53 stands on 4, which is no card"),
        (CODES + 'm = "4s"\n', "code number 53 is no code: write 4 to 64 letters"),
        (CODES.replace("code0 =", "other ="), None),
        (CODES.replace('code0 = "As"\n', ""), "cards of the deck without a code: 1;"),
        ("code0 = \n", "it is not TOML (at line 1"),
    ],
)
def test_a_wrong_code_table_is_refused_without_showing_a_code(
    tmp_path: Path, codes: str, message: str | None
) -> None:
    if message is None:
        assert load(tmp_path, TABLE, codes).studio.codes
        return
    with pytest.raises(ConfigError) as error:
        load(tmp_path, TABLE, codes)
    assert message in str(error.value)
    assert "studio.codes" in str(error.value)
    assert "code0" not in str(error.value)


def test_a_code_table_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match=r"SABOT_STUDIO_CODES: studio\.codes: .*No such file"):
        load_config(None, {"SABOT_STUDIO_CODES": str(tmp_path / "none.toml")}, {})


@pytest.mark.rule("STU-06")
def test_a_code_that_names_its_card_is_refused() -> None:
    with pytest.raises(ValueError, match="code number 53 is no code"):
        parse_codes(CODES + '10h = "10h"\n')


def test_tokens_of_devices_are_not_printed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "sabot.toml").write_text(TABLE + DEVICE)
    monkeypatch.chdir(tmp_path)
    text = CliRunner().invoke(app, ["config"]).output
    assert '[[device]]                                   # sabot.toml\nname = "shoe"' in text
    assert 'token = "***"' in text
    assert TOKEN not in text
