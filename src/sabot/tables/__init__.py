"""Tables: who may act, and when. A solo player's chips and play session are here."""

from sabot.tables.session import Chance, PlaySession, SessionError
from sabot.tables.slip import BetSlip, SlipAction

__all__ = ["BetSlip", "Chance", "PlaySession", "SessionError", "SlipAction"]
