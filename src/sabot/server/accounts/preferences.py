"""The settings that follow a player to every device, as the profile keeps them (PLT-43)."""

from __future__ import annotations

import msgspec
import sqlalchemy
from sqlalchemy import Connection

from sabot.server.http import models
from sabot.store import schema
from sabot.tables.live.presence import Preferences


class _KeptSettings(models.Settings, frozen=True, forbid_unknown_fields=False):
    """Settings as any release kept them: a field that is no longer known is left out."""


_SETTINGS = msgspec.json.Decoder(_KeptSettings)


def settings_of(connection: Connection, player: int) -> models.Settings:
    """A player's settings; the usual ones where none are kept, or another release kept them."""
    query = sqlalchemy.select(schema.settings.c.value).where(schema.settings.c.player == player)
    found = connection.execute(query).scalar()
    try:
        return models.Settings() if found is None else _SETTINGS.decode(found)
    except msgspec.MsgspecError:
        return models.Settings()


def at_seats(settings: models.Settings) -> Preferences:
    """What of them tables with seats obey (FRB-42, FRB-43)."""
    return Preferences(settings.allow_behind, (settings.follow_double, settings.follow_split))
