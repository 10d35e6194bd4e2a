"""A player's stored settings (PLT-43)."""

from typing import Annotated, Literal

import msgspec
import sqlalchemy
from msgspec import Meta
from sqlalchemy import Connection

from sabot.protocol.fields import AUTOMATIC, Form, Language, VideoQuality, whole
from sabot.store import schema
from sabot.tables.live.presence import Preferences

Percent = Annotated[int, Meta(ge=0, le=100)]


class Sound(Form, frozen=True):
    """Volumes in per cent (PLT-42)."""

    muted: bool = False
    voice: Percent = 80
    game: Percent = 80


class Settings(Form, frozen=True):
    """Settings that are the same on every device of the player (PLT-42, PLT-43, PLT-47, ASR-50)."""

    language: Language | None = None
    sound: Sound = Sound()
    #: Whether others may bet behind the player; which doubles and splits the player's bets behind follow (FRB-42, FRB-43).
    allow_behind: bool = True
    follow_double: bool = False
    follow_split: bool = False
    #: Whether the player has answered that question, which the page asks at the first bet behind (FRB-43).
    follow_asked: bool = False
    #: The quality of videos: one by its name, "auto" or "off"; a table that has no such quality chooses by itself (STU-21).
    video_quality: VideoQuality = AUTOMATIC
    view: Literal["immersive", "classic"] = "immersive"
    focus: bool = False
    hide_chat: bool = False
    four_colours: bool = False
    less_motion: bool = False
    #: How fast cards are dealt at solo tables.
    deal_speed: Literal["normal", "fast", "instant"] = "normal"
    #: Switched off, the pages deal without an offer of insurance (SUR-06, CSH-12).
    insurance: bool = True
    client_seed: Annotated[
        str, Meta(max_length=64, pattern=whole("[ -~]*", "printable ASCII characters"))
    ] = ""
    #: Games and live tables that the lobby shows first, by name.
    favourites: Annotated[
        tuple[
            Annotated[str, Meta(max_length=64, pattern=whole("[a-z0-9/-]+", "a game's or table's name"))], ...
        ],
        Meta(max_length=40),
    ] = ()


class _KeptSettings(Settings, frozen=True, forbid_unknown_fields=False):
    """Settings as any release stored them: unknown fields are ignored."""


_SETTINGS = msgspec.json.Decoder(_KeptSettings)


def settings_of(connection: Connection, player: int) -> Settings:
    """A player's settings; the defaults if none are stored, or if they cannot be read."""
    query = sqlalchemy.select(schema.settings.c.value).where(schema.settings.c.player == player)
    return read_settings(connection.execute(query).scalar())


def read_settings(found: bytes | None) -> Settings:
    """Settings as they are stored; the defaults if none are, or if they cannot be read."""
    try:
        return Settings() if found is None else _SETTINGS.decode(found)
    except msgspec.MsgspecError:
        return Settings()


def at_seats(settings: Settings) -> Preferences:
    """The settings that concern bets behind (FRB-42, FRB-43)."""
    return Preferences(settings.allow_behind, (settings.follow_double, settings.follow_split))
