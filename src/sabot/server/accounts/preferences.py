"""A player's stored settings (PLT-43)."""

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.server.http import models
from sabot.store import schema
from sabot.tables.live.presence import Preferences


class _KeptSettings(models.Settings, frozen=True, forbid_unknown_fields=False):
    """Settings as any release stored them: unknown fields are ignored."""


_SETTINGS = msgspec.json.Decoder(_KeptSettings)


def settings_of(connection: Connection, player: int) -> models.Settings:
    """A player's settings; the defaults if none are stored, or if they cannot be read."""
    query = sqlalchemy.select(schema.settings.c.value).where(schema.settings.c.player == player)
    found = connection.execute(query).scalar()
    try:
        return models.Settings() if found is None else _SETTINGS.decode(found)
    except msgspec.MsgspecError:
        return models.Settings()


def at_seats(settings: models.Settings) -> Preferences:
    """The settings that concern bets behind (FRB-42, FRB-43)."""
    return Preferences(settings.allow_behind, (settings.follow_double, settings.follow_split))
