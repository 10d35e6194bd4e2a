"""A game of the house: rules, title, published returns."""

from decimal import Decimal

from msgspec import Struct

from sabot.games.options import TableOptions
from sabot.games.rules import Rules


class Game(Struct, frozen=True):
    """One entry of the catalogue."""

    rules: Rules
    title: str
    #: Published returns in per cent, by bet; `main` is the game itself.
    published: dict[str, str] = {}
    options: TableOptions = TableOptions()
    #: The settings switch the insurance offer off for a play session, and on again (SUR-06, CSH-12).
    insurance_switch: bool = True
    #: Refusing insurance for all hands switches the offer off too (CSH-12).
    refusal_lasts: bool = False

    @property
    def name(self) -> str:
        """The rule set's name."""
        return self.rules.name

    @property
    def live(self) -> bool:
        """Whether many people play at one table."""
        return self.rules.backing != "solo"

    def published_return(self, bet: str) -> float | None:
        """The return that the regulation publishes for a bet, as a fraction."""
        percent = self.published.get(bet)
        return None if percent is None else float(Decimal(percent) / 100)
