"""The demo's own house: its settings, its code table and its keys, as files of a folder."""

from __future__ import annotations

from pathlib import Path
from secrets import token_urlsafe

import msgspec
from msgspec import Struct

from sabot.games import CATALOGUE, find
from sabot.server.config_sources import Loaded, load_config
from sabot.studio_demo.camera import video_sections
from sabot.studio_demo.shoe import new_codes

#: The live games, each at a table of its own name, and who deals there.
PRESENTERS = dict(
    zip([name for name, game in CATALOGUE.items() if game.live], ("carla", "bruno", "giulia"), strict=True)
)
SUPERVISOR = "paola"
SETTINGS, CODES = "sabot.toml", "codes.toml"

#: The house; its tables and devices follow.
_HOUSE = """\
[house]
name = "sabot studio"
key = "{folder}/sabot.key"

[server]
port = {port}

[database]
url = "sqlite:///{folder}/sabot.db"

[office]
second_factor = false            # a house on its own machine

[studio]
codes = "{folder}/{codes}"
"""
_TABLE = """
[[table]]
name = "{name}"
game = "{name}"
currency = "FUN"
dealing = "studio"
bots = 2
{video}
[[device]]
name = "shoe-1"
table = "{name}"
token = "{token}"
"""
_VIDEO = """
[[table.video]]
quality = "{quality}"
whep = "{whep}"
hls = "{hls}"
"""


class DemoKeys(Struct, frozen=True):
    """The tokens of the shoes by table, and the passwords by name."""

    tokens: dict[str, str]
    passwords: dict[str, str]


def keys_of(folder: Path) -> DemoKeys:
    """The keys of a folder; a new one gets new keys and a code table."""
    file = folder / "keys.json"
    if not file.exists():
        (folder / CODES).write_text(new_codes(max(find(game).rules.decks for game in PRESENTERS)))
        people = (*PRESENTERS.values(), SUPERVISOR)
        keys = DemoKeys(
            {table: token_urlsafe(32) for table in PRESENTERS}, {name: token_urlsafe(12) for name in people}
        )
        file.touch(mode=0o600)
        file.write_bytes(msgspec.json.encode(keys))
    return msgspec.json.decode(file.read_bytes(), type=DemoKeys)


def write_settings(folder: Path, tables: list[str], port: int, video_url: str, keys: DemoKeys) -> Loaded:
    """Write and read the settings of the house; the camera is at an address."""
    text = _HOUSE.format(folder=folder, port=port, codes=CODES)
    for name in tables:
        video = "".join(
            _VIDEO.format(quality=one.quality, whep=one.whep, hls=one.hls)
            for one in video_sections(video_url, name)
        )
        text += _TABLE.format(name=name, video=video, token=keys.tokens[name])
    file = folder / SETTINGS
    file.touch(mode=0o600)
    file.write_text(text)
    return load_config(file, {}, {})
