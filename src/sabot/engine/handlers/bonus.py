"""Handlers of the Link bonus."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sabot.engine.bonus import BonusGame
from sabot.engine.commands import Continue, Effect, Spin
from sabot.errors import Refusal

if TYPE_CHECKING:
    from sabot.engine.round import Round


def spin(round: Round, command: Spin) -> Effect:
    """GIRA: the wheel, or the empty cells of the table (LNK-21, LNK-27)."""
    bonus = check_bonus(round, command.spot)
    if bonus.stage == "intro":
        raise Refusal("bonus/press-continue")

    def effect() -> None:
        bonus.spin()
        if bonus.stage == "over":
            round.end_bonus(bonus)

    return effect


def proceed(round: Round, command: Continue) -> Effect:
    """CONTINUA: from the intro screen to the table (LNK-26)."""
    bonus = check_bonus(round, command.spot)
    if bonus.stage != "intro":
        raise Refusal("bonus/press-spin")
    return bonus.proceed


def check_bonus(round: Round, spot: int) -> BonusGame:
    """The bonus being played on the spot."""
    if round.bonus is None or round.bonus.spot != spot:
        raise Refusal("bonus/none", spot=spot)
    return round.bonus
