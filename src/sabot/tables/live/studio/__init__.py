"""A live table where a person deals: the presenter, the devices, the cards and the console (STU)."""

from sabot.tables.live.studio.shift import StudioPerson
from sabot.tables.live.studio.studio import CONSOLE, Studio, StudioCourse, waiting_phase

__all__ = ["CONSOLE", "Studio", "StudioCourse", "StudioPerson", "waiting_phase"]
