"""Settings: file, environment and flags in rising order, and every mistake named with its place."""

from __future__ import annotations

from pathlib import Path

import pytest

from sabot.server.config import Rate
from sabot.server.config_sources import ConfigError, load_config

#: A live table, and the beginning of its video.
_TABLE = "[[table]]\nname = 'x'\ngame = 'freebet'\n"
_VIDEO = _TABLE + "[[table.video]]\nquality = '720'\n"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "sabot.toml"
    path.write_text(
        '[house]\nname = "Casa"\n[server]\nport = 1000\norigins = ["https://a"]\n'
        '[[table]]\nname = "one"\ngame = "freebet"\n'
    )
    return path


def test_flags_go_over_the_environment_and_that_over_the_file(file: Path) -> None:
    environ = {"SABOT_SERVER_PORT": "2000", "SABOT_SERVER_ORIGINS": "https://b, https://c", "PATH": "x"}
    loaded = load_config(file, environ, {"server.port": 3000, "server.host": None})
    config = loaded.config
    assert (config.house.name, config.server.port, config.server.origins) == (
        "Casa",
        3000,
        ("https://b", "https://c"),
    )
    assert [table.game for table in config.table] == ["freebet"]
    assert [
        loaded.source(name) for name in ("house.name", "server.port", "server.origins", "server.host")
    ] == [
        str(file),
        "--port",
        "SABOT_SERVER_ORIGINS",
        "default",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "[hose]\n",
            "there is no section 'hose': the sections are [house], [operator], [server], [cashier], [database], [bus], [office], [studio], [[table]], [[limits]], [[device]]",
        ),
        ("[server]\nprot = 1\n", "there is no setting server.prot: the section has host, port"),
        ("[server]\nport = 70000\n", "server.port: Expected `int` <= 65535"),
        ("[server]\nport = 'x'\n", "server.port: Expected `int`, got `str`"),
        ("[house]\nidle_minutes = 0\n", "house.idle_minutes: Expected `int` >= 1"),
        ("[server]\nrate_address = [0, 1]\n", "server.rate_address[0]: Expected `int` >= 1"),
        ("[server]\nrate_account = [9, -1]\n", "server.rate_account[1]: Expected `float` >= 0.0"),
        ("[server]\nrate_account = [9, nan]\n", "server.rate_account[1]: Expected `float` >= 0.0"),
        ("[server]\nrate_account = 9\n", "server.rate_account: Expected `array`, got `int`"),
        ("[server]\nproxies = ['10.0.0.1/8']\n", "server.proxies: 10.0.0.1/8 has host bits set"),
        ("[server]\nproxies = ['proxy']\n", "server.proxies: 'proxy' does not appear to be an IPv4 or IPv6"),
        ("[[table]]\nname = 'X'\ngame = 'y'\n", "Expected 1 to 40 small letters, digits and -"),
        (
            "[operator]\nterms_version = ''\n",
            "operator.terms_version: Expected 1 to 32 letters, digits, . _ and -",
        ),
        ("[[table]]\nname = 'x'\n", "Object missing required field `game`"),
        ("[[table]]\nname = 'x'\ngame = 'y'\nchips = 1\n", "Object contains unknown field `chips`"),
        (f"{_TABLE}latency = 4001\n", "table[0].latency: Expected `int` <= 4000"),
        (f"{_TABLE}lead = -1\n", "table[0].lead: Expected `int` >= 0"),
        (f"{_VIDEO}", "quality '720' has no address: write whep, hls or both"),
        (
            f"{_VIDEO}whep = 'rtsp://a/b'\n",
            "table[0].video[0].whep: Expected an address with http:// or https:// and a path",
        ),
        (f"{_VIDEO}hls = 'https://a/b?jwt=1'\n", "table[0].video[0].hls: Expected an address with http://"),
        (
            f"{_VIDEO}whep = 'https://a/1'\n[[table.video]]\nquality = '720'\nhls = 'https://a/2'\n",
            "quality '720' of table x stands twice",
        ),
        (
            f"{_TABLE}[[table.video]]\nquality = 'auto'\nhls = 'https://a/2'\n",
            "quality 'auto' is what players choose instead of one",
        ),
        (
            f"{_TABLE}[[table.video]]\nquality = 'HD'\nhls = 'https://a/2'\n",
            "Expected 1 to 12 small letters and digits",
        ),
        (f"{_VIDEO}whep = 'https://video.example:88890/t/w'\n", "table[0].video[0]: whep is 'https://video"),
        (
            f"{_VIDEO}whep = 'https://[x/t/w'\n",
            "write an address as https://play.example:8443/path or http://play.example:8443/path",
        ),
        (
            f'{_VIDEO}hls = "https://vi\\u0000deo.example/t/w"\n',
            "table[0].video[0]: hls is 'https://vi\\x00deo",
        ),
        ("[server]\npublic_url = 'https://a;b'\n", "server: public_url is 'https://a;b'"),
        ("[server]\norigins = ['https://a', '*']\n", "server: origins is '*'"),
        ("[server]\nhosts = ['a b']\n", "server: hosts names 'a b'"),
        (
            "[bus]\nurl = ['nats://a:70000']\n",
            "bus: url is no address: write one as nats://HOST:PORT or tls://HOST:PORT",
        ),
        (
            "[operator]\nregister_url = 'ftp://x'\n",
            "operator.register_url: Expected an address with http:// or https://",
        ),
        (
            "[operator]\nregister_url = 'http://a b'\n",
            "operator.register_url: Expected an address with http:// or https://",
        ),
        (
            '[operator]\nregister_url = "http://a\\u0000b"\n',
            "operator.register_url: Expected an address with http://",
        ),
        ('[operator]\nterms_it = "\\u0000"\n', "/\x00 cannot be read"),
        ("server = 1\n", "server is no section: write [server]"),
        ("table = 1\n", "table is no section: write [[table]]"),
        ("[house\n", "is not TOML"),
    ],
)
def test_a_mistake_in_the_file_is_named(tmp_path: Path, text: str, message: str) -> None:
    file = tmp_path / "sabot.toml"
    file.write_text(text)
    with pytest.raises(ConfigError) as error:
        load_config(file, {}, {})
    assert message in str(error.value)
    assert str(file) in str(error.value)


@pytest.mark.parametrize(
    "link",
    [
        "https://help.example?lang=it",
        "https://www.example.it/responsabilit\u00e0#domande",
        "https://www.citt\u00e0.it/",
        "http://192.168.1.5:8080/aiuto",
    ],
)
def test_links_of_the_operator_are_those_of_any_page(link: str) -> None:
    """They are shown as links and stand in no header."""
    for name in ("assistance_url", "help_line_url", "register_url"):
        loaded = load_config(None, {f"SABOT_OPERATOR_{name.upper()}": link}, {})
        assert getattr(loaded.config.operator, name) == link


@pytest.mark.parametrize(
    "url",
    [
        "nats://me:s3c/ret@host:4222",
        "nats://me:4222/s3cret@host:4222",
        "nats://me:s3?c#ret@host",
        "tls://me:pa@s3cret@host:70000",
        "nats://s3cret@[x",
        "nats:///s3cret@",
    ],
)
def test_no_password_of_the_bus_is_printed(url: str) -> None:
    with pytest.raises(ConfigError) as error:
        load_config(None, {"SABOT_BUS_URL": url}, {})
    assert "s3" not in str(error.value)
    assert "SABOT_BUS_URL: bus: url is no address: write one as nats://HOST:PORT" in str(error.value)
    for good in ("nats://me:pa@ss@host:4222", "tls://token@host"):
        assert load_config(None, {"SABOT_BUS_URL": good}, {}).config.bus.url == (good,)


def test_a_mistake_in_the_environment_is_named() -> None:
    with pytest.raises(ConfigError, match=r"SABOT_SERVER_PORT: server\.port: Expected `int`"):
        load_config(None, {"SABOT_SERVER_PORT": "many"}, {})
    with pytest.raises(ConfigError, match=r"SABOT_SERVER_PUBLIC_URL: server: public_url is 'https://\[x'"):
        load_config(None, {"SABOT_SERVER_PUBLIC_URL": "https://[x"}, {})
    with pytest.raises(ConfigError, match=r"SABOT_HOUSE_NAEM: there is no setting house\.naem"):
        load_config(None, {"SABOT_HOUSE_NAEM": "x"}, {})


def test_rates_and_proxies_from_the_environment() -> None:
    environ = {"SABOT_SERVER_RATE_ACCOUNT": "500, 0.001", "SABOT_SERVER_PROXIES": "10.0.0.0/8, ::1"}
    loaded = load_config(None, environ, {})
    assert loaded.config.server.rate_account == Rate(500, 0.001)
    assert loaded.config.server.proxies == ("10.0.0.0/8", "::1")
    assert loaded.source("server.rate_account") == "SABOT_SERVER_RATE_ACCOUNT"
    with pytest.raises(
        ConfigError, match=r"SABOT_SERVER_RATE_ACCOUNT: server\.rate_account\[0\]: Expected `int`"
    ):
        load_config(None, {"SABOT_SERVER_RATE_ACCOUNT": "many, 1"}, {})
    with pytest.raises(ConfigError, match=r"SABOT_SERVER_PROXIES: server\.proxies: 'x' does not appear"):
        load_config(None, {"SABOT_SERVER_PROXIES": "x"}, {})


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read: No such file"):
        load_config(tmp_path / "none.toml", {}, {})


@pytest.mark.rule("PLT-62")
def test_terms_that_cannot_be_read_are_refused_at_start(tmp_path: Path) -> None:
    missing = tmp_path / "none.txt"
    with pytest.raises(ConfigError, match=r"SABOT_OPERATOR_TERMS_IT: operator.terms_it: .*cannot be read"):
        load_config(None, {"SABOT_OPERATOR_TERMS_IT": str(missing)}, {})
    for name, value in (
        ("terms_version", "a b"),
        ("least_age", "17"),
        ("assistance_url", "javascript:alert(1)"),
    ):
        with pytest.raises(ConfigError, match=f"operator.{name}"):
            load_config(None, {f"SABOT_OPERATOR_{name.upper()}": value}, {})


@pytest.mark.rule("STU-20")
def test_a_table_names_its_video(tmp_path: Path) -> None:
    file = tmp_path / "sabot.toml"
    file.write_text(
        f"{_TABLE}latency = 120\nlead = 300\n[[table.video]]\nquality = '720'\nwhep = 'https://video.example/x/720/whep'\n"
        "hls = 'https://video.example/x/720/index.m3u8'\n[[table.video]]\nquality = '360'\nhls = 'https://b/360.m3u8'\n"
    )
    (table,) = load_config(file, {}, {}).config.table
    assert (table.latency, table.lead) == (120, 300)
    assert [(entry.quality, entry.whep, entry.hls) for entry in table.video] == [
        ("720", "https://video.example/x/720/whep", "https://video.example/x/720/index.m3u8"),
        ("360", "", "https://b/360.m3u8"),
    ]
